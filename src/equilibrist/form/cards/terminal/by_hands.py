"""Ends that pay by the hands of both, which nobody shows: what a part is worth where it is cut, as matrices.

value[i] += Σ_j matrix[i, j] · reach[j]
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...._jit.compile import inline_ir, record
from ...._jit.simd import LANES, broadcast_like, broadcast_load, load, load_like, store
from ...._util.arrays import Floats, Ints


@record
class HandMatrices(NamedTuple):
    """The matrices of all streets, a pair for each end and board."""

    first_end: Ints  # shape (streets + 1,): the ends of a street
    row: Ints  # shape (2 · ends,): where the row of player 0, and of player 1, begins
    # shape (2 · ends,): where the matrices of the end begin that pay player 0, and player 1: `[board of the street]
    # [position of the other's hand][position of the hand]`, of the width of a row
    first: Ints
    matrix: Floats


NO_MATRICES = HandMatrices(
    np.zeros(32, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
)
"""Those of games all of whose ends pay by showdown, or alike; of any number of streets."""


@inline_ir
def values_by_hands(game, scratch, street, player, target):
    """Add to the rows of a player on the open board what the ends pay that are by the hands of both."""
    ends = game.terminal.by_hands
    board = scratch.open_board[street]
    width = game.boards.width[2 * street + player]
    others = game.boards.counts[2 * board + 1 - player]
    size = width * game.boards.width[2 * street + 1 - player]
    for end in range(ends.first_end[street], ends.first_end[street + 1]):
        row = ends.row[2 * end + player]
        other = ends.row[2 * end + 1 - player]
        first = ends.first[2 * end + player] + (board - game.boards.first_board[street]) * size
        for i in range(0, width, LANES):
            total = broadcast_like(target, 0.0)
            at = first + i
            for j in range(others):
                total = total + load_like(target, ends.matrix, at) * broadcast_load(
                    scratch.reach, other + j
                )
                at += width
            store(target, row + i, load(target, row + i) + total)
