"""What each slot earns against the others: dense blocks where the game has them, sparse rows elsewhere."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import compiled
from ..lanes import LANES
from .tree import offsets
from .treeplex import Indices

# What the payoff kernel spends, measured, in units of one entry of a row. Only the ratios matter.
_ROW, _ENTRY = 1.0, 1.0  # a row, and each of its entries
_BLOCK, _COLUMN = 3.0, 2.0  # a block, and each of its columns (with eight entries)


class Payoff(NamedTuple):
    """The map from the others' reach to what each slot earns where the game ends after it: sparse, in two kinds.

        cf_value[s] = Σ_k weight[k] · Π_j reach[column[j, k]]      over the entries k of slot s

    Private hands make slots that stand side by side and meet the same slots of the others. A *block* is up to eight
    such slots with all their columns, where missing entries are 0; it is computed eight slots at a time. Slots that are
    in no block have a *row* of their own. An entry's weight is payoff × probability of chance, summed over all leaves
    that share the same slots.

    Attributes
    ----------
    first_block, first_row : uint32 array, shape (players + 1,)
        The blocks of player p are ``first_block[p] … first_block[p + 1] - 1``; rows likewise.
    block_slot : uint32 array, shape (blocks,)
        First of the eight slots that a block writes; those behind its own get 0, and blocks go upwards.
    block_start : uint32 array, shape (blocks + 1,)
        Where the columns of each block begin.
    block_column : uint32 array, shape (columns,) for two players, else (players - 1, columns)
        Slots of the others.
    block_weight : uint32 array, shape (blocks,)
        Where the weights of each block begin in ``weights``: eight for each of its columns.
    weights : float64 array
        The weights of all blocks; blocks with the same weights (the same showdown after other bets) share them.
    row_slot, row_start, row_column, row_weight
        The same for rows, with one weight a column.
    """

    first_block: Indices
    block_slot: Indices
    block_start: Indices
    block_column: Indices
    block_weight: Indices
    weights: NDArray[np.float64]
    first_row: Indices
    row_slot: Indices
    row_start: Indices
    row_column: Indices
    row_weight: NDArray[np.float64]


def make_payoff(leaf_slots: Indices, weights: NDArray[np.float64]) -> Payoff:
    """Return the payoff of a game from its leaves.

    Parameters
    ----------
    leaf_slots : uint32 array, shape (leaves, players)
        The last slot of each player before each leaf.
    weights : float64 array, shape (leaves, players)
        Payoff × probability of chance.
    """
    players = leaf_slots.shape[1]
    order = np.lexsort(leaf_slots.T[::-1])
    leaf_slots, weights = leaf_slots[order], weights[order]
    starts = np.ones(len(order), bool)
    starts[1:] = (leaf_slots[1:] != leaf_slots[:-1]).any(axis=1)
    leaf_slots, weights = leaf_slots[starts], np.add.reduceat(weights, np.flatnonzero(starts), axis=0)
    parts = [_of_player(player, leaf_slots, weights) for player in range(players)]
    blocks, rows = zip(*parts, strict=True)
    first_block, block_slot, block_start, block_column, weight = _joined(blocks, players)
    block_weight, shared = _share(weight, block_start)
    return Payoff(first_block, block_slot, block_start, block_column, block_weight, shared, *_joined(rows, players))


def _share(weight: NDArray[np.float64], start: Indices) -> tuple[Indices, NDArray[np.float64]]:
    """Return where the weights of each block are, and the weights, each kept once."""
    place: dict[bytes, int] = {}
    pool: list[NDArray[np.float64]] = []
    length = 0
    block_weight = np.zeros(len(start) - 1, np.uint32)
    for block, (first, end) in enumerate(pairwise((start * np.int64(LANES)).tolist())):
        own = weight[first:end]
        block_weight[block] = place.setdefault(own.tobytes(), length)
        if block_weight[block] == length:
            pool.append(own)
            length += len(own)
    return block_weight, np.concatenate([*pool, np.zeros(0)])


class _Pieces(NamedTuple):
    """Blocks or rows of one player."""

    slot: Indices
    columns: Indices  # how many, of each
    column: Indices
    weight: NDArray[np.float64]


def _joined(
    pieces: tuple[_Pieces, ...], players: int
) -> tuple[Indices, Indices, Indices, Indices, NDArray[np.float64]]:
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


def _of_player(player: int, leaf_slots: Indices, weights: NDArray[np.float64]) -> tuple[_Pieces, _Pieces]:
    """Return the blocks and the rows of one player."""
    entries = np.flatnonzero(weights[:, player])  # ties and cancelled payoffs cost nothing
    slots, others = leaf_slots[entries, player], np.delete(leaf_slots[entries], player, axis=1)
    distinct, column = _numbered(others)
    order = np.lexsort((column, slots))
    slots, column, weight = slots[order], column[order], weights[entries, player][order]

    row_slot, row_start = np.unique(slots, return_index=True)
    row_start = np.append(row_start, len(slots)).astype(np.uint32)
    taken = np.ones(len(row_slot), np.uint32)
    columns = np.ones(len(row_slot), np.uint32)
    _cut(row_slot, row_start, column, np.zeros(len(distinct), np.uint32), taken, columns)

    first = np.zeros(len(row_slot), bool)  # whether a piece begins at this row
    first[_starts(taken)] = True
    single, block = np.flatnonzero(first & (taken == 1)), np.flatnonzero(first & (taken > 1))
    in_single = np.repeat(np.isin(np.arange(len(row_slot)), single), np.diff(row_start))
    rows = _Pieces(row_slot[single], np.diff(row_start)[single], distinct[column[in_single]].T, weight[in_single])
    total = int(columns[block].sum())
    block_column, block_weight = np.zeros(total, np.uint32), np.zeros(total * LANES)
    _fill_blocks(block, taken, columns, row_slot, row_start, column, weight, block_column, block_weight)
    return _Pieces(row_slot[block], columns[block], distinct[block_column].T, block_weight), rows


def _numbered(others: Indices) -> tuple[Indices, Indices]:
    """Return the distinct combinations of the others' slots, in order, and the number of each entry's."""
    if others.shape[1] == 0:  # nobody else plays: one empty combination
        return np.zeros((1, 0), np.uint32), np.zeros(len(others), np.uint32)
    distinct, number = np.unique(others, axis=0, return_inverse=True)
    return distinct, number.reshape(-1).astype(np.uint32)


def _starts(taken: Indices) -> list[int]:
    """Return where the pieces begin, when the piece that begins at row i takes ``taken[i]`` rows."""
    starts, i = [], 0
    while i < len(taken):
        starts.append(i)
        i += int(taken[i])
    return starts


@compiled(allocates=True)
def _cut(row_slot, row_start, column, seen, taken, columns):  # type: ignore[no-untyped-def]
    """Cut the rows into pieces so that the whole is cheapest: blocks of up to eight slots, or single rows.

    Filled in place, for a piece that begins at row i: ``taken[i]`` rows, with ``columns[i]`` different columns. Exact,
    from the last row to the first: the best cut from row i on is the best first piece and the best cut of the rest.
    """
    rows = len(row_slot)
    cost = np.zeros(rows + 1)
    for i in range(rows - 1, -1, -1):
        entries = row_start[i + 1] - row_start[i]
        cost[i] = _ROW + _ENTRY * entries + cost[i + 1]
        taken[i], columns[i] = 1, entries
        different, j = 0, i
        while j < rows and row_slot[j] - row_slot[i] < LANES:
            for k in range(row_start[j], row_start[j + 1]):
                if seen[column[k]] != i + 1:  # not yet seen from row i on
                    seen[column[k]] = i + 1
                    different += 1
            j += 1
            whole = _BLOCK + _COLUMN * different + cost[j]
            if whole < cost[i] and j > i + 1:
                cost[i], taken[i], columns[i] = whole, j - i, different


@compiled(allocates=True)
def _fill_blocks(blocks, taken, columns, row_slot, row_start, column, weight, block_column, block_weight):  # type: ignore[no-untyped-def]
    """Fill in place: the columns of each block in rising order, and the eight weights of each."""
    start = 0
    for i in blocks:
        end = start + columns[i]
        own = np.unique(column[row_start[i] : row_start[i + taken[i]]])
        block_column[start:end] = own
        for j in range(i, i + taken[i]):
            lane, at = row_slot[j] - row_slot[i], start
            for k in range(row_start[j], row_start[j + 1]):
                while block_column[at] != column[k]:  # both rise
                    at += 1
                block_weight[at * LANES + lane] = weight[k]
        start = end


def entries(payoff: Payoff, player: int) -> tuple[Indices, Indices, NDArray[np.float64]]:
    """Return the entries of one player, as (slot, column, weight), for those who want the plain sparse matrix."""
    first, end = payoff.first_row[player], payoff.first_row[player + 1]
    start = payoff.row_start[first : end + 1]
    row_slot = np.repeat(payoff.row_slot[first:end], np.diff(start))
    inside = slice(start[0], start[-1])

    first, end = payoff.first_block[player], payoff.first_block[player + 1]
    start = payoff.block_start[first : end + 1]
    columns = np.diff(start)
    eight_slots = np.repeat(payoff.block_slot[first:end], columns)[:, None] + np.arange(LANES, dtype=np.uint32)
    # The n-th column of a block has the n-th eight of its weights.
    nth = np.arange(start[0], start[-1]) - np.repeat(start[:-1], columns)
    eight_weights = payoff.weights.reshape(-1, LANES)[np.repeat(payoff.block_weight[first:end] // LANES, columns) + nth]
    column, lane = np.nonzero(eight_weights)
    block_column = payoff.block_column[..., start[0] : start[-1]][..., column]
    return (
        np.concatenate([row_slot, eight_slots[column, lane]]),
        np.concatenate([payoff.row_column[..., inside], block_column], axis=-1),
        np.concatenate([payoff.row_weight[inside], eight_weights[column, lane]]),
    )
