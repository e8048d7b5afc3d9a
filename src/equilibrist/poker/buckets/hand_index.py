"""Hands numbered up to suits: two hands have the same number if a permutation of the suits makes one of the other.

Cards are dealt in rounds. Of each suit a hand has a set of ranks in each round. How many ranks these
are is the *configuration* of the suit, and which ranks they are is a number below the size of the
configuration. Up to suits, a hand is a multiset of four pairs (configuration, number). So hands are
counted and numbered by the four configurations, and within them by multisets of numbers, which
combinatorial numbers count.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._jit.compile import compiled, inlined, record
from ..._util.arrays import Ints
from ...errors import GameError
from ..cards.cards import RANKS, SUITS

NUM_SUITS = len(SUITS)
MOST_RANKS = len(RANKS)
_NO_HAND = -1
"""Where four configurations are not those of a hand."""


@record
class IndexTables(NamedTuple):
    """What kernels read to number hands; arrays of int64.

    Attributes
    ----------
    ends : int array, shape (rounds + 1,)
        Where the cards of each round begin in a hand, and at the end the number of all.
    configuration : int array, shape (configurations, rounds)
        How many cards of a suit are dealt in each round.
    size : int array, shape (configurations,)
        In how many ways they can be: which ranks, round by round.
    first : int array, shape (multisets of four configurations,)
        The number of the first hand with these configurations, or -1.
    classes : int array, shape (classes, 4)
        The configurations of hands, the greatest first; in the order of the numbers of hands.
    first_of_class : int array, shape (classes + 1,)
        The number of the first hand of each class, and at the end the number of all.
    binomial : int array, shape (14, 14)
        C(n, k).
    """

    ends: Ints
    configuration: Ints
    size: Ints
    first: Ints
    classes: Ints
    first_of_class: Ints
    binomial: Ints


class HandIndexer:
    """Numbers hands up to suits, from 0 on, without gaps; and tells a hand of each number.

    Parameters
    ----------
    rounds : sequence of int
        How many cards each round deals. In a round the order of the cards does not matter; the
        rounds are told apart. So ``(2, 3)`` are private cards and a flop, ``(2, 3, 1)`` are followed
        by a turn, and of ``(2, 4)`` nobody remembers which of the four was the turn.
    ranks : int
        The number of ranks in the deck, 13 or fewer: the highest ones. There are four suits.

    Attributes
    ----------
    rounds : tuple of int
        As given.
    ranks : int
        As given.

    Raises
    ------
    GameError
        The rounds are no numbers of cards, or the deck has fewer cards.

    Notes
    -----
    In hold'em there are 169 hands before the flop and 1,286,792 on it. With the rounds remembered
    there are 55,190,538 on the turn and 2,428,287,420 on the river; where the board is a set of
    cards, 13,960,050 and 123,156,254. Each of these numbers is :attr:`size`, which follows from the
    tables by which hands are numbered.

    References
    ----------
    Waugh 2013, "A fast and optimal hand isomorphism algorithm".

    Examples
    --------
    Ace-king suited, in spades and in clubs:

    >>> import equilibrist as eq
    >>> flop = eq.poker.HandIndexer((2, 3))
    >>> flop.size
    1286792
    >>> spades = eq.poker.HandIndexer((2,)).index([[51, 47], [48, 44]])
    >>> bool(spades[0] == spades[1])
    True
    """

    def __init__(self, rounds: Sequence[int], *, ranks: int = MOST_RANKS) -> None:
        counts = tuple(rounds)
        cards = NUM_SUITS * ranks
        if not counts or min(counts) < 1 or sum(counts) > cards or not 1 <= ranks <= MOST_RANKS:
            raise GameError(
                "HandIndexer: rounds are how many cards each of them deals, 1 or more, of a deck "
                f"with up to {MOST_RANKS} ranks; got rounds={rounds!r} and ranks={ranks!r}.",
                wrong_use=True,
            )
        self.rounds = counts
        self.ranks = ranks

    def __repr__(self) -> str:
        return f"<HandIndexer {self.rounds}: {self.size:,} hands>"

    @property
    def size(self) -> int:
        """How many hands there are."""
        return int(self._tables.first_of_class[-1])

    @property
    def num_cards(self) -> int:
        """How many cards a hand has, those of all rounds."""
        return sum(self.rounds)

    @cached_property
    def _tables(self) -> IndexTables:
        return _make_tables(self.rounds, self.ranks)

    def index(self, hands: ArrayLike) -> Ints:
        """Return the number of each hand up to suits, shape (n,).

        Parameters
        ----------
        hands : array-like of int, shape (n, cards)
            The cards of each hand, those of the first round first; 4 · rank + suit. No card is
            looked at twice: hands whose cards are not different get any number.

        Raises
        ------
        GameError
            A row has another number of cards, or a number is that of no card.
        """
        cards = np.ascontiguousarray(hands, np.int64)
        if cards.ndim != 2 or cards.shape[1] != self.num_cards:
            raise GameError(
                f"HandIndexer: a hand of the rounds {self.rounds} is a row of {self.num_cards} "
                f"cards; got an array of shape {cards.shape}.",
                wrong_use=True,
            )
        last = NUM_SUITS * self.ranks - 1
        if cards.size and (cards.min() < 0 or cards.max() > last):
            raise GameError(
                f"HandIndexer: cards are numbers from 0 to {last}; got some from {cards.min()} to "
                f"{cards.max()}.",
                wrong_use=True,
            )
        numbers = np.empty(len(cards), np.int64)
        fill_numbers(self._tables, self.ranks, cards, numbers)
        return numbers

    def hands(self, numbers: ArrayLike) -> Ints:
        """Return a hand of each number, shape (n, cards): always the same of those that differ by suits.

        Raises
        ------
        GameError
            There is no hand of a number.
        """
        wanted = np.ascontiguousarray(numbers, np.int64).ravel()
        if wanted.size and (wanted.min() < 0 or wanted.max() >= self.size):
            raise GameError(
                f"HandIndexer: hands of the rounds {self.rounds} have numbers from 0 to "
                f"{self.size - 1}; got some from {wanted.min()} to {wanted.max()}.",
                wrong_use=True,
            )
        cards = np.empty((len(wanted), self.num_cards), np.int64)
        fill_hands(self._tables, self.ranks, wanted, cards)
        return cards


def _make_tables(rounds: tuple[int, ...], ranks: int) -> IndexTables:
    """Return the tables by which hands of these rounds are numbered."""
    configuration = np.array(list(product(*(range(count + 1) for count in rounds))))
    size = np.array([_count_ways(dealt, ranks) for dealt in configuration.tolist()])
    fours = _list_fours(len(configuration))
    dealt_in_all = configuration[fours].sum(axis=1)
    is_class = (dealt_in_all == rounds).all(axis=1) & (size[fours] > 0).all(axis=1)
    classes = fours[is_class]
    counts = [_count_hands(four, size) for four in classes.tolist()]
    first_of_class = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    first = np.full(len(fours), _NO_HAND)
    first[is_class] = first_of_class[:-1]
    size_of_binomials = MOST_RANKS + 1
    binomial = np.array(
        [[comb(n, k) for k in range(size_of_binomials)] for n in range(size_of_binomials)]
    )
    ends = np.concatenate([[0], np.cumsum(rounds)]).astype(np.int64)
    return IndexTables(ends, configuration, size, first, classes, first_of_class, binomial)


def _count_ways(dealt: Sequence[int], ranks: int) -> int:
    """Return in how many ways a suit can be dealt so many ranks in each round."""
    ways = 1
    left = ranks
    for count in dealt:
        ways *= comb(left, count)
        left = max(0, left - count)
    return ways


def _list_fours(configurations: int) -> Ints:
    """Return all multisets of four configurations, the greatest first, in the order of :func:`number_four`."""
    fours = [
        (first, second, third, fourth)
        for first in range(configurations)
        for second in range(first + 1)
        for third in range(second + 1)
        for fourth in range(third + 1)
    ]
    return np.array(fours)


def _count_hands(four: Sequence[int], size: Ints) -> int:
    """Return how many hands have these four configurations: the product of multisets for each of them."""
    hands = 1
    for configuration in set(four):
        suits = four.count(configuration)
        hands *= comb(int(size[configuration]) + suits - 1, suits)
    return hands


@inlined
def choose(n, k):
    """Return C(n, k), for k up to 4."""
    if k == 1:
        return n
    if k == 2:
        return n * (n - 1) // 2
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    return n * (n - 1) // 2 * (n - 2) // 3 * (n - 3) // 4


@inlined
def number_four(four):
    """Return the number of four configurations, the greatest first: C(a + 3, 4) + C(b + 2, 3) + C(c + 1, 2) + d."""
    return choose(four[0] + 3, 4) + choose(four[1] + 2, 3) + choose(four[2] + 1, 2) + four[3]


@compiled(allocates=True, nogil=True)
def fill_numbers(tables, ranks, hands, numbers):
    """Fill the number of each hand in place.

    ``hands`` are cards, shape (n, cards); ``numbers`` has shape (n,).
    """
    rounds = len(tables.ends) - 1
    dealt = np.empty(NUM_SUITS, np.int64)  # ranks of a suit in this round, as bits
    used = np.empty(NUM_SUITS, np.int64)  # and in the rounds before
    four = np.empty(NUM_SUITS, np.int64)  # the configuration of each suit
    ways = np.empty(NUM_SUITS, np.int64)  # the number within it
    for row in range(len(hands)):
        used[:] = 0
        four[:] = 0
        ways[:] = 0
        for turn in range(rounds):
            dealt[:] = 0
            for place in range(tables.ends[turn], tables.ends[turn + 1]):
                card = hands[row, place]
                dealt[card % NUM_SUITS] |= 1 << (card // NUM_SUITS)
            most = tables.ends[turn + 1] - tables.ends[turn]
            for suit in range(NUM_SUITS):
                add_round(tables, ranks, most, suit, dealt, (used, four, ways))
        sort_suits(four, ways)
        numbers[row] = tables.first[number_four(four)] + number_ways(tables.size, four, ways)


@inlined
def add_round(tables, ranks, most, suit, dealt, suits):
    """Add the ranks of a suit in a round to its configuration and the number within it, in place.

    ``most`` is how many cards the round deals. Ranks are counted among those that the suit has left,
    and their set is numbered by C(r_1, 1) + C(r_2, 2) + …, the lowest first.
    """
    used, four, ways = suits
    taken = 0
    left = 0
    count = 0
    number = 0
    for rank in range(ranks):
        bit = 1 << rank
        if used[suit] & bit:
            taken += 1
            continue
        if dealt[suit] & bit:
            count += 1
            number += tables.binomial[left, count]
        left += 1
    four[suit] = four[suit] * (most + 1) + count
    ways[suit] = ways[suit] * tables.binomial[ranks - taken, count] + number
    used[suit] |= dealt[suit]


@inlined
def sort_suits(four, ways):
    """Sort four pairs (configuration, number within it) in place, the greatest first."""
    for end in range(1, NUM_SUITS):
        place = end
        while place > 0 and (
            four[place - 1] < four[place]
            or (four[place - 1] == four[place] and ways[place - 1] < ways[place])
        ):
            configuration = four[place]
            number = ways[place]
            four[place] = four[place - 1]
            ways[place] = ways[place - 1]
            four[place - 1] = configuration
            ways[place - 1] = number
            place -= 1


@inlined
def count_alike(four, first):
    """Return how many suits from one on have its configuration."""
    count = 1
    while first + count < NUM_SUITS and four[first + count] == four[first]:
        count += 1
    return count


@inlined
def number_ways(size, four, ways):
    """Return the number of a hand among those of its configurations; the suits are sorted.

    Suits of one configuration are a multiset of numbers i_1 ≥ i_2 ≥ …, which of k suits is numbered
    by C(i_1 + k - 1, k) + C(i_2 + k - 2, k - 1) + … + i_k.
    """
    number = 0
    first = 0
    while first < NUM_SUITS:
        alike = count_alike(four, first)
        number *= choose(size[four[first]] + alike - 1, alike)
        for place in range(alike):
            k = alike - place
            number += choose(ways[first + place] + k - 1, k)
        first += alike
    return number


@compiled(allocates=True, nogil=True)
def fill_hands(tables, ranks, numbers, hands):
    """Fill a hand of each number in place: the inverse of :func:`fill_numbers`.

    ``hands`` are cards, shape (n, cards), those of a round in ascending order.
    """
    rounds = len(tables.ends) - 1
    ways = np.empty(NUM_SUITS, np.int64)
    sets = np.empty((NUM_SUITS, rounds), np.int64)  # the ranks of each suit and round, as bits
    for row in range(len(numbers)):
        klass = np.searchsorted(tables.first_of_class, numbers[row], side="right") - 1
        four = tables.classes[klass]
        split_ways(tables.size, four, numbers[row] - tables.first_of_class[klass], ways)
        for suit in range(NUM_SUITS):
            split_rounds(tables, ranks, tables.configuration[four[suit]], ways[suit], sets[suit])
        place = 0
        for turn in range(rounds):
            for rank in range(ranks):
                for suit in range(NUM_SUITS):
                    if sets[suit, turn] >> rank & 1:
                        hands[row, place] = NUM_SUITS * rank + suit
                        place += 1


@inlined
def split_ways(size, four, number, ways):
    """Fill the number of each suit within its configuration in place: the inverse of :func:`number_ways`."""
    last = NUM_SUITS - 1
    rest = number
    while last >= 0:
        first = last
        while first > 0 and four[first - 1] == four[last]:
            first -= 1
        alike = last - first + 1
        multisets = choose(size[four[last]] + alike - 1, alike)
        within = rest % multisets
        rest //= multisets
        for place in range(alike):
            k = alike - place
            low = 0
            high = size[four[last]] - 1
            while low < high:  # the greatest i with C(i + k - 1, k) ≤ within
                middle = (low + high + 1) // 2
                if choose(middle + k - 1, k) <= within:
                    low = middle
                else:
                    high = middle - 1
            ways[first + place] = low
            within -= choose(low + k - 1, k)
        last = first - 1


@inlined
def split_rounds(tables, ranks, configuration, number, sets):
    """Fill the ranks of a suit in each round in place, as bits: the inverse of :func:`add_round`."""
    rounds = len(configuration)
    left = ranks
    for turn in range(rounds):
        left -= configuration[turn]
    rest = number
    for turn in range(rounds - 1, -1, -1):
        left += configuration[turn]
        combinations = tables.binomial[left, configuration[turn]]
        sets[turn] = rest % combinations
        rest //= combinations
    used = 0
    for turn in range(rounds):
        within = sets[turn]
        left_bits = 0
        high = ranks
        for k in range(configuration[turn], 0, -1):
            high -= 1
            while tables.binomial[high, k] > within:
                high -= 1
            within -= tables.binomial[high, k]
            left_bits |= 1 << high
        dealt = 0
        place = 0
        for rank in range(ranks):
            if used >> rank & 1:
                continue
            if left_bits >> place & 1:
                dealt |= 1 << rank
            place += 1
        sets[turn] = dealt
        used |= dealt
