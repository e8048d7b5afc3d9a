"""The kernel of the walk over compiled rules, and the records that it fills in place.

What the sequence form needs of each leaf is found on the way down, so that the tree itself need not
be kept.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, record
from ..._jit.hashtable import KEY, KEYS, NUMBER, HashTable, append, insert
from ...game.checked import PROBABILITY_TOLERANCE
from ...game.protocol import CHANCE, TERMINAL
from .tree import NO_INFOSET, SUM_TOLERANCE

Whole = NDArray[np.int64]
Index = NDArray[np.uint32]

_TOLERANCE = PROBABILITY_TOLERANCE / 2  # sums here are less exact than those of the walk in Python

RUNNING, DONE, DEEPER, TOO_LARGE, TOO_DEEP, WRONG = range(6)
"""How a run of steps ends: with more to do, at the end, for want of levels, at a limit, or in a game that is wrong."""

# What has been counted so far.
HISTORIES, LEAVES, LEVEL, DEPTH, BASE, PUBLIC, OUTCOMES, SEQUENCES, FORGETS = range(9)
"""BASE is the number of infosets when the run of steps began; FORGETS is 1 when somebody's recall is not perfect."""

# Of the sums of payoffs: see :func:`.tree.common_sum`; and the largest payoff without its sign.
LOW, HIGH, SUREST, MARGIN, LARGEST = range(5)


@record
class Histories(NamedTuple):
    """What :class:`GameTree` says of each history and each leaf; empty where the tree is not kept."""

    player: NDArray[np.int8]
    parent: Index
    first_child: Index
    num_children: Index
    probability: NDArray[np.float64]
    infoset: Index
    leaf: Index
    payoffs: NDArray[np.float64]  # (leaves, players)


@record
class Leaves(NamedTuple):
    """What :class:`~equilibrist.form.sequence.canonical.CanonicalForm` says of each leaf."""

    last: Index  # (leaves, players)
    weight: NDArray[np.float64]  # (leaves, players)
    # what all leaves say of the sum of payoffs; indexed by the constants below
    sums: NDArray[np.float64]


@record
class Stack(NamedTuple):
    """The path to the current history, level by level.

    Of each level: the state, its actions and, of chance, their probabilities; who moves, the
    sequence of the first action, the first child, how many there are, and the next to be walked;
    the reach of chance, and everybody's last sequence.
    """

    state: Whole  # (levels, integers)
    actions: Whole  # (levels, most actions)
    probability: NDArray[np.float64]  # (levels, most actions)
    mover: Whole
    sequence: Whole
    first: Whole
    children: Whole
    following: Whole
    reach: NDArray[np.float64]
    last: Whole  # (levels, players)


@record
class Notes(NamedTuple):
    """What is noted besides.

    Of each infoset its player, its number of actions, the sequence that leads to it, and a state in
    it (for those met in this run of steps); of each public move of chance its history, group,
    number of outcomes, and outcomes.
    """

    owner: Index
    num_actions: Index
    parent_sequence: Index
    states: Whole  # (steps, integers)
    public_history: Index
    public_group: Index
    public_count: Index
    outcomes: Whole


@record
class Scratch(NamedTuple):
    """Where the rules write what is looked at once."""

    observation: Whole
    payoffs: NDArray[np.float64]


@record
class WalkTables(NamedTuple):
    """All that a walk fills in place."""

    histories: Histories
    leaves: Leaves
    stack: Stack
    infosets: HashTable
    groups: HashTable
    notes: Notes
    scratch: Scratch
    counted: Whole


@compiled(allocates=False)
def walk(rules, tables, steps, limits, report_at):
    """Visit so many histories, or fewer; return how it ended. Everything is filled in place, from ``counted`` on.

    ``limits`` are the most histories and the most moves; a run also ends when ``report_at``
    histories are found.
    """
    stack = tables.stack
    counted = tables.counted
    level = counted[LEVEL]
    status = RUNNING
    for _ in range(steps):
        while level >= 0 and stack.following[level] == stack.children[level]:
            level -= 1
        if level < 0:
            status = DONE
            break
        if level + 2 >= len(stack.children):
            status = DEEPER
            break
        h = _step_down(rules, stack, level)
        level += 1
        status = _visit(rules, tables, limits, h, level)
        if status != RUNNING or counted[HISTORIES] >= report_at:
            break
    counted[LEVEL] = level
    return status


@compiled(allocates=False, inline=True, entry=False)
def _step_down(rules, stack, level):
    """Go from a level to the next child, which fills the level below; return the child's history."""
    number = stack.following[level]
    below = level + 1
    mover = stack.mover[level]
    for i in range(stack.state.shape[1]):
        stack.state[below, i] = stack.state[level, i]
    for player in range(stack.last.shape[1]):
        stack.last[below, player] = stack.last[level, player]
    stack.reach[below] = stack.reach[level]
    stack.following[level] = number + 1
    stack.children[below] = stack.following[below] = 0
    if mover == CHANCE:
        stack.reach[below] *= stack.probability[level, number]
    elif mover >= 0:
        stack.last[below, mover] = stack.sequence[level] + number
    if level > 0:
        rules.play(rules.parameters, stack.state[below], stack.actions[level, number])
    return stack.first[level] + number


@compiled(allocates=False, inline=True, entry=False)
def _visit(rules, tables, limits, h, level):
    """Find out what is known of one history, and make room for its children; return how it went."""
    stack = tables.stack
    counted = tables.counted
    state = stack.state[level]
    actions = stack.actions[level]
    mover = rules.player(rules.parameters, state)
    if mover == TERMINAL:
        return _end(rules, tables, h, level)
    if mover < CHANCE or mover >= stack.last.shape[1]:
        return WRONG
    count = rules.actions(rules.parameters, state, actions)
    if count < 1 or count > len(actions):
        return WRONG
    if level - 1 == limits[1]:
        return TOO_DEEP
    if mover == CHANCE:
        infoset = np.int64(NO_INFOSET)
        if not _chance(rules, tables, h, level, count):
            return WRONG
    else:
        infoset = _decision(rules, tables, level, mover, count)
        if infoset < 0:
            return WRONG
    first = counted[HISTORIES]
    if first + count > limits[0]:
        return TOO_LARGE
    counted[HISTORIES] = first + count
    stack.mover[level] = mover
    stack.first[level] = first
    stack.children[level] = count
    if len(tables.histories.player) > 0:
        _keep(tables.histories, stack, h, level, infoset)
    return RUNNING


@compiled(allocates=False, inline=True, entry=False)
def _keep(histories, stack, h, level, infoset):
    """Fill in a history, and its children as far as they are known from above."""
    first = stack.first[level]
    count = stack.children[level]
    mover = stack.mover[level]
    histories.player[h] = mover
    histories.infoset[h] = infoset
    histories.first_child[h] = first
    histories.num_children[h] = count
    for number in range(count):
        child = first + number
        histories.player[child] = TERMINAL
        histories.infoset[child] = NO_INFOSET
        histories.parent[child] = h
        histories.first_child[child] = histories.num_children[child] = 0
        if mover == CHANCE:
            histories.probability[child] = stack.probability[level, number]
        else:
            histories.probability[child] = 1.0


@compiled(allocates=False, inline=True, entry=False)
def _end(rules, tables, h, level):
    """Fill in a leaf; return how it went."""
    histories = tables.histories
    leaves = tables.leaves
    stack = tables.stack
    counted = tables.counted
    scratch = tables.scratch
    rules.payoffs(rules.parameters, stack.state[level], scratch.payoffs)
    leaf = counted[LEAVES]
    payoff_sum = 0.0
    size = 0.0
    largest = 0.0
    for player in range(stack.last.shape[1]):
        payoff = scratch.payoffs[player]
        if not np.isfinite(payoff):
            return WRONG
        leaves.last[leaf, player] = stack.last[level, player]
        leaves.weight[leaf, player] = payoff * stack.reach[level]
        largest = max(largest, abs(payoff))
        size += abs(payoff)
        payoff_sum += payoff
    margin = SUM_TOLERANCE * size
    sums = leaves.sums
    sums[LOW], sums[HIGH] = (
        max(sums[LOW], payoff_sum - margin),
        min(sums[HIGH], payoff_sum + margin),
    )
    if margin < sums[MARGIN]:
        sums[MARGIN] = margin
        sums[SUREST] = payoff_sum
    sums[LARGEST] = max(sums[LARGEST], largest)
    if len(histories.player) > 0:
        histories.leaf[leaf] = h
        for player in range(stack.last.shape[1]):
            histories.payoffs[leaf, player] = scratch.payoffs[player]
    counted[LEAVES] = leaf + 1
    counted[DEPTH] = max(counted[DEPTH], level - 1)
    return RUNNING


@compiled(allocates=False, inline=True, entry=False)
def _chance(rules, tables, h, level, count):
    """Find the probabilities of the outcomes, and note the move if all see it; return whether all is right."""
    stack = tables.stack
    groups = tables.groups
    notes = tables.notes
    scratch = tables.scratch
    counted = tables.counted
    probability = stack.probability[level]
    rules.chances(rules.parameters, stack.state[level], probability)
    probability_sum = 0.0
    for number in range(count):
        if not probability[number] >= 0.0:
            return False
        probability_sum += probability[number]
    if not abs(probability_sum - 1.0) <= _TOLERANCE:
        return False
    size = rules.public(rules.parameters, stack.state[level], scratch.observation)
    if size > len(scratch.observation):
        return False
    if size >= 0:
        at = counted[PUBLIC]
        notes.public_history[at] = h
        notes.public_group[at] = groups.words[
            insert(groups, np.int64(CHANCE), scratch.observation, size) + NUMBER
        ]
        notes.public_count[at] = count
        for number in range(count):
            notes.outcomes[counted[OUTCOMES] + number] = stack.actions[level, number]
        counted[PUBLIC] += 1
        counted[OUTCOMES] += count
    return True


@compiled(allocates=False, inline=True, entry=False)
def _decision(rules, tables, level, player, count):
    """Return the infoset at a level, or -1 if something is wrong with it: a known one must offer the same actions."""
    stack = tables.stack
    infosets = tables.infosets
    notes = tables.notes
    scratch = tables.scratch
    counted = tables.counted
    size = rules.observe(rules.parameters, stack.state[level], scratch.observation)
    if size < 0 or size > len(scratch.observation):
        return -1
    num_known = infosets.used[KEYS]
    record = insert(infosets, player, scratch.observation, size)
    infoset = infosets.words[record + NUMBER]
    more = record + KEY + size
    if infoset == num_known:
        notes.owner[infoset] = player
        notes.num_actions[infoset] = count
        notes.parent_sequence[infoset] = stack.last[level, player]
        for i in range(stack.state.shape[1]):
            notes.states[infoset - counted[BASE], i] = stack.state[level, i]
        stack.sequence[level] = counted[SEQUENCES]
        counted[SEQUENCES] += count
        append(infosets, stack.sequence[level])
        append(infosets, stack.last[level, player])
        append(infosets, count)
        for number in range(count):
            append(infosets, stack.actions[level, number])
        return infoset
    stack.sequence[level] = infosets.words[more]
    if infosets.words[more + 1] != stack.last[level, player]:
        counted[FORGETS] = 1
    if infosets.words[more + 2] != count:
        return -1
    for number in range(count):
        if infosets.words[more + 3 + number] != stack.actions[level, number]:
            return -1
    return infoset
