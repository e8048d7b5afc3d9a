"""Kernels that are called again and again with the same records, in games so small that the call is what takes time.

Numba looks at the type of each array at each call, 170 ns an array: for the fifty of a card game
half as long as an iteration of CFR on a river. Here it looks once, at the first call with arguments
of these types.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compile import INTERPRETED, Kernel, check_entry

_known: dict[
    tuple[Any, ...], Kernel
] = {}  # the machine code of kernels, by the kinds of all their arguments


class Prepared:
    """A kernel whose first arguments stay the same; each call gives the others."""

    def __init__(self, kernel: Kernel, *first: Any) -> None:
        self._kernel = kernel
        self._first = first
        self._entries: dict[
            tuple[Any, ...], Kernel
        ] = {}  # the same, by the kinds of the other arguments

    def __call__(self, *others: Any) -> None:
        kinds = tuple(map(_kind, others))
        entry = self._entries.get(kinds)
        if entry is None:
            entry = self._entries[kinds] = _entry(self._kernel, (*self._first, *others))
        entry(*self._first, *others)


def _entry(kernel: Any, arguments: tuple[Any, ...]) -> Any:
    """Return what a kernel calls, once it has found the types of the arguments."""
    if INTERPRETED:
        return kernel
    kinds = (kernel, *map(_kind, arguments))
    entry = _known.get(kinds)
    if entry is None:
        check_entry(kernel)
        entry = _known[kinds] = kernel.compile(tuple(map(kernel.typeof_pyval, arguments)))
    return entry


def _kind(value: Any) -> Any:
    """Return what Numba's type of a value follows from: of arrays the flags as well, which say if one is contiguous."""
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype, value.ndim, value.flags.num
    if isinstance(value, tuple):
        return (kind, *map(_kind, value))
    return kind
