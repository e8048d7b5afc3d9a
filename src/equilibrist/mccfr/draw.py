"""Kernels that draw samples and sum their values up.

A *sample* is a small piece of the game: records of histories
(:data:`~equilibrist.mccfr.records.SAMPLED_HISTORY`), each after its parent, so that walking them
forwards is top-down and backwards bottom-up. Drawing reads the table of infosets and changes
nothing in it: several samples may be drawn at the same time. A batch is several samples, drawn
against the same strategies, one after the other in the same records.

``source`` answers the questions of :mod:`equilibrist.mccfr.source`, ``sampler`` is a
:class:`~equilibrist.mccfr.records.Sampler`, ``player`` is the one to be updated, and ``k`` is the number of a record.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import numpy as np

from .._jit.compile import compiled, inlined
from .._jit.rng import begin, bernoulli, choose, evenly, of_deal, uniform
from ..form.walk.slots import UNKNOWN
from ..game.protocol import CHANCE
from .records import (
    ALL,
    BY_HISTORY,
    LOW_REGRET,
    NO_BASELINE,
    ONE,
    OPPONENT,
    PUBLIC,
    ZERO_REACH,
)
from .source import (
    chance_probability,
    child,
    is_public_chance,
    observe,
    prefetch,
    prefetch_next,
    public_outcome,
    set_root,
    step,
)


@compiled(allocates=False, inline=True)
def draw_batch(source, sampler, player, first, count, start):
    """Append ``count`` samples and their values, from traversal ``first`` on; return the end, or -1 for want of
    records.
    """
    end = start
    for number in range(first, first + count):
        begin(sampler.rng, number)
        end = draw(source, sampler, player, end)
        if end < 0:
            return -1
    back_up(sampler.records, start, end)
    return end


@inlined
def draw(source, sampler, player, start):
    """Append a sample for one player; return where it ends, or -1 if there are too few records for it."""
    records = sampler.records
    plan = sampler.plan
    rng = sampler.rng
    if start == len(records):
        return -1
    root = records[start]
    root.parent = start
    root.share = 0.0
    root.cf_weight = 1.0
    root.value = 0.0
    prune = plan.pruning == LOW_REGRET and uniform(rng) >= plan.revisit
    set_root(source, records, start)
    k = start
    end = start + 1
    while k < end:
        observe(source, records, k, player)
        prefetch_next(source, sampler.slots, records, k, end)
        record = records[k]
        if end + np.int64(record.num_actions) > len(records):
            return -1
        record.first_child = end
        if record.num_actions > 0:
            _fill_probabilities(source, sampler, k)
            if plan.baseline != NO_BASELINE:
                for n in range(record.num_actions):
                    record.value += rng.probability[n] * expected_value(
                        source, sampler, player, k, n
                    )
            if record.mover == player:
                end = _follow_updating(source, sampler, player, k, end, prune)
            else:
                end = _follow_others(source, sampler, player, k, end)
        record.num_sampled = end - record.first_child
        k += 1
    return end


@inlined
def _fill_probabilities(source, sampler, k):
    """Fill in the probability of each move of history k under the current strategies."""
    record = sampler.records[k]
    probability = sampler.rng.probability
    for n in range(record.num_actions):
        if record.mover == CHANCE:
            probability[n] = chance_probability(source, sampler.records, k, n)
        elif record.slot == UNKNOWN:
            probability[n] = 1.0 / record.num_actions
        else:
            probability[n] = sampler.slots.strategy[record.slot + n]


@inlined
def expected_value(source, sampler, player, k, n):
    """Return the baseline of move n of history k."""
    record = sampler.records[k]
    if sampler.plan.baseline == BY_HISTORY:
        return sampler.baseline[child(source, sampler.records, k, n), player]
    if record.mover == CHANCE or record.slot == UNKNOWN:
        return 0.0
    return sampler.baseline[record.slot + n, player]


@inlined
def _follow(source, sampler, player, k, n, end, share, cf_weight):
    """Append move n of history k to the sample; return the new end."""
    records = sampler.records
    new = records[end]
    new.parent = k
    new.action = n
    new.share = share
    new.cf_weight = cf_weight
    new.value = 0.0
    if sampler.plan.baseline != NO_BASELINE:
        new.baseline = expected_value(source, sampler, player, k, n)
        records[k].value -= share * new.baseline
    step(source, records, k, n, end)
    return end + 1


@inlined
def _follow_updating(source, sampler, player, k, end, prune):
    """Append the moves of the updating player that the plan says; return the new end of the sample."""
    record = sampler.records[k]
    plan = sampler.plan
    slots = sampler.slots
    rng = sampler.rng
    p = rng.probability
    q = rng.mixed
    count = np.int64(record.num_actions)
    _prefetch_sums(source, slots, plan, np.int64(record.slot))
    if plan.updating == ALL:
        for n in range(count):
            if prune and p[n] == 0.0 and slots.regret_sum[record.slot + n] < plan.prune_below:
                continue
            end = _follow(source, sampler, player, k, n, end, p[n], record.cf_weight)
        return end
    if plan.updating == ONE:
        for n in range(count):
            q[n] = plan.epsilon / count + (1.0 - plan.epsilon) * p[n]
        n = choose(q, 0, count, uniform(rng))
        return _follow(source, sampler, player, k, n, end, p[n] / q[n], record.cf_weight / q[n])
    _fill_average_shares(slots, record, plan, q)
    for n in range(count):
        if bernoulli(q[n], uniform(rng)):
            end = _follow(source, sampler, player, k, n, end, p[n] / q[n], record.cf_weight / q[n])
    return end


@inlined
def _prefetch_sums(source, slots, plan, slot):
    """Ask for what a sample is going to change at an infoset of the updating player, when it is drawn."""
    prefetch(source, slots.regret_sum, slot)
    prefetch(source, slots.instant_regret, slot)
    prefetch(source, slots.parent_slot, slot)
    prefetch(source, slots.updated, slot)
    if plan.average != OPPONENT:
        prefetch(source, slots.strategy_sum, slot)
        prefetch(source, slots.parent_sum, slot)


@inlined
def _fill_average_shares(slots, record, plan, q):
    """Fill in the probability with which each move is followed, by the average strategy so far (Gibson 2012)."""
    total = 0.0
    for n in range(record.num_actions):
        if record.slot == UNKNOWN:
            q[n] = 0.0
        else:
            q[n] = slots.strategy_sum[record.slot + n]
        total += q[n]
    for n in range(record.num_actions):
        if plan.beta + total > 0.0:
            q[n] = min(1.0, max(plan.epsilon, (plan.beta + plan.tau * q[n]) / (plan.beta + total)))
        else:  # nothing is known yet
            q[n] = 1.0


@inlined
def _chance_number(sampler, k):
    """Return the number in [0, 1) that decides the outcome of chance at history k."""
    plan = sampler.plan
    rng = sampler.rng
    even = plan.low_discrepancy != 0
    if plan.deal_batch > 0:
        # Traversals are numbered by iteration, player and place in the batch.
        players = sampler.baseline.shape[1]
        iteration = rng.number[0] // (players * plan.deal_batch)
        deal = iteration * plan.deal_batch + rng.number[0] % plan.deal_batch
        return of_deal(rng, deal, _count_chance_moves(sampler.records, k), even)
    if even:
        return evenly(rng)
    return uniform(rng)


@inlined
def _count_chance_moves(records, k):
    """Return how many outcomes of chance come before history k."""
    count = 0
    while records[k].parent != k:
        k = np.int64(records[k].parent)
        if records[k].mover == CHANCE:
            count += 1
    return count


@inlined
def _follow_others(source, sampler, player, k, end):
    """Append the moves of chance or of another player that the plan says; return the new end of the sample."""
    record = sampler.records[k]
    plan = sampler.plan
    rng = sampler.rng
    p = rng.probability
    count = np.int64(record.num_actions)
    mode = plan.chance if record.mover == CHANCE else plan.others
    if plan.average == OPPONENT and record.mover != CHANCE:
        prefetch(source, sampler.slots.strategy_sum, np.int64(record.slot))
    if mode == ONE:
        if record.mover == CHANCE:
            u = _chance_number(sampler, k)
        else:
            u = uniform(rng)
        n = choose(p, 0, count, u)
        return _follow(source, sampler, player, k, n, end, 1.0, record.cf_weight)
    if mode == PUBLIC and is_public_chance(source, sampler.records, k):
        n, q = public_outcome(source, sampler.records, k, uniform(rng), rng.number[0])
        if n >= 0:
            share = p[n] / q
            end = _follow(source, sampler, player, k, n, end, share, record.cf_weight * share)
        return end
    for n in range(count):
        if p[n] > 0.0 or plan.pruning != ZERO_REACH:
            end = _follow(source, sampler, player, k, n, end, p[n], record.cf_weight * p[n])
    return end


@compiled(allocates=False, inline=True)
def back_up(records, start, end):
    """Add the value of each history to that of its parent."""
    for k in range(end - 1, start - 1, -1):
        records[records[k].parent].value += records[k].share * records[k].value
