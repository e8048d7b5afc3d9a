"""The weight of three hands beside hands that were folded before, as a sum of products.

A sum over disjoint hands takes a weight for each hand, and the chance that three hands hold no card that
was folded is no product of three numbers. It is a sum of products:

    M(h₁, h₂, h₃, board) = Σ_r a_r · f_r(h₁) · f_r(h₂) · f_r(h₃)

A deal of the folded hands is a term: a is its probability, and f is 1 for the hands that share no card
with it, else 0. Of few deals all are listed; of many, some are sampled.

One folded hand needs no list. With Z the weight of all hands z that it may be, Z_c of those with the card c
and z_cd of the hand of two cards, those without a card of D have the weight

    M(D) = Z − Σ_{c ∈ D} Z_c + Σ_{c < d ∈ D} z_cd .

Cards of one hand give a number g(h) = −Z_{h₁} − Z_{h₂} + z_{h₁h₂}, and cards of two hands a product, so that

    M = Σ_{h < h'} φ(h)ᵀ Q φ(h')    with φ(h) = (cards of h, 1, g(h))  and  Q = diag(z, [[Z/3, 1/2], [1/2, 0]]) .

With eigenvalues λ of Q and ψ(h) the part of φ(h) along an eigenvector, Σ_{h < h'} ψ(h) ψ(h') is half of
[Π (1 + τψ) + Π (1 − τψ) − 2] / τ²: two terms for each eigenvalue, and one for all that is taken off.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection
from functools import cached_property

import numpy as np

from ..._util.arrays import Floats, Ints
from ...errors import GameError
from ...game.folded import FoldedHands

LISTED = 100
"""Deals of the folded hands up to which all are listed."""

SAMPLED = 256
"""Deals that are sampled where more than one hand was folded and not all deals are listed."""

_LEAST_EIGENVALUE = 1e-17
_STEP = 0.5  # τ · the largest ψ: no product is negative, and few digits cancel


class FoldedTerms:
    """Terms of the weight of three hands beside folded hands.

    Parameters
    ----------
    folded : FoldedHands

    Attributes
    ----------
    folded : FoldedHands
    num_terms : int
        How many terms there are at most on a board.

    Raises
    ------
    GameError
        The folded hands cannot be dealt at once on this board.
    """

    def __init__(self, folded: FoldedHands) -> None:
        self.folded = folded
        self.hands = [_list_hands(weight, folded.board) for weight in folded.weights]
        self.is_listed = math.prod(len(cards) for cards, _ in self.hands) <= LISTED
        self.is_exact = self.is_listed or folded.count == 1

    @property
    def num_terms(self) -> int:
        if self.is_listed or not self.is_exact:
            return len(self._deals[1])
        return 2 * (self.folded.cards + 2) + 1

    def describe(self) -> str:
        """Return how many hands were folded, and how exact their weights are, in words."""
        count = self.folded.count
        hands = "1 folded hand" if count == 1 else f"{count} folded hands"
        if self.is_exact:
            return f"{hands}, all of whose deals are counted"
        error = 100.0 * self.standard_error
        return (
            f"{hands}, by {SAMPLED} sampled deals (standard error of the weight of three hands: "
            f"{error:.2g} %)"
        )

    @property
    def standard_error(self) -> float:
        """The standard error of the weight of three hands, as a part of it; 0 where all deals are counted."""
        if self.is_exact:
            return 0.0
        free = self.folded.cards - len(self.folded.board)
        chance = math.comb(free - 2 * self.folded.count, 6) / math.comb(free, 6)
        return math.sqrt((1.0 - chance) / (chance * SAMPLED))

    def is_symmetric(self, permutation: Ints) -> bool:
        """Return whether a permutation of the deck leaves the weights as they are; sampled deals are never alike."""
        return self.is_exact and self.folded.is_symmetric(permutation)

    def digest(self) -> bytes:
        """Return what tells these hands, and how they are counted, from others."""
        return self.folded.digest() + repr((self.is_listed, self.is_exact, SAMPLED)).encode()

    def terms(self, hand_cards: Ints, dealt: Collection[int]) -> tuple[Floats, Floats]:
        """Return a and f on a board: shape (terms,), and shape (terms, hands).

        ``hand_cards``, shape (hands, 2), are hands that share no card with the board; ``dealt`` are
        its cards since the start. Weights are parts of all deals of the folded hands at the start.
        """
        if self.is_listed or not self.is_exact:
            held, share = self._deals
            coefficient = np.where(held[:, list(dealt)].any(axis=1), 0.0, share)
            is_held = held[:, hand_cards[:, 0]] | held[:, hand_cards[:, 1]]
            return coefficient, (~is_held).astype(np.float64)
        return _split_weight(self._without(dealt), hand_cards)

    def weight(self, cards: Collection[int]) -> float:
        """Return the weight of the deals of the folded hands that hold none of some cards, as a part of all."""
        if self.is_listed or not self.is_exact:
            held, share = self._deals
            return float(share[~held[:, list(cards)].any(axis=1)].sum())
        return float(self._without(cards).sum() / 2.0)

    def _without(self, cards: Collection[int]) -> Floats:
        """Return the weight of each hand of the only player who folded that holds none of some cards, by two cards."""
        gone = [*self.folded.board, *cards]
        matrix = self.folded.weights[0].copy()
        matrix[self.folded.board, :] = 0.0
        matrix[:, self.folded.board] = 0.0
        matrix /= matrix.sum() / 2.0
        matrix[gone, :] = 0.0
        matrix[:, gone] = 0.0
        return np.asarray(matrix)

    @cached_property
    def _deals(self) -> tuple[np.ndarray, Floats]:
        """Which cards each deal of the folded hands holds, shape (deals, cards), and its probability."""
        if self.is_listed:
            held, weight = self._list_deals()
        else:
            held = self._sample_deals()
            weight = np.ones(len(held))
        if not weight.sum() > 0.0:
            raise GameError(
                "folded: the hands that were folded cannot be dealt at once on this board, for they "
                "share cards with it or with each other; give other ranges.",
                wrong_use=True,
            )
        return held, weight / weight.sum()

    def _list_deals(self) -> tuple[np.ndarray, Floats]:
        """Return the cards of all deals, and the weight of each."""
        rows = []
        weights = []
        for places in itertools.product(*(range(len(cards)) for cards, _ in self.hands)):
            dealt = [cards[k] for k, (cards, _) in zip(places, self.hands, strict=True)]
            count = np.bincount(np.concatenate(dealt), minlength=self.folded.cards)
            if count.max() <= 1:
                shares = [share[k] for k, (_, share) in zip(places, self.hands, strict=True)]
                rows.append(count == 1)
                weights.append(math.prod(shares))
        held = np.array(rows, bool).reshape(len(rows), self.folded.cards)
        return held, np.array(weights, np.float64)

    def _sample_deals(self) -> np.ndarray:
        """Return the cards of sampled deals."""
        deals = self.folded.sample_deals(SAMPLED)
        held = np.zeros((len(deals), self.folded.cards), bool)
        free = [card for card in range(self.folded.cards) if card not in self.folded.board]
        held[:, free] = deals[:, None] >> np.arange(len(free)) & 1
        return held


def _list_hands(matrix: Floats, board: Collection[int]) -> tuple[Ints, Floats]:
    """Return the hands that share no card with the board, shape (hands, 2), and their weights."""
    cards = np.array(np.nonzero(np.triu(matrix, 1))).T
    cards = cards[~np.isin(cards, list(board)).any(axis=1)]
    return cards, matrix[cards[:, 0], cards[:, 1]]


def _split_weight(matrix: Floats, hand_cards: Ints) -> tuple[Floats, Floats]:
    """Return a and f of one folded hand, of the weights ``matrix`` by two cards."""
    deck = len(matrix)
    hands = np.arange(len(hand_cards))
    of_card = matrix.sum(axis=1)
    features = np.zeros((len(hand_cards), deck + 2))
    for column in hand_cards.T:
        features[hands, column] = 1.0
    features[:, deck] = 1.0
    first, second = hand_cards.T
    features[:, deck + 1] = matrix[first, second] - of_card[first] - of_card[second]
    form = np.zeros((deck + 2, deck + 2))
    form[:deck, :deck] = matrix
    form[deck, deck] = of_card.sum() / 6.0  # Z / 3
    form[deck, deck + 1] = 0.5
    form[deck + 1, deck] = 0.5
    eigenvalues, eigenvectors = np.linalg.eigh(form)
    parts = features @ eigenvectors
    largest = np.abs(parts).max(axis=0, initial=0.0)
    is_used = np.abs(eigenvalues) * largest**2 > _LEAST_EIGENVALUE
    step = np.where(is_used, _STEP / np.where(is_used, largest, 1.0), 0.0)
    share = np.where(is_used, eigenvalues, 0.0) / (2.0 * np.where(is_used, step, 1.0) ** 2)
    slope = (parts * step).T
    coefficient = np.concatenate([share, share, [-2.0 * math.fsum(share)]])
    return coefficient, np.concatenate([1.0 + slope, 1.0 - slope, np.ones((1, len(hand_cards)))])
