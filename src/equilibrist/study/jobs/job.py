"""A job: a run in the queue, with what its worker has told of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..._util.workers import LineProcess
from ...evaluation.gaps import find_gap
from ...runs.catalogue import CHECKPOINT
from ...solving.forecast import LOOKS, is_default_algorithm, iterations_between
from ...solving.settings import ENDS
from ...web.answers import BatchProgress, JobPoint, JobState, JobSummary
from ...web.respond import shorten
from ..library.batches import RESULTS

QUEUED: Final = "queued"
STARTING: Final = "starting"
RUNNING: Final = "running"
PAUSED: Final = "paused"
STOPPING: Final = "stopping"
DONE: Final = "done"
STOPPED: Final = "stopped"
FAILED: Final = "failed"
INTERRUPTED: Final = "interrupted"
AT_WORK = (STARTING, RUNNING, PAUSED, STOPPING)
JOB = "job.json"
"""The file in a run's folder that keeps its request and its state."""
_COMPILING = "Compiling kernels, once for this installation"


@dataclass
class Job:
    """A run in the queue: its request, its state, and what its worker has told so far."""

    id: str
    folder: Path
    request: dict[str, Any]
    created: str
    state: JobState = QUEUED
    stage: str = ""
    compiling: bool = False
    message: str = ""
    field_at_fault: str | None = None  # of its request, at which the message is to be shown
    stop_reason: str = ""
    memory: int = 0
    facts: dict[str, Any] = field(default_factory=dict)
    points: list[JobPoint] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    heard: float = 0.0  # when the last checkpoint came
    # of a batch: runs done, failed and in all, seconds left
    progress: BatchProgress = field(default_factory=BatchProgress)
    process: LineProcess | None = None

    @property
    def saved(self) -> bool:
        """Whether there is something to be looked at, or resumed."""
        return (self.folder / (RESULTS if self.is_batch else CHECKPOINT)).is_file()

    @property
    def is_batch(self) -> bool:
        """Whether it is many runs (:mod:`equilibrist.study.jobs.batches`)."""
        return "batch" in self.request

    @property
    def is_answer(self) -> bool:
        """Whether it answers a model of an opponent (:mod:`equilibrist.study.jobs.exploits`)."""
        return "exploit" in self.request

    def summary(self) -> JobSummary:
        from ...cfr.concepts import find_concept

        keywords = self.request["keywords"]
        return {
            "id": self.id,
            "title": self.request["title"],
            "game": self.request["game"],
            "created": self.created,
            "state": self.state,
            "stage": _COMPILING if self.compiling else self.stage,
            "error": self.message or None,
            "error_field": self.field_at_fault,
            "stop_reason": self.stop_reason or None,
            "warnings": self.warnings,
            "saved": self.saved,
            "spot": bool(self.request.get("spot")),
            "exploit": self.is_answer,
            "batch": self.progress if self.is_batch else None,
            "locks": len((self.request.get("settings") or {}).get("locks") or ()),
            "algorithm": self.facts.get("algorithm") or keywords.get("algorithm") or "auto",
            "sampling": keywords.get("sampling") or "full",
            "threads": keywords.get("threads") or 1,
            "answers_everywhere": find_concept(keywords.get("concept", "nash")).is_quantal,
            "limits": self.limits(),
            "goal": self._goal(),
            "players": self.facts.get("players"),
            "infosets": self.facts.get("infosets"),
            "memory": self.memory or None,
            "last": self.points[-1] if self.points else None,
            "seconds_left": self.seconds_left() if self.state == RUNNING else None,
        }

    def limits(self) -> dict[str, Any]:
        """Return where the run stops: the usual number of iterations where its request says nothing."""
        from ...solving.plan import DEFAULT_ITERATIONS

        keywords = self.request["keywords"]
        limits = {name: keywords[name] for name in ENDS if keywords.get(name) is not None}
        has_default = not (self.request.get("resume") or self.is_batch or self.is_answer)
        if not limits and has_default:
            return {"iterations": DEFAULT_ITERATIONS}
        return limits

    def seconds_left(self) -> tuple[float, float] | None:
        """Return from, to how long it takes until the first limit is met; None where nothing is known of it.

        The reckoning is that of the forecast before the start
        (:mod:`equilibrist.solving.forecast`), with what the run has shown since.
        """
        if self.is_batch:
            told_seconds = self.progress.get("seconds_left")
            if told_seconds is None:
                return None
            return (max(told_seconds - (time.monotonic() - self.heard), 0.0),) * 2
        if len(self.points) < 2:
            return None
        (iterations, seconds, _) = _numbers(self.points[-1])
        (iterations_before, seconds_before, _) = _numbers(self.points[-2])
        rate = (iterations - iterations_before) / max(seconds - seconds_before, 1e-9)
        seconds_waited = time.monotonic() - self.heard
        limits = self.limits()
        spans: list[tuple[float, float]] = []
        if limits.get("iterations"):
            spans.append(((limits["iterations"] - iterations) / rate,) * 2)
        if limits.get("seconds"):
            spans.append((limits["seconds"] - seconds,) * 2)
        between = self._iterations_to_goal()
        if between is not None:
            spans.append(
                ((between[0] - iterations) / rate, (between[1] - iterations) / rate * LOOKS)
            )
        if not spans:
            return None
        least, largest = (
            max(min(span_ends) - seconds_waited, 0.0) for span_ends in zip(*spans, strict=True)
        )
        return least, largest

    def _goal(self) -> float | None:
        """Return the goal in payoff per game: of exploitability, or of three players and more the largest gain."""
        return self.facts.get("until.exploitability") or self.facts.get("until.largest_gain")

    def _iterations_to_goal(self) -> tuple[float, float] | None:
        from ...solving.keywords import solve_keywords

        goal = self._goal()
        pot = self.facts.get("pot")
        keywords = self.request["keywords"]
        if not isinstance(goal, int | float):
            return None
        gaps = [(number, gap) for number, _, gap in map(_numbers, self.points) if gap is not None]
        usual = is_default_algorithm(solve_keywords(keywords))
        return iterations_between(gaps, goal, percent=100 * goal / pot if pot and usual else None)

    def hear(self, event: dict[str, Any]) -> None:
        kind = event.get("event")
        self.memory = event.get("memory") or self.memory
        if kind == "begin":
            self.facts = {
                key: value
                for key, value in event.items()
                if key not in ("event", "earlier", "memory")
            }
            self.points = list(event["earlier"])
            self.state = RUNNING
            self.stage = ""
        elif kind == "progress":
            self.progress = event["progress"]
            self.heard = time.monotonic()
            self.state = RUNNING
        elif kind == "checkpoint":
            self.points.append(event["point"])
            self.heard = time.monotonic()
        elif kind == "compiling":
            self.compiling = event["active"]
        elif kind == "stage":
            self.stage = event["text"]
        elif kind == "paused":
            self.state = PAUSED
        elif kind == "going":
            self.state = RUNNING
            self.heard = time.monotonic()
        elif kind == "warning":
            self.warnings.append(event["message"])
        elif kind == "end":
            self.stop_reason = event["stop_reason"]
            if "point" in event and (
                not self.points or self.points[-1]["iteration"] < event["point"]["iteration"]
            ):
                self.points.append(event["point"])
            if self.stop_reason in ("stop", "interrupt"):
                self.state = STOPPED
            else:
                self.state = DONE
            self.stage = ""
        elif kind == "cancelled":
            self.state = STOPPED
            self.stage = ""
        elif kind == "error":
            self.state = FAILED
            self.stage = ""
            self.message = shorten(event["message"])
            self.field_at_fault = event.get("field")


def _numbers(point: JobPoint) -> tuple[int, float, float | None]:
    gap = find_gap(point["measures"].get("exploitability"), point.get("deviation_gains", ()))
    return point["iteration"], point["seconds"], gap
