"""Records are handed on by address, and helpers merged, as if Python ran the kernel."""

import pickle
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import typeof

from equilibrist._jit.compile import INTERPRETED, compiled, inline_ir, record
from equilibrist._jit.record_model import RecordType

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@record
class Inner(NamedTuple):
    numbers: Any
    factor: float


class Plain(NamedTuple):
    numbers: Any


@record
class Outer(NamedTuple):
    first: Inner
    shift: int
    plain: Plain
    second: Inner


def made():
    first, second = Inner(np.arange(4.0), 2.0), Inner(np.ones(3, np.float32), -1.0)
    return Outer(first, 3, Plain(np.array([5, 7])), second)


@inline_ir
def _scaled(inner, k):
    return inner.numbers[k] * inner.factor


@inline_ir
def _both(outer, k):
    scaled = _scaled(outer.first, k)
    for n in range(2):
        scaled += _scaled(outer.second, n)
    return scaled


@compiled(allocates=False)
def _called(inner, shift):
    return inner.factor + shift


def _read(outer, pair):
    inner, k = pair
    first, shift, plain, second = outer
    outer.first.numbers[k] += 1.0
    chosen = first if k > 1 else inner
    total = (
        _both(outer, k)
        + _both(outer, 0)
        + _called(second, shift)
        + plain.numbers[1]
        + outer.plain.numbers[0]
    )
    return total + _scaled(chosen, 2) + len(outer.second.numbers)


@pytest.mark.parametrize("allocates", [True, False])
@pytest.mark.parametrize("k", [1, 3])
def test_kernels_read_records_and_merge_helpers_as_python_does(allocates, k):
    kernel = compiled(allocates=allocates)(_read)
    given, expected = made(), made()
    other = Inner(np.full(4, 0.25), 8.0)
    assert kernel(given, (other, k)) == _expected(expected, (other, k))
    np.testing.assert_array_equal(given.first.numbers, expected.first.numbers)


def _expected(outer, pair):
    inner, k = pair
    outer.first.numbers[k] += 1.0
    ones = sum(x * outer.second.factor for x in outer.second.numbers[:2])
    both = sum(outer.first.numbers[n] * outer.first.factor + ones for n in (k, 0))
    chosen = outer.first if k > 1 else inner
    total = both + outer.second.factor + outer.shift + outer.plain.numbers.sum()
    return total + chosen.numbers[2] * chosen.factor + len(outer.second.numbers)


@pytest.mark.parametrize("allocates", [True, False])
def test_arrays_are_given_back(allocates):
    kernel, outer, pair = compiled(allocates=allocates)(_read), made(), (Inner(np.ones(4), 1.0), 1)
    arrays = [outer.first.numbers, outer.plain.numbers, pair[0].numbers]
    kernel(outer, pair)
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(5):
        kernel(outer, pair)
    assert [sys.getrefcount(array) for array in arrays] == before


def test_the_type_of_a_record_is_known_by_its_class_and_its_fields():
    kind = typeof(made())
    assert isinstance(kind, RecordType)
    assert isinstance(kind.types[0], RecordType)
    assert not isinstance(kind.types[2], RecordType)
    assert pickle.loads(pickle.dumps(kind)) == kind
    assert typeof(made()) == kind
    assert typeof(made()._replace(shift=1.5)) != kind
    assert typeof(Inner(np.ones(2), 1.0)) != typeof(Inner(np.ones(2, np.float32), 1.0))
