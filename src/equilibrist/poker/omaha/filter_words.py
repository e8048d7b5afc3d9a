"""What filters may name of hands of four cards: made hands, draws, suits of the hand, and hands as ranges name them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..cards.hand_filter import HandTable, HandWords, Test
from ..cards.hand_ranks import Deck
from .hands import SUITS_OF, rows_of, suit_counts
from .made_hands import DRAWS, MADE_HANDS
from .ranges import hands_of_token

GRAMMAR = (
    "write set, flush draw, wrap, AAxxds, KK+, AsAhKsKd, Ah, hearts, double-suited, weight > 50, "
    "equity > 50, EV > 10 or an action such as B50 > 20, with commas, and, or, not and parentheses"
)
"""How a filter is written, for messages."""
_SHAPES = {"double-suited": "ds", "single-suited": "ss", "rainbow": "r"}


@dataclass(frozen=True, kw_only=True)
class FourCardTable(HandTable):
    """What a filter may ask of hands of four cards.

    Attributes
    ----------
    made, draw : int array, shape (n,)
        What each makes of the board, and what it draws to: indices of
        :data:`~equilibrist.poker.omaha.made_hands.MADE_HANDS` and ``DRAWS``, -1 for no draw.
    """

    made: NDArray[np.int64]
    draw: NDArray[np.int64]

    @property
    def cards(self) -> NDArray[np.int64]:
        return self.hands

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The rows of the hands among all hands, shape (n,)."""
        return rows_of(self.hands)


def _has_made_hand(name: str) -> Test:
    number = list(MADE_HANDS).index(name)
    return lambda table: table.made == number


def _has_draw(name: str) -> Test:
    """Return whether hands have a draw, alone or with another one: a flush draw and a wrap is both."""
    names = [draw for draw in DRAWS if name in (draw, *draw.split(" and "))]
    numbers = [list(DRAWS).index(draw) for draw in names]
    return lambda table: np.isin(table.draw, numbers)


def _has_suits(shape: str) -> Test:
    counts = SUITS_OF[_SHAPES[shape]]
    length = len(counts)
    return lambda table: (suit_counts()[table.rows, :length] == counts).all(axis=1)


def _read_four_cards(name: str, deck: Deck) -> Test:
    """Return whether hands are among those that a text names as ranges of Omaha do."""
    is_named = hands_of_token(name)
    return lambda table: is_named[table.rows]


FOUR_CARDS = HandWords(
    made_hands={name: _has_made_hand(name) for name in MADE_HANDS},
    draws={name: _has_draw(name) for name in DRAWS},
    shapes={name: _has_suits(name) for name in _SHAPES},
    read_hands=_read_four_cards,
    grammar=GRAMMAR,
)
"""The names of hands of four cards."""
