"""Eight numbers at a time: vector types for kernels, so that they use the vector unit even where loops are short.

Numba vectorises long loops by itself, but games are full of short ones: three cards, six faces,
eight infosets. Inside a compiled function, a *lanes* value is eight float64, or eight float32, that
are added, subtracted and multiplied together, lane by lane, in ordinary IEEE arithmetic. Every
machine has it: where registers are narrower, LLVM uses two or four of them. Lanes of both kinds do
not meet in one operation, and a single number becomes one of the lanes' kind.

Each operation is defined twice: in NumPy, which says what it means and is what runs with
``NUMBA_DISABLE_JIT=1``, and in LLVM's instructions. An ``array`` has one dimension and holds
float64, float32, int16 or uint8; its ``index`` is an integer, never negative, and at least eight
elements begin there; ``indices`` and ``starts`` are arrays of unsigned integers.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator", no-check-untyped-defs

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

import numba  # noqa: F401  # whole before its parts
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

from .compile import INTERPRETED

LANES = 8

_LINE_BYTES = 64
_DOUBLE = ir.VectorType(ir.DoubleType(), LANES)
_SINGLE = ir.VectorType(ir.FloatType(), LANES)
_WORD = ir.VectorType(ir.IntType(32), LANES)
_SHORT, _BYTE = (
    ir.VectorType(ir.IntType(16), LANES),
    ir.VectorType(ir.IntType(8), LANES),
)  # in memory only
# added and taken off again, it leaves the nearest whole number, the even one of two
_ROUNDING = {_DOUBLE: 1.5 * 2.0**52, _SINGLE: 1.5 * 2.0**23}


def zeros(length: int, dtype: Any = np.float64) -> NDArray[Any]:
    """Return zeros in memory where eight float64 that begin at a multiple of eight lie in one line of the cache.

    NumPy aligns to 16 bytes: every load of eight would touch two lines, and kernels take up to half
    as long again.
    """
    size = length * np.dtype(dtype).itemsize
    memory = np.zeros(size + _LINE_BYTES, np.uint8)
    start = -memory.__array_interface__["data"][0] % _LINE_BYTES
    return memory[start : start + size].view(dtype)


def cache_line_zeros(length: int, dtype: Any = np.float64) -> NDArray[Any]:
    """Return zeros, of eight bytes each, in lines of the cache that nothing else shares: threads wait for those."""
    return zeros(padded(length), dtype)[:length]


def padded(size: int) -> int:
    """Return a size in whole lanes."""
    return -(-size // LANES) * LANES


def aligned(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the same numbers in such memory."""
    there = zeros(len(numbers), numbers.dtype)
    there[:] = numbers
    return there


class _LanesType(types.Type):
    def __init__(self, number: types.Float, vector: ir.VectorType) -> None:
        super().__init__(name=f"Lanes({number})")
        self.number = number
        self.vector = vector


_lanes_of = {
    number: _LanesType(number, vector)
    for number, vector in ((types.float64, _DOUBLE), (types.float32, _SINGLE))
}


def _own_lanes(array, *_):
    """Return the type of lanes that are loaded from an array."""
    return _lanes_of.get(array.dtype)


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, fe_type.vector)


def _address(context, builder, array_type, array, index):
    """Return the address of an element: `index` counts elements and is never negative."""
    data = context.make_array(array_type)(context, builder, value=array).data
    return builder.gep(data, [index])


def element_address(context, builder, signature, arguments):
    """Return the address of an element: the first two arguments are an array and an index."""
    index = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return _address(context, builder, signature.args[0], arguments[0], index)


def _memory(array_type):
    """Return how eight numbers lie in an array, and to how many bytes they are aligned: to one, not to all eight."""
    return {
        types.float64: (_DOUBLE, 8),
        types.float32: (_SINGLE, 4),
        types.int16: (_SHORT, 2),
        types.uint8: (_BYTE, 1),
    }[array_type.dtype]


def _convert(builder, numbers, kind):
    """Return lanes of floats, or of integers as they lie in memory, as lanes of a kind of floats."""
    if numbers.type == kind:
        return numbers
    if numbers.type == _SHORT:
        return builder.sitofp(numbers, kind)
    if numbers.type == _BYTE:
        return builder.uitofp(numbers, kind)
    if kind == _DOUBLE:
        return builder.fpext(numbers, kind)
    return builder.fptrunc(numbers, kind)


NUMPY: dict[str, Callable[..., Any]] = {}
"""Each operation in NumPy, by its name."""


def defined(in_numpy: Callable[..., Any], returns: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator for the instructions of an operation that does in compiled code what NumPy would do.

    They are given context, builder, signature and arguments, which are those of ``in_numpy``;
    ``returns`` is the type of the result, or a function that tells it by the types of the
    arguments.
    """

    def decorate(instructions):
        NUMPY[instructions.__name__] = in_numpy
        if INTERPRETED:
            return in_numpy

        def code(context, builder, signature, arguments):
            result = instructions(context, builder, signature, arguments)
            if result is None:
                return context.get_dummy_value()
            return result

        def operation(typing_context, *kinds):
            if isinstance(returns, types.Type):
                result = returns
            else:
                result = returns(*kinds)
            return result(*kinds), code

        context, *_ = inspect.signature(operation).parameters.values()
        names = inspect.signature(in_numpy).parameters.values()
        operation.__signature__ = inspect.Signature(
            [context, *names]
        )  # Numba makes a tuple of *kinds otherwise
        operation.__name__ = instructions.__name__
        operation.__doc__ = instructions.__doc__
        return intrinsic(operation)

    return decorate


def _eight(array, index):
    return array[int(index) : int(index) + LANES]


@defined(lambda array, index: _eight(array, index).copy(), _own_lanes)
def load(context, builder, signature, arguments):
    """Return ``array[index : index + 8]``."""
    address = element_address(context, builder, signature, arguments)
    kind, align = _memory(signature.args[0])
    return builder.load(builder.bitcast(address, kind.as_pointer()), align=align)


@defined(lambda like, array, index: _eight(array, index).astype(like.dtype), _own_lanes)
def load_like(context, builder, signature, arguments):
    """Return ``array[index : index + 8]`` as lanes of the kind that the array ``like`` is of."""
    index = context.cast(builder, arguments[2], signature.args[2], types.intp)
    address = _address(context, builder, signature.args[1], arguments[1], index)
    kind, align = _memory(signature.args[1])
    numbers = builder.load(builder.bitcast(address, kind.as_pointer()), align=align)
    return _convert(builder, numbers, signature.return_type.vector)


@defined(lambda array, index: int(array[index]), types.intp)
def integer_at(context, builder, signature, arguments):
    """Return ``array[index]`` of an array of integers, without asking whether the index is negative.

    Numba asks at each access, for ``array[-1]`` is the last element: as many instructions as the
    work of most loops.
    """
    number = builder.load(element_address(context, builder, signature, arguments))
    return context.cast(builder, number, signature.args[0].dtype, types.intp)


@defined(lambda array, index: None, types.void)
def prefetch(context, builder, signature, arguments):
    """Ask for ``array[index]`` to be brought near; nothing waits for it, and it need not exist."""
    address = element_address(context, builder, signature, arguments)
    word = ir.IntType(32)
    byte = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
    ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    read, keep, data = (ir.Constant(word, number) for number in (0, 3, 1))
    builder.call(ask, [builder.bitcast(address, byte), read, keep, data])


def _numpy_store(array, index, value):
    whole = array.dtype.kind in "iu"
    np.copyto(
        _eight(array, index),
        np.rint(value) if whole else value,
        casting="unsafe" if whole else "same_kind",
    )


@defined(_numpy_store, types.void)
def store(context, builder, signature, arguments):
    """Set ``array[index : index + 8]``; in an array of integers to the nearest whole numbers."""
    address = element_address(context, builder, signature, arguments)
    kind, align = _memory(signature.args[0])
    numbers = arguments[2]
    if kind in (_SHORT, _BYTE):
        whole = ir.Constant(numbers.type, [_ROUNDING[numbers.type]] * LANES)
        nearest = builder.fsub(builder.fadd(numbers, whole), whole)
        if kind is _SHORT:
            numbers = builder.fptosi(nearest, kind)
        else:
            numbers = builder.fptoui(nearest, kind)
    else:
        numbers = _convert(builder, numbers, kind)
    builder.store(numbers, builder.bitcast(address, kind.as_pointer()), align=align)


# 2^32 / g and 2^32 / g², where g³ = g + 1: steps of the plane's low-discrepancy sequence (Roberts
# 2018)
_ACROSS = 3242174889
_ONWARD = 2447445414


def _numpy_store_dithered(array, index, value, time):
    first = (int(index) * _ACROSS + int(time) * _ONWARD) % 2**32
    dithers = (first + np.arange(LANES) * _ACROSS) % 2**32 >> 16
    np.copyto(_eight(array, index), (value.astype(np.int64) + dithers) >> 16, casting="unsafe")


@defined(_numpy_store_dithered, types.void)
def store_dithered(context, builder, signature, arguments):
    """Set ``array[index : index + 8]``, of integers, to lanes that are given in parts of 2^16, rounded up or down.

    That follows from the index and a time, an integer, so that means over many times and elements
    stay what they are: what is less than half of one is not lost. It is not random, but lies evenly
    over neighbours and over times.
    """
    address = element_address(context, builder, signature, arguments)
    kind, align = _memory(signature.args[0])
    whole = ir.IntType(64)
    word = ir.IntType(32)
    index, time = (
        context.cast(builder, arguments[k], signature.args[k], types.int64) for k in (1, 3)
    )
    across, onward = (ir.Constant(whole, step) for step in (_ACROSS, _ONWARD))
    seed = builder.trunc(builder.add(builder.mul(index, across), builder.mul(time, onward)), word)
    first = builder.insert_element(ir.Constant(_WORD, ir.Undefined), seed, ir.Constant(word, 0))
    seeds = builder.shuffle_vector(
        first, ir.Constant(_WORD, ir.Undefined), ir.Constant(_WORD, [0] * LANES)
    )
    seeds = builder.add(
        seeds, ir.Constant(_WORD, [lane * _ACROSS % 2**32 for lane in range(LANES)])
    )
    half = ir.Constant(_WORD, [16] * LANES)
    numbers = builder.add(builder.fptosi(arguments[2], _WORD), builder.lshr(seeds, half))
    numbers = builder.trunc(builder.ashr(numbers, half), kind)
    builder.store(numbers, builder.bitcast(address, kind.as_pointer()), align=align)


def _numpy_largest(numbers):
    return np.max(numbers)  # which takes other arguments as well


@defined(_numpy_largest, lambda numbers: numbers.number)
def largest(context, builder, signature, arguments):
    """Return the largest number of lanes."""
    lanes = [
        builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), lane))
        for lane in range(LANES)
    ]
    while len(lanes) > 1:
        pairs = zip(lanes[::2], lanes[1::2], strict=True)
        lanes = [
            builder.select(builder.fcmp_ordered(">", left, right), left, right)
            for left, right in pairs
        ]
    return lanes[0]


def _splat(context, builder, number, kind, lanes):
    """Return lanes that all hold a number, which is of a kind of Numba's."""
    number = context.cast(builder, number, kind, lanes.number)
    vector = lanes.vector
    first = builder.insert_element(
        ir.Constant(vector, ir.Undefined), number, ir.Constant(ir.IntType(32), 0)
    )
    mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), mask)


@defined(lambda number: np.full(LANES, number, np.float64), _lanes_of[types.float64])
def broadcast(context, builder, signature, arguments):
    """Return lanes of float64 that all hold one number."""
    return _splat(context, builder, arguments[0], signature.args[0], signature.return_type)


@defined(lambda like, number: np.full(LANES, number, like.dtype), _own_lanes)
def broadcast_like(context, builder, signature, arguments):
    """Return lanes of the kind that an array is of, which all hold one number."""
    return _splat(context, builder, arguments[1], signature.args[1], signature.return_type)


@defined(lambda array, index: np.full(LANES, array[index]), _own_lanes)
def broadcast_load(context, builder, signature, arguments):
    """Return lanes that all hold ``array[index]``."""
    number = builder.load(element_address(context, builder, signature, arguments))
    return _splat(context, builder, number, signature.return_type.number, signature.return_type)


def _at(context, builder, signature, arguments, lane):
    """Return the address of ``array[base + indices[start + lane]]``, from the arguments array, indices, start, base."""
    array, indices, start, base = arguments[:4]
    kinds = signature.args
    start, base = (context.cast(builder, arguments[k], kinds[k], types.intp) for k in (2, 3))
    at = builder.add(start, ir.Constant(start.type, lane))
    index = builder.load(_address(context, builder, kinds[1], indices, at))
    return _address(
        context, builder, kinds[0], array, builder.add(base, builder.zext(index, start.type))
    )


@defined(
    lambda array, indices, start, base: array[base + _eight(indices, start).astype(np.int64)],
    _own_lanes,
)
def gather(context, builder, signature, arguments):
    """Return ``array[base + indices[start : start + 8]]``; the indices are unsigned."""
    result = ir.Constant(signature.return_type.vector, ir.Undefined)
    for lane in range(LANES):
        number = builder.load(_at(context, builder, signature, arguments, lane))
        result = builder.insert_element(result, number, ir.Constant(ir.IntType(32), lane))
    return result


def _numpy_scatter_add(array, indices, start, base, value):
    for index, number in zip(_eight(indices, start).astype(np.int64), value, strict=True):
        array[base + index] = array[base + index] + number


@defined(_numpy_scatter_add, types.void)
def scatter_add(context, builder, signature, arguments):
    """Add each lane to ``array[base + indices[start + lane]]``, one after the other, so that indices may repeat."""
    for lane in range(LANES):
        address = _at(context, builder, signature, arguments, lane)
        number = builder.extract_element(arguments[4], ir.Constant(ir.IntType(32), lane))
        builder.store(builder.fadd(builder.load(address), number), address)


def _numpy_columns(source, starts, first, offset):
    return np.array([_eight(source, starts[first + row] + offset) for row in range(LANES)]).T


def _numpy_transpose(source, starts, first, offset, target, begins, second, shift):
    for k, column in enumerate(_numpy_columns(source, starts, first, offset)):
        _eight(target, begins[second + k] + shift)[:] = column


def _numpy_transpose_add(source, starts, first, offset, target, begins, second, shift):
    for k, column in enumerate(_numpy_columns(source, starts, first, offset)):
        _eight(target, begins[second + k] + shift)[:] += column


def _write_transposed(context, builder, signature, arguments, *, add):
    """Write the code of :func:`transpose`, or of :func:`transpose_add`; both arrays are of one kind."""
    kinds, word = signature.args, ir.IntType(32)
    vector, align = _memory(kinds[0])
    whole = {k: context.cast(builder, arguments[k], kinds[k], types.intp) for k in (2, 3, 6, 7)}

    def address(array, starts, first, offset, number):
        at = builder.add(first, ir.Constant(first.type, number))
        start = builder.load(_address(context, builder, kinds[starts], arguments[starts], at))
        element = _address(
            context, builder, kinds[array], arguments[array], builder.add(start, offset)
        )
        return builder.bitcast(element, vector.as_pointer())

    rows = [builder.load(address(0, 1, whole[2], whole[3], k), align=align) for k in range(LANES)]
    for distance in (1, 2, 4):  # exchange blocks of this size between rows that are so far apart
        low = [k if not k & distance else k - distance + LANES for k in range(LANES)]
        high = [k + distance if not k & distance else k + LANES for k in range(LANES)]
        masks = [ir.Constant(ir.VectorType(word, LANES), mask) for mask in (low, high)]
        for k in range(LANES):
            if not k & distance:
                upper = rows[k]
                lower = rows[k + distance]
                rows[k], rows[k + distance] = (
                    builder.shuffle_vector(upper, lower, mask) for mask in masks
                )
    for k in range(LANES):
        to = address(4, 5, whole[6], whole[7], k)
        if add:
            number = builder.fadd(builder.load(to, align=align), rows[k])
        else:
            number = rows[k]
        builder.store(number, to, align=align)


@defined(_numpy_transpose, types.void)
def transpose(context, builder, signature, arguments):
    """Set ``target[begins[second + j] + shift + i] = source[starts[first + i] + offset + j]`` for i, j from 0 to 7."""
    _write_transposed(context, builder, signature, arguments, add=False)


@defined(_numpy_transpose_add, types.void)
def transpose_add(context, builder, signature, arguments):
    """Add to the target what :func:`transpose` sets, one row after the other, so that rows may be the same."""
    _write_transposed(context, builder, signature, arguments, add=True)


def _numpy_reciprocal(numbers, like):
    kind = np.float64 if like.dtype == np.float64 else np.float32
    with np.errstate(over="ignore", divide="ignore"):
        return (1.0 / np.asarray(numbers).astype(kind)).astype(numbers.dtype)


@defined(_numpy_reciprocal, lambda numbers, like: numbers)
def reciprocal(context, builder, signature, arguments):
    """Return 1 / lanes, in float32 unless the array ``like`` is of float64: that takes a third of the time."""
    kind = _DOUBLE if signature.args[1].dtype == types.float64 else _SINGLE
    result = signature.return_type.vector
    ones = ir.Constant(kind, [1.0] * LANES)
    return _convert(builder, builder.fdiv(ones, _convert(builder, arguments[0], kind)), result)


def _alike(context, builder, signature, arguments):
    """Return the arguments as lanes where the result is lanes, and else as single numbers."""
    result = signature.return_type

    def alike(value, kind):
        if not isinstance(result, _LanesType):
            return context.cast(builder, value, kind, types.float64)
        if isinstance(kind, _LanesType):
            return value
        return _splat(context, builder, value, kind, result)

    return [alike(value, kind) for value, kind in zip(arguments, signature.args, strict=True)]


def _lanes_or_number(*kinds):
    return next((kind for kind in kinds if isinstance(kind, _LanesType)), types.float64)


def _numpy_alike(*values):
    """Return NumPy's arrays of one kind for lanes and single numbers: those give way to the kind of the lanes."""
    kinds = {value.dtype for value in values if isinstance(value, np.ndarray)} or {
        np.dtype(np.float64)
    }
    return (np.asarray(value, min(kinds)) for value in values)


def _numpy_where_positive(test, then, otherwise):
    test, then, otherwise = _numpy_alike(test, then, otherwise)
    return np.where(test > 0.0, then, otherwise)


def _numpy_maximum(left, right):
    left, right = _numpy_alike(left, right)
    return np.where(left > right, left, right)


@defined(_numpy_where_positive, _lanes_or_number)
def where_positive(context, builder, signature, arguments):
    """Return ``then`` where ``test > 0`` and else ``otherwise``, lane by lane; all may be lanes or single numbers."""
    test, then, otherwise = _alike(context, builder, signature, arguments)
    return builder.select(
        builder.fcmp_ordered(">", test, ir.Constant(test.type, None)), then, otherwise
    )


@defined(_numpy_maximum, _lanes_or_number)
def maximum(context, builder, signature, arguments):
    """Return the larger of two, lane by lane; both may be lanes or single numbers."""
    left, right = _alike(context, builder, signature, arguments)
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


@defined(lambda numbers: np.ldexp(1.0, numbers.astype(np.int64)), lambda numbers: numbers)
def power_of_two(context, builder, signature, arguments):
    """Return 2 to the power of lanes of float64 that hold whole numbers from -1022 to 1023."""
    whole = ir.VectorType(ir.IntType(64), LANES)
    # Adding this leaves the number in the lowest bits, from where it moves to those of the
    # exponent.
    shifted = builder.fadd(arguments[0], ir.Constant(_DOUBLE, [_ROUNDING[_DOUBLE] + 1023] * LANES))
    return builder.bitcast(
        builder.shl(builder.bitcast(shifted, whole), ir.Constant(whole, [52] * LANES)), _DOUBLE
    )


def _binary(operation, instruction):
    """Let an operator of Python work on lanes, and on lanes and a single number.

    Numba finds its instructions by the types of both sides. It would compile an ``overload`` as a
    function of its own, for each kind of lanes and each way in which kernels are compiled.
    """

    def code(context, builder, signature, arguments):
        return getattr(builder, instruction)(*_alike(context, builder, signature, arguments))

    @infer_global(operation)
    class _Operation(AbstractTemplate):
        def generic(self, args, kws):
            left, right = args
            if isinstance(left, _LanesType) and (left == right or isinstance(right, types.Float)):
                return left(left, right)
            return None

    for right in (_LanesType, types.Float):
        lower_builtin(operation, _LanesType, right)(code)


for _operator, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _binary(_operator, _instruction)
