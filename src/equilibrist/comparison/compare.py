"""Compare algorithms and samplings on one game: run each combination to the same budget, and go on with it later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from .._util.files import make_folder, read_text
from .._util.validate import is_number, is_whole
from ..cfr.algorithms import Algorithm, find_algorithm
from ..errors import AlgorithmError, SolutionError
from ..form.build_python import MAX_DEPTH, MAX_HISTORIES, Limits
from ..mccfr.sampling import Sampling, find_sampling
from ..solving.prepare import Form, Playable, prepare
from ..solving.solution import CHECKPOINT, Checkpoint, load_solution
from ..solving.solve import solve
from ..track.following import Grouped, Listener, Listeners, listed
from .comparison import FORMAT, FULL, MEASURE_OF, SUMMARY, Comparison, Run, Skipped, spelled_budget

DEFAULT_ALGORITHMS = "cfr,cfr+,dcfr,auto"
DEFAULT_SECONDS = 10.0
RUNS = "runs"
DRAWING = "Drawing"  # the last stage


def compare(
    game: Playable,
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
    track: Listeners = None,
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
    track : Tracker, or several, optional
        Trackers (:mod:`equilibrist.track`) that follow each run: the comparison is one experiment, ``"compare GAME"``
        unless the tracker names another, with a run for each combination and seed. A run that was used up before is
        not told again.
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
    if not is_whole(seeds, 1):
        raise AlgorithmError(f"seeds must be a whole number, 1 or more; got {seeds!r}.", wrong_use=True)
    trackers = listed(track, label="track")
    say = on_stage or (lambda text: None)
    folder = None if out is None else make_folder(out)
    older = None if folder is None else _read_settings(folder, limit=limit, budget=budget)
    sampled = any(job.random and job.way.tree for job in wanted)
    limits = Limits.checked(max_histories, max_depth, None)
    form, _ = prepare(game, limits=limits, say=say, sampled=sampled)
    form = replace(form, name=game if isinstance(game, str) else form.name)
    digest = form.fingerprint
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
    grouped = [Grouped(tracker, f"compare {form.name}") for tracker in trackers]
    return _Work(form, comparison, jobs, folder).go(on_run, [*listed(on_checkpoint), *grouped], say)


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

    def __init__(self, form: Form, comparison: Comparison, jobs: Sequence[_Job], folder: Path | None) -> None:
        self.form = form
        self.comparison = comparison  # without its runs
        self.jobs = jobs
        self.folder = folder

    def go(
        self,
        on_run: Callable[[Run, int, int], None] | None,
        listeners: list[Listener],
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
                runs[i] = self._go_on(job, runs[i], listeners)
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
        solution = load_solution(path, self.form)
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

    def _go_on(self, job: _Job, run: Run, listeners: list[Listener]) -> Run:
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
            on_checkpoint=listeners,
            **job.limited(limit, budget),
        )
        return replace(run, trace=solution.trace, finished=solution.stopped != "interrupt")


def _refusal(form: Form, job: _Job, limit: str, out: Path | None) -> str | None:
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
        if not is_number(number, above=0):
            raise AlgorithmError(f"seconds must be a number above 0; got {number!r}.", wrong_use=True)
        return limit, float(number)
    if not is_whole(number, 1):
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
