"""The text by which a rule of one's own is known: its class, and what its attributes hold."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AlgorithmError

_OF_THE_ALGORITHM = ("name", "source", "gamma", "alternating")
_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)
_OF_OBJECTS = ("__dict__", "__weakref__")
_ADDRESS = " at 0x"
_MADE = "<string>"  # the file of methods that a dataclass makes
_DIGITS = 8  # of a digest, in hexadecimal


def describe_rule(rule: Any) -> str:
    """Return ``repr`` of a rule where its class has one, else its class with its attributes, ``Hedge(eta=0.5)``.

    Rules with other numbers are other rules: where they are compared, and where a run goes on.
    Arrays and functions count by a digest of what they hold. Attributes whose names begin with
    ``_``, and objects of other classes, are left out. Of a dataclass all fields are shown that its
    ``repr`` shows, but that shortens arrays, and has functions by their addresses.
    """
    if _has_repr(rule):
        return _call_repr(rule, f"a rule, {type(rule).__name__},")
    settings = []
    for name, value in _read_settings(rule).items():
        text = _describe_value(value)
        if text is None and dataclasses.is_dataclass(rule):
            text = _describe_object(value, f"{name} of a rule, {type(rule).__name__},")
        if text is not None:
            settings.append(f"{name}={text}")
    name = type(rule).__qualname__.rpartition("<locals>.")[2]
    if settings:
        return f"{name}({', '.join(settings)})"
    return name


def may_differ(rule: Any, other: Any) -> bool:
    """Return whether two rules of the same text may play otherwise, by their classes or by what the text leaves out."""
    if rule is other:
        return False
    if type(rule) is not type(other):
        return True
    if _has_repr(rule):
        return False
    attributes = _read_attributes(rule)
    of_other = _read_attributes(other)
    return attributes.keys() != of_other.keys() or any(
        _values_may_differ(value, of_other[name]) for name, value in attributes.items()
    )


def _values_may_differ(value: Any, other: Any) -> bool:
    """Return whether the values of two attributes are not known to be the same."""
    if value is other:
        return False
    text = _describe_value(value)
    return text is None or text != _describe_value(other)


def _has_repr(rule: Any) -> bool:
    """Return whether the class of a rule, or one that it is made from, has a ``repr`` that somebody wrote."""
    for kind in type(rule).__mro__[:-1]:
        written = vars(kind).get("__repr__")
        if written is not None:
            code = getattr(inspect.unwrap(written), "__code__", None)
            is_made = code is not None and code.co_filename == _MADE
            return not (is_made and dataclasses.is_dataclass(kind))
    return False


def _read_settings(rule: Any) -> dict[str, Any]:
    """Return the attributes by which a rule is known."""
    attributes = _read_attributes(rule)
    if dataclasses.is_dataclass(rule):
        return {
            field.name: attributes[field.name]
            for field in dataclasses.fields(rule)
            if field.repr and field.name in attributes
        }
    return {
        name: value
        for name, value in attributes.items()
        if not (name.startswith("_") or name in _OF_THE_ALGORITHM)
    }


def _read_attributes(rule: Any) -> dict[str, Any]:
    """Return the attributes of a rule by name, those in slots first, in the order of their classes."""
    attributes = {}
    for kind in reversed(type(rule).__mro__):
        names = vars(kind).get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in _OF_OBJECTS and hasattr(rule, name):
                attributes[name] = getattr(rule, name)
    return attributes | getattr(rule, "__dict__", {})


def _describe_value(value: Any) -> str | None:
    """Return a text that differs where the values of two attributes differ; None where none can be told."""
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, np.ndarray):
        return _describe_array(value)
    if isinstance(value, FunctionType):
        return _describe_function(value)
    if isinstance(value, list):
        return f"[{_join_values(value)}]"
    if isinstance(value, tuple):
        return f"({_join_values(value)})"
    if isinstance(value, dict):
        entries = [f"{key!r}: {_describe_value(entry)}" for key, entry in value.items()]
        return f"{{{', '.join(entries)}}}"
    return None


def _call_repr(thing: Any, what: str) -> str:
    """Return ``repr`` of something, which the user may have written."""
    try:
        return repr(thing)
    except Exception as error:
        raise AlgorithmError(
            f"repr() of {what} raised {type(error).__name__}: {error}.",
            wrong_use=False,
        ) from error


def _describe_object(value: Any, what: str) -> str | None:
    """Return ``repr`` of an object of another class; None where it is an address."""
    text = _call_repr(value, what)
    if _ADDRESS in text:
        return None
    return text


def _join_values(values: list[Any] | tuple[Any, ...]) -> str:
    return ", ".join(str(_describe_value(value)) for value in values)


def _describe_array(array: NDArray[Any]) -> str | None:
    """Return type, shape and a digest of an array of numbers; None of objects, whose bytes are addresses."""
    if array.dtype.hasobject:
        return None
    sizes = ", ".join(map(str, array.shape))
    return f"{array.dtype}[{sizes}]#{_digest(np.ascontiguousarray(array).tobytes())}"


def _describe_function(function: FunctionType) -> str:
    """Return the name of a function and a digest of its source, its defaults and what it closes over."""
    name = function.__qualname__.rpartition("<locals>.")[2]
    parts = [_source_text(function)]
    parts += [f"default {_describe_value(value)}" for value in function.__defaults__ or ()]
    for key, value in (function.__kwdefaults__ or {}).items():
        parts.append(f"default {key} {_describe_value(value)}")
    for key, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        parts.append(f"outer {key} {_describe_cell(cell)}")
    return f"{name}#{_digest(chr(10).join(parts).encode())}"


def _describe_cell(cell: Any) -> str | None:
    try:
        value = cell.cell_contents
    except ValueError:  # not set yet
        return None
    if isinstance(value, FunctionType):  # which may close over itself
        return _source_text(value)
    return _describe_value(value)


def _source_text(function: FunctionType) -> str:
    """Return the source of a function; of a lambda, which shares its line, or without a file what the machine runs."""
    code = function.__code__
    if function.__name__ != "<lambda>":
        try:
            return inspect.getsource(function).strip()
        except (OSError, TypeError):
            pass
    return f"{code.co_code.hex()} {code.co_names} {_plain_constants(code.co_consts)}"


def _plain_constants(constants: tuple[Any, ...]) -> list[str]:
    return [repr(value) for value in constants if isinstance(value, _PLAIN)]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_DIGITS]
