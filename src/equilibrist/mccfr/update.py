"""Kernels that add samples to the table of infosets, and the loop of iterations that is made of them.

One turn of a player is: draw a batch (:mod:`equilibrist.mccfr.draw`), give slots to new infosets,
accumulate instant regrets and averages, let baselines follow, and update the strategies of the
infosets that were touched.

Arguments are those of :mod:`equilibrist.mccfr.draw`; ``schedule`` is a
:class:`~equilibrist.mccfr.records.Schedule`, ``t`` an iteration of its block, ``end`` the end of
the samples, and the first ``m`` rows of ``touched`` hold the first slot and the number of actions
of the infosets touched since the last update.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math

import numpy as np

from .._jit.compile import compiled, inlined
from ..cfr.minimiser import (
    add_share,
    next_probability,
    no_shares,
    reference_value,
    rule_of_infoset,
    rule_with,
    update_regret,
)
from ..form.walk.slots import UNKNOWN
from ..game.protocol import CHANCE, TERMINAL
from .draw import draw_batch, expected_value
from .records import (
    ALL,
    BY_HISTORY,
    BY_INFOSET,
    LAZY,
    NO_BASELINE,
    OPPONENT,
    OPTIMISTIC,
    STOCHASTIC,
)
from .source import child, insert_infoset, new_infosets

DONE, OUT_OF_RECORDS, OUT_OF_SLOTS = range(3)
ITERATION, PLAYER, TOUCHED, NODES = range(4)


@compiled(allocates=False, nogil=True)
def iterate(source, sampler, touched, schedule, turns, place, limits):
    """Run iterations until a limit is met or there is no room; say which.

    ``turns`` are the traversals of a turn, the number of players, whether they update in turn, and
    how many histories a traversal counts beside its records
    (:attr:`~equilibrist.mccfr.table.InfosetTable.more_histories`). ``place`` holds the iteration,
    the player, the infosets touched so far and the histories touched in all. ``limits`` are the
    last iteration and the most histories touched. A turn for which there is no room leaves
    everything as it was, to be begun again.
    """
    batch, players, alternating, more = turns
    last, max_nodes = limits
    t = place[ITERATION]
    player = place[PLAYER]
    m = place[TOUCHED]
    nodes = place[NODES]
    # a literal 0 would have the kernel compiled once more
    outcome = DONE
    start = np.int64(0)
    while t <= last and (player > 0 or nodes < max_nodes):
        end = draw_batch(source, sampler, player, (t * players + player) * batch, batch, start)
        if end < 0:
            outcome = OUT_OF_RECORDS
            break
        new = new_infosets(source, sampler.records, sampler.slots, (start, end))
        if new < 0:
            outcome = OUT_OF_SLOTS
            break
        if new > 0:
            insert_infosets(source, sampler, player, (start, end))
        begin_turn(sampler.slots, schedule, player, t)
        m = accumulate(sampler, touched, schedule, player, t, end, m)
        if sampler.plan.baseline != NO_BASELINE:
            add_expected(source, sampler, player, end)
            update_baseline(source, sampler, player, end)
        nodes += end + batch * more
        player += 1
        if alternating or player == players:
            update_strategies(sampler.slots, touched, schedule, t, m)
            m = 0
        if player == players:
            t = t + 1
            player = 0
    place[ITERATION] = t
    place[PLAYER] = player
    place[TOUCHED] = m
    place[NODES] = nodes
    return outcome


@compiled(allocates=False)
def count_new(source, sampler, span):
    """Return how many histories are at infosets without a slot, or -1 if there are too few slots for them."""
    return new_infosets(source, sampler.records, sampler.slots, span)


@compiled(allocates=False, inline=True)
def insert_infosets(source, sampler, player, span):
    """Give slots to infosets met for the first time, in records ``span[0] … span[1] - 1``, where samples need them."""
    records = sampler.records
    plan = sampler.plan
    for k in range(span[0], span[1]):
        if records[k].mover < 0 or records[k].slot != UNKNOWN:
            continue
        if records[k].mover == player or plan.average == OPPONENT or plan.baseline == BY_INFOSET:
            slot = np.int64(insert_infoset(source, records, k))
            count = np.int64(records[k].num_actions)
            records[k].slot = slot
            for s in range(slot, slot + count):  # a second time, if the sample has met it twice
                sampler.slots.strategy[s] = 1.0 / count


@compiled(allocates=False, inline=True)
def begin_turn(slots, schedule, player, t):
    """Add the weight of iteration t to the average at the player's empty sequence."""
    slots.strategy_sum[player] += schedule.weight[t - schedule.start]


@compiled(allocates=False, inline=True)
def accumulate(sampler, touched, schedule, player, t, end, m):
    """Add regrets and average strategy of a sample to the slots, and rows to ``touched``; return how many there are."""
    slots = sampler.slots
    records = sampler.records
    plan = sampler.plan
    weight = schedule.weight[t - schedule.start]
    for k in range(end):
        record = records[k]
        if record.mover == TERMINAL:
            continue
        take_over_from_parent(sampler, player, k)
        if record.mover == CHANCE:
            continue
        slot = np.int64(record.slot)
        count = np.int64(record.num_actions)
        if record.mover != player:
            if plan.average == OPPONENT:
                add_others(slots, weight * record.cf_weight, slot, count)
            continue
        infoset = slot, count, np.int64(record.parent_slot)
        m = visit(slots, touched, schedule, t, infoset, m)
        if plan.average != OPPONENT:
            add_own(slots, plan, player, infoset, weight * record.own_reach, record.own_reach)
        add_regrets(sampler, k)
    return m


@inlined
def visit(slots, touched, schedule, t, infoset, m):
    """Bring an infoset (first slot, actions, slot before) to iteration t where it is met first; return the rows
    touched.
    """
    slot, count, parent_slot = infoset
    if slots.updated[slot] == t:
        return m
    if schedule.decays:
        decay(slots, slot, count, schedule, t)
    slots.updated[slot] = t
    slots.parent_slot[slot] = parent_slot
    touched[m, 0] = slot
    touched[m, 1] = count
    for s in range(slot, slot + count):
        slots.instant_regret[s] = 0.0
    return m + 1


@inlined
def add_others(slots, weight, slot, count):
    """Add the strategy at an infoset of another player to the average, with a weight."""
    for s in range(slot, slot + count):
        slots.strategy_sum[s] += weight * slots.strategy[s]


@inlined
def add_own(slots, plan, player, infoset, share, own_reach):
    """Add the strategy at an infoset of the updating player to the average: with ``share``, or what has gone by."""
    slot, count, parent_slot = infoset
    if plan.average != STOCHASTIC:  # for all iterations since the last visit
        parent_sum = slots.strategy_sum[parent_slot if plan.average == LAZY else player]
        share = parent_sum - slots.parent_sum[slot]
        slots.parent_sum[slot] = parent_sum
        if plan.average == OPTIMISTIC:
            share *= own_reach
    for s in range(slot, slot + count):
        slots.strategy_sum[s] += share * slots.strategy[s]


@inlined
def take_over_from_parent(sampler, player, k):
    """Fill in what the average needs of the updating player's path to history k: last action, or own reach."""
    records = sampler.records
    plan = sampler.plan
    record = records[k]
    parent = records[record.parent]
    if plan.average == LAZY:
        if record.parent == k:
            record.parent_slot = player
        elif parent.mover == player:
            record.parent_slot = parent.slot + record.action
        else:
            record.parent_slot = parent.parent_slot
    elif plan.average != OPPONENT:
        if record.parent == k:
            record.own_reach = 1.0
        else:
            record.own_reach = parent.own_reach
            if parent.mover == player:
                record.own_reach *= sampler.slots.strategy[parent.slot + record.action]


@inlined
def add_regrets(sampler, k):
    """Add the sampled instant regrets of one history, but for what baselines expect."""
    instant_regret = sampler.slots.instant_regret
    records = sampler.records
    record = records[k]
    if sampler.plan.updating != ALL:
        for s in range(record.slot, record.slot + record.num_actions):
            instant_regret[s] -= record.cf_weight * record.value
    for c in range(record.first_child, record.first_child + record.num_sampled):
        instant_regret[record.slot + records[c].action] += sampled_regret(sampler, record, c)


@inlined
def sampled_regret(sampler, record, c):
    """Return the instant regret of a sampled move; where moves are drawn, plus the value that all moves are less by."""
    move = sampler.records[c]
    if sampler.plan.updating == ALL:
        return record.cf_weight * (move.value - record.value)
    # cf_weight of the move = cf_weight here ÷ probability of having been drawn
    return move.cf_weight * (move.value - move.baseline)


@compiled(allocates=False, inline=True)
def add_expected(source, sampler, player, end):
    """Add to the instant regrets what baselines expect of each move, followed or not."""
    for k in range(end):
        if sampler.records[k].mover == player and sampler.plan.updating != ALL:
            add_expected_at(source, sampler, player, k)


@inlined
def add_expected_at(source, sampler, player, k):
    """Do so for one history."""
    record = sampler.records[k]
    for n in range(record.num_actions):
        expected = expected_value(source, sampler, player, k, n)
        sampler.slots.instant_regret[record.slot + n] += record.cf_weight * expected


@inlined
def baseline_number(source, records, plan, k):
    """Return the number of the baseline that follows the value of history k, or -1 where none does."""
    parent = np.int64(records[k].parent)
    n = records[k].action
    if parent == k:
        return np.int64(-1)
    if plan.baseline == BY_HISTORY:
        return np.int64(child(source, records, parent, n))
    if records[parent].mover == CHANCE or records[parent].slot == UNKNOWN:
        return np.int64(-1)
    return np.int64(records[parent].slot) + n


@compiled(allocates=False, inline=True)
def update_baseline(source, sampler, player, end):
    """Let baselines follow the new estimates."""
    records = sampler.records
    plan = sampler.plan
    baseline = sampler.baseline
    for k in range(end):
        i = baseline_number(source, records, plan, k)
        if i < 0:
            continue
        baseline[i, player] += plan.rate * (records[k].value - baseline[i, player])


@compiled(allocates=False, inline=True)
def update_strategies(slots, touched, schedule, t, m):
    """Add the instant regrets to the sums of the infosets touched, and make their next strategies."""
    # Sums have been discounted already, when the infosets were touched.
    rule = rule_with(schedule.rules, t - schedule.start - 1, 1.0, 1.0)
    for i in range(m):
        slot = touched[i, 0]
        count = touched[i, 1]
        uniform = 1.0 / count
        sum_values = 0.0
        total = no_shares(rule, 0.0)
        local = rule_of_infoset(rule, count)
        for s in range(slot, slot + count):
            sum_values += slots.instant_regret[s]
        # Values less that of the strategy: this is 0.
        reference = reference_value(local, 0.0, sum_values, uniform)
        for s in range(slot, slot + count):
            regret, share = update_regret(
                local, slots.regret_sum[s], slots.instant_regret[s] - reference
            )
            slots.regret_sum[s] = regret
            slots.strategy[s] = share
            total = add_share(rule, total, share)
        for s in range(slot, slot + count):
            slots.strategy[s] = next_probability(local, slots.strategy[s], total, uniform)


@inlined
def _discount_product(mantissa, exponent, since, now):
    """Return the product of the discounts of iterations since + 1 … now of a block."""
    if mantissa[since] == 0.0:
        return 0.0
    return math.ldexp(mantissa[now] / mantissa[since], int(exponent[now] - exponent[since]))


@compiled(allocates=False, inline=True, entry=False)
def decay(slots, slot, count, schedule, t):
    """Bring the regret sums of an infoset from its last update to iteration t."""
    now = t - schedule.start
    since = max(slots.updated[slot] - schedule.start, 0)
    positive = _discount_product(schedule.positive, schedule.positive_exponent, since, now)
    negative = _discount_product(schedule.negative, schedule.negative_exponent, since, now)
    for s in range(slot, slot + count):
        slots.regret_sum[s] *= positive if slots.regret_sum[s] > 0.0 else negative


@compiled(allocates=False)
def flush_decay(slots, first, count, schedule, t):
    """Bring the regret sums of all infosets to iteration t."""
    for i in range(len(first)):
        if slots.updated[first[i]] > 0:
            decay(slots, np.int64(first[i]), np.int64(count[i]), schedule, t)
            slots.updated[first[i]] = t


@compiled(allocates=False)
def add_pending(slots, first, count, sums):
    """Add to the sums of the average strategy what lazy averages have not yet added. Infosets above come first."""
    for i in range(len(first)):
        slot = np.int64(first[i])
        if slots.updated[slot] > 0:
            share = sums[slots.parent_slot[slot]] - slots.parent_sum[slot]
            for s in range(slot, slot + np.int64(count[i])):
                sums[s] += share * slots.strategy[s]


@compiled(allocates=False)
def normalise(first, count, sums, strategy):
    """Fill ``strategy`` with each infoset's share of its sums; uniform where an infoset has none."""
    for i in range(len(first)):
        slot = np.int64(first[i])
        end = np.int64(first[i]) + np.int64(count[i])
        total = 0.0
        for s in range(slot, end):
            total += sums[s]
        for s in range(slot, end):
            if total > 0.0:
                strategy[s] = sums[s] / total
            else:
                strategy[s] = 1.0 / count[i]
