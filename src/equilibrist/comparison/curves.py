"""Runs of a comparison as they were solved, and curves: the medians over the seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from ..mccfr.sampling import find_sampling
from ..solving.trace import Checkpoint

FULL = "full"


@dataclass(frozen=True, slots=True)
class Run:
    """One run: an algorithm with a sampling and a seed, as far as it went.

    Attributes
    ----------
    algorithm, sampling : str
        What ran.
    seed : int
        Of the random numbers; 0 where nothing is random.
    trace : tuple of Checkpoint
        That of the :class:`Solution`; empty where the run has not begun.
    finished : bool
        Whether the budget was used up.
    """

    algorithm: str
    sampling: str
    seed: int
    trace: tuple[Checkpoint, ...] = ()
    finished: bool = False

    @property
    def combination(self) -> tuple[str, str]:
        """Algorithm and sampling."""
        return self.algorithm, self.sampling

    def __str__(self) -> str:
        return f"{self.algorithm}, {self.sampling}" + (
            f", seed {self.seed}" if find_sampling(self.sampling).random else ""
        )


class Point(NamedTuple):
    """A point of a curve: medians over the seeds, and the lowest and highest exploitability among them."""

    iteration: float
    nodes_touched: float
    seconds: float
    nash_conv: float
    exploitability: float
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Exploitability of a combination over time: the median over its seeds.

    Attributes
    ----------
    algorithm, sampling : str
        What ran.
    seeds : int
        How many runs the medians are of: the finished ones, or the one that went furthest where none is finished.
    finished : bool
        Whether these runs used up their budget.
    points : tuple of Point
        At the iterations where each of these runs has a checkpoint, and at the end.
    """

    algorithm: str
    sampling: str
    seeds: int
    finished: bool
    points: tuple[Point, ...]

    @property
    def combination(self) -> tuple[str, str]:
        """Algorithm and sampling."""
        return self.algorithm, self.sampling

    @property
    def last(self) -> Point:
        """The end of the curve."""
        return self.points[-1]

    def at(self, measure: str, budget: float) -> float | None:
        """Return the exploitability after so many seconds, nodes or iterations; None where the curve does not reach.

        Between two points it is read off the straight line that joins them in a log-log picture.
        """
        axis = [getattr(point, measure) for point in self.points]
        after = next((i for i, x in enumerate(axis) if x >= budget * (1 - 1e-12)), None)
        if after is None or (after == 0 and axis[0] > budget * (1 + 1e-12)):
            return None
        low, high = self.points[max(0, after - 1)].exploitability, self.points[after].exploitability
        left, right = axis[max(0, after - 1)], axis[after]
        if right <= left or left <= 0:
            return high
        share = min(1.0, math.log(budget / left) / math.log(right / left))
        if min(low, high) <= 0:  # rounding of an exact solution: no logarithm
            return low + share * (high - low)
        return math.exp(math.log(low) + share * math.log(high / low))


def median_curve(runs: Sequence[Run]) -> Curve | None:
    """Return the curve of the runs of one combination: of those that are finished, or of the furthest one."""
    begun = [run for run in runs if run.trace]
    if not begun:
        return None
    finished = [run for run in begun if run.finished]
    used = finished or [max(begun, key=lambda run: run.trace[-1].seconds)]
    grids = [{point.iteration: point for point in run.trace[:-1]} for run in used]
    common = sorted(set.intersection(*map(set, grids)))
    ends = [run.trace[-1] for run in used]
    points = [*([grid[iteration] for grid in grids] for iteration in common), ends]
    return Curve(*runs[0].combination, len(used), bool(finished), tuple(map(_median, points)))


def _median(points: Sequence[Checkpoint]) -> Point:
    """Return the median of each number."""
    exploitability = [_known(point.exploitability) for point in points]
    return Point(
        iteration=median(point.iteration for point in points),
        nodes_touched=median(point.nodes_touched for point in points),
        seconds=median(point.seconds for point in points),
        nash_conv=median(_known(point.nash_conv) for point in points),
        exploitability=median(exploitability),
        lowest=min(exploitability),
        highest=max(exploitability),
    )


def _known(number: float | None) -> float:
    """Return a number of a certificate, which every run compared has: those without a tree are refused."""
    if number is None:
        raise ValueError("a run without a certificate cannot be compared")
    return number
