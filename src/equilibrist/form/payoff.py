"""What each slot earns against the others: dense blocks where the game has them, sparse rows elsewhere."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled
from .._jit.hashtable import hash_integers
from .._jit.simd import LANES, aligned
from .._util.arrays import Indices, offsets

# What the payoff kernel spends, measured, in units of one entry of a row. Only the ratios matter.
_ROW, _ENTRY = 1.0, 1.0  # a row, and each of its entries
_BLOCK, _COLUMN = 3.0, 2.0  # a block, and each of its columns (with eight entries)
_FEW_WEIGHTS = 1 << 15  # as many as stay in a second-level cache: up to these, columns need no index of their own


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
    column_weight : uint32 array, shape (columns,) or (0, 0)
        Where the eight weights of each column begin instead, in games where that takes less memory. (Not just an empty
        array, so that kernels are compiled for either case.)
    weights : float64 array
        The weights of all blocks. Blocks with the same weights (the same showdown after other bets) share them, or
        columns with the same eight do (a few payoffs, win and loss, in all patterns).
    row_slot, row_start, row_column, row_weight
        The same for rows, with one weight a column.
    """

    first_block: Indices
    block_slot: Indices
    block_start: Indices
    block_column: Indices
    block_weight: Indices
    column_weight: Indices
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
    leaf_slots : uint32 array, shape (players, leaves)
        The last slot of each player before each leaf.
    weights : float64 array, shape (leaves, players)
        Payoff × probability of chance.
    """
    players = len(leaf_slots)
    eights, blocks, rows = _Eights.with_room(1 << 6, np.zeros((0, LANES))), [], []
    for player in range(players):
        own_blocks, own_rows, eights = _of_player(player, leaf_slots, weights, eights)
        blocks.append(own_blocks)
        rows.append(own_rows)
    first_block, block_slot, block_start, block_column, place = _joined(blocks, players)
    block_weight, column_weight, shared = _shared(block_start, place, eights.table)
    block_parts = (first_block, block_slot, block_start, block_column, block_weight, column_weight, aligned(shared))
    return Payoff(*block_parts, *_joined(rows, players))


class _Pieces(NamedTuple):
    """Blocks or rows of one player."""

    slot: Indices
    columns: Indices  # how many, of each
    column: Indices
    weight: NDArray[Any]  # one for each column: of a row its weight, of a block the number of its eight weights


def _joined(pieces: list[_Pieces], players: int) -> tuple[Indices, Indices, Indices, Indices, Any]:
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


class _Eights(NamedTuple):
    """The different eights of weights that the columns of blocks have, in the order in which they are first met.

    Attributes
    ----------
    room : float64 array, shape (rows, 8)
        The eights; ``known[0]`` rows are in use, and the next is scratch.
    bits : uint64 array, shape (rows, 8)
        The same memory.
    cell : uint32 array
        A hash table: each cell holds the number of an eight + 1, or 0.
    known : int64 array, shape (1,)
    """

    room: NDArray[np.float64]
    bits: NDArray[np.uint64]
    cell: Indices
    known: NDArray[np.int64]

    @classmethod
    def with_room(cls, rows: int, known: NDArray[np.float64]) -> _Eights:
        """Return a table with so many rows, those that are known first."""
        room = np.zeros((rows, LANES))
        room[: len(known)] = known
        eights = cls(room, room.view(np.uint64), np.zeros(4 * rows, np.uint32), np.array([len(known)]))
        _enter(eights)
        return eights

    @property
    def table(self) -> NDArray[np.float64]:
        """The eights in use."""
        return self.room[: self.known[0]]


def _of_player(
    player: int, leaf_slots: Indices, weights: NDArray[np.float64], eights: _Eights
) -> tuple[_Pieces, _Pieces, _Eights]:
    """Return the blocks and the rows of one player, and the eights that are known then."""
    others, distinct = _numbered(leaf_slots[np.arange(len(leaf_slots)) != player])
    start, column, weight = _sorted_entries(leaf_slots[player], others, weights, player)
    _merge(start, column, weight)
    row_slot = np.flatnonzero(np.diff(start)).astype(np.uint32)
    row_start = np.append(start[row_slot], start[-1]).astype(np.uint32)

    first, taken, columns = np.zeros(len(row_slot), bool), *(np.ones(len(row_slot), np.uint32) for _ in range(2))
    _cut(row_slot, row_start, column, np.zeros(len(distinct), np.uint32), first, taken, columns)
    single, block = np.flatnonzero(first & (taken == 1)), np.flatnonzero(first & (taken > 1))
    in_single = np.repeat(first & (taken == 1), np.diff(row_start))
    rows = _Pieces(
        row_slot[single], columns[single], distinct[column[: start[-1]][in_single]].T, weight[: start[-1]][in_single]
    )

    block_start = offsets(columns[block])
    block_column, number = np.zeros(block_start[-1], np.uint32), np.zeros(block_start[-1], np.uint32)
    done, pointer = 0, np.zeros(LANES, np.int64)
    while True:
        done = _fill_blocks(
            done, block, block_start, taken, row_slot, row_start, column, weight, pointer, eights, block_column, number
        )
        if done == len(block):
            return _Pieces(row_slot[block], columns[block], distinct[block_column].T, number), rows, eights
        eights = _Eights.with_room(2 * len(eights.room), eights.table)


def _numbered(others: Indices) -> tuple[Indices, Indices]:
    """Return the number of each leaf's combination of the others' slots, and the different ones in their order."""
    players, size = len(others), int(others.max(initial=0)) + 1
    if players == 0:  # nobody else plays: one empty combination
        return np.zeros(others.shape[1], np.uint32), np.zeros((1, 0), np.uint32)
    if players == 1:  # a slot is its own number
        return others[0], np.arange(size, dtype=np.uint32)[:, None]
    if size**players > 2**63:
        distinct, number = np.unique(others.T, axis=0, return_inverse=True)
        return number.reshape(-1).astype(np.uint32), distinct
    scale = np.array([size**power for power in reversed(range(players))], np.int64)
    whole, number = np.unique(scale @ others, return_inverse=True)
    return number.astype(np.uint32), (whole[:, None] // scale % size).astype(np.uint32)


def _sorted_entries(
    slots: Indices, number: Indices, weights: NDArray[np.float64], player: int
) -> tuple[NDArray[np.int64], Indices, NDArray[np.float64]]:
    """Return where the entries of each slot begin, and columns and weights sorted by slot and column.

    By counting, once by column and once by slot; equal entries stay in their order. Ties have no entries.
    """
    by_number, by_slot = (np.zeros(int(key.max(initial=0)) + 2, np.int64) for key in (number, slots))
    _count(number, weights, player, by_number)
    _count(slots, weights, player, by_slot)
    entries = int(by_slot[-1])
    slot, column = np.empty(entries, np.uint32), np.empty(entries, np.uint32)
    half_sorted, weight = np.empty(entries), np.empty(entries)
    _sort_leaves(number, slots, weights, player, by_number[:-1].copy(), slot, half_sorted)
    _sort_entries(slot, half_sorted, by_number, by_slot[:-1].copy(), column, weight)
    return by_slot, column, weight


@compiled(allocates=False)
def _count(key, weights, player, start):  # type: ignore[no-untyped-def]
    """Fill in place: where the leaves with each key begin that are not ties, and where the last of them end."""
    for leaf in range(len(key)):
        if weights[leaf, player] != 0.0:
            start[key[leaf] + 1] += 1
    for k in range(1, len(start)):
        start[k] += start[k - 1]


@compiled(allocates=False)
def _sort_leaves(number, slots, weights, player, following, slot, weight):  # type: ignore[no-untyped-def]
    """Fill in place: slots and weights of leaves in the order of their numbers; ``following`` says where each goes."""
    for leaf in range(len(number)):
        if weights[leaf, player] != 0.0:
            at = following[number[leaf]]
            following[number[leaf]] = at + 1
            slot[at] = slots[leaf]
            weight[at] = weights[leaf, player]


@compiled(allocates=False)
def _sort_entries(slot, half_sorted, start, following, column, weight):  # type: ignore[no-untyped-def]
    """Fill in place: columns and weights in the order of their slots, of entries that are in the order of columns."""
    for number in range(len(start) - 1):
        for k in range(start[number], start[number + 1]):
            at = following[slot[k]]
            following[slot[k]] = at + 1
            column[at] = number
            weight[at] = half_sorted[k]


@compiled(allocates=False)
def _merge(start, column, weight):  # type: ignore[no-untyped-def]
    """Add up, in place, entries with the same slot and column; leave out those that cancel."""
    end = 0
    for slot in range(len(start) - 1):
        k, start[slot] = start[slot], end
        while k < start[slot + 1]:
            here, total = column[k], 0.0
            while k < start[slot + 1] and column[k] == here:
                total += weight[k]
                k += 1
            if total != 0.0:
                column[end], weight[end] = here, total
                end += 1
    start[len(start) - 1] = end


@compiled(allocates=True)
def _cut(row_slot, row_start, column, seen, first, taken, columns):  # type: ignore[no-untyped-def]
    """Cut the rows into pieces so that the whole is cheapest: blocks of up to eight slots, or single rows.

    Filled in place, for a piece that begins at row i: ``taken[i]`` rows, with ``columns[i]`` different columns; then
    ``first[i]`` where one does begin. Exact, from the last row to the first: the best cut from row i on is the best
    first piece and the best cut of the rest.
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
    i = 0
    while i < rows:
        first[i] = True
        i += taken[i]


@compiled(allocates=False)
def _fill_blocks(  # type: ignore[no-untyped-def]
    done, block, block_start, taken, row_slot, row_start, column, weight, pointer, eights, block_column, number
):
    """Fill in place, from a block on: the columns of each in rising order, and the number of each one's eight weights.

    Return the block before which there was no more room for eights. ``pointer`` is scratch: a place in each row.
    """
    for b in range(done, len(block)):
        if eights.known[0] + block_start[b + 1] - block_start[b] >= len(eights.room):
            return b
        i = block[b]
        rows = taken[i]
        for row in range(rows):
            pointer[row] = row_start[i + row]
        for at in range(block_start[b], block_start[b + 1]):
            here = np.uint32(0xFFFFFFFF)
            for row in range(rows):
                if pointer[row] < row_start[i + row + 1]:
                    here = min(here, column[pointer[row]])
            eight = eights.room[eights.known[0]]
            for lane in range(LANES):
                eight[lane] = 0.0
            for row in range(rows):
                if pointer[row] < row_start[i + row + 1] and column[pointer[row]] == here:
                    eight[row_slot[i + row] - row_slot[i]] = weight[pointer[row]]
                    pointer[row] += 1
            block_column[at] = here
            number[at] = _number(eights)
    return len(block)


@compiled(allocates=False)
def _number(eights):  # type: ignore[no-untyped-def]
    """Return the number of the eight in the first row that is not in use, which is then in use if it is a new one."""
    bits, cell, known = eights.bits, eights.cell, eights.known
    at = hash_integers(bits[known[0]]) & np.uint64(len(cell) - 1)
    while cell[at] > 0:
        number = np.int64(cell[at]) - 1
        same = True
        for lane in range(LANES):
            same = same and bits[number, lane] == bits[known[0], lane]
        if same:
            return number
        at = (at + np.uint64(1)) & np.uint64(len(cell) - 1)
    known[0] += 1
    cell[at] = known[0]
    return known[0] - 1


@compiled(allocates=False)
def _enter(eights):  # type: ignore[no-untyped-def]
    """Put the eights in use into empty cells."""
    bits, cell = eights.bits, eights.cell
    for number in range(eights.known[0]):
        at = hash_integers(bits[number]) & np.uint64(len(cell) - 1)
        while cell[at] > 0:
            at = (at + np.uint64(1)) & np.uint64(len(cell) - 1)
        cell[at] = number + 1


def _shared(
    start: Indices, number: Indices, table: NDArray[np.float64]
) -> tuple[Indices, Indices, NDArray[np.float64]]:
    """Return ``block_weight``, ``column_weight`` and ``weights`` of blocks whose columns have these eights."""
    original = np.zeros(len(start) - 1, np.uint32)
    _find_originals(start, number, np.zeros(4 << len(original).bit_length(), np.uint32), original)
    own, columns = original == np.arange(len(original)), np.diff(start)
    weights = int(columns[own].sum()) * LANES
    if weights > _FEW_WEIGHTS and weights * table.itemsize > number.nbytes + table.nbytes:
        return np.zeros(len(original), np.uint32), number * np.uint32(LANES), table.reshape(-1).copy()
    place = np.zeros(len(original), np.uint32)
    place[own] = offsets(columns[own] * LANES)[:-1]
    return place[original], np.zeros((0, 0), np.uint32), table[number[np.repeat(own, columns)]].reshape(-1)


@compiled(allocates=False)
def _find_originals(start, number, cell, original):  # type: ignore[no-untyped-def]
    """Fill in place: the first block with the same weights as each; a cell holds the number of a block + 1, or 0."""
    for block in range(len(original)):
        own = number[start[block] : start[block + 1]]
        at = hash_integers(own) & np.uint64(len(cell) - 1)
        original[block] = block
        while cell[at] > 0:
            other = cell[at] - 1
            same = start[other + 1] - start[other] == len(own)
            for k in range(len(own)):
                same = same and number[start[other] + k] == own[k]
            if same:
                original[block] = other
                break
            at = (at + np.uint64(1)) & np.uint64(len(cell) - 1)
        if original[block] == block:
            cell[at] = block + 1


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
