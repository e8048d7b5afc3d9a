"""The canonical form of a game: infosets with their parents, and payoffs by the last sequences of the players.

Everything that is true of a game as a sequence form is here once, in numbers that no kernel's
layout decides: it has the fingerprint, and the layouts in eights of
:mod:`equilibrist.form.sequence.form` are derived from it. Leaves take several times the memory of a
layout, so that the layout alone is kept, which gives the entries back
(:meth:`SequenceForm.entries`).
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from ..._jit.compile import compiled
from ..._util.arrays import Floats, Indices
from ...errors import GameError
from ...game.plays import replay
from ...game.protocol import Game
from ..infosets import Infosets
from .payoff.entries import payoff_entries
from .tree import NO_INFOSET, GameTree, child_numbers


class Entries(NamedTuple):
    """The payoff of a player: of leaves with the same sequences, the sum of payoff × probability of chance; never 0.

    Attributes
    ----------
    sequence : uint32 array, shape (entries,)
        The last sequence of the player, rising.
    others : uint32 array, shape (players - 1, entries)
        Those of the others, which rise next.
    weight : float array, shape (entries,)
        The sum.
    """

    sequence: Indices
    others: Indices
    weight: Floats


class CanonicalForm(NamedTuple):
    """A game by its sequences: of its histories only the leaves.

    Sequences are numbered 1, 2, …: all actions of the first infoset, then those of the next; 0 is
    the empty one.

    Attributes
    ----------
    name : str
    histories : int
        As in :class:`GameTree`, and so the four that follow.
    depth : int
    payoff_sum : float or None
    largest_payoff : float
    infosets : Infosets
    parent_sequence : uint32 array, shape (infosets,)
        The last sequence of the player before each infoset.
    leaf_sequence : uint32 array, shape (leaves, players)
        The last sequence of each player before each leaf.
    weights : float array, shape (leaves, players)
        Payoff × probability of chance. With ``leaf_sequence`` these are the entries of each
        player's payoff as a sparse tensor, in the order of a depth-first walk; entries with the
        same sequences are summed.
    """

    name: str
    histories: int
    depth: int
    payoff_sum: float | None
    largest_payoff: float
    infosets: Infosets
    parent_sequence: Indices
    leaf_sequence: Indices
    weights: Floats

    def fingerprint(self) -> str:
        """Return the digest of infosets, of what leads to each, and of the entries of each player's payoff."""
        digest = hashlib.sha256(self.infosets.digest())
        digest.update(np.ascontiguousarray(self.parent_sequence).data)
        leaves = np.ascontiguousarray(self.leaf_sequence.T)
        for player in range(len(leaves)):
            for array in payoff_entries(leaves, self.weights, player):
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:16]


class Walked(NamedTuple):
    """What a walk leaves: the tree, the canonical form, or both."""

    tree: GameTree | None
    canonical: CanonicalForm | None

    @property
    def whole(self) -> GameTree:
        """The tree, which is there where it was to be kept, or where there is no canonical form."""
        if self.tree is None:
            raise ValueError("the tree was not kept")
        return self.tree


def canonical_form(tree: GameTree, game: Game | None = None) -> CanonicalForm:
    """Return the canonical form of a tree; refuse imperfect recall, for which ``game`` names the two histories."""
    first_sequence = (1 + tree.infosets.first_action()).astype(np.uint32)
    last = np.zeros((tree.histories, tree.players), np.uint32)
    chance_reach = np.ones(tree.histories)
    _trace_sequences(
        tree.player,
        tree.parent,
        tree.first_child,
        tree.infoset,
        tree.probability,
        first_sequence,
        last,
        chance_reach,
    )
    return CanonicalForm(
        name=tree.name,
        histories=tree.histories,
        depth=tree.depth,
        payoff_sum=tree.payoff_sum,
        largest_payoff=tree.largest_payoff,
        infosets=tree.infosets,
        parent_sequence=_parent_sequences(tree, last, game),
        leaf_sequence=last[tree.leaf],
        weights=tree.payoffs * chance_reach[tree.leaf, None],
    )


@compiled(allocates=False)
def _trace_sequences(  # type: ignore[no-untyped-def]
    player, parent, first_child, infoset, probability, first_sequence, last, chance_reach
):
    """Fill in place, top-down: the last sequence of each player before each history, and the reach of chance."""
    for h in range(1, len(parent)):
        up = parent[h]
        for p in range(last.shape[1]):
            last[h, p] = last[up, p]
        if player[up] >= 0:
            last[h, player[up]] = first_sequence[infoset[up]] + (h - first_child[up])
        chance_reach[h] = chance_reach[up] * probability[h]


def _parent_sequences(tree: GameTree, last: Indices, game: Game | None) -> Indices:
    """Return the sequence that leads to each infoset; refuse a tree in which there are two."""
    decisions = np.flatnonzero(tree.infoset != NO_INFOSET)
    infoset = tree.infoset[decisions]
    own_last = last[decisions, tree.player[decisions]]
    parent_sequence = np.zeros(len(tree.infosets), np.uint32)
    example = np.zeros(len(tree.infosets), np.int64)
    # Reversed: the first history of an infoset speaks for it.
    parent_sequence[infoset[::-1]] = own_last[::-1]
    example[infoset[::-1]] = decisions[::-1]
    conflicts = np.flatnonzero(own_last != parent_sequence[infoset])
    if len(conflicts):
        h = int(decisions[conflicts[0]])
        index = int(tree.infoset[h])
        player, key, _ = tree.infosets[index]
        moves = [
            child_numbers(tree.parent, tree.first_child, history)
            for history in (int(example[index]), h)
        ]
        first, second = (
            f"history {history}" if game is None else replay(game, history) for history in moves
        )
        raise GameError(
            f"{tree.name}: player {player} has imperfect recall: infoset {key!r} holds both "
            f"{first} and {second}, which come after different decisions of this player. Put "
            "what the player knew and did into the infoset."
        )
    return parent_sequence
