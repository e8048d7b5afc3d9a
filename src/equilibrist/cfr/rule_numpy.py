"""What rules of one's own take from NumPy and Numba does not know, as kernels: rows are infosets."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import operator
from typing import Any

import numba  # noqa: F401  # whole before its parts
import numpy as np
from numba import types
from numba.extending import overload

from .._jit.compile import compiled, inlined


@compiled(allocates=True, inline=True)
def sum_rows(numbers):
    """Return ``numbers.sum(axis=1, keepdims=True)``, in the order in which NumPy adds up to 128 numbers."""
    rows, columns = numbers.shape
    eights = columns - columns % 8
    total = np.empty((rows, 1))
    if columns < 8:
        for row in range(rows):
            sum_of_row = -0.0
            for column in range(columns):
                sum_of_row += numbers[row, column]
            total[row, 0] = sum_of_row
        return total
    parts = np.empty(8)
    for row in range(rows):
        parts[:] = 0.0
        for column in range(eights):
            parts[column % 8] += numbers[row, column]
        left = (parts[0] + parts[1]) + (parts[2] + parts[3])
        right = (parts[4] + parts[5]) + (parts[6] + parts[7])
        sum_of_row = left + right
        for column in range(eights, columns):
            sum_of_row += numbers[row, column]
        total[row, 0] = sum_of_row
    return total


@compiled(allocates=True, inline=True)
def sum_products(left, right):
    """Return ``(left * right).sum(axis=1, keepdims=True)``."""
    rows, columns = left.shape
    if left.shape != right.shape or columns >= 8:
        return sum_rows(left * right)
    total = np.empty((rows, 1))
    for row in range(rows):
        sum_of_row = -0.0
        for column in range(columns):
            sum_of_row += left[row, column] * right[row, column]
        total[row, 0] = sum_of_row
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
    rows, columns = out.shape
    steps = _steps(above, out), _steps(below, out), _steps(where, out)
    (above_row, above_column), (below_row, below_column), (where_row, where_column) = steps
    for row in range(rows):
        for column in range(columns):
            if where[row * where_row, column * where_column]:
                number = above[row * above_row, column * above_column]
                out[row, column] = number / below[row * below_row, column * below_column]
    return out


@inlined
def _steps(array, out):
    """Return 1 where an axis of an array is that of ``out``, 0 where it has one number for all; rows, then columns."""
    if array.shape[0] not in (1, out.shape[0]) or array.shape[1] not in (1, out.shape[1]):
        raise ValueError("operands could not be broadcast together with out")
    rows = 1 if array.shape[0] > 1 else 0
    columns = 1 if array.shape[1] > 1 else 0
    return rows, columns


def power(base: Any, exponent: Any) -> Any:
    """Return base ** exponent; of an integer as of the number with a fraction, whose powers do not overflow."""
    return base**exponent


@overload(power, strict=False)
def _power(base, exponent):
    if isinstance(base, types.Integer):
        return lambda base, exponent: float(base) ** exponent
    return lambda base, exponent: base**exponent


def _is_matrix(kind: Any, number: Any = types.float64) -> bool:
    """Return whether a type is that of arrays (infosets, actions) whose numbers lie side by side."""
    return isinstance(kind, types.Array) and (kind.dtype, kind.ndim, kind.layout) == (
        number,
        2,
        "C",
    )


def _elementwise(in_numpy: Any, operate: Any) -> Any:
    """Return a function of two arrays or numbers, faster on arrays with few columns than what Numba makes of NumPy's.

    ``operate`` is the same of two numbers.
    """

    def call(left: Any, right: Any) -> Any:
        return in_numpy(left, right)

    def of_matrices(left, right):
        rows, columns = left.shape
        if left.shape == right.shape:
            result = np.empty((rows, columns))
            numbers = result.reshape(-1)
            first = left.reshape(-1)
            second = right.reshape(-1)
            for k in range(len(numbers)):
                numbers[k] = operate(first[k], second[k])
            return result
        if right.shape[0] == rows and right.shape[1] == 1:
            result = np.empty((rows, columns))
            for row in range(rows):
                number = right[row, 0]
                for column in range(columns):
                    result[row, column] = operate(left[row, column], number)
            return result
        return in_numpy(left, right)

    def of_matrix_and_number(left, right):
        result = np.empty(left.shape)
        numbers = result.reshape(-1)
        first = left.reshape(-1)
        for k in range(len(numbers)):
            numbers[k] = operate(first[k], right)
        return result

    def of_number_and_matrix(left, right):
        result = np.empty(right.shape)
        numbers = result.reshape(-1)
        second = right.reshape(-1)
        for k in range(len(numbers)):
            numbers[k] = operate(left, second[k])
        return result

    def choose(left, right):
        if _is_matrix(left) and _is_matrix(right):
            return of_matrices
        if _is_matrix(left) and isinstance(right, types.Float | types.Integer):
            return of_matrix_and_number
        if isinstance(left, types.Float | types.Integer) and _is_matrix(right):
            return of_number_and_matrix
        return lambda left, right: in_numpy(left, right)  # noqa: PLW0108 (for Numba)

    overload(call, strict=False)(choose)
    return call


@inlined
def _larger(left, right):
    if left >= right or left != left:  # noqa: PLR0124 (nan)
        return left
    return right


@inlined
def _smaller(left, right):
    if left <= right or left != left:  # noqa: PLR0124 (nan)
        return left
    return right


add = _elementwise(operator.add, operator.add)
subtract = _elementwise(operator.sub, operator.sub)
multiply = _elementwise(operator.mul, operator.mul)
divide = _elementwise(operator.truediv, operator.truediv)
maximum = _elementwise(np.maximum, _larger)
minimum = _elementwise(np.minimum, _smaller)


def where(condition: Any, then: Any, otherwise: Any) -> Any:
    """Return ``np.where(condition, then, otherwise)``."""
    return np.where(condition, then, otherwise)


@overload(where, strict=False)
def _where(condition, then, otherwise):
    numbers = types.Float | types.Integer
    if (
        _is_matrix(condition, types.boolean)
        and isinstance(then, numbers)
        and isinstance(otherwise, numbers)
    ):

        def choose_number(condition, then, otherwise):
            result = np.empty(condition.shape)
            numbers = result.reshape(-1)
            conditions = condition.reshape(-1)
            for k in range(len(numbers)):
                if conditions[k]:
                    numbers[k] = then
                else:
                    numbers[k] = otherwise
            return result

        return choose_number
    return lambda condition, then, otherwise: np.where(condition, then, otherwise)  # noqa: PLW0108


def _in_place(operate: Any, in_numpy: Any) -> Any:
    """Return a function that changes an array in place, as ``left += right`` does, and returns it; or a new number."""

    def call(left: Any, right: Any) -> Any:
        return in_numpy(left, right)

    def of_matrices(left, right):
        if left.shape != right.shape:
            left = in_numpy(left, right)
        else:
            first = left.reshape(-1)
            second = right.reshape(-1)
            for k in range(len(first)):
                first[k] = operate(first[k], second[k])
        return left

    def choose(left, right):
        if _is_matrix(left) and _is_matrix(right):
            return of_matrices

        def as_numba_does(left, right):
            return in_numpy(left, right)

        return as_numba_does

    overload(call, strict=False)(choose)
    return call


add_in_place = _in_place(operator.add, operator.iadd)
subtract_in_place = _in_place(operator.sub, operator.isub)
multiply_in_place = _in_place(operator.mul, operator.imul)
divide_in_place = _in_place(operator.truediv, operator.itruediv)
