"""The kernels of pruned CFR on a public form: walks that leave out what no hand of the other player reaches.

Below a move that the other player makes with no hand all counterfactual values are 0, so that regrets do not change and
strategies stay what they are. What goes by meanwhile is made up for at the next visit: regret sums are multiplied by
the discounts of all iterations since, and the average strategy is owed the player's *credit*, the sum of weight × own
reach of the iterations left out, which waits at the node where the walk turned back.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, merged
from .._jit.records import record
from .._jit.simd import LANES, broadcast, load, store, where_positive
from .._util.arrays import Floats, Ints
from ..form.public_tree import END, NATURE
from ..form.public_walk import add_row, clear_row, copy_row, extend_reach, load_strategy, open_node
from ..form.terminal.payoffs import terminal_values
from .public_kernels import update_node
from .update_rule import UpdateRule


@record
class PrunedTables(NamedTuple):
    """What pruned CFR knows between iterations.

    Attributes
    ----------
    strategy, regret_sum, strategy_sum : float64 array, a number a slot
    updated : int64 array, shape (public nodes,)
        The iteration in which a node was updated last.
    waiting : int64 array, shape (public nodes,)
        Whether there is credit at a node: 0 or 1.
    credit : float64 array, shape (public nodes × width,), flat
        That of the hands of the player who did not make the last move before the node.
    nodes : int64 array, shape (1,)
        Histories touched.
    """

    strategy: Floats
    regret_sum: Floats
    strategy_sum: Floats
    updated: Ints
    waiting: Ints
    credit: Floats
    nodes: Ints


@record
class Pruning(NamedTuple):
    """What a pruned walk reads of a game besides its tree and payoffs, and scratch by depth.

    Attributes
    ----------
    edge_node : int64 array, shape (moves,)
        How many public nodes come before those below a move, counted from its node.
    deal : int64 array, shape (public states,)
        Number of the deal.
    histories : float64 array, shape (deals × 2 × width,), flat
        How many histories deal each hand of each player.
    before : int
        Number of histories in which hands are not dealt in full.
    node : int64 array, shape (depths,)
        Number of the open node.
    visited : int64 array, shape (depths × 2,), flat
        How many histories a traversal for each player visits at the node, -1 where none is made.
    credit : float64 array, shape (depths × 2 × width,), flat
        What is to be added to the average there, for each hand of each player, times the strategy.
    """

    edge_node: Ints
    deal: Ints
    histories: Floats
    before: int
    node: Ints
    visited: Ints
    credit: Floats


@record
class PrunedSteps(NamedTuple):
    """Scalars of iterations (:class:`~equilibrist.cfr.algorithms.Steps`).

    Attributes
    ----------
    start : int
        The iteration before those to come.
    decays : bool
        Whether there is any discount of regret sums but 1.
    discount_positive, discount_negative, discount_predicted : float64 array
        Of iterations 1, 2, …, those long gone included.
    weight : float64 array
        Weight of the iteration in the average strategy, from ``start`` on.
    predict, floor, rounding : float
        As in :class:`~equilibrist.cfr.update_rule.UpdateRule`.
    """

    start: int
    decays: bool
    discount_positive: NDArray[Any]
    discount_negative: NDArray[Any]
    discount_predicted: NDArray[Any]
    weight: NDArray[Any]
    predict: float
    floor: float
    rounding: float


@compiled(allocates=False, beside=True)
def update_pruned(game, tables, scratch, pruning, turns, steps, limits):
    """Run iterations ``first … last``, fewer if ``max_nodes`` are touched before; return the last one run.

    ``turns`` are rows (first, last): the players ``first … last - 1`` update together. Filled in place: the tables.
    """
    t, last, max_nodes = limits
    while t <= last and tables.nodes[0] < max_nodes:
        for turn in range(len(turns)):
            tables.nodes[0] += _update_turn(game, tables, scratch, pruning, turns[turn], steps, t)
        t += 1
    return t - 1


@merged
def _update_turn(game, tables, scratch, pruning, turn, steps, t):
    """Walk the tree once for the players of a turn; return how many histories their traversals visit."""
    tree = game.tree
    touched = _open_root(tree, scratch, pruning, turn, steps.weight[t - steps.start])
    depth = 0
    while depth >= 0:
        frame = scratch.frames[depth]
        if frame.taken == 0:
            _begin(tree, tables, scratch, pruning, depth)
        if frame.taken < frame.num_actions:
            edge = frame.first_action + frame.taken
            child = tree.child[edge]
            if frame.mover < NATURE:
                extend_reach(tree, scratch, depth, frame.mover)
            alive = False
            for player in range(2):
                touched += _count_below(tree, scratch, pruning, depth, child, player)
                alive = alive or pruning.visited[2 * depth + 2 + player] >= 0
            if tree.mover[child] == END:
                _add_terminal(game, scratch, pruning, depth, child)
            else:
                _set_aside(tree, tables, scratch, pruning, depth, pruning.node[depth] + pruning.edge_node[edge])
                if alive:
                    _follow(tree, scratch, pruning, depth, edge)
                    depth += 1
                    continue
            frame.taken += 1
            continue
        if frame.mover < NATURE and pruning.visited[2 * depth + frame.mover] >= 0:
            _update(tree, tables, scratch, pruning, depth, steps, t)
        depth -= 1
        if depth >= 0:
            _hand_up(tree, scratch, pruning, depth)
    return touched


@merged
def _open_root(tree, scratch, pruning, turn, weight):
    """Open the root for the players of a turn; return how many histories they visit up to there."""
    width, root, touched = scratch.width, len(tree.mover) - 1, 0
    open_node(tree, scratch, 0, root, 0)
    pruning.node[0] = 0
    for i in range(0, 2 * width, LANES):
        store(scratch.reach, i, broadcast(1.0))
        store(pruning.credit, i, broadcast(weight))
    for player in range(2):
        pruning.visited[player] = -1
        if turn[0] <= player < turn[1]:
            pruning.visited[player] = _histories(tree, scratch, pruning, root, 1 - player, (1 - player) * width)
            touched += pruning.before + pruning.visited[player]
    return touched


@merged
def _histories(tree, scratch, pruning, state, other, start):
    """Return how many histories at a node deal a hand with which the other player goes there."""
    total, at = broadcast(0.0), (2 * pruning.deal[state] + other) * scratch.width
    for i in range(0, tree.width[other], LANES):
        reached = where_positive(load(scratch.reach, start + i), load(pruning.histories, at + i), broadcast(0.0))
        total = total + reached
    store(scratch.sums, 0, total)
    histories = 0.0
    for i in range(LANES):
        histories += scratch.sums[i]
    return np.int64(histories)


@merged
def _count_below(tree, scratch, pruning, depth, child, player):
    """Fill in how many histories a player's traversal visits after the next action, -1 where none; return how many.

    It turns back after a move that the other makes with no hand.
    """
    here, mover, other = 2 * depth + player, scratch.frames[depth].mover, 1 - player
    count = pruning.visited[here]
    if count >= 0 and mover != player:
        start = (2 * depth + other) * scratch.width
        if mover == other:
            start += 2 * scratch.width
        count = _histories(tree, scratch, pruning, child, other, start)
        if count == 0 and mover == other:
            count = -1
    pruning.visited[here + 2] = count
    return max(count, 0)


@merged
def _begin(tree, tables, scratch, pruning, depth):
    """Fill what is known of a node before any action is followed; take up the credit that waits there."""
    frame, width, node = scratch.frames[depth], scratch.width, pruning.node[depth]
    for player in range(2):
        if pruning.visited[2 * depth + player] >= 0:
            row = (2 * depth + player) * width
            clear_row(scratch.value, row, width)
            if tables.waiting[node] and scratch.frames[depth - 1].mover == 1 - player:
                add_row(tables.credit, node * width, pruning.credit, row, tree.width[player])
                tables.waiting[node] = 0
    if frame.mover < NATURE:
        own, begin = tree.width[frame.mover], depth * scratch.actions * width
        load_strategy(tables.strategy, frame.slot, frame.num_actions, own, scratch.sigma, begin, width)


@merged
def _set_aside(tree, tables, scratch, pruning, depth, node):
    """Leave the credit of a player who turns back at the node below."""
    player = 1 - scratch.frames[depth].mover
    if player < 0:  # chance has moved
        return
    here, width = 2 * depth + player, scratch.width
    if pruning.visited[here] >= 0 and pruning.visited[here + 2] < 0:
        if tables.waiting[node]:
            add_row(pruning.credit, here * width, tables.credit, node * width, tree.width[player])
        else:
            copy_row(pruning.credit, here * width, tables.credit, node * width, tree.width[player])
            tables.waiting[node] = 1


@merged
def _follow(tree, scratch, pruning, depth, edge):
    """Open the node after the next action of the node at this depth; the mover's reach is filled already."""
    frame, width = scratch.frames[depth], scratch.width
    for player in range(2):
        row = (2 * depth + player) * width
        if player == frame.mover:
            chosen = (depth * scratch.actions + frame.taken) * width
            for i in range(0, tree.width[player], LANES):
                share = load(pruning.credit, row + i) * load(scratch.sigma, chosen + i)
                store(pruning.credit, row + 2 * width + i, share)
        else:
            copy_row(scratch.reach, row, scratch.reach, row + 2 * width, tree.width[player])
            copy_row(pruning.credit, row, pruning.credit, row + 2 * width, tree.width[player])
    frame.taken += 1
    pruning.node[depth + 1] = pruning.node[depth] + pruning.edge_node[edge]
    open_node(tree, scratch, depth + 1, tree.child[edge], frame.slot + tree.child_slot[edge])


@merged
def _add_terminal(game, scratch, pruning, depth, state):
    """Add the values of the next action of the node at this depth, after which the game is over."""
    frame, width = scratch.frames[depth], scratch.width
    for player in range(2):
        if pruning.visited[2 * depth + 2 + player] < 0:
            continue
        start, row = (2 * depth + 1 - player) * width, (2 * depth + player) * width
        if frame.mover == 1 - player:
            start += 2 * width
        if frame.mover == player:
            at = (depth * scratch.actions + frame.taken) * width
            terminal_values(game, state, player, scratch.reach, start, scratch.action_value, at, scratch.sums)
        else:
            below = row + 2 * width
            terminal_values(game, state, player, scratch.reach, start, scratch.value, below, scratch.sums)
            add_row(scratch.value, below, scratch.value, row, game.tree.width[player])


@merged
def _decay(steps, since, t):
    """Return the products of the discounts of iterations since + 1 … t: of positive and of negative sums."""
    positive, negative = 1.0, 1.0
    if steps.decays:
        for s in range(since, t):
            positive *= steps.discount_positive[s]
            negative *= steps.discount_negative[s]
    return positive, negative


@merged
def _update(tree, tables, scratch, pruning, depth, steps, t):
    """Update the regrets, the average and the strategy of a node; fill its row of ``value``."""
    node = pruning.node[depth]
    positive, negative = _decay(steps, tables.updated[node], t)
    tables.updated[node] = t
    rule = UpdateRule(positive, negative, steps.discount_predicted[t - 1], steps.predict, steps.floor, steps.rounding)
    update_node(tree, tables, scratch, depth, rule, 1.0, pruning.credit)


@merged
def _hand_up(tree, scratch, pruning, depth):
    """Give the values of the node below to the node at this depth: the mover's by action, the other's are added."""
    frame, width = scratch.frames[depth], scratch.width
    for player in range(2):
        if pruning.visited[2 * depth + 2 + player] < 0:
            continue
        row = (2 * depth + player) * width
        if frame.mover == player:
            at = (depth * scratch.actions + frame.taken - 1) * width
            copy_row(scratch.value, row + 2 * width, scratch.action_value, at, tree.width[player])
        else:
            add_row(scratch.value, row + 2 * width, scratch.value, row, tree.width[player])


@compiled(allocates=False)
def bring_up_to_date(game, tables, scratch, pruning, steps, t, regret_sum, strategy_sum):
    """Add what is owed after iteration t to copies of the sums, of which that of regrets may be empty."""
    tree, width = game.tree, scratch.width
    _open_root(tree, scratch, pruning, (0, 0), 0.0)
    depth = 0
    while depth >= 0:
        frame, node = scratch.frames[depth], pruning.node[depth]
        if frame.taken == 0 and frame.mover < NATURE:
            own, begin = tree.width[frame.mover], depth * scratch.actions * width
            load_strategy(tables.strategy, frame.slot, frame.num_actions, own, scratch.sigma, begin, width)
        if frame.taken == 0:
            if tables.waiting[node]:
                player = 1 - scratch.frames[depth - 1].mover
                row = (2 * depth + player) * width
                add_row(tables.credit, node * width, pruning.credit, row, tree.width[player])
            if frame.mover < NATURE:
                positive, negative = _decay(steps, tables.updated[node], t)
                row = (2 * depth + frame.mover) * width
                for action in range(frame.num_actions):
                    for i in range(0, own, LANES):
                        s = frame.slot + action * own + i
                        share = load(scratch.sigma, begin + action * width + i) * load(pruning.credit, row + i)
                        store(strategy_sum, s, load(strategy_sum, s) + share)
                        if len(regret_sum) > 0:
                            regret = load(regret_sum, s)
                            factor = where_positive(regret, broadcast(positive), broadcast(negative))
                            store(regret_sum, s, regret * factor)
        if frame.taken == frame.num_actions:
            depth -= 1
        elif tree.mover[tree.child[frame.first_action + frame.taken]] == END:
            frame.taken += 1
        else:
            if frame.mover < NATURE:
                extend_reach(tree, scratch, depth, frame.mover)
            _follow(tree, scratch, pruning, depth, frame.first_action + frame.taken)
            depth += 1
