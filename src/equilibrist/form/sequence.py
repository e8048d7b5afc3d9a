"""The sequence form: each player's decisions and the payoff between them, laid out for vectors of eight slots."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled
from .._jit.simd import LANES, aligned
from .._util.arrays import Floats, Indices, Ints
from . import passes
from .canonical import CanonicalForm
from .compiled_game import CompiledGame
from .game_tree import GameTree
from .histories import cf_reach_of_infosets
from .infosets import Infosets
from .payoff.layout import Payoff, make_payoff
from .responses import BestResponses, Values
from .treeplex import Decisions, Treeplex, layout


@dataclass(frozen=True, eq=False, repr=False)  # forms are compared by their fingerprints
class SequenceForm(CompiledGame):
    """A game compiled for solving: what full-width CFR, best responses and the linear programme read.

    Attributes
    ----------
    name : str
        Name of the game.
    players, histories, depth : int
        Sizes of the tree that it was made from.
    payoff_sum : float or None
        The sum of all players' payoffs, where it is the same at every leaf.
    largest_payoff : float
        The largest payoff, without its sign.
    infosets : Infosets
        A sequence of player, key and action names, in the order in which a depth-first walk meets them.
    parent_sequence : uint32 array, shape (infosets,)
        What leads to each infoset: 1 + the number of the player's action before it, or 0 where there is none.
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
    payoff_sum: float | None
    largest_payoff: float
    infosets: Infosets
    parent_sequence: Indices
    slot: Indices
    treeplex: Treeplex
    payoff: Payoff
    tree: GameTree | None = None

    kind = "sequence"
    title = "sequence form"

    @property
    def num_infosets(self) -> int:
        """Number of infosets of all players."""
        return len(self.infosets)

    @property
    def num_actions(self) -> int:
        """Number of actions of all infosets together."""
        return len(self.slot)

    @property
    def length(self) -> int:
        """Length of arrays with a number a slot: with those that fill up buckets, and room to write eight."""
        return int(self.treeplex.first_slot[-1]) + LANES

    @property
    def size(self) -> str:
        """How large the game is, in words."""
        return f"{self.num_infosets:,} infosets"

    @property
    def payoff_kind(self) -> str:
        """What the payoff is made of, in words."""
        blocks, rows = int(self.payoff.first_block[-1]), int(self.payoff.first_row[-1])
        parts = [f"{count:,} {word}" for count, word in ((blocks, "blocks"), (rows, "rows")) if count]
        return " and ".join(parts) or "nothing"

    def _fingerprint(self) -> str:
        digest = hashlib.sha256()
        digest.update(self.infosets.digest())
        for array in (self.slot, *self.treeplex, *self.payoff):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:16]

    def average_from_sums(self, sums: NDArray[Any]) -> Floats:
        """Return the strategy that plays each slot by its share of its infoset's sum; uniformly where that is 0."""
        return passes.average_from_sums(self, sums)

    def reach(self, strategy: Floats) -> Floats:
        """Return the reach of each slot by its player's own probabilities, for a strategy at the slots."""
        return passes.reach(self, strategy)

    def cf_reach(self, strategy: Floats) -> Floats:
        """Return the reach of each infoset by chance and the others, for a strategy at the slots.

        Raises
        ------
        GameError
            The form was compiled without its tree.
        """
        return cf_reach_of_infosets(self.name, self.tree, strategy[self.slot])

    def values(self, strategy: NDArray[Any], *, weights: bool = False, threads: int = 1) -> Values:
        """Return the value of a strategy at the slots, and of the best responses to it; one thread does it."""
        return passes.values(self, self.average_from_sums(strategy) if weights else strategy)

    def best_responses(self, strategy: Floats) -> BestResponses:
        """Return the value of a strategy at the slots, and the best response of each player to the others'."""
        return passes.best_responses(self, strategy)

    def parents(self, infosets: Ints) -> Ints:
        """Return the number of the action of the same player that leads to each infoset, or -1 where none does."""
        return self.parent_sequence[infosets].astype(np.int64) - 1

    def part(self, slots: int) -> None:
        """Return None: an iteration of a sequence form is short, or the whole game is needed to time it."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore what was pickled, with weights that begin at a line of the cache again."""
        payoff: Payoff = state["payoff"]
        self.__dict__.update(state, payoff=payoff._replace(weights=aligned(payoff.weights)))


def sequence_form(canonical: CanonicalForm) -> SequenceForm:
    """Return the sequence form of a game: its canonical form laid out for kernels that take eight slots at a time."""
    infosets, leaf_sequence = canonical.infosets, canonical.leaf_sequence
    actions = infosets.num_actions
    first_sequence = (1 + infosets.first_action()).astype(np.uint32)
    group = np.arange(len(infosets) + first_sequence[-1], dtype=np.uint32)
    _join(leaf_sequence, np.repeat(np.arange(len(infosets), dtype=np.uint32), actions), group)
    decisions = Decisions(
        players=leaf_sequence.shape[1],
        owner=infosets.owner,
        actions=actions,
        first_sequence=first_sequence[:-1],
        parent_sequence=canonical.parent_sequence,
        group=group[: len(infosets)],
    )
    treeplex, slot_of_sequence = layout(decisions)
    leaf_slots = np.empty(leaf_sequence.shape[::-1], np.uint32)
    _to_slots(leaf_sequence, treeplex.first_slot, slot_of_sequence, leaf_slots)
    return SequenceForm(
        name=canonical.name,
        players=leaf_sequence.shape[1],
        histories=canonical.histories,
        depth=canonical.depth,
        payoff_sum=canonical.payoff_sum,
        largest_payoff=canonical.largest_payoff,
        infosets=infosets,
        parent_sequence=canonical.parent_sequence,
        slot=slot_of_sequence[1:],
        treeplex=treeplex,
        payoff=make_payoff(leaf_slots, canonical.weights),
    )


@compiled(allocates=False)
def _to_slots(leaf_sequence, first_slot, slot_of_sequence, leaf_slots):  # type: ignore[no-untyped-def]
    """Fill in place: the slot of each player's last sequence before each leaf."""
    for leaf in range(len(leaf_sequence)):
        for player in range(leaf_sequence.shape[1]):
            sequence = leaf_sequence[leaf, player]
            leaf_slots[player, leaf] = first_slot[player] if sequence == 0 else slot_of_sequence[sequence]


@compiled(allocates=False)
def _join(leaf_sequence, infoset_of_sequence, group):  # type: ignore[no-untyped-def]
    """Fill in place: the number of the group of each infoset, by union and find.

    The infoset where a player decided last and the last sequence of another player meet at a leaf. Infosets that meet
    the same sequences, directly or through others, are what one player may hold at one place of public play: their
    payoffs make a dense block. ``group`` enters as 0, 1, 2, … for the infosets and then the sequences, each alone.
    """
    infosets = len(group) - len(infoset_of_sequence) - 1
    for leaf in range(len(leaf_sequence)):
        for player in range(leaf_sequence.shape[1]):
            for other in range(leaf_sequence.shape[1]):
                own = leaf_sequence[leaf, player]
                if own > 0 and player != other:
                    one, two = np.int64(infoset_of_sequence[own - 1]), np.int64(infosets + leaf_sequence[leaf, other])
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
