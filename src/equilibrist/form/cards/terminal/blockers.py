"""Card removal of a deal: which cards each hand holds, and which hands of both players are the same cards."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from ...._util.arrays import Floats, Ints
from ....game.deal import Deal, mend_remaining

FEW_CARDS_HELD = 2
MOST_CARDS_HELD = 4
"""Places for the cards of a hand, by which hands exclude each other: of one or two cards, and of three or four."""


def hand_places(hand: Sized) -> int:
    """Return the places for the cards of a hand; a hand of fewer cards has places that nobody's card is in."""
    if len(hand) <= FEW_CARDS_HELD:
        return FEW_CARDS_HELD
    return MOST_CARDS_HELD


class HandMap:
    """Finds a player's hand after a permutation of the cards; hands of the same cards are told apart by their order."""

    def __init__(self, hands: tuple[tuple[int, ...], ...], deck: int) -> None:
        self.base = deck + 1
        self.cards = np.full((len(hands), hand_places(hands[0])), deck)
        # Half of the time that tuples of tuples take.
        numbers = np.fromiter(chain.from_iterable(hands), np.int64)
        self.cards[:, : len(hands[0])] = numbers.reshape(len(hands), -1)
        self.keys = self._key(self.cards)
        self.order = np.argsort(self.keys, kind="stable")
        self._ordered = self.keys[self.order]
        self.unique = bool((np.diff(self._ordered) > 0).all())
        self._moved: dict[bytes, Ints] = {}

    def _key(self, cards: Ints) -> Ints:
        digits = self.base ** np.arange(cards.shape[1])[::-1]
        return np.asarray(np.sort(cards, axis=1) @ digits)

    def holds(self) -> NDArray[np.bool_]:
        """Return whether each hand holds each card, shape (hands, cards)."""
        held = np.zeros((len(self.cards), self.base), bool)
        held[np.arange(len(held))[:, None], self.cards] = True
        return np.ascontiguousarray(held[:, :-1])

    def permute(self, permutation: Ints) -> Ints:
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

    ``maps`` find each player's hands by their cards; ``holds`` says which cards each hand holds,
    shape (hands, cards) for each player; ``same`` is for each hand of a player the number of the
    other's hand of the same cards, or -1.
    """

    def __init__(self, deal: Deal) -> None:
        self.maps = tuple(HandMap(hands, deal.cards) for hands in deal.hands)
        self.holds = tuple(hand_map.holds() for hand_map in self.maps)
        self._size = len(deal.hands[0][0])
        several = self._size > 1  # of one card, none is taken off twice
        self.same = tuple(
            self.maps[1 - player].find(self.maps[player].cards) for player in range(2)
        )
        self._twice = tuple((same >= 0) & several for same in self.same)

    def blocked(self, player: int, cards: Sequence[int]) -> NDArray[np.bool_]:
        """Return whether each hand of a player holds one of some cards."""
        return np.asarray(self.holds[player][:, list(cards)].any(axis=1))

    def mass_of_others(self, ranges: tuple[Floats, Floats], player: int) -> Floats:
        """Return, for each hand of a player, the weight of all hands of the other that share no card with it.

        It is right to the last digits however little that is, and 0 exactly where there is no such
        hand.
        """
        others = ranges[1 - player]
        mass = self._by_inclusion_and_exclusion(others, player)
        mend_remaining(mass, self.holds[player], self.holds[1 - player], others)
        return mass

    def _by_inclusion_and_exclusion(self, others: Floats, player: int) -> Floats:
        """Return the same with an error of 2^-53 of the weight of all hands."""
        if self._size > FEW_CARDS_HELD:
            return self._by_sets_of_cards(others, player)
        per_card = others @ self.holds[1 - player]
        twin = np.where(self._twice[player], others[self.same[player]], 0.0)
        mass: Floats = others.sum() - self.holds[player] @ per_card + twin
        return mass

    def _by_sets_of_cards(self, others: Floats, player: int) -> Floats:
        """Return the same by inclusion and exclusion of all sets of cards that a hand has in common with another."""
        base = self.maps[player].base
        twin = np.where(self.same[player] >= 0, others[self.same[player]], 0.0)
        mass = others.sum() + (-1) ** self._size * twin
        for common in range(1, self._size):
            held = np.zeros(base**common)
            digits = base ** np.arange(common)
            sets = [list(columns) for columns in combinations(range(self._size), common)]
            for columns in sets:
                held += np.bincount(
                    self.maps[1 - player].cards[:, columns] @ digits, others, len(held)
                )
            for columns in sets:
                mass = mass + (-1) ** common * held[self.maps[player].cards[:, columns] @ digits]
        return np.asarray(mass)
