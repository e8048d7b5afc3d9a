"""Actors that draw samples: each its share of every batch, by the driver's strategy, summed up by infoset."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._jit.compile import compiled
from .._util.arrays import Floats, Ints, offsets
from ..cfr.algorithms import Algorithm
from ..cfr.regret_matching import REGRET_MATCHING
from ..mccfr.draw import draw_batch
from ..mccfr.iterations import Worker
from ..mccfr.records import BLOCK, Plan, Schedule, Slots, make_schedule, make_slots
from ..mccfr.table import Samples
from ..mccfr.update import accumulate

_TRAVERSALS = 64
"""Traversals that are drawn before they are added up, so that few records are kept."""


class Rows(NamedTuple):
    """Infosets, and a number for each of their actions, as messages carry them.

    Attributes
    ----------
    infosets : int64 array, shape (rows, 2)
        The first slot and the number of actions of each.
    numbers : float64 array, shape (actions of all rows,)
        One after the other.
    """

    infosets: Ints
    numbers: Floats


NO_ROWS = Rows(np.zeros((0, 2), np.int64), np.zeros(0))


class Turn(NamedTuple):
    """What an actor draws in the turn of a player.

    Attributes
    ----------
    iteration, player : int
        Whose regrets are estimated, and when.
    first, traversals : int
        The number of the first traversal, and how many there are.
    """

    iteration: int
    player: int
    first: int
    traversals: int


class Share(NamedTuple):
    """What the samples of an actor come to.

    Attributes
    ----------
    regrets : Rows
        Sampled instant regrets of the updating player's infosets.
    sums : Rows
        What is added to the average strategy of the other's.
    drawn : int
        Histories.
    """

    regrets: Rows
    sums: Rows
    drawn: int


class SampledTable:
    """The table of an actor: the strategy of the driver, and sums of one turn. What workers ask of a table."""

    def __init__(self, samples: Samples, slots: int) -> None:
        self.samples = samples
        self.moves = samples.moves
        self.slots: Slots = make_slots(slots)

    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source of the samples."""
        return self.samples.source(old, records=records)


class SamplingActor:
    """Draws shares of batches with the strategy that the driver sends.

    A turn depends on nothing but its numbers, that strategy and the pool: it can be repeated.

    Parameters
    ----------
    samples : Samples
        What is drawn from.
    infosets, slots : int
        Sizes of the driver's table.
    plan : Plan
        The sampling.
    algorithm : Algorithm
        Of which the weights of averages count.
    seed : int
        Of the draws; with the number of a traversal it decides them.
    """

    def __init__(
        self,
        samples: Samples,
        *,
        infosets: int,
        slots: int,
        plan: Plan,
        algorithm: Algorithm,
        seed: int,
    ) -> None:
        self._table = SampledTable(samples, slots)
        self._worker = Worker(self._table, seed)
        self._plan = plan
        self._algorithm = algorithm
        self._schedule: Schedule | None = None
        self._updated = np.zeros((infosets, 2), np.int64)
        self._others = np.zeros((infosets, 2), np.int64)
        self._is_listed = np.zeros(slots, np.bool_)

    def take_over(self, strategy: Floats, pool: Any) -> None:
        """Take the whole strategy of the driver, shape (slots,), and its pool."""
        self._table.slots.strategy[:] = strategy
        self._table.samples.take_pool(pool)

    def draw(self, turn: Turn, news: Rows, pool: Any) -> Share:
        """Return what the traversals of a turn come to.

        Parameters
        ----------
        turn : Turn
            Which they are.
        news : Rows
            The strategy at infosets where it is another one than before.
        pool : optional
            The pool, where it is another one.
        """
        slots = self._table.slots
        slots.strategy[slots_of(news.infosets)] = news.numbers
        if pool is not None:
            self._table.samples.take_pool(pool)
        schedule = self._find_schedule(turn.iteration)
        no_baseline = np.zeros((0, 2))
        updated = others = drawn = 0
        number = turn.first
        last = turn.first + turn.traversals
        while number < last:
            sampler = self._worker.sampler(no_baseline, self._plan)
            count = min(_TRAVERSALS, last - number)
            end = draw_batch(self._worker.source, sampler, turn.player, number, count, 0)
            if end < 0:
                self._worker.make_room(2 * len(self._worker.records))
                continue
            updated = accumulate(
                sampler, self._updated, schedule, turn.player, turn.iteration, end, updated
            )
            others = list_others(
                sampler.records, turn.player, end, self._is_listed, self._others, others
            )
            drawn += int(end)
            number += count
        regrets = take_rows(slots.instant_regret, self._updated[:updated])
        slots.updated[regrets.infosets[:, 0]] = 0
        sums = take_rows(slots.strategy_sum, self._others[:others])
        self._is_listed[sums.infosets[:, 0]] = False
        return Share(regrets, sums, drawn)

    def _find_schedule(self, iteration: int) -> Schedule:
        """Return the scalars of an iteration; no regret sum is here that would be discounted."""
        start = (iteration - 1) // BLOCK * BLOCK
        if self._schedule is None or self._schedule.start != start:
            schedule = make_schedule(self._algorithm, start, 0.0, REGRET_MATCHING)
            self._schedule = schedule._replace(decays=False)
        return self._schedule


def slots_of(infosets: Ints) -> Ints:
    """Return the slots of the actions of infosets, one after the other; infosets as in :class:`Rows`."""
    counts = infosets[:, 1]
    first_places = offsets(counts)[:-1]
    return np.repeat(infosets[:, 0] - first_places, counts) + np.arange(counts.sum())


def copy_rows(table: Floats, infosets: Ints) -> Rows:
    """Return the numbers of infosets in a table."""
    return Rows(infosets.copy(), table[slots_of(infosets)])


def take_rows(table: Floats, infosets: Ints) -> Rows:
    """Return the numbers of infosets in a table, where they become 0."""
    rows = copy_rows(table, infosets)
    table[slots_of(infosets)] = 0.0
    return rows


@compiled(allocates=False)
def list_others(records, player, end, is_listed, rows, count):
    """Add the other player's infosets in a sample, if not listed yet, to rows; return how many there are."""
    for k in range(end):
        record = records[k]
        if record.mover < 0 or record.mover == player or is_listed[record.slot]:
            continue
        is_listed[record.slot] = True
        rows[count, 0] = record.slot
        rows[count, 1] = record.num_actions
        count += 1
    return count
