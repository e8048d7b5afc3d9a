"""Canonical entries of a payoff: a sparse matrix a player, a row a slot, a column a combination of others' slots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...._jit.compile import compiled
from ...._util.arrays import Floats, Indices, Ints


class PayoffEntries(NamedTuple):
    """The payoff of one player in compressed sparse rows, entries with the same slot and column summed.

    cf_value[s] = Σ_k weight[k] · Π_j reach[slots[column[k], j]]      over the entries k of slot s

    Attributes
    ----------
    start : int array, shape (slots + 1,)
        The entries of slot s are ``start[s] … start[s + 1] - 1``; columns rise within a row.
    column : uint32 array, shape (entries,)
        Which combination of the others' slots.
    weight : float array, shape (entries,)
        Payoff × probability of chance, summed over all leaves that share the same slots; never 0.
    slots : uint32 array, shape (combinations, players - 1)
        The slots of the others, in the order of the players.
    """

    start: Ints
    column: Indices
    weight: Floats
    slots: Indices


def payoff_entries(leaf_slots: Indices, weights: Floats, player: int) -> PayoffEntries:
    """Return the entries of one player from the leaves of a game.

    ``leaf_slots``, uint32, shape (players, leaves), are the last slot of each player before each
    leaf; ``weights``, shape (leaves, players), payoff × probability of chance.
    """
    number, slots = _number_combinations(leaf_slots[np.arange(len(leaf_slots)) != player])
    start, column, weight = _sort_by_slot(leaf_slots[player], number, weights, player)
    _merge_entries(start, column, weight)
    return PayoffEntries(start, column[: start[-1]], weight[: start[-1]], slots)


def _number_combinations(others: Indices) -> tuple[Indices, Indices]:
    """Return the number of each leaf's combination of the others' slots, and the different ones in their order."""
    players = len(others)
    size = int(others.max(initial=0)) + 1
    if players == 0:  # nobody else plays: one empty combination
        return np.zeros(others.shape[1], np.uint32), np.zeros((1, 0), np.uint32)
    if players == 1:  # a slot is its own number
        return others[0], np.arange(size, dtype=np.uint32)[:, None]
    if size**players > 2**63:
        distinct, number = np.unique(others.T, axis=0, return_inverse=True)
        return number.reshape(-1).astype(np.uint32), distinct
    scale = np.array([size**power for power in reversed(range(players))], np.int64)
    combined, number = np.unique(scale @ others, return_inverse=True)
    return number.astype(np.uint32), (combined[:, None] // scale % size).astype(np.uint32)


def _sort_by_slot(
    slots: Indices, number: Indices, weights: Floats, player: int
) -> tuple[Ints, Indices, Floats]:
    """Return where the entries of each slot begin, and columns and weights sorted by slot and column.

    By counting, once by column and once by slot; equal entries stay in their order. Ties have no
    entries.
    """
    by_number, by_slot = (
        np.zeros(int(key.max(initial=0)) + 2, np.int64) for key in (number, slots)
    )
    _count_by_key(number, weights, player, by_number)
    _count_by_key(slots, weights, player, by_slot)
    entries = int(by_slot[-1])
    slot = np.empty(entries, np.uint32)
    column = np.empty(entries, np.uint32)
    half_sorted = np.empty(entries)
    weight = np.empty(entries)
    _sort_leaves(number, slots, weights, player, by_number[:-1].copy(), slot, half_sorted)
    _sort_entries(slot, half_sorted, by_number, by_slot[:-1].copy(), column, weight)
    return by_slot, column, weight


@compiled(allocates=False)
def _count_by_key(key, weights, player, start):  # type: ignore[no-untyped-def]
    """Fill in place: where the leaves with each key begin that are not ties, and where the last of them end."""
    for leaf in range(len(key)):
        if weights[leaf, player] != 0.0:
            start[key[leaf] + 1] += 1
    for k in range(1, len(start)):
        start[k] += start[k - 1]


@compiled(allocates=False)
def _sort_leaves(number, slots, weights, player, following, slot, weight):  # type: ignore[no-untyped-def]
    """Fill in place: slots and weights of leaves in the order of their numbers; ``following`` says where each goes."""
    for leaf in range(len(number)):
        if weights[leaf, player] != 0.0:
            at = following[number[leaf]]
            following[number[leaf]] = at + 1
            slot[at] = slots[leaf]
            weight[at] = weights[leaf, player]


@compiled(allocates=False)
def _sort_entries(slot, half_sorted, start, following, column, weight):  # type: ignore[no-untyped-def]
    """Fill in place: columns and weights in the order of their slots, of entries that are in the order of columns."""
    for number in range(len(start) - 1):
        for k in range(start[number], start[number + 1]):
            at = following[slot[k]]
            following[slot[k]] = at + 1
            column[at] = number
            weight[at] = half_sorted[k]


@compiled(allocates=False)
def _merge_entries(start, column, weight):  # type: ignore[no-untyped-def]
    """Add up, in place, entries with the same slot and column; leave out those that cancel."""
    end = 0
    for slot in range(len(start) - 1):
        k = start[slot]
        start[slot] = end
        while k < start[slot + 1]:
            current = column[k]
            total = 0.0
            while k < start[slot + 1] and column[k] == current:
                total += weight[k]
                k += 1
            if total != 0.0:
                column[end] = current
                weight[end] = total
                end += 1
    start[len(start) - 1] = end
