"""Strategies as policies of OpenSpiel, judged by OpenSpiel's own exploitability; and back."""

import numpy as np
import pytest

import equilibrist as eq

pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(dice_sides=3)",
    "goofspiel(imp_info=True,num_cards=3)",
    "matrix_pd",
]


def turn_based(name):
    rules = pyspiel.load_game(name)
    simultaneous = rules.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(rules) if simultaneous else rules


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", GAMES)
def test_openspiel_finds_a_solution_as_good_as_we_do(name):
    from open_spiel.python.algorithms import exploitability

    solution = eq.solve(f"openspiel:{name}", "cfr+", iterations=30)
    policy = solution.strategy.to_openspiel(f"openspiel:{name}")
    assert exploitability.nash_conv(turn_based(name), policy) == pytest.approx(
        solution.nash_conv, abs=1e-10
    )


@pytest.mark.thinned(6)
@pytest.mark.parametrize("name", GAMES)
def test_there_and_back(name):
    strategy = eq.solve(f"openspiel:{name}", "cfr+", iterations=30).strategy
    again = eq.Strategy.from_openspiel(strategy.to_openspiel(name))
    assert {key: again[key] for key in again} == {key: strategy[key] for key in strategy}


def test_a_policy_of_theirs_is_judged_here():
    from open_spiel.python.algorithms import cfr, exploitability

    game = pyspiel.load_game("kuhn_poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    theirs = solver.average_policy()
    judged = eq.evaluate("openspiel:kuhn_poker", eq.Strategy.from_openspiel(theirs))
    assert judged.nash_conv == pytest.approx(exploitability.nash_conv(game, theirs), abs=1e-12)
    assert judged.nash_conv > 0


def test_infosets_that_are_lacking_are_refused_or_played_uniformly():
    strategy = eq.Strategy.from_dict({(0, "0"): {"Pass": 1.0}})
    with pytest.raises(
        eq.SolutionError,
        match="lacks 11 of the 12 infosets of openspiel:kuhn_poker, such as player",
    ):
        strategy.to_openspiel("kuhn_poker")
    policy = strategy.to_openspiel("kuhn_poker", missing="uniform")
    assert np.sort(policy.action_probability_array, axis=None)[[0, -1]].tolist() == [0, 1]
    assert policy.policy_for_key("0").tolist() == [1, 0]
    assert policy.policy_for_key("1").tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("misuse", "message"),
    [
        (
            lambda: eq.Strategy.from_dict({"0": {"Fold": 1.0}}).to_openspiel("kuhn_poker"),
            "names 'Fold'",
        ),
        (
            lambda: eq.Strategy.from_dict({}).to_openspiel("kuhn_poker", missing="evenly"),
            "missing must be None or 'uniform'",
        ),
        (
            lambda: eq.Strategy.from_openspiel({"0": 1}),
            "A TabularPolicy of open_spiel.python.policy is needed; got dict",
        ),
        (
            lambda: eq.Strategy.from_openspiel(simultaneous_policy()),
            "players move at the same time",
        ),
    ],
)
def test_misuse(misuse, message):
    with pytest.raises(eq.SolutionError, match=message):
        misuse()


def simultaneous_policy():
    from open_spiel.python.policy import TabularPolicy

    return TabularPolicy(pyspiel.load_game("matrix_pd"))


def test_a_game_that_openspiel_does_not_have():
    with pytest.raises(eq.GameError, match="OpenSpiel has no game 'kuhn'"):
        eq.Strategy.from_dict({}).to_openspiel("kuhn")
