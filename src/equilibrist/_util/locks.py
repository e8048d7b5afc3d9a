"""Locks of the operating system on open files, which are free again however a process ends."""

from __future__ import annotations

from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows, where nothing is locked
    fcntl = None

HAS_LOCKS = fcntl is not None


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
