"""The sequence form: each player's decisions and the payoff between them, laid out for vectors of eight slots."""
# mypy: disable-error-code="override"

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled
from ..._jit.simd import LANES, aligned
from ..._util.arrays import Floats, Indices, Ints
from ..compiled_game import CompiledGame
from ..floors import DETACHED, NO_FLOORS, Terms
from ..infosets import Infosets
from ..responses import BestResponses, Values
from ..traits import SequenceTraits
from . import passes
from .canonical import CanonicalForm, Entries
from .others_reach import SequenceOthersReach, others_reach
from .payoff.layout import Payoff, entries, make_payoff
from .tree import GameTree, cf_reach_of_infosets, missing_tree
from .treeplex import Treeplex, layout


@dataclass(frozen=True, eq=False, repr=False)  # forms are compared by their fingerprints
class SequenceForm(SequenceTraits, CompiledGame):
    """A game compiled for solving: what full-width CFR, best responses and the linear programme read.

    Attributes
    ----------
    parent_sequence : uint32 array, shape (infosets,)
        What leads to each infoset: 1 + the number of the player's action before it, or 0 where
        there is none.
    treeplex, payoff
        The arrays that the kernels read.
    fingerprint : str
        That of the canonical form, which no layout changes.
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
    fingerprint: str
    tree: GameTree | None = None

    @property
    def response_terms(self) -> Terms:
        """What best responses keep to."""
        return NO_FLOORS

    @property
    def num_infosets(self) -> int:
        return len(self.infosets)

    @property
    def num_actions(self) -> int:
        return len(self.slot)

    @property
    def length(self) -> int:
        """Length of arrays with a number a slot: with those that fill up buckets, and room to write eight."""
        return int(self.treeplex.first_slot[-1]) + LANES

    @property
    def size(self) -> str:
        return f"{self.num_infosets:,} infosets"

    @property
    def payoff_kind(self) -> str:
        blocks = int(self.payoff.first_block[-1])
        rows = int(self.payoff.first_row[-1])
        parts = [
            f"{count:,} {word}" for count, word in ((blocks, "blocks"), (rows, "rows")) if count
        ]
        return " and ".join(parts) or "nothing"

    def entries(self, player: int) -> Entries:
        """Return the canonical entries of a player's payoff again, which the layout holds in other numbers."""
        slots, others, weight = entries(self.payoff, player)
        sequence_of_slot = np.zeros(self.length, np.uint32)  # 0 at the empty sequences
        sequence_of_slot[self.slot] = np.arange(1, 1 + self.num_actions)
        sequence = sequence_of_slot[slots]
        columns = sequence_of_slot[np.atleast_2d(others)]
        order = np.lexsort((*columns[::-1], sequence))
        return Entries(sequence[order], columns[:, order], weight[order])

    def average_from_sums(self, sums: NDArray[Any]) -> Floats:
        return passes.average_from_sums(self.treeplex, sums)

    def reach(self, strategy: Floats) -> Floats:
        return passes.reach(self.treeplex, strategy)

    def cf_reach(self, strategy: Floats) -> Floats:
        """Return the reach of each infoset by chance and the others, for a strategy at the slots.

        Raises
        ------
        GameError
            The form was compiled without its tree.
        """
        return cf_reach_of_infosets(self.name, self.tree, strategy[self.slot])

    def others_reach(self) -> SequenceOthersReach:
        if self.tree is None:
            raise missing_tree(self.name)
        return others_reach(self.tree, self.slot, self.treeplex.first_slot, self.length)

    def values(
        self,
        strategy: NDArray[Any],
        *,
        weights: bool = False,
        threads: int = 1,
        floors: Terms = NO_FLOORS,
    ) -> Values:
        played = self.average_from_sums(strategy) if weights else strategy
        return Values(*passes.best_responses(self.treeplex, self.payoff, played, floors)[:2])

    def best_responses(self, strategy: Floats) -> BestResponses:
        return passes.best_responses(self.treeplex, self.payoff, strategy)

    def against(self, player: int) -> SequenceForm:
        if self.players != 2 or self.zero_sum:
            return super().against(player)
        return self._against[player]

    @cached_property
    def _against(self) -> tuple[SequenceForm, SequenceForm]:
        """The game in which player 1 receives minus the payoff of player 0, and the other way round."""
        forms = []
        for player in range(2):
            own_slots, others, weight = entries(self.payoff, player)
            slots = np.stack([own_slots, np.atleast_2d(others)[0]])
            signs = np.array([1.0, -1.0])
            if player == 1:
                slots = slots[::-1]
                signs = -signs
            payoff = make_payoff(np.ascontiguousarray(slots), np.outer(weight, signs))
            forms.append(replace(self, payoff=payoff, payoff_sum=0.0))
        return forms[0], forms[1]

    def fill_detached(self, strategy: NDArray[Any], player: int, table: Floats) -> float:
        played = self.average_from_sums(strategy)
        alone = passes.best_responses(self.treeplex, self.payoff, played, DETACHED)
        self.put_player(table, alone.best_value, player)
        return alone.best_response_value[player]

    def parents(self, infosets: Ints) -> Ints:
        return self.parent_sequence[infosets].astype(np.int64) - 1

    def part(self, slots: int) -> None:
        """Return None: an iteration of a sequence form is short, or the whole game is needed to time it."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore what was pickled, with weights that begin at a line of the cache again."""
        payoff: Payoff = state["payoff"]
        self.__dict__.update(state, payoff=payoff._replace(weights=aligned(payoff.weights)))


_KEPT = (
    "name",
    "histories",
    "depth",
    "payoff_sum",
    "largest_payoff",
    "infosets",
    "parent_sequence",
)
"""What a sequence form has as the canonical form has it."""


def sequence_form(canonical: CanonicalForm) -> SequenceForm:
    """Return the sequence form of a game: its canonical form laid out for kernels that take eight slots at a time."""
    fingerprint = canonical.fingerprint()  # before there is a layout: both take much memory
    infosets = canonical.infosets
    leaf_sequence = canonical.leaf_sequence
    players = canonical.leaf_sequence.shape[1]
    infoset_of_sequence = np.repeat(np.arange(len(infosets), dtype=np.uint32), infosets.num_actions)
    group = np.arange(len(infosets) + 1 + len(infoset_of_sequence), dtype=np.uint32)
    _join(leaf_sequence, infoset_of_sequence, group)
    treeplex, slot_of_sequence = layout(
        infosets, canonical.parent_sequence, group[: len(infosets)], players
    )
    leaf_slots = np.empty(leaf_sequence.shape[::-1], np.uint32)
    _to_slots(leaf_sequence, treeplex.first_slot, slot_of_sequence, leaf_slots)
    return SequenceForm(
        **{name: getattr(canonical, name) for name in _KEPT},
        players=players,
        slot=slot_of_sequence[1:],
        treeplex=treeplex,
        payoff=make_payoff(leaf_slots, canonical.weights),
        fingerprint=fingerprint,
    )


@compiled(allocates=False)
def _to_slots(leaf_sequence, first_slot, slot_of_sequence, leaf_slots):  # type: ignore[no-untyped-def]
    """Fill in place: the slot of each player's last sequence before each leaf."""
    for leaf in range(len(leaf_sequence)):
        for player in range(leaf_sequence.shape[1]):
            sequence = leaf_sequence[leaf, player]
            if sequence == 0:
                leaf_slots[player, leaf] = first_slot[player]
            else:
                leaf_slots[player, leaf] = slot_of_sequence[sequence]


@compiled(allocates=False)
def _join(leaf_sequence, infoset_of_sequence, group):  # type: ignore[no-untyped-def]
    """Fill in place: the number of the group of each infoset, by union and find.

    The infoset where a player decided last and the last sequence of another player meet at a leaf.
    Infosets that meet the same sequences, directly or through others, are what one player may hold
    at one place of public play: their payoffs make a dense block. ``group`` enters as 0, 1, 2, …
    for the infosets and then the sequences, each alone.
    """
    infosets = len(group) - len(infoset_of_sequence) - 1
    for leaf in range(len(leaf_sequence)):
        for player in range(leaf_sequence.shape[1]):
            for other in range(leaf_sequence.shape[1]):
                sequence = leaf_sequence[leaf, player]
                if sequence > 0 and player != other:
                    first = np.int64(infoset_of_sequence[sequence - 1])
                    second = np.int64(infosets + leaf_sequence[leaf, other])
                    if group[first] == group[second]:
                        continue
                    while group[first] != first:
                        group[first] = group[group[first]]
                        first = np.int64(group[first])
                    while group[second] != second:
                        group[second] = group[group[second]]
                        second = np.int64(group[second])
                    group[max(first, second)] = min(first, second)
    for i in range(len(group)):
        group[i] = group[group[i]]  # a root is smaller than its members, so it is final already
