"""What solvers have in common whose numbers stand in a table of infosets, of a game that is compiled or not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..cfr.solver import Solver
from ..cfr.tabular import refuse_numbers
from ..form.infosets import Infoset
from ..form.responses import Values
from ..strategy.strategy import Strategy
from . import update
from .table import InfosetTable


class TableSolver(Solver):
    """Solver of a table: what the table says of the game, its strategies, and their values."""

    table: InfosetTable

    @abstractmethod
    def average_sums(self) -> Floats:
        """Return the sum of the average strategy of each slot of the table, with all that is pending."""

    @property
    def _game(self) -> Any:
        return self.table if self.form is None else self.form

    def average_strategy(self) -> Floats:
        if self.form is None:
            raise ValueError("The game is not compiled: ask for strategy().")
        return self.form.average_from_sums(self.average_weights())

    def average_weights(self) -> Floats:
        if self.form is None:
            raise ValueError("The game is not compiled: ask for average_sums().")
        weights = np.zeros(self.form.length)
        weights[self.form.slot] = self.average_sums()[self.players :]
        return weights

    def strategy(self) -> Strategy:
        if self.form is not None:
            return Strategy.from_form(self.form, self.average_strategy())
        first, count = self.table.shape()
        probabilities = np.zeros(self.table.used)
        update.normalise(first, count, self.average_sums(), probabilities)
        return Strategy(self.table.infosets(), probabilities[self.players :])

    @property
    def certifies(self) -> bool:
        return self.form is not None or self.table.certificate is not None

    @property
    def certificate_seconds(self) -> float:
        return 0.0 if self.table.certificate is None else self.table.certificate.seconds

    def values(self, *, within_floors: bool = False) -> Values:
        """As :meth:`Solver.values`, and of a game that is not compiled by walks; infosets not met are played uniformly.

        Raises
        ------
        WalkStoppedError
            ``should_stop`` returned True in the middle of a walk.
        """
        for name in ("regret_sum", "strategy_sum"):
            table = getattr(self.table.slots, name)[: self.table.used]
            if not np.isfinite(table.sum()):
                refuse_numbers(self, name, table)
        if self.form is not None:
            return super().values(within_floors=within_floors)
        return self.table.values(self.average_sums(), should_stop=self.should_stop)

    def infosets(self) -> Sequence[Infoset]:
        return self.table.infosets()

    def action_slots(self) -> NDArray[np.int64]:
        return np.arange(self.players, self.table.used)

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        return self.table.slots.strategy[slots]
