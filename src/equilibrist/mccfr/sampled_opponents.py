"""Monte Carlo CFR against opponents in the real game: what CFR-BR is to full passes, with samples.

In one run the first player is in the abstraction and the second plays the real game, in another it
is the other way round. Each is plain Monte Carlo CFR. The abstract players of both are the answer:
in zero-sum games of two players the least exploitable strategy of the abstraction is approached, as
the opponent who learns in the real game comes to play best responses.

Source: Johanson, Bard, Burch & Bowling 2012, "Finding optimal abstract strategies in extensive-form
games".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..cfr.algorithms import Algorithm
from ..cfr.solver import NO_LIMIT, InfosetState, Solver
from ..form.abstract.abstraction import Abstraction
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from ..form.responses import Values
from ..strategy.strategy import Strategy
from .records import BLOCK
from .sampled_abstraction import BUCKET, check_average, take_buckets
from .sampling import Sampling
from .solver import MonteCarloCFR
from .table import CompiledTable, make_table

_PLAYERS = range(2)


class SampledOpponents(Solver):
    """CFR on samples, of each player in the abstraction against somebody in the real game.

    Parameters are those of :class:`~equilibrist.mccfr.solver.MonteCarloCFR`. An iteration is one of
    both runs, which are in step but for an iteration that was stopped.
    """

    form: CompiledGame
    abstraction: Abstraction

    def __init__(
        self,
        form: CompiledGame,
        algorithm: Algorithm,
        sampling: Sampling,
        *,
        abstraction: Abstraction,
        **options: Any,
    ) -> None:
        abstraction.check_game(form)
        abstraction.check_sampled(str(sampling))
        self.form = form
        self.algorithm = algorithm
        self.sampling = sampling
        self.horizon = None
        self._map = abstraction.make_map(form)
        self.abstraction = abstraction.describe_map(self._map)
        self._runs = [
            MonteCarloCFR(
                make_table(form, self._map.of_player(form, player)),
                algorithm,
                sampling,
                **options,
            )
            for player in _PLAYERS
        ]
        for run in self._runs:
            run.should_stop = lambda: self.should_stop()  # noqa: PLW0108 (that of now)
            if not self._map.has_perfect_recall:
                check_average(abstraction, sampling, run.plan.average)
        self.minimiser = self._runs[0].minimiser
        self.threads = self._runs[0].threads

    @property
    def iteration(self) -> int:
        return min(run.iteration for run in self._runs)

    @property
    def nodes_touched(self) -> int:
        return sum(run.nodes_touched for run in self._runs)

    @property
    def is_between_iterations(self) -> bool:
        in_step = len({run.iteration for run in self._runs}) == 1
        return in_step and all(run.is_between_iterations for run in self._runs)

    @property
    def table_bytes(self) -> int:
        return sum(run.table_bytes for run in self._runs)

    @property
    def certificate_nodes(self) -> float:
        return self._runs[0].certificate_nodes

    def interrupt(self) -> None:
        for run in self._runs:
            run.interrupt()

    def run(self, iterations: int) -> None:
        target = self.iteration + iterations
        # Where nodes are counted, both runs go on iteration by iteration.
        step = BLOCK if self.max_nodes >= NO_LIMIT else 1
        while self.iteration < target and self.nodes_touched < self.max_nodes:
            before = self.iteration
            for run in self._runs:
                run.run(min(target, before + step) - run.iteration)
            if self.iteration == before:  # stopped
                return

    def average_weights(self) -> Floats:
        of_runs = [run.average_weights() for run in self._runs]
        weights: Floats = self.form.with_player(of_runs[0], of_runs[1], 1)
        return weights

    def average_strategy(self) -> Floats:
        return self.form.average_from_sums(self.average_weights())

    def strategy(self) -> Strategy:
        return Strategy.from_form(self.form, self.average_strategy())

    def first_decision(self) -> dict[str, float]:
        return self.form.first_decision(self.average_weights())

    def values(self, *, within_floors: bool = False) -> Values:
        return self.form.values(
            self.average_weights(),
            weights=True,
            threads=self.threads,
            floors=self.floors_of_values(within_floors=within_floors),
        )

    def describe_game(self) -> dict[str, Any]:
        return self.form.describe()

    def describe(self) -> dict[str, str | int | float | bool | None]:
        return self._runs[0].describe()

    def infosets(self) -> Sequence[Infoset]:
        return self.form.infosets

    def action_slots(self) -> NDArray[np.int64]:
        """Return the slot of each action of each infoset, those of the second run behind those of the first."""
        counts = self.form.infosets.num_actions
        owner = np.repeat(self.form.infosets.owner, counts)
        of_runs = [self._table(player).action_slots() for player in _PLAYERS]
        return np.where(owner == 0, of_runs[0], self._behind + of_runs[1])

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        strategies = [self._table(player).slots.strategy for player in _PLAYERS]
        strategy: Floats = np.concatenate(strategies)[slots]
        return strategy

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        is_first = slots < self._behind
        of_first = is_first[offsets(num_actions)[:-1]]
        states = [
            self._runs[0].state_at(slots[is_first], num_actions[of_first]),
            self._runs[1].state_at(slots[~is_first] - self._behind, num_actions[~of_first]),
        ]
        arrays = []
        for of_runs in zip(*states, strict=True):
            together = np.empty(len(slots))
            together[is_first] = of_runs[0]
            together[~is_first] = of_runs[1]
            arrays.append(together)
        return InfosetState(*arrays)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        state = {BUCKET: self._map.bucket.copy()}
        for player, run in enumerate(self._runs):
            state |= {name_array(player, name): array for name, array in run.state_dict().items()}
        return state

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        other_arrays = take_buckets(state, self.game_name, self.abstraction, self._map)
        for player, run in enumerate(self._runs):
            prefix = name_array(player, "")
            run.load_state(
                {
                    name.removeprefix(prefix): array
                    for name, array in other_arrays.items()
                    if name.startswith(prefix)
                }
            )

    @property
    def _behind(self) -> int:
        """The slots of the first run, behind which those of the second are numbered."""
        return self._table(0).used

    def _table(self, player: int) -> CompiledTable:
        """Return the table of the run in which a player is in the abstraction."""
        table = self._runs[player].table
        assert isinstance(table, CompiledTable)
        return table


def name_array(player: int, name: str) -> str:
    """Return what an array is called of the run in which a player is in the abstraction."""
    return f"player_{player}_{name}"
