"""How far the play is from a coarse correlated equilibrium: against plain recursion, and against what theory says."""

import importlib.util
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.cfr.algorithms import Algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR
from support.random_games import RandomGame
from support.reference import CFR, best_response, infosets, nash_conv, unfold, values
from support.solvers import GENERAL, arrays, seeds, set_arrays, set_tables, turn, variant

ITERATIONS = 30
SHAPLEY = "matrix(payoffs=[[0,1,0],[0,0,1],[1,0,0]], payoffs2=[[0,0,1],[1,0,0],[0,1,0]])"
COORDINATION = "matrix(payoffs=[[1, 0], [0, 1]], payoffs2=[[1, 0], [0, 1]])"
needs_openspiel = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="needs OpenSpiel"
)


# --- The slow truth ---


def earns(node, plan, strategy, player):
    """Return what a player earns with a plan {infoset: action} of their own while the others follow the strategy."""
    if node.player == player:
        return earns(node.children[plan[node.key]], plan, strategy, player)
    if not node.children:
        return node.payoffs[player]
    mix = strategy.get(node.key, node.probabilities)
    return sum(
        mix[label] * earns(child, plan, strategy, player) for label, child in node.children.items()
    )


def best_against_mixture(root, profiles, weights, player):
    """Return what the best plan of a player earns against the mixture of the others' profiles, by recursion."""
    reached, chosen = {}, {}

    def collect(node, reaches):
        """Note each own history with its counterfactual reach under each profile."""
        if node.player == player:
            reached.setdefault(node.key, []).append((node, reaches))
        for label, child in node.children.items():
            if node.player == player:
                collect(child, reaches)
            else:
                mixes = [profile.get(node.key, node.probabilities) for profile in profiles]
                collect(
                    child, [reach * mix[label] for reach, mix in zip(reaches, mixes, strict=True)]
                )

    def worth(node, reaches):
        """Return payoff × weight × the others' reach, over all profiles, with the best plan from here on."""
        if not node.children:
            return node.payoffs[player] * sum(reaches)
        if node.player == player:
            return worth(node.children[best(node.key)], reaches)
        mixes = [profile.get(node.key, node.probabilities) for profile in profiles]
        return sum(
            worth(child, [reach * mix[label] for reach, mix in zip(reaches, mixes, strict=True)])
            for label, child in node.children.items()
        )

    def best(key):
        if key not in chosen:
            group = reached[key]
            chosen[key] = max(
                group[0][0].children,
                key=lambda a: sum(worth(node.children[a], reaches) for node, reaches in group),
            )
        return chosen[key]

    collect(root, list(weights))
    return worth(root, list(weights)) / sum(weights)


def slow_regrets(root, profiles, weights, players):
    """Return, for each player, best plan against the mixture of profiles less what the profiles earned."""
    earned = [values(root, profile) for profile in profiles]
    return [
        best_against_mixture(root, profiles, weights, player)
        - sum(w * value[player] for w, value in zip(weights, earned, strict=True)) / sum(weights)
        for player in range(players)
    ]


@given(seed=seeds)
def test_the_slow_truth_is_the_best_of_all_plans(seed):
    """Few enough plans to try them all."""
    game = RandomGame(seed, zero_sum=False, depth=3)
    root = unfold(game)
    dice = np.random.default_rng(seed)
    found = {key: list(group[0].children) for key, group in infosets(root).items()}
    profiles = [
        {
            key: dict(zip(labels, dice.dirichlet(np.ones(len(labels))), strict=True))
            for key, labels in found.items()
        }
        for _ in range(3)
    ]
    weights = [1.0, 0.5, 2.0]
    for player in range(game.players):
        own = {key: labels for key, labels in found.items() if key[0] == player}
        worth = [
            sum(
                w * earns(root, plan, profile, player)
                for w, profile in zip(weights, profiles, strict=True)
            )
            for plan in (
                dict(zip(own, choice, strict=True)) for choice in itertools.product(*own.values())
            )
        ]
        assert best_against_mixture(root, profiles, weights, player) == pytest.approx(
            max(worth) / 3.5, abs=1e-12
        )
        assert best_against_mixture(root, profiles[:1], [1.0], player) == pytest.approx(
            best_response(root, profiles[0], player=player)[1], abs=1e-12
        )


def compare(game, row, *, alternating, iterations=ITERATIONS):
    """Run CFR and the reference side by side, the one resumed in the middle, and compare the regrets of the plans.

    The solver's strategies are those that are kept, and the reference starts each iteration from them, so that no tie
    that rounding decides can part the two (see ``compare_step_by_step``).
    """
    form = eq.compile_game(game)
    solver = SequenceCFR(form, variant(row, alternating=alternating), track_play=True)
    reference = CFR(game, row, alternating=alternating)
    profiles = []
    for t in range(1, iterations + 1):
        if t == iterations // 2:
            again = SequenceCFR(form, variant(row, alternating=alternating), track_play=True)
            again.load_state(solver.state_dict())
            solver = again
        set_tables(solver, reference)
        profiles.append({key: dict(mix) for key, mix in reference.strategy.items()})
        solver.run(1)
        reference.iterate()
        if t in (1, 2, 7, iterations):
            weights = [(k / t) ** row.gamma for k in range(1, t + 1)]
            slow = slow_regrets(reference.root, profiles, weights, game.players)
            assert solver.plan_regrets() == pytest.approx(slow, abs=1e-12)
            assert eq.CCE(1).evaluate(solver) == max(solver.plan_regrets())


tried = pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "pcfr+"])


@pytest.mark.thinned(33)
@tried
@turn
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)", GENERAL, SHAPLEY])
def test_distance_equals_the_slow_truth(spec, name, alternating):
    iterations = 12 if spec == "kuhn(players=3)" and name not in ("cfr", "dcfr") else ITERATIONS
    compare(eq.load(spec), eq.ALGORITHMS[name], alternating=alternating, iterations=iterations)


@pytest.mark.thinned(4)
@tried
@turn
@settings(max_examples=6)
@given(seed=seeds, zero_sum=st.booleans(), ties=st.booleans())
def test_distance_equals_the_slow_truth_on_random_games(name, alternating, seed, zero_sum, ties):
    compare(
        RandomGame(seed, zero_sum=zero_sum, ties=ties), eq.ALGORITHMS[name], alternating=alternating
    )


@pytest.mark.thinned(2)
@turn
@settings(max_examples=5)
@given(seed=seeds)
def test_distance_equals_the_slow_truth_with_any_weights(alternating, seed):
    row = Algorithm("mine", "this test", floor=True, gamma=1.5)
    compare(RandomGame(seed, players=3, zero_sum=False), row, alternating=alternating)


# --- What theory says ---


def check_sum_is_nash_conv(game):
    """Uniform weights: the mixture of a player's strategies is their average, and what the two earned sums to 0."""
    for alternating in (False, True):  # the identity holds of any sequence of profiles
        solver = SequenceCFR(
            eq.compile_game(game),
            variant(eq.ALGORITHMS["cfr"], alternating=alternating),
            track_play=True,
        )
        for iterations in (1, 6, 43):
            solver.run(iterations)
            average = eq.Strategy.from_form(solver.form, solver.average_strategy())
            found = sum(solver.plan_regrets())
            assert found == pytest.approx(eq.evaluate(solver.form, average).nash_conv, abs=1e-12)
            assert found == pytest.approx(nash_conv(unfold(game), average, 2), abs=1e-12)


@pytest.mark.parametrize(
    "spec", ["kuhn", "goofspiel(cards=3)", "liars_dice(faces=3)", "biased_rps"]
)
def test_in_two_player_zero_sum_games_the_regrets_sum_to_nash_conv(spec):
    check_sum_is_nash_conv(eq.load(spec))


@pytest.mark.slow
@given(seed=seeds, ties=st.booleans())
def test_in_random_zero_sum_games_the_regrets_sum_to_nash_conv(seed, ties):
    check_sum_is_nash_conv(RandomGame(seed, players=2, ties=ties))


@pytest.mark.parametrize("name", ["cfr+", "dcfr", "pcfr+"])
def test_weighted_regrets_sum_to_nash_conv_too(name):
    """With the weights of the average, whatever they are."""
    solver = SequenceCFR(eq.compile_game(eq.load("leduc")), eq.ALGORITHMS[name], track_play=True)
    solver.run(100)
    average = eq.Strategy.from_form(solver.form, solver.average_strategy())
    assert sum(solver.plan_regrets()) == pytest.approx(
        eq.evaluate("leduc", average).nash_conv, abs=1e-11
    )


@pytest.mark.thinned(40)
@pytest.mark.parametrize("name", eq.ALGORITHMS)
@turn
@pytest.mark.parametrize("spec", ["kuhn(players=3)", GENERAL])
def test_it_goes_to_0(spec, name, alternating):
    solution = eq.solve(spec, f"{name}(alternating={alternating})", iterations=2000)
    assert solution.cce_distance < 0.02
    assert solution.trace[0].cce_distance > 0.1


def test_the_play_may_be_better_than_every_plan():
    """Players who always meet, now here and now there, lose by any plan: the distance is negative, and is left so."""
    solver = SequenceCFR(eq.compile_game(eq.load(COORDINATION)), eq.ALGORITHMS["cfr"])
    for choice in (0, 1):
        new = arrays(solver)
        new["strategy"][solver.form.slot] = [float(choice == a) for a in (0, 1, 0, 1)]
        set_arrays(solver, new, choice)
        solver.run(1)
    assert solver.plan_regrets() == pytest.approx((-0.5, -0.5), abs=1e-12)


# --- Where it is tracked, and how it is reported ---


def test_two_player_zero_sum_games_do_not_track_it():
    for spec in ("kuhn", "biased_rps"):
        solver = SequenceCFR(eq.compile_game(eq.load(spec)), eq.ALGORITHMS["cfr+"])
        assert len(solver.state.deviation_sum) == 0
        assert "deviation_sum" not in solver.tables
        assert not solver.tracks_play
        with pytest.raises(ValueError, match="track_play=True"):
            solver.plan_regrets()


@turn
def test_tracking_changes_nothing_else(alternating):
    for game in (eq.load("kuhn(players=3)"), eq.load("kuhn"), RandomGame(3, zero_sum=False)):
        with_it, without = (
            SequenceCFR(
                eq.compile_game(game),
                variant(eq.ALGORITHMS["dcfr"], alternating=alternating),
                track_play=track,
            )
            for track in (True, False)
        )
        with_it.run(40)
        without.run(40)
        for name, array in without.tables.items():
            assert np.array_equal(array, with_it.tables[name])


def test_the_solution_reports_it(tmp_path):
    for spec, sampling in (
        ("kuhn(players=3)", None),
        (GENERAL, None),
        ("kuhn", None),
        ("kuhn(players=3)", "external"),
    ):
        solution = eq.solve(
            spec, "dcfr" if sampling is None else "cfr", sampling=sampling, iterations=40
        )
        evaluation = eq.evaluate(spec, solution.strategy)
        gains = [
            best - own
            for best, own in zip(evaluation.best_response_value, evaluation.value, strict=True)
        ]
        assert solution.deviation_gains == pytest.approx(gains, abs=1e-12)
        assert math.fsum(solution.deviation_gains) == solution.nash_conv
        assert (not math.isnan(solution.cce_distance)) == (spec != "kuhn" and sampling is None)
        last = solution.trace[-1]
        assert (last.deviation_gains, last.cce_distance) == (
            solution.deviation_gains,
            solution.cce_distance,
        )
        summary = solution.summary()
        assert (summary["deviation_gains"], summary["cce_distance"]) == (
            list(solution.deviation_gains),
            solution.final.measures.get("cce_distance"),
        )
        solution.save(tmp_path)
        loaded = eq.load_solution(tmp_path)
        assert (loaded.deviation_gains, loaded.cce_distance, loaded.trace) == (
            solution.deviation_gains,
            last.cce_distance,
            solution.trace,
        )


@pytest.mark.thinned(12)
@pytest.mark.parametrize("name", ["cfr", "dcfr", "pcfr+"])
@turn
@pytest.mark.parametrize("spec", ["kuhn(players=3)", GENERAL])
def test_resumed_it_is_the_same_to_the_last_bit(spec, name, alternating, tmp_path):
    whole = eq.solve(spec, f"{name}(alternating={alternating})", iterations=57)
    eq.solve(spec, f"{name}(alternating={alternating})", iterations=23, save=tmp_path)
    resumed = eq.solve(resume=tmp_path, iterations=57)
    assert (resumed.cce_distance, resumed.deviation_gains) == (
        whole.cce_distance,
        whole.deviation_gains,
    )
    assert [point.cce_distance for point in resumed.trace] == [
        point.cce_distance for point in whole.trace
    ]
    assert np.array_equal(resumed.state["deviation_sum"], whole.state["deviation_sum"])


# --- Where nash_conv stays and the distance goes ---


@turn
def test_a_game_whose_average_is_no_equilibrium(alternating):
    """Shapley's game with one payoff changed, so that uniform play is no equilibrium to begin with."""
    game = SHAPLEY.replace("[[0,1,0],[0,0,1]", "[[0,1,0.1],[0,0,1]", 1)
    plain = eq.solve(game, f"cfr(alternating={alternating})", iterations=10_000)
    assert 0 < plain.cce_distance < 0.001
    assert plain.nash_conv > 0.25
    floored = eq.solve(game, f"cfr+(alternating={alternating})", iterations=1000)
    assert floored.cce_distance < 0 < floored.nash_conv


@needs_openspiel
@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "iterations", "bound"),
    [
        (
            "openspiel:sheriff(item_penalty=1.0,item_value=5.0,sheriff_penalty=1.0,max_bribe=2,max_items=3,num_rounds=2)",
            5000,
            0.02,
        ),
        ("openspiel:sheriff(max_bribe=3,max_items=3,num_rounds=2)", 5000, 0.05),
        ("openspiel:bargaining(max_turns=2)", 200, 0.002),
    ],
    ids=["sheriff", "another sheriff", "bargaining"],
)
def test_openspiel_games_of_bargaining(spec, iterations, bound):
    solution = eq.solve(spec, "cfr+(alternating=False)", iterations=iterations)
    assert solution.cce_distance < bound < solution.trace[0].cce_distance
    assert eq.solve(spec, "cfr+", iterations=iterations).cce_distance < bound
