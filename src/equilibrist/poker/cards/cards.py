"""The deck of 52 cards: names of cards and hands, the 1,326 hands of two cards, and their 169 classes.

A card is a number, 4 · rank + suit: ranks 2 … A are 0 … 12, suits c, d, h, s are 0 … 3, so 2c is 0
and As is 51. A hand of two cards is a row of :data:`HANDS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ...games.cards import suit_permutations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NUM_CARDS = 52
NUM_HANDS = 1_326

CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Names of the cards, by number."""

HANDS: NDArray[np.int64] = np.array(list(combinations(range(NUM_CARDS), 2)))
"""The cards of each hand, shape (1326, 2), the lower number first: 2c2d, 2c2h, 2c2s, 2c3c … AhAs.

Rows are in lexicographic order, which is that of postflop-solver and wasm-postflop too.
"""

SUIT_PERMUTATIONS: NDArray[np.int64] = suit_permutations(len(RANKS), len(SUITS))
"""What each of the 24 permutations of the suits makes of each card, shape (24, 52); row 0 is the identity."""

CLASSES = tuple(
    RANKS[12 - row] * 2
    if row == column
    else RANKS[12 - min(row, column)]
    + RANKS[12 - max(row, column)]
    + ("s" if row < column else "o")
    for row in range(13)
    for column in range(13)
)
"""Names of the 169 classes of hands, row by row of the usual 13 × 13 grid.

Row and column 0 are aces, 12 are twos. Pairs lie on the diagonal, suited hands above it (AKs in row
0, column 1), offsuit hands below (AKo in row 1, column 0).
"""


_LOW, _HIGH = (12 - HANDS // 4).T  # rows of the grid: aces first
CLASS_OF_HAND: NDArray[np.int64] = np.where(
    HANDS[:, 0] % 4 == HANDS[:, 1] % 4, 13 * _HIGH + _LOW, 13 * _LOW + _HIGH
)
"""The class of each hand, shape (1326,): 13 · row + column of the grid."""


HAND_NAMES: tuple[str, ...] = tuple(CARDS[high] + CARDS[low] for low, high in HANDS.tolist())
"""The name of each row of :data:`HANDS`, the higher card first."""

_HOLDS = (HANDS[:, :, None] == np.arange(NUM_CARDS)).any(axis=1)


def hand_index(card: int, other: int) -> int:
    """Return the row of :data:`HANDS` that holds two different cards, in either order.

    >>> hand_index(51, 50), hand_name(1325)
    (1325, 'AsAh')
    """
    low = min(card, other)
    high = max(card, other)
    return low * (101 - low) // 2 + high - 1


def hand_name(hand: int) -> str:
    """Return the name of a row of :data:`HANDS`, the higher card first: ``AhKd``."""
    return HAND_NAMES[hand]


def cards_text(cards: Iterable[int], names: Sequence[str] = CARDS) -> str:
    """Return the names of cards in the order given: ``QsJh2h``; ``names`` are those of the deck, by number."""
    return "".join(names[card] for card in cards)


def tokens(text: str, pattern: str = r"[^\s,]+") -> Iterator[tuple[str, int]]:
    """Yield each token of a text, and at which character it begins, counted from 1."""
    for match in re.finditer(pattern, text):
        yield match[0], match.start() + 1


# and without what asks for a sign's look
_SIGNS = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss", "\ufe0e\ufe0f")


def plain_suits(text: str) -> str:
    """Return a text with letters for the signs of suits.

    >>> plain_suits("A♠K♥")
    'AsKh'
    """
    if text.isascii():
        return text
    return text.translate(_SIGNS)


def parse_card(text: str, names: Sequence[str] = CARDS) -> int | None:
    """Return the number of a card, or None if the text is none; ``qS``, ``Q♠`` and ``10s`` will do for Qs and Ts."""
    text = plain_suits(text).replace("10", "T", 1)
    name = text[:1].upper() + text[1:].lower()
    if name in names:
        return names.index(name)
    return None


_CARD = r"10[^\s,\[\]]?[\ufe0e\ufe0f]?|[^\s,\[\]\ufe0e\ufe0f]{1,2}[\ufe0e\ufe0f]?"


def parse_cards(
    text: str,
    name: str = "cards",
    *,
    count: Sequence[int] | None = None,
    names: Sequence[str] = CARDS,
) -> tuple[int, ...]:
    """Return the numbers of the cards that a text names, in its order; capitals and brackets make no difference.

    ``name`` names the cards in messages, ``count`` says how many there may be, and ``names`` are
    those of the deck.

    >>> parse_cards("Qs Jh 2h", "board")
    (43, 38, 2)
    """
    if not isinstance(text, str):
        raise GameError(
            f"{name}: write the cards as a text, 'QsJh2h'; got {text!r}.", wrong_use=True
        )
    parsed: list[int] = []
    for token, place in tokens(text, _CARD):
        card = parse_card(token, names)
        if card is None:
            ranks = RANKS[-len(names) // len(SUITS) :]
            of_deck = "" if len(names) == NUM_CARDS else " of this deck"
            raise GameError(
                f"{name}: {token!r} at character {place} of {text!r} is no card{of_deck}; a card "
                f"is one of {ranks} and "
                f"then one of {SUITS}, as in 'QsJh9h', 'Qs Jh 9h' or 'Qs,Jh,9h'.",
                wrong_use=True,
            )
        if card in parsed:
            raise GameError(
                f"{name}: {names[card]} is there twice in {text!r}, at character {place} again; "
                "name each card once.",
                wrong_use=True,
            )
        parsed.append(card)
    if count is not None and len(parsed) not in count:
        numbers = " or ".join(map(str, count))
        raise GameError(
            f"{name} must be {numbers} cards; got {len(parsed)} in {text!r}.", wrong_use=True
        )
    return tuple(parsed)


def parse_hand(text: str, name: str = "hand") -> int:
    """Return the row of :data:`HANDS` that a text such as ``AhKd`` names."""
    return hand_index(*parse_cards(text, name, count=(2,)))


def hand_numbers(names: Iterable[str]) -> NDArray[np.int64]:
    """Return the rows of :data:`HANDS` that names of hands mean."""
    return np.array([_number_of(name) for name in names], np.int64)


_number_of = cache(parse_hand)  # a page asks for the same names again and again


def blocked(cards: Iterable[int]) -> NDArray[np.bool_]:
    """Return which hands hold one of some cards, shape (1326,)."""
    return np.asarray(_HOLDS[:, list(cards)].any(axis=1))
