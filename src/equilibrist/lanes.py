"""Eight numbers at a time: a vector type for kernels, so that they use the vector unit even where loops are short.

Numba vectorises long loops by itself, but games are full of short ones: three cards, six faces, eight infosets. Inside
a compiled function, a *lanes* value is eight float64 that are added, subtracted and multiplied together, lane by lane,
in ordinary IEEE arithmetic. Every machine has it: where registers are narrower, LLVM uses two or four of them.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, overload, register_model

LANES = 8

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_NUMBER_BYTES = 8  # arrays of float64 are aligned to their elements, not to whole vectors


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """Return the address of an element: `index` counts float64 and is never negative."""
    data = context.make_array(array_type)(context, builder, value=array).data
    return builder.gep(data, [index])


@intrinsic
def load(typing_context: Any, array: Any, index: Any) -> Any:
    """Return ``array[index : index + 8]``."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        index = context.cast(builder, arguments[1], signature.args[1], types.intp)
        address = _address(context, builder, signature.args[0], arguments[0], index)
        return builder.load(builder.bitcast(address, _VECTOR.as_pointer()), align=_NUMBER_BYTES)

    return _lanes(array, index), code


@intrinsic
def store(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Set ``array[index : index + 8]``."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        index = context.cast(builder, arguments[1], signature.args[1], types.intp)
        address = _address(context, builder, signature.args[0], arguments[0], index)
        builder.store(arguments[2], builder.bitcast(address, _VECTOR.as_pointer()), align=_NUMBER_BYTES)
        return context.get_dummy_value()

    return types.void(array, index, value), code


@intrinsic
def same(typing_context: Any, number: Any) -> Any:
    """Return lanes that all hold one number."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = context.cast(builder, arguments[0], signature.args[0], types.float64)
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)

    return _lanes(number), code


@intrinsic
def gather(typing_context: Any, array: Any, indices: Any, start: Any) -> Any:
    """Return ``array[indices[start : start + 8]]``; the indices are unsigned."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.cast(builder, arguments[2], signature.args[2], types.intp)
        result = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            at = builder.add(start, ir.Constant(start.type, lane))
            index = builder.load(_address(context, builder, signature.args[1], arguments[1], at))
            index = builder.zext(index, start.type)
            number = builder.load(_address(context, builder, signature.args[0], arguments[0], index))
            result = builder.insert_element(result, number, ir.Constant(ir.IntType(32), lane))
        return result

    return _lanes(array, indices, start), code


@intrinsic
def scatter_add(typing_context: Any, array: Any, indices: Any, start: Any, value: Any) -> Any:
    """Add each lane to ``array[indices[start + lane]]``, one after the other, so that indices may repeat."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.cast(builder, arguments[2], signature.args[2], types.intp)
        for lane in range(LANES):
            at = builder.add(start, ir.Constant(start.type, lane))
            index = builder.load(_address(context, builder, signature.args[1], arguments[1], at))
            address = _address(context, builder, signature.args[0], arguments[0], builder.zext(index, start.type))
            number = builder.extract_element(arguments[3], ir.Constant(ir.IntType(32), lane))
            builder.store(builder.fadd(builder.load(address), number), address)
        return context.get_dummy_value()

    return types.void(array, indices, start, value), code


@intrinsic
def where_positive(typing_context: Any, test: Any, then: Any, otherwise: Any) -> Any:
    """Return, lane by lane, ``then`` where ``test > 0`` and else ``otherwise``."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        positive = builder.fcmp_ordered(">", arguments[0], ir.Constant(_VECTOR, [0.0] * LANES))
        return builder.select(positive, arguments[1], arguments[2])

    return _lanes(test, then, otherwise), code


@intrinsic
def larger(typing_context: Any, one: Any, other: Any) -> Any:
    """Return the larger of two, lane by lane."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return _lanes(one, other), code


def _binary(operation: Any, instruction: str) -> None:
    """Let an operator of Python work on lanes."""

    @intrinsic
    def combine(typing_context: Any, one: Any, other: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return _lanes(one, other), code

    @overload(operation)
    def operate(one, other):  # type: ignore[no-untyped-def]
        if one is _lanes and other is _lanes:
            return lambda one, other: combine(one, other)  # noqa: PLW0108 (Numba compares the two signatures)
        if one is _lanes and isinstance(other, types.Float):
            return lambda one, other: combine(one, same(other))
        return None


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _binary(_operation, _instruction)
