"""What hands of four cards make of a board, and what they draw to: the rows and columns of the page's grid of Omaha.

Exactly two cards of the hand count, with exactly three of the board. Each hand is one made hand and
has one draw at most, named for both kinds where it has both; on the river there are no draws, and
none to what a hand already beats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..cards.cards import CARDS, SUITS
from ..cards.hand_ranks import CATEGORIES, NUM_RANKS, STRAIGHT, category_of
from .hands import strengths

MADE_HANDS = {
    "straight flush": "five cards in a row of one suit",
    "four of a kind": "four cards of a rank",
    "full house": "three of a rank and two of another",
    "flush": "five cards of one suit, two of them the player's own",
    "straight": "five cards in a row, two of them the player's own",
    "set": "three of a rank, two of them the player's own",
    "trips": "three of a rank, at most one of them the player's own",
    "two pair": "two pairs, with one or two of the board's ranks",
    "overpair": "a pair in the hand above every card of the board",
    "top pair": "a card pairs the highest rank of the board",
    "pair": "any other pair: a lower one, or that of the board",
    "high card": "no pair",
}
"""What the made hands are, the strongest first."""
DRAWS = {
    "gutshot": "one to four of the cards that are left make a straight",
    "open-ended": "five to eight of them do",
    "wrap": "nine or more of them do",
    "flush draw": "two cards of a suit of which the board has two",
    "flush draw and gutshot": "both",
    "flush draw and open-ended": "both",
    "flush draw and wrap": "both",
}
"""What the draws are; a hand has one of them, or none."""

_MADE = tuple(MADE_HANDS)
NO_DRAW = -1
_LEAST_OPEN_ENDED = 5  # cards
_LEAST_WRAP = 9
_RIVER = 5
_SORTED_CARDS = np.sort(np.array(CARDS))
_CARD_OF_SORTED = np.argsort(np.array(CARDS))
_FROM_STRAIGHT = [name for number, name in enumerate(CATEGORIES) if number >= STRAIGHT]
_PAIRS = tuple(combinations(range(4), 2))


def cards_of_names(names: Sequence[str]) -> NDArray[np.int64]:
    """Return the cards of hands by their names, ``AsAhKsKh``: shape (n, 4), the lowest card first."""
    cards = np.array(names, dtype="U8").view("U2").reshape(-1, 4)
    numbers = _CARD_OF_SORTED[np.searchsorted(_SORTED_CARDS, cards)]
    return np.sort(numbers, axis=1)


def made_hands(board: Sequence[int], hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what each hand makes of a board of three to five cards, an index into :data:`MADE_HANDS`; shape (n,)."""
    category = category_of(strengths(np.array([board]), hands)[0])
    category_names = np.array(CATEGORIES)[category]
    on_board = np.bincount(np.array(board) // 4, minlength=NUM_RANKS)
    highest = max(board) // 4
    ranks = hands // 4
    held = _count_ranks(hands)
    has_set = ((held >= 2) & (on_board == 1)).any(axis=1)
    highest_pocket = np.where(held >= 2, np.arange(NUM_RANKS), -1).max(axis=1)
    is_three = category_names == "three of a kind"
    is_pair = category_names == "pair"
    is_made = {name: category_names == name for name in _FROM_STRAIGHT}
    is_made |= {
        "set": is_three & has_set,
        "trips": is_three,
        "two pair": category_names == "two pair",
        "overpair": is_pair & (highest_pocket > highest),
        "top pair": is_pair & (ranks == highest).any(axis=1),
        "pair": is_pair,
        "high card": np.ones(len(hands), bool),
    }
    return np.asarray(np.argmax([is_made[name] for name in _MADE], axis=0))


def draws(
    board: Sequence[int], hands: NDArray[np.int64], made: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the draw of each hand on a board, an index into :data:`DRAWS` or :data:`NO_DRAW`; shape (n,).

    ``made`` is what :func:`made_hands` says of them.
    """
    draw = np.full(len(hands), NO_DRAW)
    if len(board) == _RIVER:
        return draw
    is_below_straight = made > _MADE.index("straight")
    is_below_flush = made > _MADE.index("flush")
    outs = np.where(is_below_straight, straight_outs(board, hands), 0)
    straight_draw = np.select(
        [outs >= _LEAST_WRAP, outs >= _LEAST_OPEN_ENDED, outs > 0], [2, 1, 0], NO_DRAW
    )
    suits_of_board = np.bincount(np.array(board) % 4, minlength=len(SUITS))
    held_suits = (hands[:, :, None] % 4 == np.arange(len(SUITS))).sum(axis=1)
    has_flush_draw = is_below_flush & ((held_suits >= 2) & (suits_of_board == 2)).any(axis=1)
    first_with_flush = list(DRAWS).index("flush draw")
    return np.where(has_flush_draw, first_with_flush + 1 + straight_draw, straight_draw)


def straight_outs(board: Sequence[int], hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many of the cards that neither a hand nor the board holds make a straight with the next card.

    Suits aside, and whether or not the hand has a straight already; shape (n,).
    """
    on_board = np.bincount(np.array(board) // 4, minlength=NUM_RANKS)
    ranks = hands // 4
    cards_left = 4 - on_board - _count_ranks(hands)
    outs = np.zeros(len(hands), np.int64)
    for rank in range(NUM_RANKS):
        board_ranks = frozenset([*np.flatnonzero(on_board).tolist(), rank])
        completes = _pairs_that_complete(board_ranks)
        makes_straight = np.zeros(len(hands), bool)
        for first, second in _PAIRS:
            makes_straight |= completes[ranks[:, first], ranks[:, second]]
        outs += np.where(makes_straight, cards_left[:, rank], 0)
    return outs


@cache
def _pairs_that_complete(board_ranks: frozenset[int]) -> NDArray[np.bool_]:
    """Return for which ranks of two cards these ranks of a board have the other three of a straight; shape (13, 13)."""
    completes = np.zeros((NUM_RANKS, NUM_RANKS), bool)
    for straight in _straights():
        for first, second in combinations(sorted(straight), 2):
            if straight - {first, second} <= board_ranks:
                completes[first, second] = True
                completes[second, first] = True
    return completes


def _straights() -> list[frozenset[int]]:
    """Return the ranks of each straight, from the one with the ace below the two to that from ten to ace."""
    low_ace = frozenset([NUM_RANKS - 1, 0, 1, 2, 3])
    return [
        low_ace,
        *(frozenset(range(lowest, lowest + 5)) for lowest in range(NUM_RANKS - 4)),
    ]


def _count_ranks(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many cards of each rank each hand has, shape (n, 13)."""
    return np.asarray((hands[:, :, None] // 4 == np.arange(NUM_RANKS)).sum(axis=1))
