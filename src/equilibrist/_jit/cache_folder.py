"""The folder of machine code: where it is, who may write to it, and how large it may become.

Machine code outlives the environment in which it was compiled: a second clone, a new environment
and the next run of CI on the same machine read what the first one has kept. A file is run as it is,
so that only the user, or the administrator, may be able to write to the folder.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from .._util.system import IS_WINDOWS

VARIABLE = "EQUILIBRIST_CACHE"
"""The variable of the environment that names another folder."""

MOST_BYTES = 500_000_000
"""How large the folder may become: what was used longest ago goes first."""

SUFFIX = ".nbc"
UNFINISHED = f"{SUFFIX}.tmp"
LOCK = f"{SUFFIX}.lock"

_ABANDONED_SECONDS = (
    3600.0  # after which nobody writes an unfinished file any more, nor holds a lock
)
_USED_SECONDS = 86400.0  # how exactly it is known when a file was last used
_SHARE_KEPT = 0.8  # of the most bytes, where files are removed: the next removal is far away
_WRITERS = stat.S_IWGRP | stat.S_IWOTH


class CacheFile(NamedTuple):
    """A file of machine code: one kernel for one signature."""

    path: Path
    size: int  # bytes
    used: float  # when it was last used, in seconds since the epoch, to a day


def cache_folder() -> Path:
    """Return the folder of machine code, which may not be there yet."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    user: Path = import_module("platformdirs").user_cache_path("equilibrist", appauthor=False)
    return user / "kernels"


def open_folder() -> Path:
    """Return the folder of machine code, made where it is missing, after a look at who may write to it.

    Raises
    ------
    OSError
        It cannot be made, or somebody else may write to it.
    """
    folder = cache_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(20, "it is not a folder", str(folder))
    if not IS_WINDOWS:
        stranger = status.st_uid not in (os.geteuid(), 0)
        if stranger:
            raise PermissionError(
                1, f"it belongs to the user with the number {status.st_uid}", str(folder)
            )
        if status.st_mode & _WRITERS:
            mode = stat.S_IMODE(status.st_mode)
            raise PermissionError(1, f"others may write to it (its mode is {mode:o})", str(folder))
    return folder


def can_keep() -> bool:
    """Return whether machine code can be written to the folder."""
    try:
        tempfile.TemporaryFile(dir=open_folder()).close()
    except OSError:
        return False
    return True


def mark_used(path: Path) -> None:
    """Note that a file is in use, at most once a day."""
    now = time.time()
    with suppress(OSError):
        if now - path.stat().st_mtime > _USED_SECONDS:
            os.utime(path, (now, now))


def list_files(folder: Path) -> list[CacheFile]:
    """Return the files of machine code of a folder, those used longest ago first."""
    files = [
        CacheFile(Path(entry.path), status.st_size, status.st_mtime)
        for entry, status in _entries(folder)
        if entry.name.endswith(SUFFIX)
    ]
    return sorted(files, key=lambda file: file.used)


def prune(folder: Path, most_bytes: int = MOST_BYTES) -> None:
    """Remove what a killed process has left, and, from a folder that is too large, what was used longest ago."""
    now = time.time()
    for entry, status in _entries(folder):
        abandoned = now - status.st_mtime > _ABANDONED_SECONDS
        if abandoned and entry.name.endswith((UNFINISHED, LOCK)):
            _remove(Path(entry.path))
    files = list_files(folder)
    total = sum(file.size for file in files)
    if total <= most_bytes:
        return
    for file in files:
        if total <= _SHARE_KEPT * most_bytes:
            return
        _remove(file.path)
        total -= file.size


def clear(folder: Path) -> None:
    """Remove all that this package has written into a folder, and the folder if nothing else is in it."""
    for entry, _ in _entries(folder):
        if entry.name.endswith((SUFFIX, UNFINISHED, LOCK)):
            _remove(Path(entry.path))
    with suppress(OSError):
        folder.rmdir()


def _entries(folder: Path) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
    """Yield the entries of a folder, none if it is not there; what goes meanwhile is passed over."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                yield entry, entry.stat(follow_symlinks=False)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
