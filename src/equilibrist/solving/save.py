"""Run folders: writing a solution so that an interrupted save leaves a folder that loads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from .._util.files import locked_folder, whole_file, write_atomically
from .._util.plain import to_plain
from ..errors import SolutionError
from ..form.infosets import Infoset
from ..strategy.strategy import Strategy
from .archive import write_archive
from .info import RunInfo
from .recording import ARRAYS as RECORDED
from .recording import Recording

FORMAT = "equilibrist solution 4"
CHECKPOINT = "checkpoint.npz"
PREVIOUS = "checkpoint.previous.npz"
SUMMARY = "solution.json"
STRATEGY = "strategy.csv"
RECORDING = "recording.parquet"

MOST_ROWS = 2_000_000
"""Of ``strategy.csv``; a longer strategy on public states is saved without names and probabilities, both of which
the game and the state tell again."""


class Saveable(Protocol):
    """What is saved of a :class:`~equilibrist.solving.solution.Solution`, which imports this file."""

    @property
    def strategy(self) -> Strategy: ...  # noqa: D102
    @property
    def info(self) -> RunInfo: ...  # noqa: D102
    @property
    def recording(self) -> Recording | None: ...  # noqa: D102
    @property
    def state(self) -> dict[str, Any]: ...  # noqa: D102
    @property
    def sampling(self) -> str: ...  # noqa: D102
    def summary(self) -> dict[str, Any]: ...  # noqa: D102


def save_solution(solution: Saveable, folder: str | Path) -> None:
    """Write a run folder, as :meth:`Solution.save` says."""
    with locked_folder(folder) as path:
        write_folder(solution, path)


def write_folder(solution: Saveable, folder: Path) -> None:
    """Write the files of a run into a folder that is locked.

    The checkpoint counts, and comes first. Of the others each is that of this run, or none.

    Raises
    ------
    SolutionError
        A file cannot be written.
    """
    path = folder / CHECKPOINT
    try:
        with whole_file(path) as file:
            write_archive(file, *_contents(solution))
        path = folder / RECORDING
        if solution.recording is None:
            path.unlink(missing_ok=True)
        else:
            solution.recording.write(path)
        path = folder / STRATEGY
        if too_long_for_csv(solution):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise SolutionError(f"{path} cannot be written: {error.strerror or error}.") from error
    if not too_long_for_csv(solution):
        solution.strategy.write_csv(folder / STRATEGY)
    text = json.dumps({"format": FORMAT, **solution.summary()}, indent=2)
    write_atomically(folder / SUMMARY, f"{text}\n".encode())


def too_long_for_csv(solution: Saveable) -> bool:
    """Return whether a strategy has so many probabilities that it gets no CSV file."""
    return solution.strategy.num_probabilities > MOST_ROWS


def set_aside(folder: Path) -> None:
    """Keep the checkpoint of an older run in a folder as ``checkpoint.previous.npz``, as a new run will be saved.

    Raises
    ------
    SolutionError
        It cannot be copied.
    """
    try:
        # Copied, not renamed: until the new run is saved this one stays.
        with (folder / CHECKPOINT).open("rb") as old, whole_file(folder / PREVIOUS) as copy:
            shutil.copyfileobj(old, copy)
    except FileNotFoundError:
        return
    except OSError as error:
        raise SolutionError(f"The older run in {folder} cannot be kept: {error.strerror or error}.") from error


def _contents(solution: Saveable) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the texts and arrays of a checkpoint."""
    recording = solution.recording
    compact = solution.info.game.form == "public" and too_long_for_csv(solution)
    arrays = {f"state_{name}": array for name, array in solution.state.items()}
    about = {
        "format": FORMAT,
        **{name: to_plain(getattr(solution, name)) for name in ("final", "trace", "seconds", "stopped", "info")},
        "compact": compact,
        "recording": None if recording is None else {"wanted": to_plain(recording.wanted), "every": recording.every},
    }
    texts = {"about": json.dumps(about)}
    if not compact:
        texts["infosets"] = _names(solution.strategy.infosets)
    if not compact or solution.sampling != "full":
        arrays["probabilities"] = solution.strategy.probabilities
    if recording is not None:
        if recording.wanted is not None:  # else they are those of the strategy
            texts["recorded_infosets"] = _names(recording.infosets)
        arrays |= {f"recording_{name}": getattr(recording, name) for name in RECORDED}
    return texts, arrays


def _names(infosets: Iterable[Infoset]) -> str:
    return json.dumps([[infoset.player, infoset.key, list(infoset.actions)] for infoset in infosets])
