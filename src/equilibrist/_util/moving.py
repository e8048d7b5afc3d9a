"""Giving a file or a folder the place of another one, which Windows refuses while somebody has that open."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

from .system import IS_WINDOWS

_PAUSES = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28)  # seconds: a reader needs less


def move_path(old: str | Path, new: str | Path) -> None:
    """Give a file or a folder another path; a file that is there is replaced at once.

    On Windows, where whatever is open stays in its place, this is tried again for some two and a
    half seconds.

    Raises
    ------
    OSError
        It cannot be done; a PermissionError on Windows says what keeps it.
    """
    if IS_WINDOWS:
        for pause in _PAUSES:
            try:
                os.replace(old, new)
            except PermissionError:
                time.sleep(pause)
            else:
                return
    try:
        os.replace(old, new)
    except PermissionError as error:
        if not IS_WINDOWS:
            raise
        raise PermissionError(
            errno.EACCES,
            "another program has it open, or it must not be written to; close it there",
            os.fspath(new),
        ) from error
