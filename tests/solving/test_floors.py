"""Floors: every action keeps a probability, in every form, and the certificate is that of the game with them."""

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.evaluation.linear_program import flow_rows, payoff_matrix

KUHN = {0.01: -0.052767, 0.1: -0.027}


def programme(game, least_0, least_1):
    """Return the value to player 0 of a game in which actions keep probabilities, by a linear programme of its own.

    Both plans have x(Ia) ≥ ε x(parent) as rows; the plan of player 1 is behind its dual, with a variable for each.
    """
    form = eq.compile_game(eq.load(game))
    payoff, largest = payoff_matrix(form)
    flows = [flow_rows(form, player).toarray() for player in (0, 1)]
    floors = []
    for flow, least in zip(flows, (least_0, least_1), strict=True):
        rows = []
        for line in flow[1:]:
            for action in np.flatnonzero(line > 0):
                row = np.where(line < 0, -least, 0.0)
                row[action] = 1.0
                rows.append(row)
        floors.append(np.array(rows))
    # maximise f·v with F'v + L1'w <= A'x, L0 x >= 0, w >= 0
    payoff = payoff.toarray()
    size_x, size_v, size_w = payoff.shape[0], flows[1].shape[0], len(floors[1])
    upper = np.block(
        [
            [-payoff.T, flows[1].T, floors[1].T],
            [-floors[0], np.zeros((len(floors[0]), size_v + size_w))],
        ]
    )
    equal = np.hstack([flows[0], np.zeros((flows[0].shape[0], size_v + size_w))])
    cost = np.zeros(size_x + size_v + size_w)
    cost[size_x] = -1.0
    bounds = [(0, None)] * size_x + [(None, None)] * size_v + [(0, None)] * size_w
    result = linprog(
        cost, upper, np.zeros(len(upper)), equal, np.eye(1, len(flows[0]))[0], bounds=bounds
    )
    return -result.fun * largest


@pytest.mark.thinned(4)
@pytest.mark.parametrize(("least", "value"), KUHN.items())
@pytest.mark.parametrize("form", ["sequence", "public"])
@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pcfr+", "sapcfr+"])
def test_kuhn_with_floors_is_worth_what_the_programme_says(form, algorithm, least, value):
    solution = eq.solve(
        "kuhn", algorithm, form=form, concept=eq.Floors(least), until=1e-5, iterations=50_000
    )
    assert programme("kuhn", least, least) == pytest.approx(value, abs=1e-9)
    assert solution.value[0] == pytest.approx(value, abs=2e-5)
    assert min(p for row in solution.strategy.values() for p in row.values()) >= least - 1e-12
    assert solution.stop_reason == "until"
    assert solution.final.measures["exploitability_within_floors"] <= 1e-5 < solution.exploitability


@pytest.mark.parametrize("form", ["sequence", pytest.param("public", marks=pytest.mark.slow)])
def test_floors_of_one_player_alone(form):
    """With floors of 0.01 for player 0 alone Kuhn is worth −0.057244444 to them, for player 1 alone −0.051111111."""
    for player, value in ((0, -0.057244444), (1, -0.051111111)):
        least = [0.0, 0.0]
        least[player] = 0.01
        assert programme("kuhn", *least) == pytest.approx(value, abs=1e-9)
        solution = eq.solve("kuhn", form=form, concept=eq.Floors({(player, "*"): 0.01}), until=1e-8)
        assert solution.value[0] == pytest.approx(value, abs=3e-8)


def test_leduc_with_floors():
    """OpenSpiel's payoffs: −0.087216643, also by the programme."""
    value = -0.087216643
    assert programme("leduc", 0.01, 0.01) == pytest.approx(value, abs=1e-8)
    solution = eq.solve("leduc", concept="floors(0.01)", until=1e-5)
    assert solution.value[0] == pytest.approx(value, abs=2e-5)


SPOT = {
    "board": "Td9d6hQc2s",
    "oop": "AA,KK,JJ,88,A5s,54s",
    "ip": "QJs,QTs,T9s,99,AQo,KQs",
    "pot": 100,
    "stack": 200,
    "bets": "100%; a",
}
RIVER = {0.001: 14.012669409, 0.005: 13.418271245, 0.01: 12.701618453, 0.05: 7.557015263}
"""EV of OOP by floor: computed outside this library."""


def ev(solution):
    return solution.value[0]


@pytest.mark.slow
@pytest.mark.parametrize(("least", "value"), RIVER.items())
def test_a_river_with_floors(least, value):
    solution = eq.solve(
        eq.poker.Holdem(**SPOT), concept=eq.Floors(least), precision="float64", until=1e-4
    )
    assert ev(solution) == pytest.approx(value, abs=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_a_river_with_floors_in_less_precision(precision):
    solution = eq.solve(
        eq.poker.Holdem(**SPOT),
        concept=eq.Floors(0.05),
        precision=precision,
        until="0.05%",
        iterations=3000,
    )
    assert solution.stop_reason == "until"
    assert ev(solution) == pytest.approx(RIVER[0.05], abs=0.11)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["dcfr+", "pcfr+", "cfr(alternating=False)"])
def test_numbers_by_infoset_are_floors_as_one_for_all(algorithm):
    """Also where the strategy is stored: of algorithms that predict, and of simultaneous updates."""
    spot = eq.poker.Holdem(**SPOT)
    first, second = (
        eq.solve(spot, algorithm, concept=eq.Floors(least), precision="float64", iterations=50)
        for least in (0.02, {"*": 0.02})
    )
    assert ev(first) == pytest.approx(ev(second), abs=1e-10)
    measure = "exploitability_within_floors"
    assert first.final.measures[measure] == pytest.approx(second.final.measures[measure], abs=1e-10)


@pytest.mark.parametrize("form", ["sequence", pytest.param("public", marks=pytest.mark.slow)])
def test_floors_that_fall_lead_to_an_equilibrium(form):
    solution = eq.solve("kuhn", form=form, concept=eq.Floors(0.1, decay=1.0), until=1e-4)
    assert solution.exploitability < 2e-3
    assert solution.final.measures["exploitability_within_floors"] <= 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "floors"),
    [
        ("kuhn", eq.Floors(0.2, decay=0.5)),
        (
            "kuhn(cards=9)",
            eq.Floors({"*": 0.01, (0, "9"): 0.3, (1, "Q*"): 0.2}),
        ),  # more hands than lanes
    ],
)
def test_forms_agree(game, floors):
    runs = [
        eq.solve(game, "dcfr", form=form, concept=floors, iterations=20)
        for form in ("sequence", "public")
    ]
    for player, key, _ in runs[0].strategy.infosets:
        assert runs[0].strategy[player, key] == pytest.approx(
            runs[1].strategy[player, key], abs=1e-12
        )
    assert runs[0].value == pytest.approx(runs[1].value, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["external", "chance", "outcome", "average-strategy"])
def test_samples_keep_floors(sampling):
    solution = eq.solve(
        "kuhn", "cfr", sampling=sampling, concept=eq.Floors(0.1), iterations=60_000, seed=1
    )
    assert solution.value[0] == pytest.approx(KUHN[0.1], abs=0.02)
    assert solution.final.measures["exploitability_within_floors"] < 0.02
    assert min(p for row in solution.strategy.values() for p in row.values()) >= 0.1 - 1e-12


def test_a_locked_decision_has_no_floor():
    spot = eq.poker.Holdem(**SPOT, locks=[eq.Lock("X", {"X": 1.0})])
    form = eq.compile_game(spot, form="cards")
    table = eq.Floors(0.02).minimiser(form).table
    slots = np.asarray(form.slot)
    locked = np.isin(slots, form.locked_slots)
    assert 0 < locked.sum() < len(slots)
    np.testing.assert_array_equal(table[slots], np.where(locked, 0.0, 0.02))


@pytest.mark.slow
def test_a_lock_wins():
    """A locked decision is played as it is locked, and all others keep the floor."""
    lock = eq.Lock("X", {"X": 1.0})
    solution = eq.solve(
        eq.poker.Holdem(**SPOT, locks=[lock]),
        concept=eq.Floors(0.02),
        precision="float64",
        iterations=200,
    )
    locked = [row for (_, key), row in solution.strategy.items() if key.endswith(" X")]
    free = [row for (_, key), row in solution.strategy.items() if not key.endswith(" X")]
    assert locked
    assert all(row["X"] == 1.0 for row in locked)
    assert min(p for row in free for p in row.values()) >= 0.02 - 1e-9
    assert solution.final.measures["exploitability_within_floors"] < 0.5


def test_a_run_goes_on_with_its_floors(tmp_path):
    whole = eq.solve("kuhn", concept=eq.Floors({"*": 0.01, (0, "J"): 0.05}), iterations=100)
    eq.solve(
        "kuhn", concept=eq.Floors({"*": 0.01, (0, "J"): 0.05}), iterations=40, save=tmp_path / "run"
    )
    resumed = eq.solve(resume=tmp_path / "run", iterations=100)
    assert resumed.final._replace(seconds=0) == whole.final._replace(seconds=0)
    with pytest.raises(eq.AlgorithmError, match="can only go on so"):
        eq.solve(resume=tmp_path / "run", concept="floors(0.02)", iterations=200)


@pytest.mark.slow
def test_bits_are_the_same_for_any_number_of_threads():
    spot = eq.poker.Holdem(**SPOT)
    first, second = (
        eq.solve(spot, concept=eq.Floors(0.01), threads=threads, precision="float64", iterations=30)
        for threads in (1, 2)
    )
    assert first.final._replace(seconds=0) == second.final._replace(seconds=0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"concept": eq.Floors(0.5)}, "infosets of 2 actions, where a floor must be below 0.5"),
        ({"concept": eq.Floors({"Z*": 0.1})}, "No infoset of kuhn fits the key 'Z\\*'"),
        ({"concept": "floor(0.1)"}, "got 'floor\\(0.1\\)'"),
        ({"concept": 0.1}, "got 0.1"),
        ({"concept": "floors(0.1)", "sampling": "external(tree=False)"}, "before it meets them"),
        ({"concept": "floors(0.1)", "sampling": "full(pruning='zero-reach')"}, "never played"),
        (
            {"concept": "floors(0.1, decay=1)", "sampling": "external"},
            "the same everywhere and stay",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(options, sentence):
    with pytest.raises(eq.AlgorithmError, match=sentence):
        eq.solve("kuhn", iterations=5, **options)


@pytest.mark.parametrize("least", [-0.1, 1.0, "much", None, True, float("nan")])
def test_floors_that_are_no_probabilities_are_refused(least):
    with pytest.raises(eq.AlgorithmError, match="A floor is a probability"):
        eq.Floors(least)
