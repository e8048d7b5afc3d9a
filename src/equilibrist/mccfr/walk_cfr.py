"""Full-width CFR without a tree: each pass walks the whole game, and tables by infoset are all that is stored."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..cfr.algorithms import Algorithm
from ..cfr.minimiser import LocalMinimiser
from ..cfr.regret_matching import REGRET_MATCHING, regret_rounding
from ..cfr.solver import InfosetState
from ..cfr.tabular import STATE, check_tables
from ..cfr.walk_kernels import update_player
from ..errors import SolutionError
from ..form.walk.walk import WalkStoppedError
from .table_solver import TableSolver
from .table_walked import WalkedTable


class WalkCFR(TableSolver):
    """Full-width CFR on the table of a game that is walked, whose infosets have been entered.

    The result is the same, bit for bit, for every number of threads, and whether the run is stopped
    in between or not.
    """

    def __init__(
        self,
        table: WalkedTable,
        algorithm: Algorithm,
        *,
        horizon: int | None = None,
        threads: int = 1,
        minimiser: LocalMinimiser = REGRET_MATCHING,
    ) -> None:
        self.table: WalkedTable = table
        self.form = table.form
        self.algorithm = algorithm
        self.horizon = horizon
        self.threads = threads
        self.minimiser = minimiser
        # Iterations, and players who have had their turn in the next one.
        self._place = np.zeros(2, np.int64)
        first, count = table.shape()
        ends = [0, *table.last_infoset]
        self._infosets = [
            (first[begin:end], count[begin:end], table.slots.parent_slot)
            for begin, end in pairwise(ends)
        ]

    @property
    def iteration(self) -> int:
        return int(self._place[0])

    @property
    def nodes_touched(self) -> int:
        return int(self._place[0] * self.players + self._place[1]) * self.table.sizes.histories

    @property
    def table_bytes(self) -> int:
        return self.table.nbytes

    def run(self, iterations: int) -> None:
        """As :meth:`Solver.run`; after ``should_stop`` all is as it was after the last whole turn of a player."""
        target = self.iteration + iterations
        while self.iteration < target and (
            self._place[1] > 0 or self.nodes_touched < self.max_nodes
        ):
            try:
                self._iterate()
            except WalkStoppedError:
                return

    def _iterate(self) -> None:
        """Run what is left of an iteration: the players whose turn is still to come."""
        steps = self.algorithm.steps(self.iteration + 1, 1, horizon=self.horizon)
        rules = self.minimiser.rules(
            self.algorithm, steps, regret_rounding(self.table.largest_payoff)
        )
        discount = float(steps.discount_average[0])
        players = range(int(self._place[1]), self.players)
        for player in players:
            self._fill_values(player)
            if self.alternating:
                self._update(player, rules, discount)
                self._place[1] += 1
        if not self.alternating:
            for player in players:
                self._update(player, rules, discount)
        self._place[:] = self.iteration + 1, 0

    def _fill_values(self, player: int) -> None:
        # What others never let happen keeps the value 0.
        first, count, _ = self._infosets[player]
        if len(first):
            self.table.slots.instant_regret[int(first[0]) : int(first[-1]) + int(count[-1])] = 0.0
        self.table.fill_values(player, threads=self.threads, should_stop=lambda: self.should_stop())  # noqa: PLW0108

    def _update(self, player: int, rules: Any, discount: float) -> None:
        slots = self.table.slots
        tables = (
            slots.strategy,
            slots.regret_sum,
            slots.strategy_sum,
            slots.instant_regret,
            slots.parent_sum,
        )
        update_player(self._infosets[player], tables, player, rules, discount)

    @property
    def is_between_iterations(self) -> bool:
        return not self._place[1]

    def _histories_per_node(self, histories: float) -> float:
        return 1.0  # an iteration walks as well

    def average_sums(self) -> Floats:
        return self.table.slots.strategy_sum[: self.table.used]

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        return InfosetState(*(getattr(self.table.slots, name)[slots] for name in STATE))

    def state_dict(self) -> dict[str, NDArray[Any]]:
        used = self.table.used
        tables = {name: getattr(self.table.slots, name)[:used] for name in STATE}
        return {**tables, "place": self._place, **self._schedule_state()}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        try:
            state = self._load_schedule(state)
            expected = self.state_dict()
            expected = {name: expected[name] for name in (*STATE, "place")}
            check_tables(state, expected)
            if not (state["place"][0] >= 0 and 0 <= state["place"][1] < self.players):
                raise ValueError("place")
        except ValueError as error:
            raise SolutionError(
                f"The saved run holds other arrays than a run on {self.game_name} does "
                f"({error}). Start afresh."
            ) from None
        for name, array in expected.items():
            array[:] = state[name]

    def describe(self) -> dict[str, str | int | float | bool | None]:
        return {
            "algorithm": self.algorithm.name,
            "sampling": "full",
            "seed": None,
            "precision": None,
            "alternating": self.alternating,
            "horizon": self.horizon,
        }
