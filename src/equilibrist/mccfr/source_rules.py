"""Samples drawn from compiled rules, with no tree: infosets are kept in a hash table as they are met."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import record
from .._jit.hashtable import KEY, KEYS, NO_RECORD, NUMBER, WORDS, HashTable, find, insert
from ..game.protocol import CHANCE, TERMINAL
from .records import UNKNOWN
from .source import NO_NUMBERS, NOT_PUBLIC, SOURCES


@record
class RulesSource(NamedTuple):
    """Compiled rules: the states of a sample, and a hash table of the infosets met so far."""

    machine: Any  # the rules
    states: NDArray[np.int64]  # shape (records of a sample, length of a state)
    # `actions`, `observation`, `probabilities`, `payoffs`: what the rules write to
    actions: NDArray[np.int64]
    observation: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    table: HashTable  # the number of each infoset, by its player and what the player knows
    # `infoset_states`, `slot`: shape (capacity, length of a state); of each infoset: a state in which it was met,
    # and its first slot
    infoset_states: NDArray[np.int64]
    slot: NDArray[np.uint32]
    slots: NDArray[np.int64]  # shape (1,): how many slots are in use


def _set_root(source, records, k):
    for i in range(len(source.machine.start)):
        source.states[k, i] = source.machine.start[i]


def _observe(source, records, k, player):
    machine, state = source.machine, source.states[k]
    mover = machine.player(machine.parameters, state)
    records[k].mover = mover
    if mover == TERMINAL:
        records[k].num_actions = 0
        machine.payoffs(machine.parameters, state, source.payoffs)
        records[k].value = source.payoffs[player]
        return
    records[k].num_actions = machine.actions(machine.parameters, state, source.actions)
    if mover == CHANCE:
        machine.chances(machine.parameters, state, source.probabilities)
        return
    count = machine.observe(machine.parameters, state, source.observation)
    record = find(source.table, mover, source.observation, count)
    records[k].slot = UNKNOWN
    if record != NO_RECORD:
        records[k].slot = source.slot[source.table.words[record + NUMBER]]


def _chance_probability(source, records, k, n):
    return source.probabilities[n]


def _step(source, records, k, n, new):
    before, after = source.states[k], source.states[new]
    for i in range(len(before)):
        after[i] = before[i]
    source.machine.play(source.machine.parameters, after, source.actions[n])


def _insert_infoset(source, records, k):
    machine, state = source.machine, source.states[k]
    mover = records[k].mover
    count = machine.observe(machine.parameters, state, source.observation)
    new = source.table.used[KEYS]
    record = insert(source.table, mover, source.observation, count)
    i = source.table.words[record + NUMBER]
    if i == new:  # a sample may meet a new infoset more than once
        source.slot[i] = source.slots[0]
        for j in range(len(state)):
            source.infoset_states[i, j] = state[j]
        source.slots[0] += records[k].num_actions
    return source.slot[i]


def _new_infosets(source, records, slots, span):
    new, filled = 0, source.slots[0]
    for k in range(span[0], span[1]):  # as if each were at an infoset of its own
        if records[k].mover >= 0 and records[k].slot == UNKNOWN:
            new += 1
            filled += records[k].num_actions
    table = source.table
    infosets = table.used[KEYS] + new
    if infosets > len(source.slot) or 2 * infosets > len(table.cells) or filled > len(slots.strategy):
        return -1
    if table.used[WORDS] + new * (KEY + len(source.observation)) > len(table.words):
        return -1
    return new


SOURCES[RulesSource] = {
    "set_root": _set_root,
    "observe": _observe,
    "chance_probability": _chance_probability,
    "step": _step,
    "insert_infoset": _insert_infoset,
    "new_infosets": _new_infosets,
    **NO_NUMBERS,
    **NOT_PUBLIC,
}
