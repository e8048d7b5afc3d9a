"""The kernels of CFR over buckets of infosets: values are added up over a bucket, its strategy is played at each.

``places`` says where a player's infosets are, ``buckets`` is what that player learns by; arrays of
a number a slot are those of the real game.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import compiled, record
from .._util.arrays import Floats, Ints
from ..form.sequence.passes import counterfactual_values, fill_reach
from .minimiser import (
    add_share,
    next_probability,
    no_shares,
    reference_value,
    rule_at,
    rule_of_infoset,
    update_regret,
)
from .rule_kernels import back_up


@record
class Places(NamedTuple):
    """Where the actions of a player's infosets are, and what each counts for.

    Attributes
    ----------
    slots : int array, shape (actions,)
        The slot of each action of each infoset of the player.
    bucket_action : int array, shape (actions,)
        The action of the player's buckets that it is.
    weight : float array, shape (actions,)
        What its value is multiplied by, so that it is payoff × probability.
    copies : float array, shape (actions,)
        How many infosets of the game its infoset stands for.
    """

    slots: Ints
    bucket_action: Ints
    weight: Floats
    copies: Floats


@record
class Buckets(NamedTuple):
    """What a player learns by: tables of a number for each action of each bucket.

    Attributes
    ----------
    first : int array, shape (buckets + 1,)
        Where the actions of each bucket begin.
    strategy : float array, shape (actions,)
        Probability.
    regret_sum : float array, shape (actions,)
        Payoff × probability, after discounts and floor.
    strategy_sum : float array, shape (actions,)
        Probability, weighted by own reach.
    value : float array, shape (actions,)
        The values of one iteration, added up; payoff × probability.
    reach : float array, shape (actions,)
        The own reach of the actions in one iteration, added up.
    """

    first: Ints
    strategy: Floats
    regret_sum: Floats
    strategy_sum: Floats
    value: Floats
    reach: Floats


@compiled(allocates=False)
def add_up(places, values, reach, buckets):
    """Add the values and the own reach of a player's actions up over buckets: ``value``, ``reach`` filled in place."""
    for a in range(len(buckets.value)):
        buckets.value[a] = 0.0
        buckets.reach[a] = 0.0
    for k in range(len(places.slots)):
        slot = places.slots[k]
        a = places.bucket_action[k]
        buckets.value[a] += places.weight[k] * values[slot]
        buckets.reach[a] += places.copies[k] * reach[slot]


@compiled(allocates=False)
def update_buckets(buckets, rules, t, discount):
    """Update regrets, average and strategy of each bucket by the rule of iteration t, counted from 0, in place.

    ``discount`` is that of the sums of the average.
    """
    rule = rule_at(rules, t)
    for b in range(len(buckets.first) - 1):
        begin = buckets.first[b]
        end = buckets.first[b + 1]
        actions = end - begin
        uniform = 1.0 / actions
        local = rule_of_infoset(rule, actions)
        value = 0.0
        sum_values = 0.0
        for a in range(begin, end):
            value += buckets.strategy[a] * buckets.value[a]
            sum_values += buckets.value[a]
            buckets.strategy_sum[a] = buckets.strategy_sum[a] * discount + buckets.reach[a]
        reference = reference_value(local, value, sum_values, uniform)
        total = no_shares(local, 0.0)
        for a in range(begin, end):
            regret, share = update_regret(
                local, buckets.regret_sum[a], buckets.value[a] - reference
            )
            buckets.regret_sum[a] = regret
            buckets.strategy[a] = share
            total = add_share(local, total, share)
        for a in range(begin, end):
            buckets.strategy[a] = next_probability(local, buckets.strategy[a], total, uniform)


@compiled(allocates=False)
def spread(places, by_bucket, by_slot):
    """Fill numbers at the slots of a player with those of the actions of the buckets, in place."""
    for k in range(len(places.slots)):
        by_slot[places.slots[k]] = by_bucket[places.bucket_action[k]]


@compiled(allocates=False)
def gather(places, by_slot, by_bucket):
    """Fill numbers of the actions of the buckets with those at the slots of a player, in place: any infoset's."""
    for k in range(len(places.slots)):
        by_bucket[places.bucket_action[k]] = by_slot[places.slots[k]]


@compiled(allocates=False, entry=False)
def learn_on_treeplex(treeplex, payoff, player, tables, places, buckets):
    """Add up a player's values and own reach on a sequence form; ``tables`` are those of :func:`iterate_buckets`."""
    strategy, reach, cf_value, scratch = tables
    counterfactual_values(treeplex, payoff, player, reach, cf_value)
    back_up(treeplex, player, cf_value, strategy, scratch)
    add_up(places, cf_value, reach, buckets)


@compiled(allocates=False, entry=False)
def play_on_treeplex(treeplex, player, tables, places, buckets):
    """Fill the strategy and the reach of a player on a sequence form with what the buckets play, in place."""
    strategy, reach, _, _ = tables
    spread(places, buckets.strategy, strategy)
    fill_reach(treeplex, player, strategy, reach)


@compiled(allocates=False)
def iterate_buckets(
    treeplex, payoff, tables, learners, rules, first, average_discounts, alternating
):
    """Run iterations on a sequence form, all players learning by buckets, by the rules from ``first`` on.

    ``average_discounts`` are the discounts of the sums of the average. ``tables`` are strategy,
    reach and two arrays of scratch at the slots; ``learners`` has the places and the buckets of each
    player.
    """
    players = len(treeplex.first_slot) - 1
    for t in range(len(average_discounts)):
        discount = float(average_discounts[t])
        if not alternating:
            for player in range(players):
                places, buckets = learners[player]
                learn_on_treeplex(treeplex, payoff, player, tables, places, buckets)
        for player in range(players):
            places, buckets = learners[player]
            if alternating:
                learn_on_treeplex(treeplex, payoff, player, tables, places, buckets)
            update_buckets(buckets, rules, first + t, discount)
            play_on_treeplex(treeplex, player, tables, places, buckets)


@compiled(allocates=False)
def fill_reach_of_table(infosets, player, strategy, reach):
    """Fill the own reach of the actions of a player in a table of infosets, in place.

    ``infosets`` are as for :func:`~.walk_kernels.update_player`.
    """
    first, count, parent_slot = infosets
    reach[player] = 1.0
    for i in range(len(first)):
        slot = np.int64(first[i])
        reach_before = reach[parent_slot[slot]]
        for s in range(slot, slot + np.int64(count[i])):
            reach[s] = reach_before * strategy[s]
