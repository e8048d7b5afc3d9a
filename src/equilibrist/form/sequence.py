"""The sequence form: each player's decisions and the payoff between them, made from a tree."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from .._jit.compile import compiled
from .._jit.simd import LANES
from .._util.display import Display
from ..errors import GameError
from ..game.protocol import Game
from .build_python import NO_INFOSET, GameTree, Outline, child_numbers, offsets, replay
from .infosets import Infosets
from .payoff import Payoff, make_payoff
from .treeplex import Decisions, Indices, Treeplex, layout


@dataclass(frozen=True, slots=True)
class SequenceForm(Display):
    """A game compiled for solving: what full-width CFR, best responses and the linear programme read.

    Attributes
    ----------
    name : str
        Name of the game.
    players, histories, depth : int
        Sizes of the tree that it was made from.
    zero_sum : bool
        Whether the payoffs of all players sum to 0 at every leaf.
    infosets : Infosets
        A sequence of player, key and action names, in the order in which a depth-first walk meets them.
    slot : uint32 array, shape (number of (infoset, action) pairs,)
        The slot of each action of each infoset, in the order of ``infosets``.
    treeplex, payoff
        The arrays that the kernels read.
    tree : GameTree, optional
        The histories, where they were kept.
    """

    name: str
    players: int
    histories: int
    depth: int
    zero_sum: bool
    infosets: Infosets
    slot: Indices
    treeplex: Treeplex
    payoff: Payoff
    tree: GameTree | None = None

    kind = "sequence"

    @property
    def num_infosets(self) -> int:
        """Number of infosets of all players."""
        return len(self.infosets)

    @property
    def payoff_kind(self) -> str:
        """What the payoff is made of, in words."""
        blocks, rows = int(self.payoff.first_block[-1]), int(self.payoff.first_row[-1])
        parts = [f"{count:,} {word}" for count, word in ((blocks, "blocks"), (rows, "rows")) if count]
        return " and ".join(parts) or "nothing"

    @property
    def fingerprint(self) -> str:
        """A digest of the game: the same text means the same infosets, actions and payoffs."""
        digest = hashlib.sha256()
        digest.update(self.infosets.digest())
        for array in (self.slot, *self.treeplex, *self.payoff):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:16]

    @property
    def slots(self) -> int:
        """Number of slots of all players: each action of each infoset, and an empty sequence for each player."""
        return len(self.slot) + self.players

    @property
    def length(self) -> int:
        """Length of arrays with a number a slot: with those that fill up buckets, and room to write eight."""
        return int(self.treeplex.first_slot[-1]) + LANES


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
    return form_of(outline(tree, game))


def outline(tree: GameTree, game: Game | None = None) -> Outline:
    """Return what the sequence form needs of a tree; parameters and errors are those of :func:`sequence_form`."""
    first_sequence = (1 + offsets(tree.infosets.num_actions)).astype(np.uint32)
    last = np.zeros((tree.histories, tree.players), np.uint32)
    chance_reach = np.ones(tree.histories)
    _trace_sequences(
        tree.player, tree.parent, tree.first_child, tree.infoset, tree.probability, first_sequence, last, chance_reach
    )
    return Outline(
        name=tree.name,
        histories=tree.histories,
        depth=tree.depth,
        zero_sum=tree.zero_sum,
        infosets=tree.infosets,
        parent_sequence=_parent_sequences(tree, last, game),
        leaf_last=last[tree.leaf],
        weights=tree.payoffs * chance_reach[tree.leaf, None],
    )


def form_of(outline: Outline) -> SequenceForm:
    """Return the sequence form of a game."""
    infosets, leaf_last = outline.infosets, outline.leaf_last
    actions = infosets.num_actions
    first_sequence = (1 + offsets(actions)).astype(np.uint32)
    group = np.arange(len(infosets) + first_sequence[-1], dtype=np.uint32)
    _join(leaf_last, np.repeat(np.arange(len(infosets), dtype=np.uint32), actions), group)
    decisions = Decisions(
        players=leaf_last.shape[1],
        owner=infosets.owner,
        actions=actions,
        first_sequence=first_sequence[:-1],
        parent_sequence=outline.parent_sequence,
        group=group[: len(infosets)],
    )
    treeplex, slot_of_sequence = layout(decisions)
    leaf_slots = np.empty(leaf_last.shape[::-1], np.uint32)
    _to_slots(leaf_last, treeplex.first_slot, slot_of_sequence, leaf_slots)
    return SequenceForm(
        name=outline.name,
        players=leaf_last.shape[1],
        histories=outline.histories,
        depth=outline.depth,
        zero_sum=outline.zero_sum,
        infosets=infosets,
        slot=slot_of_sequence[1:],
        treeplex=treeplex,
        payoff=make_payoff(leaf_slots, outline.weights),
    )


@compiled(allocates=False)
def _trace_sequences(player, parent, first_child, infoset, probability, first_sequence, last, chance_reach):  # type: ignore[no-untyped-def]
    """Fill in place, top-down: the last sequence of each player before each history, and the reach of chance."""
    for h in range(1, len(parent)):
        up = parent[h]
        for p in range(last.shape[1]):
            last[h, p] = last[up, p]
        if player[up] >= 0:
            last[h, player[up]] = first_sequence[infoset[up]] + (h - first_child[up])
        chance_reach[h] = chance_reach[up] * probability[h]


@compiled(allocates=False)
def _to_slots(leaf_last, first_slot, slot_of_sequence, leaf_slots):  # type: ignore[no-untyped-def]
    """Fill in place: the slot of each player's last sequence before each leaf."""
    for leaf in range(len(leaf_last)):
        for player in range(leaf_last.shape[1]):
            sequence = leaf_last[leaf, player]
            leaf_slots[player, leaf] = first_slot[player] if sequence == 0 else slot_of_sequence[sequence]


@compiled(allocates=False)
def _join(leaf_last, infoset_of_sequence, group):  # type: ignore[no-untyped-def]
    """Fill in place: the number of the group of each infoset, by union and find.

    The infoset where a player decided last and the last sequence of another player meet at a leaf. Infosets that meet
    the same sequences, directly or through others, are what one player may hold at one place of public play: their
    payoffs make a dense block. ``group`` enters as 0, 1, 2, … for the infosets and then the sequences, each alone.
    """
    infosets = len(group) - len(infoset_of_sequence) - 1
    for leaf in range(len(leaf_last)):
        for player in range(leaf_last.shape[1]):
            for other in range(leaf_last.shape[1]):
                own = leaf_last[leaf, player]
                if own > 0 and player != other:
                    one, two = np.int64(infoset_of_sequence[own - 1]), np.int64(infosets + leaf_last[leaf, other])
                    if group[one] == group[two]:
                        continue
                    while group[one] != one:
                        group[one] = group[group[one]]
                        one = np.int64(group[one])
                    while group[two] != two:
                        group[two] = group[group[two]]
                        two = np.int64(group[two])
                    group[max(one, two)] = min(one, two)
    for i in range(len(group)):
        group[i] = group[group[i]]  # a root is smaller than its members, so it is final already


def _parent_sequences(tree: GameTree, last: Indices, game: Game | None) -> Indices:
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
