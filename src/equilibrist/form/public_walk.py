"""Walks of a public tree: what they know of open nodes, and the helpers that they share.

A walk goes depth first. What it knows of the open nodes, those between the root and where it is, lies in a
:class:`Scratch`, which stays in the processor's cache; only tables with a number a slot are in memory, and a walk reads
and writes each once. The walks themselves: best responses in :mod:`.public_passes`, the update of CFR in
:mod:`equilibrist.cfr.public_kernels`. Who runs them: :mod:`.public_walker`.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._jit.compile import compiled, merged
from .._jit.records import record
from .._jit.simd import LANES, broadcast, load, prefetch, store
from .._jit.team import Team, end_part, is_last, next_part, next_round
from .._util.arrays import Floats, Ints
from .passes import normalised
from .public_tree import END, NATURE, PublicTree
from .terminal.payoffs import TerminalPayoffs

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
    width, actions : int
        Length of a row; the most actions of a node.
    frames : FRAME array, shape (depths,)
        The open nodes.
    reach, value : float64 array, shape (depths × 2 × width,), flat
        Own reach, and counterfactual value, of the hands of each player.
    sigma, action_value : float64 array, shape (depths × actions × width,), flat
        The mover's strategy, and the counterfactual values of their hands after each action.
    best_value : float64 array, shape (depths × width,), flat
        Like ``value``, of the one player whose best response is sought, with that response below.
    best_action_value : float64 array, shape (depths × actions × width,), flat
        Like ``action_value``, with the best response below.
    sums : float64 array, shape (width + 1,)
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
    state, slot : int64 array, shape (subtrees,)
        Public state and first slot of the root.
    reach, value : float64 array, shape (subtrees × 2 × width,), flat
        The rows of the root, as in :class:`Scratch`.
    best_value : float64 array, shape (subtrees × width,), flat
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
    below, above : bool
        Whether subtrees are walked; whether the tree is walked from its root, by one thread when all subtrees are done.
    cut : int
        From the root, nodes with at most so many slots at and below them are not opened: their values are those of the
        subtrees 1, 2, … in order.
    bundles : int64 array, shape (bundles + 1,)
        The first subtree of each bundle.
    team : Team
        The threads that walk subtrees together: a round is a walk, a part a bundle.
    """

    below: bool
    above: bool
    cut: int
    bundles: Ints
    team: Team


NO_BUNDLE, ROOT = -1, -2


@merged
def first_bundle(span):
    """Return the number of the bundle that this thread walks first, :data:`ROOT` or :data:`NO_BUNDLE`."""
    return np.int64(next_part(span.team) if span.below else ROOT)


@merged
def next_bundle(span, bundle):
    """Return the number of the bundle that this thread walks after another, :data:`ROOT` or :data:`NO_BUNDLE`."""
    if bundle == ROOT:
        return NO_BUNDLE
    end_part(span.team)
    if span.above and is_last(span.team):
        return ROOT
    return next_part(span.team)


@merged
def subtrees_of(span, bundle):
    """Return the subtrees of a bundle, as first and last + 1, and the size of nodes that are not opened there."""
    if bundle == ROOT:
        return 0, 1, span.cut
    return span.bundles[bundle], span.bundles[bundle + 1], -1


@merged
def end_walk(span):
    """Wait until the other threads have done their parts of the walk."""
    if span.below:
        next_round(span.team)


@merged
def copy_row(source, start, target, begin, width):
    """Copy a row."""
    for i in range(0, width, LANES):
        store(target, begin + i, load(source, start + i))


@merged
def add_row(source, start, target, begin, width):
    """Add a row to another."""
    for i in range(0, width, LANES):
        store(target, begin + i, load(target, begin + i) + load(source, start + i))


@merged
def clear_row(target, begin, width):
    """Fill a row with 0."""
    for i in range(0, width, LANES):
        store(target, begin + i, broadcast(0.0))


@merged
def open_node(tree, scratch, depth, state, slot):
    """Fill the frame of a node of which nothing has been followed."""
    frame = scratch.frames[depth]
    frame.state = state
    frame.slot = slot
    frame.mover = tree.mover[state]
    frame.first_action = tree.first_child[state]
    frame.num_actions = tree.first_child[state + 1] - tree.first_child[state]
    frame.taken = 0


@merged
def open_subtree(tree, scratch, subtrees, number):
    """Open the root of a subtree."""
    width = scratch.width
    open_node(tree, scratch, 0, subtrees.state[number], subtrees.slot[number])
    copy_row(subtrees.reach, 2 * number * width, scratch.reach, 0, 2 * width)


@merged
def extend_reach(tree, scratch, depth, player):
    """Fill the mover's reach after the next action of the node at this depth."""
    above, below = (2 * depth + player) * scratch.width, (2 * depth + 2 + player) * scratch.width
    chosen = (depth * scratch.actions + scratch.frames[depth].taken) * scratch.width
    for i in range(0, tree.width[player], LANES):
        store(scratch.reach, below + i, load(scratch.reach, above + i) * load(scratch.sigma, chosen + i))


@merged
def follow(tree, scratch, depth):
    """Open the node after the next action of the node at this depth."""
    frame = scratch.frames[depth]
    for player in range(2):
        if player == frame.mover:
            extend_reach(tree, scratch, depth, player)
        else:
            above = (2 * depth + player) * scratch.width
            copy_row(scratch.reach, above, scratch.reach, above + 2 * scratch.width, tree.width[player])
    edge = frame.first_action + frame.taken
    frame.taken += 1
    open_node(tree, scratch, depth + 1, tree.child[edge], frame.slot + tree.child_slot[edge])


@merged
def load_shares(table, slot, actions, width, sigma, begin, stride):
    """Fill ``sigma`` with the shares that the weights in a table give the actions of a node."""
    uniform = broadcast(1.0 / actions)
    for i in range(0, width, LANES):
        total = broadcast(0.0)
        for action in range(actions):
            weight = load(table, slot + action * width + i)
            total = total + weight
            store(sigma, begin + action * stride + i, weight)
        for action in range(actions):
            at = begin + action * stride + i
            store(sigma, at, normalised(load(sigma, at), total, uniform))


@merged
def prefetch_next(table, slot, count):
    """Ask for what a walk reads of a table soon after these slots: it reads in the order of the slots."""
    for s in range(slot, slot + count, LANES):
        prefetch(table, s + _AHEAD)


@merged
def load_strategy(table, slot, actions, width, sigma, begin, stride):
    """Fill ``sigma`` with the probabilities in a table of the actions of a node."""
    for action in range(actions):
        copy_row(table, slot + action * width, sigma, begin + action * stride, width)


@compiled(allocates=False)
def descend(tree, table, scratch, subtrees, cut, shares):
    """Walk down to the subtrees; fill in where each begins, and the reach of its root.

    The strategy is in ``table``: probabilities, or with ``shares`` weights.
    """
    width = scratch.width
    open_subtree(tree, scratch, subtrees, 0)
    depth, found = 0, 0
    while depth >= 0:
        frame = scratch.frames[depth]
        if tree.slots[frame.state] <= cut:
            found += 1
            subtrees.state[found], subtrees.slot[found] = frame.state, frame.slot
            copy_row(scratch.reach, 2 * depth * width, subtrees.reach, 2 * found * width, 2 * width)
            depth -= 1
            continue
        if frame.taken == 0 and frame.mover < NATURE:
            own, begin = tree.width[frame.mover], depth * scratch.actions * width
            if shares:
                load_shares(table, frame.slot, frame.num_actions, own, scratch.sigma, begin, width)
            else:
                load_strategy(table, frame.slot, frame.num_actions, own, scratch.sigma, begin, width)
        if frame.taken == frame.num_actions:
            depth -= 1
        elif tree.mover[tree.child[frame.first_action + frame.taken]] == END:
            frame.taken += 1
        else:
            follow(tree, scratch, depth)
            depth += 1
