"""Monte Carlo CFR: iterations that visit a drawn part of the game, for every row and every scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.rng import Rng, make_rng
from .._util.arrays import Floats
from ..cfr.algorithms import Algorithm
from ..cfr.powers import powers
from ..cfr.solver import NO_LIMIT, InfosetState, Solver
from ..errors import AlgorithmError, SolutionError
from ..strategy.strategy import Strategy
from . import kernels as drawing
from .kernels import DRAWN, ITERATION, NODES, PLAYER, TOUCHED, Plan, Schedule
from .sampling import AVERAGES, Sampling
from .table import MOST_SLOTS, InfosetTable

BLOCK = 4096
"""Iterations whose scalars are computed at a time; at the end of each all regret sums are brought up to date."""

_FIRST_RECORDS = 1 << 12
_MODES = {"all": drawing.ALL, "one": drawing.ONE, "some": drawing.SOME, "public": drawing.PUBLIC}
_BASELINES = {None: drawing.NO_BASELINE, "infoset": drawing.BY_INFOSET, "history": drawing.BY_HISTORY}
_PRUNINGS = {None: drawing.NO_PRUNING, "zero-reach": drawing.ZERO_REACH, "regret": drawing.LOW_REGRET}


class MemoryLimitError(Exception):
    """The infosets would take more memory than the user allows, or than there is."""


DRAWN_STAGE, ABSORBED = "drawn", "absorbed"


class Stage(NamedTuple):
    """Where an iteration is: ``player``'s samples are drawn and backed up, or taken in by the sums but for the update.

    ``drawn`` are the records of each worker, which the next turn writes over.
    """

    name: str
    player: int
    drawn: list[Any]


class DrawingInterrupted(KeyboardInterrupt):
    """Ctrl-C while samples were drawn by rules in Python, which may take long. Nothing has changed meanwhile."""


class MonteCarloCFR(Solver):
    """CFR on samples of a game, stopped and continued at will.

    The same seed gives the same result, bit for bit, on every machine, for every number of threads, and whether the run
    is stopped in between or not.

    Parameters
    ----------
    ground : Ground
        The game, written out or not, with a table of its infosets.
    algorithm : Algorithm
        The row.
    sampling : Sampling
        The scheme and its options.
    alternating : bool
        Whether each player updates against the others' newest strategies, rather than all at once against the old.
    seed : int
        From 0 to 2^63 - 1.
    threads : int
        How many samples of a batch are drawn at the same time.

    Raises
    ------
    AlgorithmError
        The row, the scheme and the game do not go together.
    """

    def __init__(
        self,
        ground: InfosetTable,
        algorithm: Algorithm,
        sampling: Sampling,
        *,
        alternating: bool = True,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        sampling.check_algorithm(algorithm)
        self.ground = ground
        self.form = ground.form
        self.algorithm = algorithm
        self.sampling = sampling
        self.alternating = alternating
        self.seed = seed
        self.threads = 1 if ground.interpreted else min(threads, sampling.batch)
        self.horizon = None
        self.max_nodes = NO_LIMIT
        self.interruptible = False  # whether DrawingInterrupted may be raised right now
        self.plan = _plan(sampling, ground.players)
        if self.plan.chance == drawing.PUBLIC and not ground.has_public_chance:
            raise AlgorithmError(
                f"{ground.name} says of no chance node that everybody sees its outcome, which sampling "
                "'public-chance' needs. Use 'chance' or 'external'.",
                wrong_use=True,
            )
        if self.plan.baseline == drawing.BY_HISTORY and ground.histories == 0:
            raise AlgorithmError(
                "Sampling on public states keeps no baseline by history; got baseline='history'. Leave it out, use "
                "'infoset' where moves are drawn, or sample every history (form='sequence', --form sequence).",
                wrong_use=True,
            )
        self._row = (float(algorithm.predict), 0.0 if algorithm.floor else -np.inf)
        self._place = np.array([1, 0, 0, 0], np.int64)
        self._touched = np.zeros((0, 2), np.int64)
        self._baseline = np.zeros((self._baseline_rows(), ground.players))
        self._workers = [_Worker(ground, seed) for _ in range(self.threads)]
        self._make_room_for_touched()
        self._block: Schedule | None = None
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    @property
    def game_name(self) -> str:
        """Name of the game."""
        return self.ground.name

    @property
    def players(self) -> int:
        """Number of players."""
        return self.ground.players

    @property
    def fingerprint(self) -> str:
        """A digest of the game: the same text means the same infosets, actions and payoffs."""
        return self.ground.fingerprint if self.form is None else self.form.fingerprint

    @property
    def iteration(self) -> int:
        """Number of iterations run."""
        return int(self._place[ITERATION]) - 1

    @property
    def nodes_touched(self) -> int:
        """Histories that the recursion has visited."""
        return int(self._place[NODES])

    @property
    def source(self) -> Any:
        """What samples are drawn from."""
        return self._workers[0].source

    @property
    def baseline(self) -> NDArray[np.float64]:
        """What is expected of each move, where there are baselines; shape (moves, players)."""
        return self._baseline

    def run(self, iterations: int) -> None:
        """Run that many more iterations, fewer if ``max_nodes`` are touched before. Running 3, then 4 is running 7.

        Raises
        ------
        MemoryLimitError
            The limit would be exceeded. Everything is as it was after the last whole turn of a player.
        """
        target = self.iteration + iterations
        while self.iteration < target and self.nodes_touched < self.max_nodes:
            schedule = self._schedule()
            self._iterate(schedule, min(target, schedule.start + BLOCK))
            if schedule.decays and self.iteration == schedule.start + BLOCK:
                first, count = self.ground.shape()
                drawing.flush_decay(self.ground.slots, first, count, schedule, self.iteration)

    def _schedule(self) -> Schedule:
        """Return the scalars of the block in which the next iteration is."""
        start = self.iteration // BLOCK * BLOCK
        if self._block is None or self._block.start != start:
            self._block = _schedule(self.algorithm, start)
        return self._block

    def _iterate(self, schedule: Schedule, until: int) -> None:
        """Run up to iteration ``until``, making room where it is needed."""
        if self.threads > 1 or self.ground.interpreted:
            while self.iteration < until and self.nodes_touched < self.max_nodes:
                self._one_by_one(schedule)
            return
        while True:
            worker = self._workers[0]
            outcome = drawing.iterate(
                worker.source,
                self.ground.slots,
                worker.drawn,
                self._touched,
                self._baseline,
                self.plan,
                worker.rng,
                schedule,
                self._row,
                self.sampling.batch,
                self.ground.players,
                self.alternating,
                self._place,
                until,
                self.max_nodes,
            )
            if outcome == drawing.DONE:
                return
            if outcome == drawing.DRAWN_FULL:
                self._more_records(worker)
            else:
                self._more_slots()

    def _one_by_one(self, schedule: Schedule) -> None:
        """Run one iteration as :func:`drawing.iterate` does, with the samples of a batch drawn by several workers."""
        for _ in self._stages(schedule):
            pass

    def watch(self) -> Iterator[Stage]:
        """Run one more iteration, and stop on the way to be looked at; the iteration is over when this is exhausted."""
        return self._stages(self._schedule())

    def walk(self, player: int) -> list[Any]:
        """Return the records of the samples that the next turn of a player would draw, and take nothing in."""
        ends = self._drawn_by_all(self.iteration + 1, player)
        return [worker.drawn[:end] for worker, end in zip(self._workers, ends, strict=True)]

    def _stages(self, schedule: Schedule) -> Iterator[Stage]:
        """Run one iteration, turn by turn."""
        t = int(self._place[ITERATION])
        while self._place[PLAYER] < self.ground.players:
            player = int(self._place[PLAYER])
            self.interruptible = self.ground.interpreted
            try:
                ends = self._drawn_by_all(t, player)
            finally:
                self.interruptible = False
            self._enter(player, ends)
            yield Stage(DRAWN_STAGE, player, [w.drawn[:end] for w, end in zip(self._workers, ends, strict=True)])
            self.ground.slots.strategy_sum[player] += schedule.weight[t - schedule.start]
            self._absorb(schedule, player, t, ends)
            self._place[NODES] += sum(ends)
            yield Stage(ABSORBED, player, [])
            if self.alternating:
                self._update(schedule, t)
            self._place[PLAYER] += 1
        self._update(schedule, t)
        self._place[PLAYER] = 0
        self._place[ITERATION] += 1

    def _drawn_by_all(self, t: int, player: int) -> list[int]:
        """Draw the batch of one turn, a part of it by each worker; return where the samples of each end."""
        first = (t * self.ground.players + player) * self.sampling.batch
        shares = np.linspace(0, self.sampling.batch, self.threads + 1).astype(int).tolist()
        parts = [range(first + low, first + high) for low, high in pairwise(shares)]

        def draw(worker: _Worker, part: range) -> int:
            return self._draw(worker, player, part)

        ends = [-1] * self.threads
        while min(ends) < 0:
            again = [i for i, end in enumerate(ends) if end < 0]
            tasks = [self._workers[i] for i in again], [parts[i] for i in again]
            drawn = map(draw, *tasks) if self._pool is None else self._pool.map(draw, *tasks)
            for i, end in zip(again, drawn, strict=True):
                ends[i] = end
                if end < 0:
                    self._more_records(self._workers[i])
        return ends

    def _enter(self, player: int, ends: list[int]) -> None:
        """Give slots to all that the workers have met for the first time."""
        for worker, end in zip(self._workers, ends, strict=True):
            while (new := self._kernel("count_new")(worker.source, self.ground.slots, worker.drawn, end)) < 0:
                self._more_slots()
            if new > 0:
                insert_infosets = self._kernel("insert_infosets")
                insert_infosets(worker.source, self.ground.slots, worker.drawn, self.plan, player, end)

    def _draw(self, worker: _Worker, player: int, traversals: range) -> int:
        """Draw some traversals and back them up; return where the sample ends, or -1 if there are too few records."""
        first, count = traversals.start, len(traversals)
        place = (worker.source, self.ground.slots, worker.drawn, self._baseline, self.plan, worker.rng, player)
        return int(self._kernel("draw_batch")(*place, first, count))

    def _absorb(self, schedule: Schedule, player: int, t: int, ends: list[int]) -> None:
        """Take in the samples of all workers, one after the other."""
        slots, plan = self.ground.slots, self.plan
        samples = list(zip(self._workers, ends, strict=True))
        m = int(self._place[TOUCHED])
        for worker, end in samples:
            m = drawing.collect(slots, worker.drawn, self._touched, plan, schedule, player, t, end, m)
        self._place[TOUCHED] = m
        if plan.baseline != drawing.NO_BASELINE:
            for worker, end in samples:
                add = self._kernel("add_expected")
                add(worker.source, slots, worker.drawn, self._baseline, plan, player, end)
            for worker, end in samples:
                self._kernel("update_baseline")(worker.source, worker.drawn, self._baseline, plan, player, end)

    def _update(self, schedule: Schedule, t: int) -> None:
        drawing.update(self.ground.slots, self._touched, int(self._place[TOUCHED]), schedule, t, *self._row)
        self._place[TOUCHED] = 0

    def _kernel(self, name: str) -> Callable[..., Any]:
        """Return a kernel that asks the source; rules in Python are asked by its Python function."""
        kernel: Callable[..., Any] = getattr(drawing, name)
        return getattr(kernel, "py_func", kernel) if self.ground.interpreted else kernel

    def _more_records(self, worker: _Worker) -> None:
        """Double the room for the samples of a worker."""
        records = 2 * len(worker.drawn)
        self._check_memory(3 * self.nbytes + 3 * sum(one.nbytes for one in self._workers), records)
        try:
            worker.make_room(records)
            self._make_room_for_touched()
        except MemoryError:
            raise MemoryLimitError from None

    def _make_room_for_touched(self) -> None:
        """Make room for as many infosets as all players together can touch in an iteration."""
        rows = self.ground.players * sum(len(one.drawn) for one in self._workers)
        if rows > len(self._touched):
            self._touched = np.concatenate([self._touched, np.zeros((rows - len(self._touched), 2), np.int64)])

    def _more_slots(self) -> None:
        """Double the room for infosets."""
        # While growing, the old and the double are there.
        self._check_memory(3 * self.nbytes, 2 * len(self.ground.slots.strategy))
        try:
            self.ground.grow()
            more = self._baseline_rows() - len(self._baseline)
            self._baseline = np.concatenate([self._baseline, np.zeros((max(0, more), self.ground.players))])
        except MemoryError:
            raise MemoryLimitError from None
        for worker in self._workers:
            worker.source = self.ground.source(worker.source)

    def _check_memory(self, nbytes: int, numbered: int) -> None:
        """Refuse more bytes than are allowed, and more of anything than 32 bits can number."""
        limit = self.sampling.gigabytes
        if (limit is not None and nbytes > limit * 1e9) or numbered > MOST_SLOTS:
            raise MemoryLimitError

    @property
    def nbytes(self) -> int:
        """Bytes that the table of infosets takes."""
        return self.ground.nbytes + self._baseline.nbytes

    def _baseline_rows(self) -> int:
        if self.sampling.baseline is None:
            return 0
        return self.ground.histories if self.sampling.baseline == "history" else len(self.ground.slots.strategy)

    def average_strategy(self) -> Floats:
        """Return the average strategy of a game that is compiled, a probability for each slot of its form."""
        if self.form is None:
            raise ValueError("The game is not compiled: ask for strategy().")
        return self.form.average_from_sums(self.average_weights())

    def average_weights(self) -> Floats:
        """Return the sums of the average strategy at the slots of the form of a game that is compiled."""
        if self.form is None:
            raise ValueError("The game is not compiled: ask for average_sums().")
        weights = np.zeros(self.form.length)
        weights[self.form.slot] = self.average_sums()[self.ground.players :]
        return weights

    def strategy(self) -> Strategy:
        """Return the average strategy: at all infosets of a game that is compiled, or at those met so far."""
        if self.form is not None:
            return Strategy.from_form(self.form, self.average_strategy())
        first, count = self.ground.shape()
        probabilities = np.zeros(self.ground.used)
        drawing.normalise(first, count, self.average_sums(), probabilities)
        return Strategy(self.ground.infosets(), probabilities[self.ground.players :])

    def average_sums(self) -> Floats:
        """Return the sum of the average strategy of each slot, with all that is pending."""
        first, count = self.ground.shape()
        sums: Floats = self.ground.slots.strategy_sum[: self.ground.used].copy()
        if self.plan.average == drawing.LAZY:
            drawing.add_pending(self.ground.slots, first, count, sums)
        return sums

    def action_slots(self) -> NDArray[np.int64]:
        """Return the slot in the table of each action of each infoset of the form."""
        if self.form is None:
            raise ValueError("The game is not compiled: the infosets are those of the table.")
        return np.arange(self.ground.players, self.form.slots)

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        """Return the current strategy, which the next iteration plays, at some slots of the table."""
        return self.ground.slots.strategy[slots]

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        """Return current strategy, regret sums and average sums of some infosets, as :meth:`Solver.state_at`.

        Regret sums are brought up to this iteration in a copy: the run itself goes on to the last bit as if nobody had
        asked.
        """
        table, first, schedule = self.ground.slots, np.cumsum(num_actions) - num_actions, self._schedule()
        own = drawing.make_slots(len(slots))
        own.regret_sum[:] = table.regret_sum[slots]
        own.updated[:] = table.updated[slots]
        if schedule.decays:
            drawing.flush_decay(own, first.astype(np.uint32), num_actions, schedule, self.iteration)
        sums = self.average_sums() if self.plan.average == drawing.LAZY else table.strategy_sum
        return InfosetState(self.strategy_at(slots), own.regret_sum, sums[slots])

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return what must be kept to continue later, bit for bit."""
        used = self.ground.used
        kept = {name: getattr(self.ground.slots, name)[:used].copy() for name in drawing.REMEMBERED}
        rows = self.ground.histories if self.sampling.baseline == "history" else used
        pending = int(self._place[TOUCHED])  # 0 but for simultaneous updates, where memory has run out between players
        kept |= self.ground.memory()
        return kept | {
            "baseline": self._baseline[:rows].copy(),
            "place": self._place.copy(),
            "touched": self._touched[:pending].copy(),
            "instant_regret": self.ground.slots.instant_regret[: used if pending else 0].copy(),
        }

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`state_dict` returned.

        Raises
        ------
        SolutionError
            The arrays are not those of such a run.
        """
        expected = {*drawing.REMEMBERED, *self.ground.memory(), "baseline", "place", "touched", "instant_regret"}
        if (
            set(state) != expected
            or state["place"].shape != self._place.shape
            or len({state[name].shape for name in drawing.REMEMBERED}) > 1
        ):
            raise SolutionError("The saved run sampled in another way, and cannot go on so. Start afresh.")
        used, pending = len(state["strategy"]), len(state["touched"])
        self.ground.recall(state, slots=used)
        for name in drawing.REMEMBERED:
            getattr(self.ground.slots, name)[:used] = state[name]
        self._baseline = np.zeros((self._baseline_rows(), self.ground.players))
        self._baseline[: len(state["baseline"])] = state["baseline"]
        self._place[:] = state["place"]
        self._touched = np.concatenate([state["touched"], self._touched])
        self.ground.slots.instant_regret[: used if pending else 0] = state["instant_regret"]
        for worker in self._workers:
            worker.source = self.ground.source(worker.source)

    def describe(self) -> dict[str, str | int | float | bool | None]:
        """Return what decides the result beside the game, as plain values by name."""
        return {
            "algorithm": self.algorithm.name,
            "sampling": str(self.sampling),
            "seed": self.seed,
            "precision": None,
            "alternating": self.alternating,
            "horizon": self.horizon,
        }


class _Worker:
    """What one thread needs to draw samples: records, random numbers, and a source with scratch of its own."""

    def __init__(self, ground: InfosetTable, seed: int) -> None:
        self.ground = ground
        self.rng: Rng = make_rng(seed, ground.moves)
        self.make_room(max(_FIRST_RECORDS, 2 * ground.moves))

    def make_room(self, records: int) -> None:
        drawn = np.zeros(records, DRAWN).view(np.recarray)
        self.source = self.ground.source(None, records=records)
        self.drawn = drawn

    @property
    def nbytes(self) -> int:
        states = getattr(self.source, "states", None)
        return int(self.drawn.nbytes) + (0 if states is None else int(states.nbytes))


def _plan(sampling: Sampling, players: int) -> Plan:
    """Return a sampling as the kernels read it."""
    row = sampling.row
    epsilon = sampling.epsilon if sampling.epsilon is not None else row.epsilon
    return Plan(
        chance=_MODES[row.chance],
        own=_MODES[row.own],
        others=_MODES[row.others],
        average=AVERAGES.index(sampling.average_for(players)),
        baseline=_BASELINES[sampling.baseline],
        pruning=_PRUNINGS[sampling.pruning],
        epsilon=float(epsilon or 0.0),
        tau=float(sampling.tau),
        beta=float(sampling.beta),
        rate=float(sampling.baseline_rate),
        prune_below=float(sampling.prune_below),
        revisit=float(sampling.revisit),
        low_discrepancy=int(sampling.low_discrepancy),
    )


def _schedule(algorithm: Algorithm, start: int) -> Schedule:
    """Return the scalars of the block of iterations after ``start``."""
    steps = algorithm.steps(start + 1, BLOCK)
    decays = bool((steps.discount_positive != 1).any() or (steps.discount_negative != 1).any())
    positive, positive_exponent = _products(steps.discount_positive if decays else np.ones(0), start)
    negative, negative_exponent = _products(steps.discount_negative if decays else np.ones(0), start)
    t = np.arange(start, start + BLOCK + 1, dtype=np.float64)
    weight = powers(t, float(algorithm.gamma))  # type: ignore[arg-type]  # no schedule: Sampling.check_algorithm
    return Schedule(
        start=start,
        decays=decays,
        positive=positive,
        positive_exponent=positive_exponent,
        negative=negative,
        negative_exponent=negative_exponent,
        discount_predicted=np.concatenate([np.ones(1), steps.discount_predicted]),
        weight=weight,
    )


def _products(factors: Floats, start: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return 1 and the products of the first 1, 2, … factors, as mantissas and exponents."""
    mantissa, exponent = np.ones(len(factors) + 1), np.zeros(len(factors) + 1, np.int64)
    if start == 0 and len(factors):
        factors = np.concatenate([np.ones(1), factors[1:]])  # before the first iteration there is nothing to decay
    drawing.multiply_up(factors, mantissa, exponent)
    return mantissa, exponent
