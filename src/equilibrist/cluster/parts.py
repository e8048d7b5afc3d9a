"""Files of the parts of a checkpoint: each holds the tables of a contiguous range of slots."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from .._util.files import whole_file
from ..errors import SolutionError


class PartFile(NamedTuple):
    """A file of a checkpoint, and which of the slots below the cut it holds: ``first … last - 1``."""

    name: str
    first: int
    last: int


def write_part(folder: Path, first: int, tables: dict[str, NDArray[Any]]) -> PartFile:
    """Write tables of the slots from ``first`` on; return the file."""
    length = len(next(iter(tables.values())))
    file = PartFile(f"part-{first}.npz", first, first + length)
    write_tables(folder / file.name, tables)
    return file


def write_tables(path: Path, tables: dict[str, NDArray[Any]]) -> None:
    """Write arrays to a file, which is there whole or not at all."""
    with whole_file(path) as stream:
        np.savez(stream, **tables)  # type: ignore[arg-type]  # NumPy's signature has a keyword beside them


def read_parts(folder: Path, files: list[PartFile], first: int, tables: dict[str, NDArray[Any]]) -> None:
    """Fill tables of the slots from ``first`` on, from all files that hold some of them.

    Raises
    ------
    SolutionError
        A file is missing or damaged.
    """
    last = first + len(next(iter(tables.values())))
    for file in files:
        begin, end = max(first, file.first), min(last, file.last)
        if begin < end:
            for name, numbers in read_tables(folder / file.name, tables).items():
                tables[name][begin - first : end - first] = numbers[begin - file.first : end - file.first]


def read_tables(path: Path, tables: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file that has the names of some tables, and their kinds of numbers.

    Raises
    ------
    SolutionError
        It is missing or damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            found = {name: stored[name] for name in tables}
    except (OSError, KeyError, ValueError, BadZipFile) as error:
        raise SolutionError(f"{path} cannot be read ({error}). Give the folder as the run left it.") from error
    if any(found[name].dtype != table.dtype for name, table in tables.items()):
        raise SolutionError(f"{path} holds numbers of another precision than the run. Give that of the run.")
    return found
