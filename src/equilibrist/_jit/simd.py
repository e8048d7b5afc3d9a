"""Eight numbers at a time: a vector type for kernels, so that they use the vector unit even where loops are short.

Numba vectorises long loops by itself, but games are full of short ones: three cards, six faces, eight infosets. Inside
a compiled function, a *lanes* value is eight float64 that are added, subtracted and multiplied together, lane by lane,
in ordinary IEEE arithmetic. Every machine has it: where registers are narrower, LLVM uses two or four of them.

Each operation is defined twice: in NumPy, which says what it means and is what runs with ``NUMBA_DISABLE_JIT=1``, and
in LLVM's instructions. An ``array`` has one dimension and holds float64, float32 or int16; its ``index`` is an integer,
never negative, and at least eight elements begin there; ``indices`` and ``starts`` are arrays of unsigned integers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba  # noqa: F401  # whole before its parts
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, overload, register_model
from numpy.typing import NDArray

from .compile import INTERPRETED

LANES = 8

_LINE_BYTES = 64
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_SINGLE = ir.VectorType(ir.FloatType(), LANES)  # float32 in memory only: all arithmetic is in float64
_SHORT = ir.VectorType(ir.IntType(16), LANES)  # int16 in memory only
_ROUNDING = 1.5 * 2.0**52  # added and taken off again, it leaves the nearest whole number, the even one of two


def zeros(length: int, dtype: Any = np.float64) -> NDArray[Any]:
    """Return zeros in memory where eight float64 that begin at a multiple of eight lie in one line of the cache.

    NumPy aligns to 16 bytes: every load of eight would touch two lines, and kernels take up to half as long again.
    """
    size = length * np.dtype(dtype).itemsize
    memory = np.zeros(size + _LINE_BYTES, np.uint8)
    start = -memory.ctypes.data % _LINE_BYTES
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
    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """Return the address of an element: `index` counts elements and is never negative."""
    data = context.make_array(array_type)(context, builder, value=array).data
    return builder.gep(data, [index])


def element_address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the address of an element: the first two arguments are an array and an index."""
    index = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return _address(context, builder, signature.args[0], arguments[0], index)


def _memory(array_type: Any) -> tuple[Any, int]:
    """Return how eight numbers lie in an array, and to how many bytes they are aligned: to one, not to all eight."""
    return {types.float32: (_SINGLE, 4), types.int16: (_SHORT, 2)}.get(array_type.dtype, (_VECTOR, 8))


NUMPY: dict[str, Callable[..., Any]] = {}
"""Each operation in NumPy, by its name."""


def defined(in_numpy: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator for the instructions of an operation that does in compiled code what NumPy would do."""

    def decorate(function: Callable[..., Any]) -> Any:
        NUMPY[function.__name__] = in_numpy
        return in_numpy if INTERPRETED else intrinsic(function)

    return decorate


def _eight(array: NDArray[Any], index: Any) -> NDArray[Any]:
    return array[int(index) : int(index) + LANES]


@defined(lambda array, index: _eight(array, index).astype(np.float64))
def load(typing_context: Any, array: Any, index: Any) -> Any:
    """Return ``array[index : index + 8]``."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = element_address(context, builder, signature, arguments)
        kind, align = _memory(signature.args[0])
        numbers = builder.load(builder.bitcast(address, kind.as_pointer()), align=align)
        if kind is _SHORT:
            return builder.sitofp(numbers, _VECTOR)
        return numbers if kind is _VECTOR else builder.fpext(numbers, _VECTOR)

    return _lanes(array, index), code


@defined(lambda array, index: None)
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for ``array[index]`` to be brought near; nothing waits for it, and it need not exist."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = element_address(context, builder, signature, arguments)
        word, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        read, keep, data = (ir.Constant(word, number) for number in (0, 3, 1))
        builder.call(ask, [builder.bitcast(address, byte), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, index), code


def _numpy_store(array: Any, index: Any, value: Any) -> None:
    whole = array.dtype.kind == "i"
    np.copyto(_eight(array, index), np.rint(value) if whole else value, casting="unsafe" if whole else "same_kind")


@defined(_numpy_store)
def store(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Set ``array[index : index + 8]``; in an array of int16 to the nearest whole numbers."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = element_address(context, builder, signature, arguments)
        kind, align = _memory(signature.args[0])
        numbers = arguments[2]
        if kind is _SHORT:
            whole = ir.Constant(_VECTOR, [_ROUNDING] * LANES)
            numbers = builder.fptosi(builder.fsub(builder.fadd(numbers, whole), whole), kind)
        elif kind is _SINGLE:
            numbers = builder.fptrunc(numbers, kind)
        builder.store(numbers, builder.bitcast(address, kind.as_pointer()), align=align)
        return context.get_dummy_value()

    return types.void(array, index, value), code


@defined(lambda numbers: np.float64(np.max(numbers)))
def largest(typing_context: Any, numbers: Any) -> Any:
    """Return the largest number of lanes."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = [builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), lane)) for lane in range(LANES)]
        while len(lanes) > 1:
            pairs = zip(lanes[::2], lanes[1::2], strict=True)
            lanes = [builder.select(builder.fcmp_ordered(">", left, right), left, right) for left, right in pairs]
        return lanes[0]

    return types.float64(numbers), code


def _splat(builder: Any, number: Any) -> Any:
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), mask)


@defined(lambda number: np.full(LANES, number, np.float64))
def broadcast(typing_context: Any, number: Any) -> Any:
    """Return lanes that all hold one number."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _splat(builder, context.cast(builder, arguments[0], signature.args[0], types.float64))

    return _lanes(number), code


@defined(lambda array, index: np.full(LANES, array[index], np.float64))
def broadcast_load(typing_context: Any, array: Any, index: Any) -> Any:
    """Return lanes that all hold ``array[index]``."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = builder.load(element_address(context, builder, signature, arguments))
        return _splat(builder, number)

    return _lanes(array, index), code


def _at(context: Any, builder: Any, signature: Any, arguments: Any, lane: int) -> Any:
    """Return the address of ``array[base + indices[start + lane]]``, from the arguments array, indices, start, base."""
    array, indices, start, base = arguments[:4]
    kinds = signature.args
    start, base = (context.cast(builder, arguments[k], kinds[k], types.intp) for k in (2, 3))
    at = builder.add(start, ir.Constant(start.type, lane))
    index = builder.load(_address(context, builder, kinds[1], indices, at))
    return _address(context, builder, kinds[0], array, builder.add(base, builder.zext(index, start.type)))


@defined(lambda array, indices, start, base: array[base + _eight(indices, start).astype(np.int64)])
def gather(typing_context: Any, array: Any, indices: Any, start: Any, base: Any) -> Any:
    """Return ``array[base + indices[start : start + 8]]``; the indices are unsigned."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        result = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            number = builder.load(_at(context, builder, signature, arguments, lane))
            result = builder.insert_element(result, number, ir.Constant(ir.IntType(32), lane))
        return result

    return _lanes(array, indices, start, base), code


def _numpy_scatter_add(array: Any, indices: Any, start: Any, base: Any, value: Any) -> None:
    for index, number in zip(_eight(indices, start).astype(np.int64), value, strict=True):
        array[base + index] = array[base + index] + number


@defined(_numpy_scatter_add)
def scatter_add(typing_context: Any, array: Any, indices: Any, start: Any, base: Any, value: Any) -> Any:
    """Add each lane to ``array[base + indices[start + lane]]``, one after the other, so that indices may repeat."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for lane in range(LANES):
            address = _at(context, builder, signature, arguments, lane)
            number = builder.extract_element(arguments[4], ir.Constant(ir.IntType(32), lane))
            builder.store(builder.fadd(builder.load(address), number), address)
        return context.get_dummy_value()

    return types.void(array, indices, start, base, value), code


def _numpy_columns(source: Any, starts: Any, first: Any, offset: Any) -> Any:
    return np.array([_eight(source, starts[first + row] + offset) for row in range(LANES)], np.float64).T


def _numpy_transpose(
    source: Any, starts: Any, first: Any, offset: Any, target: Any, begins: Any, second: Any, shift: Any
) -> None:
    for k, column in enumerate(_numpy_columns(source, starts, first, offset)):
        _eight(target, begins[second + k] + shift)[:] = column


def _numpy_transpose_add(
    source: Any, starts: Any, first: Any, offset: Any, target: Any, begins: Any, second: Any, shift: Any
) -> None:
    for k, column in enumerate(_numpy_columns(source, starts, first, offset)):
        _eight(target, begins[second + k] + shift)[:] += column


def _transposed(add: bool) -> Callable[..., Any]:
    """Return the code of :func:`transpose`, or of :func:`transpose_add`; all arrays are of float64."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds, word = signature.args, ir.IntType(32)
        whole = {k: context.cast(builder, arguments[k], kinds[k], types.intp) for k in (2, 3, 6, 7)}

        def address(array: int, starts: int, first: Any, offset: Any, number: int) -> Any:
            at = builder.add(first, ir.Constant(first.type, number))
            start = builder.load(_address(context, builder, kinds[starts], arguments[starts], at))
            element = _address(context, builder, kinds[array], arguments[array], builder.add(start, offset))
            return builder.bitcast(element, _VECTOR.as_pointer())

        rows = [builder.load(address(0, 1, whole[2], whole[3], k), align=8) for k in range(LANES)]
        for distance in (1, 2, 4):  # exchange blocks of this size between rows that are so far apart
            low = [k if not k & distance else k - distance + LANES for k in range(LANES)]
            high = [k + distance if not k & distance else k + LANES for k in range(LANES)]
            masks = [ir.Constant(ir.VectorType(word, LANES), mask) for mask in (low, high)]
            for k in range(LANES):
                if not k & distance:
                    upper, lower = rows[k], rows[k + distance]
                    rows[k], rows[k + distance] = (builder.shuffle_vector(upper, lower, mask) for mask in masks)
        for k in range(LANES):
            to = address(4, 5, whole[6], whole[7], k)
            number = builder.fadd(builder.load(to, align=8), rows[k]) if add else rows[k]
            builder.store(number, to, align=8)
        return context.get_dummy_value()

    return code


@defined(_numpy_transpose)
def transpose(  # type: ignore[no-untyped-def]
    typing_context, source, starts, first, offset, target, begins, second, shift
):
    """Set ``target[begins[second + j] + shift + i] = source[starts[first + i] + offset + j]`` for i, j from 0 to 7."""
    return types.void(source, starts, first, offset, target, begins, second, shift), _transposed(add=False)


@defined(_numpy_transpose_add)
def transpose_add(  # type: ignore[no-untyped-def]
    typing_context, source, starts, first, offset, target, begins, second, shift
):
    """Add to the target what :func:`transpose` sets, one row after the other, so that rows may be the same."""
    return types.void(source, starts, first, offset, target, begins, second, shift), _transposed(add=True)


def _numpy_reciprocal(numbers: Any, like: Any) -> Any:
    kind: Any = np.float64 if like.dtype == np.float64 else np.float32
    with np.errstate(over="ignore"):
        return (1.0 / np.asarray(numbers).astype(kind)).astype(np.float64)


@defined(_numpy_reciprocal)
def reciprocal(typing_context: Any, numbers: Any, like: Any) -> Any:
    """Return 1 / lanes, divided in the precision of the array ``like``: float32 takes a third of the time.

    For numbers of 16 bits float32 is enough as well.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = _VECTOR if signature.args[1].dtype == types.float64 else _SINGLE
        ones = ir.Constant(kind, [1.0] * LANES)
        if kind is _VECTOR:
            return builder.fdiv(ones, arguments[0])
        return builder.fpext(builder.fdiv(ones, builder.fptrunc(arguments[0], kind)), _VECTOR)

    return _lanes(numbers, like), code


def _alike(context: Any, builder: Any, signature: Any, arguments: Any) -> list[Any]:
    """Return the arguments as lanes where the result is lanes, and else as single numbers."""
    numbers = []
    for value, kind in zip(arguments, signature.args, strict=True):
        number = value if kind is _lanes else context.cast(builder, value, kind, types.float64)
        numbers.append(_splat(builder, number) if signature.return_type is _lanes and kind is not _lanes else number)
    return numbers


def _lanes_or_number(*kinds: Any) -> Any:
    """Return the type of the result: lanes where there are any."""
    return _lanes if _lanes in kinds else types.float64


@defined(lambda test, then, otherwise: np.where(test > 0.0, then, otherwise))
def where_positive(typing_context: Any, test: Any, then: Any, otherwise: Any) -> Any:
    """Return ``then`` where ``test > 0`` and else ``otherwise``, lane by lane; all may be lanes or single numbers."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        test, then, otherwise = _alike(context, builder, signature, arguments)
        return builder.select(builder.fcmp_ordered(">", test, ir.Constant(test.type, None)), then, otherwise)

    return _lanes_or_number(test, then, otherwise)(test, then, otherwise), code


@defined(lambda left, right: np.where(left > right, left, right))
def maximum(typing_context: Any, left: Any, right: Any) -> Any:
    """Return the larger of two, lane by lane; both may be lanes or single numbers."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        left, right = _alike(context, builder, signature, arguments)
        return builder.select(builder.fcmp_ordered(">", left, right), left, right)

    return _lanes_or_number(left, right)(left, right), code


def _binary(operation: Any, instruction: str) -> None:
    """Let an operator of Python work on lanes."""

    @intrinsic
    def combine(typing_context: Any, left: Any, right: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return _lanes(left, right), code

    @overload(operation)
    def operate(left, right):  # type: ignore[no-untyped-def]
        if left is _lanes and right is _lanes:
            return lambda left, right: combine(left, right)  # noqa: PLW0108 (Numba compares the two signatures)
        if left is _lanes and isinstance(right, types.Float):
            return lambda left, right: combine(left, broadcast(right))
        return None


for _operator, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _binary(_operator, _instruction)
