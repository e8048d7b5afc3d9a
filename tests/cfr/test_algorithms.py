"""The rows: their scalars against closed forms, the weights of their averages, and the rows that are refused."""

import math
import pickle
import warnings

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.batches.study import make_item
from equilibrist.cfr import kernels
from equilibrist.cfr.algorithms import Algorithm, find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR
from support.solvers import variant

N = 50  # iterations looked at, and the horizon of schedules


def one(t):
    return 1.0


def half(t):
    return 0.5


def power(e):
    """Return t ↦ (t − 1)^e / ((t − 1)^e + 1)."""
    return lambda t: (t - 1) ** e / ((t - 1) ** e + 1)


def linear(t):
    return (t - 1) / t


# What positive sums, negative sums (None: there are none) and predicted sums keep at iteration t; the exponent of the
# average; floor; predict. Schedules are taken at t − 1, the number that is raised to them, as in the paper's equations.
CLOSED = {
    "cfr": (one, one, one, lambda t: 0, False, 0),
    "cfr+": (one, None, one, lambda t: 1, True, 0),
    "lcfr": (linear, linear, one, lambda t: 1, False, 0),
    "dcfr": (power(1.5), half, one, lambda t: 2, False, 0),
    "dcfr+": (power(1.5), None, one, lambda t: 4, True, 0),
    "pcfr+": (one, None, one, lambda t: 2, True, 1),
    "sapcfr+": (one, None, one, lambda t: 2, True, 1 / 3),
    "pdcfr+": (power(2.3), None, lambda t: power(2.3)(t + 1), lambda t: 5, True, 1),
    "hs-dcfr": (
        lambda t: power(1 + 3 * (t - 1) / N)(t),
        lambda t: power(-1 - 2 * (t - 1) / N)(t),
        one,
        lambda t: 30 - 5 * (t - 1) / N,
        False,
        0,
    ),
    "hs-pcfr+": (one, None, one, lambda t: 30 - 5 * (t - 1) / N, True, 1),
}

rows = pytest.mark.parametrize("name", CLOSED)


def test_schedules_take_the_number_that_they_raise():
    """Equations 2 to 4 of arXiv 2404.09097, R(t + 1) = R(t) · t^α / (t^α + 1) + r(t + 1) and so on with α = α(t)."""
    steps = eq.ALGORITHMS["hs-dcfr"].steps(1, 10, horizon=10)
    t, alpha, gamma = 4, 1 + 3 * 4 / 10, 30 - 5 * 4 / 10
    assert steps.discount_positive[t] == pytest.approx(t**alpha / (t**alpha + 1), rel=1e-14)
    assert steps.discount_average[t] == pytest.approx((t / (t + 1)) ** gamma, rel=1e-14)


def test_the_rows_are_those_of_the_table():
    assert list(eq.ALGORITHMS) == list(CLOSED)
    for name, row in eq.ALGORITHMS.items():
        assert row.name == name
        assert row.source
        assert (row.floor, row.predict) == CLOSED[name][4:]
        assert row.needs_horizon == name.startswith("hs-")


@rows
def test_steps_have_their_closed_form(name):
    positive, negative, predicted, g, *_ = CLOSED[name]
    steps = eq.ALGORITHMS[name].steps(1, N, horizon=N)
    for t in range(2, N + 1):  # at t = 1 there is nothing to keep
        assert math.isclose(steps.discount_positive[t - 1], positive(t), rel_tol=1e-14)
        assert math.isclose(steps.discount_predicted[t - 1], predicted(t), rel_tol=1e-14)
        assert math.isclose(steps.discount_average[t - 1], ((t - 1) / t) ** g(t), rel_tol=1e-14)
        if negative is not None:
            assert math.isclose(steps.discount_negative[t - 1], negative(t), rel_tol=1e-14)


@rows
def test_steps_are_finite_from_the_first_iteration_and_warn_of_nothing(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steps = eq.ALGORITHMS[name].steps(1, N, horizon=N)
    assert steps.iteration.tolist() == list(range(1, N + 1))
    for scalars in steps[:-1]:
        assert scalars.dtype == np.float64
        assert np.all((scalars >= 0) & (scalars <= 1))


@rows
def test_steps_in_pieces_are_the_same_steps(name):
    row = eq.ALGORITHMS[name]
    whole = row.steps(1, N, horizon=N)
    pieces = [row.steps(first, count, horizon=N) for first, count in ((1, 1), (2, 18), (20, 31))]
    for scalars, *parts in zip(whole, *pieces, strict=True):
        assert np.array_equal(scalars, np.concatenate(parts))


def test_schedules_need_the_planned_number_of_iterations():
    for name in ("hs-dcfr", "hs-pcfr+"):
        with pytest.raises(
            eq.AlgorithmError, match="planned number of iterations: give iterations="
        ):
            eq.ALGORITHMS[name].steps(1, 5)


# --- Functions of t ---


def _like_hs_dcfr(**changes):
    """HS-DCFR for 20 iterations, its schedules written as functions."""
    functions = {
        "alpha": lambda t: 1 + 3 * t / 20,
        "beta": lambda t: -1 - 2 * t / 20,
        "gamma": lambda t: np.float64(30 - 5 * t / 20),
    }
    return eq.Algorithm("mine", "x", **(functions | changes))


def test_functions_of_t_are_the_schedules_that_they_compute():
    functions = _like_hs_dcfr().planned(20).steps(1, 20, horizon=20)
    ramps = eq.ALGORITHMS["hs-dcfr"].steps(1, 20, horizon=20)
    for mine, theirs in zip(functions, ramps, strict=True):
        assert mine == pytest.approx(theirs, rel=1e-14)


def test_a_run_keeps_the_numbers_of_a_function(tmp_path):
    """It goes on without the function, or with one that has the same numbers, as far as it was planned."""
    algorithm = _like_hs_dcfr()
    expected = eq.solve("kuhn", algorithm, iterations=20)
    part = eq.solve("kuhn", algorithm, iterations=20, until=0.2, save=tmp_path)
    assert part.iterations < 20
    resumed = eq.solve(resume=tmp_path)
    again = eq.solve(resume=tmp_path, algorithm=_like_hs_dcfr())
    for solution in (resumed, again):
        assert (solution.strategy.probabilities == expected.strategy.probabilities).all()
    with pytest.raises(eq.AlgorithmError, match="planned for 20 iterations"):
        eq.solve(resume=tmp_path, iterations=30)
    with pytest.raises(eq.AlgorithmError, match=r"'mine' with gamma=Schedule.*got.*gamma=Schedule"):
        eq.solve(resume=tmp_path, algorithm=_like_hs_dcfr(gamma=lambda t: 2.0))


def test_a_study_hands_numbers_on_to_other_processes():
    item = make_item("kuhn", {"algorithm": _like_hs_dcfr()}, {"iterations": 20}, {})
    assert pickle.loads(pickle.dumps(item)).options["algorithm"] == _like_hs_dcfr().planned(20)
    longer = make_item("kuhn", {"algorithm": _like_hs_dcfr()}, {"iterations": 30}, {})
    assert longer.name != item.name


def test_numbers_that_stay_are_kept_once():
    algorithm = eq.Algorithm("mine", "x", gamma=lambda t: min(t, 5)).planned(1000)
    assert algorithm.gamma.numbers == (0, 1, 2, 3, 4, 5)
    assert Algorithm.from_plain(algorithm.to_plain()) == algorithm


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda t: 1 / t, r"gamma\(0\) raised ZeroDivisionError"),
        (lambda t: "x", r"gamma\(0\) must be a finite number; got 'x'"),
        (lambda t: math.inf if t == 3 else 1.0, r"gamma\(3\) must be a finite number; got inf"),
        (lambda t: 3 - t, "gamma must be 0 or more"),
        (lambda: 1, r"gamma\(0\) raised TypeError"),
    ],
    ids=["raises", "text", "infinite", "falls", "takes nothing"],
)
def test_functions_that_are_no_schedules_are_refused(function, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.solve("kuhn", eq.Algorithm("mine", "x", gamma=function), iterations=5)


def test_functions_need_a_number_of_iterations():
    mine = eq.Algorithm("mine", "x", gamma=lambda t: t)
    with pytest.raises(eq.AlgorithmError, match=r"gamma is a function of t.*give iterations="):
        eq.solve("kuhn", mine, until=0.01)
    with pytest.raises(eq.AlgorithmError, match="at most 1,000,000 iterations"):
        eq.solve("kuhn", mine, iterations=1_000_001)
    with pytest.raises(eq.AlgorithmError, match="got a class"):
        eq.Algorithm("mine", "x", gamma=float)
    with pytest.raises(eq.AlgorithmError, match=r"is a schedule|Its schedule plans full passes"):
        eq.solve("kuhn", mine, sampling="external", iterations=5)


# --- The weights of the average, read off with unit vectors ---


@rows
def test_iteration_t_weighs_t_to_the_g(name):
    """Feed the averager a different unit vector at each iteration: what it holds in the end are the weights."""
    form = eq.compile_game(eq.load(f"matrix(payoffs={[[1.0]] * N})"))
    steps = eq.ALGORITHMS[name].steps(1, N, horizon=N)
    total, slots = np.zeros(form.length), form.slot[:N]  # those of player 0's actions
    for t in range(1, N + 1):
        reach = np.zeros(form.length)
        reach[slots[t - 1]] = 1.0
        kernels.add_to_average(form.treeplex, 0, reach, total, steps.discount_average[t - 1])
    weights = total[slots]

    if name.startswith("hs-"):  # the exponent moves, so that only the products say it
        g = CLOSED[name][3]
        expected = [
            math.prod(((s - 1) / s) ** g(s) for s in range(t + 1, N + 1)) for t in range(1, N + 1)
        ]
    else:
        expected = [(t / N) ** CLOSED[name][3](t) for t in range(1, N + 1)]
    np.testing.assert_allclose(
        weights / weights.sum(), np.array(expected) / sum(expected), rtol=1e-12
    )


@rows
@pytest.mark.parametrize("alternating", [True, False])
def test_the_average_is_that_of_the_strategies_played(name, alternating):
    """In a matrix game everything is reached, so that the average is Σ weight(t) · strategy(t)."""
    form = eq.compile_game(eq.load("biased_rps"))
    steps = eq.ALGORITHMS[name].steps(1, N, horizon=N)
    solver = SequenceCFR(form, variant(eq.ALGORITHMS[name], alternating=alternating), horizon=N)
    played = []
    for _ in range(N):
        played.append(solver.state_dict()["strategy"][form.slot].copy())
        solver.run(1)
    weights = [math.prod(steps.discount_average[t:]) for t in range(1, N + 1)]
    expected = sum(
        weight * strategy for weight, strategy in zip(weights, played, strict=True)
    ) / sum(weights)
    np.testing.assert_allclose(solver.average_strategy()[form.slot], expected, atol=1e-12)


@pytest.mark.parametrize(
    ("factor", "restarts"),
    [(4, [1, 4, 16]), (2.5, [1, 2, 5, 12, 30]), (1.5, [1, 2, 3, 4, 6, 9, 13, 19, 28, 42])],
)
def test_a_restarted_average_counts_from_its_last_restart(factor, restarts):
    row = eq.Algorithm("mine", "me", gamma=3, restart=factor)
    steps = row.steps(1, N)
    weights = [math.prod(steps.discount_average[t:]) for t in range(1, N + 1)]
    last = max(restart for restart in restarts if restart < N)
    expected = [(max(0, t - last) / (N - last)) ** 3 for t in range(1, N + 1)]
    np.testing.assert_allclose(weights, expected, rtol=1e-12)
    assert np.flatnonzero(steps.discount_average == 0).tolist() == [0, *restarts]
    pieces = np.concatenate([row.steps(first, 10).discount_average for first in range(1, N, 10)])
    assert np.array_equal(pieces, steps.discount_average)


# --- Names, and rows that make no sense ---


def test_names():
    assert find_algorithm("CFR+") is eq.ALGORITHMS["cfr+"]
    assert find_algorithm(eq.ALGORITHMS["dcfr"]) is eq.ALGORITHMS["dcfr"]
    with pytest.raises(
        eq.AlgorithmError, match=r"There is no algorithm 'pcrf\+'\. Did you mean .*'pcfr\+'"
    ) as caught:
        find_algorithm("pcrf+")
    assert caught.value.wrong_use
    with pytest.raises(
        eq.AlgorithmError, match=r"There is no algorithm 'xyz'\. Known: auto, cfr, "
    ):
        find_algorithm("xyz")
    with pytest.raises(eq.AlgorithmError, match="There is no algorithm None"):
        find_algorithm(None)


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"alpha": math.inf}, "alpha must be finite; got inf. None means 'no discount'"),
        ({"beta": -math.inf}, "beta must be finite"),
        ({"gamma": math.nan}, "gamma must be finite"),
        ({"alpha": eq.Ramp(1, math.inf)}, "alpha must be finite"),
        ({"gamma": -1}, "'mine': gamma must be"),
        ({"gamma": None}, "'mine': gamma must be"),
        (
            {"floor": True, "beta": 0},
            "with floor=True no regret sum is negative, so beta=0 would do nothing",
        ),
        ({"predict": -1}, "predict must be 0 or more; got -1"),
        ({"predict": math.nan}, "predict must be 0 or more"),
        ({"predict": math.inf}, "predict must be 0 or more"),
        ({"alpha": 10**400}, "alpha must be finite"),
        ({"predict": 10**400}, "predict must be 0 or more"),
        ({"restart": 1}, "restart must be a factor above 1, or None; got 1"),
        ({"restart": math.inf}, "restart must be a factor above 1"),
        ({"restart": "4"}, "restart must be a factor above 1, or None; got '4'"),
        ({"discount_predicted": True}, "discount_predicted needs predict > 0 and an alpha"),
        ({"discount_predicted": True, "alpha": 2}, "discount_predicted needs predict > 0"),
        (
            {"discount_predicted": True, "predict": 1},
            "discount_predicted needs predict > 0 and an alpha; .*=None",
        ),
    ],
)
def test_rows_that_make_no_sense_are_refused_when_they_are_made(settings, match):
    with pytest.raises(eq.AlgorithmError, match=match) as caught:
        eq.Algorithm("mine", "me", **settings)
    assert caught.value.wrong_use


def test_a_row_equal_to_a_built_in_one_plays_like_it():
    mine = eq.Algorithm("mine", "me", alpha=1.5, beta=0.0, gamma=2.0)
    one, other = (eq.solve("kuhn", row, iterations=N) for row in (mine, "dcfr"))
    assert np.array_equal(one.strategy.probabilities, other.strategy.probabilities)
    assert (one.algorithm, other.algorithm) == ("mine", "dcfr")


def test_rows_cannot_be_changed():
    with pytest.raises(AttributeError):
        eq.ALGORITHMS["cfr"].gamma = 3.0
