"""A game by the sequences of its players, and their pure plans: what programmes of correlated play are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, csr_array

from .._util.arrays import Floats, Ints
from ..errors import LinearProgramError
from ..form.infosets import Infoset
from ..form.limits import Limits, within_memory
from ..form.sequence.build import explore, to_extensive_form
from ..form.sequence.canonical import canonical_form
from ..form.sequence.tree import NO_INFOSET, ROOT, history_reach
from ..game.protocol import game_name

Product = tuple[int, ...]
"""One sequence of each player; it stands for the probability that the plans of all of them hold these sequences."""

_LEAST_GAIN = 1e-12


@dataclass(frozen=True)
class SequenceGame:
    """A game by its sequences: 0 is the empty one of every player, then all actions of the first infoset, and so on."""

    name: str
    infosets: Sequence[Infoset]
    parent: Sequence[int]  # of each infoset: the last sequence of its player before it
    leaves: Ints  # shape (leaves, players): the last sequence of each player
    payoffs: Floats  # shape (leaves, players)
    chance: Floats  # shape (leaves,): the probability of chance's moves on the way to each leaf
    # pairs of infosets of two players that lie on one path from the root; None where chance moves, or more than two
    connected: frozenset[tuple[int, int]] | None

    @property
    def players(self) -> int:
        return int(self.leaves.shape[1])

    @cached_property
    def first(self) -> list[int]:
        """The first sequence of each infoset, and one more than the last sequence."""
        return [int(n) for n in np.cumsum([1, *(len(infoset.actions) for infoset in self.infosets)])]

    @cached_property
    def infoset_of(self) -> list[int]:
        """The infoset of each sequence; -1 of the empty one."""
        return [-1, *(i for i, infoset in enumerate(self.infosets) for _ in infoset.actions)]

    @cached_property
    def next_infosets(self) -> dict[tuple[int, int], list[int]]:
        """The infosets that follow each (player, sequence)."""
        follow: dict[tuple[int, int], list[int]] = {}
        for i, infoset in enumerate(self.infosets):
            follow.setdefault((infoset.player, self.parent[i]), []).append(i)
        return follow

    @cached_property
    def last_leaves(self) -> dict[tuple[int, int], list[int]]:
        """The leaves whose last sequence of a player is this: by (player, sequence)."""
        last: dict[tuple[int, int], list[int]] = {}
        for z, sequences in enumerate(self.leaves.tolist()):
            for key in enumerate(sequences):
                last.setdefault(key, []).append(z)
        return last

    def sequences(self, infoset: int) -> range:
        """Return the sequences that end at an infoset."""
        return range(self.first[infoset], self.first[infoset + 1])

    def leaves_below(self, player: int, sequence: int) -> list[int]:
        """Return the leaves of all plays in which a player's moves begin with a sequence."""
        leaves = list(self.last_leaves.get((player, sequence), ()))
        for infoset in self.next_infosets.get((player, sequence), ()):
            for following in self.sequences(infoset):
                leaves += self.leaves_below(player, following)
        return leaves

    def weighted(self, coefficients: Floats) -> dict[Product, float]:
        """Return a sum over leaves of coefficient × probability as coefficients of products."""
        terms: dict[Product, float] = {}
        for sequences, coefficient in zip(map(tuple, self.leaves.tolist()), coefficients * self.chance, strict=True):
            terms[sequences] = terms.get(sequences, 0.0) + float(coefficient)
        return terms

    def pure_plans(self, player: int, most: int) -> list[frozenset[int]] | None:
        """Return the reduced plans of a player, as sets of sequences; None where they are more than ``most``."""
        plans = [frozenset((0,))]
        pending = [self.next_infosets.get((player, 0), [])]
        while any(pending):
            longer, later = [], []
            for plan, infosets in zip(plans, pending, strict=True):
                choices = product(*(self.sequences(infoset) for infoset in infosets))
                for chosen in choices:
                    longer.append(plan | set(chosen))
                    later.append([i for sequence in chosen for i in self.next_infosets.get((player, sequence), ())])
                    if len(longer) > most:
                        return None
            plans, pending = longer, later
        return plans


def sequence_game(rules: Any, limits: Limits) -> SequenceGame:
    """Return a game by its sequences, whose players have perfect recall."""
    game = to_extensive_form(rules)
    with within_memory(game_name(game)):
        tree = explore(game, limits, keep_tree=True).whole
        form = canonical_form(tree, game)
    chance = history_reach(tree, tree.probability)[tree.leaf]
    return SequenceGame(
        name=form.name,
        infosets=list(form.infosets),
        parent=form.parent_sequence.tolist(),
        leaves=form.leaf_sequence.astype(np.int64),
        payoffs=tree.payoffs,
        chance=chance,
        connected=_connected(tree) if tree.players == 2 and not bool((tree.probability != 1.0).any()) else None,
    )


def _connected(tree: Any) -> frozenset[tuple[int, int]]:
    """Return the pairs of infosets of players 0 and 1 such that a path from the root goes through both."""
    pairs: set[tuple[int, int]] = set()
    above: list[tuple[int, ...]] = [()] * tree.histories
    for h in range(tree.histories):
        up = int(tree.parent[h])
        if h != ROOT:
            above[h] = above[up] if tree.infoset[up] == NO_INFOSET else (*above[up], int(tree.infoset[up]))
        if tree.infoset[h] != NO_INFOSET:
            infoset = int(tree.infoset[h])
            others = (i for i in above[h] if tree.infosets.owner[i] != tree.infosets.owner[infoset])
            pairs |= {(i, infoset) if tree.infosets.owner[infoset] == 1 else (infoset, i) for i in others}
    return frozenset(pairs)


def normal_form(game: SequenceGame, plans: Sequence[Sequence[frozenset[int]]]) -> SequenceGame:
    """Return the game in which each player has one infoset, whose actions are the plans."""
    counts = list(map(len, plans))
    first = np.cumsum([1, *counts])
    choices = np.indices(counts).reshape(len(counts), -1).T
    payoffs = np.zeros((len(choices), game.players))
    weights = game.payoffs * game.chance[:, None]
    for row, chosen in enumerate(choices.tolist()):
        held = [plans[player][k] for player, k in enumerate(chosen)]
        plays = [all(s in held[p] for p, s in enumerate(leaf)) for leaf in game.leaves.tolist()]
        payoffs[row] = weights[plays].sum(axis=0)
    return SequenceGame(
        name=game.name,
        infosets=[Infoset(p, "plan", tuple(_text(game, plan) for plan in each)) for p, each in enumerate(plans)],
        parent=[0] * game.players,
        leaves=choices + first[: game.players],
        payoffs=payoffs,
        chance=np.ones(len(choices)),
        connected=frozenset({(0, 1)}) if game.players == 2 else None,
    )


def _text(game: SequenceGame, plan: frozenset[int]) -> str:
    return ", ".join(f"{key}: {action}" for key, action in plan_actions(game, plan)) or "nothing to choose"


def plan_actions(game: SequenceGame, plan: frozenset[int]) -> Iterator[tuple[str, str]]:
    """Yield the name of each infoset that a plan comes to, and the action that it takes there."""
    for sequence in sorted(plan - {0}):
        infoset = game.infoset_of[sequence]
        yield game.infosets[infoset].key, game.infosets[infoset].actions[sequence - game.first[infoset]]


def any_plans(game: SequenceGame, players: Sequence[int]) -> frozenset[int]:
    """Return plans of these players as one set: the first action of each infoset."""
    return frozenset(s for player in players for s in _best_plan(game, player, 0, {})[1])


def good_plans(
    game: SequenceGame, coefficients: Mapping[Product, float], players: Sequence[int], start: frozenset[int]
) -> tuple[float, frozenset[int]]:
    """Return plans that none of these players improves alone, from others, and what they hold of the coefficients."""
    plan, value, waiting = start, -np.inf, list(players)
    while waiting:
        player = waiting.pop(0)
        worth: dict[int, float] = {}
        for sequences, coefficient in coefficients.items():
            if plan.issuperset(s for p, s in enumerate(sequences) if p != player):
                worth[sequences[player]] = worth.get(sequences[player], 0.0) + coefficient
        better, held = _best_plan(game, player, 0, worth)
        if better > value + _LEAST_GAIN:
            others = (s for s in plan - {0} if game.infosets[game.infoset_of[s]].player != player)
            plan, value = frozenset((*others, *held)), better
            waiting = [other for other in players if other != player]
    return value, plan


def _best_plan(
    game: SequenceGame, player: int, sequence: int, worth: Mapping[int, float]
) -> tuple[float, tuple[int, ...]]:
    """Return the most that a plan of one player is worth from a sequence on, and the sequences that it holds."""
    value = worth.get(sequence, 0.0)
    held: tuple[int, ...] = (sequence,)
    for infoset in game.next_infosets.get((player, sequence), ()):
        choices = (_best_plan(game, player, s, worth) for s in game.sequences(infoset))
        best, below = max(choices, key=lambda choice: choice[0])
        value, held = value + best, held + below
    return value, held


def best_plans(
    game: SequenceGame, coefficients: Mapping[Product, float], players: Sequence[int]
) -> tuple[float, frozenset[int]]:
    """Return the largest sum of coefficients that pure plans of these players hold, and the plans as one set.

    A mixed-integer programme (HiGHS): x of a sequence is 1 where the plan holds it, y of a product that of its x.

    Raises
    ------
    LinearProgramError
        HiGHS found no optimum.
    """
    terms = [(sequences, c) for sequences, c in coefficients.items() if c != 0.0]
    size, total = game.first[-1], game.first[-1] + len(terms)
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    low: list[float] = []
    high: list[float] = []

    def constrain(entries: Sequence[tuple[int, float]], least: float, most: float) -> None:
        for column, value in entries:
            rows.append(len(low))
            columns.append(column)
            values.append(value)
        low.append(least)
        high.append(most)

    for i, infoset in enumerate(game.infosets):
        if infoset.player in players:
            constrain([*((s, 1.0) for s in game.sequences(i)), (game.parent[i], -1.0)], 0.0, 0.0)
    for k, (sequences, coefficient) in enumerate(terms):
        factors = {s for s in sequences if s}
        if coefficient > 0.0:
            for s in factors:
                constrain([(size + k, 1.0), (s, -1.0)], -np.inf, 0.0)
        else:
            constrain([(size + k, 1.0), *((s, -1.0) for s in factors)], 1.0 - len(factors), np.inf)
    lower, upper = np.zeros(total), np.ones(total)
    lower[0] = 1.0
    upper[1:size] = [game.infosets[i].player in players for i in game.infoset_of[1:]]
    result = milp(
        -np.concatenate([np.zeros(size), [c for _, c in terms]]),
        constraints=LinearConstraint(
            csr_array(coo_array((values, (rows, columns)), shape=(len(low), total))), low, high
        ),
        integrality=np.concatenate([np.ones(size), np.zeros(len(terms))]),
        bounds=Bounds(lower, upper),
        options={"mip_rel_gap": 0.0},
    )
    if result.x is None:
        raise LinearProgramError(f"{game.name}: the programme of the best plan was not solved ({result.message}).")
    held = frozenset(np.flatnonzero(result.x[:size] > 0.5).tolist()) | {0}
    return sum(c for sequences, c in terms if held.issuperset(sequences)), held
