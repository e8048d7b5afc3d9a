"""The passes over a compiled game that everything else is made of.

``treeplex`` and ``payoff`` are the records of :mod:`equilibrist.form`; ``player`` selects the slots and buckets of one
player; all other arrays have one number a slot, for all players, and are filled in place. Slots come in eights, so the
kernels take eight at a time (:mod:`equilibrist._jit.simd`): eight infosets side by side, action after action.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import numpy as np

from .._jit.compile import compiled
from .._jit.simd import LANES, broadcast, gather, load, maximum, scatter_add, store, where_positive


@compiled(allocates=False)
def _reach_of_others(column, k, reach):
    """Return the product of the others' reach of the slots in one column of the payoff."""
    if column.ndim == 1:  # two players: decided when Numba compiles, so that their loop stays small
        return reach[column[k]]
    product = 1.0
    for other in range(column.shape[0]):
        product *= reach[column[other, k]]
    return product


@compiled(allocates=False)
def _place(column_weight, k, place):
    """Return where the weights of a column begin: ``place`` where they follow those of the column before."""
    if column_weight.ndim == 1:  # decided when Numba compiles as well
        return np.int64(column_weight[k])
    return np.int64(place)


@compiled(allocates=False)
def counterfactual_values(treeplex, payoff, player, reach, cf_value):
    """Fill ``cf_value`` of one player: what each slot earns where the game ends after it, payoff × probability."""
    for slot in range(treeplex.first_slot[player], treeplex.first_slot[player + 1], LANES):
        store(cf_value, slot, broadcast(0.0))
    start, column, weights = payoff.block_start, payoff.block_column, payoff.weights
    for block in range(payoff.first_block[player], payoff.first_block[player + 1]):
        total, weight = broadcast(0.0), payoff.block_weight[block]
        for k in range(start[block], start[block + 1]):
            place = _place(payoff.column_weight, k, weight)
            total = total + load(weights, place) * _reach_of_others(column, k, reach)
            weight += LANES
        store(cf_value, payoff.block_slot[block], total)
    start, column, weight = payoff.row_start, payoff.row_column, payoff.row_weight
    for row in range(payoff.first_row[player], payoff.first_row[player + 1]):
        earned = 0.0
        for k in range(start[row], start[row + 1]):
            earned += weight[k] * _reach_of_others(column, k, reach)
        cf_value[payoff.row_slot[row]] = earned


@compiled(allocates=False, inline=True)
def regret_matching(regret_sum, slot, instant_regret, keep, predict, lowest):
    """Let the regret sums of eight slots take in a regret; return their shares of the next strategy.

    This is the rule of :mod:`equilibrist.cfr.algorithms`; parameters are those of :func:`update_regrets`.
    """
    regret = load(regret_sum, slot)
    kept = regret * where_positive(regret, broadcast(keep[0]), broadcast(keep[1]))
    regret = maximum(kept + instant_regret, broadcast(lowest))
    store(regret_sum, slot, regret)
    return maximum(regret * keep[2] + instant_regret * predict, broadcast(0.0))


@compiled(allocates=False)
def update_regrets(treeplex, player, cf_value, strategy, regret_sum, keep, predict, lowest):
    """Walk one player's infosets bottom-up: values, regrets, next strategy.

    ``cf_value`` enters with the payoffs of each slot and leaves with those of everything below it added. ``keep`` is
    (positive, negative, predicted) of this iteration, ``lowest`` 0 with a floor and -inf without.
    """
    for b in range(treeplex.first_bucket[player + 1] - 1, treeplex.first_bucket[player] - 1, -1):
        size, end = treeplex.bucket_size[b], treeplex.bucket_size[b] * treeplex.bucket_actions[b]
        uniform = broadcast(1.0 / treeplex.bucket_actions[b])
        for i in range(0, size, LANES):
            slot, infoset = treeplex.bucket_slot[b] + i, treeplex.bucket_infoset[b] + i
            value = broadcast(0.0)
            for s in range(slot, slot + end, size):
                value = value + load(strategy, s) * load(cf_value, s)
            total = broadcast(0.0)
            for s in range(slot, slot + end, size):
                share = regret_matching(regret_sum, s, load(cf_value, s) - value, keep, predict, lowest)
                store(strategy, s, share)
                total = total + share
            scatter_add(cf_value, treeplex.parent_slot, infoset, value)
            for s in range(slot, slot + end, size):
                store(strategy, s, where_positive(total, load(strategy, s) / total, uniform))


@compiled(allocates=False)
def spread_reach(treeplex, player, strategy, reach):
    """Walk one player's infosets top-down: fill ``reach`` with the product of the player's own probabilities."""
    reach[treeplex.first_slot[player]] = 1.0
    for b in range(treeplex.first_bucket[player], treeplex.first_bucket[player + 1]):
        size, end = treeplex.bucket_size[b], treeplex.bucket_size[b] * treeplex.bucket_actions[b]
        for i in range(0, size, LANES):
            slot = treeplex.bucket_slot[b] + i
            above = gather(reach, treeplex.parent_slot, treeplex.bucket_infoset[b] + i)
            for s in range(slot, slot + end, size):
                store(reach, s, load(strategy, s) * above)


@compiled(allocates=False)
def add_to_average(treeplex, player, reach, strategy_sum, keep):
    """Let the average strategy's sum decay, and add this iteration's reach × strategy, which is ``reach`` itself."""
    for s in range(treeplex.first_slot[player], treeplex.first_slot[player + 1], LANES):
        store(strategy_sum, s, load(strategy_sum, s) * keep + load(reach, s))


@compiled(allocates=False)
def add_to_deviations(treeplex, player, cf_value, reach, deviation_sum, keep):
    """Let one player's ``deviation_sum`` decay, and add what each slot would have earned less what the player did earn.

    ``cf_value`` holds the payoffs of each slot alone. What was earned, Σ reach × cf_value, is taken off the eight slots
    of the empty sequence, a share from each.
    """
    first, earned = treeplex.first_slot[player], broadcast(0.0)
    for s in range(first, treeplex.first_slot[player + 1], LANES):
        value = load(cf_value, s)
        earned = earned + value * load(reach, s)
        store(deviation_sum, s, load(deviation_sum, s) * keep + value)
    store(deviation_sum, first, load(deviation_sum, first) - earned)


@compiled(allocates=False)
def iterate(treeplex, payoff, state, steps, predict, lowest, alternating):
    """Run the iterations whose scalars are in ``steps``. This is CFR: three lines a player, twice.

    Where there is a ``deviation_sum``, it takes in the payoffs against the play at the start of each iteration: with
    simultaneous updates these are there already, with alternating ones only the first player's are.
    """
    strategy, reach, regret_sum, strategy_sum, cf_value, deviation_sum = state
    players = len(treeplex.first_slot) - 1
    tracked = len(deviation_sum) > 0
    for t in range(len(steps.discount_positive)):
        keep = (steps.discount_positive[t], steps.discount_negative[t], steps.discount_predicted[t])
        if tracked or not alternating:
            for player in range(players):
                counterfactual_values(treeplex, payoff, player, reach, cf_value)
                if tracked:
                    add_to_deviations(treeplex, player, cf_value, reach, deviation_sum, steps.discount_average[t])
        for player in range(players):
            if alternating and not (tracked and player == 0):
                counterfactual_values(treeplex, payoff, player, reach, cf_value)
            update_regrets(treeplex, player, cf_value, strategy, regret_sum, keep, predict, lowest)
            add_to_average(treeplex, player, reach, strategy_sum, steps.discount_average[t])
            spread_reach(treeplex, player, strategy, reach)


@compiled(allocates=False)
def normalise(treeplex, total, strategy):
    """Fill ``strategy`` with each infoset's share of ``total``; uniform where an infoset has none."""
    for b in range(len(treeplex.bucket_size)):
        size, actions = np.int64(treeplex.bucket_size[b]), np.int64(treeplex.bucket_actions[b])
        slot = np.int64(treeplex.bucket_slot[b])
        for i in range(size):
            whole = 0.0
            for a in range(actions):
                whole += total[slot + a * size + i]
            for a in range(actions):
                s = slot + a * size + i
                strategy[s] = total[s] / whole if whole > 0.0 else 1.0 / actions


@compiled(allocates=False)
def best_response(treeplex, player, cf_value, strategy):
    """Walk one player's infosets bottom-up and fill ``strategy`` with the best actions, 0 or 1; return their value.

    ``cf_value`` enters with the payoffs of each slot and leaves with those of the best play below it added. Of equal
    actions the first is taken.
    """
    for b in range(treeplex.first_bucket[player + 1] - 1, treeplex.first_bucket[player] - 1, -1):
        size, slot = np.int64(treeplex.bucket_size[b]), np.int64(treeplex.bucket_slot[b])
        for i in range(size):
            best = slot + i
            for a in range(treeplex.bucket_actions[b]):
                s = slot + a * size + i
                strategy[s] = 0.0
                if cf_value[s] > cf_value[best]:
                    best = s
            strategy[best] = 1.0
            cf_value[treeplex.parent_slot[treeplex.bucket_infoset[b] + i]] += cf_value[best]
    return cf_value[treeplex.first_slot[player]]
