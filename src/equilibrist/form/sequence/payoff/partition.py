"""The partition of a payoff's rows into blocks of up to eight slots and single rows: the cheapest there is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit.compile import compiled
from ...._jit.simd import LANES
from ...._util.arrays import Floats, Indices
from .entries import PayoffEntries

# What the payoff kernel spends, measured, in units of one entry of a row. Only the ratios matter.
# a row, and each of its entries
_ROW = 1.0
_ENTRY = 1.0
# a block, and each of its columns (with eight entries)
_BLOCK = 3.0
_COLUMN = 2.0


class Rows(NamedTuple):
    """The rows of a payoff that have entries: their slots, where their entries begin, columns and weights."""

    slot: Indices
    start: Indices
    column: Indices
    weight: Floats


class Partition(NamedTuple):
    """Which rows go together, by row: whether a piece begins there, with how many rows and different columns."""

    first: NDArray[np.bool_]
    taken: Indices
    columns: Indices


def nonzero_rows(entries: PayoffEntries) -> Rows:
    """Return the rows of a payoff that have entries."""
    slot = np.flatnonzero(np.diff(entries.start)).astype(np.uint32)
    start = np.append(entries.start[slot], entries.start[-1]).astype(np.uint32)
    return Rows(slot, start, entries.column, entries.weight)


def partition(rows: Rows, combinations: int) -> Partition:
    """Return the cheapest partition of rows whose columns are numbers below ``combinations``."""
    count = len(rows.slot)
    cut = Partition(np.zeros(count, bool), np.ones(count, np.uint32), np.ones(count, np.uint32))
    _cut_cheapest(rows, np.zeros(combinations, np.uint32), cut)
    return cut


@compiled(allocates=True)
def _cut_cheapest(rows, seen, cut):  # type: ignore[no-untyped-def]
    """Cut the rows into pieces so that the whole is cheapest: blocks of up to eight slots, or single rows.

    Filled in place, for a piece that begins at row i: ``taken[i]`` rows, with ``columns[i]``
    different columns; then ``first[i]`` where one does begin. Exact, from the last row to the
    first: the best cut from row i on is the best first piece and the best cut of the rest. ``seen``
    is scratch.
    """
    slot, start, column, _ = rows
    first, taken, columns = cut
    count = len(slot)
    cost = np.zeros(count + 1)
    for i in range(count - 1, -1, -1):
        entries = start[i + 1] - start[i]
        cost[i] = _ROW + _ENTRY * entries + cost[i + 1]
        taken[i] = 1
        columns[i] = entries
        num_columns = 0
        j = i
        while j < count and slot[j] - slot[i] < LANES:
            for k in range(start[j], start[j + 1]):
                if seen[column[k]] != i + 1:  # not yet seen from row i on
                    seen[column[k]] = i + 1
                    num_columns += 1
            j += 1
            block_cost = _BLOCK + _COLUMN * num_columns + cost[j]
            if block_cost < cost[i] and j > i + 1:
                cost[i] = block_cost
                taken[i] = j - i
                columns[i] = num_columns
    i = 0
    while i < count:
        first[i] = True
        i += taken[i]
