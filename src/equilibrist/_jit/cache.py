"""A cache of machine code on disk that cannot go stale.

Numba's own cache knows a kernel by the one file in which it stands, although the machine code contains what that file
imports: an edited helper would change some kernels and leave others as they were. Here each kernel is known by the
text of all files that it may contain (:mod:`equilibrist._jit.sources`), by its signature and the files that define the
types in it, by the CPU, and by the versions of Python, NumPy, Numba and LLVM.

One file holds one kernel for one signature. Its name says all of that, so that processes never disagree about what a
file contains. Machine code of the three newest states of the sources is kept: who goes back to a branch compiles
nothing anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
import time
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

from ..errors import EquilibristWarning
from .compile_lock import CompileLock
from .numba_parts import skip_scipy
from .sources import PACKAGE, dependencies, digest, edited, last_change

_JIT_SOURCES = frozenset(Path(__file__).resolve().parent.glob("*.py"))  # how everything is compiled
_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")  # of Numba's environment
_CONFIG: Any = numba.config
_VERSIONS = f"{numba.__version__} {llvmlite.__version__} {numpy.__version__}"
_SUFFIX = ".nbc"
_UNFINISHED = f"{_SUFFIX}.tmp"
_ABANDONED_SECONDS = 3600.0  # after which nobody writes an unfinished file any more
_GENERATIONS = 3  # of sources, whose machine code is kept


class CacheWarning(EquilibristWarning):
    """Machine code cannot be kept on disk, or what was kept is damaged: nothing is wrong, but it takes seconds."""


class _Sources(NamedTuple):
    """The files that a kernel may contain, with a digest of them as they were when the kernel was defined.

    ``nested`` are those that its own file imports inside functions, for a kernel that is defined inside a function.
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

    The sources of the function are read now, when they are what has been imported; those of this package, whose stamps
    are known since its import, when the first signature is asked for.
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
        return _read_sources(self.path, self._nested, self.function.__module__) if self.path is not None else None

    def _sources_of_user(self, path: Path) -> _Sources | None:
        """Return the sources of a file, read once for all kernels of a file that is being imported."""
        line, cls = self.function.__code__.co_firstlineno, type(self)
        with cls._latest_lock:
            key, latest = (path, last_change(path), self._nested), cls._latest
            if latest is not None and latest[:3] == key and line > latest[3]:  # if not, it is being reloaded
                sources = latest[4]
            else:
                sources = _read_sources.__wrapped__(path, self._nested, self.function.__module__)
            cls._latest = (*key, line, sources)
            return sources

    @property
    def cache_path(self) -> str | None:
        """The folder that is read first."""
        return str(folders(self.path)[0]) if self.path is not None else None

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Enclose what loads a signature or compiles it: what is not on disk is compiled by one process at a time."""
        outer, self._locks.open = getattr(self._locks, "open", None), []
        try:
            yield
        finally:
            for lock in self._locks.open:
                lock.end()
            self._locks.open = outer

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, or None if it must be compiled."""
        # What machine code is linked with; Numba itself would import here all that it can compile: 0.1 s.
        import_module("numba.core.runtime").rtsys.initialize(target_context)
        name = self._name(signature, target_context.codegen())
        compiled = None if name is None else self._read(name, signature, target_context)
        locks = getattr(self._locks, "open", None)
        if compiled is None and name is not None and locks is not None:
            locks.append(CompileLock([folder / name for folder in folders(self.path)]))  # type: ignore[arg-type]
            if locks[-1].waited:
                compiled = self._read(name, signature, target_context)
        if compiled is None:
            skip_scipy()
        return compiled

    def _read(self, name: str, signature: Any, target_context: Any) -> Any:
        """Return the machine code that a file holds, or None where there is none that can be used."""
        for folder in folders(self.path):  # type: ignore[arg-type]  # a name has a path
            try:
                content = (folder / name).read_bytes()
                if hashlib.sha256(content[32:]).digest() != content[:32]:
                    raise ValueError("its digest is another")
                kept_signature, reduced = pickle.loads(content[32:])
                if kept_signature == signature:
                    return import_module("numba.core.compiler").CompileResult._rebuild(target_context, *reduced)
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                continue
            except Exception as error:
                _warn("damaged", f"The machine code kept in {folder} is damaged ({_reason(error)}): compiled again.")
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the machine code for a signature, unless the sources have changed since they were imported."""
        name = self._name(signature, compiled.codegen)
        dynamic = compiled.library.has_dynamic_globals or any(not lifted.can_cache for lifted in compiled.lifted)
        if name is None or self.path is None or self.sources is None or dynamic:
            return
        if not self.sources.unchanged:
            _are_imported(self.sources.files | self.sources.nested, self.function.__module__)  # which warns
            return
        body = _dumps((signature, compiled._reduce()))
        content = hashlib.sha256(body).digest() + body
        reasons = []
        for folder in folders(self.path):
            try:
                _write(folder / name, content)
            except OSError as error:
                reasons.append(f"{folder}: {_reason(error)}")
            else:
                _prune(folder, self.path, name)
                return
        why = "; ".join(reasons) or "there is no folder"
        _warn(
            "unwritable",
            f"Machine code cannot be kept ({why}): every process compiles its kernels, which takes some "
            "10 seconds. Set NUMBA_CACHE_DIR to a folder that can be written to.",
        )

    def flush(self) -> None:
        """Forget what is on disk (Numba calls this before it compiles a kernel anew)."""
        if self.path is not None:
            for folder in folders(self.path):
                for file in folder.glob(f"{self.path.stem}.*.{self._label()}.*{_SUFFIX}"):
                    file.unlink(missing_ok=True)

    def _label(self) -> str:
        return "".join(c if c.isalnum() or c in "._" else "-" for c in self.function.__qualname__)[:80]

    def _name(self, signature: Any, codegen: Any) -> str | None:
        """Return the name of the file for a signature, or None where no file can be: ``FILE.CPU-SOURCES.KERNEL.KEY``.

        The key of the kernel is followed by what may change while its own sources stay: the types' sources.
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
        machine = _short(sys.implementation.cache_tag, sys.abiflags, codegen.magic_tuple())
        sources = _short(self.sources.digest, _VERSIONS)
        others = _short(self.sources.nested_digest, digest(typed))
        return f"{self.path.stem}.{machine}-{sources}.{self._label()}.{key}-{others}{_SUFFIX}"

    def _identity(self) -> tuple[Any, ...]:
        """Return what tells functions of one file and name apart, but for defaults (in the signature); Numba's
        settings.
        """
        code = self.function.__code__
        constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
        cells = [cell.cell_contents for cell in self.function.__closure__ or ()]
        settings = [getattr(_CONFIG, name, None) for name in _SETTINGS]
        return (code.co_code, code.co_names, constants, cells and _dumps(cells), settings)


def folders(path: Path) -> list[Path]:
    """Return where the machine code of a file's kernels may be: the first that can be written to is written to."""
    folder = f"{path.parent.name}_{_short(str(path.parent))}"
    if _CONFIG.CACHE_DIR:
        return [Path(_CONFIG.CACHE_DIR) / folder]
    of_user = import_module("numba.misc.appdirs").AppDirs(appname="numba", appauthor=False).user_cache_dir
    return [path.parent / "__pycache__", Path(of_user) / folder]


def can_keep() -> bool:
    """Return whether there is a folder where the machine code of this package can be written to."""
    for folder in folders(Path(__file__).resolve()):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return True
    return False


def _write(path: Path, content: bytes) -> None:
    """Write a file at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, temporary = tempfile.mkstemp(dir=path.parent, suffix=_UNFINISHED)
    try:
        with open(number, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _prune(folder: Path, path: Path, name: str) -> None:
    """Remove all but the newest generations of what a new file belongs to, files of no source, and what was left
    unfinished.
    """
    for file in folder.glob(f"*{_UNFINISHED}"):
        with suppress(OSError):  # it has its name by now
            if time.time() - file.stat().st_mtime > _ABANDONED_SECONDS:
                file.unlink()
    stem, sources, rest = name.split(".", 2)
    machine, key = sources.partition("-")[0], rest.rpartition("-")[0]
    for file in (*folder.glob(f"*{_SUFFIX}"), *folder.glob(f"*{_SUFFIX}.lock")):
        if not (path.parent / f"{file.name.partition('.')[0]}.py").exists():
            file.unlink(missing_ok=True)
    _keep_newest(folder, f"{stem}.{machine}-", ".")
    _keep_newest(folder, f"{stem}.{sources}.{key}-", _SUFFIX)


def _keep_newest(folder: Path, prefix: str, end: str) -> None:
    """Remove the files of all but the newest generations: that of a file stands between ``prefix`` and ``end``."""
    generations: dict[str, list[tuple[float, Path]]] = {}
    for file in folder.glob(f"*{_SUFFIX}*"):
        if file.name.startswith(prefix):
            with suppress(OSError):
                name = file.name.removeprefix(prefix).partition(end)[0]
                generations.setdefault(name, []).append((file.stat().st_mtime, file))
    for files in sorted(generations.values(), key=max)[:-_GENERATIONS]:
        for _, file in files:
            file.unlink(missing_ok=True)


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
    files, more = dependencies(path) | _JIT_SOURCES, dependencies(path, nested=True) if nested else frozenset()
    read = _Sources(files, digest(files), more, digest(more))
    return read if _are_imported(files | more, importer) else None


def _dumps(thing: Any) -> bytes:
    pickled: bytes = import_module("numba.core.serialize").dumps(thing)
    return pickled


@cache
def _sources_of(cls: type) -> frozenset[Path]:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return dependencies(Path(file).resolve()) if file else frozenset()


def _are_imported(files: frozenset[Path], importer: str) -> bool:
    """Return whether some files are what this process has imported; warn where one is not."""
    file = edited(files, importer)
    if file is not None:
        _warn(
            "edited",
            f"{file} has changed since this process imported it: machine code that may contain it is not kept on "
            "disk. The next process keeps it.",
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
