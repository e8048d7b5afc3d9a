"""Buckets of hold'em that take no time to make."""

import numpy as np

from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, hand_index
from equilibrist.poker.cards.hand_ranks import strength_of


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
            return np.array([CLASS_OF_HAND[hand_index(*hand)] for hand in hands.tolist()])
        return np.minimum(strength_of(hands) // 830, self.most - 1).astype(np.int64)

    def __repr__(self):
        return f"MadeHands({self.most})"
