"""Strengths of poker hands of five to seven cards, from tables that are built in a tenth of a second.

The strength of a hand is a number from 0 (seven high) to 7461 (royal flush): its place among the
7,462 ranks of five cards, which :func:`rank_of_five` defines, in the order of a :class:`Deck`;
short decks have fewer ranks. Without a flush only the multiset of ranks counts, one of 49,205 for
seven cards; with one, only the set of ranks of that suit, 13 bits. A hand of more than five cards
is as good as its best five: as good as the best hand that one card less leaves.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NUM_RANKS = 13

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""Categories of hands, the weakest first in the full deck."""

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
_OF_COUNTS = {
    (2, 1, 1, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR,
}

Strengths = NDArray[np.int16]


class Deck(NamedTuple):
    """A deck, and which hands beat which in it.

    Attributes
    ----------
    lowest : int
        Rank of its lowest cards: 0 for twos.
    order : tuple of int
        Categories of hands, indices into :data:`CATEGORIES`, the weakest first.
    """

    lowest: int
    order: tuple[int, ...]

    @property
    def first(self) -> int:
        """The number of its lowest card: how many of the 52 it lacks."""
        return 4 * self.lowest

    @property
    def missing(self) -> range:
        """The cards of the 52 that it lacks."""
        return range(self.first)

    @property
    def places(self) -> NDArray[np.int64]:
        """The place of each category in the order, 0 for the weakest."""
        return np.argsort(self.order)


FULL_DECK = Deck(0, tuple(range(9)))
_FLUSHES_BEAT_FULL_HOUSES = (FULL_HOUSE, FLUSH, FOUR, STRAIGHT_FLUSH)
DECKS = {
    "full": FULL_DECK,
    "short": Deck(4, (HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, *_FLUSHES_BEAT_FULL_HOUSES)),
    "short, trips beat straights": Deck(
        4, (HIGH_CARD, PAIR, TWO_PAIR, STRAIGHT, THREE, *_FLUSHES_BEAT_FULL_HOUSES)
    ),
}
"""Decks by name: all 52 cards; 36 cards from the sixes up, as most rooms rank their hands, and as others do."""


def rank_of_five(ranks: Collection[int], suited: bool, lowest: int = 0) -> tuple[int, ...]:
    """Return the rank of five cards of ranks 0 (a two) to 12 (an ace): the category, then what decides within it.

    ``lowest`` is the rank below the one as which an ace counts in the lowest straight: that of the
    lowest cards.

    Two pair, tens and sixes with a king; and the lowest straight, whose ace counts as one:

    >>> rank_of_five([8, 4, 11, 8, 4], suited=False), rank_of_five([0, 1, 2, 3, 12], suited=False)
    ((2, 8, 4, 11), (4, 3))
    """
    ranks = list(ranks)
    counted = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    counts, deciding = (tuple(column) for column in zip(*counted, strict=True))
    if len(deciding) < 5:
        return (_OF_COUNTS[counts], *deciding)
    if deciding == (NUM_RANKS - 1, *range(lowest + 3, lowest - 1, -1)):
        return (STRAIGHT_FLUSH if suited else STRAIGHT, lowest + 3)
    if deciding[0] - deciding[4] == 4:
        return (STRAIGHT_FLUSH if suited else STRAIGHT, deciding[0])
    return (FLUSH if suited else HIGH_CARD, *deciding)


class Tables(NamedTuple):
    """Strengths by what decides them.

    Attributes
    ----------
    ranks : list of tuple of int
        The rank of five cards of each strength, as :func:`rank_of_five` writes it.
    flush : int16 array, shape (8192,)
        Strength of the best flush by the set of ranks of one suit, as bits; -1 for fewer than five.
    plain : dict of int16 arrays
        For 5, 6 and 7 cards, the strength without a flush, by the index of the multiset of ranks.
    with_hand : int16 array, shape (6188, 91)
        Strength of seven cards without a flush, by the index of the ranks of a board of five and
        the ranks of a hand of two.
    """

    ranks: list[tuple[int, ...]]
    flush: Strengths
    plain: dict[int, Strengths]
    with_hand: Strengths


BINOMIAL = np.array(
    [[comb(rank + place, place + 1) for rank in range(NUM_RANKS)] for place in range(7)]
)


def _index(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of multisets of ranks, each a sorted row: Σ_i C(r_i + i, i + 1), a combinatorial number."""
    index = np.zeros(len(ranks), np.int64)
    for place, rank in enumerate(ranks.T):
        index += BINOMIAL[place][rank]
    return index


def _rank_multisets(cards: int, lowest: int) -> NDArray[np.int64]:
    """Return the multisets of ranks that hands without a flush may have, none more than four times."""
    flat = np.fromiter(
        chain.from_iterable(combinations_with_replacement(range(lowest, NUM_RANKS), cards)),
        np.int64,
    )
    ranks = flat.reshape(-1, cards)
    if cards < 5:
        return ranks
    at_most_four: NDArray[np.bool_] = (ranks[:, : cards - 4] != ranks[:, 4:]).all(axis=1)
    return np.compress(at_most_four, ranks, axis=0)


@cache
def tables(deck: Deck = FULL_DECK) -> Tables:
    """Return the tables of strengths of a deck, built at the first call; -1 for hands of other cards."""
    lowest = deck.lowest
    places = deck.places.tolist()
    five = _rank_multisets(5, lowest).tolist()
    suited = list(combinations(range(lowest, NUM_RANKS), 5))
    rank_of = [
        [rank_of_five(ranks, flush, lowest) for ranks in hands]
        for hands, flush in ((five, False), (suited, True))
    ]
    ranks = sorted({*rank_of[0], *rank_of[1]}, key=lambda rank: (places[rank[0]], rank))
    strength = {rank: number for number, rank in enumerate(ranks)}

    flush = np.full(1 << NUM_RANKS, -1, np.int16)
    flush[[sum(1 << rank for rank in ranks) for ranks in suited]] = [
        strength[rank] for rank in rank_of[1]
    ]
    # After the last bit, each set has the maximum of all its subsets.
    for bit in 1 << np.arange(NUM_RANKS):
        supersets = np.flatnonzero(np.arange(len(flush)) & bit)
        flush[supersets] = np.maximum(flush[supersets], flush[supersets - bit])

    plain = {
        cards: np.full(comb(NUM_RANKS + cards - 1, cards), -1, np.int16) for cards in (5, 6, 7)
    }
    plain[5][_index(np.array(five))] = [strength[rank] for rank in rank_of[0]]
    for cards in (6, 7):
        multisets = _rank_multisets(cards, lowest)
        without = [
            plain[cards - 1][_index(np.delete(multisets, place, axis=1))] for place in range(cards)
        ]
        plain[cards][_index(multisets)] = np.max(without, axis=0)
    return Tables(ranks, flush, plain, _hands_with_board(plain[7]))


def _hands_with_board(seven: Strengths) -> Strengths:
    boards, hands = (
        np.array(list(combinations_with_replacement(range(NUM_RANKS), cards))) for cards in (5, 2)
    )
    result = np.empty((len(boards), len(hands)), np.int16)
    rows = _index(boards)
    for column, hand in zip(_index(hands), hands, strict=True):
        cards = np.hstack([boards, np.broadcast_to(hand, (len(boards), 2))])
        result[rows, column] = seven[_index(np.sort(cards, axis=1))]
    return result


_SUIT_BITS = 16
"""Bits of a word that are one suit's; the first of them are its ranks."""
_BIT = np.array([1 << (_SUIT_BITS * (card % 4) + card // 4) for card in range(4 * NUM_RANKS)])
"""The bit of each card, shape (52,)."""


def _card_bits(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cards of each row as the bits of a word, shape (n,): one look at each card, whatever is asked then."""
    bits = np.zeros(len(cards), np.int64)
    for column in cards.T:
        bits |= _BIT[column]
    return bits


def _suit_bits(card_bits: NDArray[np.int64], suit: int) -> NDArray[np.int64]:
    """Return the ranks of the cards of one suit, as bits."""
    return (card_bits >> (_SUIT_BITS * suit)) & ((1 << NUM_RANKS) - 1)


def strengths(
    boards: NDArray[np.int64], hands: NDArray[np.int64], deck: Deck = FULL_DECK
) -> Strengths:
    """Return the strength, 0 to 7461, of each hand of two cards on each board of five, shape (n, h); anything if they
    collide.

    ``boards`` are cards of shape (n, 5), ``hands`` of shape (h, 2). Ranks of the board choose a row
    of a table, ranks of the hand a column. Flushes are looked for on boards with three cards of a
    suit. All 1,176 run-outs of a flop take some 5 ms.
    """
    lookup = tables(deck)
    rows = _index(np.sort(boards // 4, axis=1))
    columns = _index(np.sort(hands // 4, axis=1))
    result = lookup.with_hand[rows][:, columns]
    flush_possible = (boards[:, :, None] % 4 == np.arange(4)).sum(axis=1) >= 3
    bits_of_boards = _card_bits(boards)
    bits_of_hands = _card_bits(hands)
    for suit in np.flatnonzero(flush_possible.any(axis=0)).tolist():
        flushes = np.flatnonzero(flush_possible[:, suit])
        of_boards = _suit_bits(bits_of_boards[flushes], suit)
        cards = of_boards[:, None] | _suit_bits(bits_of_hands, suit)
        result[flushes] = np.maximum(result[flushes], lookup.flush[cards])
    return result


def strength_of(
    cards: NDArray[np.int64], deck: Deck = FULL_DECK, *, suited: bool = True
) -> Strengths:
    """Return the strength, 0 to 7461, of each hand of five, six or seven cards, shape (n, 5), (n, 6) or (n, 7).

    Without ``suited``, as if no flush counted.
    """
    lookup = tables(deck)
    result = lookup.plain[cards.shape[1]][_index(np.sort(cards // 4, axis=1))]
    if suited:
        card_bits = _card_bits(cards)
        for suit in range(4):
            np.maximum(result, lookup.flush[_suit_bits(card_bits, suit)], out=result)
    return result


def category_of(strength: Strengths, deck: Deck = FULL_DECK) -> NDArray[np.int64]:
    """Return the category of hands of some strengths, an index into :data:`CATEGORIES`."""
    return np.asarray(_categories(deck)[strength])


@cache
def _categories(deck: Deck) -> NDArray[np.int64]:
    return np.array([rank[0] for rank in tables(deck).ranks])
