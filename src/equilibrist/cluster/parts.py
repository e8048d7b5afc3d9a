"""Files of the parts of a checkpoint: each holds the tables of contiguous ranges of slots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from .._util.files import whole_file
from ..errors import SolutionError

Ranges = list[tuple[int, int]]
"""Ranges of slots below the cut, as (first, last + 1), one after the other in tables."""


class PartFile(NamedTuple):
    """A file of a checkpoint, and the ranges of slots that it holds."""

    name: str
    ranges: Ranges


def write_part(folder: Path, ranges: Ranges, tables: dict[str, NDArray[Any]]) -> PartFile:
    """Write tables of some ranges of slots; return the file."""
    file = PartFile(f"part-{ranges[0][0]}.npz", ranges)
    write_tables(folder / file.name, tables)
    return file


def write_tables(path: Path, tables: dict[str, NDArray[Any]]) -> None:
    """Write arrays to a file, which is there whole or not at all."""
    with whole_file(path) as stream:
        np.savez(stream, **tables)  # type: ignore[arg-type]  # NumPy's signature has a keyword beside them


def read_parts(folder: Path, files: list[PartFile], ranges: Ranges, tables: dict[str, NDArray[Any]]) -> None:
    """Fill tables of some ranges of slots, from all files that hold some of them.

    Raises
    ------
    SolutionError
        A file is missing or damaged.
    """
    for file in files:
        pieces = list(_common(ranges, file.ranges))
        if pieces:
            for name, numbers in read_tables(folder / file.name, tables).items():
                for here, there in pieces:
                    tables[name][here] = numbers[there]


def _common(ranges: Ranges, others: Ranges) -> Iterator[tuple[slice, slice]]:
    """Yield where the slots that are in both stand in tables of the one, and of the other."""
    start = 0
    for first, last in ranges:
        other_start = 0
        for other_first, other_last in others:
            begin, end = max(first, other_first), min(last, other_last)
            if begin < end:
                own, other = start - first, other_start - other_first
                yield slice(begin + own, end + own), slice(begin + other, end + other)
            other_start += other_last - other_first
        start += last - first


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
