"""The kernel of full-width CFR on tables by infoset, which nothing else is stored beside."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import numpy as np

from .._jit.compile import compiled
from .minimiser import (
    add_share,
    next_probability,
    no_shares,
    reference_value,
    rule_at,
    rule_of_infoset,
    update_regret,
)


@compiled(allocates=False, nogil=True)
def update_player(infosets, tables, player, rules, discount):
    """Update the average, the regrets and the next strategy of a player, from the counterfactual values of the actions.

    ``infosets`` are the first slots of the player's infosets, each after those before it in a play,
    how many actions they have, and the slot of the action before; ``tables`` are strategy, regret
    sums, sums of the average, counterfactual values and reach, which is scratch. ``rules`` are
    those of one iteration, ``discount`` is that of the sums of the average. What others never let
    happen has the values 0.
    """
    first, count, parent_slot = infosets
    strategy, regret_sum, strategy_sum, cf_value, reach = tables
    rule = rule_at(rules, 0)
    reach[player] = 1.0
    for i in range(len(first)):
        slot = np.int64(first[i])
        actions = np.int64(count[i])
        uniform = 1.0 / actions
        local = rule_of_infoset(rule, actions)
        reach_before = reach[parent_slot[slot]]
        value = 0.0
        sum_values = 0.0
        total = no_shares(rule, 0.0)
        for s in range(slot, slot + actions):
            reach[s] = reach_before * strategy[s]
            strategy_sum[s] = strategy_sum[s] * discount + reach[s]
            value += strategy[s] * cf_value[s]
            sum_values += cf_value[s]
        reference = reference_value(local, value, sum_values, uniform)
        for s in range(slot, slot + actions):
            regret, share = update_regret(local, regret_sum[s], cf_value[s] - reference)
            regret_sum[s] = regret
            strategy[s] = share
            total = add_share(rule, total, share)
        for s in range(slot, slot + actions):
            strategy[s] = next_probability(local, strategy[s], total, uniform)
