"""Deals of cards: private hands as sets of cards, public cards, and the probabilities that follow from them.

A dense prior has a number for each pair of hands. Where hands are sets of cards and exclude each
other only by the cards that they share, a weight for each hand says the same, and payoffs of n
hands can be found in O(n).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._util.validate import is_number, is_whole
from ..errors import GameError
from .folded import FoldedHands

Floats = NDArray[np.float64]

_BY_ARRAYS = range(2, 5)
"""Cards of a hand for which sets of cards are numbered in 64 bits: decks have fewer than 55,000 cards."""


class Reveal(NamedTuple):
    """Probability of an outcome of public chance that shows cards of the deck.

    It is 0 for each pair of hands that holds one of these cards, and the same number for all
    others.

    Attributes
    ----------
    cards : collection of int
        The cards that are shown.
    probability : float
        The probability of this outcome where neither player holds one of them: 1/44 for a river
        card in hold'em.
    """

    cards: Collection[int]
    probability: float


class Deal:
    """Prior over pairs of hands that are sets of cards.

    Hands that share a card are never dealt together::

        prior[i, j] = weights[0][i] · weights[1][j] / N   where hands i and j share no card, else 0

    with N the sum of the products over all such pairs.

    Parameters
    ----------
    hands : pair of sequences of collections of int, or of int64 arrays of shape (hands, cards)
        The cards in each hand of player 0, and in each hand of player 1. Empty ones exclude
        nothing: dice.
    weights : pair of sequences of float, optional
        The weight of each hand, 0 or more (a range in poker); 1 by default.
    cards : int
        Number of cards in the deck, which are numbered from 0.
    folded : FoldedHands, optional
        Hands that others folded before: a pair of hands is then dealt with the product of both
        weights and the chance that none of its cards was folded.

    Raises
    ------
    GameError
        The hands are not sets of cards of the deck, the weights do not belong to them, or no two
        hands can be dealt together.

    Examples
    --------
    The deal of Kuhn poker, three cards, one each:

    >>> deal = Deal([[[0], [1], [2]]] * 2, cards=3)
    >>> deal.total
    6.0
    >>> deal.matrix()[0]
    array([0.        , 0.16666667, 0.16666667])
    """

    def __init__(
        self,
        hands: Sequence[Sequence[Collection[int]] | NDArray[np.int64]],
        weights: Sequence[ArrayLike] | None = None,
        *,
        cards: int,
        folded: FoldedHands | None = None,
    ) -> None:
        if not is_whole(cards, 0):
            raise GameError(f"Deal: cards must be a whole number, 0 or more; got {cards!r}.")
        if len(hands) != 2 or not all(map(len, hands)):
            raise GameError(
                f"Deal: hands must be those of two players, one or more each; got {hands!r}."
            )
        self.cards = int(cards)
        self.hands = tuple(
            self._hands(player, player_hands) for player, player_hands in enumerate(hands)
        )
        per_player = (
            [np.ones(len(player_hands)) for player_hands in hands] if weights is None else weights
        )
        if len(per_player) != 2:
            raise GameError(
                f"Deal: weights must be those of two players; got {len(per_player)} sequences."
            )
        self.weights = tuple(
            self._weights(player, player_weights)
            for player, player_weights in enumerate(per_player)
        )
        self.folded = folded
        self.total = joint_weight(self.hands, self.weights)

    @property
    def cards_held(self) -> int:
        """How many cards are not among those that may still be dealt: of both hands, and of those that were folded."""
        held = len(self.hands[0][0]) + len(self.hands[1][0])
        if self.folded is not None:
            held += 2 * self.folded.count
        return held

    def _hands(
        self, player: int, hands: Sequence[Collection[int]] | NDArray[np.int64]
    ) -> tuple[tuple[int, ...], ...]:
        # All at once.
        if isinstance(hands, np.ndarray) and hands.ndim == 2 and hands.dtype.kind == "i":
            cards = np.sort(hands, axis=1)
            if (np.diff(cards, axis=1, prepend=-1, append=self.cards) > 0).all():
                return tuple(map(tuple, cards.tolist()))
        return tuple(self._hand(player, hand) for hand in hands)

    def _hand(self, player: int, hand: Collection[int]) -> tuple[int, ...]:
        cards = tuple(hand)
        if len(set(cards)) < len(cards) or not all(
            is_whole(card, 0, self.cards - 1) for card in cards
        ):
            raise GameError(
                f"Deal: a hand is a set of cards, whole numbers from 0 to {self.cards - 1}; got "
                f"{hand!r} of player {player}."
            )
        return tuple(sorted(map(int, cards)))

    def _weights(self, player: int, values: ArrayLike) -> Floats:
        weights = np.array(values, np.float64)
        count = len(self.hands[player])
        if weights.shape != (count,) or not np.isfinite(weights).all() or weights.min() < 0:
            raise GameError(
                f"Deal: weights must be {count} finite numbers, 0 or more, one for each hand of "
                f"player {player}; got {values!r}."
            )
        return weights

    def holds(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return whether each hand of player 0, and of player 1, holds each card, shape (hands, cards)."""
        return _hand_holds(self.hands[0], self.cards), _hand_holds(self.hands[1], self.cards)

    def matrix(self) -> Floats:
        """Return the dense prior, shape (hands of player 0, hands of player 1)."""
        if self.folded is not None:
            weights = self.pair_weights(self.folded, self.folded.board)
            return np.asarray(weights / weights.sum())
        rows, columns = (holds_card.astype(np.float64) for holds_card in self.holds())
        prior: Floats = np.outer(*self.weights) * (rows @ columns.T == 0.0) / self.total
        return prior

    def pair_weights(self, folded: FoldedHands, board: Sequence[int]) -> Floats:
        """Return the weight of each pair of hands on a board where these were folded, shape (hands, hands).

        ``board`` are all public cards.

        Raises
        ------
        GameError
            No pair has any weight.
        """
        first, second = map(np.array, self.hands)
        weights = np.outer(*self.weights) * folded.pair_chances(first, second, board)
        if not weights.any():
            raise GameError(
                "folded: no two hands of both players go with the hands that were folded, for they "
                "share cards; give other ranges.",
                wrong_use=True,
            )
        return weights

    def probability(self, outcome: Reveal) -> Floats:
        """Return the probability of an outcome for each pair of hands, shape (hands of player 0, hands of player 1).

        Raises
        ------
        GameError
            The cards shown are not in the deck, or the probability is not a number from 0 to 1.
        """
        cards_shown = set(outcome.cards)
        probable = is_number(outcome.probability) and 0.0 <= outcome.probability <= 1.0
        if not probable or not all(is_whole(card, 0, self.cards - 1) for card in cards_shown):
            raise GameError(
                f"A Reveal shows cards from 0 to {self.cards - 1} with a probability from 0 to "
                f"1; got {outcome!r}."
            )
        rows, columns = (
            np.array([not cards_shown.isdisjoint(hand) for hand in player_hands])
            for player_hands in self.hands
        )
        return np.where(rows[:, None] | columns, 0.0, float(outcome.probability))


LEAST_SHARE = 2.0**-10
"""What remains of a whole once blocked hands are taken off, below which it is added up anew: no digits cancel then.

Above it, inclusion and exclusion is right to 1e-12.
"""

_PAIRS_AT_ONCE = 1 << 22


def remaining_weights(hands: NDArray[Any], others: NDArray[Any], weights: Floats) -> Floats:
    """Return, for each hand of a player, the weight of the hands that share no card with it, by additions alone.

    ``hands`` and ``others`` say which cards hands hold, shape (hands, cards). The cost grows with
    the pairs of hands.
    """
    remaining = np.zeros(len(hands))
    weighted = np.flatnonzero(weights)
    other_cards = others[weighted].astype(np.float32).T
    rows = max(1, _PAIRS_AT_ONCE // max(1, len(weighted)))
    for first in range(0, len(hands), rows):
        shared = hands[first : first + rows].astype(np.float32) @ other_cards
        remaining[first : first + rows] = (shared == 0) @ weights[weighted]
    return remaining


def find_nearly_blocked(remaining: Floats, weights: Floats) -> NDArray[np.int64]:
    """Return the hands against which little of some weights remains: less than :data:`LEAST_SHARE` of their sum."""
    return np.flatnonzero(remaining < LEAST_SHARE * weights.sum())


def mend_remaining(
    remaining: Floats, hands: NDArray[Any], others: NDArray[Any], weights: Floats
) -> None:
    """Add up anew, in place, what inclusion and exclusion leaves of the weights where that is little.

    Arguments are those of :func:`remaining_weights`, which then tells it to all digits.
    """
    little = find_nearly_blocked(remaining, weights)
    remaining[little] = remaining_weights(hands[little], others, weights)


def joint_weight(hands: Sequence[Sequence[tuple[int, ...]]], weights: Sequence[Floats]) -> float:
    """Return N, the sum of the products of both players' weights over all pairs of hands that share no card.

    By inclusion and exclusion, so that the cost grows with the hands, not with the pairs of them: N
    = Σ over sets of cards C of (-1)^|C| · W_0(C) · W_1(C), with W(C) the weight of all hands that
    hold C. Where little remains of the product of all weights, N is added up pair by pair.
    """
    total = _joint_weight(hands, weights)
    product = float(weights[0].sum()) * float(weights[1].sum())
    if not total > LEAST_SHARE * product:
        total = _joint_weight_by_pairs(hands, weights)
    if not total > 0.0:
        raise GameError(
            "Deal: no two hands of positive weight can be dealt together, for all share a card."
        )
    return total


def _joint_weight_by_pairs(
    hands: Sequence[Sequence[tuple[int, ...]]], weights: Sequence[Floats]
) -> float:
    """Return N by additions alone."""
    cards = 1 + max(
        (card for player_hands in hands for hand in player_hands for card in hand), default=0
    )
    weighted = [np.flatnonzero(player_weights) for player_weights in weights]
    holds = [
        _hand_holds([player_hands[k] for k in rows.tolist()], cards)
        for player_hands, rows in zip(hands, weighted, strict=True)
    ]
    return math.fsum(
        weights[0][weighted[0]] * remaining_weights(holds[0], holds[1], weights[1][weighted[1]])
    )


def _hand_holds(hands: Sequence[Collection[int]], cards: int) -> NDArray[np.bool_]:
    """Return whether each hand holds each of so many cards, shape (hands, cards)."""
    holds = np.zeros((len(hands), cards), bool)
    numbers = np.repeat(np.arange(len(hands)), [len(hand) for hand in hands])
    holds[numbers, [card for hand in hands for card in hand]] = True
    return holds


def _joint_weight(hands: Sequence[Sequence[tuple[int, ...]]], weights: Sequence[Floats]) -> float:
    """Return N by inclusion and exclusion."""
    sizes = {len(hand) for player_hands in hands for hand in player_hands}
    if len(sizes) == 1 and min(sizes) in _BY_ARRAYS:  # the same sums
        return math.fsum(_joint_weight_terms(hands, weights, min(sizes)))
    weights_of: tuple[dict[tuple[int, ...], float], ...] = (defaultdict(float), defaultdict(float))
    for weight_of, player_hands, player_weights in zip(weights_of, hands, weights, strict=True):
        for hand, weight in zip(player_hands, player_weights.tolist(), strict=True):
            for size in range(len(hand) + 1):
                for cards in combinations(hand, size):
                    weight_of[cards] += weight
    return math.fsum(
        (-1) ** len(cards) * w * weights_of[1].get(cards, 0.0) for cards, w in weights_of[0].items()
    )


def _joint_weight_terms(
    hands: Sequence[Sequence[tuple[int, ...]]], weights: Sequence[Floats], size: int
) -> list[float]:
    """Return the terms of N for hands of so many cards, in which each W(C) is added up in the order of the hands."""
    players = [0] * len(hands[0]) + [1] * len(hands[1])
    cards = np.array([*hands[0], *hands[1]])
    joined_weights = np.concatenate(weights)
    terms: list[float] = []
    base = 1 + int(cards.max())
    for common in range(size + 1):
        digits = base ** np.arange(common)[::-1]
        keys = np.column_stack(
            [cards[:, list(columns)] @ digits for columns in combinations(range(size), common)]
        )
        sign = (-1) ** common
        (_, place) = np.unique(keys.ravel(), return_inverse=True)
        place_of_player = 2 * place + np.repeat(players, keys.shape[1])
        of_cards = np.bincount(
            place_of_player,
            np.repeat(joined_weights, keys.shape[1]),
            minlength=2 * int(place.max()) + 2,
        )
        terms += (sign * of_cards[::2] * of_cards[1::2]).tolist()
    return terms
