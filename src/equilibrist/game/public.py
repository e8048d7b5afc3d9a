"""Games in which everything but the players' private hands is public, told by their public states.

In dice and card games there are few public states and many private hands. A :class:`PublicGame` says what the hands
are and how they are dealt, once; then it answers the questions of :class:`equilibrist.Game` about public states alone:

=================  ==================================================================================================
``hands``          the names of what each of the two players may hold
``prior()``        the probability of each pair of hands: a matrix, 0 where cards exclude each other
``player(s)``      whose move it is: 0, 1, :data:`~equilibrist.CHANCE` or :data:`~equilibrist.TERMINAL`
``actions(s)``     the legal actions, or the outcomes of a chance move that everybody sees
``probabilities``  the probability of each such outcome: a number, or a matrix where it depends on the hands
``next(s, a)``     the public state after an action
``payoff(s)``      what player 0 gets from player 1 at an end: a number, a :class:`Showdown`, or a matrix
=================  ==================================================================================================

Matrices have a row for each hand of player 0 and a column for each of player 1. What has happened before is remembered
for the game: a state need hold only what the future depends on (the pot, the last bid). The less it holds the better,
for equal states are asked about once, however many ways lead to them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .protocol import CHANCE, Game, action_label, game_name


class Showdown(NamedTuple):
    """What player 0 earns where the stronger hand wins.

    Attributes
    ----------
    strengths : pair of array-like of numbers
        The strength of each hand of player 0, and of each hand of player 1.
    win, lose, tie : float
        What player 0 earns with the greater, the lesser and the same strength.
    """

    strengths: tuple[ArrayLike, ArrayLike]
    win: float = 1.0
    lose: float = -1.0
    tie: float = 0.0

    def matrix(self) -> NDArray[np.float64]:
        """Return what player 0 earns with each pair of hands, shape (hands of player 0, hands of player 1)."""
        own, other = (np.asarray(strength, np.float64) for strength in self.strengths)
        sign = np.sign(own[:, None] - other)
        return np.where(sign > 0, self.win, np.where(sign < 0, self.lose, self.tie)).astype(np.float64)


@runtime_checkable
class PublicGame(Protocol):
    """The rules of a two-player zero-sum game in which all but the private hands is public.

    As with :class:`equilibrist.Game` there is nothing to inherit. Three optional methods are used where they exist:
    ``action_label(state, action) -> str`` names an action or outcome (default: ``str(action)``);
    ``infoset(hand, moves) -> str`` names an infoset by the name of the hand and those of all public moves before
    (default: all of them, with spaces between); and ``str(game)`` names the game.

    Attributes
    ----------
    hands : pair of sequences of str
        What each player may hold, by name.

    Examples
    --------
    Both draw a number from 1 to 3, not the same. Player 0 may say "more", for 2 instead of 1, and the higher wins:

    >>> import numpy as np, equilibrist as eq
    >>> class Draw:
    ...     hands = ("123", "123")
    ...     def prior(self): return (1 - np.eye(3)) / 6
    ...     def start(self): return 0
    ...     def player(self, stake): return -2 if stake else 0
    ...     def actions(self, stake): return ["less", "more"]
    ...     def probabilities(self, stake): return []
    ...     def next(self, stake, action): return 1 if action == "less" else 2
    ...     def payoff(self, stake): return eq.Showdown(([1, 2, 3], [1, 2, 3]), win=stake, lose=-stake)
    >>> eq.solve(Draw(), until=1e-6).strategy["3"]["more"] > 0.999
    True
    """

    @property
    def hands(self) -> Sequence[Sequence[str]]:
        """What each of the two players may hold, by name."""

    def prior(self) -> ArrayLike:
        """Return the probability of each pair of hands, shape (hands of player 0, hands of player 1); sums to 1."""

    def start(self) -> Any:
        """Return the public state after the hands are dealt; states are hashable."""

    def player(self, state: Any, /) -> int:
        """Return whose move it is: 0, 1, CHANCE or TERMINAL."""

    def actions(self, state: Any, /) -> Sequence[Hashable]:
        """Return the legal actions, which no hand may decide, or the outcomes of public chance."""

    def probabilities(self, state: Any, /) -> Sequence[ArrayLike]:
        """Return the probability of each outcome: a number, or a matrix with a number for each pair of hands."""

    def next(self, state: Any, action: Any, /) -> Any:
        """Return the public state after ``action``."""

    def payoff(self, state: Any, /) -> Any:
        """Return what player 0 gets from player 1 at an end: a number, a :class:`Showdown`, or a matrix."""


def infoset_name(game: PublicGame, hand: str, moves: tuple[str, ...]) -> str:
    """Return the name of an infoset: the game's own where it has one."""
    name = getattr(game, "infoset", None)
    return " ".join((hand, *moves)) if name is None else str(name(hand, moves))


def payoff_matrix(payoff: Any, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return what player 0 earns with each pair of hands, from whatever :meth:`PublicGame.payoff` returned."""
    earned = payoff.matrix() if isinstance(payoff, Showdown) else np.asarray(payoff, np.float64)
    return np.broadcast_to(earned, shape)


class Unfolded:
    """A public game as an ordinary one: chance deals a hand to player 0, then one to player 1.

    A state is the hands that are dealt, the public state, and the public moves so far, those of chance included.
    """

    players = 2

    def __init__(self, game: PublicGame) -> None:
        self.game = game
        self._hands = [[str(hand) for hand in own] for own in game.hands]
        self._prior = np.asarray(game.prior(), np.float64)
        self._shape = self._prior.shape
        self._share = self._prior.sum(axis=1)  # of each hand of player 0

    def __str__(self) -> str:
        return game_name(self.game)

    def start(self) -> Any:
        """Return the state before the deal."""
        return ((), self.game.start(), ())

    def player(self, state: Any) -> int:
        """Return whose move it is."""
        dealt, here, _ = state
        return CHANCE if len(dealt) < 2 else self.game.player(here)

    def actions(self, state: Any) -> Sequence[Hashable]:
        """Return the hands that can be dealt, or the actions at the public state that are possible with the hands."""
        dealt, here, _ = state
        if len(dealt) < 2:
            return np.flatnonzero(self._odds(dealt)).tolist()
        actions = self.game.actions(here)
        if self.game.player(here) != CHANCE:
            return actions
        return [action for action, share in zip(actions, self._shares(dealt, here), strict=True) if share != 0]

    def probabilities(self, state: Any) -> list[float]:
        """Return the probability of each hand that can be dealt, or of each outcome given the hands."""
        dealt, here, _ = state
        shares = self._odds(dealt).tolist() if len(dealt) < 2 else self._shares(dealt, here)
        return [share for share in shares if share != 0]

    def _odds(self, dealt: tuple[int, ...]) -> NDArray[np.float64]:
        """Return the probability of each hand that may be dealt next."""
        odds: NDArray[np.float64] = self._prior[dealt[0]] / self._share[dealt[0]] if dealt else self._share
        return odds

    def _shares(self, pair: tuple[int, int], here: Any) -> list[float]:
        return [float(np.broadcast_to(share, self._shape)[pair]) for share in self.game.probabilities(here)]

    def next(self, state: Any, action: Any) -> Any:
        """Return the state after a hand is dealt, or after a public move."""
        dealt, here, moves = state
        if len(dealt) < 2:
            return ((*dealt, action), here, moves)
        return (dealt, self.game.next(here, action), (*moves, action_label(self.game, here, action)))

    def payoffs(self, state: Any) -> list[float]:
        """Return what each player earns with the hands that were dealt."""
        pair, here, _ = state
        earned = float(payoff_matrix(self.game.payoff(here), self._shape)[pair])
        return [earned, -earned]

    def infoset(self, state: Any) -> str:
        """Return the mover's hand and the public moves."""
        pair, here, moves = state
        who = self.game.player(here)
        return infoset_name(self.game, self._hands[who][pair[who]], moves)

    def action_label(self, state: Any, action: Any) -> str:
        """Return the name of the hand that is dealt, or of the public move."""
        dealt, here, _ = state
        return self._hands[len(dealt)][action] if len(dealt) < 2 else action_label(self.game, here, action)

    def public(self, state: Any) -> Hashable:
        """Return the public moves where chance makes another; the deal is private."""
        dealt, _, moves = state
        return None if len(dealt) < 2 else moves


def unfold(game: PublicGame) -> Game:
    """Return a public game as an ordinary one, history by history: to compile, sample, explain or write it as such.

    Parameters
    ----------
    game : PublicGame
        The rules. An end pays each pair of hands what it says, a deal of probability 0 is left out.

    Examples
    --------
    >>> import equilibrist as eq
    >>> public = eq.load("kuhn").public_states()
    >>> eq.check_game(eq.unfold(public)).histories
    58
    """
    return Unfolded(game)


def public_game(game: Any) -> PublicGame | None:
    """Return the public states of a game: itself, what it offers by ``public_states()``, or None."""
    if isinstance(game, PublicGame):
        return game
    offer = getattr(game, "public_states", None)
    found: PublicGame | None = None if offer is None else offer()
    return found
