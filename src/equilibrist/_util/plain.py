"""Records (dataclasses and named tuples) as plain data for JSON, and back, every type checked."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn, Union, get_args, get_origin, get_type_hints

_PLAIN = {type(None), bool, int, float, str}  # by far the most values of large results


def to_plain(value: Any) -> Any:
    """Return a record as dicts, lists, texts and numbers; what has a method ``to_plain`` says itself what it is."""
    if type(value) in _PLAIN:
        return value
    if hasattr(value, "to_plain"):
        return value.to_plain()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if hasattr(value, "_asdict"):
        return {name: to_plain(part) for name, part in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(name): to_plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(part) for part in value]
    # an array; NumPy takes long to import
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


def from_plain(kind: Any, value: Any) -> Any:
    """Return the record of a type that :func:`to_plain` made plain data of.

    Types are those of the annotations: records, ``tuple[T, ...]``, ``tuple[S, T]``, ``dict[str,
    T]``, unions, bool, int, float (an int will do), str, None, vectors of float64, and classes with
    ``from_plain``. Nothing is converted silently, nothing may be missing or unknown.
    """
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return from_plain(_find_member(get_args(kind), value), value)
    if hasattr(kind, "from_plain"):
        return kind.from_plain(value)
    if origin is tuple:
        kinds = get_args(kind)
        parts = _check_type(list, value)
        if kinds[-1] is Ellipsis:
            return tuple(from_plain(kinds[0], part) for part in parts)
        return tuple(from_plain(kind, part) for kind, part in zip(kinds, parts, strict=True))
    if getattr(origin, "__module__", "") == "numpy":
        import numpy as np  # takes long, and is there where an annotation names it

        return np.array([from_plain(float, part) for part in _check_type(list, value)])
    if origin in (dict, Mapping):
        return {
            from_plain(str, name): from_plain(get_args(kind)[1], part)
            for name, part in _check_type(dict, value).items()
        }
    if hasattr(kind, "__dataclass_fields__") or hasattr(kind, "_fields"):
        return kind(**fields_from_plain(kind, value))
    if kind is float:
        return float(_check_type((int, float), value))
    return _check_type(kind, value)


def _check_type(kind: Any, value: Any) -> Any:
    """Return a value of a type, or refuse it; True is no number."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{type(value).__name__} instead of {kind}")
    return value


def _find_member(kinds: tuple[Any, ...], value: Any) -> Any:
    """Return the type of a union that a plain value belongs to."""
    if value is None and type(None) in kinds:
        return type(None)
    records = [
        kind for kind in kinds if hasattr(kind, "__dataclass_fields__") or hasattr(kind, "_fields")
    ]
    tuples = [kind for kind in kinds if get_origin(kind) is tuple]
    functions = [kind for kind in kinds if get_origin(kind) is Callable]  # which are never saved
    left_out = (*records, *tuples, *functions, type(None))
    other_kinds = [kind for kind in kinds if kind not in left_out]
    if isinstance(value, dict) and len(records) > 1:
        candidates = [kind for kind in records if _type_hints(kind).keys() == value.keys()]
    elif isinstance(value, dict) and records:
        candidates = records
    elif isinstance(value, list) and tuples:
        candidates = tuples
    else:
        candidates = other_kinds
    if len(candidates) == 1:
        matching_kinds = candidates
    else:
        matching_kinds = [kind for kind in candidates if kind is type(value)]
    if not matching_kinds:
        raise TypeError(f"{type(value).__name__} instead of one of {kinds}")
    return matching_kinds[0]


def fields_from_plain(kind: Any, table: Any) -> dict[str, Any]:
    """Return the fields of a record of a type from plain data, as :func:`from_plain`."""
    table = _check_type(dict, table)
    hints = _type_hints(kind)
    if table.keys() != hints.keys():
        raise ValueError(f"fields of {kind.__name__}: {sorted(table.keys() ^ hints.keys())}")
    return {name: from_plain(hint, table[name]) for name, hint in hints.items()}


@cache
def _type_hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a record, by name."""
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
    else:
        names = kind._fields
    hints = get_type_hints(kind)
    return {name: hints[name] for name in names}


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and infinities, which are no JSON, where ``json.loads`` meets them."""
    raise ValueError(name)
