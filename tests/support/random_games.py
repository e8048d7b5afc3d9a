"""Small random games with perfect recall: a seed makes a game, the same one each time."""

import random

from equilibrist.game.protocol import CHANCE, TERMINAL

CHANCES = ((0.5, 0.5), (0.25, 0.75), (0.2, 0.3, 0.5), (0.0, 1.0), (0.6, 0.0, 0.4), (1.0,))
TIED = (-2.0, -1.0, 0.0, 0.0, 1.0, 3.0)


class RandomGame:
    """A random tree. States are histories: tuples of the numbers of the moves made.

    What a player knows is all that they have seen and done, plus a hint that is the same after many histories; so
    infosets hold several histories and nobody forgets. Players move in any order, several times in a row or never;
    plays end at different depths; infosets have one to three actions; some outcomes of chance have probability 0.

    Parameters
    ----------
    seed : int
        Everything follows from it.
    players : int, optional
        By default 2 or 3.
    zero_sum : bool
        Whether the last player pays for all others.
    ties : bool
        Whether payoffs are small whole numbers, many the same, rather than real numbers.
    depth : int
        Most moves in a play.
    """

    def __init__(self, seed, *, players=None, zero_sum=True, ties=True, depth=5):
        self.seed, self.zero_sum, self.ties, self.depth = seed, zero_sum, ties, depth
        self.players = players or self._dice("players").choice((2, 2, 3))
        self._nodes = {}  # history: (player, actions, probabilities or infoset or payoffs)
        self._write((), [""] * self.players)

    def __str__(self):
        return f"random game {self.seed}"

    def _dice(self, *what):
        return random.Random(f"{self.seed} {what}")

    def _write(self, history, known):
        """Decide about a history and all that come after it; ``known`` is what each player has seen and done."""
        dice = self._dice(history)
        ends = len(history) >= self.depth or (len(history) >= 2 and dice.random() < 0.25)
        player = (
            TERMINAL if ends else dice.choice((CHANCE, *range(self.players), *range(self.players)))
        )
        if player == TERMINAL:
            draw = (lambda: dice.choice(TIED)) if self.ties else (lambda: dice.uniform(-2, 3))
            payoffs = [draw() for _ in range(self.players)]
            if self.zero_sum:
                payoffs[-1] = -sum(payoffs[:-1])
            self._nodes[history] = player, (), payoffs
        elif player == CHANCE:
            probabilities = dice.choice(CHANCES)
            self._nodes[history] = player, tuple(range(len(probabilities))), probabilities
            for outcome in range(len(probabilities)):
                self._write((*history, outcome), known)
        else:
            infoset = f"{known[player]}{dice.choice('xxy')}"
            actions = tuple(range(self._dice(player, infoset).choice((1, 2, 2, 3))))
            self._nodes[history] = player, actions, infoset
            for action in actions:
                self._write(
                    (*history, action),
                    [*known[:player], f"{infoset}{action}", *known[player + 1 :]],
                )

    def start(self):
        return ()

    def player(self, state):
        return self._nodes[state][0]

    def actions(self, state):
        return self._nodes[state][1]

    def probabilities(self, state):
        return self._nodes[state][2]

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return self._nodes[state][2]

    def infoset(self, state):
        return self._nodes[state][2]

    def action_label(self, state, action):
        return "abc"[action]


def random_strategy(infosets, seed):
    """Return a strategy with pure, mixed and near-pure rows, from [(player, infoset, actions)] and a seed."""
    dice, table = random.Random(f"strategy {seed}"), {}
    for player, key, actions in infosets:
        weights = [dice.choice((0.0, 0.01, dice.random(), 1.0)) for _ in actions]
        weights = weights if sum(weights) else [1.0] * len(actions)
        table[player, key] = {a: w / sum(weights) for a, w in zip(actions, weights, strict=True)}
    return table
