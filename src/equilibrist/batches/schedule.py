"""The order of a batch: a task starts where its memory fits, and is repeated where its worker died."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import Any

from .._util.interrupt import note_signals
from .._util.validate import check_executor
from .._util.workers import STOP
from ..errors import GameTooLargeError
from ..form.limits import free_memory
from ..show.numbers import format_two_digits
from .processes import UnsendableError
from .task import Outcome, Task

MOST_IN_FLIGHT = 1_000
"""Tasks that an executor has at most, those waiting in it included."""
MOST_TRIES = 3
"""How often a task is submitted whose worker dies."""
_PATIENCE = 0.5  # seconds
_MOST_HELD = 16  # tasks that wait for memory while smaller ones go first


def run_in_turn(
    numbers: Iterable[int], make: Callable[[int], Task]
) -> Iterator[tuple[int, Outcome]]:
    """Yield the outcomes of tasks in this process, one after the other, up to the one that is interrupted."""
    STOP.clear()
    with note_signals(STOP.set) as signals:
        for number in numbers:
            yield number, make(number)()
            if signals:
                return


def run_side_by_side(
    executor: Executor,
    numbers: Iterable[int],
    make: Callable[[int], Task],
    *,
    memory: float | None = None,
) -> Iterator[tuple[int, Outcome]]:
    """Yield the outcomes of tasks as an executor finishes them.

    A task is made by ``make`` of its number just before it is submitted, in the order of
    ``numbers``, where it fits into the memory (in gigabytes, by default what this machine has free)
    with those that are at work. After a signal (Ctrl-C) none is begun, those at work are asked to
    save, and awaited; a second one acts as usual.

    Three attributes that an executor may have are looked at: ``places_memory`` (it starts a task
    only where ``task.gigabytes`` fit, so that nothing is held back here), ``isolates`` (the death
    of a worker fails no future but that of its task) and ``interrupt()`` (asks the tasks at work to
    end).
    """
    check_executor(executor)
    return _Schedule(executor, numbers, make, memory).outcomes()


class _Schedule:
    """Tasks that wait, are held back, are at work, or are repeated."""

    def __init__(
        self,
        executor: Executor,
        numbers: Iterable[int],
        make: Callable[[int], Task],
        memory: float | None,
    ) -> None:
        self._executor = executor
        self._waiting = deque(numbers)
        self._make = make
        places_memory = getattr(executor, "places_memory", False)
        if places_memory:
            self._memory = float("inf")
        elif memory is None:
            self._memory = free_memory()
        else:
            self._memory = memory
        self._isolates = getattr(executor, "isolates", False)
        self._held_back: list[tuple[int, Task]] = []
        self._to_repeat: deque[tuple[int, Task]] = deque()  # whose worker died
        self._at_work: dict[Future[Any], tuple[int, Task]] = {}
        self._deaths: Counter[int] = Counter()
        self._ready: deque[tuple[int, Outcome]] = deque()

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        """Yield number and outcome of each task as it ends; after a signal of those at work alone."""
        STOP.clear()
        interrupt = getattr(self._executor, "interrupt", STOP.set)
        try:
            with note_signals(interrupt) as signals:
                while not signals and (
                    self._waiting or self._held_back or self._to_repeat or self._at_work
                ):
                    self._start(signals)
                    self._collect()
                    yield from self._deliver()
                self._at_work = {
                    future: entry for future, entry in self._at_work.items() if not future.cancel()
                }
                while self._at_work:
                    self._collect()
                    yield from self._deliver()
        finally:
            uncancelled = [future for future in self._at_work if not future.cancel()]
            if uncancelled:  # whoever takes the outcomes has stopped to
                interrupt()

    def _deliver(self) -> Iterator[tuple[int, Outcome]]:
        """Yield the outcomes that are ready."""
        while self._ready:
            yield self._ready.popleft()

    def _start(self, signals: Sequence[int]) -> None:
        """Submit what fits; of a pool that died, one task after the other, so that the one to blame is found."""
        while self._to_repeat and (self._isolates or not self._at_work):
            self._submit(*self._to_repeat.popleft())
        is_suspected = any(self._deaths[number] for number, _ in self._at_work.values())
        if self._to_repeat or (is_suspected and not self._isolates):
            return
        for entry in list(self._held_back):
            if self._fits(entry[1]):
                self._held_back.remove(entry)
                self._submit(*entry)
        while (
            self._waiting
            and len(self._held_back) < _MOST_HELD
            and len(self._at_work) < MOST_IN_FLIGHT
        ):
            if signals or any(future.done() for future in self._at_work):  # which are not to wait
                return
            number = self._waiting.popleft()
            task = self._make(number)
            refusal = _refuse(task, self._memory)
            if refusal is not None:
                self._ready.append((number, refusal))
            elif self._fits(task):
                self._submit(number, task)
            else:
                self._held_back.append((number, task))

    def _fits(self, task: Task) -> bool:
        """Return whether there is memory for a task beside those at work; for one alone there always is."""
        gigabytes_in_use = sum(
            task_at_work.gigabytes or 0.0 for _, task_at_work in self._at_work.values()
        )
        return not self._at_work or gigabytes_in_use + (task.gigabytes or 0.0) <= self._memory

    def _submit(self, number: int, task: Task) -> None:
        """Submit a task to the executor; one that cannot be sent there fails."""
        try:
            self._at_work[self._executor.submit(task)] = number, task
        except UnsendableError as error:
            self._ready.append((number, Outcome(error=str(error))))

    def _collect(self) -> None:
        """Take what is done by now; wait a moment where nothing is, so that a signal is heard."""
        done_futures, _ = wait(self._at_work, 0 if self._ready else _PATIENCE, FIRST_COMPLETED)
        for future in done_futures:
            number, task = self._at_work.pop(future)
            if future.cancelled():  # after a signal, before it ran
                continue
            try:
                self._ready.append((number, future.result()))
            # no machine of a cluster can hold it, or no process can read it
            except (GameTooLargeError, UnsendableError) as error:
                self._ready.append((number, Outcome(error=str(error))))
            except BrokenExecutor as error:
                self._deaths[number] += 1
                # the second time it was alone
                if self._isolates:
                    tries = MOST_TRIES
                else:
                    tries = MOST_TRIES - 1
                if self._deaths[number] < tries:
                    self._to_repeat.append((number, task))
                else:
                    error_text = (
                        f"Its worker process ended {tries} times before the run did: {error}"
                    )
                    self._ready.append((number, Outcome(error=error_text)))


def _refuse(task: Task, memory: float) -> Outcome | None:
    """Return the outcome of a task for which there is never enough memory, or None."""
    if task.gigabytes is None or task.gigabytes <= memory:
        return None
    needed_gigabytes = format_two_digits(task.gigabytes)
    return Outcome(
        error=f"It takes {needed_gigabytes} GB, and there are {format_two_digits(memory)} GB. Allow more "
        "(max_memory_gb=, --max-memory-gb), or make it smaller: fewer bet sizes, precision='float32'."
    )
