"""Checkpoints of runs over actors: folders with the parts that the actors wrote, the top, and what they are of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from .._util.files import write_atomically
from ..errors import SolutionError
from .parts import PartFile, read_parts
from .split import Split

TOP = "top.npz"
_ABOUT, _LATEST = "checkpoint.json", "latest.json"


def write_about(folder: Path, about: dict[str, Any]) -> None:
    """Write what a checkpoint is of, once its parts are there; from then on it is the latest of its run."""
    write_atomically(folder / _ABOUT, json.dumps(about).encode())
    write_atomically(folder.parent / _LATEST, json.dumps({"folder": folder.name}).encode())


def read_about(folder: Path) -> dict[str, Any]:
    """Return what a checkpoint is of.

    Raises
    ------
    SolutionError
        There is none.
    """
    try:
        found: dict[str, Any] = json.loads((folder / _ABOUT).read_text("utf-8"))
        return found
    except (OSError, ValueError) as error:
        path = folder / _ABOUT
        raise SolutionError(f"{path} cannot be read ({error}). Give the folder as the run left it.") from error


def latest_checkpoint(folder: Path) -> Path | None:
    """Return the latest checkpoint of the run that saves to a folder; None where it has none."""
    path = folder / _LATEST
    return folder / str(json.loads(path.read_text("utf-8"))["folder"]) if path.exists() else None


def read_state(split: Split, folder: Path) -> dict[str, NDArray[Any]]:
    """Return the whole state that the actors of a run wrote; ``split`` cuts the game as they did, for one actor.

    Raises
    ------
    SolutionError
        A file is missing or damaged.
    MemoryError
        The state would not fit into the memory that this machine has free.
    """
    (ranges,), (length,) = split.held, split.lengths
    files = [PartFile(*file) for file in read_about(folder)["files"]]
    try:
        with np.load(folder / TOP, allow_pickle=False) as stored:
            top = {name: stored[name] for name in stored.files}
    except (OSError, ValueError) as error:
        raise SolutionError(f"{folder / TOP} cannot be read ({error}). Give the folder as the run left it.") from error
    state = {"iteration": top.pop("iteration")}
    if sum(length * table.itemsize for table in top.values()) > psutil.virtual_memory().available:
        raise MemoryError
    for name, own in top.items():
        part = {name: np.empty(length, own.dtype)}
        read_parts(folder, files, ranges, part)
        state[name] = split.gather(own, [part[name]])
    return state
