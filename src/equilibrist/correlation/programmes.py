"""Linear programmes over correlated plans: by the polytope of two players without chance, else by columns of plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult, linprog
from scipy.sparse import csr_array, eye_array, hstack

from .._util.arrays import Floats
from ..errors import LinearProgramError
from .deviations import Constraints
from .plans import (
    Plan,
    Product,
    Say,
    SequenceGame,
    SparseRows,
    Terms,
    find_best_plans,
    holds_products,
    improve_plans,
)

_IMPROVES = 1e-9
_MOST_COLUMNS = 5000
_STARTS = 30  # of the search for plans that enter


class CorrelatedPlan(NamedTuple):
    """The probability of each product, and the joint plans that are drawn where they are known."""

    probability: Callable[[Product], float]
    plans: list[tuple[float, Plan]]


def solve_programme(name: str, cost: Floats, *programme: Any) -> OptimizeResult:
    """Return the optimum of a linear programme, given as for scipy's ``linprog``."""
    result = linprog(cost, *programme, method="highs")
    if result.status != 0:
        raise LinearProgramError(
            f"{name}: the programme was not solved ({str(result.message).rstrip('.')})."
        )
    return result


def _coefficient_rows(
    constraints: Constraints, objective: Terms, number: Mapping[Product, int]
) -> tuple[csr_array, csr_array, Floats]:
    """Return the rows at products, which are numbered, and at the values of infosets, and the objective at products."""
    upper = SparseRows()
    objective_row = SparseRows()
    for products, later, value in constraints.rows:
        values = [*((v, 1.0) for v in later), *([] if value is None else [(value, -1.0)])]
        upper.add(
            [*((number[key], c) for key, c in products), *((len(number) + v, c) for v, c in values)]
        )
    objective_row.add((number[key], c) for key, c in objective)
    rows = upper.array(len(number) + constraints.variables)
    return (
        rows[:, : len(number)],
        rows[:, len(number) :],
        objective_row.array(len(number)).toarray()[0],
    )


def solve_polytope(
    game: SequenceGame, constraints: Constraints, objective: Terms, say: Say = lambda text: None
) -> CorrelatedPlan:
    """Return the correlated plan of two players without chance that has the largest objective.

    Its variables are the probabilities of pairs of sequences that one play can hold; that they flow
    from parents to children, for each sequence of the other, is then enough for them to come from
    plans.

    References
    ----------
    von Stengel & Forges 2008, theorem 3.
    """
    number: dict[Product, int] = {(0, 0): 0}
    flows = SparseRows()
    flows.add([(0, 1.0)])
    for i, infoset in enumerate(game.infosets):
        for other in (0, *(s for j in sorted(game.beside[i]) for s in game.sequences(j))):
            pairs = [
                (s, other) if infoset.player == 0 else (other, s)
                for s in (game.parent[i], *game.sequences(i))
            ]
            first_pair, *next_pairs = [number.setdefault(pair, len(number)) for pair in pairs]
            flows.add([(first_pair, -1.0), *((pair, 1.0) for pair in next_pairs)])
    at_products, at_values, worth = _coefficient_rows(constraints, objective, number)
    upper = hstack([at_products, at_values])
    equal = flows.array(len(number) + constraints.variables)
    cost = np.append(-worth, np.zeros(constraints.variables))
    right = np.eye(1, flows.height)[0]
    bounds = [(0, None)] * len(number) + [(None, None)] * constraints.variables
    say(
        f"Solving the linear programme: {upper.shape[0] + flows.height:,} rows × {len(cost):,} "
        "columns"
    )
    result = solve_programme(game.name, cost, upper, np.zeros(upper.shape[0]), equal, right, bounds)
    probabilities = np.maximum(result.x, 0.0)
    return CorrelatedPlan(lambda key: float(probabilities[number[key]]), [])


def solve_columns(
    game: SequenceGame, constraints: Constraints, objective: Terms, say: Say = lambda text: None
) -> CorrelatedPlan:
    """Return the distribution over joint pure plans that has the largest objective, by column generation.

    A plan enters where the duals of the rows say that it improves the optimum of those that are
    there: one that no player alone improves, and where none of these enters, the best of all, by a
    mixed-integer programme. In a first phase the objective is what deviations still gain.
    """
    everybody = range(game.players)
    master = _Master(game, constraints, objective)
    master.add(find_best_plans(game, master.products, master.worth, everybody)[1])
    for first_phase in (True, False):
        while True:
            value, shares, prices, least = master.optimum(first_phase)
            if first_phase:
                reached = f"deviations gain {-value:.3g} in total"
            else:
                reached = f"the objective is {value + 0.0:.6g}"
            say(
                f"Solving the linear programme: {len(constraints.rows):,} rows, "
                f"{len(master.plans):,} plans, {reached}"
            )
            if first_phase and value >= -_IMPROVES:
                break
            priced = [
                improve_plans(game, master.products, prices, everybody, start)
                for start in master.plans[-_STARTS:]
            ]
            new = {plan for price, plan in priced if price > least}.difference(master.plans)
            if not new:
                price, plan = find_best_plans(game, master.products, prices, everybody)
                if price <= least or plan in master.plans:
                    break
                new = {plan}
            for plan in new:
                master.add(plan)
            if len(master.plans) > _MOST_COLUMNS:
                raise LinearProgramError(
                    f"{game.name}: no optimum within {_MOST_COLUMNS:,} joint plans."
                )
        if first_phase and value < -1e-6:
            raise LinearProgramError(
                f"{game.name}: the programme found no equilibrium; a deviation still gains."
            )
    mixed = [
        (share, plan)
        for share, plan in zip(shares.tolist(), master.plans, strict=True)
        if share > 1e-12
    ]
    return CorrelatedPlan(
        lambda key: sum(share for share, plan in mixed if plan.issuperset(key)), mixed
    )


class _Master:
    """The linear programme over the joint plans that are known, with a column for each."""

    def __init__(self, game: SequenceGame, constraints: Constraints, objective: Terms) -> None:
        keys = sorted(
            {key for row in constraints.rows for key, _ in row.products}
            | {key for key, _ in objective}
        )
        number = {key: k for k, key in enumerate(keys)}
        self.game = game
        self.products = np.array(keys)
        self.at_products, self.at_values, self.worth = _coefficient_rows(
            constraints, objective, number
        )
        compares = np.array([row.value is None for row in constraints.rows])
        self.slack = -eye_array(len(compares), format="csr")[:, compares]
        self.plans: list[Plan] = []
        self.columns: list[Floats] = []
        self.worths: list[float] = []

    def add(self, plan: Plan) -> None:
        held = holds_products(plan, self.products).astype(float)
        self.plans.append(plan)
        self.columns.append(self.at_products @ held)
        self.worths.append(float(self.worth @ held))

    def optimum(self, first_phase: bool) -> tuple[float, Floats, Floats, float]:
        """Return the optimum, the shares of plans, what each product adds to it, and what a plan that enters exceeds.

        In the first phase deviations may gain, and the least sum of what they gain is the optimum,
        after a minus.
        """
        plans = len(self.plans)
        values = self.at_values.shape[1]
        slack = self.slack if first_phase else self.slack[:, :0]
        upper = hstack([csr_array(np.column_stack(self.columns)), self.at_values, slack])
        worths, worth = (
            (np.zeros(plans), 0 * self.worth) if first_phase else (self.worths, self.worth)
        )
        cost = np.concatenate([np.negative(worths), np.zeros(values), np.ones(slack.shape[1])])
        ones = csr_array((np.arange(len(cost)) < plans).astype(float)[None])
        bounds = [(0, None)] * plans + [(None, None)] * values + [(0, None)] * slack.shape[1]
        result = solve_programme(
            self.game.name, cost, upper, np.zeros(upper.shape[0]), ones, np.ones(1), bounds
        )
        prices = worth + result.ineqlin.marginals @ self.at_products
        return (
            -float(result.fun),
            result.x[:plans],
            prices,
            _IMPROVES - float(result.eqlin.marginals[0]),
        )
