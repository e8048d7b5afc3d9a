"""Bots of OpenSpiel: what they are worth by OpenSpiel's own evaluation is what we say."""

import sys

import numpy as np
import pytest

import equilibrist as eq

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_values_by_openspiel_are_ours(name):
    from open_spiel.python.algorithms import expected_game_score, exploitability

    one, other = (eq.solve(f"openspiel:{name}", "cfr+", iterations=count) for count in (2, 20))
    bots, start = (
        [eq.OpenSpielBot(one), eq.OpenSpielBot(other)],
        pyspiel.load_game(name).new_initial_state(),
    )
    match = eq.play_match(f"openspiel:{name}", one, against=other, hands=2)
    for seat in (0, 1):
        theirs = expected_game_score.policy_value(start, bots if seat == 0 else bots[::-1])
        assert theirs[seat] == pytest.approx(match.seats[seat].exact, abs=1e-10)
    assert exploitability.nash_conv(pyspiel.load_game(name), bots[0]) == pytest.approx(
        one.nash_conv, abs=1e-10
    )


def test_plays_by_openspiel():
    solution = eq.solve("openspiel:kuhn_poker", "cfr+", iterations=20)
    bot, game = eq.OpenSpielBot(solution, seed=3), pyspiel.load_game("kuhn_poker")
    results = np.array(
        [
            pyspiel.evaluate_bots(game.new_initial_state(), [bot, bot], seed)[0]
            for seed in range(2_000)
        ]
    )
    assert abs(results.mean() - solution.value[0]) < 4 * results.std() / len(results) ** 0.5
    state = game.new_initial_state().child(0).child(1)
    policy, action = bot.step_with_policy(state)
    assert bot.provides_policy()
    assert dict(policy) == bot.action_probabilities(state)
    assert action in dict(policy)
    steps = [bot.step(state) for _ in range(2_000)]
    assert (
        abs(np.mean(steps) - dict(policy)[1])
        < 4 * (dict(policy)[1] * dict(policy)[0] / 2_000) ** 0.5 + 1e-12
    )
    one, other = (eq.OpenSpielBot(solution, seed=3) for _ in range(2))
    assert [one.step(state) for _ in range(20)] == [other.step(state) for _ in range(20)]


def test_what_a_strategy_may_come_from(tmp_path):
    run = eq.solve(
        "openspiel:kuhn_poker",
        "cfr",
        sampling="external(tree=False)",
        iterations=1,
        seed=1,
        save=tmp_path / "r",
    )
    state = pyspiel.load_game("kuhn_poker").new_initial_state().child(0).child(1)
    odds = eq.OpenSpielBot(run).action_probabilities(state)
    assert sum(odds.values()) == pytest.approx(1)
    assert eq.OpenSpielBot(tmp_path / "r").action_probabilities(state) == odds
    assert eq.OpenSpielBot({}, missing="uniform").action_probabilities(state) == {0: 0.5, 1: 0.5}
    game = pyspiel.convert_to_turn_based(pyspiel.load_game("matrix_pd"))
    turns = eq.OpenSpielBot(eq.solve("openspiel:matrix_pd", iterations=3))
    assert len(turns.action_probabilities(game.new_initial_state())) == 2


def test_refused(monkeypatch):
    state = pyspiel.load_game("kuhn_poker").new_initial_state()
    with pytest.raises(eq.SolutionError, match="got a state where -1 does"):
        eq.OpenSpielBot({}).step(state)
    with pytest.raises(
        eq.SolutionError, match=r"lacks player 0 '0' of openspiel:kuhn_poker.*missing='uniform'"
    ):
        eq.OpenSpielBot({}).step(state.child(0).child(1))
    with pytest.raises(
        eq.SolutionError, match=r"players move at the same time: play pyspiel.convert_to_turn_based"
    ):
        eq.OpenSpielBot({}).step(pyspiel.load_game("matrix_pd").new_initial_state())
    with pytest.raises(eq.AlgorithmError, match=r"seed must be a whole number.*got 'x'"):
        eq.OpenSpielBot({}, seed="x")
    with pytest.raises(eq.SolutionError, match="missing must be None or 'uniform'"):
        eq.OpenSpielBot({}, missing="evenly")
    monkeypatch.setattr(sys.modules["equilibrist.play.openspiel_bot"], "Bot", object)
    with pytest.raises(eq.GameError, match="needs OpenSpiel, which cannot be imported here"):
        eq.OpenSpielBot({})
