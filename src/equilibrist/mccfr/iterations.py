"""Iterations of Monte Carlo CFR in one thread: the compiled loop, or one turn after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .._jit.rng import make_rng
from .._util.arrays import Floats
from . import draw, update
from .records import NO_BASELINE, ONE, SAMPLED_HISTORY, Plan, Sampler, Schedule, Slots
from .sampling import Sampling
from .table import MOST_SLOTS, InfosetTable
from .update import ITERATION, NODES, PLAYER, TOUCHED

_SLOW = 0.1  # seconds of an iteration, twice in a row, from which on its batch is drawn in parts
_LONG_BATCH = 1 << 16  # traversals of a batch that is drawn in parts from the start
_FIRST_PART = 64  # traversals of the first part
_FIRST_RECORDS = 1 << 12


class MemoryLimitError(Exception):
    """The infosets would take more memory than the user allows, or than there is."""


class DrawingStoppedError(KeyboardInterrupt):
    """Somebody wants the run to stop while samples are drawn. Nothing has changed but that infosets may be entered."""


DRAWN = "drawn"
ACCUMULATED = "accumulated"


class Stage(NamedTuple):
    """Where an iteration is: ``player``'s samples are drawn, or are added to the slots but for the update.

    ``records`` are those of the samples, which the next turn writes over.
    """

    name: str
    player: int
    records: Any


class WorkersTable(Protocol):
    """What a worker asks of a table: an :class:`InfosetTable`, or what another process has in its place."""

    moves: int
    slots: Slots

    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source of samples."""


class Worker:
    """What one thread needs to draw samples: random numbers, records, and a source with scratch of its own."""

    def __init__(self, table: WorkersTable, seed: int) -> None:
        self._table = table
        self._rng = make_rng(seed, table.moves)
        self.make_room(max(_FIRST_RECORDS, 2 * table.moves))

    def make_room(self, records: int) -> None:
        self.records: Any = np.zeros(records, SAMPLED_HISTORY).view(np.recarray)
        self.source = self._table.source(None, records=records)

    def sampler(self, baseline: Floats, plan: Plan) -> Sampler:
        return Sampler(self._table.slots, self.records, baseline, plan, self._rng)

    @property
    def nbytes(self) -> int:
        states = getattr(self.source, "states", None)
        return int(self.records.nbytes) + (0 if states is None else int(states.nbytes))


class Iterations:
    """The state of iterating: where a run is, its workers, and their room.

    ``should_stop`` is asked now and then while samples are drawn. ``place`` holds the iteration,
    the player, the infosets touched since the last update, and the histories touched in all;
    ``touched``, shape (rows, 2), first slot and number of actions of the infosets touched;
    ``baseline``, shape (moves, players), the value expected of each move, where there are
    baselines.
    """

    def __init__(
        self,
        table: InfosetTable,
        plan: Plan,
        sampling: Sampling,
        *,
        alternating: bool,
        seed: int,
        threads: int,
        should_stop: Callable[[], bool],
    ) -> None:
        self.table = table
        self.plan = plan
        self.sampling = sampling
        self.alternating = alternating
        self.place = np.array([1, 0, 0, 0], np.int64)
        self.touched: NDArray[np.int64] = np.zeros((0, 2), np.int64)
        self.baseline: Floats = np.zeros((self.baseline_rows, table.players))
        self.workers = [Worker(table, seed) for _ in range(threads)]
        self.make_room_for_touched()
        self._should_stop = should_stop
        self._slow_calls = 0  # of the compiled loop, one after the other
        self._part = _FIRST_PART
        self._interruptible = False  # whether samples are drawn by rules in Python right now
        table.poll_with(self._poll)

    def run_to(self, last: int, schedule: Schedule, max_nodes: int) -> None:
        """Run up to iteration ``last``, or until so many histories are touched, making room where it is needed."""
        while self.place[ITERATION] <= last and (
            self.place[PLAYER] > 0 or self.place[NODES] < max_nodes
        ):
            ready = self.table.prepare(int(self.place[ITERATION]))
            if self._draws_in_parts:
                for _ in self.stages(schedule):
                    pass
            else:
                self._run_kernel(min(last, ready), schedule, max_nodes)

    @property
    def _draws_in_parts(self) -> bool:
        """Whether Python runs the turns, not the compiled loop: rules in Python, long batches."""
        batch = self.sampling.batch
        return self.table.interpreted or batch > _LONG_BATCH or (batch > 1 and self._slow_calls > 1)

    def _run_kernel(self, last: int, schedule: Schedule, max_nodes: int) -> None:
        """Run up to iteration ``last`` by the compiled loop, or until there is no room, which is then made."""
        (worker,) = self.workers
        iterations_before = int(self.place[ITERATION])
        began = time.perf_counter()
        turns = (self.sampling.batch, self.table.players, self.alternating, self._histories_of_deal)
        limits = (last, max_nodes)
        source = worker.source
        sampler = self._sampler(0)
        outcome = update.iterate(source, sampler, self.touched, schedule, turns, self.place, limits)
        if outcome == update.OUT_OF_RECORDS:
            self._double_records(worker)
        elif outcome == update.OUT_OF_SLOTS:
            self._double_slots()
        elif time.perf_counter() - began > _SLOW * (self.place[ITERATION] - iterations_before):
            self._slow_calls += 1
        else:
            self._slow_calls = 0

    @property
    def _histories_of_deal(self) -> int:
        """Histories that a traversal counts beside its records: those of a deal that is drawn."""
        if self.plan.chance == ONE:
            return self.table.more_histories
        return 0

    def stages(self, schedule: Schedule) -> Iterator[Stage]:
        """Run one iteration as the compiled loop does, with a stop after each stage."""
        # These are the calls of update.iterate in the same order. The loop is there twice because
        # Python between the stages takes 50 µs a turn: an iteration of external sampling on Kuhn
        # poker would take 110 µs instead of 0.3.
        t = int(self.place[ITERATION])
        while self.place[PLAYER] < self.table.players:
            player = int(self.place[PLAYER])
            end = self.draw_turn(t, player)
            self.insert_infosets(player, 0, (0, end))
            yield Stage(DRAWN, player, self.workers[0].records[:end])
            update.begin_turn(self.table.slots, schedule, player, t)
            self._accumulate(schedule, player, t, end)
            self.place[NODES] += end + self.sampling.batch * self._histories_of_deal
            yield Stage(ACCUMULATED, player, self.workers[0].records[:0])
            if self.alternating:
                self._update_strategies(schedule, t)
            self.place[PLAYER] += 1
        self._update_strategies(schedule, t)
        self.place[PLAYER] = 0
        self.place[ITERATION] += 1

    def draw_turn(self, t: int, player: int) -> int:
        """Draw the batch of one turn, if it is long in parts, between which it may be stopped; return where its samples
        end.
        """
        worker = self.workers[0]
        kernel = self._kernel(draw.draw_batch)
        first = (t * self.table.players + player) * self.sampling.batch
        traversals = remaining = range(first, first + self.sampling.batch)
        end = 0
        while remaining:
            began = time.perf_counter()
            part = remaining[: self._part]
            self._interruptible = self.table.interpreted
            try:
                end = int(
                    kernel(worker.source, self._sampler(0), player, part.start, len(part), end)
                )
            finally:
                self._interruptible = False
            remaining = remaining[len(part) :]
            if end < 0:  # the samples so far go with the records
                self._double_records(worker)
                remaining = traversals
                end = 0
            short = time.perf_counter() - began < _SLOW / 2
            if short:
                self._part = min(2 * self._part, self.sampling.batch)
            else:
                self._part = max(1, self._part // 2)
            if remaining:
                self._poll()
        return end

    def interrupt(self) -> None:
        if self._interruptible:
            raise DrawingStoppedError

    def _poll(self) -> None:
        if self._should_stop():
            raise DrawingStoppedError

    def insert_infosets(self, player: int, k: int, span: tuple[int, int]) -> None:
        """Give slots to the infosets that samples of worker k have met for the first time."""
        count_new = self._kernel(update.count_new)
        insert = self._kernel(update.insert_infosets)
        while (new := count_new(self.workers[k].source, self._sampler(k), span)) < 0:
            self._double_slots()
        if new > 0:
            insert(self.workers[k].source, self._sampler(k), player, span)

    def _accumulate(self, schedule: Schedule, player: int, t: int, end: int) -> None:
        sampler = self._sampler(0)
        source = self.workers[0].source
        m = int(self.place[TOUCHED])
        self.place[TOUCHED] = update.accumulate(sampler, self.touched, schedule, player, t, end, m)
        if self.plan.baseline != NO_BASELINE:
            self._kernel(update.add_expected)(source, sampler, player, end)
            self._kernel(update.update_baseline)(source, sampler, player, end)

    def _update_strategies(self, schedule: Schedule, t: int) -> None:
        update.update_strategies(
            self.table.slots, self.touched, schedule, t, int(self.place[TOUCHED])
        )
        self.place[TOUCHED] = 0

    def _sampler(self, worker: int) -> Sampler:
        return self.workers[worker].sampler(self.baseline, self.plan)

    def _kernel(self, kernel: Any) -> Any:
        """Return a kernel that asks the source; a source of Python is asked by the kernel's Python function."""
        if self.table.interpreted:
            return getattr(kernel, "py_func", kernel)
        return kernel

    def _double_records(self, worker: Worker) -> None:
        """Double the room for the samples of a worker, which are gone."""
        records = 2 * len(worker.records)
        self._check_memory(
            3 * self.nbytes + 3 * sum(worker.nbytes for worker in self.workers), records
        )
        try:
            worker.make_room(records)
            self.make_room_for_touched()
        except MemoryError:
            raise MemoryLimitError from None

    def make_room_for_touched(self) -> None:
        """Make room for as many infosets as all players together can touch in an iteration."""
        rows = self.table.players * sum(len(worker.records) for worker in self.workers)
        if rows > len(self.touched):
            self.touched = np.concatenate(
                [self.touched, np.zeros((rows - len(self.touched), 2), np.int64)]
            )

    def pending(self) -> NDArray[np.int64]:
        return self.touched[: self.place[TOUCHED]]

    def set_pending(self, rows: NDArray[np.int64]) -> None:
        self.touched = np.concatenate([rows, self.touched])

    def _double_slots(self) -> None:
        # While growing, the old and the double are there.
        self._check_memory(3 * self.nbytes, 2 * len(self.table.slots.strategy))
        try:
            self.table.grow()
            more = self.baseline_rows - len(self.baseline)
            self.baseline = np.concatenate(
                [self.baseline, np.zeros((max(0, more), self.table.players))]
            )
        except MemoryError:
            raise MemoryLimitError from None
        self.renew_sources()

    def renew_sources(self) -> None:
        for worker in self.workers:
            worker.source = self.table.source(worker.source)

    def _check_memory(self, nbytes: int, numbered: int) -> None:
        """Refuse more bytes than are allowed, and more of anything than 32 bits can number."""
        limit = self.sampling.gigabytes
        if (limit is not None and nbytes > limit * 1e9) or numbered > MOST_SLOTS:
            raise MemoryLimitError

    @property
    def nbytes(self) -> int:
        return self.table.nbytes + self.baseline.nbytes

    @property
    def baseline_rows(self) -> int:
        if self.sampling.baseline is None:
            return 0
        if self.sampling.baseline == "history":
            return self.table.histories
        return len(self.table.slots.strategy)
