"""Linear programmes over correlated plans: by the polytope of two players without chance, else by columns of plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult, linprog
from scipy.sparse import coo_array, csr_array

from .._util.arrays import Floats
from ..errors import LinearProgramError
from .deviations import Constraints
from .plans import Product, SequenceGame, best_plans, good_plans

_IMPROVES = 1e-9
_MOST_COLUMNS = 5000
_STARTS = 30  # of the search for plans that enter


class CorrelatedPlan(NamedTuple):
    """The probability of each product, and the joint plans that are drawn where they are known."""

    probability: Callable[[Product], float]
    plans: list[tuple[float, frozenset[int]]]


class _Matrix:
    """A sparse matrix that is written row by row."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []
        self.height = 0

    def add(self, entries: Mapping[int, float]) -> None:
        self.rows += [self.height] * len(entries)
        self.columns += entries.keys()
        self.values += entries.values()
        self.height += 1

    def array(self, width: int) -> csr_array:
        return csr_array(coo_array((self.values, (self.rows, self.columns)), shape=(self.height, width)))


def solve_polytope(game: SequenceGame, constraints: Constraints, objective: Mapping[Product, float]) -> CorrelatedPlan:
    """Return the correlated plan of two players without chance that has the largest objective.

    Its variables are the probabilities of pairs of sequences that one play can hold; that they flow from parents to
    children, for each sequence of the other, is then enough for them to come from plans.

    References
    ----------
    von Stengel & Forges 2008, theorem 3.
    """
    number: dict[Product, int] = {}
    flows = _Matrix()
    flows.add({number.setdefault((0, 0), 0): 1.0})
    sides: list[dict[int, list[int]]] = [{}, {}]
    for first, second in game.connected or ():
        sides[0].setdefault(first, []).append(second)
        sides[1].setdefault(second, []).append(first)
    for i, infoset in enumerate(game.infosets):
        others = (s for j in sides[infoset.player].get(i, ()) for s in game.sequences(j))
        for other in (0, *others):
            pairs = [(s, other) if infoset.player == 0 else (other, s) for s in (game.parent[i], *game.sequences(i))]
            before, *after = [number.setdefault(pair, len(number)) for pair in pairs]
            flows.add({**dict.fromkeys(after, 1.0), before: -1.0})
    upper, size = _Matrix(), len(number)
    for products, variables in constraints.rows:
        upper.add({**{number[key]: c for key, c in products.items()}, **{size + v: c for v, c in variables.items()}})
    width = size + constraints.variables
    cost = np.zeros(width)
    for key, coefficient in objective.items():
        cost[number[key]] = -coefficient
    right = np.eye(1, flows.height)[0]
    bounds = [(0, None)] * size + [(None, None)] * constraints.variables
    result = linprog(
        cost, upper.array(width), np.zeros(upper.height), flows.array(width), right, bounds, method="highs"
    )
    _check(game, result)
    probabilities = np.maximum(result.x[:size], 0.0)
    return CorrelatedPlan(lambda key: float(probabilities[number[key]]), [])


def solve_columns(game: SequenceGame, constraints: Constraints, objective: Mapping[Product, float]) -> CorrelatedPlan:
    """Return the distribution over joint pure plans that has the largest objective, by column generation.

    A plan enters where the duals of the rows say that it improves the optimum of those that are there: one that no
    player alone improves, and where none of these enters, the best of all, by a mixed-integer programme. In a first
    phase the objective is what deviations still gain.
    """
    everybody = range(game.players)
    plans = [best_plans(game, objective, everybody)[1]]
    for first_phase in (True, False):
        while True:
            master = _Master(game, constraints, objective, plans, first_phase)
            if first_phase and master.value >= -_IMPROVES:
                break
            prices, least = master.prices(), master.share_price + _IMPROVES
            local = {
                plan
                for start in plans[-_STARTS:]
                for price, plan in [good_plans(game, prices, everybody, start)]
                if price > least
            }
            new = [plan for plan in local if plan not in plans]
            if not new:
                price, plan = best_plans(game, prices, everybody)
                if price <= least or plan in plans:
                    break
                new = [plan]
            plans += new
            if len(plans) > _MOST_COLUMNS:
                raise LinearProgramError(f"{game.name}: no optimum within {_MOST_COLUMNS:,} joint plans.")
        if first_phase and master.value < -1e-6:
            raise LinearProgramError(f"{game.name}: the programme found no equilibrium; a deviation still gains.")
    mixed = [(float(share), plan) for share, plan in zip(master.shares, plans, strict=True) if share > 1e-12]
    return CorrelatedPlan(lambda key: sum(share for share, plan in mixed if plan.issuperset(key)), mixed)


class _Master:
    """The linear programme over the joint plans that are known, and its duals."""

    def __init__(
        self,
        game: SequenceGame,
        constraints: Constraints,
        objective: Mapping[Product, float],
        plans: list[frozenset[int]],
        first_phase: bool,
    ) -> None:
        self.rows, self.objective = constraints.rows, {} if first_phase else objective
        slack = len(constraints.compares) if first_phase else 0
        width = len(plans) + constraints.variables + slack
        upper = _Matrix()
        for products, variables in self.rows:
            at_plans = {k: _held(products, plan) for k, plan in enumerate(plans)}
            upper.add({**at_plans, **{len(plans) + v: c for v, c in variables.items()}})
        if first_phase:
            upper.rows += constraints.compares
            upper.columns += range(width - slack, width)
            upper.values += [-1.0] * slack
        cost = np.zeros(width)
        cost[: len(plans)] = [-_held(self.objective, plan) for plan in plans]
        cost[width - slack :] = 1.0
        ones = csr_array(np.append(np.ones(len(plans)), np.zeros(width - len(plans)))[None])
        free = [(None, None)] * constraints.variables
        bounds = [(0, None)] * len(plans) + free + [(0, None)] * slack
        result = linprog(cost, upper.array(width), np.zeros(upper.height), ones, np.ones(1), bounds, method="highs")
        _check(game, result)
        self.value, self.shares = -float(result.fun), result.x[: len(plans)]
        self.duals: Floats = result.ineqlin.marginals
        self.share_price = -float(result.eqlin.marginals[0])

    def prices(self) -> dict[Product, float]:
        """Return what each product is worth to a plan: the objective, less what it does to the deviations."""
        worth = dict(self.objective)
        for row, dual in zip(self.rows, self.duals.tolist(), strict=True):
            if dual:
                for key, coefficient in row.products.items():
                    worth[key] = worth.get(key, 0.0) + dual * coefficient
        return worth


def _held(terms: Mapping[Product, float], plan: frozenset[int]) -> float:
    return sum(coefficient for key, coefficient in terms.items() if plan.issuperset(key))


def _check(game: SequenceGame, result: OptimizeResult) -> None:
    if result.status != 0:
        raise LinearProgramError(f"{game.name}: the programme was not solved ({str(result.message).rstrip('.')}).")
