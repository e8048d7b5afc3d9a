"""Samples drawn from compiled rules, with no tree: infosets are kept in a hash table as they are met."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import record
from ..._jit.hashtable import KEY, KEYS, NO_RECORD, NUMBER, WORDS, HashTable, find, insert
from ...game.protocol import CHANCE, TERMINAL
from .slots import UNKNOWN


@record
class RulesSource(NamedTuple):
    """Compiled rules: the states of a sample, and a hash table of the infosets met so far.

    Attributes
    ----------
    machine : object
        The rules.
    states : int64 array, shape (records of a sample, length of a state)
    actions : int64 array
        What the rules write to: shape (most actions,).
    observation : int64 array
        Likewise: shape (most integers of an observation,).
    probabilities : float64 array
        Likewise: shape (most actions,).
    payoffs : float64 array
        Likewise: shape (players,).
    table : HashTable
        The number of each infoset, by its player and what the player knows.
    infoset_states : int64 array, shape (capacity, length of a state)
        A state in which each infoset was met.
    slot : uint32 array, shape (capacity,)
        The first slot of each infoset.
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
    infoset_states: NDArray[np.int64]
    slot: NDArray[np.uint32]
    slots: NDArray[np.int64]

    def set_root(self, records, k):
        for i in range(len(self.machine.start)):
            self.states[k, i] = self.machine.start[i]

    def observe(self, records, k, player):
        machine = self.machine
        state = self.states[k]
        mover = machine.player(machine.parameters, state)
        records[k].mover = mover
        if mover == TERMINAL:
            records[k].num_actions = 0
            machine.payoffs(machine.parameters, state, self.payoffs)
            records[k].value = self.payoffs[player]
            return
        records[k].num_actions = machine.actions(machine.parameters, state, self.actions)
        if mover == CHANCE:
            machine.chances(machine.parameters, state, self.probabilities)
            return
        count = machine.observe(machine.parameters, state, self.observation)
        record = find(self.table, np.int64(mover), self.observation, count)
        records[k].slot = UNKNOWN
        if record != NO_RECORD:
            records[k].slot = self.slot[self.table.words[record + NUMBER]]

    def chance_probability(self, records, k, n):
        return self.probabilities[n]

    def step(self, records, k, n, new):
        state_before = self.states[k]
        state_after = self.states[new]
        for i in range(len(state_before)):
            state_after[i] = state_before[i]
        self.machine.play(self.machine.parameters, state_after, self.actions[n])

    def insert_infoset(self, records, k):
        machine = self.machine
        state = self.states[k]
        mover = np.int64(records[k].mover)  # of the type that other tables are asked with
        count = machine.observe(machine.parameters, state, self.observation)
        new = self.table.used[KEYS]
        record = insert(self.table, mover, self.observation, count)
        i = self.table.words[record + NUMBER]
        if i == new:  # a sample may meet a new infoset more than once
            self.slot[i] = self.slots[0]
            for j in range(len(state)):
                self.infoset_states[i, j] = state[j]
            self.slots[0] += records[k].num_actions
        return self.slot[i]

    def new_infosets(self, records, slots, span):
        new = 0
        filled = self.slots[0]
        for k in range(span[0], span[1]):  # as if each were at an infoset of its own
            if records[k].mover >= 0 and records[k].slot == UNKNOWN:
                new += 1
                filled += records[k].num_actions
        table = self.table
        infosets = table.used[KEYS] + new
        if (
            infosets > len(self.slot)
            or 2 * infosets > len(table.cells)
            or filled > len(slots.strategy)
        ):
            return -1
        if table.used[WORDS] + new * (KEY + len(self.observation)) > len(table.words):
            return -1
        return new
