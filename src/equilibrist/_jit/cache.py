"""A cache of machine code on disk that cannot go stale.

Numba's own cache knows a kernel by the one file in which it stands, although the machine code
contains what that file imports: an edited helper would change some kernels and leave others as they
were. Here each kernel is known by the text of all files that it may contain
(:mod:`equilibrist._jit.sources`), by its signature and the files that define the types in it, by
the CPU, and by the versions of Python, NumPy, Numba and LLVM.

One file holds one kernel for one signature. Its name says all of that, so that processes never
disagree about what a file contains, whichever clone or environment they run in. The folder is that
of the user (:mod:`equilibrist._jit.cache_folder`): who makes a new environment, or goes back to a
branch, compiles nothing anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from threading import Lock, local
from types import CodeType
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy
from numba.core import types

from .._util.moving import move_path
from ..errors import EquilibristWarning
from . import cache_folder
from .compile_lock import CompileLock
from .numba_parts import skip_scipy
from .sources import PACKAGE, dependencies, digest, edited, last_change

_JIT_SOURCES = frozenset(Path(__file__).resolve().parent.glob("*.py"))  # how everything is compiled
_SETTINGS = (
    "OPT",
    "BOUNDSCHECK",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "DEBUGINFO_DEFAULT",
)  # of Numba's environment
_CONFIG: Any = numba.config
_VERSIONS = f"{numba.__version__} {llvmlite.__version__} {numpy.__version__}"
_ABI_FLAGS = getattr(sys, "abiflags", "")  # which Windows has from Python 3.14 on
_SAVES_BETWEEN_LOOKS = 64  # at how large the folder is


class CacheWarning(EquilibristWarning):
    """Machine code cannot be kept on disk, or what was kept is damaged: nothing is wrong, but it takes seconds."""


class _Sources(NamedTuple):
    """The files that a kernel may contain, with a digest of them as they were when the kernel was defined.

    ``nested`` are those that its own file imports inside functions, for a kernel that is defined
    inside a function.
    """

    files: frozenset[Path]
    digest: str
    nested: frozenset[Path]
    nested_digest: str

    @property
    def unchanged(self) -> bool:
        return digest(self.files) == self.digest and digest(self.nested) == self.nested_digest


class KernelCache:
    """The machine code of one function on disk, for each signature; what Numba expects of a cache.

    The sources of the function are read now, when they are what has been imported; those of this
    package, whose stamps are known since its import, when the first signature is asked for.
    """

    _latest: tuple[Path, tuple[int, int], bool, int, _Sources | None] | None = None
    _latest_lock = Lock()

    def __init__(self, function: Callable[..., Any]) -> None:
        path = Path(function.__code__.co_filename)
        self.function = function
        self._locks = local()
        self.path = path.resolve() if path.is_file() else None
        self._nested = "<locals>" in function.__qualname__
        if self.path is not None and PACKAGE not in self.path.parents:
            self.sources = self._sources_of_user(self.path)

    @cached_property
    def sources(self) -> _Sources | None:
        if self.path is not None:
            return _read_sources(self.path, self._nested, self.function.__module__)
        return None

    def _sources_of_user(self, path: Path) -> _Sources | None:
        """Return the sources of a file, read once for all kernels of a file that is being imported."""
        line = self.function.__code__.co_firstlineno
        cls = type(self)
        with cls._latest_lock:
            key = (path, last_change(path), self._nested)
            latest = cls._latest
            if (
                latest is not None and latest[:3] == key and line > latest[3]
            ):  # if not, it is being reloaded
                sources = latest[4]
            else:
                sources = _read_sources.__wrapped__(path, self._nested, self.function.__module__)
            cls._latest = (*key, line, sources)
            return sources

    @property
    def cache_path(self) -> str | None:
        """The folder where the machine code is."""
        if self.path is not None:
            return str(cache_folder.cache_folder())
        return None

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Enclose what loads a signature or compiles it: what is not on disk is compiled by one process at a time."""
        outer = getattr(self._locks, "open", None)
        self._locks.open = []
        try:
            yield
        finally:
            for lock in self._locks.open:
                lock.end()
            self._locks.open = outer

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, or None if it must be compiled."""
        # What machine code is linked with; Numba itself would import here all that it can compile:
        # 0.1 s.
        import_module("numba.core.runtime").rtsys.initialize(target_context)
        name = self._name(signature, target_context.codegen())
        if name is None:
            compiled = None
        else:
            compiled = self._read(name, signature, target_context)
        locks = getattr(self._locks, "open", None)
        if compiled is None and name is not None and locks is not None:
            locks.append(CompileLock(_open_folder(), name))
            if locks[-1].waited:
                compiled = self._read(name, signature, target_context)
        if compiled is None:
            skip_scipy()
        return compiled

    def _read(self, name: str, signature: Any, target_context: Any) -> Any:
        """Return the machine code that a file holds, or None where there is none that can be used."""
        folder = _open_folder()
        if folder is None:
            return None
        path = folder / name
        try:
            content = path.read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                raise ValueError("its digest is another")
            kept_signature, reduced = pickle.loads(content[32:])
            if kept_signature != signature:
                return None
            compiled = import_module("numba.core.compiler").CompileResult._rebuild(
                target_context, *reduced
            )
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return None
        except Exception as error:
            _warn(
                "damaged",
                f"The machine code kept in {folder} is damaged ({_reason(error)}): compiled again.",
            )
            return None
        cache_folder.mark_used(path)
        return compiled

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the machine code for a signature, unless the sources have changed since they were imported."""
        name = self._name(signature, compiled.codegen)
        dynamic = compiled.library.has_dynamic_globals or any(
            not lifted.can_cache for lifted in compiled.lifted
        )
        if name is None or self.path is None or self.sources is None or dynamic:
            return
        if not self.sources.unchanged:
            _are_imported(
                self.sources.files | self.sources.nested, self.function.__module__
            )  # which warns
            return
        body = _dumps((signature, compiled._reduce()))
        content = hashlib.sha256(body).digest() + body
        try:
            folder = cache_folder.open_folder()
            _write(folder / name, content)
        except OSError as error:
            _warn_unusable(error)
            return
        _count_save(folder)

    def flush(self) -> None:
        """Forget what is on disk (Numba calls this before it compiles a kernel anew)."""
        folder = _open_folder() if self.path is not None else None
        if self.path is not None and folder is not None:
            for file in folder.glob(f"{self.path.stem}.*.{self._label()}.*{cache_folder.SUFFIX}"):
                file.unlink(missing_ok=True)

    def _label(self) -> str:
        return "".join(c if c.isalnum() or c in "._" else "-" for c in self.function.__qualname__)[
            :80
        ]

    def _name(self, signature: Any, codegen: Any) -> str | None:
        """Return the name of the file for a signature, or None where no file can be: ``FILE.CPU-SOURCES.KERNEL.KEY``.

        The key of the kernel is followed by what may change while its own sources stay: the types'
        sources.
        """
        if self.path is None or self.sources is None:
            return None
        classes: set[type] = set()
        if not _find_classes(_parts(signature), classes):
            return None
        typed = frozenset().union(*map(_sources_of, classes))
        if not _are_imported(typed, self.function.__module__):
            return None
        key = _short(self._identity(), str(signature))
        machine = _short(sys.implementation.cache_tag, _ABI_FLAGS, codegen.magic_tuple())
        sources = _short(self.sources.digest, _VERSIONS)
        others = _short(self.sources.nested_digest, digest(typed))
        return f"{self.path.stem}.{machine}-{sources}.{self._label()}.{key}-{others}{cache_folder.SUFFIX}"

    def _identity(self) -> tuple[Any, ...]:
        """Return what tells functions of one file and name apart, but for defaults (in the signature); the module, by
        whose name machine code finds its globals; Numba's settings.
        """
        code = self.function.__code__
        constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
        cells = [cell.cell_contents for cell in self.function.__closure__ or ()]
        settings = [getattr(_CONFIG, name, None) for name in _SETTINGS]
        return (
            self.function.__module__,
            code.co_code,
            code.co_names,
            constants,
            cells and _dumps(cells),
            settings,
        )


def _open_folder() -> Path | None:
    """Return the folder of machine code, or None, with a warning, where it cannot or must not be used."""
    try:
        return cache_folder.open_folder()
    except OSError as error:
        _warn_unusable(error)
        return None


def _warn_unusable(error: OSError) -> None:
    _warn(
        "unusable",
        f"Machine code cannot be kept in {cache_folder.cache_folder()} ({_reason(error)}): every "
        f"process compiles its kernels, which takes some 10 seconds. Set {cache_folder.VARIABLE} "
        "to a folder that you alone can write to.",
    )


def _count_save(folder: Path) -> None:
    """Look now and then how large the folder is: at the first file that this process keeps, and after some more."""
    global _saves  # noqa: PLW0603
    if _saves % _SAVES_BETWEEN_LOOKS == 0:
        cache_folder.prune(folder)
    _saves += 1


_saves = 0


def _write(path: Path, content: bytes) -> None:
    """Write a file at once or not at all."""
    number, temporary = tempfile.mkstemp(dir=path.parent, suffix=cache_folder.UNFINISHED)
    try:
        with open(number, "wb") as file:
            file.write(content)
        move_path(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _parts(signature: Any) -> Iterator[Any]:
    """Yield the types of the arguments, and of what is returned if that is known."""
    if isinstance(signature, tuple):
        yield from signature
    else:
        yield from (*signature.args, signature.return_type)


def _find_classes(kinds: Iterable[Any], classes: set[type]) -> bool:
    """Add the classes of named tuples in these types; return False if there are functions of this process only."""
    for kind in kinds:
        if isinstance(kind, types.Dispatcher):
            return False
        classes.update(filter(None, [getattr(kind, "instance_class", None)]))  # of a named tuple
        if not _find_classes(getattr(kind, "types", ()), classes):
            return False
    return True


@cache
def _read_sources(path: Path, nested: bool, importer: str) -> _Sources | None:
    """Return the sources of a file, or None if they may be others than those that have been imported."""
    files = dependencies(path) | _JIT_SOURCES
    more = dependencies(path, nested=True) if nested else frozenset()
    read = _Sources(files, digest(files), more, digest(more))
    if _are_imported(files | more, importer):
        return read
    return None


def _dumps(thing: Any) -> bytes:
    pickled: bytes = import_module("numba.core.serialize").dumps(thing)
    return pickled


@cache
def _sources_of(cls: type) -> frozenset[Path]:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if file:
        return dependencies(Path(file).resolve())
    return frozenset()


def _are_imported(files: frozenset[Path], importer: str) -> bool:
    """Return whether some files are what this process has imported; warn where one is not."""
    file = edited(files, importer)
    if file is not None:
        _warn(
            "edited",
            f"{file} has changed since this process imported it: machine code that may contain "
            "it is not kept on disk. The next process keeps it.",
        )
    return file is None


def _short(*things: Any) -> str:
    return hashlib.sha256(repr(things).encode()).hexdigest()[:16]


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"


def _warn(kind: str, text: str) -> None:
    """Warn, once of each kind."""
    if kind not in _WARNED:
        _WARNED.add(kind)
        warnings.warn(text, CacheWarning, stacklevel=2)


_WARNED: set[str] = set()
