"""Full-width CFR: every iteration visits the whole game, for every algorithm of :mod:`equilibrist.cfr.algorithms`."""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser
from .regret_matching import REGRET_MATCHING
from .storage import check_payoffs, last_iteration, possible_precisions, stored_precision
from .tabular import STATE, TabularCFR

_CHUNK = 4096  # iterations whose scalars are computed at a time
_AHEAD = 64  # the least: to compute those of one takes as long as an iteration of a small game


@lru_cache(64)  # the games of a list need the same
def _make_steps(algorithm: Algorithm, first: int, count: int, horizon: int | None) -> Steps:
    return algorithm.steps(first, count, horizon=horizon)


class FullWidthCFR(TabularCFR):
    """Full-width CFR, by kernels that are given the rules of many iterations; ``minimiser`` makes the next strategy."""

    _planned: tuple[int, Steps] | None = None  # the first iteration, and scalars from there on

    def __init__(
        self,
        form: CompiledGame,
        algorithm: Algorithm,
        *,
        minimiser: LocalMinimiser = REGRET_MATCHING,
        **options: Any,
    ) -> None:
        super().__init__(form, algorithm, **options)
        check_payoffs(self.precision, form.largest_payoff, form.name)
        self.minimiser = minimiser

    @abstractmethod
    def _make_tables(self) -> None:
        """Make tables of zeros, stored as ``stored`` says."""

    def _float_tables(self) -> dict[str, NDArray[Any]]:
        """Return what the tables hold, as floating-point numbers by name."""
        return self.tables

    @property
    def serves_until(self) -> int:
        return last_iteration(self.stored, self.algorithm)

    @property
    def finer(self) -> str | None:
        needed = stored_precision(self.iteration + 1, self.stored, self.algorithm)
        if needed == self.stored:
            return None
        return needed

    def refine_tables(self) -> None:
        finer = self.finer
        if finer is not None:
            numbers = self._float_tables()
            self.store_in(finer)
            self._fill_tables(numbers)

    def store_in(self, precision: str) -> None:
        """Make tables of zeros in a precision."""
        self.stored = precision
        self._make_tables()

    def _fill_tables(self, numbers: dict[str, NDArray[Any]]) -> None:
        for name, table in self.tables.items():
            table[:] = numbers[name]

    @classmethod
    def bytes_per_slot(cls, algorithm: Algorithm, precision: str, *, locked: bool = False) -> float:
        """Return how many bytes a solver with these settings keeps for each slot of the form, which may have locks."""
        return len(STATE) * np.dtype(precision).itemsize

    def run(self, iterations: int) -> None:
        iterations = self._iterations_left(iterations)
        while iterations > 0:
            self.refine_tables()
            count = min(
                _CHUNK,
                iterations,
                self.serves_until - self.iteration,
                self.minimiser.steady(self.iteration),
            )
            steps = self._steps(count)
            rules = self.minimiser.rules(self.algorithm, steps, self._regret_rounding)
            self._iterate(rules, steps.discount_average)
            self._iteration += count
            iterations -= count
            if self.minimiser.steady(self.iteration) <= 0:
                self.minimiser.adapt(self)

    def _steps(self, count: int) -> Steps:
        first = self.iteration + 1
        begin, steps = self._planned or (first, None)
        at = first - begin
        if steps is None or at < 0 or at + count > len(steps.discount_average):
            # no schedule goes on after its end
            if self.horizon is None:
                number = max(count, _AHEAD)
            else:
                number = count
            at = 0
            steps = _make_steps(self.algorithm, first, number, self.horizon)
            self._planned = first, steps
        return Steps(*(scalars[at : at + count] for scalars in steps))

    def follow_strategy(self, player: int) -> None:
        """Fill what follows from a player's strategy in the tables, in place, after it has been changed there."""

    @property
    def pass_arguments(self) -> tuple[Any, Any, Floats, Floats] | None:
        """The treeplex, payoff, reach and values of the passes of a sequence form, where these make an iteration."""
        return None

    @abstractmethod
    def responses(self, rules: Any) -> NDArray[Any]:
        """Return what all infosets would play next if all were updated at once, at the slots; nothing changes."""

    def state_dict(self) -> dict[str, NDArray[Any]]:
        state = super().state_dict()
        return state | ({"minimiser": self.minimiser.state} if len(self.minimiser.state) else {})

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        saved = saved_precision(state)
        possible = possible_precisions(saved_iteration(state), self.precision, self.algorithm)
        if saved != self.stored and saved in possible:
            self.store_in(saved)
        super().load_state(state)
        if len(self.minimiser.state):
            self.minimiser.state[:] = state["minimiser"]

    @abstractmethod
    def _iterate(self, rules: Any, average_discounts: Floats) -> None:
        """Run the iterations with these rules of the minimiser and discounts of the sums of the average."""


def saved_precision(state: dict[str, NDArray[Any]]) -> str:
    """Return how the tables of a saved run are stored; an empty text where they are missing."""
    sums = state.get("strategy_sum")
    if sums is None:
        return ""
    return sums.dtype.name


def saved_iteration(state: dict[str, NDArray[Any]]) -> int:
    """Return the iteration of a saved run; 0 where it tells none, which :meth:`TabularCFR.check_state` refuses."""
    iteration = state.get("iteration")
    if iteration is None or iteration.shape != () or iteration.dtype.kind not in "iu":
        return 0
    return int(iteration)
