"""Arrays that nobody counts references to: the same numbers in the same memory, at any depth of tuples."""

import sys
from typing import NamedTuple

import numpy as np

from equilibrist._jit.borrow import borrow, view_matrix
from equilibrist._jit.compile import compiled_here, record


@record
class Inner(NamedTuple):
    numbers: np.ndarray
    factor: float


@record
class Outer(NamedTuple):
    first: Inner
    numbers: np.ndarray


@compiled_here
def change(outer, arrays):
    outer = borrow(outer)
    arrays = borrow(arrays)
    array, (other, count) = arrays
    for k in range(len(array)):
        array[k] += outer.first.numbers[k] * outer.first.factor + outer.numbers[k]
        other[k, 0] = count


@compiled_here
def double(numbers, start, rows, columns):
    matrix = view_matrix(numbers, start, rows, columns)
    matrix *= 2.0
    return matrix.sum(), matrix[rows - 1, 0], matrix.copy()


def test_what_is_borrowed_is_the_same_memory():
    outer = Outer(Inner(np.arange(3.0), 10.0), np.ones(3))
    array, other = np.zeros(3), np.zeros((3, 2))
    references = [sys.getrefcount(numbers) for numbers in (array, other, outer.numbers)]
    change(outer, (array, (other, 7)))
    assert array.tolist() == [1.0, 11.0, 21.0]
    assert other.tolist() == [[7.0, 0.0]] * 3
    assert [sys.getrefcount(numbers) for numbers in (array, other, outer.numbers)] == references


def test_a_matrix_is_a_view_of_the_columns_in_a_row():
    numbers = np.arange(10.0)
    total, last, copy = double(numbers, 2, 3, 2)
    assert numbers.tolist() == [0, 1, 4, 6, 8, 10, 12, 14, 8, 9]
    assert (total, last) == (54, 8)
    assert copy.tolist() == [[4, 10], [6, 12], [8, 14]]
