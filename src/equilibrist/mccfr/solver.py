"""Monte Carlo CFR: iterations on samples of a game, for every algorithm that is no schedule and every scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..cfr.algorithms import Algorithm
from ..cfr.minimiser import LocalMinimiser
from ..cfr.regret_matching import REGRET_MATCHING, regret_rounding
from ..cfr.solver import InfosetState
from ..errors import AlgorithmError, SolutionError
from . import update
from .iterations import DrawingStoppedError, Iterations, MemoryLimitError, Stage
from .records import (
    BLOCK,
    BY_HISTORY,
    LAZY,
    PUBLIC,
    STATE,
    Plan,
    Sampler,
    Schedule,
    Slots,
    make_plan,
    make_schedule,
    make_slots,
)
from .sampling import Sampling
from .saved_state import check_infosets, check_state
from .table import InfosetTable
from .table_solver import TableSolver
from .threaded import ThreadedIterations
from .update import ITERATION, NODES, PLAYER, TOUCHED

__all__ = ["MemoryLimitError", "MonteCarloCFR", "Stage"]


class MonteCarloCFR(TableSolver):
    """CFR on samples of a game, stopped and continued at will.

    The same seed, from 0 to 2^63 - 1, gives the same result, bit for bit, on every machine, for
    every number of threads (samples of a batch that are drawn at the same time), and whether the
    run is stopped in between or not. The table has the infosets of the game, compiled or not, and
    the source of samples. An algorithm, a scheme and a game that do not go together are refused.
    """

    def __init__(
        self,
        table: InfosetTable,
        algorithm: Algorithm,
        sampling: Sampling,
        *,
        seed: int = 0,
        threads: int = 1,
        minimiser: LocalMinimiser = REGRET_MATCHING,
    ) -> None:
        sampling.check_algorithm(algorithm)
        self.table = table
        self.form = table.form
        self.algorithm = algorithm
        self.sampling = sampling
        self.minimiser = minimiser
        self.seed = seed
        if table.interpreted:
            self.threads = 1
        else:
            self.threads = min(threads, sampling.batch)
        self.horizon = None
        self.plan: Plan = make_plan(sampling, table.players)
        self._check_game()
        self._block: Schedule | None = None
        self._iterations = self._iterations_kind()(
            table,
            self.plan,
            sampling,
            alternating=algorithm.alternating,
            seed=seed,
            threads=self.threads,
            should_stop=lambda: self.should_stop(),  # noqa: PLW0108 (that of now: it may be set later)
        )

    def _iterations_kind(self) -> Callable[..., Iterations]:
        """Return what makes the state of iterating."""
        if self.threads == 1:
            return Iterations
        return ThreadedIterations

    def _check_game(self) -> None:
        if self.plan.chance == PUBLIC and not self.table.has_public_chance:
            raise AlgorithmError(
                f"{self.table.name} says of no chance node that everybody sees its outcome, "
                "which sampling 'public-chance' needs. Use 'chance' or 'external'.",
            )
        if self.plan.baseline == BY_HISTORY and self.table.histories == 0:
            raise AlgorithmError(
                "Sampling on public states keeps no baseline by history; got baseline='history'. "
                "Leave it out, use 'infoset' where moves are drawn, or sample every history "
                "(form='sequence', --form sequence).",
            )

    @property
    def iteration(self) -> int:
        return int(self._iterations.place[ITERATION]) - 1

    @property
    def nodes_touched(self) -> int:
        return int(self._iterations.place[NODES])

    @property
    def is_between_iterations(self) -> bool:
        return not self._iterations.place[PLAYER]

    @property
    def slots(self) -> Slots:
        return self.table.slots

    @property
    def source(self) -> Any:
        return self._iterations.workers[0].source

    @property
    def sampler(self) -> Sampler:
        return self._iterations.workers[0].sampler(self._iterations.baseline, self.plan)

    @property
    def table_bytes(self) -> int:
        return self._iterations.nbytes

    def run(self, iterations: int) -> None:
        """As :meth:`Solver.run`; after ``should_stop`` all is as it was after the last whole turn of a player."""
        target = self.iteration + iterations
        while self.iteration < target and self.nodes_touched < self.max_nodes:
            schedule = self._schedule()
            try:
                self._iterations.run_to(
                    min(target, schedule.start + BLOCK), schedule, self.max_nodes
                )
            except DrawingStoppedError:
                return
            if schedule.decays and self.iteration == schedule.start + BLOCK:
                first, count = self.table.shape()
                update.flush_decay(self.slots, first, count, schedule, self.iteration)

    def interrupt(self) -> None:
        self._iterations.interrupt()

    def _schedule(self) -> Schedule:
        start = self.iteration // BLOCK * BLOCK
        if self._block is None or self._block.start != start:
            self._block = make_schedule(
                self.algorithm, start, self._regret_rounding, self.minimiser
            )
        return self._block

    @property
    def _regret_rounding(self) -> float:
        """The positive regrets that are taken for rounding errors: none where draws decide what is worth the same.

        A game that is sampled without a tree has payoffs that nobody knows, and gives the same bits
        as with one.
        """
        if self.sampling.draws:
            return 0.0
        return regret_rounding(self.table.largest_payoff)

    def stages(self) -> Iterator[Stage]:
        """Run one more iteration, with a stop after each stage; the iteration is over when this is exhausted."""
        return self._iterations.stages(self._schedule())

    def sample(self, player: int, *, turn: int | None = None, insert: bool = False) -> Any:
        """Return the records of the samples that a turn of a player would draw, by default the next, and add them to
        nothing; with ``insert`` infosets that are met for the first time get slots.
        """
        end = self._iterations.draw_turn(self.iteration + 1 if turn is None else turn, player)
        if insert:
            self._iterations.insert_infosets(player, 0, (0, end))
        return self._iterations.workers[0].records[:end]

    def average_sums(self) -> Floats:
        """Return the sum of the average strategy of each slot of the table, with all that is pending."""
        first, count = self.table.shape()
        sums: Floats = self.slots.strategy_sum[: self.table.used].copy()
        if self.plan.average == LAZY:
            update.add_pending(self.slots, first, count, sums)
        return sums

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        """As :meth:`Solver.state_at`; regret sums are brought up to this iteration in a copy: the run goes on as it
        was.
        """
        first = np.cumsum(num_actions) - num_actions
        schedule = self._schedule()
        brought_up = make_slots(len(slots))
        brought_up.regret_sum[:] = self.slots.regret_sum[slots]
        brought_up.updated[:] = self.slots.updated[slots]
        if schedule.decays:
            update.flush_decay(
                brought_up, first.astype(np.uint32), num_actions, schedule, self.iteration
            )
        if self.plan.average == LAZY:
            sums = self.average_sums()
        else:
            sums = self.slots.strategy_sum
        return InfosetState(self.strategy_at(slots), brought_up.regret_sum, sums[slots])

    def state_dict(self) -> dict[str, NDArray[Any]]:
        arrays = self._state() | self._own_state() | self._schedule_state()
        return {name: array.copy() for name, array in arrays.items()}

    def _own_state(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that a kind of solver has beside those of all; they change when the run goes on."""
        return {}

    def _load_own_state(self, state: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Take over what :meth:`_own_state` returned; return the other arrays.

        Raises
        ------
        ValueError
            It is not what such a run leaves behind.
        """
        return state

    def _state(self) -> dict[str, NDArray[Any]]:
        """Return the same arrays, which change when the run goes on."""
        at = self._iterations
        used = self.table.used
        # 0 but for simultaneous updates, where memory has run out between players.
        pending = int(at.place[TOUCHED])
        return {
            **{name: getattr(self.slots, name)[:used] for name in STATE},
            **self.table.state_dict(),
            "baseline": at.baseline[: self._count_used_rows(used)],
            "place": at.place,
            "touched": at.pending(),
            "instant_regret": self.slots.instant_regret[: used if pending else 0],
        }

    def _count_used_rows(self, used: int) -> int:
        """Return how many rows of the baseline are in use where so many slots are."""
        if self.sampling.baseline == "infoset":
            return used
        return self._iterations.baseline_rows

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        at = self._iterations
        used = len(state.get("strategy", ()))
        pending = len(state.get("touched", ()))
        try:
            state = self._load_own_state(self._load_schedule(state))
            check_state(
                state,
                self._state(),
                players=self.players,
                baseline_rows=self._count_used_rows(used),
            )
            self.table.load_state(state, slots=used)
            check_infosets(state, *self.table.shape())
        except ValueError as error:
            raise SolutionError(
                f"The saved run holds other arrays than a run on {self.game_name} with these "
                f"settings does ({error}). Start afresh."
            ) from None
        for name in STATE:
            getattr(self.slots, name)[:used] = state[name]
        at.baseline = np.zeros((at.baseline_rows, self.players))
        at.baseline[: len(state["baseline"])] = state["baseline"]
        at.place[:] = state["place"]
        at.set_pending(state["touched"])
        self.slots.instant_regret[: used if pending else 0] = state["instant_regret"]
        at.renew_sources()

    def describe(self) -> dict[str, str | int | float | bool | None]:
        return {
            "algorithm": self.algorithm.name,
            "sampling": str(self.sampling),
            "seed": self.seed,
            "precision": None,
            "alternating": self.alternating,
            "horizon": self.horizon,
        }
