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
from . import update
from .table import InfosetTable

_CHEAP = 1 << 17
_CHEAP_IN_PYTHON = 1 << 7
"""Histories of a certificate that is computed at each checkpoint: 10 ms of compiled rules, 1 ms of rules in Python."""
WALKED_PER_SAMPLED = 2.5
INLINED_PER_SAMPLED = 24.0
"""Histories that are counted as one that is sampled, as they are walked in about its time: 1 to 6 where rules are
called, by game and by how much of it play has ruled out (``python -m benchmarks.walk --schedule``); where rules are
inlined 31 to 45 ns (``python -m benchmarks.walk``), against some 1,000 with the tables of such large games."""
_CERTIFIED_AT = "certified_at"


class TableSolver(Solver):
    """Solver of a table: what the table says of the game, its strategies, and their values."""

    table: InfosetTable

    @abstractmethod
    def average_sums(self) -> Floats:
        """Return the sum of the average strategy of each slot of the table, with all that is pending."""

    @property
    def _game(self) -> Any:
        if self.form is None:
            return self.table
        return self.form

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
    def certificate_nodes(self) -> float:
        if self.table.certificate is None:
            return 0.0
        histories = self.table.certificate.histories
        walked = histories * self.players
        cheap = _CHEAP_IN_PYTHON if self.table.interpreted else _CHEAP
        if walked <= cheap:
            return 0.0
        return walked / self._walked_per_node(histories)

    def _walked_per_node(self, histories: float) -> float:
        """Return how many histories of a game with so many a certificate walks in the time that an iteration takes for
        one that it touches.
        """
        if histories > LEAST_INLINED:
            return INLINED_PER_SAMPLED
        return WALKED_PER_SAMPLED

    def _schedule_state(self) -> dict[str, NDArray[np.int64]]:
        """Return what decides when the next certificate is due, as an array of the state."""
        if self.form is not None:
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
        others = dict(state)
        is_saved = _CERTIFIED_AT in state
        saved = others.pop(_CERTIFIED_AT, np.zeros(1, np.int64))
        if (
            (is_saved and self.form is not None)
            or saved.dtype != np.int64
            or saved.shape != (1,)
            or saved[0] < 0
        ):
            raise ValueError(_CERTIFIED_AT)
        self.certified_at = int(saved[0])
        return others

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
