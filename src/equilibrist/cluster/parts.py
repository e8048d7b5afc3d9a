"""What a game that is cut for actors offers, whatever its form, and the files that hold tables of ranges of slots."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.archive import Archive, open_archive, save_archive
from ..cfr.algorithms import Algorithm
from ..cfr.tabular import check_tables
from ..strategy.strategy import Strategy
from .ray_cluster import Actors

Ranges = Sequence[tuple[int, int]]
"""Ranges of slots below the cut, as (first, last + 1), one after the other in tables."""
_NAME = re.compile(r"part-\d+-\d+\.npz")


class PartFile(NamedTuple):
    """A file of a checkpoint: its name, the ranges of slots that it holds, and the digest of all that is in it."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    digest: str


class Part(ABC):
    """The part of a game that one actor owns: its tables, and the walks of what it has."""

    ranges: Ranges  # the slots of its tables, as its files have them

    @property
    @abstractmethod
    def tables(self) -> dict[str, NDArray[Any]]:
        """The tables of the slots that it owns, by name."""

    @abstractmethod
    def store_in(self, precision: str) -> None:
        """Make tables as at iteration 0, and what works on them, in a precision."""

    def refine(self, precision: str) -> None:
        """Store the tables in a precision; what they hold stays the same."""
        numbers = self.tables
        self.store_in(precision)
        for name, table in self.tables.items():
            table[:] = numbers[name]

    def plays_probabilities(self) -> bool:
        """Return whether the current strategy sums to 1 at each infoset: then shares of it are the same."""
        return True

    def table(self, name: str) -> NDArray[Any]:
        return self.tables[name]

    def fill(self, name: str, numbers: NDArray[Any]) -> None:
        self.tables[name][:] = numbers

    def save(self, folder: Path) -> PartFile:
        name = f"part-{self.ranges[0][0]}-{self.ranges[-1][1]}.npz"
        return PartFile(
            name, tuple(self.ranges), save_archive(folder / name, {}, self.tables, pack=False)
        )

    def load(self, folder: Path, files: tuple[PartFile, ...]) -> None:
        """Read the tables from what the actors of a run wrote, however many they were."""
        read_parts(folder, files, self.ranges, self.tables)


def check_ranges(files: Iterable[PartFile], actor_ranges: Iterable[Ranges]) -> None:
    """Refuse files that do not hold each slot of the actors once."""
    files = list(files)
    if not all(_NAME.fullmatch(file.name) for file in files):
        raise ValueError("the name of a part")
    if _join_ranges(file.ranges for file in files) != _join_ranges(actor_ranges):
        raise ValueError("ranges of slots")


def _join_ranges(groups: Iterable[Ranges]) -> tuple[int, int]:
    """Return the first and the last slot + 1 of ranges that lie side by side, or raise ValueError."""
    sorted_ranges = sorted(
        (first, last) for ranges in groups for first, last in ranges if first != last
    )
    if any(first > last for first, last in sorted_ranges) or any(
        left_range[1] != right_range[0] for left_range, right_range in pairwise(sorted_ranges)
    ):
        raise ValueError("ranges of slots")
    if sorted_ranges:
        return (sorted_ranges[0][0], sorted_ranges[-1][1])
    return (0, 0)


def read_parts(
    folder: Path, files: Iterable[PartFile], ranges: Ranges, tables: dict[str, NDArray[Any]]
) -> None:
    """Fill tables of some ranges of slots, from all files that hold some of them."""
    for file in files:
        pieces = list(_overlaps(ranges, file.ranges))
        if pieces:
            length = sum(last - first for first, last in file.ranges)
            like = {
                name: np.broadcast_to(table.dtype.type(0), length) for name, table in tables.items()
            }
            with open_archive(folder / file.name) as archive:
                if archive.digest != file.digest:
                    raise ValueError("another file")
                for name, numbers in read_tables(archive, like).items():
                    for target, source in pieces:
                        tables[name][target] = numbers[source]


def _overlaps(ranges: Ranges, other_ranges: Ranges) -> Iterator[tuple[slice, slice]]:
    """Yield where the slots that are in both stand in tables of the one, and of the other."""
    start = 0
    for first, last in ranges:
        other_start = 0
        for other_first, other_last in other_ranges:
            begin = max(first, other_first)
            end = min(last, other_last)
            if begin < end:
                shift = start - first
                other_shift = other_start - other_first
                yield (
                    slice(begin + shift, end + shift),
                    slice(begin + other_shift, end + other_shift),
                )
            other_start += other_last - other_first
        start += last - first


def read_tables(archive: Archive, like: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive that are like some of the same names: as large, and of numbers of the same kind.

    ValueError where they are not.
    """
    tables = {name: archive.array(name, max_size=table.size) for name, table in like.items()}
    check_tables(tables, like)
    return tables


class Split(ABC):
    """A game cut into a top, which the driver walks, and a part for each actor.

    Attributes
    ----------
    form : object
        The compiled game.
    max_subtree_slots : int
        The most slots of a subtree where the game is cut; 0 where all cuts are alike.
    slots : list of Ranges
        Of each actor, numbered as those of the form, in the order in which its tables have them.
    """

    form: Any
    max_subtree_slots: int
    slots: list[Ranges]

    @property
    def ranges_in_files(self) -> list[Ranges]:
        """The slots of each actor, as its files have them."""
        return self.slots

    @abstractmethod
    def makers(
        self, algorithm: Algorithm, *, precision: str, threads: int
    ) -> list[Callable[[], Part]]:
        """Return what makes the part of each actor."""

    @abstractmethod
    def top(self, actors: Actors) -> Any:
        """Return the form of the top, whose walks exchange reach and values with the actors."""

    @abstractmethod
    def strategy(self, weights: NDArray[Any]) -> Strategy:
        """Return the strategy that weights at all slots are, or those of the top alone."""

    @property
    def lengths(self) -> list[int]:
        return [sum(last - first for first, last in ranges) for ranges in self.slots]

    def gather(self, top: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return a table of the whole game from that of the top and those of the actors."""
        table = np.empty(self.form.length, top.dtype)
        table[self._top_mask()] = top
        for actor, part in enumerate(parts):
            for place, rows in self._pairs(actor):
                table[place] = part[rows]
        return table

    def scatter(self, table: NDArray[Any]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Return the top's and the actors' parts of a table of the whole game."""
        parts = [
            np.concatenate([table[place] for place, _ in self._pairs(actor)])
            for actor in range(len(self.slots))
        ]
        return table[self._top_mask()], parts

    def _pairs(self, actor: int) -> Iterator[tuple[slice, slice]]:
        """Yield the ranges of an actor, in a table of the whole game and in its own."""
        begin = 0
        for first, last in self.slots[actor]:
            yield slice(first, last), slice(begin, begin + last - first)
            begin += last - first

    def _top_mask(self) -> NDArray[np.bool_]:
        """Return which slots of the whole game are in the top, shape (slots,)."""
        mask = np.ones(self.form.length, bool)
        for ranges in self.slots:
            for first, last in ranges:
                mask[first:last] = False
        return mask
