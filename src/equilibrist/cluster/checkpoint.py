"""Checkpoints of runs over actors: a folder with the parts that the actors wrote, and the top with what they are of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psutil
from numpy.typing import NDArray

from .._util.archive import open_archive, save_archive
from .._util.plain import from_plain, to_plain
from ..cfr.tabular import STATE
from .parts import PartFile, Split, check_ranges, read_parts, read_tables

CHECKPOINT = "checkpoint.npz"
ACTORS = "actors"
"""The folder of a run folder to which actors save."""
_NAME = re.compile(r"iteration-(\d+)")


class CheckpointFacts(NamedTuple):
    """What a checkpoint is of.

    Attributes
    ----------
    run : dict
        What decides the numbers of the run, by name; the fingerprint of the game among it.
    most : int
        The most slots of a subtree where the game is cut, by the name that files have for it.
    files : tuple of PartFile
        The parts.
    """

    run: dict[str, str | int | float | bool | None]
    most: int
    files: tuple[PartFile, ...]


def checkpoint_folder(folder: Path, name: Any) -> Path:
    """Return the folder of a checkpoint by its name, or raise ValueError where that is none."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no checkpoint of actors")
    return folder / name


def write_checkpoint(folder: Path, facts: CheckpointFacts, top: dict[str, NDArray[Any]]) -> None:
    """Write what a checkpoint is of and the tables of the top, once its parts are there; from then on it counts."""
    save_archive(folder / CHECKPOINT, {"about": json.dumps(to_plain(facts))}, top, pack=False)


def read_facts(folder: Path) -> CheckpointFacts:
    """Return what a checkpoint is of."""
    with open_archive(folder / CHECKPOINT) as archive:
        facts: CheckpointFacts = from_plain(CheckpointFacts, json.loads(archive.text("about")))
        return facts


def read_top(
    split: Split, folder: Path, facts: CheckpointFacts, like: dict[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """Return the tables of the top that a checkpoint holds, which are like some of the same names."""
    with open_archive(folder / CHECKPOINT) as archive:
        if facts.run.get("fingerprint") != split.form.fingerprint:
            raise ValueError("another game")
        check_ranges(facts.files, split.ranges_in_files)
        return read_tables(archive, like)


def read_precision(split: Split, folder: Path) -> tuple[str, int]:
    """Return how the tables of a checkpoint are stored, and after which iteration."""
    with open_archive(folder / CHECKPOINT) as archive:
        sums = archive.array("strategy_sum", max_size=split.form.length)
        return sums.dtype.name, int(archive.array("iteration", max_size=1))


def read_state(split: Split, folder: Path, facts: CheckpointFacts) -> dict[str, NDArray[Any]]:
    """Return the whole state that the actors of a run wrote; ``split`` cuts the game as they did, for one actor."""
    (ranges,) = split.ranges_in_files
    (length,) = split.lengths
    with open_archive(folder / CHECKPOINT) as archive:
        kind = archive.array("strategy_sum", max_size=split.form.length).dtype
        names = [name for name in STATE if name in archive.arrays]
    like = {name: np.broadcast_to(kind.type(0), split.form.length - length) for name in names}
    top = read_top(split, folder, facts, {"iteration": np.array(0, np.int64), **like})
    state = {"iteration": top.pop("iteration")}
    if sum(length * table.itemsize for table in top.values()) > psutil.virtual_memory().available:
        raise MemoryError
    for name, table in top.items():
        tables_of_parts = {name: np.empty(length, table.dtype)}
        read_parts(folder, facts.files, ranges, tables_of_parts)
        state[name] = split.gather(table, [tables_of_parts[name]])
    return state
