"""Keywords of public functions that have another name since version 0.1: the old ones warn, and go with version 1.0."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from ..errors import AlgorithmError

P = ParamSpec("P")
R = TypeVar("R")


class MovedKeywords(NamedTuple):
    """Old keywords that became one new keyword.

    Attributes
    ----------
    keyword : str
        The new one.
    make : callable or None
        What makes the value of the new keyword: it is called with ``fields``. None where an old
        keyword takes the same values as the new one.
    fields : mapping
        The keyword of ``make`` for each old keyword.
    join : callable or None
        What makes one value of that of the new keyword, or None, and that of the old one, where
        both may be given. None where one of them alone may.
    """

    keyword: str
    make: Callable[..., Any] | None
    fields: Mapping[str, str]
    join: Callable[[Any, Any], Any] | None = None

    def name_new(self, old: str) -> str:
        """Return how the new idiom is written for an old keyword."""
        if self.make is None:
            return f"{self.keyword}="
        return f"{self.keyword}=eq.{self.make.__name__}({self.fields[old]}=)"

    def value(self, old_values: Mapping[str, Any]) -> Any:
        """Return the value of the new keyword for those of the old ones."""
        if self.make is None:
            (value,) = old_values.values()
            return value
        return self.make(**{self.fields[old]: value for old, value in old_values.items()})


MOVED_FOLDER = MovedKeywords("save", None, {"out": "save"})
"""The folder of results."""

MOVED_PROCESSES = MovedKeywords("executor", None, {"processes": "executor"})
"""The number of processes, which an executor may be."""


def accept_moved(*moved: MovedKeywords) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of a function that takes old keywords as well, and warns of them."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__

        @wraps(function)
        def accept(*args: P.args, **kwargs: P.kwargs) -> R:
            for keywords in moved:
                old_values = {old: kwargs.pop(old) for old in keywords.fields if old in kwargs}
                if not old_values:
                    continue
                first = next(iter(old_values))
                new_value = kwargs.get(keywords.keyword)
                if new_value is not None and keywords.join is None:
                    raise AlgorithmError(
                        f"{name}: {first}= is an old name of {keywords.name_new(first)}; give one "
                        "of them."
                    )
                for old in old_values:
                    warnings.warn(
                        f"{name}({old}=) is {name}({keywords.name_new(old)}) now; the old keyword "
                        "goes with version 1.0.",
                        DeprecationWarning,
                        stacklevel=2,
                    )
                value = keywords.value(old_values)
                if keywords.join is not None:
                    value = keywords.join(new_value, value)
                kwargs[keywords.keyword] = value
            return function(*args, **kwargs)

        accept.moved_keywords = moved  # type: ignore[attr-defined]
        return accept

    return decorate
