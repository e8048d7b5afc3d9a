"""Digests of sources: all files whose text may end up in the machine code of a kernel.

Numba compiles the text of other files into a kernel: helpers, constants, types. A file depends on every file that it
imports, and on what these import. Imports inside functions count for kernels that are defined inside functions: no
other kernel can see what they import. Imports are found by a pattern, a hundred times faster than by a parser: what it
finds too much costs a needless compilation, and a test compares it with the parser.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
_INSTALLED = {"site-packages", "dist-packages"}

_IMPORT = re.compile(  # patterns begin with the end of the line before, which is found ten times faster than a ^
    rb"[\n;:][ \t]*(?:from[ \t]+(\.*)[ \t]*([.\w]*)[ \t]+import[ \t]*(\([^)]*\)|(?:[^\n;#\\]|\\\n)*)"
    rb"|import[ \t]+((?:[^\n;#\\]|\\\n)*))"
)
_BLOCK = re.compile(
    rb"\n(?:@|(?:def|async|class|if|elif|else|try|except|finally|with|for|while)\b)"
)
_DEFINITION = (
    b"\n@",
    b"\nd",
    b"\na",
    b"\nc",
)  # how a function or class begins, as against other blocks
_TYPES_ONLY = re.compile(rb"\n([ \t]*)if TYPE_CHECKING:\n(?:\1[ \t]+[^\n]*\n|[ \t]*\n)+")


def imports(text: bytes) -> Iterator[tuple[bool, int, str, list[str]]]:
    """Yield each import of a source, but for those that only type checkers read.

    Each is: whether it is inside a function or a class, its dots, its module, and the names taken from it.
    """
    text = _TYPES_ONLY.sub(b"\n", b"\n" + text)
    blocks = [match.start() for match in _BLOCK.finditer(text)]
    for match in _IMPORT.finditer(text):
        dots, module, names, modules = match.groups()
        line = text.rfind(b"\n", 0, match.start() + 1) + 1
        block = bisect_right(blocks, line) - 1
        nested = text[line : line + 1] in (b" ", b"\t") and text.startswith(
            _DEFINITION, blocks[block]
        )
        if modules is not None:
            for name in modules.replace(b"\\\n", b" ").split(b","):
                yield nested, 0, (name.split() or [b""])[0].decode(), []
        else:
            plain = re.sub(r"#[^\n]*|\bas\s+\w+", "", names.decode())
            yield nested, len(dots), module.decode(), re.findall(r"\w+", plain)


def dependencies(path: Path, *, nested: bool = False) -> frozenset[Path]:
    """Return a file and all files that it imports, and they import: of its own package and of this one.

    Of a file that belongs to no package, those that lie beside it. Python, and what is installed, are not followed.
    ``nested`` adds what the file itself imports inside functions.
    """
    files = {path}
    left = list(_imported(path, nested, *last_change(path)))
    while left:
        path = left.pop()
        if path not in files:
            files.add(path)
            left.extend(_imported(path, False, *last_change(path)))
    return frozenset(files)


def digest(paths: frozenset[Path]) -> str:
    """Return a digest of the texts of some files as they are now."""
    texts = sorted(_read(path, *last_change(path))[0] for path in paths)
    return hashlib.sha256(b"".join(texts)).hexdigest()


def edited(paths: frozenset[Path], importer: str) -> Path | None:
    """Return one of some files that may not be what this process has imported, or None.

    Stamps are compared with those of the first time that a file was asked for, never with the clock, which may be wrong
    by days. But for a file of a user whose module was imported before ``importer``, the module that is being imported
    now, and that nobody has asked for since: only the clock tells then whether it has been edited meanwhile.
    """
    if new := paths - _FIRST_STAMPS.keys():
        earlier = set()
        for name, module in list(sys.modules.items()):  # in the order of their imports
            if name == importer:
                break
            earlier.add(getattr(module, "__file__", None))
        for path in new:
            stamp = last_change(path)
            doubtful = str(path) in earlier and stamp[0] > _BEGAN
            _FIRST_STAMPS[path] = _DOUBTFUL if doubtful else stamp
    return next((path for path in sorted(paths) if last_change(path) != _FIRST_STAMPS[path]), None)


def last_change(path: Path) -> tuple[int, int]:
    """Return when a file was last written, in nanoseconds, and its size."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


_BEGAN = time.time_ns()
_DOUBTFUL = 0, -1
_FIRST_STAMPS = {path: last_change(path) for path in PACKAGE.rglob("*.py")}
"""When each file was last written, and its size, when it was first asked for; those of this package at its import."""


@cache
def _read(path: Path, *stamp: int) -> tuple[bytes, bytes]:
    """Return the digest of a file, and its text."""
    try:
        text = path.read_bytes()
    except OSError:
        text = b""
    return hashlib.sha256(text).digest(), text


@cache
def _imported(path: Path, nested: bool, *stamp: int) -> tuple[Path, ...]:
    """Return the files that a file imports by itself."""
    files: list[Path] = []
    if path.name == "__init__.py" and (stub := path.with_suffix(".pyi")).exists():
        files.append(stub)  # of a package whose names are imported when they are used
    for inside, dots, module, names in imports(_read(path, *stamp)[1]):
        if inside and not nested:
            continue
        parts = module.split(".") if module else []
        if dots:
            if dots <= len(path.parents):
                places = [path.parents[dots - 1]]
            else:
                places = []
        elif parts[:1] == [PACKAGE.name]:
            places = [PACKAGE.parent]
        else:
            places = _beside(path, *parts[:1])
        for place in places:
            files.extend(_modules(place.joinpath(*parts), names))
    return tuple(files)


def _beside(path: Path, name: str = "") -> list[Path]:
    """Return where a file finds other files by their full names."""
    if PACKAGE in path.parents:
        return []
    top = _top(path.parent)
    package = path.relative_to(top).parts[0]
    if name == package or not _INSTALLED & set(top.parts):
        return [top]
    return []


@cache
def _top(folder: Path) -> Path:
    """Return the folder that holds the outermost package of a folder."""
    if (folder / "__init__.py").exists():
        return _top(folder.parent)
    return folder


def _modules(place: Path, names: list[str]) -> Iterator[Path]:
    """Yield the files of a module or package from which names are taken."""
    if os.path.isfile(f"{place}.py"):
        yield Path(f"{place}.py")
    elif os.path.isfile(f"{place}/__init__.py"):
        inside = [file for name in names for file in _modules(place / name, [])]
        yield from inside
        if len(inside) < len(names) or not names:
            yield place / "__init__.py"
