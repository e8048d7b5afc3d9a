"""The reach of infosets by chance and the others on a sequence form, for passes that need it in every iteration."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._jit.compile import record
from ..._jit.simd import load_like, zeros
from ..._util.arrays import Floats
from .passes import counterfactual_values
from .payoff.layout import Payoff, make_payoff
from .tree import GameTree, history_reach, levels


@record
class SequenceOthersReach(NamedTuple):
    """A payoff of 1 at each decision of a player: its counterfactual values are the reach of chance and the others.

    Attributes
    ----------
    payoff : Payoff
    table : float array
        The reach of each infoset, at the slot of its first action; 0 at other slots.
    """

    payoff: Payoff
    table: Floats

    def fill_others_reach(self, treeplex, player, reach):
        counterfactual_values(treeplex, self.payoff, player, reach, self.table)

    def others_reach_at(self, like, slot):
        return load_like(like, self.table, slot)


def others_reach(
    tree: GameTree, slot: np.ndarray, first_slot: np.ndarray, length: int
) -> SequenceOthersReach:
    """Return that of a tree whose actions have these slots, and whose empty sequences begin at ``first_slot``."""
    first_action = tree.infosets.first_action()
    mover = np.maximum(tree.player, -1).astype(np.int64)
    # Slots on the way.
    last = np.repeat(first_slot[: tree.players].astype(np.int64)[:, None], tree.histories, axis=1)
    for level in levels(tree):
        up = tree.parent[level].astype(np.int64)
        last[:, level] = last[:, up]
        moved = mover[up] >= 0
        after = level[moved]
        above = up[moved]
        action = (
            first_action[tree.infoset[above]].astype(np.int64) + after - tree.first_child[above]
        )
        last[mover[above], after] = slot[action]
    decisions = np.flatnonzero(mover >= 0)
    movers = mover[decisions]
    chance = history_reach(tree, tree.probability)[decisions]
    slots = last[:, decisions]
    weights = np.zeros((len(decisions), tree.players))
    slots[movers, np.arange(len(decisions))] = slot[first_action[tree.infoset[decisions]]]
    weights[np.arange(len(decisions)), movers] = chance
    return SequenceOthersReach(make_payoff(slots.astype(np.uint32), weights), zeros(length))
