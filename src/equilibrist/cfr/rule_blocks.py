"""Batches as a compiled rule is given them: a few infosets at a time, their numbers column after column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import padded, zeros
from .._util.arrays import Floats, Ints, offsets
from .rule_batch import Batch

MOST_NUMBERS = 2048
"""Of an array in a block: they stay in a near cache."""

SCRATCH_ARRAYS = 16
"""For how many arrays of the largest block there is scratch."""


class StateArray(NamedTuple):
    """How a compiled rule keeps one of the arrays that it knows.

    Attributes
    ----------
    dimensions : int
        Of the array of one infoset.
    dtype : dtype
        ``float64`` or ``bool``.
    """

    dimensions: int
    dtype: np.dtype[Any]


class RuleBlocks:
    """Batches in blocks of a few infosets, in arrays that all blocks share; those of the batches are copied.

    In a block the numbers of the first actions of all infosets come first, then those of the second
    actions, and so on: what a rule does to a column goes along many infosets.

    Attributes
    ----------
    batches : list of Batch
        One a block. Their arrays are views of those below.
    table : int array, shape (blocks, 3)
        How many infosets each block has, how many actions each of them, and where its numbers begin
        in ``strategy`` and ``values``.
    strategy, values : float array, shape (actions,)
        What is played, and the counterfactual values.
    state : tuple
        The arrays of what the rule knows, each in a row; an int array, shape (blocks, columns),
        with where a block begins in each of them and the shape that it has for one infoset; and
        scratch, of which the methods take room for arrays, shape (numbers,).
    """

    def __init__(self, batches: Sequence[Batch], kinds: dict[str, StateArray]) -> None:
        pieces = [piece for batch in batches for piece in _split(batch)]
        strategy = _Joined([piece.strategy for piece in pieces], StateArray(1, np.dtype(float)))
        values = _Joined([piece.values for piece in pieces], StateArray(1, np.dtype(float)))
        state = {
            name: _Joined([piece.state[name] for piece in pieces], kind)
            for name, kind in kinds.items()
        }
        self.batches = [
            Batch(
                label=piece.label,
                infosets=piece.infosets,
                strategy=strategy.views[b],
                values=values.views[b],
                state={name: joined.views[b] for name, joined in state.items()},
            )
            for b, piece in enumerate(pieces)
        ]
        self.strategy: Floats = strategy.numbers
        self.values: Floats = values.numbers
        arrays = tuple(joined.numbers for joined in state.values())
        layouts = [joined.layout for joined in state.values()]
        largest = max((piece.strategy.size for piece in pieces), default=0)
        scratch = zeros((1 + SCRATCH_ARRAYS) * padded(largest))
        self.state = (arrays, np.concatenate(layouts, axis=1), scratch)
        counts = np.array([len(piece.infosets) for piece in pieces], np.int64)
        start, num_actions = strategy.layout.T
        self.table = np.column_stack([counts, num_actions, start])

    def sort_actions(self, numbers: Ints) -> Ints:
        """Return numbers of all actions, infoset after infoset, in the order of the blocks."""
        ordered = np.empty_like(numbers)
        for rows, actions, start in self.table.tolist():
            block = slice(start, start + rows * actions)
            ordered[block] = numbers[block].reshape(rows, actions).T.reshape(-1)
        return ordered

    def copy_to(self, batches: Sequence[Batch]) -> None:
        """Copy what is known and played into the batches of which these are the blocks."""
        pieces = [piece for batch in batches for piece in _split(batch)]
        for piece, block in zip(pieces, self.batches, strict=True):
            piece.strategy[:] = block.strategy
            for name, array in piece.state.items():
                array[:] = block.state[name]


class _Joined:
    """Arrays of the blocks in a row.

    Attributes
    ----------
    numbers : array, shape (numbers,)
        The numbers of all, each column after column.
    views : list of array
        The same memory in the shapes of the arrays.
    layout : int array, shape (blocks, 1 + dimensions)
        Where each begins, and its shape for one infoset.
    """

    def __init__(self, arrays: Sequence[NDArray[Any]], kind: StateArray) -> None:
        start = offsets(np.array([array.size for array in arrays], np.int64))
        self.numbers = np.empty(start[-1], kind.dtype)
        self.views: list[NDArray[Any]] = []
        self.layout = np.zeros((len(arrays), 1 + kind.dimensions), np.int64)
        for b, array in enumerate(arrays):
            part = self.numbers[start[b] : start[b + 1]]
            view = part.reshape(array.shape[::-1]).T
            view[...] = array
            self.views.append(view)
            self.layout[b] = start[b], *array.shape[1:]


def _split(batch: Batch) -> list[Batch]:
    """Return a batch in pieces, whose arrays are parts of its own."""
    infosets, actions = batch.strategy.shape
    step = max(1, MOST_NUMBERS // actions)
    pieces = []
    for first in range(0, infosets, step):
        rows = slice(first, first + step)
        pieces.append(
            Batch(
                label=batch.label,
                infosets=batch.infosets[rows],
                strategy=batch.strategy[rows],
                values=batch.values[rows],
                state={name: array[rows] for name, array in batch.state.items()},
            )
        )
    return pieces
