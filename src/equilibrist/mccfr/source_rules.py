"""Samples drawn from compiled rules, with no tree: infosets are kept in a hash table as they are met."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled
from ..game.protocol import CHANCE, TERMINAL
from .source import NO_NUMBERS, SOURCES, UNKNOWN


class RulesSource(NamedTuple):
    """Compiled rules: the states of a sample, and a hash table of the infosets met so far.

    Attributes
    ----------
    machine : Machine
        The rules.
    states : int64 array, shape (records of a sample, length of a state)
    actions, observation, other : int64 arrays; probabilities, payoffs : float64 arrays
        What the rules write to.
    places : uint32 array, length a power of two
        The open-addressing table: 1 + the number of an infoset, or 0.
    hashes : uint64 array; known : int64 array, shape (capacity, length of a state); slot : uint32 array
        Of each infoset: the hash of what its player knows, a state in which it was met, and its first slot. Two
        infosets are the same if the player and the whole observation are: equal hashes alone decide nothing.
    filled : int64 array, shape (2,)
        Numbers of infosets and of slots in use.
    """

    machine: Any
    states: NDArray[np.int64]
    actions: NDArray[np.int64]
    observation: NDArray[np.int64]
    other: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    places: NDArray[np.uint32]
    hashes: NDArray[np.uint64]
    known: NDArray[np.int64]
    slot: NDArray[np.uint32]
    filled: NDArray[np.int64]


@compiled(allocates=False, inline=True)
def _hash(player, observation, count):
    """Return 64 bits made of the integers, each mixed in as in the finaliser of SplitMix64."""
    h = np.uint64(player + 1)
    for i in range(count):
        h = (h ^ np.uint64(observation[i])) + np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        h = h ^ (h >> np.uint64(31))
    return h


@compiled(allocates=False, inline=True)
def _find(source, player, count, h):
    """Return the place in the table where the infoset is, or belongs; its observation is in the scratch array."""
    machine = source.machine
    mask = np.uint64(len(source.places) - 1)
    place = h & mask
    while source.places[place] != 0:
        i = np.int64(source.places[place]) - 1
        if source.hashes[i] == h:
            state = source.known[i]
            same = machine.player(machine.parameters, state) == player
            same = same and machine.observe(machine.parameters, state, source.other) == count
            for j in range(count):
                same = same and source.other[j] == source.observation[j]
            if same:
                return place
        place = (place + np.uint64(1)) & mask
    return place


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
    place = _find(source, mover, count, np.uint64(_hash(mover, source.observation, count)))
    drawn[k].slot = UNKNOWN
    if source.places[place] != 0:
        drawn[k].slot = source.slot[source.places[place] - 1]


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
    h = np.uint64(_hash(mover, source.observation, count))  # Python has made an integer of it
    place = _find(source, mover, count, h)
    if source.places[place] == 0:  # a sample may meet a new infoset more than once
        i = source.filled[0]
        source.places[place] = i + 1
        source.hashes[i] = h
        source.slot[i] = source.filled[1]
        for j in range(len(state)):
            source.known[i, j] = state[j]
        source.filled[0] += 1
        source.filled[1] += drawn[k].count
    return source.slot[source.places[place] - 1]


def _newcomers(source, drawn, slots, end):
    new, filled = 0, source.filled[1]
    for k in range(end):  # as if each were at an infoset of its own
        if drawn[k].mover >= 0 and drawn[k].slot == UNKNOWN:
            new += 1
            filled += drawn[k].count
    infosets = source.filled[0] + new
    if infosets > len(source.slot) or 2 * infosets > len(source.places) or filled > len(slots.strategy):
        return -1
    return new


@compiled(allocates=False)
def index_all(index, hashes, count):
    """Fill an empty table with the first infosets, all of which are different."""
    mask = np.uint64(len(index) - 1)
    for i in range(count):
        place = hashes[i] & mask
        while index[place] != 0:
            place = (place + np.uint64(1)) & mask
        index[place] = i + 1


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
