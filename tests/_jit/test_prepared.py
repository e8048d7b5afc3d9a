"""Prepared kernels do what the kernels do, whatever kinds of arguments follow one another."""

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit.compile import compiled, record
from equilibrist._jit.prepared import Prepared


@record
class Pair(NamedTuple):
    left: Any
    right: Any


@compiled(allocates=False)
def add_up(found, pair, factor):
    for i in range(len(pair.left)):
        found[0] += factor * pair.left[i] * pair.right[i]


NUMBERS = np.arange(1.0, 9.0)
KINDS = {
    "float64": (NUMBERS[:4], NUMBERS[:4], 2),
    "float32": (NUMBERS[:4].astype(np.float32), NUMBERS[:4], 2),
    "every other": (NUMBERS[::2], NUMBERS[1::2], 2),
    "backwards": (NUMBERS[::-1], NUMBERS, 2),
    "whole numbers": (np.arange(5), np.arange(5, dtype=np.uint16), 0.5),
    "of two dimensions, a column": (NUMBERS.reshape(4, 2)[:, 1], NUMBERS[:4], True),
}


def test_kinds_of_arguments_that_follow_one_another():
    found = np.zeros(1)
    prepared, again = Prepared(add_up, found), Prepared(add_up, found)
    for call in (prepared, prepared, again):
        for left, right, factor in KINDS.values():
            found[0] = 0.0
            call(Pair(left, right), factor)
            assert found[0] == factor * float(np.dot(left, right))


def test_read_only_arrays():
    fixed = NUMBERS.copy()
    fixed.flags.writeable = False
    found = np.zeros(1)
    call = Prepared(add_up, found)
    call(Pair(NUMBERS, NUMBERS), 1)
    call(Pair(fixed, NUMBERS), 1)
    assert found[0] == 2 * float(NUMBERS @ NUMBERS)
