"""Series of a comparison: what is measured of each combination over time, over its seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from .._util.arrays import Floats
from .._util.validate import is_number
from ..errors import SolutionError, nearest
from ..mccfr.sampling import Full, find_sampling
from ..plot.curve import Curve
from ..plot.kinds import find_axis
from ..solving.trace import MEASURES, Checkpoint
from .intervals import Bounds, Interval, Range

EXPLOITABILITY = "exploitability"
QUANTITIES = {
    "exploitability": "exploitability, payoff per game",
    "nash_conv": "nash_conv, payoff per game",
    "cce_distance": "distance from a coarse correlated equilibrium, payoff per game",
    "exploitability_percent": "exploitability, % of the pot",
}
"""What is written at an axis of a measure."""
# inches
_SMALLEST = 1.0
_LARGEST = 100.0


@dataclass(frozen=True, slots=True)
class Run:
    """One run: an algorithm with a sampling and a seed, as far as it went.

    Attributes
    ----------
    algorithm : str
    sampling : str
    seed : int
        0 where nothing is random.
    trace : tuple of Checkpoint
        That of the :class:`Solution`; empty where the run has not begun.
    finished : bool
        Whether the budget was used up.
    error : str
        Why it failed; empty where it did not.
    """

    algorithm: str
    sampling: str
    seed: int
    trace: tuple[Checkpoint, ...] = ()
    finished: bool = False
    error: str = ""

    @property
    def combination(self) -> tuple[str, str]:
        """Algorithm and sampling."""
        return self.algorithm, self.sampling

    def __str__(self) -> str:
        if find_sampling(self.sampling).random:
            seed = f", seed {self.seed}"
        else:
            seed = ""
        return f"{self.algorithm}, {self.sampling}{seed}"


class Compared(Protocol):
    """What is read of a comparison on a game: its runs, and what each was given."""

    @property
    def game(self) -> str: ...

    @property
    def seeds(self) -> int: ...

    @property
    def runs(self) -> tuple[Run, ...]: ...

    @property
    def curves(self) -> tuple[Curve, ...]: ...

    @property
    def budget_text(self) -> str: ...


def count_players(comparisons: Sequence[Compared]) -> int:
    """Return the largest number of players of the games; 0 where nothing ran."""
    return max(
        (
            len(point.value)
            for comparison in comparisons
            for run in comparison.runs
            for point in run.trace
        ),
        default=0,
    )


class SeedPoints(NamedTuple):
    """The runs of a combination side by side.

    Attributes
    ----------
    points : list of list of Checkpoint
        The checkpoints of all its runs at an iteration: where each has one, and at the end.
    finished : bool
        Whether these runs used up their budget; else it is one run, that which went furthest.
    """

    points: list[list[Checkpoint]]
    finished: bool


def align_runs(runs: Sequence[Run]) -> SeedPoints:
    """Return the runs of one combination that have begun, side by side: the finished ones, or the furthest."""
    finished_runs = [run for run in runs if run.finished]
    runs_to_merge = finished_runs or [max(runs, key=lambda run: run.trace[-1].seconds)]
    grids = [{point.iteration: point for point in run.trace[:-1]} for run in runs_to_merge]
    common_iterations = sorted(set.intersection(*map(set, grids)))
    points = [
        *([grid[iteration] for grid in grids] for iteration in common_iterations),
        [run.trace[-1] for run in runs_to_merge],
    ]
    return SeedPoints(points, bool(finished_runs))


def describe_terms(
    comparisons: Sequence[Compared], interval: Interval, *, band: str = "band"
) -> str:
    """Return in words what each run was given, what stands for several seeds, and how many runs are missing.

    ``band`` is what shows the ends of the interval.
    """
    budgets = {comparison.budget_text: None for comparison in comparisons}
    terms = f"{' or '.join(budgets)} a run"
    curves = [curve for comparison in comparisons for curve in comparison.curves]
    seeds = sorted({curve.seeds for curve in curves if curve.seeds > 1})
    if seeds:
        count = " to ".join(str(number) for number in dict.fromkeys((seeds[0], seeds[-1])))
        terms += f"; {interval.middle} over {count} seeds, {band}: {interval.text}"
    runs = [run for comparison in comparisons for run in comparison.runs]
    num_finished = sum(run.finished for run in runs)
    if num_finished == len(runs):
        return terms
    return f"{terms} (interrupted: {num_finished} of {len(runs)} runs finished)"


@dataclass(frozen=True)
class Series:
    """A measure of a combination over time.

    Attributes
    ----------
    algorithm, sampling, label : str
        What ran, and its name in pictures and tables.
    seeds : int
        How many runs.
    finished : bool
        Whether they used up their budget.
    iteration, nodes_touched, seconds : float64 arrays, shape (points,)
        Medians over the seeds.
    bounds : Bounds
        The measure: its middle over the seeds, and the band around it.
    """

    algorithm: str
    sampling: str
    label: str
    seeds: int
    finished: bool
    iteration: Floats
    nodes_touched: Floats
    seconds: Floats
    bounds: Bounds

    @property
    def combination(self) -> tuple[str, str]:
        return self.algorithm, self.sampling

    @property
    def last(self) -> tuple[float, float, float]:
        """Middle and band at the end."""
        middle, low, high = (float(numbers[-1]) for numbers in self.bounds)
        return middle, low, high

    def values(self, against: str) -> Floats:
        """Return the iterations, nodes or seconds of the points."""
        values: Floats = getattr(self, against)
        return values


@dataclass(frozen=True)
class View:
    """What of comparisons is looked at.

    Attributes
    ----------
    measure : str
        What is measured.
    interval : Interval
        The statistic over seeds.
    curves : tuple of str or None
        The labels or algorithms of the combinations; None for all.
    """

    measure: str = EXPLOITABILITY
    interval: Interval = field(default_factory=Range)
    curves: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise SolutionError(
                f"measure must be one of {', '.join(map(repr, MEASURES))}; got {self.measure!r}."
                f"{nearest(str(self.measure), MEASURES)}",
                wrong_use=True,
            )

    @property
    def quantity(self) -> str:
        """The measure with its unit."""
        return QUANTITIES[self.measure]

    def series(self, comparison: Compared, *, measure: str | None = None) -> list[Series]:
        """Return the series of each combination that has begun and is looked at.

        Raises
        ------
        SolutionError
            No run has the measure, or there is no such curve.
        """
        measure = measure or self.measure
        _check_measure(measure, comparison)
        groups: dict[tuple[str, str], list[Run]] = {}
        for run in comparison.runs:
            if run.trace:
                groups.setdefault(run.combination, []).append(run)
        series = [
            self._series_of(runs, measure, _label(runs[0], comparison)) for runs in groups.values()
        ]
        if self.curves is None:
            return series
        return _choose(series, self.curves)

    def _series_of(self, runs: Sequence[Run], measure: str, label: str) -> Series:
        points, finished = align_runs(runs)
        # (seeds, points)
        values = np.array([[point.measures[measure] for point in row] for row in points]).T

        def medians(name: str) -> Floats:
            numbers = [[getattr(point, name) for point in row] for row in points]
            return np.asarray(np.median(numbers, axis=1))

        algorithm, sampling = runs[0].combination
        return Series(
            algorithm,
            sampling,
            label,
            seeds=len(values),
            finished=finished,
            iteration=medians("iteration"),
            nodes_touched=medians("nodes_touched"),
            seconds=medians("seconds"),
            bounds=self.interval.bounds(values),
        )


@dataclass(frozen=True)
class Frame:
    """What is drawn against, and how large.

    Attributes
    ----------
    against : str or None
        One of nodes, seconds and iterations; None for a panel of each.
    log : str
        Which axes are logarithmic: a part of ``"xy"``.
    size : pair of float or None
        Width and height in inches.
    """

    against: str | None = None
    log: str = "xy"
    size: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "against", find_axis(self.against))
        if self.log not in ("xy", "yx", "x", "y", ""):
            raise SolutionError(
                f"log must be 'xy', 'x', 'y' or ''; got {self.log!r}.", wrong_use=True
            )
        if self.size is not None and not _is_size(self.size):
            raise SolutionError(
                f"size must be a width and a height in inches, {_SMALLEST:g} to {_LARGEST:g} each; "
                f"got {self.size!r}.",
                wrong_use=True,
            )


def _is_size(size: Any) -> bool:
    is_pair = isinstance(size, Sequence) and len(size) == 2
    return is_pair and all(is_number(side) and _SMALLEST <= side <= _LARGEST for side in size)


def _label(run: Run, comparison: Compared) -> str:
    """Return the name of a combination; that all runs are full-width goes without saying."""
    if {other.sampling for other in comparison.runs} == {str(Full())}:
        return run.algorithm
    return f"{run.algorithm}, {run.sampling}"


def _check_measure(measure: str, comparison: Compared) -> None:
    """Refuse a measure that a checkpoint lacks."""
    for run in comparison.runs:
        for point in run.trace:
            if measure not in point.measures:
                names = [name for name in MEASURES if name in point.measures]
                raise SolutionError(
                    f"The runs on {comparison.game} do not measure {measure!r}, which other games "
                    f"have: choose one of {', '.join(names)}.",
                    wrong_use=True,
                )


def _choose(series: Sequence[Series], names: Sequence[str]) -> list[Series]:
    """Return the series that are named by their label, or by their algorithm, in the order of the names."""
    chosen: dict[str, Series] = {}
    for name in names:
        matches = [curve for curve in series if name in (curve.label, curve.algorithm)]
        if not matches:
            known_names = {text for curve in series for text in (curve.label, curve.algorithm)}
            raise SolutionError(
                f"There is no curve {name!r}.{nearest(str(name), known_names)}", wrong_use=True
            )
        chosen |= {curve.label: curve for curve in matches}
    return list(chosen.values())
