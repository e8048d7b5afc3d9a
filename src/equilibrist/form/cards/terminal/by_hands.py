"""Ends that pay by the hands of both, which nobody shows: what a part is worth where it is cut, as matrices.

value[i] += Σ_j matrix[i, j] · reach[j]
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...._jit.compile import inline_ir, record
from ...._jit.simd import LANES, broadcast_like, broadcast_load, load, load_like, store
from ...._util.arrays import Floats, Ints, offsets
from ..betting import BettingTree, betting_arrays
from ..boards import BoardTree


@record
class HandMatrices(NamedTuple):
    """The matrices of all streets, a pair for each end and board."""

    first_end: Ints  # shape (streets + 1,): the ends of a street
    row: Ints  # shape (2 · ends,): where the row of player 0, and of player 1, begins
    # shape (2 · ends,): where the matrices of the end begin that pay player 0, and player 1: `[board of the street]
    # [position of the other's hand][position of the hand]`, of the width of a row
    first: Ints
    matrix: Floats


NO_MATRICES = HandMatrices(np.zeros(32, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
"""Those of games all of whose ends pay by showdown, or alike; of any number of streets."""


def hand_matrices(tree: BettingTree, boards: BoardTree, first_row: Ints, *, ones: bool = False) -> HandMatrices:
    """Return the matrices of a betting tree on its boards; with ``ones`` both receive 1 at every end."""
    ends = [len(street.by_hands) for street in tree.streets]
    if not any(ends):
        return NO_MATRICES
    arrays, shift = boards.arrays, float(tree.once(betting_arrays).shift[0])
    rows, blocks = [], []
    for street, there in enumerate(tree.streets):
        widths = arrays.width[2 * street : 2 * street + 2]
        positions = [_positions(boards, street, player) for player in range(2)]
        for end in there.by_hands:
            for player in range(2):
                q = 2 * street + player
                rows.append(int(first_row[q] + end.rows[player] * widths[player]))
                block = np.zeros((len(boards.streets[street]), widths[1 - player], widths[player]))
                for board, hands in enumerate(zip(*positions, strict=True)):
                    meet = _meet(boards, hands)
                    paid = (end.payoffs.values[board][np.ix_(*hands)] - shift) * (-1.0 if player else 1.0)
                    matrix = meet * (1.0 if ones else paid)
                    block[board, : matrix.shape[1 - player], : matrix.shape[player]] = matrix if player else matrix.T
                blocks.append(block.ravel())
    first = offsets([len(block) for block in blocks])[:-1]
    return HandMatrices(offsets(ends), np.array(rows), first, np.concatenate(blocks))


def _positions(boards: BoardTree, street: int, player: int) -> list[Ints]:
    """Return the hands of a player at the positions of each board of a street."""
    arrays, listed = boards.arrays, []
    for board in range(int(arrays.first_board[street]), int(arrays.first_board[street + 1])):
        first, count = int(arrays.first_position[2 * board + player]), int(arrays.counts[2 * board + player])
        listed.append(arrays.hand[first : first + count].astype(np.int64))
    return listed


def _meet(boards: BoardTree, hands: tuple[Ints, Ints]) -> Floats:
    """Return 1 for each pair of hands that share no card, else 0."""
    held = [holds[numbers].astype(np.float64) for holds, numbers in zip(boards.blockers.holds, hands, strict=True)]
    return np.asarray(held[0] @ held[1].T == 0, np.float64)


@inline_ir
def values_by_hands(game, scratch, street, player, target):
    """Add to the rows of a player on the open board what the ends pay that are by the hands of both."""
    ends, board = game.terminal.by_hands, scratch.open_board[street]
    width, others = game.boards.width[2 * street + player], game.boards.counts[2 * board + 1 - player]
    size = width * game.boards.width[2 * street + 1 - player]
    for end in range(ends.first_end[street], ends.first_end[street + 1]):
        row, other = ends.row[2 * end + player], ends.row[2 * end + 1 - player]
        first = ends.first[2 * end + player] + (board - game.boards.first_board[street]) * size
        for i in range(0, width, LANES):
            total, at = broadcast_like(target, 0.0), first + i
            for j in range(others):
                total = total + load_like(target, ends.matrix, at) * broadcast_load(scratch.reach, other + j)
                at += width
            store(target, row + i, load(target, row + i) + total)
