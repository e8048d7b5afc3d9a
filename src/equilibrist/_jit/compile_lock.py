"""Locks on compiling: one process compiles a kernel; others that need it wait, and read what that one has kept."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from .._util.locks import HAS_LOCKS, lock_file

_PATIENCE = (
    60.0  # seconds: no kernel takes that long, and whoever has the lock may have been stopped
)
_PAUSE = 0.02  # seconds

LISTENERS: list[Callable[[int], None]] = []
"""Called with 1 where this process begins to compile a kernel or to wait for another that does, with -1 at the end."""


class CompileLock:
    """The lock on compiling what is going to be kept in a file: on a file beside it, ``FILE.lock``.

    The lock is the operating system's: it is free again however its process ends. Where the file
    system has no locks, or the folder cannot be written to, nobody waits. ``waited`` says whether
    another process had it: the file may be there now.
    """

    def __init__(self, folder: Path | None, name: str) -> None:
        self._path: Path | None = None  # of the lock, once it is ours
        self.waited = False
        _tell(1)
        if folder is not None:
            with suppress(OSError):
                self._wait(folder / f"{name}.lock")

    def _wait(self, path: Path) -> None:
        deadline = time.monotonic() + _PATIENCE
        while self._path is None and time.monotonic() < deadline:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                if not lock_file(handle):
                    self.waited = True
                    time.sleep(_PAUSE)
                elif _names(path, handle):
                    self._path = path
                    self._handle = handle
                else:  # whoever had it has removed the file meanwhile
                    self.waited = True
            finally:
                if self._path is None:
                    os.close(handle)

    def end(self) -> None:
        """Let the next one have it; one that was waited for in vain stays with whoever has it."""
        if self._path is not None:
            if not HAS_LOCKS:  # Windows, which removes no file that is open
                os.close(self._handle)
            with suppress(OSError):
                self._path.unlink()
            if HAS_LOCKS:
                os.close(self._handle)
        _tell(-1)


def _tell(change: int) -> None:
    for listener in list(LISTENERS):
        listener(change)


def _names(path: Path, handle: int) -> bool:
    """Return whether a path is that of an open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
