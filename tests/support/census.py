"""The sizes of a game, counted by its compiled rules without a tree: for games too large to be walked in tests."""

from functools import cache
from typing import NamedTuple

import numba
import numpy as np

import equilibrist as eq
from equilibrist.game.compiled_rules import compile_rules
from equilibrist.game.protocol import CHANCE, TERMINAL

LARGE = (
    "battleship(width=3, shots=4)",
    "liars_dice(dice=(2, 1), order='face', wild_biddable=False)",
    "no_limit_leduc",
)
"""The games with known sizes that only a census counts."""


class Census(NamedTuple):
    """How many histories and leaves; infosets and sequences (the empty one included) of each player."""

    histories: int
    leaves: int
    infosets_of: tuple[int, ...]
    sequences_of: tuple[int, ...]

    @property
    def infosets(self):
        return sum(self.infosets_of)


@cache
def census(text):
    """Return the sizes of the game that a text such as ``kuhn(cards=4)`` makes."""
    game = eq.load(text)
    histories, leaves, infosets, sequences = _count(
        compile_rules(game), game.players, game.max_actions, game.max_observation, 100
    )
    return Census(histories, leaves, tuple(infosets.tolist()), tuple(sequences.tolist()))


@numba.njit(cache=True)
def _count(rules, players, max_actions, max_observation, depth):
    """Walk depth first; infosets are told apart by a hash of 64 bits."""
    p, start = rules.parameters, rules.start
    states = np.zeros((depth + 1, start.size), np.int64)
    actions = np.zeros((depth + 1, max_actions), np.int64)
    left = np.zeros(depth + 1, np.int64)  # of the actions at each level, -1 on arrival
    observation = np.zeros(max_observation, np.int64)
    infosets, sequences = np.zeros(players, np.int64), np.ones(players, np.int64)
    seen = {np.uint64(0)}
    histories, leaves, level = 0, 0, 0
    states[0], left[0] = start, -1
    while level >= 0:
        s = states[level]
        if left[level] < 0:
            histories += 1
            left[level] = 0
            player = rules.player(p, s)
            if player == TERMINAL:
                leaves += 1
            else:
                left[level] = rules.actions(p, s, actions[level])
            if player not in (CHANCE, TERMINAL):
                key = np.uint64(player + 1) * np.uint64(0x9E3779B97F4A7C15)
                for at in range(rules.observe(p, s, observation)):
                    key = (key ^ np.uint64(observation[at] + 7)) * np.uint64(0x9E3779B97F4A7C15)
                    key ^= key >> np.uint64(29)
                if key not in seen:
                    seen.add(key)
                    infosets[player] += 1
                    sequences[player] += left[level]
        left[level] -= 1
        if left[level] < 0:
            level -= 1
        else:
            states[level + 1], left[level + 1] = s, -1
            rules.play(p, states[level + 1], actions[level, left[level]])
            level += 1
    return histories, leaves, infosets, sequences
