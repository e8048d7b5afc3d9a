"""The sequence form: one row of slots per player and the payoff between them, made from a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import compiled
from ..errors import GameError
from ..game import Game
from .tree import NO_INFOSET, GameTree, Infoset, child_numbers, replay


class Treeplex(NamedTuple):
    """The decisions of all players, laid out for loops over contiguous memory.

    A *slot* is one action at one infoset, or a player's empty sequence. Infosets of one player with the same depth and
    the same number of actions form a *bucket*; its slots are laid out ``[action][infoset]``:

        slot of (infoset i, action a) = bucket_slot[b] + a * bucket_size[b] + (i - bucket_infoset[b])

    The buckets of a player go from shallow to deep, so walking them forwards is top-down and backwards bottom-up.

    Attributes
    ----------
    first_slot : uint32 array, shape (players + 1,)
        The slots of player p are ``first_slot[p] … first_slot[p + 1] - 1``; the first of them is the empty sequence.
    first_bucket : uint32 array, shape (players + 1,)
        The buckets of player p are ``first_bucket[p] … first_bucket[p + 1] - 1``.
    bucket_slot, bucket_infoset, bucket_size, bucket_actions : uint32 array, shape (buckets,)
        First slot, first infoset, number of infosets, number of actions.
    parent_slot : uint32 array, shape (infosets,)
        The slot that leads to each infoset; infosets numbered in the order of the buckets.
    """

    first_slot: NDArray[np.uint32]
    first_bucket: NDArray[np.uint32]
    bucket_slot: NDArray[np.uint32]
    bucket_infoset: NDArray[np.uint32]
    bucket_size: NDArray[np.uint32]
    bucket_actions: NDArray[np.uint32]
    parent_slot: NDArray[np.uint32]


class Payoff(NamedTuple):
    """What each slot earns, given the reach of the others: a sparse row per slot.

        cf_value[s] = Σ_k weight[k] · Π_j reach[column[j, k]]      over k = row[s] … row[s + 1] - 1

    Attributes
    ----------
    row : uint32 array, shape (slots + 1,)
        Where the entries of each slot begin.
    column : uint32 array, shape (entries,) for two players, else (players - 1, entries)
        The slots of the other players that lead to the same leaves.
    weight : float64 array, shape (entries,)
        Payoff × probability of chance, summed over all leaves that share the same slots.
    """

    row: NDArray[np.uint32]
    column: NDArray[np.uint32]
    weight: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SequenceForm:
    """A game compiled for solving: what full-width CFR, best responses and the linear programme read.

    Attributes
    ----------
    name : str
        Name of the game.
    players, histories, depth : int
        Sizes of the tree that it was made from.
    zero_sum : bool
        Whether the payoffs of all players sum to 0 at every leaf.
    infosets : tuple of Infoset
        Player, key and action names, in the order in which a depth-first walk meets them.
    slot : uint32 array, shape (number of (infoset, action) pairs,)
        The slot of each action of each infoset, in the order of ``infosets``.
    treeplex, payoff
        The arrays that the kernels read.
    """

    name: str
    players: int
    histories: int
    depth: int
    zero_sum: bool
    infosets: tuple[Infoset, ...]
    slot: NDArray[np.uint32]
    treeplex: Treeplex
    payoff: Payoff

    @property
    def slots(self) -> int:
        """Number of slots of all players, their empty sequences included."""
        return int(self.treeplex.first_slot[-1])


def sequence_form(tree: GameTree, game: Game | None = None) -> SequenceForm:
    """Return the sequence form of a tree, having proved that its players have perfect recall.

    Parameters
    ----------
    tree : GameTree
        The histories.
    game : Game, optional
        The rules, to name the two histories that conflict in the error.

    Raises
    ------
    GameError
        A player forgets: two histories of an infoset come after different decisions of this player.
    """
    counts = np.array([len(infoset.actions) for infoset in tree.infosets], np.uint32)
    owner = np.array([infoset.player for infoset in tree.infosets], np.uint32)
    # Sequences are numbered as the infosets are met; 0 is the empty one. Slots are the same, reordered into buckets.
    first_sequence = np.concatenate([[1], 1 + np.cumsum(counts)]).astype(np.uint32)
    last = np.zeros((tree.histories, tree.players), np.uint32)
    chance_reach = np.ones(tree.histories)
    _trace_sequences(
        tree.player, tree.parent, tree.first_child, tree.infoset, tree.probability, first_sequence, last, chance_reach
    )
    parent_sequence = _parent_sequences(tree, last, game)
    treeplex, slot_of_sequence = _layout(owner, counts, first_sequence, parent_sequence, tree.players)
    leaf_slots = np.where(last[tree.leaf] == 0, treeplex.first_slot[:-1], slot_of_sequence[last[tree.leaf]])
    del last
    weights = tree.payoffs * chance_reach[tree.leaf, None]
    del chance_reach
    return SequenceForm(
        name=tree.name,
        players=tree.players,
        histories=tree.histories,
        depth=tree.depth,
        zero_sum=tree.zero_sum,
        infosets=tree.infosets,
        slot=slot_of_sequence[1:],
        treeplex=treeplex,
        payoff=_payoff(leaf_slots.astype(np.uint32), weights, slots=int(treeplex.first_slot[-1])),
    )


@compiled
def _trace_sequences(player, parent, first_child, infoset, probability, first_sequence, last, chance_reach):  # type: ignore[no-untyped-def]
    """Fill in place, top-down: the last sequence of each player before each history, and the reach of chance."""
    for h in range(1, len(parent)):
        up = parent[h]
        for p in range(last.shape[1]):
            last[h, p] = last[up, p]
        if player[up] >= 0:
            last[h, player[up]] = first_sequence[infoset[up]] + (h - first_child[up])
        chance_reach[h] = chance_reach[up] * probability[h]


def _parent_sequences(tree: GameTree, last: NDArray[np.uint32], game: Game | None) -> NDArray[np.uint32]:
    """Return the sequence that leads to each infoset; refuse a tree in which there are two."""
    decisions = np.flatnonzero(tree.infoset != NO_INFOSET)
    infoset = tree.infoset[decisions]
    own_last = last[decisions, tree.player[decisions]]
    parent_sequence = np.zeros(len(tree.infosets), np.uint32)
    example = np.zeros(len(tree.infosets), np.int64)
    parent_sequence[infoset[::-1]] = own_last[::-1]  # reversed: the first history of an infoset speaks for it
    example[infoset[::-1]] = decisions[::-1]
    conflicts = np.flatnonzero(own_last != parent_sequence[infoset])
    if len(conflicts):
        h = int(decisions[conflicts[0]])
        index = int(tree.infoset[h])
        player, key, _ = tree.infosets[index]
        one, other = (_history(tree, game, history) for history in (int(example[index]), h))
        raise GameError(
            f"{tree.name}: player {player} has imperfect recall: infoset {key!r} holds both {one} and {other}, "
            "which come after different decisions of this player. Put what the player knew and did into the infoset."
        )
    return parent_sequence


def _history(tree: GameTree, game: Game | None, h: int) -> str:
    numbers = child_numbers(tree.parent, tree.first_child, h)
    return f"history {numbers}" if game is None else replay(game, numbers)


def _layout(
    owner: NDArray[np.uint32],
    counts: NDArray[np.uint32],
    first_sequence: NDArray[np.uint32],
    parent_sequence: NDArray[np.uint32],
    players: int,
) -> tuple[Treeplex, NDArray[np.uint32]]:
    """Return the treeplex and the slot of each sequence (that of sequence 0 means nothing)."""
    infosets = len(owner)
    infoset_of_sequence = np.repeat(np.arange(infosets, dtype=np.uint32), counts)
    level = np.zeros(infosets, np.uint32)
    _levels(parent_sequence, infoset_of_sequence, level)
    order = np.lexsort((np.arange(infosets), counts, level, owner))

    kind = np.stack([owner, level, counts])[:, order]
    starts_bucket = np.ones(infosets, bool)
    starts_bucket[1:] = (kind[:, 1:] != kind[:, :-1]).any(axis=0)
    bucket_infoset = np.flatnonzero(starts_bucket)
    bucket_size = np.diff(bucket_infoset, append=infosets)
    bucket_owner, _, bucket_actions = kind[:, bucket_infoset]
    slots_before = np.concatenate([[0], np.cumsum(bucket_size * bucket_actions)])
    bucket_slot = slots_before[:-1] + bucket_owner + 1  # an empty sequence for this player and each one before
    first_bucket = np.searchsorted(bucket_owner, np.arange(players + 1))
    first_slot = slots_before[first_bucket] + np.arange(players + 1)

    bucket = np.repeat(np.arange(len(bucket_size)), bucket_size)
    first_slot_of = np.empty(infosets, np.int64)  # of each infoset: the slot of its first action
    first_slot_of[order] = bucket_slot[bucket] + np.arange(infosets) - bucket_infoset[bucket]
    stride = np.empty(infosets, np.int64)
    stride[order] = bucket_size[bucket]
    action = np.arange(1, 1 + len(infoset_of_sequence)) - first_sequence[infoset_of_sequence]
    slot_of_sequence = np.zeros(1 + len(infoset_of_sequence), np.uint32)
    slot_of_sequence[1:] = first_slot_of[infoset_of_sequence] + action * stride[infoset_of_sequence]

    parent_slot = np.where(parent_sequence == 0, first_slot[owner], slot_of_sequence[parent_sequence])[order]
    arrays = (first_slot, first_bucket, bucket_slot, bucket_infoset, bucket_size, bucket_actions, parent_slot)
    return Treeplex(*(np.ascontiguousarray(a, np.uint32) for a in arrays)), slot_of_sequence


@compiled
def _levels(parent_sequence, infoset_of_sequence, level):  # type: ignore[no-untyped-def]
    """Fill in place: how many decisions of the same player come before each infoset."""
    for i in range(len(level)):  # a parent is met before its children
        if parent_sequence[i] > 0:
            level[i] = level[infoset_of_sequence[parent_sequence[i] - 1]] + 1


def _payoff(leaf_slots: NDArray[np.uint32], weights: NDArray[np.float64], *, slots: int) -> Payoff:
    """Return the payoff: leaves with the same slots merged, then sorted into the rows of each player."""
    players = leaf_slots.shape[1]
    order = np.lexsort(leaf_slots.T[::-1])
    leaf_slots, weights = leaf_slots[order], weights[order]
    starts = np.ones(len(order), bool)
    starts[1:] = (leaf_slots[1:] != leaf_slots[:-1]).any(axis=1)
    leaf_slots, weights = leaf_slots[starts], np.add.reduceat(weights, np.flatnonzero(starts), axis=0)

    rows, columns, values = [], [], []
    for p in range(players):
        entries = np.flatnonzero(weights[:, p])  # ties and cancelled payoffs cost nothing
        entries = entries[np.argsort(leaf_slots[entries, p], kind="stable")]
        rows.append(leaf_slots[entries, p])
        columns.append(np.delete(leaf_slots[entries], p, axis=1).T)
        values.append(weights[entries, p])
    row = np.searchsorted(np.concatenate(rows), np.arange(slots + 1))
    column = np.ascontiguousarray(np.concatenate(columns, axis=1))
    return Payoff(
        row=row.astype(np.uint32),
        column=column[0] if players == 2 else column,
        weight=np.concatenate(values),
    )
