"""What the drills of kills have in common: programs that save often, and what a folder of runs holds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import equilibrist as eq
from equilibrist.solving import run

PATIENCE = 120.0  # seconds for a process to end, to save or to answer


def save_often() -> None:
    """Let the runs of this process save every 20 ms."""
    run._SAVE_FIRST = 0.02
    run._SAVE_EVERY = 0.02
    run._SAVE_SHARE = 0


class Met(NamedTuple):
    """Kills and signals that met a process which had saved, and those that came too late."""

    kills: int = 0
    signals: int = 0
    late: int = 0

    def plus(self, other: Met) -> Met:
        """Return the sums of both."""
        return Met(*(sum(counts) for counts in zip(self, other, strict=True)))

    def is_enough(self, goal: Met) -> bool:
        """Return whether as many kills and signals have met a process as a goal asks for."""
        return self.kills >= goal.kills and self.signals >= goal.signals


def newest(folder: Path, pattern: str = "*") -> int:
    """Return when a file of a folder was last changed, in nanoseconds; 0 where there is none."""
    stamps = [0]
    for path in folder.rglob(pattern):
        try:
            if path.is_file() and path.suffix != ".part" and path.name != "lock":
                stamps.append(path.stat().st_mtime_ns)
        except FileNotFoundError:  # replaced just now
            continue
    return max(stamps)


def has_saved(folder: Path, is_alive: Callable[[], bool], before: int, pattern: str = "*") -> bool:
    """Wait until a process has changed the folder; return False where it ends before."""
    deadline = time.monotonic() + PATIENCE
    while is_alive() and time.monotonic() < deadline:
        if newest(folder, pattern) > before:
            return is_alive()
        time.sleep(0.002)
    return False


def tables(folder: Path) -> Any:
    """Return what a folder holds, but for identities and times."""
    runs = {}
    for path in sorted(folder.rglob("checkpoint.npz")):
        solution = eq.load_solution(path.parent)
        state = {name: array.tobytes() for name, array in solution.state.items()}
        trace = [point._replace(seconds=0.0) for point in solution.trace]
        strategy = solution.strategy.probabilities.tobytes()
        runs[str(path.parent.relative_to(folder))] = solution.iterations, trace, strategy, state
    rows = {}
    for path in sorted(folder.glob("results.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if "name" in record:
                results = record["results"]
                results.pop("seconds", None)
                rows[record["name"]] = json.dumps(results, sort_keys=True)
    return runs, rows


def leftovers(folder: Path) -> list[str]:
    """Return the names of files that writers have begun and left."""
    return [path.name for path in folder.rglob("*.part")]
