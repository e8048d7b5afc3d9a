"""Small random games of private hands and public moves: a seed makes a game, the same one each time."""

import random

import numpy as np

from equilibrist import CHANCE, TERMINAL, Showdown
from support.random_games import CHANCES, TIED


class RandomPublicGame:
    """A random public tree, or a tree whose branches grow together. A state is (moves made, which of those).

    Some hands are never dealt, some never meet, some see outcomes of chance that others cannot. Players move in any
    order, several times in a row or never, among one to three actions; plays end at different depths.

    Parameters
    ----------
    seed : int
        Everything follows from it.
    merges : bool, optional
        Whether many ways lead to one state. By default the seed decides.
    ties : bool
        Whether payoffs are small whole numbers, many the same, rather than real numbers.
    depth : int
        Most public moves in a play.
    """

    def __init__(self, seed, *, merges=None, ties=False, depth=4):
        self.seed, self.ties, self.depth = seed, ties, depth
        dice = self._dice("all")
        self.merges = dice.random() < 0.5 if merges is None else merges
        self.sizes = tuple(dice.choice((1, 2, 3, 3, 4, 5, 9)) for _ in range(2))
        self.hands = tuple(
            [f"{suit}{hand}" for hand in range(size)]
            for suit, size in zip("KQ", self.sizes, strict=True)
        )
        self._prior = self._deal(dice)
        self._nodes = {}

    def __str__(self):
        return f"random public game {self.seed}"

    def _dice(self, *what):
        return random.Random(f"{self.seed} {what}")

    def _deal(self, dice):
        """Return the probability of each deal: of dice, of cards where the decks are the same, or any."""
        own, other = (np.array([dice.random() for _ in range(size)]) for size in self.sizes)
        prior = np.outer(own, other)
        kind = dice.choice(("dice", "cards", "any"))
        if kind == "cards":
            prior *= 1 - np.eye(*self.sizes)
        if kind == "any":
            prior *= [[dice.choice((0, 1, 1, 2)) for _ in other] for _ in own]
        if dice.random() < 0.3:
            prior[dice.randrange(self.sizes[0])] = 0.0
        if dice.random() < 0.3:
            prior[:, dice.randrange(self.sizes[1])] = 0.0
        if not prior.any():
            prior[-1, -1] = 1.0
        return prior / prior.sum()

    def _node(self, state):
        """Return (who moves, the actions, the probabilities or the payoff)."""
        if state not in self._nodes:
            dice = self._dice(state)
            ends = state[0] >= self.depth or (state[0] > 0 and dice.random() < 0.2)
            player = TERMINAL if ends else dice.choice((CHANCE, 0, 0, 1, 1))
            if player == TERMINAL:
                self._nodes[state] = player, (), self._paid(dice)
            elif player == CHANCE:
                shares = self._shares(dice)
                self._nodes[state] = player, tuple(range(len(shares))), shares
            else:
                self._nodes[state] = player, tuple(range(dice.choice((1, 2, 2, 3)))), ()
        return self._nodes[state]

    def _paid(self, dice):
        def amount():
            return dice.choice(TIED) if self.ties else dice.uniform(-2, 3)

        kind = dice.choice(("number", "showdown", "showdown", "matrix"))
        if kind == "number":
            return amount()
        if kind == "matrix":
            return [[amount() for _ in range(self.sizes[1])] for _ in range(self.sizes[0])]
        strengths = tuple([dice.randrange(4) for _ in range(size)] for size in self.sizes)
        return Showdown(strengths, win=amount(), lose=amount(), tie=amount())

    def _shares(self, dice):
        """Return numbers; or matrices, a share of 1 for each pair of hands; or a number and matrices."""
        kind = dice.choice(("numbers", "matrices", "both"))
        if kind == "numbers":
            return dice.choice(CHANCES)
        count = dice.choice((1, 2, 3))
        parts = np.array(
            [
                [
                    [dice.choice((0.0, 1.0, dice.random())) for _ in range(self.sizes[1])]
                    for _ in range(self.sizes[0])
                ]
                for _ in range(count)
            ]
        )
        parts[0] += parts.sum(axis=0) == 0
        parts /= parts.sum(axis=0)
        if dice.random() < 0.5:  # of hands that never meet anything may be said
            parts[:, self._prior == 0] = 0.7
        return [0.25, *(0.75 * parts)] if kind == "both" else list(parts)

    def prior(self):
        return self._prior

    def start(self):
        return (0, 0)

    def player(self, state):
        return self._node(state)[0]

    def actions(self, state):
        return self._node(state)[1]

    def probabilities(self, state):
        return self._node(state)[2]

    def next(self, state, action):
        moves, which = state
        return moves + 1, self._dice(state, action).randrange(
            3
        ) if self.merges else 4 * which + action

    def payoff(self, state):
        return self._node(state)[2]

    def action_label(self, state, action):
        return "abcd"[action]
