"""What is said while Numba compiles kernels, which it does where their machine code is not on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba  # noqa: F401  # whole before its parts
from numba.core import event

from .._jit.cache_folder import can_keep

_ONCE = "once for this version of Equilibrist on this machine"
_EACH_TIME = "every time, for there is no folder where machine code can be kept"


class _Listener(event.Listener):
    def __init__(self, report: Callable[[str], None]) -> None:
        self._say: Callable[[str], None] | None = report

    def on_start(self, _: Any) -> None:
        report = self._say
        self._say = None
        if report is not None:
            how_often = _ONCE if can_keep() else _EACH_TIME
            report(
                f"Compiling kernels, which takes 5 to 20 seconds, longer on a busy machine: {how_often}"
            )

    def on_end(self, _: Any) -> None:
        """Tell nothing."""


@contextmanager
def tell_compiling(report: Callable[[str], None] | None) -> Iterator[None]:
    """Call ``report`` with a short text when Numba compiles something inside, rather than load it from disk."""
    if report is None:
        yield
        return
    with event.install_listener("numba:compile", _Listener(report)):
        yield
