"""Deviations of a player who is told what to do move by move: when they may begin, and what they gain."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from .plans import Product, SequenceGame

KINDS = {
    "efce": "extensive-form correlated equilibrium",
    "efcce": "extensive-form coarse correlated equilibrium",
    "nfcce": "coarse correlated equilibrium of the normal form",
    "cce": "coarse correlated equilibrium of the normal form",
    "ce": "correlated equilibrium of the normal form",
}


@dataclass(frozen=True, slots=True)
class Deviation:
    """What a player gains at most by no longer doing as told; payoff per game.

    Attributes
    ----------
    player : int
    infoset, action : str or None
        Where the player stops, and what was recommended there; None where the player does not wait to hear it.
    gain : float
        What the best play from there on earns beyond doing as told; at most 0 in an equilibrium, up to rounding.
    """

    player: int
    infoset: str | None
    action: str | None
    gain: float


@dataclass(frozen=True, slots=True)
class Trigger:
    """A player who stops doing as told at an infoset (None: before the first move), having followed a sequence so far.

    The sequence ends with the action that is recommended there, where that is known.
    """

    game: SequenceGame
    player: int
    infoset: int | None
    sequence: int

    @property
    def knows_action(self) -> bool:
        """Whether the player has heard what is recommended at the infoset."""
        return self.infoset is not None and self.game.infoset_of[self.sequence] == self.infoset

    def following(self) -> dict[Product, float]:
        """Return the payoff of doing as told from here on, as coefficients of products."""
        game, player = self.game, self.player
        begins = [self.sequence]
        if self.infoset is not None and not self.knows_action:
            begins = list(game.sequences(self.infoset))
        leaves = [z for sequence in begins for z in game.leaves_below(player, sequence)]
        return self._sum((tuple(game.leaves[z].tolist()), z) for z in leaves)

    def ends(self, sequence: int) -> dict[Product, float]:
        """Return the payoff of the leaves right after a sequence that the player takes instead."""
        leaves = self.game.last_leaves.get((self.player, sequence), ())
        return self._sum((self._instead(z), z) for z in leaves)

    def infosets_after(self, sequence: int) -> list[int]:
        """Return the player's infosets right after a sequence."""
        return self.game.next_infosets.get((self.player, sequence), [])

    def first_infosets(self) -> list[int]:
        """Return where the player first acts against what is recommended."""
        return self.infosets_after(0) if self.infoset is None else [self.infoset]

    def _instead(self, z: int) -> Product:
        """Return the product of a leaf that the player comes to in spite of the plan."""
        sequences = self.game.leaves[z].tolist()
        sequences[self.player] = self.sequence
        return tuple(sequences)

    def _sum(self, leaves: Iterable[tuple[Product, int]]) -> dict[Product, float]:
        terms: dict[Product, float] = {}
        for key, z in leaves:
            weight = float(self.game.payoffs[z, self.player] * self.game.chance[z])
            terms[key] = terms.get(key, 0.0) + weight
        return terms


def triggers(game: SequenceGame, kind: str) -> list[Trigger]:
    """Return the deviations that an equilibrium of a kind has to withstand."""
    if kind in ("nfcce", "cce"):
        return [Trigger(game, player, None, 0) for player in range(game.players)]
    owners = [infoset.player for infoset in game.infosets]
    if kind == "efcce":
        return [Trigger(game, player, i, game.parent[i]) for i, player in enumerate(owners)]
    return [Trigger(game, player, i, s) for i, player in enumerate(owners) for s in game.sequences(i)]


class Row(NamedTuple):
    """Σ coefficient × probability of a product + Σ coefficient × variable ≤ 0."""

    products: dict[Product, float]
    variables: dict[int, float]


class Constraints(NamedTuple):
    """That no deviation gains: rows over products and over the values of infosets, one variable for each."""

    rows: list[Row]
    variables: int
    compares: list[int]  # by trigger: the row that compares it with doing as told


def constraints(game: SequenceGame, kind: str) -> Constraints:
    """Return the rows of all triggers: the value V(J) of each infoset J after it is at least what each action earns.

    V(J) ≥ Σ_z u(z)·P(z's product, with the trigger's sequence) + Σ_K V(K), over the leaves z and the infosets K right
    after each action of J; and doing as told earns at least what the deviation begins with.

    References
    ----------
    von Stengel & Forges 2008, "Extensive-form correlated equilibrium: definition and computational complexity".
    """
    rows: list[Row] = []
    compares, variables = [], 0
    for trigger in triggers(game, kind):
        numbers: dict[int, int] = {}
        pending = list(trigger.first_infosets())
        for infoset in pending:  # which grows
            numbers[infoset] = variables + len(numbers)
            pending += [after for s in game.sequences(infoset) for after in trigger.infosets_after(s)]
        begin = {key: -weight for key, weight in trigger.following().items()}
        if trigger.infoset is None:
            for key, weight in trigger.ends(0).items():
                begin[key] = begin.get(key, 0.0) + weight
        compares.append(len(rows))
        rows.append(Row(begin, {numbers[i]: 1.0 for i in trigger.first_infosets()}))
        for infoset in pending:
            for sequence in game.sequences(infoset):
                values = {numbers[after]: 1.0 for after in trigger.infosets_after(sequence)}
                rows.append(Row(trigger.ends(sequence), {**values, numbers[infoset]: -1.0}))
        variables += len(numbers)
    return Constraints(rows, variables, compares)


def deviations(game: SequenceGame, kind: str, probability: Callable[[Product], float]) -> list[Deviation]:
    """Return what each deviation gains where products have these probabilities, by backward induction."""

    def expected(terms: dict[Product, float]) -> float:
        return sum(weight * probability(key) for key, weight in terms.items())

    def best(trigger: Trigger, infoset: int) -> float:
        return max(after(trigger, sequence) for sequence in game.sequences(infoset))

    def after(trigger: Trigger, sequence: int) -> float:
        later = sum(best(trigger, infoset) for infoset in trigger.infosets_after(sequence))
        return expected(trigger.ends(sequence)) + later

    gains = []
    for trigger in triggers(game, kind):
        whole = after(trigger, 0) if trigger.infoset is None else best(trigger, trigger.infoset)
        infoset, action = None, None
        if trigger.infoset is not None:
            infoset, actions = game.infosets[trigger.infoset].key, game.infosets[trigger.infoset].actions
            if trigger.knows_action:
                action = actions[trigger.sequence - game.first[trigger.infoset]]
        gains.append(Deviation(trigger.player, infoset, action, whole - expected(trigger.following())))
    return gains
