"""The 270,725 hands of four cards: their names, what they are made of, and how strong they are in Omaha.

Cards are numbered as in hold'em (:mod:`equilibrist.poker.cards.cards`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from ..cards.cards import CARDS, HANDS, NUM_CARDS, RANKS
from ..cards.hand_ranks import Strengths, strength_of

NUM_HANDS = 270_725
SUITS_OF = {"ds": (2, 2), "ss": (2, 1, 1), "r": (1, 1, 1, 1)}
"""How many cards there are of each suit of hands that are double-suited, single-suited, or of four suits."""
_DIGITS = NUM_CARDS ** np.arange(4)[::-1]
_BOARDS_AT_ONCE = 8  # whose combinations with pairs take 4 MB each


@cache
def all_hands() -> NDArray[np.int64]:
    """Return the cards of each hand, shape (270725, 4), in lexicographic order, the lowest card first."""
    hands = np.fromiter(chain.from_iterable(combinations(range(NUM_CARDS), 4)), np.int64).reshape(
        -1, 4
    )
    hands.setflags(write=False)
    return hands


def rows_of(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of :func:`all_hands` that hold some cards, given as rows of shape (n, 4), the lowest first."""
    return np.asarray(np.searchsorted(_hand_keys(), hands @ _DIGITS))


@cache
def _hand_keys() -> NDArray[np.int64]:
    return np.asarray(all_hands() @ _DIGITS)


def hand_names(hands: NDArray[np.int64]) -> list[str]:
    """Return the names of hands, the highest card first: ``AsAhKsKh``."""
    names = np.array(CARDS, dtype=object)[hands[:, ::-1]]
    return [a + b + c + d for a, b, c, d in names.tolist()]


@cache
def rank_counts() -> NDArray[np.uint8]:
    """Return how many cards of each rank each hand has, shape (270725, 13)."""
    return np.asarray((all_hands()[:, :, None] // 4 == np.arange(13)).sum(axis=1, dtype=np.uint8))


@cache
def suit_counts() -> NDArray[np.uint8]:
    """Return how many cards each hand has of its most frequent suit, of the next one, and so on: shape (270725, 4)."""
    counts = (all_hands()[:, :, None] % 4 == np.arange(4)).sum(axis=1, dtype=np.uint8)
    return np.asarray(-np.sort(-counts.astype(np.int8), axis=1), np.uint8)


def strengths(boards: NDArray[np.int64], hands: NDArray[np.int64]) -> Strengths:
    """Return the strength, 0 to 7461, of each hand of four cards on each board of three to five, shape (n, h).

    It is that of the best five of exactly two cards of the hand and three of the board; anything if
    they collide. The best of the sets of three is found once for each of the 1,326 pairs of cards;
    a hand is as good as the best of its six pairs.
    """
    pair_of = np.zeros((NUM_CARDS, NUM_CARDS), np.int64)
    pair_of[HANDS[:, 0], HANDS[:, 1]] = np.arange(len(HANDS))
    pairs = [pair_of[hands[:, i], hands[:, j]] for i, j in combinations(range(4), 2)]
    result = np.empty((len(boards), len(hands)), np.int16)
    for first in range(0, len(boards), _BOARDS_AT_ONCE):
        part = boards[first : first + _BOARDS_AT_ONCE]
        pair_strengths = _pair_strengths(part)
        strongest = pair_strengths[:, pairs[0]]
        for pair in pairs[1:]:
            np.maximum(strongest, pair_strengths[:, pair], out=strongest)
        result[first : first + len(part)] = strongest
    return result


def class_of(hand: Sequence[int]) -> str:
    """Return the ranks of a hand, and how its suits go together, as ranges are written.

    >>> class_of([51, 47, 43, 38]), class_of([51, 50, 49, 48])
    ('AKQJ', 'AAAAr')
    >>> class_of([51, 47, 42, 38])
    'AKQJds'
    """
    ranks = "".join(RANKS[card // 4] for card in sorted(hand, reverse=True))
    counts = sorted(Counter(card % 4 for card in hand).values(), reverse=True)
    return ranks + next((name for name, of_suits in SUITS_OF.items() if [*of_suits] == counts), "")


def _pair_strengths(boards: NDArray[np.int64]) -> Strengths:
    """Return the strength of the best five cards of each pair and three of each board, shape (n, 1326); -1 where they
    collide.
    """
    pair_strengths = np.full((len(boards), len(HANDS)), -1, np.int16)
    for number, board in enumerate(boards):
        free = np.flatnonzero(~np.isin(HANDS, board).any(axis=1))
        threes = board[np.array([*combinations(range(len(board)), 3)])]
        five = np.hstack(
            [np.tile(HANDS[free], (len(threes), 1)), np.repeat(threes, len(free), axis=0)]
        )
        pair_strengths[number, free] = strength_of(five).reshape(len(threes), -1).max(axis=0)
    return pair_strengths
