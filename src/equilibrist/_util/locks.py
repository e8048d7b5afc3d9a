"""Locks of the operating system on open files, which are free again however a process ends."""

from __future__ import annotations

import os
from typing import Any

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:  # Windows, where parts of files alone are locked
    fcntl = None
    import msvcrt

HAS_LOCKS = fcntl is not None
# a byte beyond the end of any file that is locked: on Windows nobody can read what is locked
_FAR = 1 << 30


def lock(handle: int) -> bool:
    """Lock an open file or folder until it is closed, by whoever closes it last; return whether it was free."""
    if not HAS_LOCKS:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock(handle: int) -> None:
    """Unlock an open file, although a child process may hold it open."""
    if HAS_LOCKS:
        fcntl.flock(handle, fcntl.LOCK_UN)


def lock_file(handle: int) -> bool:
    """Lock an open file, on Windows too, until it is closed; return whether it was free.

    A folder can be opened, and so locked, where there is ``flock``.
    """
    if HAS_LOCKS:
        return lock(handle)
    os.lseek(handle, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
