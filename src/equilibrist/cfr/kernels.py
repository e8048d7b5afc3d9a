"""The kernels of CFR on a sequence form: updates of regrets and averages, and the iteration that they make.

Arguments are those of :mod:`equilibrist.form.sequence.passes`, whose passes an iteration also
takes.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import numpy as np

from .._jit.compile import compiled, inline_ir
from .._jit.simd import LANES, broadcast, broadcast_like, load, load_like, scatter_add, store
from ..form.sequence.passes import counterfactual_values, fill_reach
from .minimiser import (
    add_share,
    add_to_values,
    averages,
    fill_others_reach,
    next_probability,
    no_shares,
    pay_at,
    pinned_value,
    placed,
    reference_value,
    rule_at,
    rule_at_slot,
    update_regret,
    value_above,
)


@inline_ir
def update_infosets(treeplex, b, i, cf_value, strategy, regret_sum, rule):
    """Update eight infosets of a bucket: regrets, next strategy; return their values."""
    size = treeplex.bucket_size[b]
    slot = treeplex.bucket_slot[b] + i
    actions = treeplex.bucket_actions[b]
    end = slot + size * actions
    zero = broadcast_like(cf_value, 0.0)
    uniform = broadcast_like(cf_value, 1.0 / actions)
    local = rule_at_slot(rule, cf_value, slot, actions)
    value = zero
    sum_values = zero
    total = no_shares(rule, zero)
    for s in range(slot, end, size):
        value = value + load_like(cf_value, strategy, s) * load(cf_value, s)
        sum_values = sum_values + pinned_value(local, cf_value, s, load(cf_value, s))
    reference = reference_value(local, value, sum_values, uniform)
    for s in range(slot, end, size):
        regret, share = update_regret(
            local, load_like(cf_value, regret_sum, s), load(cf_value, s) - reference
        )
        store(regret_sum, s, regret)
        store(strategy, s, share)
        total = add_share(rule, total, share)
    for s in range(slot, end, size):
        probability = next_probability(local, load_like(cf_value, strategy, s), total, uniform)
        store(strategy, s, placed(local, cf_value, s, probability))
    return value_above(local, value, total)


@compiled(allocates=False, entry=False)
def update_regrets(treeplex, player, cf_value, strategy, regret_sum, rule):
    """Walk one player's infosets bottom-up: values (``cf_value`` enters with terminal ones), regrets, next strategy."""
    for b in range(
        np.int64(treeplex.first_bucket[player + 1]) - 1,
        np.int64(treeplex.first_bucket[player]) - 1,
        -1,
    ):
        for i in range(0, treeplex.bucket_size[b], LANES):
            value = update_infosets(treeplex, b, i, cf_value, strategy, regret_sum, rule)
            scatter_add(cf_value, treeplex.parent_slot, treeplex.bucket_infoset[b] + i, 0, value)


@compiled(allocates=False)
def add_to_average(treeplex, player, reach, strategy_sum, discount):
    """Discount the sums of the average strategy, and add this iteration's reach × strategy: the reach of each slot."""
    for s in range(treeplex.first_slot[player], treeplex.first_slot[player + 1], LANES):
        store(strategy_sum, s, load_like(reach, strategy_sum, s) * discount + load(reach, s))


@compiled(allocates=False)
def add_to_deviations(treeplex, player, cf_value, reach, deviation_sum, discount):
    """Discount one player's ``deviation_sum``; add the value of each slot less the value of the player's own play.

    ``cf_value`` holds the terminal values of each slot alone. The value of the play, Σ reach ×
    cf_value, is taken off the eight slots of the empty sequence, a share from each. The sums are in
    float64 whatever the values are in.
    """
    first = treeplex.first_slot[player]
    own_value = broadcast(0.0)
    for s in range(first, treeplex.first_slot[player + 1], LANES):
        value = load_like(deviation_sum, cf_value, s)
        own_value = own_value + value * load_like(deviation_sum, reach, s)
        store(deviation_sum, s, load(deviation_sum, s) * discount + value)
    store(deviation_sum, first, load(deviation_sum, first) - own_value)


@inline_ir
def pay_player(treeplex, player, rule, cf_value):
    """Add what a player receives beside the payoffs to the terminal counterfactual values of each slot."""
    first = treeplex.first_slot[player]
    pay_at(rule, player, cf_value, first, first, treeplex.first_slot[player + 1] - first)


@compiled(allocates=False)
def iterate(treeplex, payoff, state, rules, average_discounts, alternating):
    """Run the iterations whose rules these are. This is CFR: three lines a player, twice.

    ``average_discounts`` are the discounts of the sums of the average. Where there is a
    ``deviation_sum``, it is updated with the values against the play at the start of each
    iteration: with simultaneous updates these are there already, with alternating ones only the
    first player's are.
    """
    strategy, reach, regret_sum, strategy_sum, cf_value, deviation_sum = state
    players = len(treeplex.first_slot) - 1
    tracked = len(deviation_sum) > 0
    for t in range(len(average_discounts)):
        rule = rule_at(rules, t)
        discount = float(average_discounts[t])
        if tracked or not alternating:
            for player in range(players):
                counterfactual_values(treeplex, payoff, player, reach, cf_value)
                fill_others_reach(rule, treeplex, player, reach)
                if tracked:
                    add_to_deviations(treeplex, player, cf_value, reach, deviation_sum, discount)
        for player in range(players):
            if alternating and not (tracked and player == 0):
                counterfactual_values(treeplex, payoff, player, reach, cf_value)
                fill_others_reach(rule, treeplex, player, reach)
            add_to_values(rule, treeplex, player, reach, cf_value)
            pay_player(treeplex, player, rule, cf_value)
            update_regrets(treeplex, player, cf_value, strategy, regret_sum, rule)
            if averages(rule):
                add_to_average(treeplex, player, reach, strategy_sum, discount)
            fill_reach(treeplex, player, strategy, reach)
