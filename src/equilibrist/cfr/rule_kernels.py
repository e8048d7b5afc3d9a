"""The kernels of CFR by a rule of one's own: what a rule is given, what is done with what it plays.

``seat`` is a player's :class:`Seat`; sums and strategies have one number a slot, and are filled in
place. Sequence forms have a pass of their own, for one player, in the place of an iteration of all.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import compiled, compiled_here, inlined, record
from .._jit.simd import LANES, broadcast_like, load, scatter_add, store
from .._util.arrays import Floats, Ints
from ..form.sequence.passes import counterfactual_values, fill_reach
from .kernels import add_to_average

SUM_TOLERANCE = 1e-9
"""Of the probabilities of an infoset."""


@record
class Seat(NamedTuple):
    """A player's infosets and actions, batch after batch.

    Attributes
    ----------
    slots : int array, shape (actions,)
        The slot of each action.
    first : int array, shape (infosets + 1,)
        Where the actions of each infoset begin.
    parent : int array, shape (infosets,)
        The slot of the player's action before each infoset.
    order : int array, shape (infosets,)
        The infosets, what comes before others first.
    strategy, values : float array, shape (actions,)
        What is played, and the counterfactual values of the actions: room for each iteration.
    """

    slots: Ints
    first: Ints
    parent: Ints
    order: Ints
    strategy: Floats
    values: Floats


@record
class Sums(NamedTuple):
    """What an iteration adds to; each an array at the slots.

    Attributes
    ----------
    regret_sum, strategy_sum : float array, shape (slots,)
    reach : float array, shape (slots + 1,)
        The own reach, and 1 at the empty sequence of whoever moves.
    """

    regret_sum: Floats
    strategy_sum: Floats
    reach: Floats


@inlined
def _extend_reach(seat, i, strategy, reach):
    """Fill the own reach of the actions of an infoset."""
    before = reach[seat.parent[i]]
    for action in range(seat.first[i], seat.first[i + 1]):
        slot = seat.slots[action]
        reach[slot] = before * strategy[slot]


@compiled(allocates=False)
def fill_own_reach(seat, strategy, reach):
    """Fill how likely a player's own moves lead to each of their slots and take it, in place."""
    for i in seat.order:
        _extend_reach(seat, i, strategy, reach)


@compiled(allocates=False)
def add_iteration(seat, strategy, values, discount, sums):
    """Add an iteration of a player to the sums at the slots, in place; fill what a rule is given.

    Return an infoset whose values are not finite, or -1.
    """
    wrong = -1
    for i in seat.order:
        _extend_reach(seat, i, strategy, sums.reach)
        mean = 0.0
        for action in range(seat.first[i], seat.first[i + 1]):
            slot = seat.slots[action]
            seat.values[action] = values[slot]
            mean += strategy[slot] * values[slot]
        if not np.isfinite(mean):
            wrong = i
        for action in range(seat.first[i], seat.first[i + 1]):
            slot = seat.slots[action]
            sums.regret_sum[slot] += values[slot] - mean
            sums.strategy_sum[slot] = discount * sums.strategy_sum[slot] + sums.reach[slot]
    return wrong


@compiled(allocates=False)
def take_strategy(seat, strategy):
    """Fill ``seat.strategy`` from the slots, in place."""
    for action in range(len(seat.slots)):
        seat.strategy[action] = strategy[seat.slots[action]]


@compiled(allocates=False)
def store_strategy(seat, strategy):
    """Store what is played at the slots, in place; return an infoset that plays no distribution, or -1."""
    wrong = -1
    for i in range(len(seat.first) - 1):
        total = 0.0
        for action in range(seat.first[i], seat.first[i + 1]):
            probability = seat.strategy[action]
            strategy[seat.slots[action]] = probability
            total += probability
            if not probability >= 0.0:
                total = np.nan
        if not abs(total - 1.0) <= SUM_TOLERANCE:
            wrong = i
    return wrong


@compiled(allocates=False)
def back_up(treeplex, player, cf_value, strategy, regret_sum):
    """Walk one player's infosets bottom-up: values (``cf_value`` enters with terminal ones) and regrets."""
    for b in range(
        np.int64(treeplex.first_bucket[player + 1]) - 1,
        np.int64(treeplex.first_bucket[player]) - 1,
        -1,
    ):
        size = treeplex.bucket_size[b]
        for i in range(0, size, LANES):
            slot = treeplex.bucket_slot[b] + i
            end = slot + size * treeplex.bucket_actions[b]
            value = broadcast_like(cf_value, 0.0)
            for s in range(slot, end, size):
                value = value + load(strategy, s) * load(cf_value, s)
            for s in range(slot, end, size):
                store(regret_sum, s, load(regret_sum, s) + (load(cf_value, s) - value))
            scatter_add(cf_value, treeplex.parent_slot, treeplex.bucket_infoset[b] + i, 0, value)


@compiled(allocates=False)
def take_values(seat, values):
    """Fill ``seat.values`` from the slots; return an infoset whose values are not finite, or -1."""
    are_finite = True
    for action in range(len(seat.slots)):
        value = values[seat.slots[action]]
        seat.values[action] = value
        are_finite &= np.isfinite(value)
    if are_finite:
        return -1
    wrong = -1
    for i in range(len(seat.first) - 1):
        for action in range(seat.first[i], seat.first[i + 1]):
            if not np.isfinite(seat.values[action]):
                wrong = i
    return wrong


@compiled(allocates=False)
def begin_turn(treeplex, payoff, player, seat, tables, discount):
    """Fill what a rule is given of one player's infosets on a sequence form, and add to the sums.

    ``tables`` are strategy, reach, regret sums, sums of the average and counterfactual values, which
    are scratch. Return an infoset whose values are not finite, or -1.
    """
    strategy, reach, regret_sum, strategy_sum, cf_value = tables
    counterfactual_values(treeplex, payoff, player, reach, cf_value)
    back_up(treeplex, player, cf_value, strategy, regret_sum)
    add_to_average(treeplex, player, reach, strategy_sum, discount)
    return take_values(seat, cf_value)


@compiled(allocates=False)
def end_turn(treeplex, player, seat, strategy, reach):
    """Store what one player plays next on a sequence form; return an infoset that plays no distribution, or -1."""
    wrong = store_strategy(seat, strategy)
    fill_reach(treeplex, player, strategy, reach)
    return wrong


DONE, VALUES, STATE, STRATEGY = range(4)
"""How iterations of a compiled rule end: what is wrong, if anything."""


@compiled_here
def play_turn(treeplex, player, seats, batches, first_batch, rule, tables, place):
    """Store what a player plays in the iteration after ``place[0]``; return whether it is a distribution everywhere."""
    settings, _, play = rule
    for b in range(first_batch[player], first_batch[player + 1]):
        _, played, state = batches[b]
        if not play(settings, state, place[0] + 1, played):
            place[2] = -1
            return False
    place[2] = end_turn(treeplex, player, seats[player], tables[0], tables[1])
    return place[2] < 0


@compiled_here
def iterate_rule(passes, seats, batches, first_batch, rule, discounts, alternating, place):
    """Run an iteration for each discount of the sums of the average, by a rule that is compiled.

    ``passes`` are the treeplex and payoff of a sequence form and the tables of :func:`begin_turn`;
    ``batches`` are what the rule is given, values, strategy and state of infosets with as many
    actions, those of each player from ``first_batch`` on. ``rule`` are the settings and functions
    of :class:`~equilibrist.cfr.compiled_rule.CompiledRule`. ``place`` enters with the first
    iteration, and leaves with the iteration, the player, the batch or infoset (-1 where a strategy
    has another shape), and the answer of ``learn``. Return what is wrong, or DONE.
    """
    treeplex, payoff, tables = passes
    settings, learn, _ = rule
    for k in range(len(discounts)):
        t = place[0]
        for player in range(len(seats)):
            place[1] = player
            wrong = begin_turn(treeplex, payoff, player, seats[player], tables, discounts[k])
            place[2] = wrong
            if wrong >= 0:
                return VALUES
            for b in range(first_batch[player], first_batch[player + 1]):
                values, played, state = batches[b]
                place[3] = learn(settings, state, played, values, t)
                if place[3] != 0:
                    place[2] = b
                    return STATE
            if alternating and not play_turn(
                treeplex, player, seats, batches, first_batch, rule, tables, place
            ):
                return STRATEGY
        if not alternating:
            for player in range(len(seats)):
                place[1] = player
                if not play_turn(
                    treeplex, player, seats, batches, first_batch, rule, tables, place
                ):
                    return STRATEGY
        place[0] = t + 1
    return DONE
