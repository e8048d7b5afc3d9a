"""Opponents: whatever a strategy is made of, play asks the same of it, and never what it is."""

import ast
import inspect

import pytest

import equilibrist as eq
from equilibrist.form.limits import CompileBudget
from equilibrist.form.walk.form import WalkedGame
from equilibrist.play import match, session, variance
from equilibrist.play.opponents import Opponent, make_opponent
from equilibrist.play.playable import compile_playable
from equilibrist.play.session import Session

RIVER = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"


class Forgets:
    """A player who forgets the first move, so that nothing is compiled; a coin is thrown at the end."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        return (0, 0, 1, eq.CHANCE, eq.TERMINAL)[len(state)]

    def actions(self, state):
        return ["a", "b"]

    def probabilities(self, state):
        return [0.5, 0.5]

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        won = 1 if state[2] == state[3] else -1
        return [-won, won]

    def infoset(self, state):
        return "second" if len(state) == 1 else f"{len(state)}"


def opponent_in(game, source, **options):
    playable = compile_playable(game, CompileBudget(), None)
    return make_opponent(source, playable, missing=None, **options), playable


def test_a_game_that_cannot_be_compiled_is_walked():
    """There is always a form: what was asked of None is asked of one that stores nothing."""
    opponent, playable = opponent_in(Forgets(), {"second": {"a": 1, "b": 0}})
    assert isinstance(playable.form, WalkedGame)
    assert "second" in playable.reason
    assert opponent.slots is opponent.action_values is None
    assert opponent.unknown == f"the game is played without being compiled: {playable.reason}"
    assert opponent.probabilities_at((0, "second"), ("a", "b"), "") == pytest.approx([1, 0])
    assert opponent.probabilities_at((1, "2"), ("a", "b"), "") is None


def test_a_game_that_cannot_be_compiled_is_played_and_matched():
    """Whoever chooses heads or tails earns nothing: a mean of 0, whatever the strategies are."""
    strategy = {"second": {"a": 1, "b": 0}}
    played = eq.play_match(Forgets(), strategy, against={}, missing="uniform", hands=400, seed=1)
    assert played.sampled == "rules"
    assert played.overall.exact is None
    assert abs(played.overall.mean) < 4 * played.overall.standard_error
    with pytest.raises(eq.GameError, match="played without being compiled"):
        eq.play_match(Forgets(), strategy, against={}, hands=10, seed=1, variance="aivat")
    table = Session(Forgets(), seed=1)
    assert "uniformly at random" in table.opponent
    hand = table.play(lambda turn: 0)
    assert hand.best_response_value is None
    assert table.grading.unit == 1.0


@pytest.fixture(scope="module")
def opponents():
    """An opponent of each kind: at slots, in a spot, who searches."""
    kuhn = eq.exact("kuhn")
    return {
        "strategy": opponent_in("kuhn", kuhn),
        "spot": opponent_in(RIVER, eq.solve(RIVER, iterations=5)),
        "searcher": opponent_in("kuhn", eq.Searcher(kuhn), whole=False),
    }


@pytest.mark.thinned(3)
@pytest.mark.parametrize("kind", ["strategy", "spot", "searcher"])
def test_every_opponent_answers_the_same(opponents, kind):
    opponent, playable = opponents[kind]
    assert isinstance(opponent, Opponent)
    infoset = playable.form.infosets[0]
    key = (infoset.player, infoset.key)
    mix = opponent.probabilities_at(key, infoset.actions, playable.name)
    assert sum(mix) == pytest.approx(1)
    asked = opponent.mix_at(key, infoset.actions, playable.name)
    assert (asked is None) == opponent.is_searching == (kind == "searcher")
    if kind == "spot":
        assert len(opponent.measure_luck([True, True]).value) == 2
    else:
        assert opponent.measure_luck([True, True]) is None
    assert (opponent.action_values is None) == bool(opponent.unknown) == (kind == "searcher")
    if opponent.action_values is not None:
        assert opponent.action_values.has_boards == (kind == "spot")
        line = opponent.action_values.line_of(*key)
        assert line.often == "as often as a play comes there"


@pytest.mark.parametrize("module", [session, variance, match], ids=lambda module: module.__name__)
def test_nobody_asks_what_an_opponent_is(module):
    """Neither its type, nor that of what it was made of: that is asked where it is made."""
    calls = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"
    ]
    assert [call for call in calls if "Opponent" in call or "Searcher" in call] == []
