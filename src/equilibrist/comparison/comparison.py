"""What a comparison of algorithms and samplings found: runs, curves over seeds, and who is best when."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from .._util.files import make_folder, whole_file, write_atomically
from ..errors import SolutionError
from ..solving.solution import Checkpoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FULL = "full"
MEASURES = ("nodes_touched", "seconds", "iteration")
"""What a curve can be drawn against: fields of a :class:`Checkpoint`."""
RACES = ("seconds", "nodes_touched")
"""The measures by which winners are named."""
FRACTIONS = (0.01, 0.1, 1.0)
"""The parts of the common budget after which winners are named."""
MEASURE_OF = {"nodes": "nodes_touched", "seconds": "seconds", "iterations": "iteration"}
"""For each way to limit a run, the measure that it limits."""
FORMAT = "equilibrist comparison 1"
SUMMARY, TABLE, PICTURES = "comparison.json", "comparison.csv", ("comparison.svg", "comparison.png")


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
        return f"{self.algorithm}, {self.sampling}" + (f", seed {self.seed}" if self.sampling != FULL else "")


class Skipped(NamedTuple):
    """A combination that makes no sense, and why."""

    algorithm: str
    sampling: str
    reason: str


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
    """How good a combination was when: the median over its seeds.

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


class Entry(NamedTuple):
    """A place in a ranking."""

    algorithm: str
    sampling: str
    exploitability: float


class Standing(NamedTuple):
    """Who is best after a budget.

    ``budget`` is ``fraction`` of the seconds or nodes (``measure``) that all curves of the comparison have used;
    ``ranking`` begins with the winner.
    """

    measure: str
    fraction: float
    budget: float
    ranking: tuple[Entry, ...]

    @property
    def winner(self) -> Entry:
        """The first of the ranking."""
        return self.ranking[0]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """What :func:`compare` returns: every checkpoint of every run, and who is best when.

    Attributes
    ----------
    game : str
        The game, as it was given.
    fingerprint : str
        A digest of the compiled game.
    limit : {"seconds", "nodes", "iterations"}
        What each run was given the same of.
    budget : float
        How much of it.
    seeds : int
        How many runs of each combination in which something is random.
    runs : tuple of Run
        All that were planned; those not begun have an empty trace.
    skipped : tuple of Skipped
        The combinations that make no sense.
    """

    game: str
    fingerprint: str
    limit: str
    budget: float
    seeds: int
    runs: tuple[Run, ...]
    skipped: tuple[Skipped, ...] = ()

    def __repr__(self) -> str:
        done = sum(run.finished for run in self.runs)
        return f"<Comparison on {self.game}: {done} of {len(self.runs)} runs finished, {spelled(self)} each>"

    @property
    def finished(self) -> bool:
        """Whether all runs used up their budget; else the comparison was interrupted."""
        return all(run.finished for run in self.runs)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """The curve of each combination that has begun."""
        groups: dict[tuple[str, str], list[Run]] = {}
        for run in self.runs:
            groups.setdefault(run.combination, []).append(run)
        curves = (_curve(group) for group in groups.values())
        return tuple(curve for curve in curves if curve is not None)

    @property
    def results(self) -> tuple[Curve, ...]:
        """The curves, that with the lowest exploitability at its end first."""
        return tuple(sorted(self.curves, key=lambda curve: curve.last.exploitability))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Who is best after 1/100, 1/10 and all of the seconds, and of the nodes, that every curve has used."""
        curves = self.curves
        found = []
        for measure in RACES:
            common = min((getattr(curve.last, measure) for curve in _finished(curves)), default=0.0)
            if MEASURE_OF[self.limit] == measure:
                common = min(common, self.budget)
            for fraction in FRACTIONS:
                budget = fraction * common
                read = [(curve, curve.at(measure, budget)) for curve in curves] if budget > 0 else []
                ranking = [Entry(*curve.combination, value) for curve, value in read if value is not None]
                if ranking:
                    ranking.sort(key=lambda entry: entry.exploitability)
                    found.append(Standing(measure, fraction, budget, tuple(ranking)))
        return tuple(found)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Iterate over all checkpoints of all runs, each as {column: value}."""
        for run in self.runs:
            for point in run.trace:
                yield {
                    "game": self.game,
                    "algorithm": run.algorithm,
                    "sampling": run.sampling,
                    "seed": run.seed,
                    "iteration": point.iteration,
                    "nodes_touched": point.nodes_touched,
                    "seconds": point.seconds,
                    "nash_conv": point.nash_conv,
                    "exploitability": point.exploitability,
                    **{f"value_{player}": value for player, value in enumerate(point.value)},
                }

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            "format": FORMAT,
            "game": self.game,
            "fingerprint": self.fingerprint,
            "limit": self.limit,
            "budget": self.budget,
            "seeds": self.seeds,
            "finished": self.finished,
            "results": [
                {
                    "algorithm": curve.algorithm,
                    "sampling": curve.sampling,
                    "seeds": curve.seeds,
                    "finished": curve.finished,
                    **curve.last._asdict(),
                }
                for curve in self.results
            ],
            "standings": [
                {**standing._asdict(), "ranking": [entry._asdict() for entry in standing.ranking]}
                for standing in self.standings
            ],
            "skipped": [skipped._asdict() for skipped in self.skipped],
            "runs": [
                {
                    "algorithm": run.algorithm,
                    "sampling": run.sampling,
                    "seed": run.seed,
                    "finished": run.finished,
                    "trace": [{**point._asdict(), "value": list(point.value)} for point in run.trace],
                }
                for run in self.runs
            ],
        }

    def plot(self) -> Figure:
        """Return the picture: exploitability against nodes touched, seconds and iterations, both scales logarithmic.

        Raises
        ------
        SolutionError
            No run has begun, so there is nothing to draw.
        """
        from ..plot.comparison import plot_comparison

        return plot_comparison(self)

    def write(self, folder: str | Path) -> None:
        """Write ``comparison.csv`` (a row for each checkpoint), ``.json``, ``.svg`` and ``.png`` to a folder.

        Without any checkpoint there is no picture. Each file is written whole or not at all.

        Raises
        ------
        SolutionError
            The folder cannot be written to.
        """
        folder = make_folder(folder)
        self.write_tables(folder)
        if not self.curves:
            return
        from ..plot.style import save_figure

        figure = self.plot()
        for name in PICTURES:
            path = folder / name
            try:
                with whole_file(path) as file:
                    save_figure(figure, file, kind=path.suffix.removeprefix("."))
            except OSError as error:
                raise SolutionError(f"{path} cannot be written: {error.strerror or error}.") from error

    def write_tables(self, folder: Path) -> None:
        """Write ``comparison.csv`` and ``comparison.json`` to a folder that is there."""
        text = io.StringIO(newline="")
        rows = list(self.rows())
        if rows:
            writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            write_atomically(folder / TABLE, text.getvalue().encode())
        write_atomically(folder / SUMMARY, f"{json.dumps(self.summary())}\n".encode())

    def _repr_html_(self) -> str:
        from ..plot.comparison import comparison_html

        return comparison_html(self)


def spelled_budget(limit: str, budget: float) -> str:
    """Return a budget in words: 20 s, 1,000,000 nodes, 300 iterations."""
    return f"{budget:g} s" if limit == "seconds" else f"{budget:,} {limit}"


def spelled(comparison: Comparison) -> str:
    """Return the budget of a comparison's runs in words."""
    return spelled_budget(comparison.limit, comparison.budget)


def _finished(curves: Sequence[Curve]) -> Sequence[Curve]:
    """Return the curves that went all the way, or all where none did."""
    return [curve for curve in curves if curve.finished] or curves


def _curve(runs: Sequence[Run]) -> Curve | None:
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
