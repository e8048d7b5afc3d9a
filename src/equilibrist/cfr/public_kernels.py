"""The kernel of CFR on a public form: a walk that updates regrets, averages and strategies on the way back up."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, inline_ir, record
from .._jit.simd import LANES, broadcast_like, load, load_like, prefetch, store
from .._jit.thread_team import finished_last
from .._util.arrays import Ints
from ..form.public.terminal.payoffs import terminal_values
from ..form.public.tree import END, NATURE
from ..form.public.walk import (
    NO_BUNDLE,
    add_row,
    clear_row,
    copy_row,
    descend,
    end_walk,
    extend_reach,
    first_bundle,
    follow,
    load_strategy,
    next_bundle,
    open_subtree,
    prefetch_next,
    subtrees_of,
)
from .minimiser import (
    add_share,
    averages,
    fill_others_reach_at_node,
    next_probability,
    no_shares,
    pay_at,
    pinned_value,
    placed,
    reference_value,
    rule_at,
    rule_at_row,
    update_regret,
    value_above,
)


@record
class Tables(NamedTuple):
    """What CFR knows between iterations: a number a slot, float64 or float32."""

    strategy: NDArray[Any]
    regret_sum: NDArray[Any]
    strategy_sum: NDArray[Any]


def list_turns(*, alternating: bool) -> Ints:
    """Return the turns of an iteration, shape (1 or 2, 2): an array, so that one kernel serves for both."""
    return np.array([[0, 1], [1, 2]] if alternating else [[0, 2]], np.int64)


@compiled(allocates=False, nogil=True)
def update_walk(game, tables, scratch, subtrees, span, turns, rules, average_discounts):
    """Walk subtrees depth first, once for each turn of each iteration, and update the players whose turn it is.

    ``turns`` are rows (first, last): the players ``first … last - 1`` update together. ``rules``
    are those of the iterations, ``average_discounts`` the discounts of the sums of the average.
    Filled in place: the tables, and ``value`` of the subtrees of the span (of the last turn). Where
    both parts of the tree are walked, ``reach`` of the subtrees enters with that of the first turn.
    """
    tree = game.tree
    width = scratch.width
    for t in range(len(average_discounts)):
        rule = rule_at(rules, t)
        discount = float(average_discounts[t])
        for turn in range(len(turns)):
            first = turns[turn, 0]
            last = turns[turn, 1]
            bundle = first_bundle(span)
            while bundle != NO_BUNDLE:
                begin, end, cut = subtrees_of(span, bundle)
                for root in range(begin, end):
                    open_subtree(tree, scratch, subtrees, root)
                    depth = 0
                    subtree = 0
                    while depth >= 0:
                        frame = scratch.frames[depth]
                        if tree.slots[frame.state] <= cut:
                            subtree += 1
                            copy_row(
                                subtrees.value,
                                2 * subtree * width,
                                scratch.value,
                                2 * depth * width,
                                2 * width,
                            )
                        else:
                            if frame.taken == 0:
                                begin_node(tree, tables, scratch, depth, first, last)
                            if frame.taken < frame.num_actions:
                                child = tree.child[frame.first_action + frame.taken]
                                if tree.mover[child] == END:
                                    add_terminal(game, scratch, depth, child, first, last)
                                else:
                                    follow(tree, scratch, depth)
                                    depth += 1
                                continue
                            if first <= frame.mover < last:
                                update_node(
                                    tree, tables, scratch, depth, rule, discount, scratch.reach
                                )
                        depth -= 1
                        if depth >= 0:
                            back_up(tree, scratch, depth, first, last)
                    copy_row(scratch.value, 0, subtrees.value, 2 * root * width, 2 * width)
                bundle = next_bundle(span, bundle)
            if span.below and span.above and finished_last(span.team):
                descend(tree, tables.strategy, scratch, subtrees, span.cut, np.bool_(False))
            end_walk(span)


@inline_ir
def begin_node(tree, tables, scratch, depth, first, last):
    """Fill what is known of a node before any action is followed; ask for what will be updated on the way up."""
    frame = scratch.frames[depth]
    width = scratch.width
    for player in range(first, last):
        clear_row(scratch.value, (2 * depth + player) * width, width)
    if frame.mover < NATURE:
        hands = tree.width[frame.mover]
        begin = depth * scratch.actions * width
        load_strategy(
            tables.strategy, frame.slot, frame.num_actions, hands, scratch.sigma, begin, width
        )
        prefetch_next(tables.strategy, frame.slot, frame.num_actions * hands)
        if first <= frame.mover < last:
            for s in range(frame.slot, frame.slot + frame.num_actions * hands, LANES):
                prefetch(tables.regret_sum, s)
                prefetch(tables.strategy_sum, s)


@inline_ir
def add_terminal(game, scratch, depth, state, first, last):
    """Add the values of the next action of the node at this depth, after which the game is over."""
    tree = game.tree
    frame = scratch.frames[depth]
    width = scratch.width
    for player in range(first, last):
        start = (2 * depth + 1 - player) * width
        row = (2 * depth + player) * width
        if frame.mover == 1 - player:
            extend_reach(tree, scratch, depth, 1 - player)
            start += 2 * width
        if frame.mover == player:
            at = (depth * scratch.actions + frame.taken) * width
            terminal_values(
                game, state, player, scratch.reach, start, scratch.action_value, at, scratch.sums
            )
        else:
            below = row + 2 * width
            terminal_values(
                game, state, player, scratch.reach, start, scratch.value, below, scratch.sums
            )
            add_row(scratch.value, below, scratch.value, row, tree.width[player])
    frame.taken += 1


@inline_ir
def update_node(tree, tables, scratch, depth, rule, discount, weight):
    """Update the regrets, the average and the strategy of a node; fill its row of ``value``.

    ``discount`` is that of the sums of the average, to which weight × strategy is added: rows laid
    out like ``reach``.
    """
    frame = scratch.frames[depth]
    width = scratch.width
    actions = frame.num_actions
    hands = tree.width[frame.mover]
    begin = depth * scratch.actions * width
    row = (2 * depth + frame.mover) * width
    uniform = broadcast_like(scratch.value, 1.0 / actions)
    fill_others_reach_at_node(rule, scratch, depth)
    for action in range(actions):
        at = begin + action * width
        slot = frame.slot + action * hands
        pay_at(rule, frame.mover, scratch.action_value, at, slot, hands)
    for i in range(0, hands, LANES):
        value = broadcast_like(scratch.value, 0.0)
        sum_values = broadcast_like(scratch.value, 0.0)
        local = rule_at_row(
            rule, scratch.value, frame.slot + i, actions, scratch.best_value, depth * width + i
        )
        for action in range(actions):
            at = begin + action * width + i
            value = value + load(scratch.sigma, at) * load(scratch.action_value, at)
            s = frame.slot + action * hands + i
            action_value = load(scratch.action_value, at)
            sum_values = sum_values + pinned_value(local, scratch.value, s, action_value)
        reference = reference_value(local, value, sum_values, uniform)
        total = no_shares(rule, broadcast_like(scratch.value, 0.0))
        added = load(weight, row + i)
        for action in range(actions):
            at = begin + action * width + i
            s = frame.slot + action * hands + i
            regret, share = update_regret(
                local,
                load_like(scratch.value, tables.regret_sum, s),
                load(scratch.action_value, at) - reference,
            )
            store(tables.regret_sum, s, regret)
            store(scratch.action_value, at, share)
            total = add_share(rule, total, share)
            if averages(rule):
                old_sum = load_like(scratch.value, tables.strategy_sum, s)
                store(tables.strategy_sum, s, old_sum * discount + load(scratch.sigma, at) * added)
        store(scratch.value, row + i, value_above(local, value, total))
        for action in range(actions):
            share = load(scratch.action_value, begin + action * width + i)
            s = frame.slot + action * hands + i
            probability = next_probability(local, share, total, uniform)
            store(tables.strategy, s, placed(local, scratch.value, s, probability))


@inline_ir
def back_up(tree, scratch, depth, first, last):
    """Give the values of the node below to the node at this depth: the mover's by action, the other's are added."""
    frame = scratch.frames[depth]
    width = scratch.width
    for player in range(first, last):
        row = (2 * depth + player) * width
        if frame.mover == player:
            at = (depth * scratch.actions + frame.taken - 1) * width
            copy_row(scratch.value, row + 2 * width, scratch.action_value, at, tree.width[player])
        else:
            add_row(scratch.value, row + 2 * width, scratch.value, row, tree.width[player])
