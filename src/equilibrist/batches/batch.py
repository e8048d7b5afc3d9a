"""Batches: the runs of a study, carried out side by side, each one resumed, repeated or reported by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack, contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .._util.callbacks import AnyCallbacks
from .._util.files import lock_folder
from .._util.plain import to_plain
from .._util.validate import is_number, is_whole
from ..errors import AlgorithmError, EquilibristError, SolutionError
from ..games.load import Trust
from ..solving.callbacks import GroupedTracker, split_trackers
from ..solving.solution import Solution
from .log import Log
from .predict import predict_gigabytes
from .processes import Processes
from .result import BatchResult
from .schedule import run_in_turn, run_side_by_side
from .study import Item, Study, read_study
from .task import Guard, Measure, Outcome, Task

RUNS = "runs"


class BatchProgress(NamedTuple):
    """How far a batch is.

    Attributes
    ----------
    done, failed, total : int
        Items that are finished or have failed, those that have failed in this call, and all.
    seconds : float
        Since the batch began.
    seconds_left : float or None
        About how long it is going to take: the time so far × what is left / what was computed.
    item : Item or None
        The item that has just ended; None at the beginning.
    outcome : Outcome or None
        What it came to.
    """

    done: int
    failed: int
    total: int
    seconds: float
    seconds_left: float | None
    item: Item | None = None
    outcome: Outcome | None = None


def batch(
    study: Study | str | Path | Mapping[str, Any],
    *,
    save: str | Path | None = None,
    executor: Executor | int | None = None,
    keep: str = "runs",
    measure: Measure | None = None,
    max_memory_gb: float | None = None,
    callbacks: AnyCallbacks = None,
    trust: Trust = False,
) -> BatchResult:
    """Return the results of a study: of many runs, each with its limit, whatever executor carries them out.

    Parameters
    ----------
    study : path, mapping or Study
        A TOML file, a mapping with the same keys, or what :func:`equilibrist.read_study` makes of
        them: a game, what varies, and a limit.
    save : path, optional
        Folder for the results: ``results.jsonl``, a line for each item as soon as it is done;
        ``results.parquet``; ``study.json``; and ``runs``, a folder for each. Items that are there
        are not computed again, and those that were cut short go on: so the same call goes on after
        an interrupt, and a study may grow.
    executor : int or concurrent.futures.Executor, optional
        Where the runs are carried out, side by side: in so many processes of this machine, of which
        1 is this process itself, or by what has the interface of ``concurrent.futures``. The results
        are the same to the last bit, whatever it is.
    keep : {"runs", "results"}
        What is kept of an item: its run folder, or its results alone, for large batches.
    measure : callable, optional
        What makes the results of a :class:`Solution`: a function that returns plain values by name,
        and can be pickled where there are processes. By default iterations, nodes, seconds, values
        and certificate.
    max_memory_gb : float, optional
        Gigabytes that the runs at work may take together; by default what this machine has free at
        the beginning. A run begins once its predicted memory fits.
    callbacks : Callbacks, callable, tracker, or several of them, optional
        ``on_progress`` (or a callable) is called with a :class:`BatchProgress` at the beginning and
        whenever an item ends, ``on_stage`` with a short text when a long stage begins. A tracker
        (:mod:`equilibrist.track`), as is any object with another method that :func:`equilibrist.solve`
        calls, follows each run where it is at work, all in one experiment, ``"batch NAME"``;
        processes need trackers that can be pickled.
    trust : bool or collection of path
        Whether Python files may be run that a study file names as games, or which.

    Raises
    ------
    EquilibristError
        The study cannot be, or ``save`` cannot be written. What goes wrong in a run fails that item
        alone.

    Notes
    -----
    A signal (Ctrl-C) ends the runs at work, which are saved, and returns the results so far. A run
    whose worker process dies, as of ``kill -9``, is repeated by itself, and fails where that dies
    too.

    Examples
    --------
    >>> import equilibrist as eq
    >>> result = eq.batch({"game": "kuhn", "iterations": 50, "vary": {"cards": [3, 4], "algorithm": ["cfr", "cfr+"]}})
    >>> result
    <BatchResult of study: 4 runs, 4 finished>
    >>> [(row["cards"], row["algorithm"], row["exploitability"] < 0.03) for row in result.rows()][0]
    (3, 'cfr', True)
    """
    listeners, trackers = split_trackers(callbacks, "batch", ("on_progress", "on_stage"))
    result = run_study(
        read_study(study, trust=trust),
        save=save,
        executor=executor,
        keep=keep,
        measure=measure or summary_row,
        max_memory_gb=max_memory_gb,
        on_progress=listeners["on_progress"],
        on_stage=listeners["on_stage"],
        trackers=trackers,
    )
    if result.folder is not None:
        result.write(result.folder)
    return result


def run_study(
    study: Study,
    *,
    save: str | Path | None,
    executor: Executor | int | None,
    keep: str,
    measure: Measure,
    max_memory_gb: float | None,
    on_progress: Callable[[BatchProgress], None] | None,
    on_stage: Callable[[str], None] | None,
    trackers: Sequence[Any] = (),
) -> BatchResult:
    """Return the results of a study as :func:`batch` does, with no table or page of them written."""
    if keep not in ("runs", "results"):
        raise AlgorithmError(f"keep must be 'runs' or 'results'; got {keep!r}.")
    if isinstance(executor, int) and not is_whole(executor, 1):
        raise AlgorithmError(
            f"executor must be a number of processes, 1 or more, or an executor; got {executor!r}."
        )
    if max_memory_gb is not None and not is_number(max_memory_gb, above=0):
        raise AlgorithmError(f"max_memory_gb must be gigabytes above 0; got {max_memory_gb!r}.")
    followers = [GroupedTracker(tracker, f"batch {study.name}") for tracker in trackers]
    with ExitStack() as stack:
        if isinstance(executor, int):
            executor = stack.enter_context(Processes(executor)) if executor > 1 else None
        work = stack.enter_context(
            open_batch(
                study, save, executor, followers, keep=keep, measure=measure, memory=max_memory_gb
            )
        )
        num_computed = work.execute(on_progress or (lambda _: None), on_stage or (lambda _: None))
        return BatchResult(
            name=study.name,
            records=tuple(work.records()),
            computed=num_computed,
            folder=work.folder,
        )


@contextmanager
def open_batch(
    study: Study,
    save: str | Path | None,
    executor: Executor | None,
    trackers: Sequence[Any],
    **settings: Any,
) -> Iterator[Batch]:
    """Give what carries out a study, with its folder locked and the log in it read; settings are those of a Batch."""
    with ExitStack() as stack:
        if save is None:
            folder = None
        else:
            folder = stack.enter_context(lock_folder(save)).resolve()
        yield Batch(study, stack.enter_context(Log(folder)), folder, executor, trackers, **settings)


def summary_row(solution: Solution) -> dict[str, Any]:
    """Return what a table says of a solution: iterations, nodes, seconds, values and certificate.

    With three players and more the certificate is the largest gain of one who deviates alone.
    """
    final = solution.final
    unknown = {} if final.is_certified else {"nash_conv": None, "exploitability": None}
    return {
        "iterations": final.iteration,
        "nodes_touched": final.nodes_touched,
        "seconds": final.seconds,
        **unknown,
        **final.named_measures,
        **{f"value_{player}": value for player, value in enumerate(final.value)},
        "infosets": solution.infosets,
        "stop_reason": solution.stop_reason,
    }


def measure_name(measure: Measure) -> str:
    """Return what tells a measure from others: its name, or what it says of itself."""
    return getattr(measure, "__qualname__", None) or repr(measure)


@dataclass(frozen=True, slots=True)
class Batch:
    """Execution of a study: what is there is taken, the rest computed and logged.

    Attributes
    ----------
    study : Study
        What is executed.
    log : Log
        Records of its items.
    folder : Path or None
        Where the runs are saved.
    executor : Executor or None
        What carries out the runs; None for this process, one after the other.
    trackers : sequence
        They follow each run; with an executor, a copy of them.
    keep : str
        As for :func:`batch`.
    measure : callable
        What makes the results of a run.
    memory : float or None
        Gigabytes for the runs at work.
    guard : class of exceptions, or several
        Which errors in a run fail that item alone; others end the batch.
    """

    study: Study
    log: Log
    folder: Path | None
    executor: Executor | None
    trackers: Sequence[Any]
    keep: str = "runs"
    measure: Measure = summary_row
    memory: float | None = None
    guard: Guard = Exception

    def execute(
        self,
        on_progress: Callable[[BatchProgress], None],
        on_stage: Callable[[str], None],
        on_begin: Callable[[int], None] = lambda _: None,
    ) -> int:
        """Compute what is not there until all is done or somebody interrupts; return how many items were.

        ``on_begin`` is called with the number of an item that is handed to the executor.
        """
        items, start = self.study.items, time.monotonic()
        numbers_to_run = [number for number, item in enumerate(items) if not self.is_finished(item)]
        total = len(items)
        num_computed = 0
        num_failed = 0
        on_progress(BatchProgress(total - len(numbers_to_run), 0, total, 0.0, None))

        def make(number: int) -> Task:
            on_begin(number)
            on_stage(f"Run {number + 1} of {total}: {items[number]}")
            return self._make_task(items[number])

        if self.executor is None:
            outcomes = run_in_turn(numbers_to_run, make)
        else:
            outcomes = run_side_by_side(self.executor, numbers_to_run, make, memory=self.memory)
        try:
            for number, outcome in outcomes:
                self.log.add(self._make_record(items[number], outcome))
                num_computed += outcome.finished or bool(outcome.error)
                num_failed += bool(outcome.error)
                seconds = time.monotonic() - start
                if num_computed:
                    seconds_left = seconds * (len(numbers_to_run) - num_computed) / num_computed
                else:
                    seconds_left = None
                num_done = total - len(numbers_to_run) + num_computed
                on_progress(
                    BatchProgress(
                        num_done, num_failed, total, seconds, seconds_left, items[number], outcome
                    )
                )
        except BrokenExecutor as error:
            raise SolutionError(
                f"The executor takes no more runs ({error}). The same call goes on; give fewer "
                "processes where memory ran out."
            ) from error
        except KeyboardInterrupt:
            # Pressed twice, or where solve() does not listen: while a run is loaded or saved.
            on_stage("Interrupted")
        return num_computed

    def is_finished(self, item: Item) -> bool:
        """Return whether an item is finished, with its limits and this measure."""
        record = self.log.records.get(item.name)
        if record is None or record["state"] != "finished":
            return False
        return bool(
            record["limits"] == to_plain(item.limits)
            and record["measure"] == measure_name(self.measure)
        )

    def _make_task(self, item: Item) -> Task:
        """Return the task of an item, with its folder and the memory that it is going to take."""
        options = dict(item.options)
        if self.memory is not None:
            options.setdefault("max_memory_gb", self.memory)
        gigabytes = None
        if self.executor is not None:
            with suppress(EquilibristError):  # of an item that fails, which it tells by itself
                gigabytes = predict_gigabytes(item.game, item.options, item.limits)
        return Task(
            name=str(item),
            game=item.game,
            options=options,
            limits=item.limits,
            folder=None if self.folder is None else self.folder / RUNS / item.name,
            keep=self.keep == "runs",
            measure=self.measure,
            trackers=self.trackers if self.executor is None else deepcopy(self.trackers),
            gigabytes=gigabytes,
            guard=self.guard,
        )

    def _make_record(self, item: Item, outcome: Outcome) -> dict[str, Any]:
        """Return the record of an item and its outcome, as the log has it."""
        if outcome.error:
            state = "failed"
        elif outcome.finished:
            state = "finished"
        else:
            state = "unfinished"
        return {
            "name": item.name,
            "game": str(item.game),
            "state": state,
            "error": outcome.error,
            "limits": to_plain(item.limits),
            "measure": measure_name(self.measure),
            "results": dict(outcome.results),
            "trace": to_plain(outcome.trace) if self.keep == "runs" else [],
            "seconds": dict(outcome.seconds),
        }

    def records(self) -> Iterator[Mapping[str, Any]]:
        """Yield the record of each item of the study, those that were never begun as unfinished."""
        for item in self.study.items:
            record = self.log.records.get(item.name) or self._make_record(item, Outcome())
            yield {**record, "labels": dict(item.labels)}
