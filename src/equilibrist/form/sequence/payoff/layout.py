"""The layout of a payoff for kernels: dense blocks of eight slots where the game has them, sparse rows elsewhere."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit.compile import compiled, record
from ...._jit.simd import LANES, aligned
from ...._util.arrays import Floats, Indices, offsets
from .entries import payoff_entries
from .partition import nonzero_rows, partition
from .pool import Pool, number_next_vector, share_weights


class Payoff(NamedTuple):
    """The map from the others' reach to the terminal counterfactual values of each slot: sparse, in two kinds.

        cf_value[s] = Σ_k weight[k] · Π_j reach[column[j, k]]      over the entries k of slot s

    Private hands make slots that stand side by side and meet the same slots of the others. A *block* is up to eight
    such slots with all their columns, where missing entries are 0; it is computed eight slots at a time. Slots that are
    in no block have a *row* of their own. An entry's weight is payoff × probability of chance, summed over all leaves
    that share the same slots.

    Attributes
    ----------
    first_block : uint32 array, shape (players + 1,)
        The blocks of player p are ``first_block[p] … first_block[p + 1] - 1``.
    block_slot : uint32 array, shape (blocks,)
        First of the eight slots that a block writes; those behind its own get 0, and blocks go
        upwards.
    block_start : uint32 array, shape (blocks + 1,)
        Where the columns of each block begin.
    block_column : uint32 array, shape (columns,) for two players, else (players - 1, columns)
        Slots of the others.
    block_weight : uint32 array, shape (blocks,)
        Where the weights of each block begin in ``weights``: eight for each of its columns.
    column_weight : uint32 array, shape (columns,) or (0, 0)
        Where the eight weights of each column begin instead, in games where that takes less memory.
        (Not just an empty array, so that kernels are compiled for either case.)
    weights : float array
        The weights of all blocks. Blocks with the same weights (the same showdown after other bets)
        share them, or columns with the same eight do (a few payoffs, win and loss, in all
        patterns).
    first_row : uint32 array, shape (players + 1,)
        The rows of player p, as their blocks.
    row_slot : uint32 array, shape (rows,)
        The slot that a row writes.
    row_start : uint32 array, shape (rows + 1,)
        Where the columns of each row begin.
    row_column : uint32 array
        Slots of the others, shaped as ``block_column``.
    row_weight : float array, shape (columns,)
        The weight of each.
    """

    first_block: Indices
    block_slot: Indices
    block_start: Indices
    block_column: Indices
    block_weight: Indices
    column_weight: Indices
    weights: Floats
    first_row: Indices
    row_slot: Indices
    row_start: Indices
    row_column: Indices
    row_weight: Floats


def make_payoff(leaf_slots: Indices, weights: Floats) -> Payoff:
    """Return the payoff of a game from its leaves (:func:`payoff_entries`), laid out from each player's entries."""
    players = len(leaf_slots)
    pool = Pool.with_room(1 << 6, np.zeros((0, LANES)))
    blocks = []
    rows = []
    for player in range(players):
        own_blocks, own_rows, pool = _lay_out_player(player, leaf_slots, weights, pool)
        blocks.append(own_blocks)
        rows.append(own_rows)
    first_block, block_slot, block_start, block_column, number = _join_pieces(blocks, players)
    block_weight, column_weight, shared = share_weights(block_start, number, pool.table)
    block_parts = (
        first_block,
        block_slot,
        block_start,
        block_column,
        block_weight,
        column_weight,
        aligned(shared),
    )
    return Payoff(*block_parts, *_join_pieces(rows, players))


def convert_precision(payoff: Payoff, precision: str) -> Payoff:
    """Return a payoff with weights in a precision, for kernels that compute in it."""
    if payoff.weights.dtype == precision:
        return payoff
    weights = aligned(payoff.weights.astype(precision))
    return payoff._replace(weights=weights, row_weight=payoff.row_weight.astype(precision))


@record
class _Pieces(NamedTuple):
    """Blocks or rows of one player."""

    slot: Indices
    columns: Indices  # how many, of each
    column: Indices
    # one for each column: of a row its weight, of a block the number of a vector
    weight: NDArray[Any]


def _join_pieces(
    pieces: list[_Pieces], players: int
) -> tuple[Indices, Indices, Indices, Indices, Any]:
    """Return first, slot, start, column and weight of the pieces of all players."""
    first = offsets([len(piece.slot) for piece in pieces])
    start = offsets(np.concatenate([piece.columns for piece in pieces]))
    column = np.concatenate([piece.column for piece in pieces], axis=1)
    return (
        first.astype(np.uint32),
        np.concatenate([piece.slot for piece in pieces]),
        start.astype(np.uint32),
        column[0] if players == 2 else np.ascontiguousarray(column),
        np.concatenate([piece.weight for piece in pieces]),
    )


def _lay_out_player(
    player: int, leaf_slots: Indices, weights: Floats, pool: Pool
) -> tuple[_Pieces, _Pieces, Pool]:
    """Return the blocks and the rows of one player, and the vectors of weights that are known then."""
    entries = payoff_entries(leaf_slots, weights, player)
    rows = nonzero_rows(entries)
    first, taken, columns = partition(rows, len(entries.slots))
    single = np.flatnonzero(first & (taken == 1))
    block = np.flatnonzero(first & (taken > 1))
    in_single = np.repeat(first & (taken == 1), np.diff(rows.start))
    singles = _Pieces(
        rows.slot[single],
        columns[single],
        entries.slots[rows.column[in_single]].T,
        rows.weight[in_single],
    )
    start = offsets(columns[block])
    column = np.zeros(start[-1], np.uint32)
    number = np.zeros(start[-1], np.uint32)
    filled = 0
    pointer = np.zeros(LANES, np.int64)
    while True:
        filled = _fill_blocks(filled, block, start, taken, rows, pointer, pool, (column, number))
        if filled == len(block):
            slots = entries.slots[column].T
            return _Pieces(rows.slot[block], columns[block], slots, number), singles, pool
        pool = Pool.with_room(2 * len(pool.room), pool.table)


@compiled(allocates=False)
def _fill_blocks(done, block, block_start, taken, rows, pointer, pool, filled):  # type: ignore[no-untyped-def]
    """Fill in place, from a block on: the columns of each in rising order, and the number of each one's eight weights.

    Return the block before which there was no more room in the pool. ``pointer`` is scratch: a
    place in each row.
    """
    slot, start, column, weight = rows
    filled_column, filled_number = filled
    for b in range(done, len(block)):
        if pool.used[0] + block_start[b + 1] - block_start[b] >= len(pool.room):
            return b
        i = block[b]
        count = taken[i]
        for row in range(count):
            pointer[row] = start[i + row]
        for at in range(block_start[b], block_start[b + 1]):
            lowest = np.uint32(0xFFFFFFFF)
            for row in range(count):
                if pointer[row] < start[i + row + 1]:
                    lowest = min(lowest, column[pointer[row]])
            vector = pool.room[pool.used[0]]
            for lane in range(LANES):
                vector[lane] = 0.0
            for row in range(count):
                if pointer[row] < start[i + row + 1] and column[pointer[row]] == lowest:
                    vector[slot[i + row] - slot[i]] = weight[pointer[row]]
                    pointer[row] += 1
            filled_column[at] = lowest
            filled_number[at] = number_next_vector(pool)
    return len(block)


def entries(payoff: Payoff, player: int) -> tuple[Indices, Indices, Floats]:
    """Return the canonical entries of one player again, as (slot, column, weight), in the order of the layout."""
    first = payoff.first_row[player]
    end = payoff.first_row[player + 1]
    start = payoff.row_start[first : end + 1]
    row_slot = np.repeat(payoff.row_slot[first:end], np.diff(start))
    inside = slice(start[0], start[-1])

    first = payoff.first_block[player]
    end = payoff.first_block[player + 1]
    start = payoff.block_start[first : end + 1]
    columns = np.diff(start)
    eight_slots = np.repeat(payoff.block_slot[first:end], columns)[:, None] + np.arange(
        LANES, dtype=np.uint32
    )
    # The n-th column of a block has the n-th vector of its weights.
    nth = np.arange(start[0], start[-1]) - np.repeat(start[:-1], columns)
    place = np.repeat(payoff.block_weight[first:end] // LANES, columns) + nth
    if payoff.column_weight.ndim == 1:
        place = payoff.column_weight[start[0] : start[-1]] // LANES
    eight_weights = payoff.weights.reshape(-1, LANES)[place]
    column, lane = np.nonzero(eight_weights)
    block_column = payoff.block_column[..., start[0] : start[-1]][..., column]
    return (
        np.concatenate([row_slot, eight_slots[column, lane]]),
        np.concatenate([payoff.row_column[..., inside], block_column], axis=-1),
        np.concatenate([payoff.row_weight[inside], eight_weights[column, lane]]),
    )
