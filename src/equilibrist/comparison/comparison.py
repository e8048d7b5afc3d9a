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
from ..plot.curve import Curve, Point
from ..strategy.tables import write_csv
from .intervals import Interval, Range, find_interval
from .series import EXPLOITABILITY, Frame, Run, View, align_runs, describe_terms

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
        return describe_terms([self], Range())

    @property
    def finished(self) -> bool:
        """Whether each run used up its budget, or failed; else the comparison was interrupted."""
        return all(run.finished or run.error for run in self.runs)

    @property
    def failed(self) -> tuple[Run, ...]:
        """The runs that ended with an error, as by a rule of one's own that plays what is no distribution."""
        return tuple(run for run in self.runs if run.error)

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

    def plot(
        self,
        *others: Comparison,
        measure: str = EXPLOITABILITY,
        against: str | None = None,
        interval: str | Interval = "range",
        curves: Sequence[str] | None = None,
        log: str = "xy",
        size: tuple[float, float] | None = None,
        theme: str = "light",
    ) -> Figure:
        """Return the picture: exploitability against nodes touched, seconds and iterations, both scales logarithmic.

        Parameters
        ----------
        *others : Comparison
            Comparisons on other games, with panels of their own in the same picture.
        measure : str
            What is drawn: ``"exploitability"``, ``"nash_conv"``, in general-sum games
            ``"cce_distance"``, in spots of poker ``"exploitability_percent"``.
        against : {"nodes_touched", "seconds", "iteration"}, optional
            One panel a game instead of three; games then stand beside each other.
        interval : str
            What stands for several seeds. ``"range"``: the median, and a band from the lowest to
            the highest. ``"student"``: the mean, and its 95 % confidence interval by Student's t.
            ``"bootstrap"``: the mean, and its 95 % confidence interval by the percentiles of 10,000
            resamples, the same ones each time. Settings are written behind it:
            ``"student(confidence=0.99)"``, ``"bootstrap(resamples=2000, seed=1)"``.
        curves : sequence of str, optional
            Which curves, each by its name in the legend or by its algorithm; by default all.
        log : {"xy", "x", "y", ""}
            Which axes are logarithmic.
        size : pair of float, optional
            Width and height in inches; by default what there is room for in a column of a page.
        theme : {"light", "dark"}
            The colours.

        Raises
        ------
        SolutionError
            No run has begun, so that there is nothing to draw; or there is no such measure, axis,
            interval, curve or theme.

        Notes
        -----
        An end of a confidence interval may be 0 or below: on a logarithmic axis the band then goes
        down to a tenth of the smallest middle.

        Examples
        --------
        >>> import equilibrist as eq
        >>> kuhn, leduc = (
        ...     eq.compare(game, algorithms="cfr,lcfr", sampling="external", seeds=3, iterations=100)
        ...     for game in ("kuhn", "leduc")
        ... )
        >>> figure = kuhn.plot(leduc, against="iteration", interval="student", size=(5.5, 2.6))
        >>> [axes.get_title(loc="left") for axes in figure.axes]
        ['kuhn', 'leduc']
        """
        from .picture import draw_comparisons

        return draw_comparisons(
            (self, *others),
            View(measure, find_interval(interval), _names_of(curves)),
            Frame(against, log, size),
            theme=theme,
        )

    def to_latex(
        self,
        *others: Comparison,
        measure: str = EXPLOITABILITY,
        interval: str | Interval = "range",
        curves: Sequence[str] | None = None,
        caption: str | None = None,
        label: str = "tab:comparison",
    ) -> str:
        r"""Return a table for a paper: what each combination had reached at the end, best first.

        It is written with the rules of the package ``booktabs``, every name escaped.

        Parameters
        ----------
        *others : Comparison
            Comparisons on other games, which follow in the same table.
        measure, interval, curves
            As for :meth:`plot`.
        caption : str, optional
            What stands above the table, in LaTeX; by default the games, the budget, the measure
            and the interval.
        label : str
            What it is referred to by.

        Raises
        ------
        SolutionError
            No run has begun, or there is no such measure, interval or curve.

        Examples
        --------
        >>> import equilibrist as eq
        >>> comparison = eq.compare("kuhn", algorithms="cfr,cfr+", iterations=64)
        >>> print(comparison.to_latex(caption="Kuhn poker.").splitlines()[2])
          \caption{Kuhn poker.}
        """
        from .latex import latex_table

        view = View(measure, find_interval(interval), _names_of(curves))
        return latex_table((self, *others), view, caption=caption, label=label)

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
    points, finished = align_runs(runs)
    return Curve(*runs[0].combination, len(points[0]), finished, tuple(map(Point.of, points)))


def _names_of(curves: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the names of curves, of which one may be given by itself."""
    if curves is None:
        return None
    if isinstance(curves, str):
        return (curves,)
    return tuple(curves)


def budget_text(limit: str, budget: float) -> str:
    """Return a budget in words."""
    if limit == "seconds":
        return f"{budget:g} s"
    return f"{budget:,} {limit}"
