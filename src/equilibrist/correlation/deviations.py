"""Deviations of a player who hears recommendations move by move: when they may begin, and what they gain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .plans import Product, SequenceGame, Terms, plan_actions

KINDS = {
    "efce": "extensive-form correlated equilibrium",
    "efcce": "extensive-form coarse correlated equilibrium",
    "nfcce": "coarse correlated equilibrium of the normal form",
    "cce": "coarse correlated equilibrium of the normal form",
    "ce": "correlated equilibrium of the normal form",
}


@dataclass(frozen=True, slots=True)
class Deviation:
    """What a player gains at most by no longer following the recommendations; payoff per game.

    Attributes
    ----------
    player : int
    infoset, action : str or None
        Where the player stops, and what was recommended there; None where the player does not wait
        to hear it.
    gain : float
        What the best play from there on earns beyond following; at most 0 in an equilibrium, up to
        rounding.
    """

    player: int
    infoset: str | None
    action: str | None
    gain: float


class Trigger(NamedTuple):
    """A player who stops following at an infoset (None: before the first move), having followed a sequence so far.

    The sequence ends with the action that is recommended there, where that is known.
    """

    player: int
    infoset: int | None
    sequence: int


def triggers(game: SequenceGame, kind: str) -> list[Trigger]:
    """Return the deviations that an equilibrium of a kind has to withstand."""
    if kind in ("nfcce", "cce"):
        return [Trigger(player, None, 0) for player in range(game.players)]
    owners = [infoset.player for infoset in game.infosets]
    if kind == "efcce":
        return [Trigger(player, i, game.parent[i]) for i, player in enumerate(owners)]
    return [Trigger(player, i, s) for i, player in enumerate(owners) for s in game.sequences(i)]


def num_rows(game: SequenceGame, kind: str) -> int:
    """Return how many rows :func:`constraints` has: of each trigger one, and one for each action from there on."""
    below = [len(infoset.actions) for infoset in game.infosets]
    for i in reversed(range(len(below))):
        if game.parent[i]:
            below[game.infoset_of[game.parent[i]]] += below[i]
    first = (game.after[player, 0] if i is None else [i] for player, i, _ in triggers(game, kind))
    return sum(1 + sum(below[i] for i in infosets) for infosets in first)


class Row(NamedTuple):
    """Σ coefficient × probability of a product + Σ V(later) − V(value) ≤ 0, without the last where value is None."""

    products: Terms
    later: list[int]
    value: int | None


class Constraints(NamedTuple):
    """That no deviation gains: of each trigger a row that compares it with following, then one for each action.

    Attributes
    ----------
    rows : list of Row
    variables : int
        The values of infosets after deviations, one for each trigger and infoset.
    """

    rows: list[Row]
    variables: int


def constraints(game: SequenceGame, kind: str) -> Constraints:
    """Return the rows of all triggers: the value V(J) of each infoset J after it is at least what each action earns.

    V(J) ≥ Σ_z u(z)·P(z's product, with the trigger's sequence) + Σ_K V(K), over the leaves z and
    the infosets K right after each action of J; and following earns at least what the deviation
    begins with.

    References
    ----------
    von Stengel & Forges 2008, "Extensive-form correlated equilibrium: definition and computational
    complexity".
    """
    rows: list[Row] = []
    variables = 0
    for player, infoset, followed in triggers(game, kind):
        if infoset is None:
            pending = list(game.after[player, 0])
        else:
            pending = [infoset]
        is_heard = infoset is None or game.infoset_of[followed] == infoset
        begins = [followed] if is_heard else game.sequences(pending[0])
        begin = [
            (key, -weight)
            for s in begins
            for key, weight in game.payoff(player, game.below[player, s])
        ]
        if infoset is None:
            begin += game.payoff(player, game.ends[player, 0])
        rows.append(Row(begin, list(range(variables, variables + len(pending))), None))
        for number, acting in enumerate(pending, variables):  # to which it adds
            for sequence in game.sequences(acting):
                first = variables + len(pending)
                pending += game.after[player, sequence]
                earned = game.payoff(player, game.ends[player, sequence], followed)
                rows.append(Row(earned, list(range(first, variables + len(pending))), number))
        variables += len(pending)
    return Constraints(rows, variables)


def deviations(
    game: SequenceGame, kind: str, rows: list[Row], probability: Callable[[Product], float]
) -> list[Deviation]:
    """Return what each deviation gains where products have these probabilities, by backward induction."""
    values: dict[int | None, float] = {}
    gains = []
    for products, later, value in reversed(rows):  # infosets come after those that lead to them
        earned = sum(weight * probability(key) for key, weight in products) + sum(
            values[v] for v in later
        )
        values[value] = max(values.get(value, -np.inf), earned)
        if value is None:
            gains.append(values.pop(None))
    listed = []
    for (player, infoset, followed), gain in zip(
        triggers(game, kind), reversed(gains), strict=True
    ):
        key = None if infoset is None else game.infosets[infoset].key
        heard = (
            action
            for _, _, action in plan_actions(game, [followed])
            if game.infoset_of[followed] == infoset
        )
        listed.append(Deviation(player, key, next(heard, None), gain))
    return listed
