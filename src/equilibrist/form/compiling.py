"""What is said while Numba compiles kernels, which it does where their machine code is not on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba  # noqa: F401  # whole before its parts
from numba.core import event

from .._jit.cache import can_keep

_ONCE = "once for this version of Equilibrist on this machine"
_EACH_TIME = "every time, for there is no folder where machine code can be kept"


class _Listener(event.Listener):
    """Calls a function when Numba begins to compile for the first time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say: Callable[[str], None] | None = say

    def on_start(self, _: Any) -> None:
        """Tell it, once."""
        say, self._say = self._say, None
        if say is not None:
            say(f"Compiling kernels, which may take a minute or two: {_ONCE if can_keep() else _EACH_TIME}")

    def on_end(self, _: Any) -> None:
        """Tell nothing."""


@contextmanager
def tell_compiling(say: Callable[[str], None] | None) -> Iterator[None]:
    """Call ``say`` with a short text when Numba compiles something inside; what is loaded from disk is not compiled."""
    if say is None:
        yield
        return
    with event.install_listener("numba:compile", _Listener(say)):
        yield
