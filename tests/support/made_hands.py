"""Buckets of hold'em that take no time to make."""

import numpy as np

from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS, NUM_CARDS
from equilibrist.poker.cards.hand_ranks import strength_of

HAND_OF_CARDS = np.full((NUM_CARDS, NUM_CARDS), -1)
HAND_OF_CARDS[HANDS[:, 0], HANDS[:, 1]] = np.arange(len(HANDS))


class MadeHands:
    """Buckets by the category of the made hand, and the 169 classes before the flop."""

    def __init__(self, most=9):
        self.most = most

    def bind_game(self, game):
        return self

    def count(self, street):
        return len(CLASSES) if street == "preflop" else self.most

    def assign(self, street, hands):
        if street == "preflop":
            low, high = np.sort(hands, axis=1).T
            return CLASS_OF_HAND[HAND_OF_CARDS[low, high]]
        return np.minimum(strength_of(hands) // 830, self.most - 1).astype(np.int64)

    def __repr__(self):
        return f"MadeHands({self.most})"
