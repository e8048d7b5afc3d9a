"""The data model of records: structures that compiled functions hand on by their address.

Numba hands a named tuple on by value: each time that a kernel reads a field of a record of thirty arrays, LLVM is given
all of them to load, and takes them apart again. It finds that all but one are not needed, so that the machine code is
the same in the end, but that takes most of the time of compiling a long kernel. Here a kernel copies a record once into
its own frame, where LLVM finds each field by itself.
"""

from __future__ import annotations

from typing import Any

import numba  # noqa: F401  # whole before its parts
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_builtin
from numba.core.typing.typeof import typeof_impl
from numba.extending import NativeValue, lower_getattr_generic, models, register_model, unbox


class RecordType(types.NamedTuple):
    """The type of a record."""


def register(cls: type) -> None:
    """Make the named tuples of a class records."""

    def typeof(value: Any, context: Any) -> Any:
        kinds = [typeof_impl(field, context) for field in value]
        if None in kinds:
            return None
        return RecordType(kinds, cls)

    typeof_impl.register(cls)(typeof)


@register_model(RecordType)
class _RecordModel(models.DataModel):
    """The address of a structure in the frame of a function; functions are given every field by itself."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind)
        self.members = [manager.lookup(member) for member in kind.types]
        self.structure: Any = ir.LiteralStructType(
            [
                m.structure if isinstance(m, _RecordModel) else m.get_value_type()
                for m in self.members
            ]
        )

    def get_value_type(self) -> Any:
        return self.structure.as_pointer()

    def get_data_type(self) -> Any:
        return self.structure

    def get_argument_type(self) -> Any:
        return tuple(member.get_argument_type() for member in self.members)

    def as_data(self, builder: Any, value: Any) -> Any:
        return builder.load(value)

    def from_data(self, builder: Any, value: Any) -> Any:
        return cgutils.alloca_once_value(builder, value)

    def as_argument(self, builder: Any, value: Any) -> Any:
        return tuple(
            member.as_argument(builder, _field(builder, value, number, member))
            for number, member in enumerate(self.members)
        )

    def from_argument(self, builder: Any, value: Any) -> Any:
        address = cgutils.alloca_once(builder, self.structure)
        self._fill(builder, value, address)
        return address

    def _fill(self, builder: Any, values: Any, address: Any) -> None:
        for number, (member, value) in enumerate(zip(self.members, values, strict=True)):
            place = cgutils.gep_inbounds(builder, address, 0, number)
            if isinstance(member, _RecordModel):
                member._fill(builder, value, place)
            else:
                builder.store(member.from_argument(builder, value), place)

    def inner_models(self) -> Any:
        return self.members

    def traverse(self, builder: Any) -> Any:
        return []  # who calls a kernel holds the arrays: nobody counts references


def _field(builder: Any, address: Any, number: int, model: Any) -> Any:
    """Return a field of a record; of one that is a record itself, its address."""
    place = cgutils.gep_inbounds(builder, address, 0, number)
    if isinstance(model, _RecordModel):
        return place
    return builder.load(place)


def _read(context: Any, builder: Any, kind: Any, address: Any, number: int) -> Any:
    field = _field(builder, address, number, context.data_model_manager[kind.types[number]])
    return impl_ret_borrowed(context, builder, kind.types[number], field)


@lower_getattr_generic(RecordType)
def _attribute(context: Any, builder: Any, kind: Any, address: Any, name: str) -> Any:
    return _read(context, builder, kind, address, kind.fields.index(name))


@lower_builtin("static_getitem", RecordType, types.IntegerLiteral)
def _item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, number = arguments
    return _read(context, builder, signature.args[0], address, number)


@unbox(RecordType)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    """Fill a structure from a named tuple of Python."""
    address = cgutils.alloca_once(c.builder, c.context.data_model_manager[kind].structure)
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    _unbox_fields(kind, value, c, address, failed)

    def release() -> None:
        _release(c.context, c.builder, kind, address)

    cleanup = release if c.context.enable_nrt else None
    return NativeValue(address, is_error=c.builder.load(failed), cleanup=cleanup)


def _release(context: Any, builder: Any, kind: Any, address: Any) -> None:
    """Give back the references to the arrays that a kernel was given, in kernels that count them."""
    for number, field in enumerate(kind.types):
        value = _field(builder, address, number, context.data_model_manager[field])
        if isinstance(field, RecordType):
            _release(context, builder, field, value)
        else:
            context.nrt.decref(builder, field, value)


def _unbox_fields(kind: Any, value: Any, c: Any, address: Any, failed: Any) -> None:
    for number, field in enumerate(kind.types):
        item = c.pyapi.tuple_getitem(value, number)
        place = cgutils.gep_inbounds(c.builder, address, 0, number)
        if isinstance(field, RecordType):
            _unbox_fields(field, item, c, place, failed)
        else:
            native = c.unbox(field, item)
            c.builder.store(native.value, place)
            with cgutils.if_unlikely(c.builder, native.is_error):
                c.builder.store(cgutils.true_bit, failed)
