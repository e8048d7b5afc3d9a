"""Kuhn's betting over any hands, boards and strengths: a small card game to try odd cards on."""

import numpy as np

from equilibrist import CHANCE, TERMINAL, Deal
from equilibrist.game.card_game import ShowdownPayoffs

BETS = {"pp": 0, "bc": 1, "pbc": 1}
"""The lines that end in a showdown, and the chips that were bet and called."""


class KuhnCards:
    """One round of pass or bet, then the streets, then the showdown; both have paid an ante of 1.

    Parameters
    ----------
    hands, weights, cards
        As for :class:`Deal`.
    board, streets, symmetries
        As in :class:`CardGame`; by default nothing is public and nothing symmetric.
    strength : callable, optional
        Of a hand and a board; by default the greatest card of the hand.
    """

    def __init__(
        self, hands, weights=None, *, cards, board=(), streets=(), symmetries=None, strength=None
    ):
        self.deal = Deal(hands, weights, cards=cards)
        self.cards = [f"c{card}" for card in range(cards)]
        self.hands = tuple(
            [f"{number}:{'-'.join(map(str, hand))}" for number, hand in enumerate(own)]
            for own in hands
        )
        self.board, self.streets = board, streets
        self.symmetries = np.arange(cards)[None] if symmetries is None else np.array(symmetries)
        self.strength = strength or (lambda hand, board: max(hand))

    def strengths(self, boards):
        return tuple(
            np.array(
                [[self.strength(hand, board) for hand in own] for board in boards.tolist()],
                np.int64,
            )
            for own in self.deal.hands
        )

    def start(self):
        return ""

    def player(self, line):
        bets, dealt = line.rstrip("/"), line.count("/")
        if bets in BETS and dealt < len(self.streets):
            return CHANCE
        return TERMINAL if bets in (*BETS, "bf", "pbf") else len(line) % 2

    def actions(self, line):
        return "fc" if line.endswith("b") else "pb"

    def next(self, line, action):
        return line + ("/" if action is None else action)

    def payoff(self, line):
        if line.rstrip("/") in BETS:
            bet = BETS[line.rstrip("/")]
            return ShowdownPayoffs((2 + bet, -bet), (1, 1), (-bet, 2 + bet))
        return (2, 0) if line == "bf" else (0, 2)
