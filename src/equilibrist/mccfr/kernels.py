"""How samples are drawn, backed up and added to the regrets: the kernels of Monte Carlo CFR.

A *sample* is a small piece of the game: records of histories (:data:`DRAWN`), each after the one that leads to it, so
that walking them forwards is top-down and backwards bottom-up. One turn of a player is four passes:

1. ``draw``      appends histories from the root down, following the moves that the scheme says;
2. ``back_up``   sums values from the ends up to the root;
3. ``collect``   adds the sampled instant regrets, and the shares of the average strategy, to the slots;
4. ``update``    adds the instant regrets to the sums, and makes the next strategies.

A batch is several samples, drawn against the same strategies, one after the other in the same records.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, inlined
from .._jit.rng import begin, bernoulli, choose, evenly, uniform
from .._util.arrays import Floats
from ..game.protocol import CHANCE
from .source import UNKNOWN, agree, chance, child, enter, look, new_infosets, set_out, step


class Slots(NamedTuple):
    """What is remembered of each action at each infoset; the slots of an infoset are consecutive.

    Attributes
    ----------
    strategy, regret_sum, strategy_sum : float64 array, shape (slots,)
    instant_regret : float64 array, shape (slots,)
        The last one; it is summed up here while a turn lasts.
    seen : float64 array, shape (slots,)
        First slot of an infoset: what had gone by when its average was added to last.
    above : int64 array, shape (slots,)
        First slot, for "lazy" averages: the slot of its player's action before, or of the player's empty sequence.
    updated : int64 array, shape (slots,)
        First slot: the iteration of its last update, 0 before the first.
    """

    strategy: Floats
    regret_sum: Floats
    instant_regret: Floats
    strategy_sum: Floats
    seen: Floats
    above: NDArray[np.int64]
    updated: NDArray[np.int64]


def make_slots(count: int) -> Slots:
    """Return so many slots of which nothing is known."""
    a, b, c, d, e = (np.zeros(count) for _ in range(5))
    return Slots(a, b, c, d, e, np.zeros(count, np.int64), np.zeros(count, np.int64))


REMEMBERED = ("strategy", "regret_sum", "strategy_sum", "seen", "above", "updated")
"""The arrays that must be kept to continue later."""

DRAWN = np.dtype(
    [
        ("value", np.float64),  # the estimated value of the history for the updating player
        ("share", np.float64),  # how much of it counts in the value of the history above
        ("weight", np.float64),  # what a value here counts in regrets: reach of the others and chance ÷ probability
        ("credit", np.float64),  # own reach; for "stochastic" averages ÷ probability of getting here, but for chance
        ("baseline", np.float64),  # what the value was expected to be
        ("at", np.uint32),  # number of the history in the tree
        ("up", np.uint32),  # record of the history above
        ("action", np.uint32),  # which move leads here
        ("first", np.uint32),  # record of the first move followed
        ("followed", np.uint32),  # how many moves are followed
        ("slot", np.uint32),
        ("count", np.uint32),  # of moves
        ("mover", np.int32),
        ("last", np.uint32),  # slot of the updating player's last action
    ],
    align=True,
)
"""A history of a sample."""

ALL, ONE, SOME, PUBLIC = range(4)
OPPONENT, STOCHASTIC, OPTIMISTIC, LAZY = range(4)
NO_BASELINE, BY_INFOSET, BY_HISTORY = range(3)
NO_PRUNING, ZERO_REACH, LOW_REGRET = range(3)


class Plan(NamedTuple):
    """A sampling as numbers (:class:`~equilibrist.mccfr.sampling.Sampling`)."""

    chance: int
    own: int
    others: int
    average: int
    baseline: int
    pruning: int
    epsilon: float
    tau: float
    beta: float
    rate: float
    prune_below: float
    revisit: float
    low_discrepancy: int


class Schedule(NamedTuple):
    """The scalars of the iterations of one block, which begins after iteration ``start``; index 0 is ``start`` itself.

    A regret sum that was updated last at iteration s keeps, at t, the product of the factors of s + 1 … t. To have it
    at once, the products from the start of the block on are kept, as mantissa and exponent, for they may be tiny.

    Attributes
    ----------
    start : int
    decays : bool
        Whether there is any factor but 1.
    positive, negative : float64 array; positive_exponent, negative_exponent : int64 array
        The products.
    keep_predicted, weight : float64 array
        The factor of the sum in the prediction, and the weight of the iteration in the average strategy.
    """

    start: int
    decays: bool
    positive: NDArray[np.float64]
    positive_exponent: NDArray[np.int64]
    negative: NDArray[np.float64]
    negative_exponent: NDArray[np.int64]
    discount_predicted: NDArray[np.float64]
    weight: NDArray[np.float64]


@inlined
def _follow(source, drawn, baseline, plan, player, k, n, end, share, weight, credit):
    """Append move n of history k to the sample."""
    new = drawn[end]
    new.up = k
    new.action = n
    new.share = share
    new.weight = weight
    new.credit = credit
    new.value = 0.0
    if plan.baseline != NO_BASELINE:
        new.baseline = _expected(source, drawn, baseline, plan, player, k, n)
        drawn[k].value -= share * new.baseline
    step(source, drawn, k, n, end)
    return end + 1


@inlined
def _expected(source, drawn, baseline, plan, player, k, n):
    """Return the baseline of move n of history k."""
    if plan.baseline == BY_HISTORY:
        return baseline[child(source, drawn, k, n), player]
    if drawn[k].mover == CHANCE or drawn[k].slot == UNKNOWN:
        return 0.0
    return baseline[drawn[k].slot + n, player]


@inlined
def _probabilities(source, slots, drawn, k, probability):
    """Fill in the probability of each move of history k, as it is played now."""
    here = drawn[k]
    for n in range(here.count):
        if here.mover == CHANCE:
            probability[n] = chance(source, drawn, k, n)
        elif here.slot == UNKNOWN:
            probability[n] = 1.0 / here.count
        else:
            probability[n] = slots.strategy[here.slot + n]


@inlined
def _follow_own(source, slots, drawn, baseline, plan, rng, player, k, end, prune):
    """Append the moves of the updating player that the plan says; return the new end of the sample."""
    here, p, mixed = drawn[k], rng.probability, rng.mixed
    count = np.int64(here.count)
    if plan.own == ALL:
        for n in range(count):
            if prune and p[n] == 0.0 and slots.regret_sum[here.slot + n] < plan.prune_below:
                continue
            credit = here.credit * p[n]
            end = _follow(source, drawn, baseline, plan, player, k, n, end, p[n], here.weight, credit)
        return end
    if plan.own == ONE:
        for n in range(count):
            mixed[n] = plan.epsilon / count + (1.0 - plan.epsilon) * p[n]
        n = choose(mixed, 0, count, uniform(rng))
        return _follow_drawn(source, drawn, baseline, plan, player, k, n, end, p[n], mixed[n])
    _fill_average_shares(slots, here, plan, mixed)
    for n in range(count):
        if bernoulli(mixed[n], uniform(rng)):
            end = _follow_drawn(source, drawn, baseline, plan, player, k, n, end, p[n], mixed[n])
    return end


@inlined
def _follow_drawn(source, drawn, baseline, plan, player, k, n, end, p, drawn_with):
    """Append move n of the updating player, which is played with probability p and was drawn with another."""
    share = p / drawn_with
    credit = drawn[k].credit * (share if plan.average == STOCHASTIC else p)
    return _follow(source, drawn, baseline, plan, player, k, n, end, share, drawn[k].weight / drawn_with, credit)


@inlined
def _fill_average_shares(slots, here, plan, mixed):
    """Fill in the probability with which each move is followed, by the average strategy so far (Gibson 2012)."""
    total = 0.0
    for n in range(here.count):
        mixed[n] = 0.0 if here.slot == UNKNOWN else slots.strategy_sum[here.slot + n]
        total += mixed[n]
    for n in range(here.count):
        if plan.beta + total > 0.0:
            mixed[n] = min(1.0, max(plan.epsilon, (plan.beta + plan.tau * mixed[n]) / (plan.beta + total)))
        else:  # nothing is known yet
            mixed[n] = 1.0


@inlined
def _follow_others(source, drawn, baseline, plan, rng, player, k, end):
    """Append the moves of chance or of another player that the plan says; return the new end of the sample."""
    here, p = drawn[k], rng.probability
    count = np.int64(here.count)
    mode = plan.chance if here.mover == CHANCE else plan.others
    if mode == ONE:
        even = plan.low_discrepancy != 0 and here.mover == CHANCE
        n = choose(p, 0, count, evenly(rng) if even else uniform(rng))
        credit = here.credit
        if plan.average == STOCHASTIC and here.mover != CHANCE:
            credit /= p[n]
        return _follow(source, drawn, baseline, plan, player, k, n, end, 1.0, here.weight, credit)
    if mode == PUBLIC and here.slot > 0:
        n, drawn_with = agree(source, drawn, k, uniform(rng), rng.number[0])
        if n >= 0:
            share = p[n] / drawn_with
            end = _follow(source, drawn, baseline, plan, player, k, n, end, share, here.weight * share, here.credit)
        return end
    for n in range(count):
        if p[n] > 0.0 or plan.pruning != ZERO_REACH:
            weight = here.weight * p[n]
            end = _follow(source, drawn, baseline, plan, player, k, n, end, p[n], weight, here.credit)
    return end


@inlined
def draw(source, slots, drawn, baseline, plan, rng, player, start):
    """Append a sample for one player; return where it ends, or -1 if there are too few records for it.

    Reads the slots, and changes none: samples of a batch may be drawn at the same time.
    """
    if start == len(drawn):
        return -1
    root = drawn[start]
    root.up = start
    root.share, root.weight, root.credit, root.value = 0.0, 1.0, 1.0, 0.0
    prune = plan.pruning == LOW_REGRET and uniform(rng) >= plan.revisit
    set_out(source, drawn, start)
    k, end = start, start + 1
    while k < end:
        look(source, drawn, k, player)
        here = drawn[k]
        if end + np.int64(here.count) > len(drawn):
            return -1
        here.first = end
        if here.count > 0:
            _probabilities(source, slots, drawn, k, rng.probability)
            if plan.baseline != NO_BASELINE:
                for n in range(here.count):
                    here.value += rng.probability[n] * _expected(source, drawn, baseline, plan, player, k, n)
            if here.mover == player:
                end = _follow_own(source, slots, drawn, baseline, plan, rng, player, k, end, prune)
            else:
                end = _follow_others(source, drawn, baseline, plan, rng, player, k, end)
        here.followed = end - here.first
        k += 1
    return end


@compiled(allocates=False, inline=True)
def back_up(drawn, end):
    """Add the value of each history to that of the history above."""
    for k in range(end - 1, -1, -1):
        drawn[drawn[k].up].value += drawn[k].share * drawn[k].value


@compiled(allocates=False, inline=True, beside=True)
def draw_batch(source, slots, drawn, baseline, plan, rng, player, first, count):
    """Draw so many samples from traversal ``first`` on and back them up; return where they end, or -1 as ``draw``."""
    end = 0
    for number in range(first, first + count):
        begin(rng, number)
        end = draw(source, slots, drawn, baseline, plan, rng, player, end)
        if end < 0:
            return -1
    back_up(drawn, end)
    return end


@inlined
def kept(mantissa, exponent, since, now):
    """Return the product of the factors of iterations since + 1 … now of a block."""
    if mantissa[since] == 0.0:
        return 0.0
    return math.ldexp(mantissa[now] / mantissa[since], int(exponent[now] - exponent[since]))


@compiled(allocates=False, inline=True)
def decay(slots, slot, count, schedule, t):
    """Bring the regret sums of an infoset from its last update to iteration t."""
    now, since = t - schedule.start, max(slots.updated[slot] - schedule.start, 0)
    positive = kept(schedule.positive, schedule.positive_exponent, since, now)
    negative = kept(schedule.negative, schedule.negative_exponent, since, now)
    for s in range(slot, slot + count):
        slots.regret_sum[s] *= positive if slots.regret_sum[s] > 0.0 else negative


@compiled(allocates=False, inline=True)
def collect(slots, drawn, touched, plan, schedule, player, t, end, m):
    """Add the instant regrets and the shares of the average strategy of a sample to the slots.

    Filled in place: ``touched``, from row m on, with the slot and the count of actions of each infoset that is met for
    the first time in iteration t. Returns the new number of rows.
    """
    weight = schedule.weight[t - schedule.start]
    for k in range(end):
        here = drawn[k]
        if plan.average == LAZY:
            above = drawn[here.up]
            if here.up == k:
                here.last = player
            else:
                here.last = above.slot + here.action if above.mover == player else above.last
        if here.mover < 0:
            continue
        slot, count = np.int64(here.slot), np.int64(here.count)
        if here.mover != player:
            if plan.average == OPPONENT:
                for s in range(slot, slot + count):
                    slots.strategy_sum[s] += weight * here.weight * slots.strategy[s]
            continue
        if slots.updated[slot] != t:
            if schedule.decays:
                decay(slots, slot, count, schedule, t)
            slots.updated[slot] = t
            slots.above[slot] = here.last
            touched[m, 0], touched[m, 1] = slot, count
            m += 1
            for s in range(slot, slot + count):
                slots.instant_regret[s] = 0.0
        if plan.average != OPPONENT:
            share = weight * here.credit
            if plan.average != STOCHASTIC:  # what has gone by since the last time
                by = slots.strategy_sum[here.last if plan.average == LAZY else player]
                share = by - slots.seen[slot]
                slots.seen[slot] = by
                if plan.average == OPTIMISTIC:
                    share *= here.credit
            for s in range(slot, slot + count):
                slots.strategy_sum[s] += share * slots.strategy[s]
        add_regrets(slots, drawn, plan, k)
    return m


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
            share = sums[slots.above[slot]] - slots.seen[slot]
            for s in range(slot, slot + np.int64(count[i])):
                sums[s] += share * slots.strategy[s]


@compiled(allocates=False)
def normalise(first, count, sums, strategy):
    """Fill ``strategy`` with each infoset's share of its sums; uniform where an infoset has none."""
    for i in range(len(first)):
        slot, end = np.int64(first[i]), np.int64(first[i]) + np.int64(count[i])
        total = 0.0
        for s in range(slot, end):
            total += sums[s]
        for s in range(slot, end):
            strategy[s] = sums[s] / total if total > 0.0 else 1.0 / count[i]


@compiled(allocates=False)
def multiply_up(factors, mantissa, exponent):
    """Fill in the products of the first factors, as mantissas and exponents, so that none is too small."""
    for i in range(len(factors)):
        mantissa[i + 1], e = math.frexp(mantissa[i] * factors[i])
        exponent[i + 1] = exponent[i] + e


@inlined
def add_regrets(slots, drawn, plan, k):
    """Add the sampled instant regrets of one history."""
    here = drawn[k]
    if plan.own == ALL:
        for c in range(here.first, here.first + here.followed):
            slots.instant_regret[here.slot + drawn[c].action] += here.weight * (drawn[c].value - here.value)
        return
    for s in range(here.slot, here.slot + here.count):
        slots.instant_regret[s] -= here.weight * here.value
    for c in range(here.first, here.first + here.followed):
        # weight of the child = weight here ÷ probability of having been drawn
        slots.instant_regret[here.slot + drawn[c].action] += drawn[c].weight * (drawn[c].value - drawn[c].baseline)


@compiled(allocates=False, inline=True)
def add_expected(source, slots, drawn, baseline, plan, player, end):
    """Add to the instant regrets what baselines expect of each move, followed or not."""
    for k in range(end):
        if drawn[k].mover == player and plan.own != ALL:
            add_expected_at(source, slots, drawn, baseline, plan, player, k)


@inlined
def add_expected_at(source, slots, drawn, baseline, plan, player, k):
    """Do so for one history."""
    for n in range(drawn[k].count):
        expected = _expected(source, drawn, baseline, plan, player, k, n)
        slots.instant_regret[drawn[k].slot + n] += drawn[k].weight * expected


@compiled(allocates=False, inline=True)
def update_baseline(source, drawn, baseline, plan, player, end):
    """Let baselines follow the new estimates."""
    for k in range(end):
        above, n = np.int64(drawn[k].up), drawn[k].action
        if above == k:
            continue
        if plan.baseline == BY_HISTORY:
            i = child(source, drawn, above, n)
        elif drawn[above].mover == CHANCE or drawn[above].slot == UNKNOWN:
            continue
        else:
            i = np.int64(drawn[above].slot) + n
        baseline[i, player] += plan.rate * (drawn[k].value - baseline[i, player])


@compiled(allocates=False, inline=True)
def update(slots, touched, m, schedule, t, predict, lowest):
    """Add the instant regrets to the sums of the infosets that a turn has touched, and make their next strategies."""
    discount_predicted = schedule.discount_predicted[t - schedule.start]
    for i in range(m):
        slot, count = touched[i, 0], touched[i, 1]
        total = 0.0
        for s in range(slot, slot + count):
            regret = max(slots.regret_sum[s] + slots.instant_regret[s], lowest)
            slots.regret_sum[s] = regret
            slots.strategy[s] = max(regret * discount_predicted + slots.instant_regret[s] * predict, 0.0)
            total += slots.strategy[s]
        for s in range(slot, slot + count):
            slots.strategy[s] = slots.strategy[s] / total if total > 0.0 else 1.0 / count


@compiled(allocates=False, inline=True)
def insert_infosets(source, slots, drawn, plan, player, end):
    """Give slots to the infosets that a sample has met for the first time, if it needs them."""
    for k in range(end):
        if drawn[k].mover < 0 or drawn[k].slot != UNKNOWN:
            continue
        if drawn[k].mover == player or plan.average == OPPONENT or plan.baseline == BY_INFOSET:
            slot, count = np.int64(enter(source, drawn, k)), np.int64(drawn[k].count)
            drawn[k].slot = slot
            for s in range(slot, slot + count):  # a second time, if the sample has met it twice
                slots.strategy[s] = 1.0 / count


@compiled(allocates=False, inline=True)
def apply_batch(source, slots, drawn, touched, baseline, plan, schedule, player, t, end, m):
    """Take in a batch that is drawn and backed up: all but the update. Return the number of infosets touched."""
    m = collect(slots, drawn, touched, plan, schedule, player, t, end, m)
    if plan.baseline != NO_BASELINE:
        add_expected(source, slots, drawn, baseline, plan, player, end)
        update_baseline(source, drawn, baseline, plan, player, end)
    return m


@compiled(allocates=False)
def count_new(source, slots, drawn, end):
    """Put the question to a source where it is not put by another kernel."""
    return new_infosets(source, drawn, slots, end)


DONE, DRAWN_FULL, SLOTS_FULL = range(3)
ITERATION, PLAYER, TOUCHED, NODES = range(4)


@compiled(allocates=False)
def iterate(
    source,
    slots,
    drawn,
    touched,
    baseline,
    plan,
    rng,
    schedule,
    row,
    batch,
    players,
    alternating,
    place,
    until,
    most_nodes,
):
    """Run iterations up to number ``until``, or until so many histories are touched, or there is no room; say which.

    ``place`` says where we are: the iteration, the player, the infosets touched so far, the histories touched in all.
    A turn for which there is no room leaves everything as it was, to be begun again.
    """
    predict, lowest = row
    t, player, m, nodes = place[ITERATION], place[PLAYER], place[TOUCHED], place[NODES]
    outcome = DONE
    while t <= until and (player > 0 or nodes < most_nodes):
        end = draw_batch(source, slots, drawn, baseline, plan, rng, player, (t * players + player) * batch, batch)
        if end < 0:
            outcome = DRAWN_FULL
            break
        new = new_infosets(source, drawn, slots, end)
        if new < 0:
            outcome = SLOTS_FULL
            break
        if new > 0:
            insert_infosets(source, slots, drawn, plan, player, end)
        slots.strategy_sum[player] += schedule.weight[t - schedule.start]
        m = apply_batch(source, slots, drawn, touched, baseline, plan, schedule, player, t, end, m)
        nodes += end
        player += 1
        if alternating or player == players:
            update(slots, touched, m, schedule, t, predict, lowest)
            m = 0
        if player == players:
            t, player = t + 1, 0
    place[ITERATION], place[PLAYER], place[TOUCHED], place[NODES] = t, player, m, nodes
    return outcome
