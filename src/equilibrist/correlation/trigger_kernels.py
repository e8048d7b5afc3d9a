"""Kernels of trigger regrets: what each player learns from an iteration, and the play that deviations leave as it is.

Sequences are numbered player by player, and those of a player infoset by infoset, each followed by
all that come after it: what follows infoset j are the infosets from j to ``end[j]`` and the
sequences from ``first[j]`` to ``first[end[j]]``. Sequence 0 is the empty one of everybody. Trigger
s is the one whose recommendation is the last action of sequence s; its tables are a part of
``regret``, ``behaviour`` and ``gained`` that begins at ``offset[s]``, with a number for each
sequence that follows its infoset.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

from .._jit.compile import compiled
from .._util.arrays import Floats, Ints

_LEAST_RATE = 1e-15
"""Of each move of the chain below, as a share of all: which of several answers there is then follows."""


class Tables(NamedTuple):
    """A game, and what its players have learnt; arrays of float64 but for the numbers of sequences and infosets."""

    # the game: shapes (infosets + 1,), (infosets,), (infosets,), (sequences + 1,), (players + 1,),
    # (leaves, players) and (players, leaves): payoff × probability of chance
    first: Ints
    parent: Ints
    end: Ints
    offset: Ints
    first_infoset: Ints
    leaf: Ints
    payoff: Floats
    # at the sequences: the probability of the own play, its counterfactual value, the regret for
    # not having deviated at a trigger, and scratch
    play: Floats
    value: Floats
    trigger_regret: Floats
    weight: Floats  # the share of each trigger in the deviation that is to change nothing
    inflow: Floats
    path: Floats
    # at the triggers' tables: the regrets of the continuation after each trigger, and what is
    # played there
    regret: Floats
    behaviour: Floats
    # sums over iterations, each times its number, the first of which is 1: the counterfactual
    # values of each continuation, what following earned, and the leaves
    gained: Floats
    followed: Floats
    reached: Floats
    rates: Floats  # scratch, shape (most actions + 1,) twice
    scratch: Floats  # shape (sequences,)
    iterations: Ints  # shape (1,): how many have been run


@compiled(allocates=False, entry=False)
def counterfactual_values(t, player):
    """Fill the player's ``value`` with payoff × probability that chance and the others come there."""
    for s in range(t.first[t.first_infoset[player]], t.first[t.first_infoset[player + 1]]):
        t.value[s] = 0.0
    for z in range(len(t.leaf)):
        product = t.payoff[player, z]
        for other in range(t.leaf.shape[1]):
            if other != player:
                product *= t.play[t.leaf[z, other]]
        t.value[t.leaf[z, player]] += product


@compiled(allocates=False, entry=False)
def fill_stationary(rates, n, share):
    """Fill ``share`` with the stationary weights of a Markov chain of n states, up to a factor, by elimination.

    ``rates[i, j]`` are those of moving from i to j; they are changed. Nothing is subtracted, so
    that no digits are lost. Source: Grassmann, Taksar & Heyman 1985.
    """
    for k in range(n - 1, 0, -1):
        leaving = 0.0
        for j in range(k):
            leaving += rates[k, j]
        for i in range(k):
            rates[i, k] /= leaving
            for j in range(k):
                rates[i, j] += rates[i, k] * rates[k, j]
    share[0] = 1.0
    for k in range(1, n):
        share[k] = 0.0
        for i in range(k):
            share[k] += share[i] * rates[i, k]


@compiled(allocates=False, entry=False)
def update_deviations(t, player, iteration):
    """Update what a player knows of each deviation, from the values of an iteration: regrets, what is played, sums."""
    begin = t.first_infoset[player]
    last = t.first_infoset[player + 1]
    value_followed = t.inflow  # by following, from each sequence on
    for s in range(t.first[begin], t.first[last]):
        value_followed[s] = t.play[s] * t.value[s]
    for j in range(last - 1, begin - 1, -1):
        for s in range(t.first[j], t.first[j + 1]):
            if t.parent[j] > 0:
                value_followed[t.parent[j]] += value_followed[s]
    mean = 0.0  # of what deviations gain by their weights: 0 but for rounding
    for j in range(begin, last):
        for s in range(t.first[j], t.first[j + 1]):
            if t.play[s] > 0.0:
                t.path[s] = _update_continuation(t, j, s, iteration) - value_followed[s]
            else:
                t.path[s] = 0.0
            t.followed[s] += value_followed[s] * iteration
            mean += t.weight[s] * t.path[s]
    total = 0.0
    for s in range(t.first[begin], t.first[last]):
        t.trigger_regret[s] = max(t.trigger_regret[s] + t.path[s] - mean, 0.0)
        total += t.trigger_regret[s]
    for s in range(t.first[begin], t.first[last]):
        uniform = 1.0 / (t.first[last] - t.first[begin])
        if total > 0.0:
            t.weight[s] = t.trigger_regret[s] / total
        else:
            t.weight[s] = uniform


@compiled(allocates=False, entry=False)
def _update_continuation(t, j, s, iteration):
    """Update the continuation of trigger s at infoset j by regret matching+; return what it was worth."""
    value = t.scratch
    at = t.offset[s]
    root = t.first[j]
    for k in range(t.first[t.end[j]] - root):
        value[k] = t.play[s] * t.value[root + k]
        t.gained[at + k] += value[k] * iteration
    worth = 0.0
    for i in range(t.end[j] - 1, j - 1, -1):
        begin = t.first[i] - root
        stop = t.first[i + 1] - root
        worth = 0.0
        total = 0.0
        for k in range(begin, stop):
            worth += t.behaviour[at + k] * value[k]
        for k in range(begin, stop):
            t.regret[at + k] = max(t.regret[at + k] + value[k] - worth, 0.0)
            total += t.regret[at + k]
        for k in range(begin, stop):
            if total > 0.0:
                t.behaviour[at + k] = t.regret[at + k] / total
            else:
                t.behaviour[at + k] = 1.0 / (stop - begin)
        if i > j:
            value[t.parent[i] - root] += worth
    return worth


@compiled(allocates=False, entry=False)
def fill_fixed_point(t, player):
    """Fill the player's ``play`` with a fixed point of the deviations, mixed by their weights.

    A deviation takes the probability of its trigger s away from s and all that follows, and shares
    it out after the infoset of s as its continuation says. Top-down, x of the actions a of an
    infoset j solves

        (D + w(a)) x(a) = inflow(a) + Σ_b w(b) q_b(a) x(b),

    where w are the weights of the triggers there, q_b the continuations, D the sum of weights on
    the way to j, and the inflow what the continuations of triggers at earlier infosets share out to
    a.
    """
    begin = t.first_infoset[player]
    last = t.first_infoset[player + 1]
    for s in range(t.first[begin], t.first[last]):
        t.inflow[s] = 0.0
    t.path[0] = 0.0
    for j in range(begin, last):
        _fill_fixed_point_at(t, j)
        for s in range(t.first[j], t.first[j + 1]):
            t.path[s] = t.path[t.parent[j]] + t.weight[s]
            share = t.weight[s] * t.play[s]
            if share > 0.0:
                _add_inflow(t, j, s, share)


@compiled(allocates=False, entry=False)
def _fill_fixed_point_at(t, j):
    """Fill ``play`` of the actions of an infoset: stationary weights of a chain, with a state for what is outside."""
    root = t.first[j]
    n = t.first[j + 1] - t.first[j]
    leaving = t.path[t.parent[j]]
    total = leaving
    for a in range(n):
        total += t.weight[root + a]
    outside = 1 if leaving > 0.0 else 0
    if outside == 1:
        t.rates[0, 0] = 0.0
        for a in range(n):
            t.rates[0, 1 + a] = t.inflow[root + a]
            t.rates[1 + a, 0] = leaving
    for b in range(n):
        for a in range(n):
            moved = t.weight[root + b] * t.behaviour[t.offset[root + b] + a]
            t.rates[outside + b, outside + a] = moved + _LEAST_RATE * total + 1e-300
    fill_stationary(t.rates, outside + n, t.scratch)
    total = 0.0
    for a in range(n):
        total += t.scratch[outside + a]
    for a in range(n):
        if total > 0.0:
            t.play[root + a] = t.play[t.parent[j]] * (t.scratch[outside + a] / total)
        else:
            t.play[root + a] = 0.0


@compiled(allocates=False, entry=False)
def _add_inflow(t, j, s, share):
    """Add a share of the continuation of trigger s at infoset j to the inflow of what follows j."""
    at = t.offset[s]
    root = t.first[j]
    for k in range(t.first[j + 1] - root):
        t.scratch[k] = share * t.behaviour[at + k]
    for i in range(j + 1, t.end[j]):
        reach_above = t.scratch[t.parent[i] - root]
        for k in range(t.first[i] - root, t.first[i + 1] - root):
            t.scratch[k] = reach_above * t.behaviour[at + k]
            t.inflow[root + k] += t.scratch[k]


@compiled(allocates=False)
def run_iterations(t, profiles, count):
    """Run iterations in which all players play at once, learn and settle; write down each profile before."""
    players = t.leaf.shape[1]
    for _ in range(count):
        iteration = t.iterations[0] + 1.0
        for s in range(len(t.play)):
            profiles[t.iterations[0], s] = t.play[s]
        for z in range(len(t.leaf)):
            product = 1.0
            for player in range(players):
                product *= t.play[t.leaf[z, player]]
            t.reached[z] += product * iteration
        for player in range(players):
            counterfactual_values(t, player)
        for player in range(players):
            update_deviations(t, player, iteration)
            fill_fixed_point(t, player)
        t.iterations[0] += 1


@compiled(allocates=False)
def deviation_gains(t, gains):
    """Fill ``gains`` at the sequences: the most that leaving the play at each trigger gains, summed like the rest."""
    for j in range(len(t.parent)):
        root = t.first[j]
        for s in range(root, t.first[j + 1]):
            value = t.scratch
            for k in range(t.first[t.end[j]] - root):
                value[k] = t.gained[t.offset[s] + k]
            best = 0.0
            for i in range(t.end[j] - 1, j - 1, -1):
                best = value[t.first[i] - root]
                for k in range(t.first[i] - root, t.first[i + 1] - root):
                    best = max(best, value[k])
                if i > j:
                    value[t.parent[i] - root] += best
            gains[s] = best - t.followed[s]
