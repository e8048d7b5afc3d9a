"""What counts as a game: the methods decide, not the class."""

import pytest

import equilibrist as eq
from equilibrist.game.protocol import is_game
from equilibrist.game.public import is_public_game, public_game
from equilibrist.games import Kuhn


class Forwarding:
    """A game that passes all questions on to another one."""

    def __init__(self, game):
        self._game = game

    def __getattr__(self, name):
        return getattr(self._game, name)


class Doubled(Forwarding):
    """The same game for twice the stakes."""

    def payoffs(self, state):
        return [2 * payoff for payoff in self._game.payoffs(state)]


class DoubledKuhn(Kuhn):
    """Kuhn poker for twice the stakes; its public states are those of Kuhn poker, which must not be taken for it."""

    def payoffs(self, state):
        return [2 * payoff for payoff in super().payoffs(state)]


class OfferingKuhn(DoubledKuhn):
    """The same, and the class that changes the rules offers public states of its own."""

    def public_states(self):
        return None


def test_a_game_that_forwards_by_getattr_is_a_game():
    game = Doubled(eq.load("kuhn"))
    assert is_game(game)
    assert not is_public_game(game)
    assert eq.load(game) is game
    assert eq.check_game(game).histories == 58
    assert eq.exact(game).value[0] == pytest.approx(-2 / 18)


def test_a_public_game_that_forwards_by_getattr_is_a_public_game():
    game = Forwarding(eq.load("kuhn").public_states())
    assert is_public_game(game)
    assert eq.load(game) is game
    assert eq.check_game(game).histories == 58


def test_a_class_is_no_game():
    assert not is_game(Kuhn)
    assert not is_public_game(type(eq.load("kuhn").public_states()))


@pytest.mark.parametrize("game", [Doubled(Kuhn()), DoubledKuhn()], ids=["forwarded", "inherited"])
def test_public_states_of_another_game_are_not_taken(game):
    assert public_game(game) is None
    with pytest.raises(eq.GameError, match="does not say what is public in it"):
        eq.solve(game, form="public", iterations=1)
    with pytest.raises(eq.GameError, match="is not told by its cards"):
        eq.solve(game, form="cards", iterations=1)
    assert eq.solve(game, iterations=1000).value[0] == pytest.approx(-2 / 18, abs=1e-3)


def test_public_states_of_the_game_itself_are_taken():
    assert public_game(Kuhn()).hands == Kuhn().public_states().hands
    assert (
        public_game(
            type("Named", (Kuhn,), {"infoset_name": lambda self, observation: str(observation)})()
        )
        is not None
    )
    assert public_game(OfferingKuhn()) is None
    patched = Kuhn()
    patched.payoffs = lambda state: [0.0, 0.0]
    assert public_game(patched) is None
