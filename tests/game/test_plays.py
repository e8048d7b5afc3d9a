"""Rules that change a state in place, or draw at random, are found before a game is compiled."""

import random

import pytest

import equilibrist as eq
from equilibrist.game.plays import check_repeatable, random_play


class Pays:
    """Each of two players puts in 1 or 3, and player 0 gets what player 1 has put in, all of it in one list."""

    players = 2

    def start(self):
        return 0, [0, 0]

    def player(self, state):
        return state[0] if state[0] < 2 else eq.TERMINAL

    def actions(self, state):
        return [1, 3]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        moves, paid = state
        paid = paid.copy()
        paid[moves] = action
        return moves + 1, paid

    def payoffs(self, state):
        return state[1][1], -state[1][1]

    def infoset(self, state):
        return str(state[0])


class InPlace(Pays):
    """The same, but for the copy: solved, it would pay (1, -1) instead of (3, -3) to who never puts in less."""

    def next(self, state, action):
        moves, paid = state
        paid[moves] = action
        return moves + 1, paid


class Kept(InPlace):
    """The same list from one play to the next."""

    def __init__(self):
        self.paid = [0, 0]

    def start(self):
        return 0, self.paid


class State:
    """A state that is an object, and hashable."""

    def __init__(self, moves, paid):
        self.moves, self.paid = moves, paid


class OnObjects(Pays):
    def start(self):
        return State(0, [0, 0])

    def player(self, state):
        return state.moves if state.moves < 2 else eq.TERMINAL

    def next(self, state, action):
        state.paid[state.moves] = action
        return State(state.moves + 1, state.paid)

    def payoffs(self, state):
        return state.paid[1], -state.paid[1]

    def infoset(self, state):
        return str(state.moves)


class AtRandom(Pays):
    def payoffs(self, state):
        amount = random.random()
        return amount, -amount


class InPublic:
    """The same game with a hand that does not matter, by public states that share what is in them."""

    hands = ("x", "x")

    def __init__(self, copies):
        self.copies = copies

    def prior(self):
        return [[1.0]]

    def start(self):
        return State(0, [0, 0])

    def player(self, state):
        return state.moves if state.moves < 2 else eq.TERMINAL

    def actions(self, state):
        return [1, 3]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        paid = state.paid.copy() if self.copies else state.paid
        paid[state.moves] = action
        return State(state.moves + 1, paid)

    def payoff(self, state):
        return state.paid[1]


@pytest.mark.parametrize(
    "game", [InPlace(), Kept(), OnObjects(), AtRandom(), InPublic(copies=False)]
)
@pytest.mark.parametrize(
    "ask", [eq.check_game, eq.compile_game, eq.exact, lambda game: eq.solve(game, iterations=1)]
)
def test_states_that_change_in_place_are_refused(game, ask):
    with pytest.raises(
        eq.GameError, match=r"next\(\) must return a new state and leave the one .* payoffs \("
    ) as caught:
        ask(game)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", [Pays(), InPublic(copies=True)])
def test_states_that_are_copied_are_not(game):
    assert eq.exact(game).value == pytest.approx((1, -1))


def test_what_the_rules_raise_is_left_to_the_walk():
    class Fails(Pays):
        def payoffs(self, state):
            raise ValueError("oops")

    check_repeatable(Fails())
    with pytest.raises(eq.GameError, match=r"the rules failed after .* with ValueError: oops"):
        eq.check_game(Fails())


def test_plays_are_cut():
    class Endless(Pays):
        def player(self, state):
            return 0

        def next(self, state, action):
            return state[0] + 1, []

    assert len(random_play(Endless(), random.Random(0), max_moves=7)) == 7
    check_repeatable(Endless())
    with pytest.raises(eq.GameError, match="does not end within 1000 moves"):
        eq.check_game(Endless())


@pytest.mark.parametrize("name", sorted(set(eq.GAMES) - {"matrix"}))
def test_built_in_games_leave_states_as_they_are(name):
    check_repeatable(eq.load(name))
