"""The kernels of CFR by a rule of one's own: what a rule is given, what is done with what it plays.

``seat`` is a player's :class:`Seat`; sums and strategies have one number a slot, and are filled in
place. Sequence forms have a pass of their own, for one player, in the place of an iteration of all.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.borrow import borrow
from .._jit.compile import compiled, compiled_here, inlined, record
from .._jit.simd import (
    LANES,
    broadcast_like,
    gather,
    largest,
    load,
    scatter_add,
    store,
    where_positive,
)
from .._util.arrays import Floats, Ints
from ..form.sequence.passes import counterfactual_values, fill_reach
from .kernels import add_to_average
from .own_rule import MOST_WEIGHT

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
class Room(NamedTuple):
    """A player's numbers as a compiled rule is given them: :class:`~equilibrist.cfr.rule_blocks.RuleBlocks`.

    Attributes
    ----------
    slots : array of uint32, shape (actions,)
        The slot of each number.
    blocks : int array, shape (blocks, 3)
        How many infosets and actions each block has, and where its numbers begin.
    strategy, values : float array, shape (actions,)
        What is played, and the counterfactual values of the actions.
    total : float array, shape (infosets of the largest block,)
        Scratch.
    weights : float array, shape (infosets,)
        How much an iteration counts in the average, where the rule says that.
    """

    slots: Ints
    blocks: Ints
    strategy: Floats
    values: Floats
    total: Floats
    weights: Floats


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
    """Add an iteration of a player to the sums at the slots, in place."""
    for i in seat.order:
        _extend_reach(seat, i, strategy, sums.reach)
        mean = 0.0
        for action in range(seat.first[i], seat.first[i + 1]):
            slot = seat.slots[action]
            mean += strategy[slot] * values[slot]
        for action in range(seat.first[i], seat.first[i + 1]):
            slot = seat.slots[action]
            sums.regret_sum[slot] += values[slot] - mean
            sums.strategy_sum[slot] = discount * sums.strategy_sum[slot] + sums.reach[slot]


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
def take_actions(slots, numbers, taken):
    """Fill ``taken``, shape (actions,), from the slots, in place; return whether all are finite."""
    nothing = broadcast_like(numbers, 0.0)  # becomes nan by a number that is not finite
    whole = len(slots) - len(slots) % LANES
    for action in range(0, whole, LANES):
        lanes = gather(numbers, slots, action, 0)
        store(taken, action, lanes)
        nothing = nothing + lanes * 0.0
    are_finite = largest(where_positive(nothing + 1.0, 0.0, 1.0)) == 0.0
    for action in range(whole, len(slots)):
        number = numbers[slots[action]]
        taken[action] = number
        are_finite &= np.isfinite(number)
    return are_finite


@compiled(allocates=False)
def store_strategy(seat, strategy):
    """Store ``seat.strategy`` at the slots, in place; return whether it is a distribution at each infoset."""
    is_distribution = True
    for i in range(len(seat.first) - 1):
        total = 0.0
        for action in range(seat.first[i], seat.first[i + 1]):
            probability = seat.strategy[action]
            strategy[seat.slots[action]] = probability
            total += probability
            is_distribution &= probability >= 0.0
        is_distribution &= abs(total - 1.0) <= SUM_TOLERANCE
    return is_distribution


@compiled(allocates=False)
def store_columns(room, strategy):
    """Store ``room.strategy`` at the slots, in place; return whether it is a distribution at each infoset."""
    is_distribution = True
    total = room.total
    for b in range(len(room.blocks)):
        rows = room.blocks[b, 0]
        actions = room.blocks[b, 1]
        start = room.blocks[b, 2]
        for row in range(rows):
            total[row] = 0.0
        for action in range(actions):
            column = room.strategy[start + action * rows : start + (action + 1) * rows]
            for row in range(rows):
                total[row] += column[row]
                is_distribution &= column[row] >= 0.0
        for row in range(rows):
            is_distribution &= abs(total[row] - 1.0) <= SUM_TOLERANCE
    for action in range(len(room.slots)):
        strategy[room.slots[action]] = room.strategy[action]
    return is_distribution


@compiled(allocates=False)
def add_weighted(room, own_reach, discount, strategy_sum):
    """Discount the sums of the average at the slots, and add an iteration by ``room.weights``, in place.

    ``own_reach`` is how likely the player's own moves led to each slot and took it. Return whether
    all weights are numbers from 0 to ``MOST_WEIGHT``.
    """
    are_weights = True
    first = 0
    for b in range(len(room.blocks)):
        rows = room.blocks[b, 0]
        actions = room.blocks[b, 1]
        start = room.blocks[b, 2]
        weights = room.weights[first : first + rows]
        for row in range(rows):
            are_weights &= 0.0 <= weights[row] <= MOST_WEIGHT
        for action in range(actions):
            slots = room.slots[start + action * rows : start + (action + 1) * rows]
            for row in range(rows):
                slot = slots[row]
                added = weights[row] * own_reach[slot]
                strategy_sum[slot] = discount * strategy_sum[slot] + added
        first += rows
    return are_weights


@compiled(allocates=False)
def begin_turn(treeplex, payoff, player, tables, discount):
    """Fill the values of one player's actions on a sequence form, and add to the sums.

    ``tables`` are strategy, reach, regret sums, sums of the average and counterfactual values.
    """
    strategy, reach, regret_sum, strategy_sum, cf_value = tables
    counterfactual_values(treeplex, payoff, player, reach, cf_value)
    back_up(treeplex, player, cf_value, strategy, regret_sum)
    add_to_average(treeplex, player, reach, strategy_sum, discount)


DONE, VALUES, STATE, STRATEGY, SHAPE, WEIGHTS, SHAPE_OF_WEIGHTS = range(7)
"""How iterations of a compiled rule end: what is wrong, if anything."""


@compiled_here
def play_turn(treeplex, player, room, state, rule, tables, t):
    """Store what a player plays in iteration t; return what is wrong, or DONE."""
    strategy, reach = tables[0], tables[1]
    if rule.play(rule.settings, state, room.blocks, t, room.strategy) >= 0:
        return SHAPE
    if not store_columns(room, strategy):
        return STRATEGY
    fill_reach(treeplex, player, strategy, reach)
    return DONE


@compiled_here
def weigh_turn(room, state, rule, tables, discount, weighted_sum, t):
    """Add iteration t of a player to the average by the weights of the rule; return what is wrong, or DONE.

    ``begin_turn`` has left the own reach of the iteration in the sums of ``tables``.
    """
    if rule.weigh(rule.settings, state, room.blocks, t, room.weights) >= 0:
        return SHAPE_OF_WEIGHTS
    if not add_weighted(room, tables[3], discount, weighted_sum):
        return WEIGHTS
    return DONE


@compiled_here
def iterate_rule(passes, rooms, states, rule, discounts, alternating, weighted_sum, place):
    """Run an iteration for each discount of the sums of the average, by a rule that is compiled.

    ``passes`` are the treeplex and payoff of a sequence form and the tables of :func:`begin_turn`;
    ``rooms`` and ``states`` what the rule is given and knows of each player, ``rule`` a
    :class:`~equilibrist.cfr.compile_rule.CompiledRule`. ``weighted_sum`` are the sums of the
    average where the rule has weights, else empty. ``place`` enters with the first iteration, and
    leaves with the iteration, the player, and the block and the answer of ``learn``. Return what is
    wrong, or DONE.
    """
    treeplex, payoff, tables = borrow(passes)
    rooms = borrow(rooms)
    states = borrow(states)
    settings = borrow(rule.settings)
    has_weights = len(weighted_sum) > 0
    for k in range(len(discounts)):
        discount = discounts[k]
        turn_discount = discount
        if has_weights:
            turn_discount = 0.0  # of the sums: what is left is the iteration alone
        t = place[0]
        for player in range(len(rooms)):
            room = rooms[player]
            place[1] = player
            begin_turn(treeplex, payoff, player, tables, turn_discount)
            if not take_actions(room.slots, tables[4], room.values):
                return VALUES
            place[2], place[3] = rule.learn(
                settings, states[player], room.blocks, room.strategy, room.values, t
            )
            if place[2] >= 0:
                return STATE
            if has_weights:
                wrong = weigh_turn(room, states[player], rule, tables, discount, weighted_sum, t)
                if wrong != DONE:
                    return wrong
            if alternating:
                wrong = play_turn(treeplex, player, room, states[player], rule, tables, t + 1)
                if wrong != DONE:
                    return wrong
        if not alternating:
            for player in range(len(rooms)):
                place[1] = player
                wrong = play_turn(
                    treeplex, player, rooms[player], states[player], rule, tables, t + 1
                )
                if wrong != DONE:
                    return wrong
        place[0] = t + 1
    return DONE
