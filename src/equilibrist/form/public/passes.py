"""Passes over a public form: values, best responses, and strategies from sums."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, inline_ir
from ..._jit.simd import LANES, broadcast, load, maximum, store
from ..._util.arrays import Floats
from ..floors import NO_FLOORS, Terms, add_payments, are_pinned, free_at, pinned_at
from ..responses import NO_TABLES, BestResponses, ResponseTables, Values
from .terminal.payoffs import terminal_values
from .tree import END, NATURE
from .walk import (
    NO_BUNDLE,
    add_row,
    clear_row,
    copy_row,
    end_walk,
    extend_reach,
    first_bundle,
    follow,
    load_shares,
    next_bundle,
    open_node,
    open_subtree,
    prefetch_next,
    subtrees_of,
)
from .walker import PublicWalker


def average_from_sums(walker: PublicWalker, sums: NDArray[Any]) -> Floats:
    """Return the strategy that plays each action by its share of its infoset's sum; uniformly where that is 0."""
    tree = walker.game.tree
    strategy = np.empty(len(sums))
    normalise(tree, walker.scratch, len(tree.mover) - 1, 0, sums, strategy)
    return strategy


def values(
    walker: PublicWalker,
    weights: NDArray[Any],
    tables: ResponseTables = NO_TABLES,
    floors: Terms = NO_FLOORS,
    players: Sequence[int] = (0, 1),
) -> Values:
    """Return the value of the strategy with these shares, and of the best responses to it; fill the tables.

    Only of some players where ``players`` are fewer than both: 0 of the other.
    """
    value = []
    best_value = []
    width = walker.scratch.width
    for player, hands in enumerate(walker.game.tree.hands):
        if player not in players:
            value.append(0.0)
            best_value.append(0.0)
            continue
        walker.walk(best_response_walk, weights, weights, player, tables, floors)
        value.append(math.fsum(walker.subtrees.value[player * width : player * width + hands]))
        best_value.append(math.fsum(walker.subtrees.best_value[:hands]))
    return Values(tuple(value), tuple(best_value))


def best_responses(walker: PublicWalker, weights: NDArray[Any]) -> BestResponses:
    """Return the same with the arrays behind it."""
    tables = ResponseTables.of_length(len(weights))
    return BestResponses(*values(walker, weights, tables), *tables)


@compiled(allocates=False, nogil=True)
def best_response_walk(game, weights, scratch, subtrees, span, player, tables, floors):
    """Walk subtrees depth first for one player: values of the strategy with these shares, and of the best response
    within floors.

    Filled in place: ``value`` and ``best_value`` of the subtrees of the span, and the tables where
    there are any.
    """
    tree = game.tree
    width = scratch.width
    bundle = first_bundle(span)
    while bundle != NO_BUNDLE:
        begin, end, cut = subtrees_of(span, bundle)
        for root in range(begin, end):
            open_subtree(tree, scratch, subtrees, root)
            depth = 0
            number = 0
            while depth >= 0:
                frame = scratch.frames[depth]
                if tree.slots[frame.state] <= cut:
                    number += 1
                    row = (2 * depth + player) * width
                    copy_row(
                        subtrees.value, (2 * number + player) * width, scratch.value, row, width
                    )
                    copy_row(
                        subtrees.best_value,
                        number * width,
                        scratch.best_value,
                        depth * width,
                        width,
                    )
                else:
                    if frame.taken == 0:
                        _begin(tree, weights, scratch, depth, player)
                    if frame.taken < frame.num_actions:
                        child = tree.child[frame.first_action + frame.taken]
                        if tree.mover[child] == END:
                            _add_terminal(game, scratch, depth, child, player)
                        else:
                            follow(tree, scratch, depth)
                            depth += 1
                        continue
                    if frame.mover == player:
                        _respond(tree, scratch, tables, floors, depth, player)
                depth -= 1
                if depth >= 0:
                    _back_up(tree, scratch, depth, player)
            copy_row(
                scratch.value, player * width, subtrees.value, (2 * root + player) * width, width
            )
            copy_row(scratch.best_value, 0, subtrees.best_value, root * width, width)
        bundle = next_bundle(span, bundle)
    end_walk(span)


@inline_ir
def _begin(tree, weights, scratch, depth, player):
    """Fill what is known of a node before any action is followed."""
    frame = scratch.frames[depth]
    width = scratch.width
    clear_row(scratch.value, (2 * depth + player) * width, width)
    clear_row(scratch.best_value, depth * width, width)
    if frame.mover < NATURE:
        mover_width = tree.width[frame.mover]
        begin = depth * scratch.actions * width
        load_shares(
            weights, frame.slot, frame.num_actions, mover_width, scratch.sigma, begin, width
        )
        prefetch_next(weights, frame.slot, frame.num_actions * mover_width)


@inline_ir
def _add_terminal(game, scratch, depth, state, player):
    """Add the values of the next action of the node at this depth, after which the game is over."""
    tree = game.tree
    frame = scratch.frames[depth]
    width = scratch.width
    other = 1 - player
    start = (2 * depth + other) * width
    row = (2 * depth + player) * width
    if frame.mover == other:
        extend_reach(tree, scratch, depth, other)
        start += 2 * width
    if frame.mover == player:
        at = (depth * scratch.actions + frame.taken) * width
        terminal_values(
            game, state, player, scratch.reach, start, scratch.action_value, at, scratch.sums
        )
        copy_row(scratch.action_value, at, scratch.best_action_value, at, tree.width[player])
    else:
        below = row + 2 * width
        terminal_values(
            game, state, player, scratch.reach, start, scratch.value, below, scratch.sums
        )
        add_row(scratch.value, below, scratch.value, row, tree.width[player])
        add_row(scratch.value, below, scratch.best_value, depth * width, tree.width[player])
    frame.taken += 1


@inline_ir
def _respond(tree, scratch, tables, floors, depth, player):
    """Fill the values of a node of the player: as it is played, and with the best response; fill the tables."""
    frame = scratch.frames[depth]
    width = scratch.width
    actions = frame.num_actions
    player_width = tree.width[player]
    begin = depth * scratch.actions * width
    row = (2 * depth + player) * width
    keeps = are_pinned(floors)
    for action in range(actions):
        at = begin + action * width
        slot = frame.slot + action * player_width
        add_payments(floors.payments, player, scratch.action_value, at, slot, player_width)
        add_payments(floors.payments, player, scratch.best_action_value, at, slot, player_width)
    for i in range(0, player_width, LANES):
        value = broadcast(0.0)
        best_value = load(scratch.best_action_value, begin + i)
        pinned = broadcast(0.0)
        for action in range(actions):
            at = begin + action * width + i
            value = value + load(scratch.sigma, at) * load(scratch.action_value, at)
            best_value = maximum(load(scratch.best_action_value, at), best_value)
            if keeps:
                s = frame.slot + action * player_width + i
                least = pinned_at(floors, scratch.best_action_value, s)
                pinned = pinned + load(scratch.best_action_value, at) * least
        if keeps:
            free = free_at(floors, scratch.best_action_value, frame.slot + i, float(actions))
            best_value = pinned + best_value * free
        if floors.detached:
            best_value = best_value * 0.0
        store(scratch.value, row + i, value)
        store(scratch.best_value, depth * width + i, best_value)
    if len(tables.best_value) > 0:
        for action in range(actions):
            at = begin + action * width
            slot = frame.slot + action * player_width
            copy_row(scratch.best_action_value, at, tables.best_value, slot, player_width)
    if len(tables.reach) > 0:
        for i in range(player_width):
            best = 0  # of equal actions the first
            for action in range(actions):
                at = begin + action * width + i
                s = frame.slot + action * player_width + i
                tables.reach[s] = scratch.reach[row + i] * scratch.sigma[at]
                tables.best_response[s] = 0.0
                if (
                    scratch.best_action_value[at]
                    > scratch.best_action_value[begin + best * width + i]
                ):
                    best = action
            tables.best_response[frame.slot + best * player_width + i] = 1.0


@inline_ir
def _back_up(tree, scratch, depth, player):
    """Give the values of the node below to the node at this depth: the mover's by action, the other's are added."""
    frame = scratch.frames[depth]
    width = scratch.width
    player_width = tree.width[player]
    row = (2 * depth + player) * width
    best_row = depth * width
    if frame.mover == player:
        at = (depth * scratch.actions + frame.taken - 1) * width
        copy_row(scratch.value, row + 2 * width, scratch.action_value, at, player_width)
        copy_row(scratch.best_value, best_row + width, scratch.best_action_value, at, player_width)
    else:
        add_row(scratch.value, row + 2 * width, scratch.value, row, player_width)
        add_row(scratch.best_value, best_row + width, scratch.best_value, best_row, player_width)


@compiled(allocates=False)
def normalise(tree, scratch, state, slot, sums, strategy):
    """Fill ``strategy`` at and below a node with each action's share of its infoset's sum; uniform where that is 0."""
    open_node(tree, scratch, 0, state, slot)
    depth = 0
    while depth >= 0:
        frame = scratch.frames[depth]
        if frame.taken == 0 and frame.mover < NATURE:
            width = tree.width[frame.mover]
            load_shares(sums, frame.slot, frame.num_actions, width, strategy, frame.slot, width)
        if frame.taken == frame.num_actions:
            depth -= 1
        else:
            edge = frame.first_action + frame.taken
            frame.taken += 1
            depth += 1
            open_node(tree, scratch, depth, tree.child[edge], frame.slot + tree.child_slot[edge])
