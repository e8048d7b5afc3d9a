"""What rules of one's own take from NumPy and Numba does not know, as kernels: rows are infosets."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from .._jit.compile import compiled


@compiled(allocates=True, inline=True)
def sum_rows(numbers):
    """Return ``numbers.sum(axis=1, keepdims=True)``."""
    rows, columns = numbers.shape
    total = np.zeros((rows, 1))
    for row in range(rows):
        for column in range(columns):
            total[row, 0] += numbers[row, column]
    return total


@compiled(allocates=True, inline=True)
def mean_rows(numbers):
    """Return ``numbers.mean(axis=1, keepdims=True)``."""
    return sum_rows(numbers) / numbers.shape[1]


@compiled(allocates=True, inline=True)
def max_rows(numbers):
    """Return ``numbers.max(axis=1, keepdims=True)``."""
    rows, columns = numbers.shape
    largest = numbers[:, :1].copy()
    for row in range(rows):
        for column in range(1, columns):
            number = numbers[row, column]
            if number > largest[row, 0] or np.isnan(number):
                largest[row, 0] = number
    return largest


@compiled(allocates=True, inline=True)
def min_rows(numbers):
    """Return ``numbers.min(axis=1, keepdims=True)``."""
    rows, columns = numbers.shape
    least = numbers[:, :1].copy()
    for row in range(rows):
        for column in range(1, columns):
            number = numbers[row, column]
            if number < least[row, 0] or np.isnan(number):
                least[row, 0] = number
    return least


@compiled(allocates=True, inline=True)
def divide_where(above, below, out, where):
    """Fill ``out`` as ``np.divide(above, below, out=out, where=where)`` does, in place; return it."""
    quotient = above / below
    rows, columns = out.shape
    if quotient.shape != out.shape:
        raise ValueError("the quotient has another shape than out")
    if where.shape[0] not in (1, rows) or where.shape[1] not in (1, columns):
        raise ValueError("where has another shape than out")
    row_step = 1 if where.shape[0] == rows else 0
    column_step = 1 if where.shape[1] == columns else 0
    for row in range(rows):
        for column in range(columns):
            if where[row * row_step, column * column_step]:
                out[row, column] = quotient[row, column]
    return out


def power(base: Any, exponent: Any) -> Any:
    """Return base ** exponent; of an integer as of the number with a fraction, whose powers do not overflow."""
    return base**exponent


@overload(power, strict=False)
def _power(base, exponent):
    if isinstance(base, types.Integer):
        return lambda base, exponent: float(base) ** exponent
    return lambda base, exponent: base**exponent
