"""Passes over a sequence form: reach, counterfactual values, best responses, strategies from sums.

``treeplex`` and ``payoff`` are the records of a form; ``player`` selects the slots and buckets of
one player; all other arrays have one number a slot, for all players, and are filled in place. The
kernels take eight infosets side by side, action after action (:mod:`equilibrist._jit.simd`), and
compute in the precision of reach, values and the weights of the payoff, float64 or float32.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, inline_ir, inlined
from ..._jit.simd import (
    LANES,
    broadcast,
    broadcast_like,
    gather,
    load,
    load_like,
    store,
    where_positive,
)
from ..._util.arrays import Floats
from ..floors import NO_FLOORS, Terms, add_payments, are_pinned, free_of, pinned_of
from ..responses import BestResponses
from .payoff.layout import Payoff
from .treeplex import Treeplex


def average_from_sums(treeplex: Treeplex, sums: NDArray[Any]) -> Floats:
    """Return the strategy that plays each action by its share of its infoset's sum; uniformly where that is 0."""
    strategy = np.ones(len(sums))
    normalise(treeplex, sums, strategy)
    return strategy


def reach(treeplex: Treeplex, strategy: Floats) -> Floats:
    """Return the reach of each slot by its player's own probabilities."""
    product = np.zeros(len(strategy))
    for player in range(len(treeplex.first_slot) - 1):
        fill_reach(treeplex, player, strategy, product)
    return product


def best_responses(
    treeplex: Treeplex,
    payoff: Payoff,
    strategy: Floats,
    floors: Terms = NO_FLOORS,
) -> BestResponses:
    """Return the value of a strategy and the best response of each player to the others', on these terms."""
    product = reach(treeplex, strategy)
    cf_value = np.zeros(len(strategy))
    response = np.ones(len(strategy))
    sums = np.zeros(2 * LANES)
    value = []
    best_value = []
    # Numba finds the type of None at once.
    terms = None if floors is NO_FLOORS else floors
    for player in range(len(treeplex.first_slot) - 1):
        counterfactual_values(treeplex, payoff, player, product, cf_value)
        if player == floors.payments.payee:
            pay(treeplex, player, floors.payments, cf_value)
        sum_products(treeplex, player, product, cf_value, sums)
        value.append(math.fsum(sums))
        best_value.append(float(best_response(treeplex, player, cf_value, response, terms)))
    return BestResponses(tuple(value), tuple(best_value), product, cf_value, response)


@inlined
def normalise_share(share, total, uniform):
    """Return the probability of an action from its share of the total: ``uniform`` where the total is 0."""
    return where_positive(total, share / total, uniform)


@compiled(allocates=False, entry=False)
def _reach_of_others(column, k, reach):
    """Return the product of the others' reach of the slots in one column of the payoff."""
    if column.ndim == 1:  # two players: decided when Numba compiles, so that their loop stays small
        return reach[column[k]]
    product = 1.0  # of one player
    for other in range(column.shape[0]):
        product *= float(reach[column[other, k]])
    return product


@compiled(allocates=False, entry=False)
def _weight_start(column_weight, k, next_weight):
    """Return where the weights of a column begin: at ``next_weight`` where they follow those of the column before."""
    if column_weight.ndim == 1:  # decided when Numba compiles as well
        return np.int64(column_weight[k])
    return np.int64(next_weight)


@inline_ir
def block_values(payoff, block, reach):
    """Return the terminal counterfactual values of the eight slots of a block."""
    total = broadcast_like(reach, 0.0)
    weight = payoff.block_weight[block]
    for k in range(payoff.block_start[block], payoff.block_start[block + 1]):
        column_start = _weight_start(payoff.column_weight, k, weight)
        total = total + load(payoff.weights, column_start) * _reach_of_others(
            payoff.block_column, k, reach
        )
        weight += LANES
    return total


@inline_ir
def row_value(payoff, row, reach):
    """Return the terminal counterfactual value of the slot of a row."""
    value = 0.0
    for k in range(payoff.row_start[row], payoff.row_start[row + 1]):
        value += float(payoff.row_weight[k] * _reach_of_others(payoff.row_column, k, reach))
    return value


@compiled(allocates=False)
def counterfactual_values(treeplex, payoff, player, reach, cf_value):
    """Fill ``cf_value`` of one player: the terminal counterfactual values of each slot, payoff × probability."""
    for slot in range(treeplex.first_slot[player], treeplex.first_slot[player + 1], LANES):
        store(cf_value, slot, broadcast(0.0))
    for block in range(payoff.first_block[player], payoff.first_block[player + 1]):
        store(cf_value, payoff.block_slot[block], block_values(payoff, block, reach))
    for row in range(payoff.first_row[player], payoff.first_row[player + 1]):
        cf_value[payoff.row_slot[row]] = row_value(payoff, row, reach)


@compiled(allocates=False)
def pay(treeplex, player, payments, cf_value):
    """Add what a player receives beside the payoffs to the terminal counterfactual values of each slot."""
    first = np.int64(treeplex.first_slot[player])
    count = np.int64(treeplex.first_slot[player + 1]) - first
    add_payments(payments, player, cf_value, first, first, count)


@compiled(allocates=False)
def sum_products(treeplex, player, reach, cf_value, sums):
    """Fill ``sums``, which has room for sixteen numbers: their sum is Σ reach · cf_value over one player's slots.

    Each lane is summed together with the rounding errors made on the way (Knuth's two-sum), so that
    the result is as exact as that of :func:`math.fsum`, and the same on every machine.
    """
    total = broadcast(0.0)
    error = broadcast(0.0)
    for s in range(treeplex.first_slot[player], treeplex.first_slot[player + 1], LANES):
        term = load(reach, s) * load(cf_value, s)
        new = total + term
        rest = new - total
        error = error + ((total - (new - rest)) + (term - rest))
        total = new
    store(sums, 0, total)
    store(sums, LANES, error)


@inline_ir
def fill_reach_of(treeplex, b, i, strategy, reach):
    """Fill ``reach`` of eight infosets of a bucket."""
    slot = treeplex.bucket_slot[b] + i
    size = treeplex.bucket_size[b]
    above = gather(reach, treeplex.parent_slot, treeplex.bucket_infoset[b] + i, 0)
    for s in range(slot, slot + size * treeplex.bucket_actions[b], size):
        store(reach, s, load_like(reach, strategy, s) * above)


@compiled(allocates=False)
def fill_reach(treeplex, player, strategy, reach):
    """Walk one player's infosets top-down: fill ``reach`` with the product of the player's own probabilities."""
    reach[treeplex.first_slot[player]] = 1.0
    for b in range(treeplex.first_bucket[player], treeplex.first_bucket[player + 1]):
        for i in range(0, treeplex.bucket_size[b], LANES):
            fill_reach_of(treeplex, b, i, strategy, reach)


@compiled(allocates=False)
def normalise(treeplex, sums, strategy):
    """Fill ``strategy`` with each action's share of its infoset's sum; uniform where that is 0."""
    for b in range(len(treeplex.bucket_size)):
        size = treeplex.bucket_size[b]
        end = treeplex.bucket_size[b] * treeplex.bucket_actions[b]
        uniform = broadcast(1.0 / treeplex.bucket_actions[b])
        for i in range(0, size, LANES):
            slot = treeplex.bucket_slot[b] + i
            total = broadcast(0.0)
            for s in range(slot, slot + end, size):
                total = total + load_like(strategy, sums, s)
            for s in range(slot, slot + end, size):
                store(strategy, s, normalise_share(load_like(strategy, sums, s), total, uniform))


@compiled(allocates=False)
def best_response(treeplex, player, cf_value, response, floors):
    """Walk one player's infosets bottom-up and fill ``response`` with the best actions, 0 or 1; return their value.

    ``cf_value`` enters with the terminal values of each slot and leaves with those of the best
    response on the terms ``floors`` below it added; None are those on which all is free. Of equal
    actions the first is taken.
    """
    keeps = False
    if floors is not None:
        keeps = are_pinned(floors)
    for b in range(
        np.int64(treeplex.first_bucket[player + 1]) - 1,
        np.int64(treeplex.first_bucket[player]) - 1,
        -1,
    ):
        size = np.int64(treeplex.bucket_size[b])
        slot = np.int64(treeplex.bucket_slot[b])
        for i in range(size):
            best = slot + i
            pinned = 0.0
            for a in range(treeplex.bucket_actions[b]):
                s = slot + a * size + i
                response[s] = 0.0
                if floors is not None and keeps:
                    pinned += cf_value[s] * pinned_of(floors, s)
                if cf_value[s] > cf_value[best]:
                    best = s
            response[best] = 1.0
            value = cf_value[best]
            if floors is not None:
                if keeps:
                    free = free_of(floors, best, float(treeplex.bucket_actions[b]))
                    value = pinned + value * free
                if floors.detached:
                    value = value * 0.0
            cf_value[treeplex.parent_slot[treeplex.bucket_infoset[b] + i]] += value
    return cf_value[treeplex.first_slot[player]]
