"""Curves: exploitability over time, of a run or as the median over seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from ..solving.trace import Checkpoint


class Point(NamedTuple):
    """A point of a curve: medians over the seeds, and the lowest and highest exploitability among them."""

    iteration: float
    nodes_touched: float
    seconds: float
    nash_conv: float
    exploitability: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, checkpoints: Sequence[Checkpoint]) -> Point:
        """Return the median of each number over checkpoints of several seeds, whose exploitability is known."""
        if not all(point.is_certified for point in checkpoints):
            raise ValueError("a run without a certificate has no curve")
        exploitability = [point.exploitability for point in checkpoints]
        return cls(
            iteration=median(point.iteration for point in checkpoints),
            nodes_touched=median(point.nodes_touched for point in checkpoints),
            seconds=median(point.seconds for point in checkpoints),
            nash_conv=median(point.nash_conv for point in checkpoints),
            exploitability=median(exploitability),
            lowest=min(exploitability),
            highest=max(exploitability),
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """Exploitability of an algorithm with a sampling over time: of one run, or the median over seeds.

    Attributes
    ----------
    algorithm, sampling : str
        What ran.
    seeds : int
        How many runs the medians are of: the finished ones, or the one that went furthest where
        none is finished.
    finished : bool
        Whether these runs used up their budget.
    points : tuple of Point
        At the iterations where each of these runs has a checkpoint, and at the end.
    game, label : str
        The game, and a name among the curves of a picture.
    players : int
        Number of players of the game, which decides what the numbers are called.
    """

    algorithm: str
    sampling: str
    seeds: int
    finished: bool
    points: tuple[Point, ...]
    game: str = ""
    label: str = ""
    players: int = 2

    @property
    def combination(self) -> tuple[str, str]:
        return self.algorithm, self.sampling

    @property
    def last(self) -> Point:
        return self.points[-1]

    def values(self, measure: str) -> list[float]:
        return [getattr(point, measure) for point in self.points]

    def at(self, measure: str, budget: float) -> float | None:
        """Return the exploitability after so many seconds, nodes or iterations; None where the curve does not reach.

        Between two points it is read off the straight line that joins them in a log-log picture.
        """
        axis = self.values(measure)
        right_index = next((i for i, x in enumerate(axis) if x >= budget * (1 - 1e-12)), None)
        if right_index is None or (right_index == 0 and axis[0] > budget * (1 + 1e-12)):
            return None
        left_index = max(0, right_index - 1)
        left_value = self.points[left_index].exploitability
        right_value = self.points[right_index].exploitability
        left_x = axis[left_index]
        right_x = axis[right_index]
        if right_x <= left_x or left_x <= 0:
            return right_value
        share = min(1.0, math.log(budget / left_x) / math.log(right_x / left_x))
        if min(left_value, right_value) <= 0:  # rounding of an exact solution: no logarithm
            return left_value + share * (right_value - left_value)
        return math.exp(math.log(left_value) + share * math.log(right_value / left_value))
