"""A run as a task for an executor: begun or resumed, ended when asked to, and reported as plain data."""

from __future__ import annotations

import json
import logging
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .._util.plain import to_plain
from .._util.workers import STOP
from ..cfr.criteria import find_criteria
from ..errors import AlgorithmError, EquilibristError
from ..games.compile import Playable
from ..games.load import Trust
from ..mccfr.sampling import find_sampling
from ..solving.callbacks import CallbackList, Unfollowed
from ..solving.keywords import solve_keywords
from ..solving.load import load_solution
from ..solving.plan import DEFAULT_ITERATIONS
from ..solving.save import CHECKPOINT, complete_folder
from ..solving.solution import Solution
from ..solving.solve import solve
from ..solving.trace import Checkpoint
from .variants import compile_for_options

_LOG = logging.getLogger(__name__)

Measure = Callable[[Solution], Mapping[str, Any]]
"""What makes the results of a solution: plain values by name."""

Guard = type[Exception] | tuple[type[Exception], ...]
"""Which errors fail a run alone."""

_CUT = ("interrupt", "stop", "error")
"""What :attr:`Solution.stop_reason` says of a run that goes on another time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a task comes to, as plain data that travels between processes.

    Attributes
    ----------
    stop_reason : str
        :attr:`Solution.stop_reason`; empty where there is no solution.
    trace : tuple of Checkpoint
        That of the solution.
    seconds : mapping
        Seconds by stage, as :attr:`Solution.seconds`.
    results : mapping
        What the measure made of the solution; empty for a run that is cut short.
    error : str
        Why there is no solution; else empty.
    """

    stop_reason: str = ""
    trace: tuple[Checkpoint, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def finished(self) -> bool:
        """Whether the run used up its limit."""
        return bool(self.stop_reason) and self.stop_reason not in _CUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A run that an executor can carry out in any process: all that it needs and returns can be pickled.

    Attributes
    ----------
    name : str
        A name for people.
    game : str, game or None
        What is solved; None where a run is gone on with whose game is in its record.
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
    trackers : sequence
        They follow the run.
    gigabytes : float or None
        What the run is going to take at its peak, if that is known.
    trust : bool or collection of path
        Whether a Python file may be run that the record of the run names as its game, or which.
    guard : class of exceptions, or several
        Which errors are part of the outcome, so that none is lost on its way between processes; others are raised.
    """

    name: str
    game: Playable | None
    options: Mapping[str, Any]
    limits: Mapping[str, Any]
    folder: Path | None = None
    keep: bool = True
    measure: Measure | None = None
    trackers: Sequence[Any] = ()
    gigabytes: float | None = None
    trust: Trust = False
    guard: Guard = ()

    def __call__(self) -> Outcome:
        """Return the outcome of the run, begun or resumed, until a limit is met or somebody interrupts."""
        try:
            return self._run()
        except self.guard as error:
            return Outcome(error=self._tell(error))

    def _tell(self, error: Exception) -> str:
        """Return an error in a sentence."""
        if isinstance(error, EquilibristError):
            return str(error)
        if isinstance(error, MemoryError):
            return "There was not enough memory."
        # of a game or a measure of the user's own
        _LOG.debug("%s failed:", self.name, exc_info=True)
        return f"{type(error).__name__}: {error}"

    def _run(self) -> Outcome:
        """Return the outcome of the run; errors are raised."""
        saved_run = self.load_saved()
        if saved_run is not None and limit_reached(self.limits, saved_run.trace[-1]):
            return self._make_outcome(
                saved_run,
                saved_run.stop_reason if saved_run.stop_reason not in _CUT else "iterations",
            )
        if (
            STOP.is_set()
        ):  # a pool hands out one task more than it has processes, which cannot be taken back
            return Outcome("stop", () if saved_run is None else tuple(saved_run.trace))
        limits = dict(self.limits)
        if saved_run is not None and "seconds" in limits:  # solve() counts those since the resume
            limits["seconds"] -= saved_run.trace[-1].seconds
        keywords = {
            **self.options,
            **limits,
            "save": self.folder if self.keep or saved_run is not None else None,
        }
        if saved_run is not None or keywords["save"] is None:
            keywords.pop("save_streets", None)
        resume = saved_run
        if saved_run is None and self.game is None and self.folder is not None:
            resume = load_solution(self.folder, trust=self.trust)
        callbacks = CallbackList([*self.trackers, Unfollowed(should_stop=STOP.is_set)])
        # of what is resumed few may be left
        if resume is None:
            compiling_seconds = limits.get("seconds")
        else:
            compiling_seconds = None
        game = self.game
        if game is not None:
            game = compile_for_options(
                game, self.options, callbacks.on_stage, seconds=compiling_seconds
            )
        solution = solve(
            game,
            **solve_keywords(keywords),
            resume=resume,
            callbacks=callbacks.members,
        )
        if self.folder is not None and not self.keep:
            if solution.stop_reason in _CUT:
                solution.save(self.folder)
            else:
                shutil.rmtree(self.folder, ignore_errors=True)
        return self._make_outcome(solution, solution.stop_reason)

    def load_saved(self) -> Solution | None:
        """Return the run that is there to be gone on with; None where it has to begin.

        The files of one that has met its limit are completed, as nobody saves it again.
        """
        if self.folder is None or not (self.folder / CHECKPOINT).exists():
            return None
        solution = load_solution(self.folder, self.game, trust=self.trust)
        config = solution.config
        if config is None or (
            config.horizon is not None and self.limits.get("iterations", 0) > config.horizon
        ):
            return None  # a schedule over fewer iterations cannot go on, only start afresh
        if not limit_reached(self.limits, solution.trace[-1]):
            if solution.state:
                return solution
            return None
        if self.keep:
            complete_folder(solution, self.folder)
        return solution

    def _make_outcome(self, solution: Solution, stop_reason: str) -> Outcome:
        """Return what is told of a solution, measured unless the run was cut short."""
        if self.measure is None or stop_reason in _CUT:
            results = {}
        else:
            results = _apply_measure(self.measure, solution)
        return Outcome(stop_reason, tuple(solution.trace), dict(solution.seconds), results)


def limit_reached(limits: Mapping[str, Any], point: Checkpoint) -> bool:
    """Return whether a run that is at a checkpoint has reached one of its limits."""
    limits = limits or {"iterations": DEFAULT_ITERATIONS}
    for name, attribute in (
        ("iterations", "iteration"),
        ("nodes", "nodes_touched"),
        ("seconds", "seconds"),
    ):
        if name in limits and getattr(point, attribute) >= limits[name]:
            return True
    return any(criterion.is_met(point.measures) for criterion in find_criteria(limits.get("until")))


def is_random(options: Mapping[str, Any]) -> bool:
    """Return whether something is drawn with these options, so that another seed gives another run."""
    return find_sampling(options.get("sampling") or "full").random


def _apply_measure(measure: Measure, solution: Solution) -> dict[str, Any]:
    """Return what a measure makes of a solution, as plain data for JSON; refuse what is none."""
    results = measure(solution)
    try:
        plain_results = to_plain(results)
        try:
            plain_results = json.loads(json.dumps(plain_results, allow_nan=False))
        except (TypeError, ValueError):
            plain_results = _replace_infinite(plain_results)
            json.dumps(plain_results)
    except (TypeError, ValueError):
        plain_results = None
    if not isinstance(plain_results, dict):
        raise AlgorithmError(
            f"measure must return plain values by name, as {{'value': 0.5}} does; got {results!r}."
        )
    return plain_results


def _replace_infinite(value: Any) -> Any:
    """Return plain data with None for NaN and infinities, which JSON lacks."""
    if isinstance(value, dict):
        return {key: _replace_infinite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_replace_infinite(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
