"""Iterations of Monte Carlo CFR in several threads, which share the samples of a batch, then the infosets.

One thread has a loop of its own (:func:`~equilibrist.mccfr.update.iterate`), which adds to the
slots from the records: this one takes 1.25 times as long with one thread and a batch of 64 on Leduc
poker, and 3.5 times without one on Kuhn.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, inlined
from .._jit.simd import padded, zeros
from .._jit.thread_team import (
    ThreadTeam,
    atomic_add,
    atomic_load,
    atomic_store,
    barrier,
    finish_item,
    finished_last,
    next_item,
)
from .additions import NEW_INFOSET, NO_ROOM, Additions, add_up, make_words, shard_number, write
from .draw import draw_batch
from .iterations import Iterations, Stage
from .records import NO_BASELINE, Schedule
from .update import (
    ITERATION,
    NODES,
    PLAYER,
    TOUCHED,
    begin_turn,
    count_new,
    insert_infosets,
    update_strategies,
)

# for each thread, at the least
_SHARDS = 4
_PARTS = 16
_LONG_PART = 1 << 10
_MOST_PARTS = 1 << 12
_FIRST_WORDS = 1 << 10
_FEW_RECORDS = 256  # of samples, which are written down at a time while they are in the cache
_CALL = 1 << 22  # histories drawn, after which somebody may stop the run

GOES_ON, DONE, OUT_OF_RECORDS, OUT_OF_WORDS, OUT_OF_ROWS, OUT_OF_SLOTS, PAUSED = range(7)
_LACK = 0
_DRAWN = 1
_IN_CALL = 2
_NEW = 3
_ALONE = 4
_OUTCOME = 8


@compiled(allocates=False, nogil=True)
def run_turns(source, sampler, additions, team, schedule, turns, progress, limits):
    """Run turns until a limit is met or something is missing; each thread calls this once.

    ``turns`` are the number of the thread and the ``turns`` of
    :func:`~equilibrist.mccfr.update.iterate`; ``progress`` is the ``place`` of that, and counters
    that threads share. After the third of ``limits``, so many histories drawn, somebody is asked
    whether to go on.
    """
    thread, batch, players, alternating, more = turns
    place, counters = progress
    sizes = batch, players, limits[2]
    # a literal would have draw_part compiled once for False and once for True
    alone = np.bool_(False)
    while True:
        part = next_item(team)
        while part >= 0:
            # Most samples meet new infosets: they are drawn once, by one thread.
            if counters[_ALONE]:
                additions.new[part] = additions.thread[part] < 0
            elif (
                additions.thread[part] < 0
                and not additions.new[part]
                and atomic_load(counters, _LACK) == 0
            ):
                lack = draw_part(
                    source, sampler, additions, counters, place, (thread, part, alone), sizes
                )
                if lack != GOES_ON:
                    atomic_store(counters, _LACK, lack)
            finish_item(team)
            part = next_item(team)
        if finished_last(team):
            counters[_OUTCOME] = _end_drawing(
                source, sampler, additions, counters, place, thread, sizes
            )
            if counters[_OUTCOME] == GOES_ON:
                begin_turn(sampler.slots, schedule, place[PLAYER], place[ITERATION])
        barrier(team)
        if counters[_OUTCOME] != GOES_ON:
            return
        part = next_item(team)
        while part >= 0:
            if part < len(additions.num_touched):
                t = place[ITERATION]
                player = place[PLAYER]
                add_up(sampler, additions, schedule, t, player, part)
                if alternating or player == players - 1:
                    m = additions.num_touched[part]
                    update_strategies(sampler.slots, additions.touched[part], schedule, t, m)
                    additions.num_touched[part] = 0
            finish_item(team)
            part = next_item(team)
        if finished_last(team):
            place[NODES] += counters[_DRAWN] + batch * more
            counters[_ALONE] = 2 * counters[_NEW] > min(batch, team.items)
            counters[_OUTCOME] = _end_turn(additions, counters, place, players, limits)
        barrier(team)
        if counters[_OUTCOME] != GOES_ON:
            return


@compiled(allocates=False, entry=False)
def draw_part(source, sampler, additions, counters, place, which, sizes):
    """Draw the traversals of a part of a batch, and write down what they add; say what is missing.

    ``which`` are the thread, the part, and whether the thread is alone, so that it may enter new
    infosets; ``sizes`` the batch, the players, and the histories that may be drawn in a call.
    """
    thread, part, alone = which
    batch, players, most_records = sizes
    player = place[PLAYER]
    parts = len(additions.thread)
    filled = additions.filled[thread]
    first = (place[ITERATION] * players + player) * batch
    last = first + batch * (part + 1) // parts
    _copy_numbers(filled, additions.begin[part])
    # literals of 0 and 1 would have what is called here compiled once more
    start = np.int64(0)
    single = np.int64(1)
    end = np.int64(0)
    drawn = np.int64(0)
    lack = GOES_ON
    entered = False
    for number in range(first + batch * part // parts, last):
        begin = end
        end = draw_batch(source, sampler, player, number, single, begin)
        if end < 0:
            return OUT_OF_RECORDS
        drawn += end - begin
        if number + 1 < last and end < _FEW_RECORDS:
            continue
        if alone:
            new = count_new(source, sampler, (start, end))
            if new < 0:
                lack = OUT_OF_SLOTS
                break
            if new > 0:
                insert_infosets(source, sampler, player, (start, end))
                entered = True
        written = write(source, sampler, additions, thread, player, (start, end))
        if written == NO_ROOM:
            return OUT_OF_WORDS
        if written == NEW_INFOSET:
            additions.new[part] = True
            break
        end = 0
    if lack != GOES_ON or (additions.new[part] and not alone):
        _copy_numbers(additions.begin[part], filled)
    else:
        _copy_numbers(filled, additions.end[part])
        additions.thread[part] = thread
        atomic_add(counters, _DRAWN, drawn)
        if entered:  # by a thread that is alone
            counters[_NEW] += 1
    paused = atomic_add(counters, _IN_CALL, drawn) > most_records
    if paused and lack == GOES_ON:
        return PAUSED
    return lack


@inlined
def _draw_again(source, sampler, additions, counters, place, thread, sizes):
    """Draw the parts again that have met new infosets, in their order, and enter these; say what is missing."""
    alone = np.bool_(True)
    for part in range(len(additions.thread)):
        if additions.thread[part] < 0:
            lack = draw_part(
                source, sampler, additions, counters, place, (thread, part, alone), sizes
            )
            if lack != GOES_ON:
                return lack
    return GOES_ON


@inlined
def _copy_numbers(numbers, target):
    for i in range(len(numbers)):
        target[i] = numbers[i]


@inlined
def _end_drawing(source, sampler, additions, counters, place, thread, sizes):
    """Return what is missing for adding up what was drawn."""
    lack = counters[_LACK]
    if lack == GOES_ON:
        lack = _draw_again(source, sampler, additions, counters, place, thread, sizes)
    if lack != GOES_ON:
        return lack
    infosets = len(sampler.slots.strategy)
    for shard in range(len(additions.num_touched)):
        rows = np.int64(0)
        for k in range(len(additions.filled)):
            rows += additions.filled[k, shard] // 2  # an infoset has two words or more
        if min(additions.num_touched[shard] + rows, infosets) > additions.touched.shape[1]:
            return OUT_OF_ROWS
    return GOES_ON


@inlined
def _end_turn(additions, counters, place, players, limits):
    """Go on to the next turn; say whether there is one."""
    forget_batch(additions, counters)
    place[PLAYER] += 1
    if place[PLAYER] == players:
        place[PLAYER] = 0
        place[ITERATION] += 1
        if place[ITERATION] > limits[0] or place[NODES] >= limits[1]:
            return DONE
    return GOES_ON


@inlined
def forget_batch(additions, counters):
    """Forget what was drawn."""
    additions.filled[:] = 0
    additions.thread[:] = -1
    additions.new[:] = 0
    counters[_DRAWN] = counters[_NEW] = 0


class ThreadedIterations(Iterations):
    """The state of iterating in several threads, as :class:`~equilibrist.mccfr.iterations.Iterations`."""

    def __init__(self, *settings: Any, threads: int, **options: Any) -> None:
        super().__init__(*settings, threads=threads, **options)
        parts = max(_PARTS * threads, min(self.sampling.batch // _LONG_PART, _MOST_PARTS))
        self._shards = _SHARDS * threads
        self._team = ThreadTeam(threads, parts)
        streams = padded(self._shards * (2 if self.plan.baseline == NO_BASELINE else 3))
        self._counters: NDArray[np.int64] = zeros(16, np.int64)
        self._additions = Additions(
            *make_words(threads, streams, _FIRST_WORDS),
            filled=zeros(threads * streams, np.int64).reshape(threads, streams),
            begin=zeros(parts * streams, np.int64).reshape(parts, streams),
            end=zeros(parts * streams, np.int64).reshape(parts, streams),
            thread=np.full(parts, -1, np.int64),
            new=np.zeros(parts, np.int64),
            touched=np.zeros((self._shards, 16, 2), np.int64),
            num_touched=np.zeros(self._shards, np.int64),
        )

    def make_room_for_touched(self) -> None:
        """Make no room: shards have rows of their own."""

    def stages(self, schedule: Schedule) -> Iterator[Stage]:
        """Refuse: threads do not stop between stages."""
        raise ValueError("The stages of an iteration are seen with one thread only.")

    def run_to(self, last: int, schedule: Schedule, max_nodes: int) -> None:
        forget_batch(self._additions, self._counters)
        while self.place[ITERATION] <= last and (
            self.place[PLAYER] > 0 or self.place[NODES] < max_nodes
        ):
            ready = self.table.prepare(int(self.place[ITERATION]))
            self._run_threads(min(last, ready), schedule, max_nodes)

    def _run_threads(self, last: int, schedule: Schedule, max_nodes: int) -> None:
        counters = self._counters
        counters[_LACK] = counters[_IN_CALL] = 0
        turns = self.sampling.batch, self.table.players, self.alternating, self._histories_of_deal
        progress = (self.place, counters)
        limits = (last, max_nodes, _CALL)
        members = self._team.members

        def run_in_thread(k: int) -> None:
            source = self.workers[k].source
            sampler = self._sampler(k)
            additions = self._additions
            run_turns(
                source, sampler, additions, members[k], schedule, (k, *turns), progress, limits
            )

        self._team.run(run_in_thread)
        self.place[TOUCHED] = self._additions.num_touched.sum()
        outcome = int(counters[_OUTCOME])
        if outcome == PAUSED:
            self._poll()
        elif outcome == OUT_OF_SLOTS:
            self._double_slots()
        elif outcome != DONE:
            self._make_room(outcome)
            forget_batch(self._additions, counters)

    def pending(self) -> NDArray[np.int64]:
        additions = self._additions
        return np.concatenate(
            [rows[:m] for rows, m in zip(additions.touched, additions.num_touched, strict=True)]
        )

    def set_pending(self, rows: NDArray[np.int64]) -> None:
        additions = self._additions
        touched = np.zeros((self._shards, len(rows) + additions.touched.shape[1], 2), np.int64)
        shards = [shard_number(additions, slot) for slot in rows[:, 0]]
        additions.num_touched[:] = 0
        # The strategy there is read until the shard is added up.
        for shard, row in zip(shards, rows, strict=True):
            touched[shard, additions.num_touched[shard]] = row
            additions.num_touched[shard] += 1
        self._additions = additions._replace(touched=touched)

    def _make_room(self, lack: int) -> None:
        additions = self._additions
        if lack == OUT_OF_RECORDS:
            for worker in self.workers:
                self._double_records(worker)
        elif lack == OUT_OF_WORDS:
            self._check_memory(3 * self.nbytes, 0)
            threads, streams = additions.filled.shape
            words, numbers = make_words(threads, streams, 2 * additions.words.shape[1] // streams)
            self._additions = additions._replace(words=words, numbers=numbers)
        else:
            shards, rows, pair = additions.touched.shape
            touched = np.zeros((shards, 2 * rows, pair), np.int64)
            touched[:, :rows] = additions.touched
            self._additions = additions._replace(touched=touched)
