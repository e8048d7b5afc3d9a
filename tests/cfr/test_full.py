"""Full-width CFR against the slow truth, against published numbers, and against what theory says of any run."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.game.protocol import CHANCE
from support.random_games import CHANCES, RandomGame
from support.reference import CFR, external_regret, nash_conv, unfold
from support.solvers import GENERAL, rows, seeds, set_tables, tables, turn, variant
from support.spelled import Spelled, end, turns

ITERATIONS = 50
GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "goofspiel(cards=3)",
    "liars_dice(faces=2)",
    "liars_dice(faces=3)",
    "matching_pennies",
    "biased_rps",
    GENERAL,
]


def solver_for(game, name, *, alternating=True, horizon=ITERATIONS):
    row = find_algorithm(name)
    return SequenceCFR(
        eq.compile_game(game),
        variant(row, alternating=alternating),
        horizon=horizon if row.needs_horizon else None,
    )


# --- Kernels equal the reference ---


def compare_step_by_step(game, name, *, alternating, iterations=20):
    """Run each iteration from the reference's numbers, and compare all that comes out to 1e-12.

    The two sum in different orders, so that regrets differ by 1e-16; where an infoset's regrets cancel exactly, the
    one sees nothing positive and plays uniformly, and the other shares out 1e-16 among the actions. Starting each
    iteration from the same numbers, and comparing strategies before they are scaled to sum to 1, keeps such ties from
    deciding the test.
    """
    solver = solver_for(game, name, alternating=alternating)
    reference = CFR(game, solver.algorithm, alternating=alternating, horizon=solver.horizon)
    for _ in range(iterations):
        set_tables(solver, reference)
        solver.run(1)
        reference.iterate()
        found = tables(solver)
        for key, row in reference.strategy.items():
            for action, probability in row.items():
                assert (
                    abs(found["regret_sum"][key][action] - reference.regret_sum[key][action])
                    <= 1e-12
                )
                assert (
                    abs(found["strategy_sum"][key][action] - reference.strategy_sum[key][action])
                    <= 1e-12
                )
                scale = min(reference.wanted[key], 1.0)
                assert abs(found["strategy"][key][action] - probability) * scale <= 1e-12
            if not any(reference.cf_value[key].values()) and not any(
                reference.regret_sum[key].values()
            ):
                assert set(found["strategy"][key].values()) == {1 / len(row)}, (
                    "uniform where nothing is at stake"
                )


@pytest.mark.thinned(10)
@rows
@turn
@pytest.mark.parametrize("spec", GAMES)
def test_kernels_equal_the_reference(spec, name, alternating):
    compare_step_by_step(eq.load(spec), name, alternating=alternating)


def test_kernels_equal_the_reference_where_the_average_restarts():
    for gamma in (0, 3):
        row = eq.Algorithm("mine", "me", alpha=1.5, beta=0, predict=0.3, gamma=gamma, restart=2.5)
        compare_step_by_step(eq.load("kuhn"), row, alternating=True)


@pytest.mark.thinned(4)
@rows
@turn
@settings(max_examples=4)
@given(seed=seeds, zero_sum=st.booleans(), ties=st.booleans())
def test_kernels_equal_the_reference_on_random_games(name, alternating, seed, zero_sum, ties):
    compare_step_by_step(
        RandomGame(seed, zero_sum=zero_sum, ties=ties), name, alternating=alternating
    )


@pytest.mark.parametrize("order", [[3, 1, 4, 0, 2], [2, 0, 2, 1, 0]])
@turn
def test_kernels_equal_the_reference_with_many_players(order, alternating):
    for name in ("cfr", "pcfr+", "hs-dcfr"):
        compare_step_by_step(
            turns(order, max(order) + 1), name, alternating=alternating, iterations=10
        )


@pytest.mark.thinned(4)
@pytest.mark.parametrize("size", [1, 7, 8, 9, 33, 255, 257, 600])
def test_kernels_equal_the_reference_in_long_buckets(size):
    """Player 0 sees one of many signals, player 1 does not."""

    def pay(signal, own, other):
        x = ((7 * signal + 3) % 11) / 5 - 1
        return end(x * own - 0.3 * other, 0.3 * other - x * own)

    def answer(signal, own):
        return (1, "answer", {other: pay(signal, own, other) for other in range(2)})

    tree = {
        s: (0, f"signal {s}", {own: answer(s, own) for own in range(2 + s % 2)})
        for s in range(size)
    }
    game = Spelled(2, (CHANCE, [1 / size] * size, tree))
    compare_step_by_step(game, "pcfr+", alternating=True, iterations=3)
    compare_step_by_step(game, "dcfr", alternating=False, iterations=3)


# Where no regrets cancel exactly, the two stay together for all 50 iterations when left to themselves; the rounding of
# one iteration is carried on and grows to some 1e-12.
@pytest.mark.thinned(6)
@rows
@pytest.mark.parametrize(
    "spec", ["goofspiel(cards=3)", "liars_dice(faces=3)", "biased_rps", GENERAL]
)
def test_left_to_themselves_they_stay_together(spec, name):
    game = eq.load(spec)
    solver = solver_for(game, name)
    reference = CFR(game, solver.algorithm, horizon=solver.horizon)
    solver.run(ITERATIONS)
    for _ in range(ITERATIONS):
        reference.iterate()
    found = eq.Strategy.from_form(solver.form, solver.average_strategy())
    for key, row in reference.average().items():
        assert found[key] == pytest.approx(row, abs=1e-10)


# Regrets that cancel exactly are left at some 1e-17, which regret matching would play purely on: of these games, one of
# the two did so within four iterations.
TIES = ["kuhn(cards=9)", "kuhn(cards=7, players=3)", "goofspiel(cards=4, prizes='random')"]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("spec", TIES)
def test_regrets_of_rounding_size_are_no_regrets(spec):
    game = eq.load(spec)
    solver, reference = solver_for(game, "cfr"), CFR(game, eq.ALGORITHMS["cfr"])
    for _ in range(5):
        solver.run(1)
        reference.iterate()
    found = eq.Strategy.from_form(solver.form, solver.average_strategy())
    for key, row in reference.average().items():
        assert found[key] == pytest.approx(row, abs=1e-12)


@pytest.mark.slow
def test_the_recursion_agrees_on_goofspiel_with_five_cards():
    """Without the rule the two part at the second iteration."""
    game = eq.load("goofspiel(cards=5)")
    solver, reference = solver_for(game, "cfr+"), CFR(game, eq.ALGORITHMS["cfr+"])
    for _ in range(12):
        solver.run(1)
        reference.iterate()
    found = eq.Strategy.from_form(solver.form, solver.average_strategy())
    for key, row in reference.average().items():
        assert found[key] == pytest.approx(row, abs=1e-10)


def test_what_is_taken_for_rounding_is_relative_to_the_payoffs():
    """Regrets of a game with payoffs of 1e-20 are not."""
    small = eq.solve(Scaled(eq.load("kuhn"), 2.0**-70), "cfr", iterations=100)
    assert small.nash_conv == eq.solve("kuhn", "cfr", iterations=100).nash_conv * 2.0**-70


# --- Published numbers (issue "Solve a game", section 5) ---

PUBLISHED = [
    (
        "kuhn",
        "cfr",
        [0.916666666667, 0.541666666667, 0.388888888889, 0.28125, 0.242777777778, 0.137397587634],
    ),
    (
        "leduc",
        "cfr+",
        [4.74722222222, 4.11583333333, 3.58708816476, 3.21931016424, 2.74246474086, 1.22087780318],
    ),
    (
        "leduc",
        "dcfr",
        [4.74722222222, 4.11038888889, 3.63165937128, 3.3095311943, 2.90109376758, 1.55760409399],
    ),
]


@pytest.mark.parametrize(("spec", "name", "numbers"), PUBLISHED, ids=[row[1] for row in PUBLISHED])
def test_published_nash_conv(spec, name, numbers):
    for iterations, number in zip((1, 2, 3, 4, 5, 10), numbers, strict=True):
        assert eq.solve(spec, name, iterations=iterations).nash_conv == pytest.approx(
            number, abs=1e-9
        )


def test_published_exploitability_of_cfr_on_leduc():
    """The last with 1 %: the order of rounding shows from some 800 iterations on."""
    trace = {}
    for iterations in (16, 128, 1024):
        trace[iterations] = eq.solve(
            "leduc(merge_suits=False)", "cfr", iterations=iterations
        ).exploitability
    assert trace[16] == pytest.approx(0.598120, abs=1e-6)
    assert trace[128] == pytest.approx(0.0768810, abs=1e-7)
    assert trace[1024] == pytest.approx(0.01226, rel=0.01)


def test_published_nash_conv_of_predictive_cfr_on_kuhn():
    assert eq.solve("kuhn", "pcfr+", iterations=100).nash_conv == pytest.approx(4.65e-5, rel=0.01)
    assert eq.solve("kuhn", "pcfr+", iterations=300).nash_conv == pytest.approx(1.74e-6, rel=0.01)


@pytest.mark.thinned(4)
@rows
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)", "leduc"])
def test_the_first_iteration_plays_uniformly(spec, name):
    uniform = eq.evaluate(spec, {}, missing="uniform").nash_conv
    assert eq.solve(spec, name, iterations=1).nash_conv == pytest.approx(uniform, abs=1e-12)


@rows
@turn
def test_every_row_solves_kuhn(name, alternating):
    """A bound that each row meets with room to spare; which row is faster is the benchmark's affair."""
    solution = eq.solve("kuhn", f"{name}(alternating={alternating})", iterations=2000)
    assert -1e-12 < solution.nash_conv < 0.05
    assert solution.value[0] == pytest.approx(-1 / 18, abs=0.05)


# --- What theory says ---


def check_regrets_bound_nash_conv(game):
    """With simultaneous updates and a uniform average, nash_conv is the sum of the average external regrets."""
    solver, root = solver_for(game, "cfr", alternating=False), unfold(game)
    for iterations in (1, 6, 43):
        solver.run(iterations)
        regret_sum = tables(solver)["regret_sum"]
        regret = (
            sum(external_regret(root, regret_sum, player=player) for player in range(2))
            / solver.iteration
        )
        average = eq.Strategy.from_form(solver.form, solver.average_strategy())
        assert regret == pytest.approx(nash_conv(root, average, 2), abs=1e-12)
        assert regret == pytest.approx(eq.evaluate(game, average).nash_conv, abs=1e-12)


@pytest.mark.parametrize(
    "spec", ["kuhn", "goofspiel(cards=3)", "liars_dice(faces=3)", "biased_rps", "leduc"]
)
def test_nash_conv_is_the_sum_of_the_average_regrets(spec):
    check_regrets_bound_nash_conv(eq.load(spec))


@pytest.mark.slow
@given(seed=seeds, ties=st.booleans())
def test_nash_conv_is_the_sum_of_the_average_regrets_in_random_games(seed, ties):
    check_regrets_bound_nash_conv(RandomGame(seed, players=2, ties=ties))


@pytest.mark.slow
@turn
@given(seed=seeds, zero_sum=st.booleans())
@example(seed=0, zero_sum=False)
def test_instant_regrets_are_worth_nothing_to_the_strategy(alternating, seed, zero_sum):
    """Σ_a σ(a) r(a) = 0 at every infoset and every iteration; strategies stay on the simplex."""
    solver = solver_for(RandomGame(seed, zero_sum=zero_sum), "cfr", alternating=alternating)
    before = tables(solver)
    for _ in range(10):
        solver.run(1)
        after = tables(solver)
        average = eq.Strategy.from_form(solver.form, solver.average_strategy())
        for key, row in before["strategy"].items():
            instant = {a: after["regret_sum"][key][a] - before["regret_sum"][key][a] for a in row}
            assert abs(sum(row[a] * instant[a] for a in row)) < 1e-12
            for table in (after["strategy"], average):
                assert min(table[key].values()) >= 0
                assert sum(table[key].values()) == pytest.approx(1, abs=1e-12)
        before = after


class Scaled:
    """A game with all payoffs multiplied."""

    def __init__(self, game, factor):
        self.game, self.factor = game, factor

    def __getattr__(self, name):
        return getattr(self.game, name)

    def payoffs(self, state):
        return [self.factor * payoff for payoff in self.game.payoffs(state)]


@pytest.mark.thinned(8)
@rows
@turn
@pytest.mark.parametrize("factor", [4.0, 2.0**-20])
def test_payoffs_times_a_number_leave_the_strategy_as_it_is(name, alternating, factor):
    """By a power of two, which rounds nothing: bit for bit."""
    for game in (
        eq.load("kuhn"),
        eq.load("kuhn(players=3)"),
        RandomGame(7, zero_sum=False),
        RandomGame(8),
    ):
        one = solver_for(game, name, alternating=alternating)
        other = solver_for(Scaled(game, factor), name, alternating=alternating)
        one.run(20)
        other.run(20)
        assert np.array_equal(one.average_strategy(), other.average_strategy())
        assert np.array_equal(one.state.regret_sum * factor, other.state.regret_sum)


@settings(max_examples=10)
@given(seed=seeds, factor=st.floats(0.01, 1000))
def test_payoffs_times_any_number_leave_the_strategy_as_it_is(seed, factor):
    game = RandomGame(seed, ties=False)
    one, other = (eq.solve(game_, "dcfr", iterations=20) for game_ in (game, Scaled(game, factor)))
    np.testing.assert_allclose(one.strategy.probabilities, other.strategy.probabilities, atol=1e-6)
    assert other.nash_conv == pytest.approx(factor * one.nash_conv, rel=1e-6, abs=1e-9 * factor)


@pytest.mark.thinned(4)
@rows
@turn
def test_three_and_four_iterations_are_seven(name, alternating):
    for game in (
        eq.load("kuhn"),
        eq.load("kuhn(players=3)"),
        eq.load("goofspiel"),
        RandomGame(3, zero_sum=False),
    ):
        at_once, in_two = (solver_for(game, name, alternating=alternating) for _ in range(2))
        at_once.run(7)
        in_two.run(3)
        in_two.run(4)
        assert at_once.iteration == in_two.iteration == 7
        for one, other in zip(
            at_once.state_dict().values(), in_two.state_dict().values(), strict=True
        ):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("name", ["dcfr", "hs-dcfr"])
def test_scalars_computed_in_chunks_make_no_difference(name):
    """More iterations than their scalars are computed for at a time."""
    at_once, in_three = (solver_for(eq.load("biased_rps"), name, horizon=10_000) for _ in range(2))
    at_once.run(9000)
    for iterations in (4095, 2, 4903):
        in_three.run(iterations)
    assert np.array_equal(at_once.state.strategy_sum, in_three.state.strategy_sum)
    assert np.all(np.isfinite(at_once.state.regret_sum))


@given(seed=seeds, players=st.integers(2, 3), zero_sum=st.booleans())
def test_nash_conv_is_never_negative(seed, players, zero_sum):
    solution = eq.solve(RandomGame(seed, players=players, zero_sum=zero_sum), "cfr+", iterations=5)
    assert all(point.nash_conv > -1e-12 for point in solution.trace)


@given(seed=seeds)
def test_two_player_zero_sum_games_are_solved(seed):
    solution = eq.solve(RandomGame(seed, players=2), iterations=2000)
    assert solution.exploitability < 0.01


@pytest.mark.slow
def test_random_games_have_what_they_promise():
    """The generator is part of the evidence: it makes merged infosets, ties, impossible outcomes, uneven depths."""
    games = [RandomGame(seed) for seed in range(200)]
    forms = [eq.compile_game(game) for game in games]
    assert {form.players for form in forms} == {2, 3}
    decisions = [[n for n in game._nodes.values() if n[0] >= 0] for game in games]
    assert (
        np.mean(
            [len(found) > len(form.infosets) for found, form in zip(decisions, forms, strict=True)]
        )
        > 0.5
    )
    assert {len(infoset.actions) for form in forms for infoset in form.infosets} == {1, 2, 3}
    impossible = [
        any(n[0] == CHANCE and 0.0 in n[2] for n in game._nodes.values()) for game in games
    ]
    assert np.mean(impossible) > 0.1
    assert all(abs(sum(outcomes) - 1) < 1e-12 for outcomes in CHANCES)
    assert {h for game in games for h in map(len, game._nodes)} == set(range(6))


@rows
@turn
def test_what_is_all_but_impossible_does_no_harm(name, alternating):
    """Regrets so small that 1 / regret is infinite: nothing to learn there, and nothing to spoil elsewhere."""

    def pennies(key):
        pays = {"hh": (3, -1), "ht": (-1, 1), "th": (-2, 1), "tt": (1, -1)}
        replies = {mine: {theirs: end(*pays[mine + theirs]) for theirs in "ht"} for mine in "ht"}
        return (0, key, {mine: (1, key, replies[mine]) for mine in "ht"})

    game = Spelled(
        2, (CHANCE, [1e-310, 1.0], {"never": pennies("never"), "always": pennies("always")})
    )
    alone = eq.solve(
        Spelled(2, pennies("always")), f"{name}(alternating={alternating})", iterations=50
    )
    both = eq.solve(game, f"{name}(alternating={alternating})", iterations=50)
    assert np.all(np.isfinite(both.state["regret_sum"]))
    assert both.strategy[0, "always"] == alone.strategy[0, "always"]
    assert both.strategy[1, "always"] == alone.strategy[1, "always"]
    assert both.nash_conv == pytest.approx(alone.nash_conv, abs=1e-12)
