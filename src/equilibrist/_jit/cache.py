"""A cache of machine code on disk that cannot go stale.

Numba's own cache knows a kernel by the one file in which it stands, although the machine code contains what that file
imports: an edited helper would change some kernels and leave others as they were. Here each kernel is known by the
text of all files that it may contain (:mod:`equilibrist._jit.sources`), by its signature and the files that define the
types in it, by the CPU, and by the versions of Python, NumPy, Numba and LLVM.

One file holds one kernel for one signature. Its name says all of that, so that processes never disagree about what a
file contains; the files of older sources are removed when new ones are written.
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
from functools import cache
from pathlib import Path
from threading import Lock, local
from types import CodeType
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy
from numba.core import types
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps as _dumps
from numba.misc.appdirs import AppDirs as _AppDirs

from ..errors import EquilibristWarning
from .sources import PACKAGE, dependencies, digest, last_change
from .turns import Turn

_OWN = frozenset(Path(__file__).resolve().parent.glob("*.py"))  # how everything is compiled
_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")  # of Numba's environment
AppDirs: Any = _AppDirs  # Numba has no useful types
dumps: Any = _dumps
_CONFIG: Any = numba.config
_VERSIONS = f"{numba.__version__} {llvmlite.__version__} {numpy.__version__}"
_SUFFIX = ".nbc"
_UNFINISHED = f"{_SUFFIX}.tmp"
_ABANDONED_SECONDS = 3600.0  # after which nobody writes an unfinished file any more
_BEGAN = time.time()


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

    @classmethod
    def of(cls, path: Path, *, nested: bool) -> _Sources:
        files, more = dependencies(path) | _OWN, dependencies(path, nested=True) if nested else frozenset()
        return cls(files, digest(files), more, digest(more))

    @property
    def imported(self) -> bool:
        """Whether all are what has been imported: none was edited since this process began."""
        return not any(last_change(file)[0] > _BEGAN * 1e9 for file in self.files | self.nested)

    @property
    def unchanged(self) -> bool:
        """Whether the files are still what they were."""
        return digest(self.files) == self.digest and digest(self.nested) == self.nested_digest


class KernelCache:
    """The machine code of one function on disk, for each signature; what Numba expects of a cache.

    Parameters
    ----------
    function : Python function
        Its sources are read now, when they are what has been imported.
    """

    _latest: tuple[Path, tuple[int, int], bool, int, _Sources | None] | None = None
    _latest_lock = Lock()

    def __init__(self, function: Callable[..., Any]) -> None:
        path = Path(function.__code__.co_filename)
        self.function = function
        self._turns = local()
        self.path = path.resolve() if path.is_file() else None
        sources = None
        if self.path is not None:
            nested = "<locals>" in function.__qualname__
            sources = self._sources(self.path, function.__code__.co_firstlineno, nested=nested)
        if sources is None:
            self.path = None
        else:
            self.sources = sources

    @classmethod
    def _sources(cls, path: Path, line: int, *, nested: bool) -> _Sources | None:
        """Return the sources of a file, or None if they may be others than those that have been imported.

        They are read once for all kernels of a file that is being imported.
        """
        with cls._latest_lock:
            key, latest = (path, last_change(path), nested), cls._latest
            if latest is not None and latest[:3] == key and line > latest[3]:  # if not, it is being reloaded
                sources = latest[4]
            else:
                read = _Sources.of(path, nested=nested)
                sources = read if read.imported else None
            cls._latest = (*key, line, sources)
            return sources

    @property
    def cache_path(self) -> str | None:
        """The folder that is read first."""
        return str(folders(self.path)[0]) if self.path is not None else None

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Enclose what loads a signature or compiles it: what is not on disk is compiled by one process at a time."""
        outer, self._turns.open = getattr(self._turns, "open", None), []
        try:
            yield
        finally:
            for turn in self._turns.open:
                turn.end()
            self._turns.open = outer

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, or None if it must be compiled."""
        target_context.refresh()
        name = self._name(signature, target_context.codegen())
        if name is None or self.path is None:
            return None
        kept = self._read(name, signature, target_context)
        turns = getattr(self._turns, "open", None)
        if kept is None and turns is not None:
            turns.append(Turn([folder / name for folder in folders(self.path)]))
            if turns[-1].waited:
                kept = self._read(name, signature, target_context)
        return kept

    def _read(self, name: str, signature: Any, target_context: Any) -> Any:
        """Return the machine code that a file holds, or None where there is none that can be used."""
        for folder in folders(self.path):  # type: ignore[arg-type]  # a name has a path
            try:
                content = (folder / name).read_bytes()
                if hashlib.sha256(content[32:]).digest() != content[:32]:
                    raise ValueError("its digest is another")
                kept, reduced = pickle.loads(content[32:])
                if kept == signature:
                    rebuild: Any = CompileResult._rebuild
                    return rebuild(target_context, *reduced)
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                continue
            except Exception as error:
                _warn("damaged", f"The machine code kept in {folder} is damaged ({_reason(error)}): compiled again.")
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the machine code for a signature, unless the sources have changed since they were imported."""
        name = self._name(signature, compiled.codegen)
        dynamic = compiled.library.has_dynamic_globals or any(not lifted.can_cache for lifted in compiled.lifted)
        if name is None or self.path is None or dynamic or not self.sources.unchanged:
            return
        body = dumps((signature, compiled._reduce()))
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
        if self.path is None:
            return None
        classes: set[type] = set()
        if not _find_classes(_parts(signature), classes):
            return None
        typed = frozenset().union(*map(_sources_of, classes))
        if any(last_change(file)[0] > _BEGAN * 1e9 for file in typed):  # it may not be what has been imported
            return None
        key = _short(self._identity(), str(signature))
        machine = _short(sys.implementation.cache_tag, sys.abiflags, codegen.magic_tuple())
        sources = _short(self.sources.digest, _VERSIONS)
        others = _short(self.sources.nested_digest, digest(typed))
        return f"{self.path.stem}.{machine}-{sources}.{self._label()}.{key}-{others}{_SUFFIX}"

    def _identity(self) -> tuple[Any, ...]:
        """Return what tells functions of the same file and name apart, and the settings of Numba's environment.

        Defaults of arguments are in the signature.
        """
        code = self.function.__code__
        constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
        cells = [cell.cell_contents for cell in self.function.__closure__ or ()]
        settings = [getattr(_CONFIG, name, None) for name in _SETTINGS]
        return (code.co_code, code.co_names, constants, cells and dumps(cells), settings)


def folders(path: Path) -> list[Path]:
    """Return where the machine code of a file's kernels may be: the first that can be written to is written to."""
    own = f"{path.parent.name}_{_short(str(path.parent))}"
    if _CONFIG.CACHE_DIR:
        return [Path(_CONFIG.CACHE_DIR) / own]
    return [path.parent / "__pycache__", Path(AppDirs(appname="numba", appauthor=False).user_cache_dir) / own]


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
    """Remove what the new file takes the place of, all of older sources and of files that are no more.

    What writers have left that were killed goes as well.
    """
    for file in folder.glob(f"*{_UNFINISHED}"):
        with suppress(OSError):  # it has its name by now
            if time.time() - file.stat().st_mtime > _ABANDONED_SECONDS:
                file.unlink()
    stem, sources, rest = name.split(".", 2)
    machine, key = sources.partition("-")[0], rest.rpartition("-")[0]
    for file in (*folder.glob(f"*{_SUFFIX}"), *folder.glob(f"*{_SUFFIX}.lock")):
        other_stem, _, other = file.name.partition(".")
        outdated = other.startswith(f"{machine}-") and not other.startswith(f"{sources}.")
        replaced = other.startswith(f"{sources}.{key}-") and file.name != name
        if (other_stem == stem and (outdated or replaced)) or not (path.parent / f"{other_stem}.py").exists():
            file.unlink(missing_ok=True)
    if PACKAGE in path.parents:  # those of Numba's own cache
        for file in folder.glob(f"{stem}.*.nbi"):
            for old in folder.glob(f"{file.stem}.*"):
                old.unlink(missing_ok=True)


def _parts(signature: Any) -> Iterator[Any]:
    """Yield the types of the arguments, and of what is returned if that is known."""
    if isinstance(signature, tuple):
        yield from signature
    else:
        yield from (*signature.args, signature.return_type)


def _find_classes(kinds: Iterable[Any], found: set[type]) -> bool:
    """Add the classes of named tuples in these types; return False if there are functions of this process only."""
    for kind in kinds:
        if isinstance(kind, types.Dispatcher):
            return False
        found.update(filter(None, [getattr(kind, "instance_class", None)]))  # of a named tuple
        if not _find_classes(getattr(kind, "types", ()), found):
            return False
    return True


@cache
def _sources_of(cls: type) -> frozenset[Path]:
    """Return the sources of a class."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return dependencies(Path(file).resolve()) if file else frozenset()


def _short(*things: Any) -> str:
    """Return a short digest."""
    return hashlib.sha256(repr(things).encode()).hexdigest()[:16]


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"


def _warn(kind: str, text: str) -> None:
    """Warn, once of each kind."""
    if kind not in _WARNED:
        _WARNED.add(kind)
        warnings.warn(text, CacheWarning, stacklevel=2)


_WARNED: set[str] = set()
