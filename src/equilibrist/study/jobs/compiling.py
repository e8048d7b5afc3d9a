"""Kernels that are compiled for the first time: noticed in each process of the server, and told to the page."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..._jit.compile_lock import LISTENERS
from ..answers import CompilingChanged

_QUIET = 0.7  # seconds without a kernel after which it is over: they come one after the other


class CompilingWatch:
    """Calls ``tell``, from any thread, with True where this process begins to wait for kernels, with False once it has
    them.
    """

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._open = 0
        self._told = False
        self._timer: threading.Timer | None = None
        LISTENERS.append(self._hear)

    def close(self) -> None:
        LISTENERS.remove(self._hear)
        with self._lock:
            self._cancel()

    def _hear(self, change: int) -> None:
        with self._lock:
            self._open += change
            self._cancel()
            if self._open and not self._told:
                self._told = True
                self._tell(True)
            elif not self._open and self._told:
                self._timer = threading.Timer(_QUIET, self._over)
                self._timer.daemon = True
                self._timer.start()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _over(self) -> None:
        with self._lock:
            if self._told and not self._open:
                self._told = False
                self._tell(False)


class Compiling:
    """Which processes of the server wait for kernels; an event is published when the first begins and the last ends."""

    def __init__(self, publish: Callable[[CompilingChanged], None]) -> None:
        self._publish = publish
        self._waiting: set[str] = set()
        self._lock = threading.Lock()

    @property
    def active(self) -> bool:
        return bool(self._waiting)

    def tell(self, process: str, *, active: bool) -> None:
        with self._lock:
            was_active = self.active
            (self._waiting.add if active else self._waiting.discard)(process)
            if self.active != was_active:
                self._publish({"type": "compiling", "active": self.active})
