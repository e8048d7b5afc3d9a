"""Kernels that write down what samples add to the table of infosets, and that add it up later.

Several threads draw the samples of a batch. What they add is sorted by *shards*, sets of infosets,
so that one thread can add up all that belongs to a shard, in the order of the samples: each sum is
made of the same numbers in the same order as by one thread, and has the same bits. (Sorting the
records themselves would be shorter; but then the records of a whole batch go through memory, which
takes 10 to 20 % longer, and twice as long with batches of 16,384.)
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, inlined
from .._util.arrays import Floats
from ..form.walk.slots import UNKNOWN
from ..game.protocol import CHANCE, TERMINAL
from .draw import expected_value
from .records import (
    ALL,
    BY_INFOSET,
    LAZY,
    NO_BASELINE,
    NO_PRUNING,
    OPPONENT,
    OPTIMISTIC,
    STOCHASTIC,
)
from .update import (
    add_others,
    add_own,
    baseline_number,
    sampled_regret,
    take_over_from_parent,
    visit,
)

Ints = NDArray[np.int64]

WRITTEN, NO_ROOM, NEW_INFOSET = range(3)
# 2^5 slots that follow each other are in the same shard: few lines of the cache are written by two
# threads
_BLOCK = 5
_NO_ROOT = UNKNOWN


class Additions(NamedTuple):
    """What the samples of a batch add, in words of 64 bits.

    A *stream* is what one thread has written for one shard. A shard has a stream of the infosets of
    the updating player, one of those of the others, and where there are baselines one of what is
    added after all regrets.

    Attributes
    ----------
    words : int array, shape (threads, streams × words)
    numbers : float array
        The same memory.
    filled : int array, shape (threads, streams)
        How many words are written.
    begin : int array, shape (parts, streams)
        Where the words of each part of the batch begin in the streams of its thread.
    end : int array, shape (parts, streams)
        Where they end.
    thread : int array, shape (parts,)
        The thread that has drawn each part, or -1.
    new : int array, shape (parts,)
        Whether a part has met new infosets, so that nothing of it is written: it is drawn again, by
        one thread alone.
    touched : int array, shape (shards, rows, 2)
        First slot and number of actions of the infosets touched since the last update.
    num_touched : int array, shape (shards,)
    """

    words: Ints
    numbers: Floats
    filled: Ints
    begin: Ints
    end: Ints
    thread: Ints
    new: Ints
    touched: Ints
    num_touched: Ints


def make_words(threads: int, streams: int, words: int) -> tuple[Ints, Floats]:
    """Return room for so many words in each stream, as whole numbers and as floats."""
    memory: Any = np.zeros((threads, streams * words), np.int64)
    return memory, memory.view(np.float64)


@inlined
def shard_number(additions, slot):
    """Return the number of the shard to which a slot belongs."""
    mixed = ((np.int64(slot) >> _BLOCK) * np.int64(0x9E3779B1)) & np.int64(0xFFFFFFFF)
    return (mixed * len(additions.num_touched)) >> 32


@inlined
def _moves_are_drawn(plan):
    """Return whether a sample follows some of the updating player's moves only, so that it must say which."""
    return plan.updating != ALL or plan.pruning != NO_PRUNING


@inlined
def _has_number(plan):
    """Return whether an infoset has a number before its regrets: own reach, or what all its regrets are less by."""
    return plan.updating != ALL or plan.average in (STOCHASTIC, OPTIMISTIC)


@compiled(allocates=False, entry=False)
def write(source, sampler, additions, thread, player, span):
    """Write down what records ``span[0] … span[1] - 1`` add, unless there is no room or an infoset has no slot; say
    which.
    """
    records = sampler.records
    plan = sampler.plan
    words = additions.words[thread]
    numbers = additions.numbers[thread]
    filled = additions.filled[thread]
    shards = len(additions.num_touched)
    room = len(words) // len(filled)
    long = plan.average == LAZY or _moves_are_drawn(plan)
    numbered = _has_number(plan)
    for k in range(span[0], span[1]):
        record = records[k]
        if record.mover == TERMINAL:
            continue
        take_over_from_parent(sampler, player, k)
        # A sum of the average is read below: all infosets below a player's first one.
        if plan.average == LAZY:
            if record.parent != k:
                record.root = records[record.parent].root
            else:
                record.root = _NO_ROOT
            if record.mover == player and record.root == _NO_ROOT:
                record.root = record.slot
        if record.mover == CHANCE:
            continue
        slot = np.int64(record.slot)
        count = np.int64(record.num_actions)
        if slot == UNKNOWN and (
            record.mover == player or plan.average == OPPONENT or plan.baseline == BY_INFOSET
        ):
            return NEW_INFOSET
        if record.mover != player:
            if plan.average == OPPONENT:
                stream = shards + shard_number(additions, slot)
                at = stream * room + filled[stream]
                if filled[stream] + 2 > room:
                    return NO_ROOM
                words[at] = slot | (count << 32)
                numbers[at + 1] = record.cf_weight
                filled[stream] += 2
            continue
        stream = shard_number(additions, record.root if plan.average == LAZY else record.slot)
        sampled = np.int64(record.num_sampled)
        begin = at = stream * room + filled[stream]
        if filled[stream] + 3 + 2 * sampled > room:
            return NO_ROOM
        words[at] = slot | (count << 32)
        at += 1
        if long:
            words[at] = np.int64(record.parent_slot) | (sampled << 32)
            at += 1
        if numbered:
            if plan.updating == ALL:
                numbers[at] = record.own_reach
            else:
                numbers[at] = record.cf_weight * record.value
            at += 1
        filled[stream] += _write_regrets(sampler, words, numbers, k, at) - begin
    if plan.baseline != NO_BASELINE:
        return _write_expected(source, sampler, additions, thread, player, span)
    return WRITTEN


@inlined
def _write_regrets(sampler, words, numbers, k, at):
    """Write down the regrets of one history, and of which moves they are, unless of all; return where they end."""
    records = sampler.records
    drawn = _moves_are_drawn(sampler.plan)
    record = records[k]
    for c in range(record.first_child, record.first_child + record.num_sampled):
        numbers[at] = sampled_regret(sampler, record, c)
        at += 1
        if drawn:
            words[at] = records[c].action
            at += 1
    return at


@inlined
def _write_expected(source, sampler, additions, thread, player, span):
    """Write down what baselines expect of each move, followed or not, and what they are to follow."""
    records = sampler.records
    plan = sampler.plan
    words = additions.words[thread]
    numbers = additions.numbers[thread]
    filled = additions.filled[thread]
    shards = len(additions.num_touched)
    room = len(words) // len(filled)
    for k in range(span[0], span[1]):
        record = records[k]
        if record.mover == player and plan.updating != ALL:
            count = np.int64(record.num_actions)
            stream = 2 * shards + shard_number(
                additions, record.root if plan.average == LAZY else record.slot
            )
            at = stream * room + filled[stream]
            if filled[stream] + 1 + count > room:
                return NO_ROOM
            words[at] = np.int64(record.slot) | (count << 32)
            for n in range(count):
                numbers[at + 1 + n] = record.cf_weight * expected_value(
                    source, sampler, player, k, n
                )
            filled[stream] += 1 + count
        i = baseline_number(source, records, plan, k)
        if i < 0:
            continue
        stream = 2 * shards + shard_number(additions, i)
        at = stream * room + filled[stream]
        if filled[stream] + 2 > room:
            return NO_ROOM
        words[at] = ~i
        numbers[at + 1] = record.value
        filled[stream] += 2
    return WRITTEN


@compiled(allocates=False)
def add_up(sampler, additions, schedule, t, player, shard):
    """Add up all that was written down for a shard, in the order of the samples."""
    plan = sampler.plan
    shards = len(additions.num_touched)
    room = additions.words.shape[1] // additions.filled.shape[1]
    for kind in range(3):
        if (kind == 1 and plan.average != OPPONENT) or (kind == 2 and plan.baseline == NO_BASELINE):
            continue
        stream = kind * shards + shard
        for part in range(len(additions.thread)):
            thread = additions.thread[part]
            first = stream * room
            span = first + additions.begin[part, stream], first + additions.end[part, stream]
            if kind == 0:
                _add_regrets(sampler, additions, schedule, (t, player), (thread, shard), span)
            elif kind == 1:
                _add_averages(
                    sampler.slots, additions, schedule.weight[t - schedule.start], thread, span
                )
            else:
                _add_expected(sampler, additions, player, thread, span)


@inlined
def _add_regrets(sampler, additions, schedule, turn, which, span):
    """Add the instant regrets of a part of a batch, and the averages of the player, to the slots of a shard."""
    t, player = turn
    thread, shard = which
    slots = sampler.slots
    plan = sampler.plan
    words = additions.words[thread]
    numbers = additions.numbers[thread]
    touched = additions.touched[shard]
    weight = schedule.weight[t - schedule.start]
    drawn = _moves_are_drawn(plan)
    numbered = _has_number(plan)
    m = additions.num_touched[shard]
    at = span[0]
    while at < span[1]:
        slot = words[at] & 0xFFFFFFFF
        count = words[at] >> 32
        parent_slot = np.int64(0)
        sampled = count
        number = 0.0
        at += 1
        if drawn or plan.average == LAZY:
            parent_slot = words[at] & 0xFFFFFFFF
            sampled = words[at] >> 32
            at += 1
        if numbered:
            number = numbers[at]
            at += 1
        m = visit(slots, touched, schedule, t, (slot, count, parent_slot), m)
        if plan.average != OPPONENT:
            add_own(slots, plan, player, (slot, count, parent_slot), weight * number, number)
        if not drawn:
            for n in range(count):
                slots.instant_regret[slot + n] += numbers[at + n]
            at += count
            continue
        if plan.updating != ALL:
            for s in range(slot, slot + count):
                slots.instant_regret[s] -= number
        for n in range(sampled):
            slots.instant_regret[slot + words[at + 2 * n + 1]] += numbers[at + 2 * n]
        at += 2 * sampled
    additions.num_touched[shard] = m


@inlined
def _add_averages(slots, additions, weight, thread, span):
    """Add the strategies of the others in a part of a batch to the averages of a shard."""
    words = additions.words[thread]
    numbers = additions.numbers[thread]
    for at in range(span[0], span[1], 2):
        add_others(slots, weight * numbers[at + 1], words[at] & 0xFFFFFFFF, words[at] >> 32)


@inlined
def _add_expected(sampler, additions, player, thread, span):
    """Add what baselines expect to the slots of a shard, and let baselines follow the new estimates."""
    slots = sampler.slots
    baseline = sampler.baseline
    rate = sampler.plan.rate
    words = additions.words[thread]
    numbers = additions.numbers[thread]
    at = span[0]
    while at < span[1]:
        head = words[at]
        if head < 0:
            baseline[~head, player] += rate * (numbers[at + 1] - baseline[~head, player])
            at += 2
            continue
        slot = head & 0xFFFFFFFF
        count = head >> 32
        for n in range(count):
            slots.instant_regret[slot + n] += numbers[at + 1 + n]
        at += 1 + count
