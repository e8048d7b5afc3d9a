"""Sequence forms that are cut: a function says what the public states at the cut are worth, given both ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ..floors import NO_FLOORS, Terms
from ..leaf import Leaf, LeafFunction, ask
from ..responses import BestResponses, Values
from . import passes
from .form import SequenceForm


class LeafTable(NamedTuple):
    """The histories at which a part is cut, by public state and hands.

    Attributes
    ----------
    function : LeafFunction
    leaves : tuple of Leaf
    state : int array, shape (histories,)
        The number of the leaf.
    hand : int array, shape (histories, 2)
        The numbers of both hands there.
    """

    function: LeafFunction
    leaves: tuple[Leaf, ...]
    state: Ints
    hand: Ints


class HandSlots(NamedTuple):
    """Where the hands of a player at a leaf stand in a form, a line for each way in which one comes there."""

    hand: Ints
    slot: Ints
    weight: Floats  # the range of the hand is the sum of weight × reach of the slot


class LeafValues:
    """What is added to the values of slots at the leaves.

    ``slots`` are of both players, for each leaf; ``constant`` is what both get together there and
    nowhere else, as it is taken off for each player.
    """

    def __init__(
        self,
        table: LeafTable,
        slots: list[tuple[HandSlots, HandSlots]],
        constant: tuple[float, float],
    ):
        self._table = table
        self._slots = slots
        self._constant = constant

    def __call__(self, player: int, reach: NDArray[Any], cf_value: NDArray[Any]) -> None:
        """Add the values of the hands of a player to those of their slots, in place."""
        for leaf, both in zip(self._table.leaves, self._slots, strict=True):
            ranges = [
                np.bincount(at.hand, at.weight * reach[at.slot], len(names)).astype(np.float64)
                for at, names in zip(both, leaf.hands, strict=True)
            ]
            values = ask(
                self._table.function, leaf, (ranges[0], ranges[1]), player, self._constant[player]
            )
            np.add.at(cf_value, both[player].slot, both[player].weight * values[both[player].hand])


@dataclass(frozen=True, eq=False, repr=False)
class LeafForm(SequenceForm):
    """A sequence form to whose values a function adds those of its leaves; a best response goes on as that says."""

    has_entries = False  # of payoffs by sequences: what the function says depends on ranges
    asks_for_values = True

    leaf_values: LeafValues = field(kw_only=True)

    def values(
        self,
        strategy: NDArray[Any],
        *,
        weights: bool = False,
        threads: int = 1,
        floors: Terms = NO_FLOORS,
    ) -> Values:
        played = self.average_from_sums(strategy) if weights else strategy
        return self.best_responses(played).values

    def best_responses(self, strategy: Floats) -> BestResponses:
        treeplex = self.treeplex
        reach = self.reach(strategy)
        cf_value = np.zeros(self.length)
        response = np.ones(self.length)
        value = []
        best_value = []
        for player in range(self.players):
            passes.counterfactual_values(treeplex, self.payoff, player, reach, cf_value)
            self.leaf_values(player, reach, cf_value)
            slots = slice(treeplex.first_slot[player], treeplex.first_slot[player + 1])
            value.append(float(reach[slots] @ cf_value[slots]))
            best_value.append(
                float(passes.best_response(treeplex, player, cf_value, response, NO_FLOORS))
            )
        return BestResponses(tuple(value), tuple(best_value), reach, cf_value, response)


def with_leaf_values(
    form: SequenceForm,
    table: LeafTable,
    paths: Sequence[Sequence[tuple[Ints, Floats]]],
    constant: Floats,
) -> LeafForm:
    """Return a form to whose values those of leaves are added.

    ``paths`` are for each player the ways in which the hands come there: the last sequence before
    each history of the table, and the weight of the hand. ``constant`` is what both get together
    there and nowhere else, for each player.
    """
    both: list[list[HandSlots]] = []
    for player, ways in enumerate(paths):
        slot = np.append(form.treeplex.first_slot[player], form.slot).astype(np.int64)
        hands, first = np.unique(
            np.stack([table.state, table.hand[:, player]]), axis=1, return_index=True
        )
        both.append([])
        for leaf in range(len(table.leaves)):
            at = first[hands[0] == leaf]
            hand = hands[1, hands[0] == leaf]
            slots = np.concatenate([slot[sequence[at]] for sequence, _ in ways])
            weights = np.concatenate([weight[at] for _, weight in ways])
            both[player].append(HandSlots(np.tile(hand, len(ways)), slots, weights))
    values = LeafValues(
        table, list(zip(*both, strict=True)), (float(constant[0]), float(constant[1]))
    )
    return LeafForm(
        **{member.name: getattr(form, member.name) for member in fields(SequenceForm)},
        leaf_values=values,
    )
