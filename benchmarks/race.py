"""Solvers that take turns in one process: the same game, a slice of time each, for several rounds."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol


class Contender(Protocol):
    """Somebody's solver on one game, stopped and continued at will."""

    def run(self, iterations: int) -> float:
        """Run that many more iterations; return the seconds they took."""

    def nash_conv(self) -> float:
        """Return nash_conv of the average strategy, as this library computes it."""


class Stepped:
    """A solver that is called once an iteration."""

    step: Callable[[], None]

    def run(self, iterations: int) -> float:
        step = self.step
        began = time.perf_counter()
        for _ in range(iterations):
            step()
        return time.perf_counter() - began


def race(
    contenders: Mapping[str, Callable[[], Contender]], *, check: int, rounds: int, slice_: float
) -> dict[str, Any]:
    """Return, for each contender, nash_conv after ``check`` iterations and seconds an iteration in each round."""
    entries: dict[str, Any] = {}
    running: dict[str, tuple[Contender, int]] = {}
    for name, make in contenders.items():
        print(f"  {name}", file=sys.stderr)
        try:
            contender = make()
        except ImportError as error:
            entries[name] = {"skipped": f"{name} is skipped: {error}."}
            continue
        contender.run(check)
        entries[name] = {"check": check, "nash_conv": contender.nash_conv(), "seconds": []}
        each = contender.run(2) / 2
        each = contender.run(max(1, int(0.1 * slice_ / each))) / max(1, int(0.1 * slice_ / each))
        running[name] = contender, max(2, int(slice_ / each))
    for _ in range(rounds):
        for name, (contender, iterations) in running.items():
            entries[name]["seconds"].append(contender.run(iterations) / iterations)
    return entries


def ratio(entries: Mapping[str, Any], peer: str) -> float | None:
    """Return how many times as long an iteration of a peer takes as one of ours."""
    if "seconds" not in entries[peer]:
        return None
    return statistics.median(entries[peer]["seconds"]) / statistics.median(
        entries["Equilibrist"]["seconds"]
    )
