"""Card games: private hands are sets of cards, public cards are dealt street by street, betting ignores the cards.

Texas hold'em after the flop, Rhode Island hold'em, Leduc and Kuhn poker are such games. A
:class:`CardGame` says how hands are dealt, which cards are public and how strong hands are; then it
answers the questions of
:class:`equilibrist.Game` about the betting alone, which is the same whatever the cards.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .deal import Deal
from .public import call_offer

Pair = tuple[float, float]
"""A number for player 0 and one for player 1."""


class ShowdownPayoffs(NamedTuple):
    """What both players receive at a showdown; with rake the two do not have the same sum everywhere.

    Attributes
    ----------
    win, tie, lose : pair of float
        Payoffs of player 0 and player 1 where player 0's hand is stronger, as strong, and weaker.
    """

    win: Pair
    tie: Pair
    lose: Pair


class HandPayoffs(NamedTuple):
    """What both players receive at an end by the hands of both, on average over what could follow: nobody shows.

    ``values`` are what player 0 receives, shape (boards of the street, hands of player 0, hands of
    player 1), the boards in the order of their cards; both receive ``total`` together, as at all
    other ends of the game.
    """

    values: Floats
    total: float


class CardGame(Protocol):
    """The rules of a two-player game of cards in which the betting does not depend on the cards.

    There is nothing to inherit. What is optional is used where it exists: ``action_label(state,
    action) -> str`` names an action (default: ``str(action)``), ``str(game)`` names the game, and
    ``pot``, a number above 0, is what lies in the middle at the start: then exploitability is told
    in % of it as well, and ``until="0.5%"`` is understood. ``in_chips``, true where payoffs are
    chips, lets them be told in big blinds and other units. Games of one class with an equal
    ``betting_key``, anything hashable, have the same betting: it is compiled once. ``locks``, a
    sequence of :class:`~.locks.Lock`, fixes strategies; the best responses of a certificate keep to
    them. ``part(line, board, ranges, locks) -> CardGame`` is the game that begins after a line:
    what
    :func:`equilibrist.resolve` solves, for one that can be named, saved and looked at as the whole can.

    Public chance deals every card that nobody holds and that is not public yet with the same
    probability.

    Attributes
    ----------
    deal : Deal
        The private hands as sets of cards, the weight of each, and the size of the deck.
    hands : pair of sequences of str
        Names of the hands of each player, in the order of the deal.
    cards : sequence of str
        Names of the cards of the deck.
    board : tuple of int
        The cards that are public at the start.
    streets : tuple of int
        How many cards each street to come makes public: (1, 1) for hold'em from the flop on, () on
        the river.
    symmetries : int64 array, shape (n, cards)
        Permutations of the deck, the identity among them, that leave the order of strengths as it
        is: of the suits. They are used where board and weights are symmetric, too.
    """

    @property
    def deal(self) -> Deal: ...
    @property
    def hands(self) -> tuple[Sequence[str], Sequence[str]]: ...
    @property
    def cards(self) -> Sequence[str]: ...
    @property
    def board(self) -> tuple[int, ...]: ...
    @property
    def streets(self) -> tuple[int, ...]: ...
    @property
    def symmetries(self) -> NDArray[np.int64]: ...

    def strengths(self, boards: NDArray[np.int64], /) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the strength of each hand of each player on complete boards: greater is stronger.

        Parameters
        ----------
        boards : int64 array, shape (n, public cards)
            Boards with all streets dealt.

        Returns
        -------
        pair of arrays of integers, shape (n, hands)
            What stands where the board blocks a hand does not matter.
        """

    def start(self) -> Hashable:
        """Return the betting state after the hands are dealt. Each line of actions has a state of its own."""

    def player(self, state: Any, /) -> int:
        """Return whose move it is: 0, 1, TERMINAL, or CHANCE where the cards of the next street are dealt."""

    def actions(self, state: Any, /) -> Sequence[Hashable]:
        """Return the legal actions of a player."""

    def next(self, state: Any, action: Any, /) -> Hashable:
        """Return the betting state after ``action``; after the cards of a street, ``next(state, None)``."""

    def payoff(self, state: Any, /) -> Pair | ShowdownPayoffs:
        """Return what both players receive at an end: a pair where nobody shows, else by the hands."""


CARD_GAME_NAMES = tuple(name for name in vars(CardGame) if not name.startswith("_"))
"""The names that an object must have to be a :class:`CardGame`."""


def card_game(game: Any) -> CardGame | None:
    """Return a game as a card game: itself, what it offers by ``card_game()`` (:func:`~.public.offered`), or None."""
    cards: CardGame | None = game if is_card_game(game) else call_offer(game, "card_game")
    return cards


def is_card_game(value: Any) -> TypeGuard[CardGame]:
    """Return whether an object has the names of a :class:`CardGame`."""
    return not isinstance(value, type) and all(hasattr(value, name) for name in CARD_GAME_NAMES)
