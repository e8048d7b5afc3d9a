"""Hands of players who folded before the board was dealt: how likely it is that they hold none of some cards.

For a set U of cards let W(U) be the weight of all deals of the folded hands in which all cards of U are
held. A further hand z, of the weight z, is disjoint from those before:

    W'(U) = Σ_z z · (weight of the deals before that hold U without z, and no card of z)

which is a sum of W of U without z and with none, one or both of the cards of z, with alternating signs. From W
follows the weight of the deals in which no card of a set D is held,

    M(D) = Σ over U ⊆ D of (-1)^|U| W(U).

A pair of hands on a board has the weight M(both hands and the board): no product of two weights. Up to
:data:`MOST_EXACT` folded hands W is found so, exactly. Of more, W is counted over sampled deals.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_EXACT = 4
"""Folded hands up to which all their deals are counted."""

MOST_FOLDED = 7
"""Folded hands of a table of nine of which two play on."""

SAMPLES = 1 << 20
"""Deals of more folded hands that are sampled."""

_SEED = 44
_BATCH = 1 << 18
_MOST_BATCHES = 4_000
_LEAST_CHANCE = 1e-12
"""What inclusion and exclusion leaves below this is a rounding error of 0."""


class FoldedHands:
    """Private hands of two cards that players held who folded before the board was dealt.

    Parameters
    ----------
    hands : sequence of int64 arrays, shape (hands, 2)
        The cards of the hands that each of these players may have held.
    weights : sequence of float arrays, shape (hands,)
        The weight of each: 0 or more.
    cards : int
        Number of cards in the deck.
    board : sequence of int
        The cards that are public at the start.
    most : int
        The most cards besides the board that anybody asks for: those of two hands, and those to come.

    Attributes
    ----------
    count : int
        How many hands were folded.
    standard_error : float
        That of a chance that is the mean of all pairs' chances, as a part of it; 0 where all deals
        are counted.

    Notes
    -----
    The tables take 8 bytes for each set of up to ``most`` cards: 2 MB on rivers, 15 MB on turns, 130
    MB on flops. Inclusion and exclusion is right to some 1e-15 of the weight of all deals.
    """

    def __init__(
        self,
        hands: Sequence[Ints],
        weights: Sequence[Floats],
        *,
        cards: int,
        board: Sequence[int],
        most: int,
    ) -> None:
        self.count = len(hands)
        self.cards = cards
        self.board = tuple(board)
        self.most = most
        self.weights = [_weight_matrix(*each, cards) for each in zip(hands, weights, strict=True)]
        free = [card for card in range(cards) if card not in self.board]
        self._free = np.array(free, np.int64)
        self._number = np.full(cards, -1)
        """The number of each card among those that are not on the board; -1 where it is."""
        self._number[free] = np.arange(len(free))
        sizes = range(max(most, 2 * MOST_EXACT) + 1)
        self._binomial = np.array(
            [[math.comb(card, size) for size in sizes] for card in range(len(free) + 1)]
        )

    @property
    def is_exact(self) -> bool:
        """Whether all deals of the folded hands are counted, and not some of them sampled."""
        return self.count <= MOST_EXACT

    def describe(self) -> str:
        """Return how many hands were folded, and how exact their weights are, in words."""
        hands = "1 folded hand" if self.count == 1 else f"{self.count} folded hands"
        if self.is_exact:
            return f"{hands}, all of whose deals are counted"
        error = 100.0 * self.standard_error
        return (
            f"{hands}, by {SAMPLES:,} sampled deals (standard error of the weight of two hands: "
            f"{error:.2g} %)"
        )

    def is_symmetric(self, permutation: Ints) -> bool:
        """Return whether a permutation of the deck leaves the weights of all folded hands as they are."""
        return all(
            bool((weight[np.ix_(permutation, permutation)] == weight).all())
            for weight in self.weights
        )

    def digest(self) -> bytes:
        """Return what tells these hands from others."""
        digest = hashlib.sha256(repr((self.count, self.cards, self.board)).encode())
        for weight in self.weights:
            digest.update(np.ascontiguousarray(weight).data)
        if not self.is_exact:
            digest.update(repr((SAMPLES, _SEED)).encode())
        return digest.digest()

    def on(self, board: Sequence[int]) -> FoldedHands:
        """Return the same hands with another board at the start, which has the cards of this one."""
        if set(board) == set(self.board):
            return self
        most = self.most - (len(board) - len(self.board))
        pairs = np.array(np.triu_indices(self.cards, 1)).T
        weights = [weight[pairs[:, 0], pairs[:, 1]] for weight in self.weights]
        return FoldedHands([pairs] * self.count, weights, cards=self.cards, board=board, most=most)

    def pair_chances(self, first: Ints, second: Ints, board: Sequence[int]) -> Floats:
        """Return, for each pair of hands, the chance that none of their cards was folded, nor one that was dealt.

        Parameters
        ----------
        first, second : int64 arrays, shape (hands, cards)
            The hands of both players.
        board : sequence of int
            All public cards, those of the start among them.

        Returns
        -------
        float64 array, shape (hands of the first, hands of the second)
            As a part of all deals of the folded hands that the board at the start leaves; 0 where two
            hands share a card, or one is on the board.
        """
        from .folded_kernels import fill_pairs

        chances = np.zeros((len(first), len(second)))
        shown = [card for card in board if card not in self.board]
        runout = np.sort(self._number[shown])
        size = first.shape[1] + second.shape[1] + len(runout)
        room = np.zeros(size + 1, np.int64)
        fill_pairs(
            self._chances_of(size),
            self._binomial,
            self._number[first],
            self._number[second],
            runout,
            room,
            chances,
        )
        return chances

    @cached_property
    def standard_error(self) -> float:
        """The standard error of the chance of a pair of hands, as a part of it: 0 where all deals are counted."""
        if self.is_exact:
            return 0.0
        chance = float(self._chances_of(min(4, self.most)).mean())
        return math.sqrt((1.0 - chance) / (chance * SAMPLES))

    def _chances_of(self, size: int) -> Floats:
        """Return M(D) ÷ M(∅) for all sets D of so many cards, in colexicographic order."""
        from .folded_kernels import exclude

        if size not in self._kept:
            chances = np.zeros(math.comb(len(self._free), size))
            room = np.zeros((2, size + 1), np.int64)
            exclude(self._held, self._first(self.most), self._binomial, size, room, chances)
            chances[chances < _LEAST_CHANCE] = 0.0
            self._kept[size] = chances
        return self._kept[size]

    @cached_property
    def _kept(self) -> dict[int, Floats]:
        return {}

    def _first(self, most: int) -> Ints:
        """Return where the sets of each size up to ``most`` begin in a table of all of them."""
        sizes = [math.comb(len(self._free), size) for size in range(most + 1)]
        return np.concatenate([[0], np.cumsum(sizes)])

    @cached_property
    def _held(self) -> Floats:
        """W(U) ÷ W(∅) for all sets of up to ``most`` cards, those of each size in colexicographic order."""
        free = np.ix_(self._free, self._free)
        weights = [np.ascontiguousarray(weight[free]) for weight in self.weights]
        held = self._count_all(weights) if self.is_exact else self._count_sampled()
        if not held[0] > 0.0:
            raise GameError(
                "folded: the hands that were folded cannot be dealt at once on this board, for they "
                "share cards with it or with each other; give other ranges.",
                wrong_use=True,
            )
        return np.asarray(held / held[0])

    def _count_all(self, weights: list[Floats]) -> Floats:
        """Return W, hand by hand."""
        from .folded_kernels import SetTable, add_folded

        table = SetTable(np.ones(1), self._first(0), 0)
        for number, weight in enumerate(weights):
            # Of a hand after this one, W asks for two cards more.
            most = min(2 * (number + 1), self.most + 2 * (len(weights) - 1 - number))
            first = self._first(most)
            after = SetTable(np.zeros(int(first[-1])), first, most)
            room = np.zeros((4, most + 2), np.int64)
            add_folded(table, weight, weight.sum(axis=1), self._binomial, room, after)
            table = after
        held = table.values
        whole = np.zeros(int(self._first(self.most)[-1]))
        size = min(len(whole), len(held))
        whole[:size] = held[:size]
        return whole

    def sample_deals(self, count: int) -> Ints:
        """Return so many deals of the folded hands, the same ones each time; none where no deal is possible.

        Each hand is drawn by itself, and deals that share cards are dropped. Bits are the cards of a
        deal, numbered among those that are not on the board at the start.
        """
        free = np.ix_(self._free, self._free)
        source = np.random.default_rng(_SEED)
        cards = np.array(np.triu_indices(len(self._free), 1)).T
        masks = (np.int64(1) << cards).sum(axis=1)
        shares = [weight[free][cards[:, 0], cards[:, 1]] for weight in self.weights]
        if not all(share.sum() > 0.0 for share in shares):
            return np.zeros(0, np.int64)
        sums = [np.cumsum(share) / share.sum() for share in shares]
        dealt: list[Ints] = []
        num_dealt = 0
        for _ in range(_MOST_BATCHES):
            held = np.zeros(_BATCH, np.int64)
            for weight_up_to in sums:
                drawn = np.searchsorted(weight_up_to, source.random(len(held)), side="right")
                mask = masks[np.minimum(drawn, len(masks) - 1)]
                apart = (held & mask) == 0
                held = held[apart] | mask[apart]
            dealt.append(held)
            num_dealt += len(held)
            if num_dealt >= count:
                break
        if num_dealt < count:
            return np.zeros(0, np.int64)
        return np.concatenate(dealt)[:count]

    def _count_sampled(self) -> Floats:
        """Return W as it is in sampled deals."""
        from .folded_kernels import count_sets

        deals = self.sample_deals(SAMPLES)
        if len(deals) == 0:
            return np.zeros(1)
        counts = np.zeros(int(self._first(self.most)[-1]))
        room = np.zeros((2, 2 * self.count + 1), np.int64)
        count_sets(deals, self._binomial, self._first(self.most), self.most, room, counts)
        return counts


def _weight_matrix(hands: Any, weights: Any, cards: int) -> Floats:
    """Return the weight of the hand of each two cards, in both orders, shape (cards, cards)."""
    matrix = np.zeros((cards, cards))
    pairs = np.asarray(hands, np.int64).reshape(-1, 2)
    matrix[pairs[:, 0], pairs[:, 1]] = weights
    matrix[pairs[:, 1], pairs[:, 0]] = weights
    return matrix
