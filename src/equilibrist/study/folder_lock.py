"""The lock on a served folder: one server at a time, which is named to whoever wants to start a second one."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .._util.locks import lock_file
from .._util.text import escape_controls
from ..errors import EquilibristError

FILE = "server.lock"
"""The file in the server's own folder that is locked; it has the address of the server, without its token."""
_LONGEST = 300  # bytes of an address


class ServeError(EquilibristError):
    """The server cannot be started."""


@contextmanager
def lock_server_folder(folder: Path, private: Path) -> Iterator[Callable[[str], None]]:
    """Lock a folder for this server; give a function that notes its address for those that come later.

    The lock is the operating system's, on a file in ``private``: it is free again however the
    process ends. A file system without locks locks nothing.

    Raises
    ------
    ServeError
        Another server has the folder.
    """
    handle = _open_lock(private / FILE)
    try:
        is_free = True
        with suppress(OSError):  # a file system without locks
            is_free = lock_file(handle)
        if not is_free:
            raise ServeError(_lock_sentence(folder, handle))
        _write_address(handle, "")
        yield lambda address: _write_address(handle, address)
        _write_address(handle, "")
    finally:
        os.close(handle)


def _open_lock(path: Path) -> int:
    """Return the handle of the file of the lock, made where it is not there; of a link, a pipe or a device none."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags, 0o600)
    except OSError as error:
        raise ServeError(f"{path} cannot be opened: {error.strerror}. Remove it.") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ServeError(f"{path} is no regular file. Remove it.")
    return handle


def _lock_sentence(folder: Path, handle: int) -> str:
    os.lseek(handle, 0, os.SEEK_SET)
    address = escape_controls(os.read(handle, _LONGEST).decode(errors="replace").strip())
    address_text = f" at {address}" if address else ""
    return (
        f"{folder} is served already{address_text}: use that page, or end that server first; or serve "
        "another folder with --folder."
    )


def _write_address(handle: int, address: str) -> None:
    with suppress(OSError):  # a full disk: whoever comes later is told without the address
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, address.encode())
