"""Weights of blocks, stored once: equal vectors of eight weights, and equal runs of them, share their place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit.compile import compiled, record
from ...._jit.hashtable import hash_integers
from ...._jit.simd import LANES
from ...._util.arrays import Floats, Indices, Ints, offsets

# as many as stay in a second-level cache: up to these, columns need no index of their own
_FEW_WEIGHTS = 1 << 15


@record
class Pool(NamedTuple):
    """The different vectors of eight weights that the columns of blocks have, in the order in which they come.

    Attributes
    ----------
    room : float array, shape (vectors, 8)
        The vectors; ``used[0]`` rows are in use, and the next is scratch.
    bits : uint64 array, shape (vectors, 8)
        The same memory.
    cell : uint32 array
        A hash table: each cell holds the number of a vector + 1, or 0.
    used : int array, shape (1,)
        How many there are.
    """

    room: Floats
    bits: NDArray[np.uint64]
    cell: Indices
    used: Ints

    @classmethod
    def with_room(cls, vectors: int, vectors_in_use: Floats) -> Pool:
        """Return a pool with room for so many vectors, those that are known first."""
        room = np.zeros((vectors, LANES))
        room[: len(vectors_in_use)] = vectors_in_use
        pool = cls(
            room,
            room.view(np.uint64),
            np.zeros(4 * vectors, np.uint32),
            np.array([len(vectors_in_use)]),
        )
        _insert_vectors(pool)
        return pool

    @property
    def table(self) -> Floats:
        return self.room[: self.used[0]]


@compiled(allocates=False, entry=False)
def number_next_vector(pool):  # type: ignore[no-untyped-def]
    """Return the number of the vector in the first row that is not in use, which is then in use if it is a new one."""
    bits = pool.bits
    cell = pool.cell
    count = pool.used
    at = hash_integers(bits[count[0]]) & np.uint64(len(cell) - 1)
    while cell[at] > 0:
        number = np.int64(cell[at]) - 1
        same = True
        for lane in range(LANES):
            same = same and bits[number, lane] == bits[count[0], lane]
        if same:
            return number
        at = (at + np.uint64(1)) & np.uint64(len(cell) - 1)
    count[0] += 1
    cell[at] = count[0]
    return count[0] - 1


@compiled(allocates=False)
def _insert_vectors(pool):  # type: ignore[no-untyped-def]
    bits = pool.bits
    cell = pool.cell
    for number in range(pool.used[0]):
        at = hash_integers(bits[number]) & np.uint64(len(cell) - 1)
        while cell[at] > 0:
            at = (at + np.uint64(1)) & np.uint64(len(cell) - 1)
        cell[at] = number + 1


def share_weights(
    start: Indices, number: Indices, table: Floats
) -> tuple[Indices, Indices, Floats]:
    """Return ``block_weight``, ``column_weight`` and ``weights`` of blocks, given the numbers of their vectors."""
    original = np.zeros(len(start) - 1, np.uint32)
    _find_originals(start, number, np.zeros(4 << len(original).bit_length(), np.uint32), original)
    is_original = original == np.arange(len(original))
    columns = np.diff(start)
    weights = int(columns[is_original].sum()) * LANES
    if weights > _FEW_WEIGHTS and weights * table.itemsize > number.nbytes + table.nbytes:
        return (
            np.zeros(len(original), np.uint32),
            number * np.uint32(LANES),
            table.reshape(-1).copy(),
        )
    place = np.zeros(len(original), np.uint32)
    place[is_original] = offsets(columns[is_original] * LANES)[:-1]
    return (
        place[original],
        np.zeros((0, 0), np.uint32),
        table[number[np.repeat(is_original, columns)]].reshape(-1),
    )


@compiled(allocates=False)
def _find_originals(start, number, cell, original):  # type: ignore[no-untyped-def]
    """Fill in place: the first block with the same weights as each; a cell holds the number of a block + 1, or 0."""
    for block in range(len(original)):
        vectors = number[start[block] : start[block + 1]]
        at = hash_integers(vectors) & np.uint64(len(cell) - 1)
        original[block] = block
        while cell[at] > 0:
            other = cell[at] - 1
            same = start[other + 1] - start[other] == len(vectors)
            for k in range(len(vectors)):
                same = same and number[start[other] + k] == vectors[k]
            if same:
                original[block] = other
                break
            at = (at + np.uint64(1)) & np.uint64(len(cell) - 1)
        if original[block] == block:
            cell[at] = block + 1
