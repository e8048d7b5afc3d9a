"""Arrays in files of NumPy (``.npz``): the one reader of them, which knows the size before it unpacks; and archives.

An archive holds texts and arrays, and digests of both, so that every change is noticed.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
import psutil
from numpy.typing import NDArray

from ..errors import SolutionError, UntrustedGameError
from .files import explain_write_errors, open_regular, unreadable_file, whole_file
from .text import shorten

_DIGESTS = "sha256.json"
_FREE = 1 << 20  # bytes of an entry that may be anything
_RATIO = 100  # beyond those, bytes of an entry for each compressed byte
_MOST_DIMENSIONS = 2
_KINDS = "biufU"  # of an array: truth, numbers, texts; NumPy calls them so
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_DTYPES = {np.dtype(name) for name in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1")}
COPIED = 1 << 24
"""Bytes of an array that are copied at a time when it is written or read."""
_LARGE = 1 << 24  # bytes of an array of which a sample tells whether it packs well
# of the sample: how many, and their numbers
_PIECES = 64
_PIECE = 1 << 12


class _HashingFile:
    """A file that is read or written, and the digest of what has gone through."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._sha256 = hashlib.sha256()
        self.size = 0

    def write(self, data: Any) -> int:
        self._sha256.update(data)
        return self._file.write(data)

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._sha256.update(data)
        self.size += len(data)
        return data

    def hexdigest(self) -> str:
        return self._sha256.hexdigest()


def write_archive(
    file: BinaryIO, texts: dict[str, str], arrays: dict[str, NDArray[Any]], *, pack: bool = True
) -> str:
    """Write texts as ``NAME.json`` and arrays as ``NAME.npy``, with a digest of each; return the digest of all.

    Packing arrays takes ten times as long as writing them.
    """
    digests = {}
    # A tenth of the size, in the least time.
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in texts.items():
            data = text.encode()
            digests[f"{name}.json"] = hashlib.sha256(data).hexdigest()
            archive.writestr(
                f"{name}.json", data, ZIP_STORED if _is_dense([data], len(data)) else None
            )
        for name, array in arrays.items():
            if pack and _packs_well(array):
                archive.compression = ZIP_DEFLATED
            else:
                archive.compression = ZIP_STORED
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                hashing_file = _HashingFile(entry)
                np.lib.format.write_array(
                    hashing_file, np.asarray(array, order="C"), allow_pickle=False
                )
            digests[f"{name}.npy"] = hashing_file.hexdigest()
        text = json.dumps(digests)
        archive.writestr(_DIGESTS, text, ZIP_DEFLATED)
    return hashlib.sha256(text.encode()).hexdigest()


def _packs_well(array: NDArray[Any]) -> bool:
    """Return whether an array is worth packing: a large one of numbers that all differ takes a second for 20 MB."""
    flat = np.ravel(array)
    if array.nbytes >= _LARGE:
        sample = b"".join(
            flat[k : k + _PIECE].tobytes() for k in range(0, len(flat), len(flat) // _PIECES)
        )
        if len(zlib.compress(sample, 1)) >= len(sample) / 2:
            return False
    data = flat.view(np.uint8)
    return not _is_dense(
        (data[k : k + COPIED].data for k in range(0, len(data), COPIED)), len(data)
    )


def _is_dense(chunks: Iterable[bytes | memoryview], size: int) -> bool:
    """Return whether data would be packed half as densely as a reader refuses, or more, so that they are not."""
    if size <= _FREE:
        return False
    packer = zlib.compressobj(1)
    packed_size = 0
    for chunk in chunks:
        packed_size += len(packer.compress(chunk))
        if packed_size > 2 * size / _RATIO:
            return False
    return True


class ArrayFile:
    """Arrays of NumPy in a file of zip (``.npz``): what is declared is judged before anything is unpacked.

    Raises ValueError with a reason, or what zipfile and NumPy raise, where the file is broken or
    declares more than it can hold; OSError where it cannot be opened; MemoryError where its
    contents would not fit into the memory that is free. Nothing is ever unpickled.
    """

    def __init__(self, path: Path) -> None:
        self._file = open_regular(path)
        try:
            self._archive = ZipFile(self._file)
            infos = self._archive.infolist()
            self._entries = {info.filename: info for info in infos}
            if len(self._entries) != len(infos):
                raise ValueError("a name that is there twice")
            if sum(info.file_size for info in infos) > psutil.virtual_memory().available:
                raise MemoryError
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()
        self._file.close()

    @property
    def arrays(self) -> list[str]:
        """The names of the arrays."""
        return [name.removesuffix(".npy") for name in self._entries if name.endswith(".npy")]

    def array(self, name: str, *, max_size: float = math.inf) -> NDArray[Any]:
        """Return an array of numbers or a text, of at most two dimensions and ``max_size`` elements."""
        info = self._entry(f"{name}.npy")
        with self._archive.open(info) as entry:
            return _read_array(_HashingFile(entry), name, info.file_size, max_size)

    def _entry(self, name: str) -> ZipInfo:
        """Return what the file says of a member; refuse one that is packed too densely."""
        info = self._entries[name]
        if info.file_size > _FREE and info.file_size > _RATIO * info.compress_size:
            raise ValueError(
                f"{name} is packed too densely: {info.file_size:,} bytes in "
                f"{info.compress_size:,}, where at most "
                f"{_RATIO} times as many are read; what numpy.savez writes is not packed"
            )
        return info


class Archive(ArrayFile):
    """An archive that is read; what is not as :func:`write_archive` left it raises what :class:`ArrayFile` raises.

    ``digest`` is that of all that is in it, as :func:`write_archive` returned it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            text = self._archive.read(self._entry(_DIGESTS))
            self.digest = hashlib.sha256(text).hexdigest()
            digests = json.loads(text)
            if digests.keys() != self._entries.keys() - {_DIGESTS}:
                raise ValueError("other entries than were written")
            self._digests: dict[str, Any] = digests
        except BaseException:
            self.__exit__()
            raise

    @property
    def texts(self) -> list[str]:
        return [name.removesuffix(".json") for name in self._digests if name.endswith(".json")]

    def text(self, name: str) -> str:
        data = self._archive.read(self._entry(f"{name}.json"))
        self._check(f"{name}.json", hashlib.sha256(data).hexdigest())
        return data.decode()

    def array(self, name: str, *, max_size: float = math.inf) -> NDArray[Any]:
        """Return an array of numbers, of one or two dimensions; one of more than ``max_size`` numbers is not read."""
        info = self._entry(f"{name}.npy")
        with self._archive.open(info) as entry:
            hashing_file = _HashingFile(entry)
            array = _read_array(hashing_file, name, info.file_size, max_size)
        if array.dtype not in _DTYPES or not array.flags.c_contiguous:
            raise ValueError(f"{name} is no array that was saved: {array.dtype}, {array.shape}")
        self._check(f"{name}.npy", hashing_file.hexdigest())
        return array

    def _check(self, name: str, digest: str) -> None:
        """Refuse a member whose digest is not the one that was written."""
        if self._digests[name] != digest:
            raise ValueError(f"{name} is not what was written")


def _read_array(file: _HashingFile, name: str, size: int, max_size: float) -> NDArray[Any]:
    """Return the array of a member of so many bytes; its header is judged before there is memory for it."""
    version = np.lib.format.read_magic(file)
    if version not in _HEADERS:
        raise ValueError(f"{name} is in a format of NumPy that is not read: {version}")
    shape, fortran_order, dtype = _HEADERS[version](file)
    if dtype.kind not in _KINDS:  # objects of Python are pickled, records have fields
        raise ValueError(f"{name} holds neither numbers nor a text, but {dtype}")
    numbers = math.prod(shape)
    if (
        len(shape) > _MOST_DIMENSIONS
        or numbers > max_size
        or numbers * dtype.itemsize != size - file.size
    ):
        raise ValueError(f"{name} is no array that fits here: {dtype}, {shape}")
    data = bytearray(numbers * dtype.itemsize)
    num_read = 0
    while num_read < len(data):
        chunk = file.read(min(COPIED, len(data) - num_read))
        if not chunk:
            raise ValueError(f"{name} ends too early")
        data[num_read : num_read + len(chunk)] = chunk
        num_read += len(chunk)
    if file.read(1):  # also the sum of zip is checked where nothing is left
        raise ValueError(f"{name} is longer than its shape says")
    if dtype.kind == "U" and (np.frombuffer(data, dtype.str[0] + "u4") > sys.maxunicode).any():
        raise ValueError(f"{name} holds what is no text")
    if dtype.itemsize:
        flat = np.frombuffer(data, dtype)
    else:
        flat = np.zeros(numbers, dtype)
    if fortran_order:
        return flat.reshape(shape[::-1]).T
    return flat.reshape(shape)


def save_archive(
    path: Path, texts: dict[str, str], arrays: dict[str, NDArray[Any]], *, pack: bool = True
) -> str:
    """Write a file as :func:`write_archive` does, whole or not at all."""
    with explain_write_errors(path), whole_file(path) as file:
        return write_archive(file, texts, arrays, pack=pack)


@contextmanager
def open_archive(path: Path, *, sentence_if_missing: str = "") -> Iterator[Archive]:
    """Open an archive; what its readers raise where it is not as it was written becomes one sentence.

    ``sentence_if_missing`` is the sentence where there is no such file.
    """
    template = f"{path} is broken, or was not written by this version of Equilibrist ({{reason}}). "
    with (
        raise_one_sentence(
            path, template + "Use another copy, or solve again.", sentence_if_missing
        ),
        Archive(path) as archive,
    ):
        yield archive


@contextmanager
def open_arrays(path: Path, content: str) -> Iterator[ArrayFile]:
    """Open arrays that anybody may have written; what goes wrong becomes one sentence: PATH holds no WHAT."""
    with (
        raise_one_sentence(path, f"{path} holds no {content}: {{detail}}."),
        ArrayFile(path) as arrays,
    ):
        yield arrays


@contextmanager
def raise_one_sentence(path: Path, template: str, sentence_if_missing: str = "") -> Iterator[None]:
    """Raise one sentence whatever is raised within: a broken file makes zip, NumPy and JSON raise all sorts.

    In ``template``, {reason} is replaced by the kind of error, and {detail} by its message.
    """
    try:
        yield
    except (SolutionError, UntrustedGameError):
        raise
    except MemoryError:
        raise SolutionError(
            f"{path} holds more than this machine has memory free, or is broken."
        ) from None
    except Exception as error:
        if sentence_if_missing and isinstance(error, FileNotFoundError):
            raise SolutionError(sentence_if_missing, wrong_use=True) from None
        if (
            isinstance(error, OSError) and error.errno is not None
        ):  # without a number: of Arrow, about what it reads
            raise unreadable_file(path, error) from error
        kind = type(error).__name__
        detail = shorten(str(error) or kind).rstrip(".")
        raise SolutionError(
            template.replace("{reason}", kind).replace("{detail}", detail)
        ) from error
