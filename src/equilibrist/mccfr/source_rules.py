"""Samples drawn from compiled rules, with no tree: infosets are kept in a hash table as they are met."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.hashtable import KEY, KEYS, NO_RECORD, NUMBER, WORDS, HashTable, find, insert
from ..game.protocol import CHANCE, TERMINAL
from .source import NO_NUMBERS, SOURCES, UNKNOWN


class RulesSource(NamedTuple):
    """Compiled rules: the states of a sample, and a hash table of the infosets met so far.

    Attributes
    ----------
    machine : CompiledRules
        The rules.
    states : int64 array, shape (records of a sample, length of a state)
    actions, observation : int64 arrays; probabilities, payoffs : float64 arrays
        What the rules write to.
    table : HashTable
        The number of each infoset, by its player and what the player knows.
    known : int64 array, shape (capacity, length of a state); slot : uint32 array
        Of each infoset: a state in which it was met, and its first slot.
    slots : int64 array, shape (1,)
        How many slots are in use.
    """

    machine: Any
    states: NDArray[np.int64]
    actions: NDArray[np.int64]
    observation: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    table: HashTable
    known: NDArray[np.int64]
    slot: NDArray[np.uint32]
    slots: NDArray[np.int64]


def _set_out(source, drawn, k):
    for i in range(len(source.machine.start)):
        source.states[k, i] = source.machine.start[i]


def _look(source, drawn, k, player):
    machine, state = source.machine, source.states[k]
    mover = machine.player(machine.parameters, state)
    drawn[k].mover = mover
    if mover == TERMINAL:
        drawn[k].count = 0
        machine.payoffs(machine.parameters, state, source.payoffs)
        drawn[k].value = source.payoffs[player]
        return
    drawn[k].count = machine.actions(machine.parameters, state, source.actions)
    if mover == CHANCE:
        machine.chances(machine.parameters, state, source.probabilities)
        return
    count = machine.observe(machine.parameters, state, source.observation)
    record = find(source.table, mover, source.observation, count)
    drawn[k].slot = UNKNOWN
    if record != NO_RECORD:
        drawn[k].slot = source.slot[source.table.words[record + NUMBER]]


def _chance(source, drawn, k, n):
    return source.probabilities[n]


def _step(source, drawn, k, n, new):
    before, after = source.states[k], source.states[new]
    for i in range(len(before)):
        after[i] = before[i]
    source.machine.play(source.machine.parameters, after, source.actions[n])


def _agree(source, drawn, k, u, number):
    return np.int64(-1), 1.0


def _enter(source, drawn, k):
    machine, state = source.machine, source.states[k]
    mover = drawn[k].mover
    count = machine.observe(machine.parameters, state, source.observation)
    new = source.table.used[KEYS]
    record = insert(source.table, mover, source.observation, count)
    i = source.table.words[record + NUMBER]
    if i == new:  # a sample may meet a new infoset more than once
        source.slot[i] = source.slots[0]
        for j in range(len(state)):
            source.known[i, j] = state[j]
        source.slots[0] += drawn[k].count
    return source.slot[i]


def _newcomers(source, drawn, slots, end):
    new, filled = 0, source.slots[0]
    for k in range(end):  # as if each were at an infoset of its own
        if drawn[k].mover >= 0 and drawn[k].slot == UNKNOWN:
            new += 1
            filled += drawn[k].count
    table = source.table
    infosets = table.used[KEYS] + new
    if infosets > len(source.slot) or 2 * infosets > len(table.cells) or filled > len(slots.strategy):
        return -1
    if table.used[WORDS] + new * (KEY + len(source.observation)) > len(table.words):
        return -1
    return new


SOURCES[RulesSource] = {
    "set_out": _set_out,
    "look": _look,
    "chance": _chance,
    "step": _step,
    "agree": _agree,
    "enter": _enter,
    "new_infosets": _newcomers,
    **NO_NUMBERS,
}
