"""Compare algorithms and samplings on one game: the same budget for each, curves, and who is best when."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from .cfr.algorithms import Algorithm, find_algorithm
from .cfr.sampling import Sampling, find_sampling
from .errors import AlgorithmError, SolutionError
from .files import make_folder, read_text, whole_file, write_atomically
from .form import MAX_DEPTH, MAX_HISTORIES
from .form.sequence import SequenceForm
from .game import Game
from .prepare import prepare
from .solution import CHECKPOINT, Checkpoint, fingerprint, load_solution
from .solving import solve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEFAULT_ALGORITHMS = "cfr,cfr+,dcfr,auto"
DEFAULT_SECONDS = 10.0
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
RUNS = "runs"
DRAWING = "Drawing"  # the last stage


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
        from .plots import plot_comparison

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
        from .plots import save_figure

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
        from .plots import comparison_html

        return comparison_html(self)


def compare(
    game: str | Game | SequenceForm,
    *,
    algorithms: str | Algorithm | Iterable[str | Algorithm] = DEFAULT_ALGORITHMS,
    sampling: str | Sampling | Iterable[str | Sampling] = FULL,
    seeds: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    out: str | Path | None = None,
    on_run: Callable[[Run, int, int], None] | None = None,
    on_checkpoint: Callable[[Checkpoint], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
) -> Comparison:
    """Return how algorithms and samplings compare on a game, each combination given the same budget.

    Combinations that make no sense are skipped, with the reason. An interrupt (Ctrl-C) stops the run at work and
    returns what there is.

    Parameters
    ----------
    game : str, Game or SequenceForm
        As for :func:`equilibrist.solve`.
    algorithms : str, Algorithm, or several
        Rows by name, or rows of your own. Names may be joined by commas.
    sampling : str, Sampling, or several
        As for :func:`equilibrist.solve`. Names may be joined by commas.
    seeds : int
        Runs of each combination in which something is random; their seeds are 0, 1, 2, …
    seconds, nodes, iterations : number, optional
        The budget of each run, one of these three: seconds spent iterating (certificates are not counted), nodes
        touched, or iterations. Without any, 10 seconds.
    out : path, optional
        A folder for the results, which :meth:`Comparison.write` names, and for the runs, in ``runs``. A run that is
        there already is not run again: it goes on where it stopped, or is taken as it is where it has used up the
        budget. So the same call again goes on after an interrupt, and with a larger budget extends the comparison.
    on_run : callable, optional
        Called when a run begins or goes on, with what there is of it, its number and the number of runs.
    on_checkpoint, on_stage : callable, optional
        Called with each :class:`Checkpoint` of the run at work, and with a short text when a long stage begins.
    max_histories, max_depth : int
        Limits of compilation.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or is too large.
    AlgorithmError
        A name is unknown, a number impossible, or no combination makes sense.
    SolutionError
        ``out`` cannot be written or read, or holds another comparison.

    Examples
    --------
    >>> import equilibrist as eq
    >>> comparison = eq.compare("kuhn", algorithms=["cfr", "cfr+"], iterations=100)
    >>> [(curve.algorithm, curve.last.exploitability < 0.01) for curve in comparison.results]
    [('cfr+', True), ('cfr', True)]
    """
    limit, budget = _checked_budget(seconds=seconds, nodes=nodes, iterations=iterations)
    wanted = _checked_jobs(algorithms, sampling)
    if isinstance(seeds, bool) or not isinstance(seeds, Integral) or seeds < 1:
        raise AlgorithmError(f"seeds must be a whole number, 1 or more; got {seeds!r}.", wrong_use=True)
    say = on_stage or (lambda text: None)
    folder = None if out is None else make_folder(out)
    older = None if folder is None else _read_settings(folder, limit=limit, budget=budget)
    sampled = any(job.random and job.way.tree for job in wanted)
    form, _ = prepare(game, max_histories=max_histories, max_depth=max_depth, say=say, sampled=sampled)
    form = replace(form, name=game if isinstance(game, str) else form.name)
    digest = fingerprint(form)
    if older is not None and older["fingerprint"] != digest:
        raise SolutionError(
            f"{folder} holds a comparison on another game: {form.name} as it is now has other infosets, actions or "
            f"payoffs than {older['game']} had then. Give another folder.",
            wrong_use=True,
        )
    say(f"Trying {len(wanted)} combinations")
    refused = {job: _refusal(form, job, limit, folder) for job in wanted}
    skipped = [Skipped(*job.run.combination, reason) for job, reason in refused.items() if reason is not None]
    if len(skipped) == len(wanted):
        raise AlgorithmError(skipped[0].reason, wrong_use=True)
    accepted = [job for job in wanted if refused[job] is None]
    # Seed by seed: after an interrupt each combination has some runs, rather than some combinations all of theirs.
    jobs = [job._replace(seed=seed) for seed in range(int(seeds)) for job in accepted if seed == 0 or job.random]
    comparison = Comparison(form.name, digest, limit, budget, int(seeds), (), tuple(skipped))
    return _Work(form, comparison, jobs, folder).go(on_run, on_checkpoint, say)


class _Job(NamedTuple):
    """A run that is wanted."""

    row: Algorithm
    way: Sampling
    seed: int

    @property
    def random(self) -> bool:
        """Whether something is drawn, so that another seed is another run."""
        return not self.way.full_width

    @property
    def run(self) -> Run:
        """The run, not begun."""
        return Run(self.row.name, str(self.way), self.seed)

    def folder(self, out: Path | None) -> Path | None:
        """Return where the run is saved."""
        words = [self.row.name, str(self.way).replace(" ", "").replace("'", "")]
        words += [f"seed{self.seed}"] if self.random else []
        return out and out / RUNS / "-".join(quote(word, safe="+()=,") for word in words)

    def limited(self, limit: str, budget: float) -> dict[str, Any]:
        """Return the keywords of :func:`solve` that say how to sample and when to stop."""
        sampled = {"sampling": self.way, "seed": self.seed} if self.random else {}
        return {limit: budget if limit == "seconds" else int(budget), **sampled}


class _Work:
    """A comparison at work: load what there is of each run, go on with those not finished, write."""

    def __init__(self, form: SequenceForm, comparison: Comparison, jobs: Sequence[_Job], folder: Path | None) -> None:
        self.form = form
        self.comparison = comparison  # without its runs
        self.jobs = jobs
        self.folder = folder

    def go(
        self,
        on_run: Callable[[Run, int, int], None] | None,
        on_checkpoint: Callable[[Checkpoint], None] | None,
        say: Callable[[str], None],
    ) -> Comparison:
        """Run what is not finished until all is done or somebody interrupts."""
        runs = [self._saved(job) for job in self.jobs]
        self._write(runs)
        try:
            for i, job in enumerate(self.jobs):
                if runs[i].finished:
                    continue
                if on_run is not None:
                    on_run(runs[i], i + 1, len(runs))
                say(f"Run {i + 1} of {len(runs)}: {runs[i]}")
                runs[i] = self._go_on(job, runs[i], on_checkpoint)
                self._write(runs)
                if not runs[i].finished:
                    break
        except KeyboardInterrupt:  # pressed where solve() does not listen: while loading or saving a run
            pass
        comparison = replace(self.comparison, runs=tuple(runs))
        if self.folder is not None:
            say(DRAWING)
            comparison.write(self.folder)
        return comparison

    def _write(self, runs: Sequence[Run]) -> None:
        if self.folder is not None:
            replace(self.comparison, runs=tuple(runs)).write_tables(self.folder)

    def _saved(self, job: _Job) -> Run:
        """Return what there is of a run."""
        path = job.folder(self.folder)
        if path is None or not (path / CHECKPOINT).exists():
            return job.run
        solution = load_solution(path)
        found = solution.fingerprint, solution.row, solution.sampling, solution.seed
        if found != (self.comparison.fingerprint, repr(job.row), str(job.way), job.seed if job.random else None):
            raise SolutionError(
                f"{path} holds another run: {solution.game} with {solution.row}, sampling {solution.sampling} and seed "
                f"{solution.seed}, not {self.form.name} with {job.row!r}, {job.run}. Give another folder.",
                wrong_use=True,
            )
        if solution.horizon is not None and solution.horizon < self.comparison.budget:
            return job.run  # a schedule over fewer iterations cannot go on, only start afresh
        used = getattr(solution.trace[-1], MEASURE_OF[self.comparison.limit])
        return replace(job.run, trace=solution.trace, finished=used >= self.comparison.budget)

    def _go_on(self, job: _Job, run: Run, on_checkpoint: Callable[[Checkpoint], None] | None) -> Run:
        """Begin a run, or go on with it, until the budget is used up or somebody interrupts."""
        path = job.folder(self.folder)
        limit, budget = self.comparison.limit, self.comparison.budget
        if limit == "seconds" and run.trace:  # solve() counts those since the resume
            budget -= run.trace[-1].seconds
        solution = solve(
            self.form,
            job.row,
            resume=path if run.trace else None,
            save=path,
            on_checkpoint=on_checkpoint,
            **job.limited(limit, budget),
        )
        return replace(run, trace=solution.trace, finished=solution.stopped != "interrupt")


def _refusal(form: SequenceForm, job: _Job, limit: str, out: Path | None) -> str | None:
    """Return why a combination makes no sense, or None: an iteration of it is tried, unless a run of it is there."""
    path = job.folder(out)
    if path is not None and (path / CHECKPOINT).exists():
        return None
    if not job.way.tree:
        return "Without a tree there is no exact exploitability to compare. Leave tree=False out."
    try:
        tried = solve(form, job.row, **job.limited(limit, 1e-9 if limit == "seconds" else 1))
    except AlgorithmError as error:
        return str(error)
    if tried.stopped == "interrupt":
        raise KeyboardInterrupt
    return None


def _checked_budget(*, seconds: float | None, nodes: int | None, iterations: int | None) -> tuple[str, float]:
    """Return the one limit that was given, and its number."""
    limits = {"seconds": seconds, "nodes": nodes, "iterations": iterations}
    given = {name: number for name, number in limits.items() if number is not None}
    if len(given) > 1:
        raise AlgorithmError(
            f"The budget of a run is one of seconds, nodes and iterations; got {' and '.join(given)}.", wrong_use=True
        )
    limit, number = next(iter(given.items()), ("seconds", DEFAULT_SECONDS))
    if limit == "seconds":
        if isinstance(number, bool) or not isinstance(number, Real) or not 0 < number < math.inf:
            raise AlgorithmError(f"seconds must be a number above 0; got {number!r}.", wrong_use=True)
        return limit, float(number)
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise AlgorithmError(f"{limit} must be a whole number, 1 or more; got {number!r}.", wrong_use=True)
    return limit, int(number)


def _listed(given: Any) -> list[Any]:
    """Return a list of one thing or several, texts cut at the commas between names."""
    several = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
    found: list[Any] = []
    for each in several:
        found += _cut(each) if isinstance(each, str) else [each]
    return found


def _cut(text: str) -> list[str]:
    """Return the names in ``cfr,dcfr`` or ``full,outcome(epsilon=0.4, average='lazy')``."""
    names, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            names.append("")
        else:
            names[-1] += char
    return [name.strip() for name in names if name.strip()]


def _checked_jobs(
    algorithms: str | Algorithm | Iterable[str | Algorithm], sampling: str | Sampling | Iterable[str | Sampling]
) -> list[_Job]:
    """Return each combination once, with seed 0; "auto" may be another row for another sampling."""
    ways = [find_sampling(each) for each in _listed(sampling)]
    jobs: dict[tuple[str, str], _Job] = {}
    for each in _listed(algorithms):
        for way in ways:
            job = _Job(find_algorithm(each, sampled=not way.full_width), way, 0)
            if jobs.setdefault(job.run.combination, job).row != job.row:
                raise AlgorithmError(
                    f"Two different algorithms are called {job.row.name!r}; give one of them another name.",
                    wrong_use=True,
                )
    if not jobs:
        what, given = ("sampling", sampling) if not ways else ("algorithm", algorithms)
        raise AlgorithmError(f"Give at least one {what}; got {given!r}.", wrong_use=True)
    return list(jobs.values())


def _read_settings(folder: Path, *, limit: str, budget: float) -> dict[str, Any] | None:
    """Return what the comparison in a folder says about itself, or None where there is none; refuse another one."""
    path = folder / SUMMARY
    if not path.exists():
        return None
    text = read_text(path)
    try:
        older: dict[str, Any] = json.loads(text)
        if older["format"] != FORMAT:
            raise ValueError(older["format"])
        game, before = older["game"], spelled_budget(older["limit"], older["budget"])
        fits = older["limit"] == limit and older["budget"] <= budget
        _ = str(older["fingerprint"])
    except (KeyError, TypeError, ValueError) as error:
        raise SolutionError(
            f"{path} is broken, or was not written by Equilibrist ({type(error).__name__}). Give another folder."
        ) from error
    if not fits:
        raise SolutionError(
            f"{folder} holds a comparison on {game} with {before} a run, which can be extended but not changed; "
            f"got {spelled_budget(limit, budget)}. Give {before} or more, or another folder.",
            wrong_use=True,
        )
    return older


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
    assert number is not None
    return number
