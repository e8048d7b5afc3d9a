"""Archives of texts and arrays (``.npz``) in which every change is noticed, and whose size is known before reading."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
import psutil
from numpy.typing import NDArray

from ..errors import SolutionError, UntrustedGameError
from .files import check_regular, whole_file, writing

_DIGESTS = "sha256.json"
_FREE = 1 << 20  # bytes of an entry that may be anything
_RATIO = 100  # beyond those, bytes of an entry for each compressed byte
_MOST_DIMENSIONS = 2
_DTYPES = {np.dtype(name) for name in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1")}
COPIED = 1 << 24
"""Bytes of an array that are copied at a time when it is written or read."""
_LARGE = 1 << 24  # bytes of an array of which a sample tells whether it packs well
_PIECES, _PIECE = 64, 1 << 12  # of the sample: how many, and their numbers


class _Hashed:
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


def write_archive(file: BinaryIO, texts: dict[str, str], arrays: dict[str, NDArray[Any]], *, pack: bool = True) -> str:
    """Write texts as ``NAME.json`` and arrays as ``NAME.npy``, with a digest of each; return the digest of all.

    Packing arrays takes ten times as long as writing them.
    """
    digests = {}
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:  # a tenth of the size, in the least time
        for name, text in texts.items():
            data = text.encode()
            digests[f"{name}.json"] = hashlib.sha256(data).hexdigest()
            archive.writestr(f"{name}.json", data, ZIP_STORED if _is_dense([data], len(data)) else None)
        for name, array in arrays.items():
            archive.compression = ZIP_DEFLATED if pack and _packs_well(array) else ZIP_STORED
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                hashed = _Hashed(entry)
                np.lib.format.write_array(hashed, np.asarray(array, order="C"), allow_pickle=False)
            digests[f"{name}.npy"] = hashed.hexdigest()
        text = json.dumps(digests)
        archive.writestr(_DIGESTS, text, ZIP_DEFLATED)
    return hashlib.sha256(text.encode()).hexdigest()


def _packs_well(array: NDArray[Any]) -> bool:
    """Return whether an array is worth packing: a large one of numbers that all differ takes a second for 20 MB."""
    flat = np.ravel(array)
    if array.nbytes >= _LARGE:
        sample = b"".join(flat[k : k + _PIECE].tobytes() for k in range(0, len(flat), len(flat) // _PIECES))
        if len(zlib.compress(sample, 1)) >= len(sample) / 2:
            return False
    data = flat.view(np.uint8)
    return not _is_dense((data[k : k + COPIED].data for k in range(0, len(data), COPIED)), len(data))


def _is_dense(chunks: Iterable[bytes | memoryview], size: int) -> bool:
    """Return whether data would be packed half as densely as a reader refuses, or more, so that they are not."""
    if size <= _FREE:
        return False
    packer, packed = zlib.compressobj(1), 0
    for chunk in chunks:
        packed += len(packer.compress(chunk))
        if packed > 2 * size / _RATIO:
            return False
    return True


class Archive:
    """An archive that is read; what is not as :func:`write_archive` left it raises ValueError, or what zipfile raises.

    OSError where it cannot be opened, MemoryError where its contents would not fit into the memory that is free.
    ``digest`` is that of all that is in it, as :func:`write_archive` returned it.
    """

    def __init__(self, path: Path) -> None:
        check_regular(path)
        self._archive = ZipFile(path)
        try:
            self._entries = {info.filename: info for info in self._archive.infolist()}
            if len(self._entries) != len(self._archive.infolist()):
                raise ValueError("a name that is there twice")
            size = sum(info.file_size for info in self._entries.values())
            if size > psutil.virtual_memory().available:
                raise MemoryError(size)
            text = self._archive.read(self._entry(_DIGESTS))
            self.digest = hashlib.sha256(text).hexdigest()
            digests = json.loads(text)
            if digests.keys() != self._entries.keys() - {_DIGESTS}:
                raise ValueError("other entries than were written")
            self._digests: dict[str, Any] = digests
        except BaseException:
            self._archive.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    @property
    def texts(self) -> list[str]:
        return [name.removesuffix(".json") for name in self._digests if name.endswith(".json")]

    @property
    def arrays(self) -> list[str]:
        return [name.removesuffix(".npy") for name in self._digests if name.endswith(".npy")]

    def text(self, name: str) -> str:
        data = self._archive.read(self._entry(f"{name}.json"))
        self._check(f"{name}.json", hashlib.sha256(data).hexdigest())
        return data.decode()

    def _entry(self, name: str) -> ZipInfo:
        info = self._entries[name]
        if info.file_size > _FREE and info.file_size > _RATIO * info.compress_size:
            raise ValueError(f"{name} is packed too densely")
        return info

    def array(self, name: str, *, most: float = math.inf) -> NDArray[Any]:
        """Return an array of numbers, of one or two dimensions; one of more than ``most`` numbers is not read."""
        entry_name = f"{name}.npy"
        info = self._entry(entry_name)
        with self._archive.open(info) as entry:
            hashed = _Hashed(entry)
            if np.lib.format.read_magic(hashed) != (1, 0):
                raise ValueError(f"{name} is in another format of NumPy")
            shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(hashed)
            size = math.prod(shape) * dtype.itemsize
            fits = size == info.file_size - hashed.size
            wrong = fortran_order or dtype not in _DTYPES or len(shape) > _MOST_DIMENSIONS or not fits
            if wrong or math.prod(shape) > most:
                raise ValueError(f"{name} is no array that was saved: {dtype}, {shape}")
            data = bytearray(size)
            filled = 0
            while filled < size:
                chunk = hashed.read(min(COPIED, size - filled))
                if not chunk:
                    raise ValueError(f"{name} ends too early")
                data[filled : filled + len(chunk)] = chunk
                filled += len(chunk)
        self._check(entry_name, hashed.hexdigest())
        return np.frombuffer(data, dtype).reshape(shape)

    def _check(self, name: str, digest: str) -> None:
        if self._digests[name] != digest:
            raise ValueError(f"{name} is not what was written")


def save_archive(path: Path, texts: dict[str, str], arrays: dict[str, NDArray[Any]], *, pack: bool = True) -> str:
    """Write a file as :func:`write_archive` does, whole or not at all."""
    with writing(path), whole_file(path) as file:
        return write_archive(file, texts, arrays, pack=pack)


@contextmanager
def reading(path: Path, *, missing: str = "") -> Iterator[Archive]:
    """Open an archive; what its readers raise where it is not as it was written becomes one sentence.

    ``missing`` is the sentence where there is no such file.
    """
    try:
        with Archive(path) as archive:
            yield archive
    except (SolutionError, UntrustedGameError):
        raise
    except OSError as error:
        if missing and isinstance(error, FileNotFoundError):
            raise SolutionError(missing, wrong_use=True) from None
        raise SolutionError(f"{path} cannot be read: {error.strerror or error}.") from error
    except MemoryError:
        raise SolutionError(f"{path} holds more than this machine has memory free, or is broken.") from None
    except Exception as error:  # a broken file makes the readers of zip, NumPy and JSON raise all sorts
        raise SolutionError(
            f"{path} is broken, or was not written by this version of Equilibrist ({type(error).__name__}). "
            "Use another copy, or solve again."
        ) from error
