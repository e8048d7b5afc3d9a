"""What is sent between the grader and a reader's program: numbers, texts, lists, dicts and games as plain data.

Nothing is pickled: what comes from a program is data, and what is none is its text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from .random_game import RandomGame

_LONGEST = 80  # characters of what is neither a number nor a text
_LARGEST = 2**63  # a whole number beyond it is sent as a float
_DEEPEST = 20  # lists in lists


@dataclass(frozen=True)
class Other:
    """Something that is neither a number nor a text, nor made of these; ``text`` is its text."""

    text: str

    def __str__(self) -> str:
        return self.text


def encode(value: Any, depth: int = 0) -> Any:
    """Return a value as plain data for JSON."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)  # of a subclass, such as NumPy's, too
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Integral):
        if abs(int(value)) < _LARGEST:
            return int(value)
        return _number(value)
    if _is_kuhn(value):
        return {"game": "kuhn"}
    if isinstance(value, RandomGame):
        return {"game": value.seed}
    if hasattr(value, "tolist"):  # an array, or a number of NumPy
        return encode(value.tolist(), depth + 1)
    if depth > _DEEPEST:
        return {"other": "too many lists in lists"}
    if isinstance(value, tuple):
        return {"tuple": [encode(part, depth + 1) for part in value]}
    if isinstance(value, Mapping):
        return {
            "dict": [[encode(key, depth + 1), encode(row, depth + 1)] for key, row in value.items()]
        }
    if isinstance(value, Sequence):
        return [encode(part, depth + 1) for part in value]
    if callable(value) and not hasattr(value, "__float__"):
        return {"callback": True}
    return _number(value)


def _is_kuhn(value: Any) -> bool:
    """Return whether a value is Kuhn poker; where nobody has imported its class, nothing is.

    The class brings NumPy, without which a program starts in a third of the time.
    """
    module = sys.modules.get("equilibrist.games.kuhn")
    return module is not None and isinstance(value, module.Kuhn)


def _number(value: Any) -> Any:
    """Return what can be a number as one, and the text of anything else."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    try:
        text = str(value)
    except ValueError:  # a whole number of more than 4,300 digits
        text = f"a whole number of {value.bit_length():,} bits"
    return {"other": text[:_LONGEST]}


def decode(data: Any, callback: Callable[[Any], Any] | None = None) -> Any:
    """Return the value that :func:`encode` made data of; ValueError where it has made none such.

    A function becomes ``callback``.
    """
    if isinstance(data, list):
        return [decode(part, callback) for part in data]
    if not isinstance(data, dict):
        return data
    match data:
        case {"tuple": list(parts)}:
            return tuple(decode(part, callback) for part in parts)
        case {"dict": list(rows)}:
            pairs = [(decode(key), decode(row, callback)) for key, row in rows]
            return {_hashable(key): row for key, row in pairs}
        case {"game": "kuhn"}:
            from ...games.kuhn import Kuhn

            return Kuhn()
        case {"game": int(seed)}:
            return RandomGame(seed)
        case {"other": str(text)}:
            return Other(text)
        case {"callback": True}:
            if callback is None:
                return Other("a function")
            return callback
    raise ValueError("no message of a program")


def _hashable(key: Any) -> Any:
    try:
        hash(key)
    except TypeError:
        raise ValueError("a key of a dict") from None
    return key
