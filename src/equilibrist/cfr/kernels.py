"""The passes over a compiled game that everything else is made of.

``treeplex`` and ``payoff`` are the records of :mod:`equilibrist.form.sequence`; ``player`` selects the slots and
buckets of one player; all other arrays have one number a slot, for all players, and are filled in place. Inside a
bucket the slots are laid out [action][infoset], so each pass is a few long loops over contiguous memory, cut
into tiles of infosets that stay in the first-level cache.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import numpy as np

from ..compiled import compiled

TILE = 256


@compiled
def _reach_of_others(column, k, reach):
    """Return the product of the others' reach of the slots in one entry of the payoff."""
    if column.ndim == 1:  # two players: decided when Numba compiles, so that their loop stays small
        return reach[column[k]]
    product = 1.0
    for other in range(column.shape[0]):
        product *= reach[column[other, k]]
    return product


@compiled
def counterfactual_values(treeplex, payoff, player, reach, cf_value):
    """Fill ``cf_value`` of one player: what each slot earns where the game ends after it, payoff × probability."""
    row, column, weight = payoff.row, payoff.column, payoff.weight
    for slot in range(treeplex.first_slot[player], treeplex.first_slot[player + 1]):
        total = 0.0
        for k in range(row[slot], row[slot + 1]):
            total += weight[k] * _reach_of_others(column, k, reach)
        cf_value[slot] = total


@compiled
def update_regrets(treeplex, player, cf_value, strategy, regret_sum, keep, predict, lowest, value, total):
    """Walk one player's infosets bottom-up: values, regrets, next strategy.

    ``cf_value`` enters with the payoffs of each slot and leaves with those of everything below it added. ``keep`` is
    (positive, negative, predicted) of this iteration, ``lowest`` 0 with a floor and -inf without; ``value`` and
    ``total`` are scratch of TILE numbers.
    """
    keep_positive, keep_negative, keep_predicted = keep
    for b in range(treeplex.first_bucket[player + 1] - 1, treeplex.first_bucket[player] - 1, -1):
        size, actions = np.int64(treeplex.bucket_size[b]), np.int64(treeplex.bucket_actions[b])
        uniform = 1.0 / actions
        for start in range(0, size, TILE):
            n = min(TILE, size - start)
            slot = treeplex.bucket_slot[b] + start
            infoset = treeplex.bucket_infoset[b] + start
            for i in range(n):
                value[i] = 0.0
                total[i] = 0.0
            for a in range(actions):
                s = slot + a * size
                q, p = cf_value[s : s + n], strategy[s : s + n]
                for i in range(n):
                    value[i] += p[i] * q[i]
            for a in range(actions):
                s = slot + a * size
                q, p, regret = cf_value[s : s + n], strategy[s : s + n], regret_sum[s : s + n]
                for i in range(n):
                    instant_regret = q[i] - value[i]
                    kept = regret[i] * (keep_positive if regret[i] > 0.0 else keep_negative)
                    updated = max(kept + instant_regret, lowest)
                    share = max(keep_predicted * updated + predict * instant_regret, 0.0)
                    regret[i] = updated
                    p[i] = share
                    total[i] += share
            parent = treeplex.parent_slot[infoset : infoset + n]
            for i in range(n):
                cf_value[parent[i]] += value[i]
                # From here on: strategy = p · total + value, which is uniform where no regret is positive.
                value[i] = 0.0 if total[i] > 0.0 else uniform
                total[i] = 1.0 / total[i] if total[i] > 0.0 else 0.0
            for a in range(actions):
                s = slot + a * size
                p = strategy[s : s + n]
                for i in range(n):
                    p[i] = p[i] * total[i] + value[i]


@compiled
def spread_reach(treeplex, player, strategy, reach):
    """Walk one player's infosets top-down: fill ``reach`` with the product of the player's own probabilities."""
    reach[treeplex.first_slot[player]] = 1.0
    for b in range(treeplex.first_bucket[player], treeplex.first_bucket[player + 1]):
        size, infoset = np.int64(treeplex.bucket_size[b]), treeplex.bucket_infoset[b]
        parent = treeplex.parent_slot[infoset : infoset + size]
        for a in range(treeplex.bucket_actions[b]):
            s = treeplex.bucket_slot[b] + a * size
            x, p = reach[s : s + size], strategy[s : s + size]
            for i in range(size):
                x[i] = p[i] * reach[parent[i]]


@compiled
def add_to_average(treeplex, player, reach, strategy_sum, keep):
    """Let the average strategy's sum decay, and add this iteration's reach × strategy, which is ``reach`` itself."""
    first, end = treeplex.first_slot[player], treeplex.first_slot[player + 1]
    x, total = reach[first:end], strategy_sum[first:end]
    for s in range(len(x)):
        total[s] = keep * total[s] + x[s]


@compiled
def iterate(treeplex, payoff, state, steps, predict, lowest, alternating):
    """Run the iterations whose scalars are in ``steps``. This is CFR: three lines a player, twice."""
    strategy, reach, regret_sum, strategy_sum, cf_value = state
    players = len(treeplex.first_slot) - 1
    value, total = np.empty(TILE), np.empty(TILE)
    for t in range(len(steps.keep_positive)):
        keep = (steps.keep_positive[t], steps.keep_negative[t], steps.keep_predicted[t])
        if not alternating:
            for player in range(players):
                counterfactual_values(treeplex, payoff, player, reach, cf_value)
        for player in range(players):
            if alternating:
                counterfactual_values(treeplex, payoff, player, reach, cf_value)
            update_regrets(treeplex, player, cf_value, strategy, regret_sum, keep, predict, lowest, value, total)
            add_to_average(treeplex, player, reach, strategy_sum, steps.keep_average[t])
            spread_reach(treeplex, player, strategy, reach)


@compiled
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


@compiled
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
