"""A run as a task for an executor: begun or resumed, ended when asked to, and reported as plain data."""

from __future__ import annotations

import json
import math
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .._util.plain import to_plain
from ..errors import AlgorithmError, EquilibristError
from ..mccfr.sampling import find_sampling
from ..solving.config import DEFAULT_ITERATIONS
from ..solving.listeners import Listener
from ..solving.load import load_solution
from ..solving.prepare import Playable
from ..solving.save import CHECKPOINT, complete_folder
from ..solving.solution import Solution
from ..solving.solve import solve
from ..solving.trace import Checkpoint
from .compiled import compiled_for

LIMITS = ("iterations", "until", "until_cce", "seconds", "nodes")
"""What may end a run: keywords of :func:`equilibrist.solve`."""

Measure = Callable[[Solution], Mapping[str, Any]]
"""What makes the results of a solution: plain values by name."""

_STOP = threading.Event()
_CUT = ("interrupt", "stop", "error")
"""What :attr:`Solution.stopped` says of a run that goes on another time."""


def request_stop() -> None:
    """Ask the tasks of this process to end as at Ctrl-C: each saves what there is, and returns."""
    _STOP.set()


def allow_tasks() -> None:
    """Let tasks of this process run again."""
    _STOP.clear()


def stop_requested() -> bool:
    """Return whether the tasks of this process are to end."""
    return _STOP.is_set()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a task comes to, as plain data that travels between processes.

    Attributes
    ----------
    stopped : str
        :attr:`Solution.stopped`; empty where there is no solution.
    trace : tuple of Checkpoint
        That of the solution.
    seconds : mapping
        Seconds by stage, as :attr:`Solution.seconds`.
    results : mapping
        What the measure made of the solution; empty for a run that is cut short.
    error : str
        Why there is no solution; else empty.
    """

    stopped: str = ""
    trace: tuple[Checkpoint, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def finished(self) -> bool:
        """Whether the run used up its limit."""
        return bool(self.stopped) and self.stopped not in _CUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A run that an executor can carry out in any process: all that it needs and returns can be pickled.

    Attributes
    ----------
    name : str
        For people.
    game : str or game
        What is solved.
    options : mapping
        Keywords of :func:`equilibrist.solve`, without limits.
    limits : mapping
        Keywords of it that end the run.
    folder : Path or None
        The run folder: what is saved in it is gone on with.
    keep : bool
        Whether the folder stays. Else it is written only where the run is cut short.
    measure : callable or None
        What makes the results of the solution.
    listeners : sequence of callable
        Follow the run.
    gigabytes : float or None
        What the run is going to take at its peak, if that is known.
    """

    name: str
    game: Playable
    options: Mapping[str, Any]
    limits: Mapping[str, Any]
    folder: Path | None = None
    keep: bool = True
    measure: Measure | None = None
    listeners: Sequence[Listener] = ()
    gigabytes: float | None = None

    def __call__(self) -> Outcome:
        """Return the outcome of the run, begun or resumed, until a limit is met or somebody interrupts."""
        earlier = self.saved()
        if earlier is not None and met(self.limits, earlier.trace[-1]):
            return self._outcome(earlier, earlier.stopped if earlier.stopped not in _CUT else "iterations")
        if stop_requested():  # a pool hands out one task more than it has processes, which cannot be taken back
            return Outcome("stop", () if earlier is None else tuple(earlier.trace))
        limits = dict(self.limits)
        if earlier is not None and "seconds" in limits:  # solve() counts those since the resume
            limits["seconds"] -= earlier.trace[-1].seconds
        solution = solve(
            compiled_for(self.game, self.options),
            **{**self.options, **({"save_streets": None} if earlier else {}), **limits},
            resume=None if earlier is None else self.folder,
            save=self.folder if self.keep or earlier is not None else None,
            on_checkpoint=self.listeners,
            stop=stop_requested,
        )
        if self.folder is not None and not self.keep:
            if solution.stopped in _CUT:
                solution.save(self.folder)
            else:
                shutil.rmtree(self.folder, ignore_errors=True)
        return self._outcome(solution, solution.stopped)

    def saved(self) -> Solution | None:
        """Return the run that is there to be gone on with; None where it has to begin.

        The files of one that has met its limit are completed, as nobody saves it again.
        """
        if self.folder is None or not (self.folder / CHECKPOINT).exists():
            return None
        solution = load_solution(self.folder, self.game)
        config = solution.config
        if config is None or (config.horizon is not None and self.limits.get("iterations", 0) > config.horizon):
            return None  # a schedule over fewer iterations cannot go on, only start afresh
        if not met(self.limits, solution.trace[-1]):
            return solution if solution.state else None
        if self.keep:
            complete_folder(solution, self.folder)
        return solution

    def _outcome(self, solution: Solution, stopped: str) -> Outcome:
        results = {} if self.measure is None or stopped in _CUT else _measured(self.measure, solution)
        return Outcome(stopped, tuple(solution.trace), dict(solution.seconds), results)


@dataclass(frozen=True, slots=True)
class Guarded:
    """A task whose errors are part of its outcome: none is lost on its way between processes."""

    task: Task

    @property
    def name(self) -> str:
        """That of the task."""
        return self.task.name

    @property
    def gigabytes(self) -> float | None:
        """Those of the task."""
        return self.task.gigabytes

    def __call__(self) -> Outcome:
        """Return the outcome of the task, or its error."""
        try:
            return self.task()
        except EquilibristError as error:
            return Outcome(error=str(error))
        except MemoryError:
            return Outcome(error="There was not enough memory.")
        except Exception as error:  # of a game or a measure of the user's own
            return Outcome(error=f"{type(error).__name__}: {error}")


def met(limits: Mapping[str, Any], point: Checkpoint) -> bool:
    """Return whether a run that is at a checkpoint has reached one of its limits."""
    limits = limits or {"iterations": DEFAULT_ITERATIONS}
    for name, reached in (("iterations", "iteration"), ("nodes", "nodes_touched"), ("seconds", "seconds")):
        if name in limits and getattr(point, reached) >= limits[name]:
            return True
    return _below(point, limits.get("until")) or _reached(point.cce_distance, limits.get("until_cce"))


def _below(point: Checkpoint, until: float | str | None) -> bool:
    if isinstance(until, str) and until.strip().endswith("%"):
        return _reached(point.exploitability_percent, float(until.strip().removesuffix("%")))
    return _reached(point.exploitability, None if until is None else float(until))


def _reached(number: float | None, limit: float | None) -> bool:
    return number is not None and limit is not None and number <= limit


def is_random(options: Mapping[str, Any]) -> bool:
    """Return whether something is drawn with these options, so that another seed gives another run."""
    return find_sampling(options.get("sampling") or "full").random


def _measured(measure: Measure, solution: Solution) -> dict[str, Any]:
    """Return what a measure makes of a solution, as plain data.

    Raises
    ------
    AlgorithmError
        It returns something else than plain values by name.
    """
    results = measure(solution)
    try:
        plain = _finite(to_plain(results))
        json.dumps(plain)
    except (TypeError, ValueError):
        plain = None
    if not isinstance(plain, dict):
        raise AlgorithmError(
            f"measure must return plain values by name, as {{'value': 0.5}} does; got {results!r}.", wrong_use=True
        )
    return plain


def _finite(value: Any) -> Any:
    """Return plain data with None for what is no number, which JSON lacks."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
