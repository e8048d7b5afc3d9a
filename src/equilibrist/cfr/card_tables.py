"""Tables of CFR on a card form: regrets and averages at the slots, as floats or as whole numbers of 16 bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import record
from .._jit.simd import LANES, zeros
from .._util.arrays import Ints, offsets
from ..form.cards.walk import CardArrays

FULL = 32767
"""What the largest number of a block is stored as in 16 bits; of probabilities, what 1 is."""


@record
class CardTables(NamedTuple):
    """What CFR knows between iterations: a number a slot."""

    played: NDArray[Any]  # what the current strategy follows from: `regret_sum` itself, or a table of probabilities
    # `regret_sum`, `strategy_sum`: sums of regrets and of the average
    regret_sum: NDArray[Any]
    strategy_sum: NDArray[Any]
    following: NDArray[Any]  # where the next strategy is written; empty where it follows from `regret_sum`


@record
class CardScales(NamedTuple):
    """What sums of 16 bits are multiplied by, a number for each block, eight infosets of a node on a board; shares need
    none.
    """

    # shape (2 · streets + 1,): where the blocks of a street and player begin, by `q = 2 · street + player`:
    # `[board][node][block]`
    first: Ints
    # `regret_sum`, `strategy_sum`: float32 array, shape (blocks,)
    regret_sum: NDArray[np.float32]
    strategy_sum: NDArray[np.float32]


def make_scales(game: CardArrays) -> CardScales:
    """Return scales of 0 for all blocks of a game."""
    nodes, boards = np.diff(game.betting.first_node), np.repeat(np.diff(game.boards.first_board), 2)
    first = offsets(nodes * boards * game.boards.width // LANES)
    return CardScales(first, *(zeros(int(first[-1]), np.float32) for _ in range(2)))


def blocks_of(game: CardArrays, scales: CardScales, slots: Ints) -> Ints:
    """Return the block of each slot."""
    group = np.searchsorted(game.first_slot, slots, side="right") - 1  # 2 · street + player
    lines, width = game.betting.lines[group // 2], game.boards.width[group]
    row, hand = np.divmod(slots - game.first_slot[group], width)
    board, row = np.divmod(row, game.betting.rows[group] - lines)
    node = np.empty(len(slots), np.int64)
    for number in np.unique(group).tolist():
        first_row = game.betting.nodes[slice(*game.betting.first_node[number : number + 2])].first
        order, in_group = np.argsort(first_row), group == number  # nodes are in the order of a walk, as their rows are
        node[in_group] = order[np.searchsorted(first_row[order], (row + lines)[in_group], side="right") - 1]
    nodes = np.diff(game.betting.first_node)[group]
    return np.asarray(scales.first[group] + ((board * nodes + node) * width + hand) // LANES)
