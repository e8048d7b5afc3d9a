"""Arrays whose references nobody counts, in kernels that count those of others.

Numba counts the references to an array wherever a kernel takes it from a tuple, hands it on or
makes a view of it: two atomic instructions each time, as long as a loop over a hundred numbers. An
array without an owner is not counted. Whoever calls the kernel holds the memory as long as it runs.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call", no-check-untyped-defs

from __future__ import annotations

from typing import Any

import numba  # noqa: F401  # whole before its parts
from llvmlite import ir
from numba.core import cgutils, types
from numpy.typing import NDArray

from .record_model import RecordType
from .simd import defined


def _numpy_borrow(value: Any) -> Any:
    return value


@defined(_numpy_borrow, lambda value: value)
def borrow(context, builder, signature, arguments):
    """Return a value, an array or a tuple with arrays inside, so that no references to them are counted."""
    return _take_owner_off(context, builder, signature.return_type, arguments[0])


def _take_owner_off(context, builder, kind, value):
    """Return a value of a type of Numba's with arrays that have no owner."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value=value)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        return array._getvalue()
    if isinstance(kind, RecordType):
        fields = _take_owners_off_record(context, builder, kind, builder.load(value))
        return cgutils.alloca_once_value(builder, fields)
    if isinstance(kind, types.BaseTuple):
        for number, field_kind in enumerate(kind.types):
            field = builder.extract_value(value, number)
            borrowed = _take_owner_off(context, builder, field_kind, field)
            value = builder.insert_value(value, borrowed, number)
    return value


def _take_owners_off_record(context, builder, kind, structure):
    """Return the structure of a record with arrays that have no owner; that of a record inside is part of it."""
    for number, field_kind in enumerate(kind.types):
        field = builder.extract_value(structure, number)
        if isinstance(field_kind, RecordType):
            borrowed = _take_owners_off_record(context, builder, field_kind, field)
        else:
            borrowed = _take_owner_off(context, builder, field_kind, field)
        structure = builder.insert_value(structure, borrowed, number)
    return structure


def _numpy_view_matrix(numbers: NDArray[Any], start: int, rows: int, columns: int) -> NDArray[Any]:
    return numbers[start : start + rows * columns].reshape((columns, rows)).T


@defined(_numpy_view_matrix, lambda numbers, *_: types.Array(numbers.dtype, 2, "F"))
def view_matrix(context, builder, signature, arguments):
    """Return the numbers of a row from a place on, (rows, columns), column after column, without an owner.

    Nobody looks whether the row has as many.
    """
    row_kind = signature.args[0]
    start, rows, columns = (
        context.cast(builder, arguments[k], signature.args[k], types.intp) for k in (1, 2, 3)
    )
    row = context.make_array(row_kind)(context, builder, value=arguments[0])
    matrix = context.make_array(signature.return_type)(context, builder)
    matrix.data = builder.gep(row.data, [start])
    matrix.nitems = builder.mul(rows, columns)
    matrix.itemsize = row.itemsize
    matrix.shape = cgutils.pack_array(builder, [rows, columns])
    matrix.strides = cgutils.pack_array(builder, [row.itemsize, builder.mul(row.itemsize, rows)])
    matrix.meminfo = ir.Constant(matrix.meminfo.type, None)
    matrix.parent = ir.Constant(matrix.parent.type, None)
    return matrix._getvalue()
