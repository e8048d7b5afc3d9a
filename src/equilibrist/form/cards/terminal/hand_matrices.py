"""The matrices of ends that pay by the hands of both (:mod:`.by_hands`), made of a betting tree and its boards."""

from __future__ import annotations

import numpy as np

from ...._util.arrays import Floats, Ints, offsets
from ..betting import BettingTree, betting_arrays
from ..boards import BoardTree
from .by_hands import NO_MATRICES, HandMatrices


def hand_matrices(
    tree: BettingTree, boards: BoardTree, first_row: Ints, *, ones: bool = False
) -> HandMatrices:
    """Return the matrices of a betting tree on its boards; with ``ones`` both receive 1 at every end."""
    ends = [len(street.by_hands) for street in tree.streets]
    if not any(ends):
        return NO_MATRICES
    arrays = boards.arrays
    shift = float(tree.once(betting_arrays).shift[0])
    rows = []
    blocks = []
    for street, there in enumerate(tree.streets):
        widths = arrays.width[2 * street : 2 * street + 2]
        positions = [_hands_by_position(boards, street, player) for player in range(2)]
        for end in there.by_hands:
            for player in range(2):
                q = 2 * street + player
                rows.append(int(first_row[q] + end.rows[player] * widths[player]))
                block = np.zeros((len(boards.streets[street]), widths[1 - player], widths[player]))
                for board, hands in enumerate(zip(*positions, strict=True)):
                    meet = _compatible_pairs(boards, hands)
                    paid = (end.payoffs.values[board][np.ix_(*hands)] - shift) * (
                        -1.0 if player else 1.0
                    )
                    matrix = meet * (1.0 if ones else paid)
                    if player:
                        block[board, : matrix.shape[1 - player], : matrix.shape[player]] = matrix
                    else:
                        block[board, : matrix.shape[1 - player], : matrix.shape[player]] = matrix.T
                blocks.append(block.ravel())
    first = offsets([len(block) for block in blocks])[:-1]
    return HandMatrices(offsets(ends), np.array(rows), first, np.concatenate(blocks))


def _hands_by_position(boards: BoardTree, street: int, player: int) -> list[Ints]:
    """Return the hands of a player at the positions of each board of a street."""
    arrays = boards.arrays
    hands = []
    for board in range(int(arrays.first_board[street]), int(arrays.first_board[street + 1])):
        first = int(arrays.first_position[2 * board + player])
        count = int(arrays.counts[2 * board + player])
        hands.append(arrays.hand[first : first + count].astype(np.int64))
    return hands


def _compatible_pairs(boards: BoardTree, hands: tuple[Ints, Ints]) -> Floats:
    """Return 1 for each pair of hands that share no card, else 0."""
    holds_card = [
        holds[numbers].astype(np.float64)
        for holds, numbers in zip(boards.blockers.holds, hands, strict=True)
    ]
    return np.asarray(holds_card[0] @ holds_card[1].T == 0, np.float64)
