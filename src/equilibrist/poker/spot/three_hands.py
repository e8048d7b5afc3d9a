"""Sequence forms of three players who are each dealt a hand and act once: the deal is a tensor, and is never unfolded.

Three hands have 4.8 million deals of 169 classes, of which a sequence form keeps a weight for every
end of the betting. Here the deal is kept once, with the payoffs of each end by hands, and
counterfactual values are its products with the others' reach:

    cf_value[a] = Σ_z Σ_{b, c} P[a, b, c] · u_z[a, b, c] · reach_z[b] · reach_z[c]      over the ends z after a slot
"""
# mypy: disable-error-code="override"

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Indices, Ints
from ...form.infosets import Infoset, NamedInfosets
from ...form.sequence.canonical import CanonicalForm
from ...form.sequence.form import SequenceForm, sequence_form
from ...form.sequence.leaves import LeafForm

PLAYERS = range(3)
Move = tuple[int, int]
"""The number of a node and of an action there."""


class HandNode(NamedTuple):
    """A point of the betting at which a player decides, whatever the hand.

    Attributes
    ----------
    player : int
    keys : tuple of str
        Of the infosets, by hand.
    actions : tuple of str
    """

    player: int
    keys: tuple[str, ...]
    actions: tuple[str, ...]


class HandEnd(NamedTuple):
    """An end of the betting.

    Attributes
    ----------
    moves : (Move or None, Move or None, Move or None)
        Of each player; None of who never acts on the way.
    first_out : int or None
        Who folded first; None where nobody did.
    payoffs : (float or float array, float or float array, float or float array)
        What each player earns: a number; a matrix by the hands of the two who show, in the order of
        the players; or where all three show a tensor by the own hand and those of the others.
    """

    moves: tuple[Move | None, Move | None, Move | None]
    first_out: int | None
    payoffs: tuple[float | Floats, float | Floats, float | Floats]


@dataclass(frozen=True, eq=False)
class ThreeHands:
    """A game of three hands: the deal, who decides where, and what is paid.

    Attributes
    ----------
    name : str
        Of the game.
    deal : float64 array, shape (hands, hands, hands)
        The probability of each three hands; the same in whatever order the players hold them.
    nodes : sequence of HandNode
        Each player decides at most once on the way to an end.
    ends : sequence of HandEnd
        All ends of the betting.
    largest_payoff : float
        The largest payoff, without its sign; payoffs sum to 0.
    """

    name: str
    deal: Floats
    nodes: Sequence[HandNode]
    ends: Sequence[HandEnd]
    largest_payoff: float

    @property
    def histories(self) -> int:
        """Number of histories, each hand dealt in a move of its own."""
        first, both, deals = (int((self.deal.sum(axis=axes) > 0).sum()) for axes in ((1, 2), 2, ()))
        return 1 + first + both + deals * (len(self.nodes) + len(self.ends))

    def fingerprint(self, infosets: NamedInfosets) -> str:
        """Return the digest of infosets, deal and payoffs."""
        digest = hashlib.sha256(infosets.digest())
        digest.update(self.deal.data)
        for end in self.ends:
            digest.update(repr((end.moves, end.first_out)).encode())
            for payoff in end.payoffs:
                digest.update(np.ascontiguousarray(payoff).data)
        return digest.hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class HandValues:
    """What is added to the values of slots: all payoffs. ``slot`` has those of each node by action and hand.

    Sums are taken by einsum, whose bits no number of threads changes, as that of a BLAS may.
    """

    hands: ThreeHands
    slot: tuple[Ints, ...]
    first_slot: Indices
    _joint: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)

    @cached_property
    def _tensors(self) -> dict[tuple[int, int], Floats]:
        """The probability of hands × what a player earns, by end and player, where all three show."""
        pairs = ((z, player) for z, end in enumerate(self.hands.ends) for player in PLAYERS)
        payoffs = {(z, player): self.hands.ends[z].payoffs[player] for z, player in pairs}
        return {
            key: self.hands.deal * payoff for key, payoff in payoffs.items() if np.ndim(payoff) == 3
        }

    def __call__(self, player: int, reach: NDArray[Any], cf_value: NDArray[Any]) -> None:
        """Add the values of the hands of a player to those of their slots, in place."""
        others = [other for other in PLAYERS if other != player]
        # By the hands of the others, where the own hand decides nothing.
        flat: dict[Move | None, Floats] = {}
        for z, end in enumerate(self.hands.ends):
            ranges = [
                self._move_range(end.moves[player_showing], reach) for player_showing in PLAYERS
            ]
            first, second = (ranges[other] for other in others)
            payoff = end.payoffs[player]
            out = end.first_out
            if out is None:
                values = np.einsum("abc,bc->a", self._tensors[z, player], np.outer(first, second))
            elif out == player:
                paid = payoff * np.outer(first, second)
                flat[end.moves[player]] = flat.get(end.moves[player], 0.0) + paid
                continue
            else:
                other = next(player_showing for player_showing in others if player_showing != out)
                by_hand = np.asarray(payoff)
                if by_hand.ndim == 2 and other < player:
                    by_hand = by_hand.T
                values = (self._joint_with(out, ranges[out]) * by_hand) @ ranges[other]
            self._add_values(player, end.moves[player], values, cf_value)
        for move, paid in flat.items():
            self._add_values(player, move, np.einsum("abc,bc->a", self.hands.deal, paid), cf_value)

    def cf_reach(self, reach: Floats) -> Floats:
        """Return the probability that chance and the others come to each infoset, in the order of the nodes."""
        result = []
        for number, node in enumerate(self.hands.nodes):
            end = next(
                end for end in self.hands.ends if (end.moves[node.player] or (-1,))[0] == number
            )
            ranges_of_others = [
                move
                if move is not None and self.hands.nodes[move[0]].player < node.player
                else None
                for move in end.moves
            ]
            first, second = (
                self._move_range(ranges_of_others[other], reach)
                for other in PLAYERS
                if other != node.player
            )
            result.append((self.hands.deal @ second) @ first)
        return np.concatenate(result)

    def _move_range(self, move: Move | None, reach: NDArray[Any]) -> Floats:
        """Return how likely a player makes a move with each hand; 1 where the player never acts."""
        if move is None:
            return np.ones(len(self.hands.deal))
        return np.asarray(reach[self.slot[move[0]][move[1]]], np.float64)

    def _joint_with(self, out: int, folds: Floats) -> Floats:
        """Return the probability that two players hold each two hands and the third one, with its hand, has folded."""
        cached = self._joint.get(out)
        if cached is None or not np.array_equal(cached[0], folds):
            cached = self._joint[out] = folds, np.einsum("abc,c->ab", self.hands.deal, folds)
        return cached[1]

    def _add_values(
        self, player: int, move: Move | None, values: Floats, cf_value: NDArray[Any]
    ) -> None:
        if move is None:
            cf_value[self.first_slot[player]] += values.sum()
        else:
            cf_value[self.slot[move[0]][move[1]]] += values


@dataclass(frozen=True, eq=False, repr=False)
class ThreeHandForm(LeafForm):
    """A sequence form whose payoffs are those of three hands."""

    leaf_values: HandValues = field(kw_only=True)  # type: ignore[assignment]

    @property
    def payoff_kind(self) -> str:
        """How many deals there are, in words."""
        return f"{int((self.leaf_values.hands.deal > 0).sum()):,} deals of three hands"

    def cf_reach(self, strategy: Floats) -> Floats:
        return self.leaf_values.cf_reach(self.reach(strategy))


def three_hand_form(hands: ThreeHands) -> ThreeHandForm:
    """Return the compiled form of a game of three hands."""
    infosets = NamedInfosets(
        [Infoset(node.player, key, node.actions) for node in hands.nodes for key in node.keys]
    )
    form = sequence_form(
        CanonicalForm(
            name=hands.name,
            histories=hands.histories,
            depth=3 + max(sum(move is not None for move in end.moves) for end in hands.ends),
            payoff_sum=0.0,
            largest_payoff=hands.largest_payoff,
            infosets=infosets,
            parent_sequence=np.zeros(len(infosets), np.uint32),  # nobody decides twice
            leaf_sequence=np.zeros((0, len(PLAYERS)), np.uint32),
            weights=np.zeros((0, len(PLAYERS))),
        )
    )
    first = np.cumsum([0, *(len(node.keys) * len(node.actions) for node in hands.nodes)])
    slots = [
        form.slot[first[n] : first[n + 1]].astype(np.int64).reshape(-1, len(node.actions)).T
        for n, node in enumerate(hands.nodes)
    ]
    values = HandValues(hands, tuple(slots), form.treeplex.first_slot)
    arrays = {
        name: getattr(form, name)
        for name in SequenceForm.__dataclass_fields__
        if name != "fingerprint"
    }
    return ThreeHandForm(**arrays, fingerprint=hands.fingerprint(infosets), leaf_values=values)
