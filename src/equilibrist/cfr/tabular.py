"""Tabular CFR: what all solvers have in common that keep a number a slot of a compiled game in tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from ..strategy.strategy import Strategy
from .algorithms import Algorithm
from .solver import InfosetState, Solver
from .update_rule import rounding_of_regrets

SUM_TOLERANCE = 1e-5
"""Of probabilities that are stored in float32."""

PRECISIONS = ("float64", "float32", "int16")
"""How the tables can be stored; in 16 bits on card forms alone."""

STATE = ("strategy", "regret_sum", "strategy_sum")
"""Names of the tables of a number a slot that continue a run; the rest follows from them."""


def check_tables(state: dict[str, NDArray[Any]], expected: dict[str, NDArray[Any]]) -> None:
    """Refuse arrays that have other names, shapes or types than those of a run, or numbers that no run has.

    Raises
    ------
    ValueError
        They do.
    """
    shapes = {name: (array.shape, array.dtype) for name, array in expected.items()}
    if {name: (array.shape, array.dtype) for name, array in state.items()} != shapes:
        raise ValueError("other names, shapes or types")
    for name, array in state.items():
        if not np.isfinite(array).all():
            raise ValueError(f"{name!r} is not finite")
        if name in ("strategy", "strategy_sum", "iteration") and (array < 0).any():
            raise ValueError(f"{name!r} is below 0")


class TabularCFR(Solver):
    """CFR on a compiled game with tables of a number a slot: what they are, what they hold, saving and loading them.

    Parameters
    ----------
    form : CompiledGame
        The game.
    algorithm : Algorithm
        The variant of CFR.
    alternating : bool
        Whether each player updates against the others' newest strategies, rather than all at once against the old.
    horizon : int, optional
        The planned number of iterations, for algorithms that are schedules.
    threads : int
        How many threads work; changes nothing in the result.
    precision : str
        How the tables are stored, one of the form's ``precisions``; all arithmetic is in float64.
    """

    form: CompiledGame

    def __init__(
        self,
        form: CompiledGame,
        algorithm: Algorithm,
        *,
        alternating: bool = True,
        horizon: int | None = None,
        threads: int = 1,
        precision: str = "float64",
    ) -> None:
        self.form = form
        self.algorithm = algorithm
        self.alternating = alternating
        self.horizon = horizon
        self.threads = threads
        self.precision = precision
        self._iteration = 0

    @property
    def game_name(self) -> str:
        """Name of the game."""
        return self.form.name

    @property
    def players(self) -> int:
        """Number of players."""
        return self.form.players

    @property
    def fingerprint(self) -> str:
        """A digest of the game: the same text means the same infosets, actions and payoffs."""
        return self.form.fingerprint

    @property
    def iteration(self) -> int:
        """Number of iterations run."""
        return self._iteration

    @property
    def nodes_touched(self) -> int:
        """Number of histories touched (:attr:`Solver.nodes_touched`): all, once for each player at each iteration."""
        return self.iteration * self._nodes_per_iteration

    @property
    def _nodes_per_iteration(self) -> int:
        return self.form.players * self.form.histories

    def _iterations_left(self, iterations: int) -> int:
        """Return that many iterations, or as many as there are until ``max_nodes`` are touched."""
        return max(0, min(iterations, -(-self.max_nodes // self._nodes_per_iteration) - self.iteration))

    @property
    @abstractmethod
    def tables(self) -> dict[str, NDArray[Any]]:
        """The arrays of a number a slot that continue a run, by name: at least those of :data:`STATE`."""

    @property
    def constants(self) -> tuple[float, float, float]:
        """What of the update rule is the same in all iterations: ``predict``, ``floor`` and ``rounding``."""
        floor = 0.0 if self.algorithm.floor else -np.inf
        return float(self.algorithm.predict), floor, rounding_of_regrets(self.form.largest_payoff)

    def average_strategy(self) -> Floats:
        """Return the average strategy: probabilities at the slots of the form (elsewhere they mean nothing)."""
        return self.form.average_from_sums(self.average_weights())

    def strategy(self) -> Strategy:
        """Return the average strategy by infoset."""
        return Strategy.from_form(self.form, self.average_strategy())

    def average_weights(self) -> NDArray[Any]:
        """Return the sums of the average strategy at the slots of the form, of which each infoset plays its shares."""
        return self.tables["strategy_sum"]

    def infosets(self) -> Sequence[Infoset]:
        """Return the infosets that the tables hold: all of the form."""
        return self.form.infosets

    def action_slots(self) -> NDArray[Any]:
        """Return the slot in this solver's tables of each action of each infoset of the form."""
        return self.form.slot

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        """Return the current strategy, which the next iteration plays, at some slots of the tables."""
        return self.tables["strategy"][slots].astype(np.float64)

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        """Return current strategy, regret sums and average sums of some infosets, as :meth:`Solver.state_at`."""
        return InfosetState(*(self.tables[name][slots].astype(np.float64) for name in STATE))

    def plays_probabilities(self) -> bool:
        """Return whether the current strategy sums to 1 at each infoset: not after a table was tampered with."""
        if self.form.num_infosets == 0:
            return True
        first = offsets(self.form.infosets.num_actions)[:-1]
        totals = np.add.reduceat(self.strategy_at(np.asarray(self.action_slots(), np.int64)), first)
        return bool((np.abs(totals - 1) <= SUM_TOLERANCE).all())

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that continue the run bit for bit, not copied."""
        return {**self.tables, "iteration": np.array(self.iteration, np.int64)}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`state_dict` returned.

        Raises
        ------
        SolutionError
            The arrays are not those of such a run.
        """
        self.check_state(state)
        for name, table in self.tables.items():
            table[:] = state[name]
        self._iteration = int(state["iteration"])

    def check_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Refuse arrays that are not those of :meth:`state_dict`.

        Raises
        ------
        SolutionError
            They have other shapes or types, or numbers that cannot be.
        """
        try:
            check_tables(state, self.state_dict())
        except ValueError as error:
            raise SolutionError(
                f"The saved run holds other arrays than a run on {self.form.name} does ({error}). Start afresh."
            ) from None

    def describe(self) -> dict[str, str | int | float | bool | None]:
        """Return what decides the result beside the game, as plain values by name."""
        return {
            "algorithm": self.algorithm.name,
            "sampling": "full",
            "seed": None,
            "precision": self.precision,
            "alternating": self.alternating,
            "horizon": self.horizon,
        }
