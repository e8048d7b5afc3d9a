"""A game by the sequences of its players, and their pure plans: what programmes of correlated play are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from .._util.arrays import Floats, Ints
from ..errors import LinearProgramError
from ..form.infosets import Infoset
from ..form.limits import CompileBudget, within_memory
from ..form.sequence.build import check_and_unfold, explore
from ..form.sequence.canonical import canonical_form
from ..form.sequence.tree import history_reach
from ..game.protocol import Game, game_name

Product = tuple[int, ...]
"""One sequence of each player; it stands for the probability that the plans of all of them hold these sequences."""

Terms = list[tuple[Product, float]]
"""Σ coefficient × probability of a product, in which a product may come more than once."""

Plan = frozenset[int]
"""The sequences that the pure plans of some players hold, and the empty one."""

_LEAST_GAIN = 1e-12  # of the largest weight
_LARGEST_WEIGHT = 1024.0
"""Of the objective of a mixed-integer programme, which HiGHS solves up to a gap of 1e-6."""


Say = Callable[[str], None]
"""What is called now and then with a text that says how far it is."""


class SparseRows:
    """A sparse matrix that is written row by row; entries at the same place are added up."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []
        self.height = 0

    def add(self, entries: Iterable[tuple[int, float]]) -> None:
        """Write the next row as pairs of column and value."""
        for column, value in entries:
            self.rows.append(self.height)
            self.columns.append(column)
            self.values.append(value)
        self.height += 1

    def array(self, width: int) -> csr_array:
        return csr_array((self.values, (self.rows, self.columns)), shape=(self.height, width))


@dataclass(frozen=True)
class SequenceGame:
    """A game by its sequences: 0 is the empty one of every player, then all actions of the first infoset, and so on.

    Attributes
    ----------
    name : str
    infosets : sequence of Infoset
        Those that come first in a play have the lower numbers.
    parent : sequence of int
        Of each infoset: the last sequence of its player before it.
    leaves : int array, shape (leaves, players)
        The last sequence of each player.
    payoffs : float array, shape (leaves, players)
    chance : float array, shape (leaves,)
        The probability of chance's moves on the way to each leaf.
    """

    name: str
    infosets: Sequence[Infoset]
    parent: Sequence[int]
    leaves: Ints
    payoffs: Floats
    chance: Floats

    @property
    def players(self) -> int:
        return int(self.leaves.shape[1])

    @property
    def needs_columns(self) -> bool:
        """Whether joint plans have to be generated: with chance or more players there is no polytope of pairs."""
        return self.players != 2 or bool((self.chance != 1.0).any())

    @cached_property
    def units(self) -> Floats:
        """A power of two for each player, by which the payoff that is largest in size is 1 or more, and less than 2."""
        largest = np.abs(self.payoffs).max(axis=0, initial=0.0)
        exponents = np.frexp(largest)[1] - 1
        return np.ldexp(1.0, np.where(largest > 0, exponents, 0))

    def in_units(self, units: Floats) -> SequenceGame:
        """Return the game with each player's payoffs divided by a power of two.

        Tolerances of programmes are absolute, and what is an equilibrium depends on no player's
        unit of payoffs.
        """
        return replace(self, payoffs=self.payoffs / units)

    @cached_property
    def first(self) -> list[int]:
        """The first sequence of each infoset, and one more than the last sequence."""
        return [
            int(n) for n in np.cumsum([1, *(len(infoset.actions) for infoset in self.infosets)])
        ]

    @cached_property
    def infoset_of(self) -> list[int]:
        """The infoset of each sequence; -1 of the empty one."""
        return [-1, *(i for i, infoset in enumerate(self.infosets) for _ in infoset.actions)]

    @cached_property
    def owner(self) -> Ints:
        """The player of each sequence; -1 of the empty one."""
        return np.array([-1, *(self.infosets[i].player for i in self.infoset_of[1:])])

    @cached_property
    def after(self) -> Mapping[tuple[int, int], list[int]]:
        """The infosets right after each (player, sequence)."""
        return _group_pairs(
            ((infoset.player, self.parent[i]), i) for i, infoset in enumerate(self.infosets)
        )

    @cached_property
    def ends(self) -> Mapping[tuple[int, int], list[int]]:
        """The leaves right after each (player, sequence)."""
        return _group_pairs(
            (key, z) for z, leaf in enumerate(self.leaves.tolist()) for key in enumerate(leaf)
        )

    @cached_property
    def below(self) -> Mapping[tuple[int, int], list[int]]:
        """The leaves of all plays in which a player's moves begin with a sequence, by (player, sequence)."""
        return _group_pairs(
            ((p, s), z)
            for (p, last), ends in self.ends.items()
            for s in (0, *self.path(last))
            for z in ends
        )

    @cached_property
    def beside(self) -> list[set[int]]:
        """Of each infoset those of other players that a play can come to as well."""
        beside: list[set[int]] = [set() for _ in self.infosets]
        for leaf in self.leaves.tolist():
            for last, other in permutations(leaf, 2):
                others = {self.infoset_of[s] for s in self.path(other)}
                for s in self.path(last):
                    beside[self.infoset_of[s]] |= others
        return beside

    def sequences(self, infoset: int) -> range:
        """Return the sequences that end at an infoset."""
        return range(self.first[infoset], self.first[infoset + 1])

    def path(self, sequence: int) -> list[int]:
        """Return a sequence and those before it, without the empty one."""
        path = []
        while sequence:
            path.append(sequence)
            sequence = self.parent[self.infoset_of[sequence]]
        return path

    def weight_leaves(self, coefficients: Floats) -> Terms:
        """Return a sum over leaves of coefficient × probability."""
        return list(
            zip(
                map(tuple, self.leaves.tolist()), (coefficients * self.chance).tolist(), strict=True
            )
        )

    def payoff(self, player: int, leaves: list[int], followed: int | None = None) -> Terms:
        """Return the payoff of a player at some leaves; of one who comes there having followed only to a sequence."""
        products = self.leaves[leaves]
        if followed is not None:
            products[:, player] = followed
        weights = self.payoffs[leaves, player] * self.chance[leaves]
        return list(zip(map(tuple, products.tolist()), weights.tolist(), strict=True))

    def num_plans(self, player: int) -> int:
        """Return how many reduced plans a player has."""
        counts = [1] * self.first[-1]
        for i in self._infosets_bottom_up((player,)):
            counts[self.parent[i]] *= sum(counts[s] for s in self.sequences(i))
        return counts[0]

    def pure_plans(self, player: int) -> list[Plan]:
        """Return the reduced plans of a player."""
        plans = [[frozenset({0, s})] for s in range(self.first[-1])]
        for i in self._infosets_bottom_up((player,)):
            below = [plan for s in self.sequences(i) for plan in plans[s]]
            plans[self.parent[i]] = [
                first | later for first, later in product(below, plans[self.parent[i]])
            ]
        return plans[0]

    def best_plan(self, players: Sequence[int], worth: NDArray[Any]) -> tuple[float, Plan]:
        """Return the plans of some players whose sequences are worth most together, and how much.

        ``worth`` has a number for each sequence.
        """
        values = worth.copy()
        best = {}
        for i in self._infosets_bottom_up(players):
            best[i] = max(self.sequences(i), key=values.__getitem__)
            values[self.parent[i]] += values[best[i]]
        plan = {0}
        for i in reversed(best):
            if self.parent[i] in plan:
                plan.add(best[i])
        return float(values[0]), frozenset(plan)

    def _infosets_bottom_up(self, players: Sequence[int]) -> list[int]:
        """Return the infosets of players, each before those that lead to it."""
        return [
            i for i in reversed(range(len(self.infosets))) if self.infosets[i].player in players
        ]


def _group_pairs(
    pairs: Iterable[tuple[tuple[int, int], int]],
) -> Mapping[tuple[int, int], list[int]]:
    lists = defaultdict[tuple[int, int], list[int]](list)
    for key, number in pairs:
        lists[key].append(number)
    return lists


def sequence_game(rules: Game, limits: CompileBudget) -> SequenceGame:
    """Return a game by its sequences, whose players have perfect recall."""
    game = check_and_unfold(rules)
    with within_memory(game_name(game)):
        tree = explore(game, limits, keep_tree=True).whole
        form = canonical_form(tree, game)
    return SequenceGame(
        name=form.name,
        infosets=list(form.infosets),
        parent=form.parent_sequence.tolist(),
        leaves=form.leaf_sequence.astype(np.int64),
        payoffs=tree.payoffs,
        chance=history_reach(tree, tree.probability)[tree.leaf],
    )


def normal_form(game: SequenceGame, plans: Sequence[Sequence[Plan]]) -> SequenceGame:
    """Return the game in which each player has one infoset, whose actions are the plans."""
    counts = list(map(len, plans))
    choices = np.indices(counts).reshape(len(counts), -1).T
    weights = game.payoffs * game.chance[:, None]
    joint = (
        frozenset().union(*(plans[p][k] for p, k in enumerate(chosen)))
        for chosen in choices.tolist()
    )
    return SequenceGame(
        name=game.name,
        infosets=[
            Infoset(p, "plan", tuple(_plan_text(game, plan) for plan in player_plans))
            for p, player_plans in enumerate(plans)
        ],
        parent=[0] * game.players,
        leaves=choices + np.cumsum([1, *counts[:-1]]),
        payoffs=np.array(
            [weights[holds_products(plan, game.leaves)].sum(axis=0) for plan in joint]
        ),
        chance=np.ones(len(choices)),
    )


def _plan_text(game: SequenceGame, plan: Plan) -> str:
    return (
        ", ".join(f"{key}: {action}" for _, key, action in plan_actions(game, plan))
        or "nothing to choose"
    )


def plan_actions(game: SequenceGame, sequences: Iterable[int]) -> Iterator[tuple[int, str, str]]:
    """Yield the player and the name of the infoset of each sequence, and the action that it ends with."""
    for sequence in sorted(sequences):
        if sequence:
            infoset = game.infosets[game.infoset_of[sequence]]
            yield (
                infoset.player,
                infoset.key,
                infoset.actions[sequence - game.first[game.infoset_of[sequence]]],
            )


def holds_products(plan: Plan, products: Ints) -> NDArray[np.bool_]:
    """Return which products, of shape (products, players), a plan holds all sequences of."""
    return np.all(np.isin(products, list(plan)), axis=1)  # type: ignore[no-any-return]


def improve_plans(
    game: SequenceGame, products: Ints, weights: Floats, players: Sequence[int], start: Plan
) -> tuple[float, Plan]:
    """Return plans that none of these players improves alone, from others, and the weight of the products they hold."""
    is_held = np.isin(np.arange(game.first[-1]), list(start))
    value = -np.inf
    waiting = list(players)
    least_gain = _LEAST_GAIN * float(np.abs(weights).max(initial=0.0))
    while waiting:
        player = waiting.pop(0)
        is_held_by_others = np.delete(is_held[products], player, axis=1).all(axis=1)
        worth = np.bincount(
            products[is_held_by_others, player], weights[is_held_by_others], game.first[-1]
        )
        best_worth, plan = game.best_plan((player,), worth)
        if best_worth > value + least_gain:
            value = best_worth
            is_held[game.owner == player] = False
            is_held[list(plan)] = True
            waiting = [other for other in players if other != player]
    return float(value), frozenset(np.flatnonzero(is_held).tolist())


def find_best_plans(
    game: SequenceGame, products: Ints, weights: Floats, players: Sequence[int]
) -> tuple[float, Plan]:
    """Return the largest weight of products that pure plans of these players hold, and the plans as one set.

    A mixed-integer programme (HiGHS): x of a sequence is 1 where the plan holds it, y of a product
    that of its x.

    Raises
    ------
    LinearProgramError
        HiGHS found no optimum.
    """
    products, place = np.unique(products, axis=0, return_inverse=True)
    weights = np.bincount(place.ravel(), weights).astype(np.float64)
    products = products[weights != 0.0]
    weights = weights[weights != 0.0]
    size = game.first[-1]
    total = game.first[-1] + len(weights)
    rows, low, high = SparseRows(), list[float](), list[float]()

    def constrain(entries: Iterable[tuple[int, float]], lower: float, upper: float) -> None:
        rows.add(entries)
        low.append(lower)
        high.append(upper)

    for i, infoset in enumerate(game.infosets):
        if infoset.player in players:
            constrain([*((s, 1.0) for s in game.sequences(i)), (game.parent[i], -1.0)], 0.0, 0.0)
    for y, (sequences, weight) in enumerate(
        zip(products.tolist(), weights.tolist(), strict=True), size
    ):
        factors = {s for s in sequences if s}
        if weight > 0.0:
            for s in factors:
                constrain([(y, 1.0), (s, -1.0)], -np.inf, 0.0)
        else:
            constrain([(y, 1.0), *((s, -1.0) for s in factors)], 1.0 - len(factors), np.inf)
    integral = np.arange(total) < size
    upper_bound = np.concatenate(
        [[True], np.isin(game.owner[1:], list(players)), np.ones(len(weights), bool)]
    )
    if len(weights):
        scale = _LARGEST_WEIGHT / float(np.abs(weights).max(initial=0.0))
    else:
        scale = 1.0
    result = milp(
        -np.concatenate([np.zeros(size), weights * scale]),
        constraints=LinearConstraint(rows.array(total), low, high),
        integrality=integral,
        bounds=Bounds(np.arange(total) == 0, upper_bound),
        options={"mip_rel_gap": 0.0},
    )
    if result.x is None:
        raise LinearProgramError(
            f"{game.name}: the programme of the best plan was not solved ({result.message})."
        )
    plan = frozenset(np.flatnonzero(result.x[:size] > 0.5).tolist()) | {0}
    return float(weights[holds_products(plan, products)].sum()), plan
