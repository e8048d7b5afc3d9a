"""Files that are written whole or not at all, regular files that are read, folders that one run at a time saves to."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import SolutionError
from .locks import HAS_LOCKS, lock, lock_file, unlock
from .moving import move_path

MOST_BYTES = 4 << 30
"""Bytes of a file that is read whole: a strategy of ten million rows has a fifth of that."""
SMALL = 64 << 20
"""Bytes of a file of settings or of notes of the package's own."""
_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
# else opening a pipe waits for its other end
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PART = ".part"
_ABANDONED_SECONDS = 3600.0  # after which nobody writes such a file any more, where no lock says so
_READING_UMASK = threading.Lock()


def check_path(path: Any) -> Path:
    """Return a path as such."""
    try:
        valid_path = Path(path)
        if path != "" and b"\0" not in os.fsencode(valid_path):
            return valid_path
    except TypeError:
        raise SolutionError(
            f"A file or folder is named by a text or a path; got {path!r}.", wrong_use=True
        ) from None
    except UnicodeEncodeError:  # half of a surrogate pair
        pass
    raise SolutionError(f"No file or folder can be named {path!r}.", wrong_use=True)


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing that appears whole at the end, or not at all: any reader sees the old content or the new.

    What is written has a name of its own until then, ``.NAME.….part``. Such files of writers that
    were killed are removed first.
    """
    path = Path(os.path.realpath(path))  # a link stays, and what it points to is replaced
    if path.exists() and not path.is_file():  # a pipe or a device is written to, not replaced
        handle = os.open(path, os.O_WRONLY | _NO_WAITING)  # a pipe that nobody reads is refused
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as file:
            yield file
        return
    _clear_parts(path)
    handle, temporary = _new_part(path)
    # keeps the lock after the file is closed, until it has its name
    if HAS_LOCKS:
        locked_handle = os.dup(handle)
    else:
        locked_handle = None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(
            temporary, 0o666 & ~_read_umask()
        )  # mkstemp makes files that only the owner may read
        move_path(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        if locked_handle is not None:
            os.close(locked_handle)


def _new_part(path: Path) -> tuple[int, str]:
    """Return the handle and the name of a new file beside a path, locked by this process."""
    while True:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_PART)
        with suppress(OSError):  # a file system without locks
            lock(handle)
        if os.fstat(handle).st_nlink > 0 or not HAS_LOCKS:
            return handle, temporary
        os.close(handle)  # another writer took it for a dead one's, before it was locked


def _clear_parts(path: Path) -> None:
    """Remove what writers of a file have left that were killed."""
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if not (entry.name.startswith(f".{path.name}.") and entry.name.endswith(_PART)):
                continue
            with suppress(OSError):
                if HAS_LOCKS:
                    _remove_unlocked(entry.path)
                elif time.time() - entry.stat().st_mtime > _ABANDONED_SECONDS:
                    os.unlink(entry.path)


def _remove_unlocked(path: str) -> None:
    """Remove a file unless another process has locked it."""
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if lock(handle):
            os.unlink(path)
    finally:
        os.close(handle)


@contextmanager
def lock_folder(path: str | Path) -> Iterator[Path]:
    """Make a folder if it is not there, and keep other processes and threads from saving to it meanwhile.

    The lock is the operating system's (``flock`` on the folder itself): nothing is left behind,
    however the process ends. Windows locks no folders: there it is on an empty file among the
    user's temporary ones, since a folder with an open file in it could not be renamed. Where the
    file system has no locks, nothing is locked.
    """
    path = make_folder(path)
    if HAS_LOCKS:
        lock_path = path
        handle = os.open(path, os.O_RDONLY)
    else:
        lock_path = _lock_path(path)
        handle = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o600)
    is_free = True
    try:
        with suppress(OSError):
            is_free = lock_file(handle)
        if not is_free:
            raise SolutionError(
                f"Another run is saving to {path}: wait until it has ended, or give another "
                "folder.",
                wrong_use=True,
            )
        yield path
    finally:
        with suppress(OSError):
            unlock(handle)
        os.close(handle)
        if is_free and lock_path != path:
            with suppress(OSError):  # another process has it open, and needs it
                os.unlink(lock_path)


def _lock_path(folder: Path) -> Path:
    """Return the file that is locked for a folder where folders cannot be: one for each, however it is written."""
    place = os.path.normcase(os.path.realpath(folder))
    name = hashlib.sha256(os.fsencode(place)).hexdigest()[:32]
    return Path(tempfile.gettempdir()) / f"equilibrist-{name}.lock"


@contextmanager
def explain_write_errors(path: str | Path) -> Iterator[None]:
    """Say in one sentence why a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise SolutionError(f"{path} cannot be written: {error.strerror or error}.") from error


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all, as :func:`whole_file` does."""
    with explain_write_errors(path), whole_file(check_path(path)) as file:
        file.write(content)


def check_writable(*paths: str | Path | None) -> None:
    """Refuse paths that cannot be written to, before any work is done for them; None is no path."""
    for path in (check_path(path_or_none) for path_or_none in paths if path_or_none is not None):
        if path.is_dir():
            raise SolutionError(f"{path} is a folder; give the name of a file.", wrong_use=True)
        if not path.parent.is_dir():
            raise SolutionError(
                f"The folder of {path} is not there; make it first.", wrong_use=True
            )
        make_folder(path.parent)


def _read_umask() -> int:
    """Return the permissions that new files of this process lack."""
    with _READING_UMASK:  # which can only be read by setting it, for all threads
        mask = os.umask(0)
        os.umask(mask)
    return mask


def make_folder(path: str | Path) -> Path:
    """Return the folder, made if it was not there."""
    path = check_path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise SolutionError(
            f"Nothing can be written to the folder {path}: {error.strerror or error}."
        ) from error
    return path


class NotRegularError(OSError):
    """A pipe, a socket or a device, from which reading may never end; ``kind`` says which."""

    def __init__(self, path: str | Path, kind: str) -> None:
        super().__init__(errno.EINVAL, f"it is {kind}; give a file", os.fspath(path))
        self.kind = kind


def check_regular(path: str | Path, *, most: int | None = None) -> None:
    """Raise OSError unless a path is that of a regular file, or of a link to one, of at most ``most`` bytes."""
    _check_status(path, os.stat(path), most)


def _check_status(path: str | Path, status: os.stat_result, most: int | None) -> None:
    """Raise OSError unless a status is that of a regular file of at most so many bytes."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        kind = next(
            (name for is_kind, name in _KINDS if is_kind(status.st_mode)), "no regular file"
        )
        raise NotRegularError(path, kind)
    if most is not None and status.st_size > most:
        raise OSError(
            errno.EFBIG,
            f"it has {status.st_size:,} bytes, and at most {most:,} are read",
            os.fspath(path),
        )


def open_regular(path: str | Path, mode: str = "rb", *, most: int | None = None) -> BinaryIO:
    """Open a regular file, to be read (``"rb"``) or to be added to (``"ab"``).

    A pipe, a socket or a device is refused by :class:`NotRegularError`, at once: a run's folder may
    come from others.
    """
    flags = {"rb": os.O_RDONLY, "ab": os.O_WRONLY | os.O_APPEND | os.O_CREAT}[mode]
    if mode == "rb" or os.path.exists(path):
        check_regular(path, most=most)  # before it is opened, which some devices notice
    handle = os.open(path, flags | _NO_WAITING, 0o666)
    try:
        # Of what was opened: it may have been replaced meanwhile.
        _check_status(path, os.fstat(handle), most)
        file: Any = os.fdopen(handle, mode)
        return file  # type: ignore[no-any-return]
    except BaseException:
        os.close(handle)
        raise


def read_bytes(path: str | Path, *, most: int = MOST_BYTES) -> bytes:
    """Return what is in a regular file of at most so many bytes."""
    with open_regular(path, most=most) as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(size + 1)  # memory is taken for as much as is asked for
        if len(content) > size:  # it has grown, or is of those whose size is told as 0
            content += file.read(most + 1 - len(content))
    if len(content) > most:
        raise OSError(errno.EFBIG, f"at most {most:,} bytes of it are read", os.fspath(path))
    return content


def unreadable_file(path: str | Path, error: OSError) -> SolutionError:
    """Return the error of a file that cannot be read: wrong use where it is not there, or a folder."""
    is_folder = isinstance(error, IsADirectoryError)
    reason = "Is a directory; give a file" if is_folder else error.strerror or error
    wrong_use = is_folder or isinstance(error, FileNotFoundError)
    return SolutionError(f"{path} cannot be read: {reason}.", wrong_use=wrong_use)


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file, its line ends as they are."""
    try:
        return read_bytes(check_path(path)).decode("utf-8-sig")
    except NotRegularError as error:
        raise SolutionError(f"{path} is {error.kind}; give a file.", wrong_use=True) from error
    except OSError as error:
        raise unreadable_file(path, error) from error
    except UnicodeDecodeError as error:
        raise SolutionError(f"{path} is not a text file in UTF-8 (byte {error.start}).") from error
