"""Regular files, read with a bound: no device, no pipe and no endless file keeps a reader waiting, or fills memory."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from ..errors import SolutionError
from .files import checked_path


def open_regular(path: str | Path) -> BinaryIO:
    """Return a regular file, opened for reading bytes; a folder, a device, a pipe or a socket is refused.

    Raises
    ------
    OSError
        It is not there, may not be read, or is something else than a file.
    """
    path = checked_path(path)
    # Without O_NONBLOCK, opening a pipe would wait for its writer; to files it makes no difference.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "It is a device or a pipe, no file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: str | Path, *, most: int) -> bytes:
    """Return the bytes of a regular file of at most so many; see :func:`open_regular` for what it raises."""
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise SolutionError(f"{path} is larger than {most:,} bytes, the most that is read of such a file.")
    return content
