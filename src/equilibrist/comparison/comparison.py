"""Results of a comparison of algorithms and samplings: runs, curves over seeds, and rankings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple

from .._util.display import Display
from .._util.files import make_folder, write_atomically
from .._util.plain import to_plain
from ..mccfr.sampling import find_sampling
from ..plot.curve import Curve, Point
from ..solving.trace import Checkpoint
from ..strategy.tables import write_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RACES = ("seconds", "nodes_touched")
"""The measures by which winners are named."""
FRACTIONS = (0.01, 0.1, 1.0)
"""The parts of the common budget after which winners are named."""
MEASURE_OF = {"nodes": "nodes_touched", "seconds": "seconds", "iterations": "iteration"}
"""For each way to limit a run, the measure that it limits."""
FORMAT = "equilibrist comparison 1"
SUMMARY = "comparison.json"
TABLE = "comparison.csv"
PICTURES = ("comparison.svg", "comparison.png")


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
        if find_sampling(self.sampling).random:
            seed = f", seed {self.seed}"
        else:
            seed = ""
        return f"{self.algorithm}, {self.sampling}{seed}"


class Skipped(NamedTuple):
    """A combination that makes no sense, and why."""

    algorithm: str
    sampling: str
    reason: str


class Entry(NamedTuple):
    """A place in a ranking."""

    algorithm: str
    sampling: str
    exploitability: float


class Standing(NamedTuple):
    """Ranking of the combinations after a budget.

    ``budget`` is ``fraction`` of the seconds or nodes (``measure``) that all curves of the
    comparison have used; ``ranking`` begins with the winner.
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
class Comparison(Display):
    """Result of :func:`compare`: every checkpoint of every run, and rankings.

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
    form : {"sequence", "public", "cards"}
        What the game was compiled into.
    """

    game: str
    fingerprint: str
    limit: str
    budget: float
    seeds: int
    runs: tuple[Run, ...]
    skipped: tuple[Skipped, ...] = ()
    form: str = "sequence"

    def __repr__(self) -> str:
        num_finished = sum(run.finished for run in self.runs)
        return (
            f"<Comparison on {self.game}: {num_finished} of {len(self.runs)} runs finished, "
            f"{self.budget_text} each>"
        )

    @property
    def budget_text(self) -> str:
        """The budget of a run in words: 20 s, 1,000,000 nodes, 300 iterations."""
        return budget_text(self.limit, self.budget)

    @property
    def title(self) -> str:
        """Game, budget of each run, what the curves are over several seeds, and whether something is missing."""
        return f"{shorten(self.game, 90, placeholder=' …')}: {self._terms}"

    @property
    def _terms(self) -> str:
        terms = f"{self.budget_text} a run"
        if any(curve.seeds > 1 for curve in self.curves):
            terms += "; median over seeds, band from the lowest to the highest"
        num_finished = sum(run.finished for run in self.runs)
        if self.finished:
            return terms
        return f"{terms} (interrupted: {num_finished} of {len(self.runs)} runs finished)"

    @property
    def finished(self) -> bool:
        """Whether all runs used up their budget; else the comparison was interrupted."""
        return all(run.finished for run in self.runs)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """The curve of each combination that has begun."""
        groups: dict[tuple[str, str], list[Run]] = {}
        for run in self.runs:
            if run.trace:
                groups.setdefault(run.combination, []).append(run)
        return tuple(map(median_curve, groups.values()))

    @property
    def results(self) -> tuple[Curve, ...]:
        """The curves, that with the lowest exploitability at its end first."""
        return tuple(sorted(self.curves, key=lambda curve: curve.last.exploitability))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Rankings after 1/100, 1/10 and all of the seconds, and of the nodes, that every curve has used."""
        curves = self.curves
        standings = []
        curves_to_rank = [curve for curve in curves if curve.finished] or curves
        for measure in RACES:
            common_budget = min(
                (getattr(curve.last, measure) for curve in curves_to_rank), default=0.0
            )
            if MEASURE_OF[self.limit] == measure:
                common_budget = min(common_budget, self.budget)
            for fraction in FRACTIONS:
                budget = fraction * common_budget
                if budget > 0:
                    values = [(curve, curve.at(measure, budget)) for curve in curves]
                else:
                    values = []
                ranking = [
                    Entry(*curve.combination, value) for curve, value in values if value is not None
                ]
                if ranking:
                    ranking.sort(key=lambda entry: entry.exploitability)
                    standings.append(Standing(measure, fraction, budget, tuple(ranking)))
        return tuple(standings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Iterate over all checkpoints of all runs, each as {column: value}."""
        measures = ("iteration", "nodes_touched", "seconds", "nash_conv", "exploitability")
        for run in self.runs:
            for point in run.trace:
                yield {
                    "game": self.game,
                    **{name: getattr(run, name) for name in ("algorithm", "sampling", "seed")},
                    **{name: getattr(point, name) for name in measures},
                    **{f"value_{player}": value for player, value in enumerate(point.value)},
                }

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        names = ("algorithm", "sampling", "seeds", "finished")  # runs have the points
        results = [
            {name: getattr(curve, name) for name in names} | curve.last._asdict()
            for curve in self.results
        ]
        return {
            "format": FORMAT,
            **to_plain(self),
            "finished": self.finished,
            "results": results,
            "standings": to_plain(self.standings),
        }

    def plot(self, *, theme: str = "light") -> Figure:
        """Return the picture: exploitability against nodes touched, seconds and iterations, both scales logarithmic.

        Raises
        ------
        SolutionError
            No run has begun, so there is nothing to draw.
        """
        from .picture import draw_comparison

        return draw_comparison(
            self.curves, shorten(self.game, 90, placeholder=" …"), note=self._terms, theme=theme
        )

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
        from ..plot.style import write_picture

        for name in PICTURES:
            write_picture(self.plot, folder / name)

    def write_tables(self, folder: Path) -> None:
        """Write ``comparison.csv`` and ``comparison.json`` to a folder that is there."""
        rows = list(self.rows())
        if rows:
            write_csv(folder / TABLE, rows[0], (row.values() for row in rows))
        write_atomically(folder / SUMMARY, f"{json.dumps(self.summary())}\n".encode())


def median_curve(runs: Sequence[Run]) -> Curve:
    """Return the curve of the runs of one combination that have begun: of the finished ones, or of the furthest."""
    finished_runs = [run for run in runs if run.finished]
    runs_to_merge = finished_runs or [max(runs, key=lambda run: run.trace[-1].seconds)]
    grids = [{point.iteration: point for point in run.trace[:-1]} for run in runs_to_merge]
    common_iterations = sorted(set.intersection(*map(set, grids)))
    points = [
        *([grid[iteration] for grid in grids] for iteration in common_iterations),
        [run.trace[-1] for run in runs_to_merge],
    ]
    return Curve(
        *runs[0].combination, len(runs_to_merge), bool(finished_runs), tuple(map(Point.of, points))
    )


def budget_text(limit: str, budget: float) -> str:
    """Return a budget in words."""
    if limit == "seconds":
        return f"{budget:g} s"
    return f"{budget:,} {limit}"
