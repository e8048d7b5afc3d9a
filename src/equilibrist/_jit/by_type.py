"""Functions that a kernel chooses by the type of an argument when it is compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba  # noqa: F401  # whole before its parts
from numba.extending import overload

from .compile import INLINED

Functions = dict[type, Mapping[str, Callable[..., Any]]]
"""The functions of each class of named tuples, by name; the modules that define the classes fill it."""


def by_type(functions: Functions, name: str) -> Callable[..., Any]:
    """Return a function that calls the one of that name that belongs to the class of its first argument."""

    def call(first: Any, *rest: Any) -> Any:
        return functions[type(first)][name](first, *rest)

    # Inside compiled code the arguments are types, and that of a named tuple knows its class.
    overload(call, jit_options=INLINED, strict=False)(lambda first, *rest: functions[first.instance_class][name])
    return call
