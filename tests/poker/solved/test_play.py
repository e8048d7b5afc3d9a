"""Playing spots of hold'em: what choices cost, against the same game written out history by history."""

import math

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation.action_values import ActionValues
from equilibrist.games.compile import compile_any
from equilibrist.play.session import Session
from equilibrist.poker.solved.opponent import SpotOpponent

TURN = "holdem(board='AsKs7s2s', oop='QdQc,KdJh:0.5,9s8s', ip='JdJc,AdQh:0.75,TsTc', pot=100, stack=150, bets='50%; a')"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [TURN, TURN.replace("'AsKs7s2s'", "'AsKs7s2s3c'").replace("pot=100", "pot=80")]
)
def test_values_and_mixes_are_those_of_the_game_written_out(text):
    solution = eq.solve(text, iterations=10)
    opponent = SpotOpponent(solution.strategy, solution.strategy.form)
    form = compile_any(eq.load(text), form="sequence", keep_tree=True)
    table = {
        (player, key): dict(
            zip(actions, opponent.probabilities_at((player, key), actions, ""), strict=True)
        )
        for player, key, actions in form.infosets
    }
    written_out = ActionValues(form, eq.Strategy.from_dict(table).at_slots(form))
    expected = written_out.certificate.best_response_value
    assert opponent.certificate.best_response_value == pytest.approx(expected, abs=1e-9)
    known = 0
    for player, key, _ in form.infosets:
        one, other = opponent.at(player, key), written_out.at(player, key)
        assert (one is None) == (other is None)
        if one is not None:
            known += 1
            np.testing.assert_allclose(one, other, atol=1e-9)
    assert known > len(form.infosets) / 2


def test_session_on_a_turn():
    session = Session(TURN, against=eq.solve(TURN, iterations=10), seed=1)
    seen = []

    def choose(turn):
        seen.append(turn)
        return turn.actions.index("C") if "C" in turn.actions else 0

    for _ in range(4):
        hand = session.play(choose)
        assert hand.payoff == pytest.approx(hand.best_response_value - hand.cost + hand.luck)
        assert hand.cost >= 0
        assert sum(hand.payoffs) == pytest.approx(0)  # beyond half the pot each
    first = dict(seen[0].table)
    assert list(first) == ["your hand", "board", "pot", "to call", "stacks"]
    assert seen[0].infoset.startswith(f"{first['your hand']} {first['board']}")
    assert (first["pot"], first["to call"], first["stacks"]) == (
        "100",
        "0",
        "you (OOP) 150, IP 150",
    )
    rivers = [dict(turn.table)["board"] for turn in seen if "|" in turn.infoset]
    assert rivers
    assert all(len(board) == 10 for board in rivers)


def test_the_opponent_of_a_small_spot_is_solved_at_once():
    game = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    session = Session(game, seat=1, seed=2)
    assert "exploitability" in session.opponent
    hand = session.play(lambda turn: 0)
    assert math.isclose(hand.best_response_value, 20 / 3 - 10, abs_tol=0.01)
