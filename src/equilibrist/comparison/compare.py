"""Comparison of algorithms and samplings on one game: each combination runs to the same budget, and can go on later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from .._util.files import make_folder, read_text
from .._util.validate import is_number, is_whole
from ..batches.predict import predicted_gigabytes
from ..batches.schedule import in_turn, side_by_side
from ..batches.study import MOST_ITEMS
from ..batches.task import Task, met
from ..cfr.algorithms import Algorithm
from ..errors import AlgorithmError, SolutionError
from ..form.compiled_game import CompiledGame
from ..form.limits import MAX_DEPTH, Limits
from ..mccfr.sampling import Sampling
from ..solving.listeners import Grouped, Listener, Listeners, listed
from ..solving.prepare import Playable, prepare
from ..solving.trace import Checkpoint
from .comparison import FORMAT, SUMMARY, Comparison, Skipped, spelled_budget
from .curves import FULL, Run
from .jobs import Job, find_jobs, refusal

DEFAULT_ALGORITHMS = "cfr,cfr+,dcfr,auto"
DEFAULT_SECONDS = 10.0
DRAWING = "Drawing"  # the last stage


def compare(
    game: Playable,
    *,
    algorithms: str | Algorithm | Iterable[str | Algorithm] = DEFAULT_ALGORITHMS,
    sampling: str | Sampling | Iterable[str | Sampling] = FULL,
    form: str = "auto",
    seeds: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    out: str | Path | None = None,
    executor: Executor | None = None,
    on_run: Callable[[Run, int, int], None] | None = None,
    on_checkpoint: Callable[[Checkpoint], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
    track: Listeners = None,
    max_histories: int | None = None,
    max_depth: int = MAX_DEPTH,
) -> Comparison:
    """Return the comparison of algorithms and samplings on a game, each combination with the same budget.

    Combinations that make no sense are skipped, with the reason. An interrupt (Ctrl-C) stops the current run and
    returns the results so far.

    Parameters
    ----------
    game : str, Game, PublicGame or CompiledGame
        As for :func:`equilibrist.solve`.
    algorithms : str, Algorithm, or several
        Algorithms by name, or of your own. Names may be separated by commas.
    sampling : str, Sampling, or several
        As for :func:`equilibrist.solve`. Names may be separated by commas.
    form : {"auto", "sequence", "public", "cards"}
        As for :func:`equilibrist.solve`: what the game is compiled into, for all runs. Nodes touched are counted in one
        unit whatever it is; seconds are those of the form.
    seeds : int
        Number of runs of each combination that samples; their seeds are 0, 1, 2, …
    seconds, nodes, iterations : number, optional
        The budget of each run, one of these three: seconds spent iterating (certificates are not counted), nodes
        touched, or iterations. Without any, 10 seconds.
    out : path, optional
        Folder for the results (see :meth:`Comparison.write`) and for the runs, in ``runs``. A run that is there already
        is not run again: it goes on where it stopped, or is finished where it has used up the budget. So the same call
        goes on after an interrupt, and a larger budget extends the comparison.
    executor : concurrent.futures.Executor, optional
        Where the runs are carried out, side by side: a ``ProcessPoolExecutor(4)``, or what has the same interface. By
        default here, one after the other. The results are the same; only ``seconds`` as a budget depend on how busy
        the machine is. ``on_run`` and ``on_checkpoint`` are then called once a run is over; trackers follow it where
        it is at work, so that processes need trackers that can be pickled.
    on_run : callable, optional
        Called when a run begins or goes on, with the run so far, its number and the number of runs.
    on_checkpoint, on_stage : callable, optional
        Called with each :class:`Checkpoint` of the current run, and with a short text when a long stage begins.
    track : Tracker, or several, optional
        Trackers (:mod:`equilibrist.track`) that follow each run: the comparison is one experiment, ``"compare GAME"``
        unless the tracker names another, with a run for each combination and seed. A run that was finished before is
        not reported again.
    max_histories, max_depth : int, optional
        Limits of compilation; by default as many histories as there is memory for, and 1,000 moves.

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
    wanted = find_jobs(algorithms, sampling)
    if not is_whole(seeds, 1, MOST_ITEMS):
        raise AlgorithmError(f"seeds must be a whole number, 1 to {MOST_ITEMS:,}; got {seeds!r}.", wrong_use=True)
    trackers = listed(track, label="track")
    say = on_stage or (lambda text: None)
    folder = None if out is None else make_folder(out)
    older = None if folder is None else _read_settings(folder, limit=limit, budget=budget)
    sampled = any(job.sampling.tree and not job.sampling.full_width for job in wanted)
    limits = Limits.checked(max_histories, max_depth, None)
    compiled, _ = prepare(game, form=form, limits=limits, say=say, sampled=sampled)
    compiled = compiled.renamed(game if isinstance(game, str) else compiled.name)
    digest = compiled.fingerprint
    if older is not None and older["form"] != compiled.kind:
        raise SolutionError(
            f"{folder} holds a comparison on the {older['form']} form of {older['game']}; got the {compiled.kind} one. "
            f"Give form={older['form']!r} (--form {older['form']}), or another folder.",
            wrong_use=True,
        )
    if older is not None and older["fingerprint"] != digest:
        raise SolutionError(
            f"{folder} holds a comparison on another game: {compiled.name} as it is now has other infosets, actions or "
            f"payoffs than {older['game']} had then. Give another folder.",
            wrong_use=True,
        )
    say(f"Trying {len(wanted)} combinations")
    refused = {job: refusal(compiled, job, limit, folder) for job in wanted}
    skipped = [Skipped(*job.run.combination, reason) for job, reason in refused.items() if reason is not None]
    if len(skipped) == len(wanted):
        raise AlgorithmError(skipped[0].reason, wrong_use=True)
    accepted = [job for job in wanted if refused[job] is None]
    # Seed by seed: after an interrupt each combination has some runs, rather than some combinations all of theirs.
    jobs = [job._replace(seed=seed) for seed in range(int(seeds)) for job in accepted if seed == 0 or job.random]
    comparison = Comparison(
        compiled.name, digest, limit, budget, int(seeds), runs=(), skipped=tuple(skipped), form=compiled.kind
    )
    grouped = [Grouped(tracker, f"compare {compiled.name}") for tracker in trackers]
    work = _Work(compiled, comparison, jobs, folder)
    return work.execute(executor, on_run or (lambda *_: None), listed(on_checkpoint), grouped, say)


class _Work:
    """Execution of a comparison: load the runs that are there, run those not finished, write."""

    def __init__(self, form: CompiledGame, comparison: Comparison, jobs: Sequence[Job], folder: Path | None) -> None:
        self.form = form
        self.comparison = comparison  # without its runs
        self.jobs = jobs
        self.folder = folder

    def execute(
        self,
        executor: Executor | None,
        on_run: Callable[[Run, int, int], None],
        tell: Sequence[Listener],
        trackers: Sequence[Listener],
        say: Callable[[str], None],
    ) -> Comparison:
        """Run what is not finished until all is done or somebody interrupts."""
        runs = [self._saved(job) for job in self.jobs]
        self._write(runs)

        def begin(i: int) -> None:
            on_run(runs[i], i + 1, len(runs))
            say(f"Run {i + 1} of {len(runs)}: {runs[i]}")

        def make(i: int) -> Task:
            if executor is not None:  # a tracker follows one run at a time, so that each run gets a copy of its own
                task = self._task(self.jobs[i], deepcopy(trackers))
                return replace(task, gigabytes=predicted_gigabytes(self.form, task.options, task.limits))
            begin(i)
            return self._task(self.jobs[i], [*tell, *trackers])

        waiting = [i for i, run in enumerate(runs) if not run.finished]
        try:
            outcomes = in_turn(waiting, make) if executor is None else side_by_side(executor, waiting, make)
            for i, outcome in outcomes:
                if executor is not None:
                    begin(i)
                    for point in outcome.trace[len(runs[i].trace) :]:
                        for listener in tell:
                            listener(point)
                if outcome.error:
                    raise SolutionError(outcome.error)
                runs[i] = replace(runs[i], trace=outcome.trace, finished=outcome.finished)
                self._write(runs)
        except KeyboardInterrupt:  # pressed where solve() does not listen: while loading or saving a run
            pass
        except BrokenExecutor as error:
            raise SolutionError(
                f"A worker process ended before its run did ({error}). Give fewer processes; the same call goes on."
            ) from error
        comparison = replace(self.comparison, runs=tuple(runs))
        if self.folder is not None:
            say(DRAWING)
            comparison.write(self.folder)
        return comparison

    def _task(self, job: Job, listeners: Sequence[Listener]) -> Task:
        """Return what runs a job, here or by an executor."""
        limit, budget = self.comparison.limit, self.comparison.budget
        return Task(
            name=str(job.run),
            game=self.form,
            options=job.options,
            limits={limit: budget if limit == "seconds" else int(budget)},
            folder=job.folder(self.folder),
            listeners=listeners,
        )

    def _write(self, runs: Sequence[Run]) -> None:
        if self.folder is not None:
            replace(self.comparison, runs=tuple(runs)).write_tables(self.folder)

    def _saved(self, job: Job) -> Run:
        """Return what there is of a run."""
        task = self._task(job, ())
        solution = task.saved()
        if solution is None:
            return job.run
        config = solution.config
        same = config is not None and (config.algorithm, config.sampling, config.seed) == (
            job.algorithm,
            job.sampling,
            job.seed if job.random else None,
        )
        if not same or solution.info.game.fingerprint != self.comparison.fingerprint:
            raise SolutionError(
                f"{task.folder} holds another run: {solution!r}, not {job.run} on {self.form.name}. Give another "
                "folder.",
                wrong_use=True,
            )
        return replace(job.run, trace=solution.trace, finished=met(task.limits, solution.trace[-1]))


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
        _ = str(older["fingerprint"]), str(older["form"])
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
