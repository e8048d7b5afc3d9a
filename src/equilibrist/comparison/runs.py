"""Runs of a comparison as they were solved, and the curves over their seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..mccfr.sampling import find_sampling
from ..plot.curve import Curve, Point
from ..solving.trace import Checkpoint


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
        seed = f", seed {self.seed}" if find_sampling(self.sampling).random else ""
        return f"{self.algorithm}, {self.sampling}{seed}"


def median_curve(runs: Sequence[Run]) -> Curve | None:
    """Return the curve of the runs of one combination: of those that are finished, or of the furthest one."""
    begun = [run for run in runs if run.trace]
    if not begun:
        return None
    finished = [run for run in begun if run.finished]
    used = finished or [max(begun, key=lambda run: run.trace[-1].seconds)]
    grids = [{point.iteration: point for point in run.trace[:-1]} for run in used]
    common = sorted(set.intersection(*map(set, grids)))
    points = [*([grid[iteration] for grid in grids] for iteration in common), [run.trace[-1] for run in used]]
    return Curve(*runs[0].combination, len(used), bool(finished), tuple(map(Point.of, points)))
