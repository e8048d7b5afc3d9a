"""Tabular CFR: what all solvers have in common that keep a number a slot of a compiled game in tables."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..errors import AlgorithmError, SolutionError
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from ..form.responses import Values
from ..strategy.strategy import Strategy
from .algorithms import Algorithm
from .regret_matching import regret_rounding
from .solver import InfosetState, Solver

SUM_TOLERANCE = 1e-5
"""Of probabilities that are stored in float32."""

PRECISIONS = ("float64", "float32", "int16")
"""How the tables can be stored; in 16 bits on card forms alone."""

_WORDS = {"regret_sum": "The regret", "strategy_sum": "The average strategy"}
STATE = ("strategy", "regret_sum", "strategy_sum")
"""Names of the tables of a number a slot that continue a run; the rest follows from them."""
RULE_PREFIX = "rule_"
"""What the names of the arrays of a rule of one's own begin with where a run is saved."""

_ADDED_UP = ("regret_sum", "strategy_sum")
"""Tables in which a number that is not finite stays. One in the strategy is in the regrets an iteration later."""
_WIDE = np.dtype(np.float64)


def refuse_numbers(solver: Solver, name: str, table: NDArray[Any]) -> None:
    """Refuse a table in which an infoset has a number that is not finite; what is between infosets does not count."""
    first = 0
    slots = np.asarray(solver.action_slots(), np.int64)
    is_wrong = ~np.isfinite(table[slots])
    for infoset in solver.infosets() if is_wrong.any() else ():
        end = first + len(infoset.actions)
        if is_wrong[first:end].any():
            action = infoset.actions[int(np.argmax(is_wrong[first:end]))]
            number = table[slots[first + infoset.actions.index(action)]]
            raise AlgorithmError(
                f"{_WORDS[name]} of player {infoset.player} at {infoset.key!r} is {number} for "
                f"{action!r} after iteration {solver.iteration:,} on {solver.game_name}: nothing "
                "is certified, and the run ends. Payoffs that are too large, or a local "
                "minimiser that overflows, do this.",
                wrong_use=False,
            )
        first = end


def check_tables(state: dict[str, NDArray[Any]], expected: dict[str, NDArray[Any]]) -> None:
    """Refuse arrays that have other names, shapes or types than those of a run, or numbers that no run has."""
    shapes = {name: (array.shape, array.dtype) for name, array in expected.items()}
    if {name: (array.shape, array.dtype) for name, array in state.items()} != shapes:
        raise ValueError("other names, shapes or types")
    for name, array in state.items():
        if not holds_numbers(name, array):
            raise ValueError(f"{name!r} is not finite")
        if name in ("strategy", "strategy_sum", "iteration") and (array < 0).any():
            raise ValueError(f"{name!r} is below 0")


def holds_numbers(name: str, array: NDArray[Any]) -> bool:
    """Return whether a table of a run holds finite numbers, or the table of a rule of one's own any but NaN."""
    if name.startswith(RULE_PREFIX):
        return not bool(np.isnan(array).any())  # a rule may know an infinity, as the logarithm of 0
    return bool(np.isfinite(array).all())


def refuse_locks(form: CompiledGame) -> None:
    """Refuse a form with locks for a rule of one's own."""
    if len(form.locked_slots):
        raise AlgorithmError(
            f"{form.name} has locks, which a rule of one's own does not know. Leave one of "
            "them out.",
            field="rule",
        )


class TabularCFR(Solver):
    """CFR on a compiled game with tables of a number a slot: what they are, what they hold, saving and loading them.

    ``horizon`` is the planned number of iterations, for algorithms that are schedules; threads
    change nothing in the result; ``precision`` is how the tables are stored at first, one of the
    form's ``precisions``, and ``stored`` how they
    are now.
    """

    form: CompiledGame

    def __init__(
        self,
        form: CompiledGame,
        algorithm: Algorithm,
        *,
        horizon: int | None = None,
        threads: int = 1,
        precision: str = "float64",
    ) -> None:
        self.form = form
        self.algorithm = algorithm
        self.horizon = horizon
        self.threads = threads
        self.precision = precision
        self.stored = precision
        self._iteration = 0

    @property
    def iteration(self) -> int:
        return self._iteration

    @property
    def nodes_touched(self) -> int:
        return self.iteration * self._nodes_per_iteration

    @property
    def _nodes_per_iteration(self) -> int:
        return self.form.players * self.form.histories

    def _iterations_left(self, iterations: int) -> int:
        """Return that many iterations, or as many as there are until ``max_nodes`` are touched."""
        return max(
            0, min(iterations, -(-self.max_nodes // self._nodes_per_iteration) - self.iteration)
        )

    @property
    @abstractmethod
    def tables(self) -> dict[str, NDArray[Any]]:
        """The arrays of a number a slot that continue a run, by name: at least those of :data:`STATE`."""

    @property
    def _regret_rounding(self) -> float:
        return regret_rounding(self.form.largest_payoff)

    def values(self, *, within_floors: bool = False) -> Values:
        self.check_numbers()
        return self.form.values(
            self.average_weights(),
            weights=True,
            threads=self.threads,
            floors=self.floors_of_values(within_floors=within_floors),
        )

    def first_decision(self) -> dict[str, float]:
        return self.form.first_decision(self.average_weights())

    def describe_game(self) -> dict[str, Any]:
        return self.form.describe()

    def check_numbers(self) -> None:
        """Refuse tables with a number that is not finite, of which regret matching would make uniform play.

        Raises
        ------
        AlgorithmError
            There is one; the message names the infoset and the iteration.
        """
        tables = self.tables
        for name in _ADDED_UP:
            if name in tables:
                table = tables[name]
                # Of numbers that are not finite the sum is not, either. Integers of 16 bits always
                # are.
                if not math.isfinite(np.add.reduce(table, None, _WIDE)) and table.dtype.kind == "f":
                    refuse_numbers(self, name, table)

    def average_strategy(self) -> Floats:
        return self.form.average_from_sums(self.average_weights())

    def strategy(self) -> Strategy:
        return Strategy.from_form(self.form, self.average_strategy())

    def average_weights(self) -> NDArray[Any]:
        return self.tables["strategy_sum"]

    def infosets(self) -> Sequence[Infoset]:
        return self.form.infosets

    def action_slots(self) -> NDArray[Any]:
        return self.form.slot

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        return self.tables["strategy"][slots].astype(np.float64)

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        return InfosetState(*(self.tables[name][slots].astype(np.float64) for name in STATE))

    def plays_probabilities(self) -> bool:
        if self.form.num_infosets == 0:
            return True
        first = offsets(self.form.infosets.num_actions)[:-1]
        totals = np.add.reduceat(self.strategy_at(np.asarray(self.action_slots(), np.int64)), first)
        return bool((np.abs(totals - 1) <= SUM_TOLERANCE).all())

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return {**self.tables, "iteration": np.array(self.iteration, np.int64)}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        self.check_state(state)
        for name, table in self.tables.items():
            table[:] = state[name]
        self._iteration = int(state["iteration"])

    def check_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Refuse arrays that are not those of :meth:`state_dict`."""
        try:
            check_tables(state, self.state_dict())
        except ValueError as error:
            raise SolutionError(
                f"The saved run holds other arrays than a run on {self.form.name} does "
                f"({error}). Start afresh."
            ) from None

    def describe(self) -> dict[str, str | int | float | bool | None]:
        return {
            "algorithm": self.algorithm.name,
            "sampling": "full",
            "seed": None,
            "precision": self.precision,
            "alternating": self.alternating,
            "horizon": self.horizon,
        }
