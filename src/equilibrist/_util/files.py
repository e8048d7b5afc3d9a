"""Files are written whole or not at all, and say in one sentence why they cannot be."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..errors import SolutionError


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing that appears whole at the end, or not at all: any reader sees the old content or the new.

    Raises
    ------
    OSError
        The file cannot be written (no such folder, no right, no space); an older one is left as it was.
    """
    path = Path(os.path.realpath(path))  # a link stays, and what it points to is replaced
    if path.exists() and not path.is_file():  # a pipe or a device is written to, not replaced
        with path.open("wb") as file:
            yield file
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())  # mkstemp makes files that only the owner may read
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all, as :func:`whole_file` does.

    Raises
    ------
    SolutionError
        The file cannot be written; an older one is left as it was.
    """
    try:
        with whole_file(path) as file:
            file.write(content)
    except OSError as error:
        raise SolutionError(f"{path} cannot be written: {error.strerror or error}.") from error


def check_writable(path: str | Path) -> None:
    """Refuse a path that cannot be written to, before any work is done for it.

    Raises
    ------
    SolutionError
        Its folder is not there or cannot be written to, or the path is a folder.
    """
    path = Path(path)
    if path.is_dir():
        raise SolutionError(f"{path} is a folder; give the name of a file.", wrong_use=True)
    if not path.parent.is_dir():
        raise SolutionError(f"The folder of {path} is not there; make it first.", wrong_use=True)
    make_folder(path.parent)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def make_folder(path: str | Path) -> Path:
    """Return the folder, made if it was not there.

    Raises
    ------
    SolutionError
        It cannot be made, or cannot be written to.
    """
    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise SolutionError(f"Nothing can be written to the folder {path}: {error.strerror or error}.") from error
    return path


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file, its line ends as they are.

    Raises
    ------
    SolutionError
        The file is not there, or is not text.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return file.read()
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise SolutionError(f"{path} cannot be read: {error.strerror or error}.", wrong_use=missing) from error
    except UnicodeDecodeError as error:
        raise SolutionError(f"{path} is not a text file in UTF-8 (byte {error.start}).") from error
