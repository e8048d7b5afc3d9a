"""Card removal of a deal: which cards each hand holds, and which hands of both players are the same cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ...._util.arrays import Floats, Ints
from ....game.deal import Deal

MOST_CARDS_HELD = 2
"""Cards of a hand: what hands exclude each other is found by inclusion and exclusion of single cards and pairs."""


class HandMap:
    """Finds a player's hand after a permutation of the cards; hands of the same cards are told apart by their order."""

    def __init__(self, hands: tuple[tuple[int, ...], ...], deck: int) -> None:
        self.base = deck + 1
        self.cards = np.full((len(hands), MOST_CARDS_HELD), deck)
        numbers = np.fromiter(chain.from_iterable(hands), np.int64)  # half of the time that tuples of tuples take
        self.cards[:, : len(hands[0])] = numbers.reshape(len(hands), -1)
        self.keys = self._key(self.cards)
        self.order = np.argsort(self.keys, kind="stable")
        self._ordered = self.keys[self.order]
        self.unique = bool((np.diff(self._ordered) > 0).all())
        self._moved: dict[bytes, Ints] = {}

    def _key(self, cards: Ints) -> Ints:
        first, second = cards.T
        return np.asarray(np.minimum(first, second) * self.base + np.maximum(first, second))

    def holds(self) -> NDArray[np.bool_]:
        """Return whether each hand holds each card, shape (hands, cards)."""
        held = np.zeros((len(self.cards), self.base), bool)
        held[np.arange(len(held))[:, None], self.cards] = True
        return np.ascontiguousarray(held[:, :-1])

    def moved(self, permutation: Ints) -> Ints:
        """Return the number of each hand after the cards are permuted, or -1 where the player has no such hand."""
        key = permutation.tobytes()  # permutations of suits are few, boards many
        if key not in self._moved:
            self._moved[key] = self.find(np.append(permutation, self.base - 1)[self.cards])
        return self._moved[key]

    def find(self, cards: Ints) -> Ints:
        """Return the numbers of the hands that hold these cards, or -1."""
        keys = self._key(cards)
        at = np.minimum(np.searchsorted(self._ordered, keys), len(self.order) - 1)
        return np.where(self._ordered[at] == keys, self.order[at], -1)


class Blockers:
    """What hands block: cards of the board, hands of the other.

    ``maps`` find each player's hands by their cards; ``holds`` says which cards each hand holds, shape (hands, cards)
    for each player; ``same`` is for each hand of a player the number of the other's hand of the same cards, or -1.
    """

    def __init__(self, deal: Deal) -> None:
        self.maps = tuple(HandMap(hands, deal.cards) for hands in deal.hands)
        self.holds = tuple(hand_map.holds() for hand_map in self.maps)
        several = len(deal.hands[0][0]) > 1  # cards in a hand: of one card, none is taken off twice
        self.same = tuple(self.maps[1 - player].find(self.maps[player].cards) for player in range(2))
        self._twice = tuple((same >= 0) & several for same in self.same)

    def blocked(self, player: int, cards: Sequence[int]) -> NDArray[np.bool_]:
        """Return whether each hand of a player holds one of some cards."""
        return np.asarray(self.holds[player][:, list(cards)].any(axis=1))

    def mass_of_others(self, ranges: tuple[Floats, Floats], player: int) -> Floats:
        """Return, for each hand of a player, the weight of all hands of the other that share no card with it."""
        others = ranges[1 - player]
        per_card = others @ self.holds[1 - player]
        twin = np.where(self._twice[player], others[self.same[player]], 0.0)
        return np.asarray(others.sum() - self.holds[player] @ per_card + twin)
