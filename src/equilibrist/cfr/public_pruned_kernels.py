"""The kernels of pruned CFR on a public form: walks that leave out what no hand of the other player reaches.

Below a move that the other player makes with no hand all counterfactual values are 0, so that
regrets do not change and strategies stay what they are. What goes by meanwhile is made up for at
the next visit: regret sums are multiplied by the discounts of all iterations since, and the average
strategy is owed the player's *deferred weight*, the sum of weight × own reach of the iterations
left out, which waits at the node where the walk turned back.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import compiled, inline_ir, record
from .._jit.simd import LANES, broadcast, load, load_like, store, where_positive
from .._util.arrays import Floats, Ints
from ..form.public.tree import END, NATURE
from ..form.public.walk import (
    add_row,
    clear_row,
    copy_row,
    extend_reach,
    follow,
    load_strategy,
    open_node,
)
from .minimiser import rule_with
from .public_kernels import add_terminal, back_up, begin_node, update_node
from .regret_matching import RegretMatchingRule


@record
class PrunedTables(NamedTuple):
    """What pruned CFR knows between iterations.

    Attributes
    ----------
    strategy : float array, shape (slots,)
    regret_sum : float array, shape (slots,)
    strategy_sum : float array, shape (slots,)
    updated : int array, shape (public nodes,)
        The iteration in which a node was updated last.
    deferred : int array, shape (public nodes,)
        Whether there is deferred weight at a node: 0 or 1.
    deferred_weight : float array, shape (public nodes × width,), flat
        That of the hands of the player who did not make the last move before the node.
    nodes : int array, shape (1,)
        Histories touched.
    """

    strategy: Floats
    regret_sum: Floats
    strategy_sum: Floats
    updated: Ints
    deferred: Ints
    deferred_weight: Floats
    nodes: Ints


@record
class Pruning(NamedTuple):
    """What a pruned walk reads of a game besides its tree and payoffs, and scratch by depth.

    Attributes
    ----------
    edge_node : int array, shape (moves,)
        How many public nodes come before those below a move, counted from its node.
    deal : int array, shape (public states,)
        Number of the deal.
    histories : float array, shape (deals × 2 × width,), flat
        How many histories deal each hand of each player.
    before : int
        Number of histories in which hands are not dealt in full.
    node : int array, shape (depths,)
        Number of the open node.
    visited : int array, shape (depths × 2,), flat
        How many histories a traversal for each player visits at the node, -1 where none is made.
    weight : float array, shape (depths × 2 × width,), flat
        What is to be added to the average there, for each hand of each player, times the strategy.
    """

    edge_node: Ints
    deal: Ints
    histories: Floats
    before: int
    node: Ints
    visited: Ints
    weight: Floats


@record
class PrunedSteps(NamedTuple):
    """What changes with the iteration.

    Attributes
    ----------
    start : int
        The iteration before those to come.
    decays : bool
        Whether there is any discount of regret sums but 1.
    rules : RegretMatchingRule
        Of iterations 1, 2, …, those long gone included.
    weight : float array
        Weight of the iteration in the average strategy, from ``start`` on.
    """

    start: int
    decays: bool
    rules: RegretMatchingRule
    weight: Floats


@compiled(allocates=False, nogil=True)
def update_pruned(game, tables, scratch, pruning, turns, steps, limits):
    """Run iterations ``first … last``, fewer if ``max_nodes`` are touched before; return the last one run.

    ``turns`` are rows (first, last): the players ``first … last - 1`` update together. Filled in
    place: the tables.
    """
    t, last, max_nodes = limits
    while t <= last and tables.nodes[0] < max_nodes:
        for turn in range(len(turns)):
            tables.nodes[0] += _update_turn(game, tables, scratch, pruning, turns[turn], steps, t)
        t += 1
    return t - 1


@inline_ir
def _update_turn(game, tables, scratch, pruning, turn, steps, t):
    """Walk the tree once for the players of a turn; return how many histories their traversals visit."""
    tree = game.tree
    touched = _open_root(tree, scratch, pruning, turn, steps.weight[t - steps.start])
    depth = 0
    while depth >= 0:
        frame = scratch.frames[depth]
        first, last = _visiting_players(pruning, depth)
        if frame.taken == 0:
            _add_deferred(tree, tables, scratch, pruning, depth, first, last)
            begin_node(tree, tables, scratch, depth, first, last)
        if frame.taken < frame.num_actions:
            edge = frame.first_action + frame.taken
            child = tree.child[edge]
            if tree.mover[child] == END:
                if frame.mover < NATURE:
                    extend_reach(tree, scratch, depth, frame.mover)
                touched += _count_below(tree, scratch, pruning, depth, child)
                first, last = _visiting_players(pruning, depth + 1)
                add_terminal(game, scratch, depth, child, first, last)
            else:
                follow(tree, scratch, depth)
                pruning.node[depth + 1] = pruning.node[depth] + pruning.edge_node[edge]
                touched += _count_below(tree, scratch, pruning, depth, child)
                _pass_weight(tree, tables, scratch, pruning, depth)
                first, last = _visiting_players(pruning, depth + 1)
                if first < last:
                    depth += 1
            continue
        if first <= frame.mover < last:
            _update(tree, tables, scratch, pruning, depth, steps, t)
        depth -= 1
        if depth >= 0:
            back_up(tree, scratch, depth, first, last)
    return touched


@inline_ir
def _open_root(tree, scratch, pruning, turn, weight):
    """Open the root for the players of a turn; return how many histories they visit up to there."""
    width = scratch.width
    root = len(tree.mover) - 1
    touched = 0
    open_node(tree, scratch, 0, root, 0)
    pruning.node[0] = 0
    for i in range(0, 2 * width, LANES):
        store(scratch.reach, i, broadcast(1.0))
        store(pruning.weight, i, broadcast(weight))
    for player in range(2):
        pruning.visited[player] = -1
        if turn[0] <= player < turn[1]:
            pruning.visited[player] = _count_histories(
                tree, scratch, pruning, root, 1 - player, (1 - player) * width
            )
            touched += pruning.before + pruning.visited[player]
    return touched


@inline_ir
def _visiting_players(pruning, depth):
    """Return the players whose traversals visit the open node of a depth, as first and last + 1."""
    return 0 if pruning.visited[2 * depth] >= 0 else 1, 2 if pruning.visited[
        2 * depth + 1
    ] >= 0 else 1


@inline_ir
def _count_histories(tree, scratch, pruning, state, other, start):
    """Return how many histories at a node deal a hand with which the other player goes there."""
    total = broadcast(0.0)
    at = (2 * pruning.deal[state] + other) * scratch.width
    for i in range(0, tree.width[other], LANES):
        reached = where_positive(
            load(scratch.reach, start + i), load(pruning.histories, at + i), broadcast(0.0)
        )
        total = total + reached
    store(scratch.sums, 0, total)
    histories = 0.0
    for i in range(LANES):
        histories += scratch.sums[i]
    return np.int64(histories)


@inline_ir
def _count_below(tree, scratch, pruning, depth, child):
    """Fill in how many histories each traversal visits after an action, -1 where the other plays it with no hand."""
    mover = scratch.frames[depth].mover
    touched = 0
    for player in range(2):
        other = 1 - player
        count = pruning.visited[2 * depth + player]
        if count >= 0 and mover != player:
            start = (2 * depth + other) * scratch.width
            if mover == other:
                start += 2 * scratch.width
            count = _count_histories(tree, scratch, pruning, child, other, start)
            if count == 0 and mover == other:
                count = -1
        pruning.visited[2 * depth + 2 + player] = count
        touched += max(count, 0)
    return touched


@inline_ir
def _add_deferred(tree, tables, scratch, pruning, depth, first, last):
    """Add the weight that was deferred at a node, if its player visits it now."""
    width = scratch.width
    node = pruning.node[depth]
    if tables.deferred[node]:
        player = 1 - scratch.frames[depth - 1].mover
        if first <= player < last:
            row = (2 * depth + player) * width
            add_row(tables.deferred_weight, node * width, pruning.weight, row, tree.width[player])
            tables.deferred[node] = 0


@inline_ir
def _pass_weight(tree, tables, scratch, pruning, depth):
    """Fill the weights after the action of a node that was followed last; defer that of a player who turns back."""
    frame = scratch.frames[depth]
    width = scratch.width
    node = pruning.node[depth + 1]
    for player in range(2):
        row = (2 * depth + player) * width
        hands = tree.width[player]
        if player == frame.mover:
            chosen = (depth * scratch.actions + frame.taken - 1) * width
            for i in range(0, hands, LANES):
                share = load(pruning.weight, row + i) * load(scratch.sigma, chosen + i)
                store(pruning.weight, row + 2 * width + i, share)
        elif (
            pruning.visited[2 * depth + player] < 0 or pruning.visited[2 * depth + 2 + player] >= 0
        ):
            copy_row(pruning.weight, row, pruning.weight, row + 2 * width, hands)
        else:
            if not tables.deferred[node]:
                clear_row(tables.deferred_weight, node * width, hands)
            add_row(pruning.weight, row, tables.deferred_weight, node * width, hands)
            tables.deferred[node] = 1


@inline_ir
def _decay_since(steps, since, t):
    """Return the products of the discounts of iterations since + 1 … t: of positive and of negative sums."""
    positive = 1.0
    negative = 1.0
    if steps.decays:
        for s in range(since, t):
            positive *= steps.rules.discount_positive[s]
            negative *= steps.rules.discount_negative[s]
    return positive, negative


@inline_ir
def _update(tree, tables, scratch, pruning, depth, steps, t):
    """Update the regrets, the average and the strategy of a node; fill its row of ``value``."""
    node = pruning.node[depth]
    positive, negative = _decay_since(steps, tables.updated[node], t)
    tables.updated[node] = t
    rule = rule_with(steps.rules, t - 1, positive, negative)
    update_node(tree, tables, scratch, depth, rule, 1.0, pruning.weight)


@compiled(allocates=False)
def bring_up_to_date(game, tables, scratch, pruning, steps, t, regret_sum, strategy_sum):
    """Add what is owed after iteration t to copies of the sums, of which that of regrets may be empty."""
    tree = game.tree
    width = scratch.width
    open_node(tree, scratch, 0, len(tree.mover) - 1, 0)
    pruning.node[0] = 0
    # What is deferred is added to it on the way, as reach that is left.
    clear_row(scratch.reach, 0, 2 * width)
    depth = 0
    while depth >= 0:
        frame = scratch.frames[depth]
        node = pruning.node[depth]
        if frame.taken == 0:
            if tables.deferred[node]:
                player = 1 - scratch.frames[depth - 1].mover
                row = (2 * depth + player) * width
                add_row(
                    tables.deferred_weight, node * width, scratch.reach, row, tree.width[player]
                )
            if frame.mover < NATURE:
                decay = _decay_since(steps, tables.updated[node], t)
                _add_owed(tree, tables, scratch, depth, decay, regret_sum, strategy_sum)
        if frame.taken == frame.num_actions:
            depth -= 1
            continue
        edge = frame.first_action + frame.taken
        if tree.mover[tree.child[edge]] == END:
            frame.taken += 1
        else:
            pruning.node[depth + 1] = node + pruning.edge_node[edge]
            follow(tree, scratch, depth)
            depth += 1


@inline_ir
def _add_owed(tree, tables, scratch, depth, decay, regret_sum, strategy_sum):
    """Add reach × strategy to the sums of the average at a node, and discount its regret sums, if there are any."""
    frame = scratch.frames[depth]
    width = scratch.width
    (positive, negative) = decay
    hands = tree.width[frame.mover]
    begin = depth * scratch.actions * width
    row = (2 * depth + frame.mover) * width
    load_strategy(
        tables.strategy, frame.slot, frame.num_actions, hands, scratch.sigma, begin, width
    )
    for action in range(frame.num_actions):
        for i in range(0, hands, LANES):
            s = frame.slot + action * hands + i
            share = load(scratch.sigma, begin + action * width + i) * load(scratch.reach, row + i)
            store(strategy_sum, s, load_like(scratch.sigma, strategy_sum, s) + share)
            if len(regret_sum) > 0:
                regret = load_like(scratch.sigma, regret_sum, s)
                factor = where_positive(regret, broadcast(positive), broadcast(negative))
                store(regret_sum, s, regret * factor)
