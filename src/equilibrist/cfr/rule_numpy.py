"""What rules of one's own take from NumPy and Numba does not know, as kernels.

Rows are infosets, columns are actions. Numbers stand column after column, so that a loop goes along
many infosets side by side, whatever few actions they have.

Whatever makes an array takes room for it from ``scratch``, where that is given and has some left:
a float64 array, whose first number says how many of its numbers are in use. Memory from the system
takes as long as a loop over a hundred infosets.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any

import numba  # noqa: F401  # whole before its parts
import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from .._jit.borrow import view_matrix
from .._jit.compile import compiled, inlined
from .._jit.simd import LANES

OPTIONS: Any = {"error_model": "numpy", "boundscheck": False}
"""How functions are compiled that look themselves whether shapes fit, whatever the method that calls them checks."""

NUMBERS = types.Float | types.Integer | types.Boolean
"""Types of numbers."""


@compiled(allocates=False, inline=True)
def clear_scratch(scratch):
    """Give back whatever has been taken from ``scratch``, in place."""
    scratch[0] = LANES


@compiled(allocates=True, inline=True)
def new_matrix(rows, columns, scratch):
    """Return room for numbers, column after column."""
    if scratch is not None:
        start = int(scratch[0])
        end = start + (rows * columns + LANES - 1) // LANES * LANES
        if end <= len(scratch):
            scratch[0] = end
            return view_matrix(scratch, start, rows, columns)
    return np.empty((columns, rows)).T


@compiled(allocates=True, inline=True)
def new_column(rows, scratch):
    """Return room for a number of each row."""
    return new_matrix(rows, np.int64(1), scratch)


@compiled(allocates=True, inline=True)
def sum_rows(numbers, scratch):
    """Return ``numbers.sum(axis=1, keepdims=True)``."""
    rows, columns = numbers.shape
    total = new_column(rows, scratch)
    for row in range(rows):
        total[row, 0] = -0.0
    for column in range(columns):
        for row in range(rows):
            total[row, 0] += numbers[row, column]
    return total


@compiled(allocates=True, inline=True)
def sum_products(left, right, scratch):
    """Return ``(left * right).sum(axis=1, keepdims=True)``."""
    rows, columns = left.shape
    if left.shape != right.shape:
        return sum_rows(left * right, scratch)
    total = new_column(rows, scratch)
    for row in range(rows):
        total[row, 0] = -0.0
    for column in range(columns):
        for row in range(rows):
            total[row, 0] += left[row, column] * right[row, column]
    return total


@compiled(allocates=True, inline=True)
def mean_rows(numbers, scratch):
    """Return ``numbers.mean(axis=1, keepdims=True)``."""
    return sum_rows(numbers, scratch) / numbers.shape[1]


@compiled(allocates=True, inline=True)
def max_rows(numbers, scratch):
    """Return ``numbers.max(axis=1, keepdims=True)``."""
    rows, columns = numbers.shape
    largest = new_column(rows, scratch)
    for row in range(rows):
        largest[row, 0] = numbers[row, 0]
    for column in range(1, columns):
        for row in range(rows):
            largest[row, 0] = larger(largest[row, 0], numbers[row, column])
    return largest


@compiled(allocates=True, inline=True)
def min_rows(numbers, scratch):
    """Return ``numbers.min(axis=1, keepdims=True)``."""
    rows, columns = numbers.shape
    least = new_column(rows, scratch)
    for row in range(rows):
        least[row, 0] = numbers[row, 0]
    for column in range(1, columns):
        for row in range(rows):
            least[row, 0] = smaller(least[row, 0], numbers[row, column])
    return least


@compiled(allocates=True, inline=True)
def divide_where(above, below, out, where):
    """Fill ``out`` as ``np.divide(above, below, out=out, where=where)`` does, in place; return it."""
    rows, columns = out.shape
    steps = _steps(above, out), _steps(below, out), _steps(where, out)
    (above_row, above_column), (below_row, below_column), (where_row, where_column) = steps
    for column in range(columns):
        for row in range(rows):
            dividend = above[row * above_row, column * above_column]
            divisor = below[row * below_row, column * below_column]
            quotient = dividend / divisor
            if not where[row * where_row, column * where_column]:
                quotient = out[row, column]
            out[row, column] = quotient
    return out


@inlined
def _steps(array, out):
    """Return 1 where an axis of an array is that of ``out``, 0 where it has one number for all; rows, then columns."""
    if array.shape[0] not in (1, out.shape[0]) or array.shape[1] not in (1, out.shape[1]):
        raise ValueError("operands could not be broadcast together with out")
    rows = 1 if array.shape[0] > 1 else 0
    columns = 1 if array.shape[1] > 1 else 0
    return rows, columns


@inlined
def larger(left, right):
    """Return the larger of two numbers, or that which is nan, as NumPy's maximum."""
    if left >= right or left != left:  # noqa: PLR0124 (nan)
        return left
    return right


@inlined
def smaller(left, right):
    """Return the smaller of two numbers, or that which is nan, as NumPy's minimum."""
    if left <= right or left != left:  # noqa: PLR0124 (nan)
        return left
    return right


def power(base: Any, exponent: Any) -> Any:
    """Return base ** exponent; of an integer as of the number with a fraction, whose powers do not overflow."""
    return base**exponent


@overload(power, jit_options=OPTIONS, strict=False)
def _power(base, exponent):
    if isinstance(base, types.Integer):
        return lambda base, exponent: float(base) ** exponent
    return lambda base, exponent: base**exponent


def is_matrix(kind: Any, number: Any = types.float64) -> bool:
    """Return whether a type is that of arrays (infosets, actions) whose numbers stand column after column."""
    return isinstance(kind, types.Array) and (kind.dtype, kind.ndim, kind.layout) == (
        number,
        2,
        "F",
    )


def full_like(numbers: Any, number: Any, scratch: Any = None) -> Any:
    """Return ``np.full_like(numbers, number)``."""
    return np.full_like(numbers, number)


@overload(full_like, jit_options=OPTIONS, strict=False)
def _full_like(numbers, number, scratch=None):
    def fill_matrix(numbers, number, scratch=None):
        rows, columns = numbers.shape
        result = new_matrix(rows, columns, scratch)
        for column in range(columns):
            for row in range(rows):
                result[row, column] = number
        return result

    if is_matrix(numbers):
        return fill_matrix
    return lambda numbers, number, scratch=None: np.full_like(numbers, number)


def copy(numbers: Any, scratch: Any = None) -> Any:
    """Return ``numbers.copy()``."""
    return numbers.copy()


@overload(copy, jit_options=OPTIONS, strict=False)
def _copy(numbers, scratch=None):
    def copy_matrix(numbers, scratch=None):
        rows, columns = numbers.shape
        result = new_matrix(rows, columns, scratch)
        for column in range(columns):
            for row in range(rows):
                result[row, column] = numbers[row, column]
        return result

    if is_matrix(numbers):
        return copy_matrix
    return lambda numbers, scratch=None: numbers.copy()


def put_array(target: Any, array: Any) -> bool:
    """Fill an array with another, in place; return whether it has the same shape."""
    if array.shape != target.shape:
        return False
    target[...] = array
    return True


@overload(put_array, jit_options=OPTIONS, strict=False)
def _put_array(target, array):
    def put_matrix(target, array):
        if array.shape != target.shape:
            return False
        rows, columns = target.shape
        for column in range(columns):
            for row in range(rows):
                target[row, column] = array[row, column]
        return True

    def put_in_order(target, array):
        if array.shape != target.shape:
            return False
        numbers = target.flat
        for k, number in enumerate(array.flat):
            numbers[k] = number
        return True

    if is_matrix(target) and is_matrix(array):
        return put_matrix
    return put_in_order


def put_column(target: Any, numbers: Any) -> bool:
    """Fill a row of numbers with those of a row, or of a matrix of one column; return whether there are as many."""
    if numbers.shape not in (target.shape, (*target.shape, 1)):
        return False
    target[...] = numbers.reshape(target.shape)
    return True


@overload(put_column, jit_options=OPTIONS, strict=False)
def _put_column(target, numbers):
    def put_row(target, numbers):
        if len(numbers) != len(target):
            return False
        for k in range(len(target)):
            target[k] = numbers[k]
        return True

    def put_matrix(target, numbers):
        if numbers.shape[0] != len(target) or numbers.shape[1] != 1:
            return False
        for k in range(len(target)):
            target[k] = numbers[k, 0]
        return True

    are_numbers = isinstance(numbers, types.Array) and isinstance(numbers.dtype, NUMBERS)
    if are_numbers and numbers.ndim == 1:
        return put_row
    if are_numbers and numbers.ndim == 2:
        return put_matrix
    raise TypingError(f"it must return an array with a number for each infoset; got {numbers}")


@compiled(allocates=True, inline=True)
def has_nan(numbers, first, count):
    """Return whether one of so many numbers from a place on is nan."""
    part = numbers[first : first + count]
    is_nan = False
    for k in range(len(part)):
        is_nan |= part[k] != part[k]
    return is_nan
