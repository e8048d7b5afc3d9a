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
from ..form.walk.walk import LEAST_INLINED
from ..strategy.strategy import Strategy
from .table import InfosetTable

WALKED_PER_SAMPLED = 2.5
INLINED_PER_SAMPLED = 24.0
"""Histories that are counted as one that is sampled, as they are walked in about its time: 1 to 6 where rules are
called, by game and by how much of it play has ruled out (``python -m benchmarks.walk --schedule``);
where rules are inlined 31 to 45 ns (``python -m benchmarks.walk``), against some 1,000 with the
tables of such large games."""
_CERTIFIED_AT = "certified_at"


class TableSolver(Solver):
    """Solver of a table: what the table says of the game, its strategies, and their values."""

    table: InfosetTable

    @abstractmethod
    def average_sums(self) -> Floats:
        """Return the sum of the average strategy of each slot of the table, with all that is pending."""

    def average_strategy(self) -> Floats:
        return self.table.average(self.average_sums())

    def average_weights(self) -> Floats:
        return self.table.weights(self.average_sums())

    def strategy(self) -> Strategy:
        return self.table.strategy(self.average_sums())

    def first_decision(self) -> dict[str, float]:
        return self.table.first_decision(self.average_sums)

    def describe_game(self) -> dict[str, Any]:
        return self.table.describe_game()

    @property
    def certifies(self) -> bool:
        return self.table.certifies

    @property
    def certificate_nodes(self) -> float:
        histories = self.table.walked_histories
        if not histories:
            return 0.0
        return histories * self.players / self._histories_per_node(histories)

    def _histories_per_node(self, histories: float) -> float:
        """Return how many histories of a game with so many a certificate walks in the time that an iteration takes for
        one that it touches.
        """
        if histories > LEAST_INLINED:
            return INLINED_PER_SAMPLED
        return WALKED_PER_SAMPLED

    def _schedule_state(self) -> dict[str, NDArray[np.int64]]:
        """Return what decides when the next certificate is due, as an array of the state."""
        if not self.form.certificate_is_walked:
            return {}
        return {_CERTIFIED_AT: np.array([self.certified_at], np.int64)}

    def _load_schedule(self, state: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Take over what :meth:`_schedule_state` returned; return the other arrays.

        States of earlier versions lack it, and go on as if there had been no certificate yet.

        Raises
        ------
        ValueError
            It is not what it was.
        """
        other_arrays = dict(state)
        is_saved = _CERTIFIED_AT in state
        saved = other_arrays.pop(_CERTIFIED_AT, np.zeros(1, np.int64))
        if (
            (is_saved and not self.form.certificate_is_walked)
            or saved.dtype != np.int64
            or saved.shape != (1,)
            or saved[0] < 0
        ):
            raise ValueError(_CERTIFIED_AT)
        self.certified_at = int(saved[0])
        return other_arrays

    def values(self, *, within_floors: bool = False) -> Values:
        """As :meth:`Solver.values`; a game that is walked plays uniformly at infosets that were not met.

        Raises
        ------
        WalkStoppedError
            ``should_stop`` returned True in the middle of a walk.
        """
        for name in ("regret_sum", "strategy_sum"):
            table = getattr(self.table.slots, name)[: self.table.used]
            if not np.isfinite(table.sum()):
                refuse_numbers(self, name, table)
        return self.table.values(
            self.average_sums(),
            threads=self.threads,
            floors=self.floors_of_values(within_floors=within_floors),
            should_stop=self.should_stop,
        )

    def infosets(self) -> Sequence[Infoset]:
        return self.table.infosets()

    def action_slots(self) -> NDArray[np.int64]:
        return np.arange(self.players, self.table.used)

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        return self.table.slots.strategy[slots]
