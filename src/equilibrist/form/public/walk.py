"""Walks of a public tree: what they know of open nodes, and the helpers that they share.

A walk goes depth first. What it knows of the open nodes, those between the root and where it is,
lies in a
:class:`Scratch`, which stays in the processor's cache; only tables with a number a slot are in memory, and a walk reads
and writes each once. The walks themselves: best responses in :mod:`.passes`, the update of CFR in
:mod:`equilibrist.cfr.public_kernels`. Who runs them: :mod:`.walker`.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..._jit.compile import compiled, inline_ir, record
from ..._jit.simd import LANES, broadcast_like, load, load_like, prefetch, store
from ..._jit.thread_team import TeamMember, barrier, finish_item, finished_last, next_item
from ..._util.arrays import Floats, Ints
from ..sequence.passes import normalise_share
from .terminal.payoffs import TerminalPayoffs
from .tree import END, NATURE, PublicTree

_AHEAD = 256  # slots: so far before they are needed, strategies are asked for

FRAME = np.dtype(
    [
        ("state", np.int64),  # the public state
        ("slot", np.int64),  # its first slot
        ("mover", np.int64),
        ("first_action", np.int64),  # number of its first action in the tree
        ("num_actions", np.int64),
        ("taken", np.int64),  # how many of its actions have been followed
    ],
    align=True,
)
"""An open node of a walk."""

record(PublicTree)


@record
class PublicGame(NamedTuple):
    """The arrays of a public form that walks read."""

    tree: PublicTree
    payoffs: TerminalPayoffs


@record
class Scratch(NamedTuple):
    """What a walk knows of the open nodes, by depth; a row of hands is ``width`` long.

    Attributes
    ----------
    width : int
        Length of a row.
    actions : int
        The most actions of a node.
    frames : object
        FRAME array, shape (depths,): the open nodes.
    reach : float array, shape (depths × 2 × width,), flat
        Own reach of the hands of each player.
    value : float array, shape (depths × 2 × width,), flat
        Counterfactual value of the hands of each player.
    sigma : float array, shape (depths × actions × width,), flat
        The mover's strategy.
    action_value : float array, shape (depths × actions × width,), flat
        The counterfactual values of the mover's hands after each action.
    best_value : float array, shape (depths × width,), flat
        Like ``value``, of the one player whose best response is sought, with that response below.
    best_action_value : float array, shape (depths × actions × width,), flat
        Like ``action_value``, with the best response below.
    sums : float array, shape (width + 1,)
        Scratch of terminal payoffs.
    """

    width: int
    actions: int
    frames: Any
    reach: Floats
    value: Floats
    sigma: Floats
    action_value: Floats
    best_value: Floats
    best_action_value: Floats
    sums: Floats


@record
class Subtrees(NamedTuple):
    """Subtrees that are walked independently: where each begins, what goes in and what comes out. Number 0 is all.

    Attributes
    ----------
    state : int array, shape (subtrees,)
        Public state of the root.
    slot : int array, shape (subtrees,)
        First slot of the root.
    reach : float array, shape (subtrees × 2 × width,), flat
        The rows of the root, as in :class:`Scratch`.
    value : float array, shape (subtrees × 2 × width,), flat
        The rows of the root, as in :class:`Scratch`.
    best_value : float array, shape (subtrees × width,), flat
    """

    state: Ints
    slot: Ints
    reach: Floats
    value: Floats
    best_value: Floats


@record
class Span(NamedTuple):
    """The part of the tree that a call walks: subtrees by themselves, bundle by bundle, then the tree from its root.

    Attributes
    ----------
    below : bool
        Whether subtrees are walked.
    above : bool
        Whether the tree is walked from its root, by one thread when all subtrees are done.
    cut : int
        From the root, nodes with at most so many slots at and below them are not opened: their
        values are those of the subtrees 1, 2, … in order.
    bundles : int array, shape (bundles + 1,)
        The first subtree of each bundle.
    team : TeamMember
        The threads that walk subtrees together: a round is a walk, a part a bundle.
    """

    below: bool
    above: bool
    cut: int
    bundles: Ints
    team: TeamMember


NO_BUNDLE = -1
ROOT = -2


@inline_ir
def first_bundle(span):
    """Return the number of the bundle that this thread walks first, :data:`ROOT` or :data:`NO_BUNDLE`."""
    return np.int64(next_item(span.team) if span.below else ROOT)


@inline_ir
def next_bundle(span, bundle):
    """Return the number of the bundle that this thread walks after another, :data:`ROOT` or :data:`NO_BUNDLE`."""
    if bundle == ROOT:
        return NO_BUNDLE
    finish_item(span.team)
    if span.above and finished_last(span.team):
        return ROOT
    return next_item(span.team)


@inline_ir
def subtrees_of(span, bundle):
    """Return the subtrees of a bundle, as first and last + 1, and the size of nodes that are not opened there."""
    if bundle == ROOT:
        return 0, 1, span.cut
    return span.bundles[bundle], span.bundles[bundle + 1], -1


@inline_ir
def end_walk(span):
    """Wait until the other threads have done their parts of the walk."""
    if span.below:
        barrier(span.team)


@inline_ir
def copy_row(source, start, target, begin, width):
    """Copy a row."""
    for i in range(0, width, LANES):
        store(target, begin + i, load(source, start + i))


@inline_ir
def add_row(source, start, target, begin, width):
    """Add a row to another."""
    for i in range(0, width, LANES):
        store(target, begin + i, load(target, begin + i) + load(source, start + i))


@inline_ir
def clear_row(target, begin, width):
    """Fill a row with 0."""
    for i in range(0, width, LANES):
        store(target, begin + i, broadcast_like(target, 0.0))


@inline_ir
def open_node(tree, scratch, depth, state, slot):
    """Fill the frame of a node of which nothing has been followed."""
    frame = scratch.frames[depth]
    frame.state = state
    frame.slot = slot
    frame.mover = tree.mover[state]
    frame.first_action = tree.first_child[state]
    frame.num_actions = tree.first_child[state + 1] - tree.first_child[state]
    frame.taken = 0


@inline_ir
def open_subtree(tree, scratch, subtrees, number):
    """Open the root of a subtree."""
    width = scratch.width
    open_node(tree, scratch, 0, subtrees.state[number], subtrees.slot[number])
    copy_row(subtrees.reach, 2 * number * width, scratch.reach, 0, 2 * width)


@inline_ir
def extend_reach(tree, scratch, depth, player):
    """Fill the mover's reach after the next action of the node at this depth."""
    above = (2 * depth + player) * scratch.width
    below = (2 * depth + 2 + player) * scratch.width
    chosen = (depth * scratch.actions + scratch.frames[depth].taken) * scratch.width
    for i in range(0, tree.width[player], LANES):
        store(
            scratch.reach,
            below + i,
            load(scratch.reach, above + i) * load(scratch.sigma, chosen + i),
        )


@inline_ir
def follow(tree, scratch, depth):
    """Open the node after the next action of the node at this depth."""
    frame = scratch.frames[depth]
    for player in range(2):
        if player == frame.mover:
            extend_reach(tree, scratch, depth, player)
        else:
            above = (2 * depth + player) * scratch.width
            copy_row(
                scratch.reach, above, scratch.reach, above + 2 * scratch.width, tree.width[player]
            )
    edge = frame.first_action + frame.taken
    frame.taken += 1
    open_node(tree, scratch, depth + 1, tree.child[edge], frame.slot + tree.child_slot[edge])


@inline_ir
def load_shares(table, slot, actions, width, sigma, begin, stride):
    """Fill ``sigma`` with the shares that the weights in a table give the actions of a node."""
    uniform = broadcast_like(sigma, 1.0 / actions)
    for i in range(0, width, LANES):
        total = broadcast_like(sigma, 0.0)
        for action in range(actions):
            weight = load_like(sigma, table, slot + action * width + i)
            total = total + weight
            store(sigma, begin + action * stride + i, weight)
        for action in range(actions):
            at = begin + action * stride + i
            store(sigma, at, normalise_share(load(sigma, at), total, uniform))


@inline_ir
def prefetch_next(table, slot, count):
    """Ask for what a walk reads of a table soon after these slots: it reads in the order of the slots."""
    for s in range(slot, slot + count, LANES):
        prefetch(table, s + _AHEAD)


@inline_ir
def load_strategy(table, slot, actions, width, sigma, begin, stride):
    """Fill ``sigma`` with the probabilities in a table of the actions of a node."""
    for action in range(actions):
        copy_row(table, slot + action * width, sigma, begin + action * stride, width)


@compiled(allocates=False)
def descend(tree, table, scratch, subtrees, cut, shares):
    """Fill in where subtrees begin, and the reach of their roots; ``table`` has probabilities, or ``shares``."""
    width = scratch.width
    open_subtree(tree, scratch, subtrees, 0)
    depth = 0
    number = 0
    while depth >= 0:
        frame = scratch.frames[depth]
        if tree.slots[frame.state] <= cut:
            number += 1
            subtrees.state[number] = frame.state
            subtrees.slot[number] = frame.slot
            copy_row(
                scratch.reach, 2 * depth * width, subtrees.reach, 2 * number * width, 2 * width
            )
            depth -= 1
            continue
        if frame.taken == 0 and frame.mover < NATURE:
            mover_width = tree.width[frame.mover]
            begin = depth * scratch.actions * width
            if shares:
                load_shares(
                    table, frame.slot, frame.num_actions, mover_width, scratch.sigma, begin, width
                )
            else:
                load_strategy(
                    table, frame.slot, frame.num_actions, mover_width, scratch.sigma, begin, width
                )
        if frame.taken == frame.num_actions:
            depth -= 1
        elif tree.mover[tree.child[frame.first_action + frame.taken]] == END:
            frame.taken += 1
        else:
            follow(tree, scratch, depth)
            depth += 1
