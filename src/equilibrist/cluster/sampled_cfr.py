"""Monte Carlo CFR whose samples actors draw: the table is here, and strategies do not change within a batch."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled
from ..cfr.algorithms import Algorithm
from ..form.abstract.abstraction import Abstraction
from ..mccfr.iterations import Iterations, Stage
from ..mccfr.records import Schedule
from ..mccfr.sampled_abstraction import BucketedCFR
from ..mccfr.sampling import Sampling
from ..mccfr.table import InfosetTable
from ..mccfr.update import ITERATION, NODES, PLAYER, TOUCHED, begin_turn, update_strategies, visit
from .actors import ActorDiedError, Restarts
from .ray_cluster import Actors
from .sampling_actor import NO_ROWS, SamplingActor, Share, Turn, copy_rows, slots_of


class SampledClusterCFR(BucketedCFR):
    """Monte Carlo CFR over actors, each of which draws a share of every batch.

    In the turn of a player each actor draws its traversals by the strategy of before, and sends what
    they come to: the sums of sampled regrets and of average strategy, for the infosets that they
    met. These are added up here in the order of the actors, the strategies follow, and actors are
    sent those that have changed. So the samples are those of a run in one process with this batch;
    the sums differ by rounding, the regrets of a single actor not even by that. Where all actions of
    an infoset are worth the same, rounding may decide which of them it plays. An actor that dies is
    started again, and the turn is repeated: the bits depend on the seed and the number of actors
    alone.

    The parameters are those of :class:`BucketedCFR`, and:

    Parameters
    ----------
    actors : Actors
        Not started yet.
    count : int
        How many of them.
    """

    _iterations: ActorIterations

    def __init__(
        self,
        table: InfosetTable,
        algorithm: Algorithm,
        sampling: Sampling,
        *,
        abstraction: Abstraction,
        actors: Actors,
        count: int,
        **options: Any,
    ) -> None:
        self.actors = actors
        self._count = count
        super().__init__(table, algorithm, sampling, abstraction=abstraction, **options)
        try:
            self._iterations.start(algorithm)
        except Exception:
            actors.close()
            raise

    def _iterations_kind(self) -> Callable[..., Iterations]:
        return partial(ActorIterations, actors=self.actors, count=self._count)

    @property
    def restarts(self) -> int:
        """How many actors were started again."""
        return self._iterations.restarts

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        super().load_state(state)
        self._iterations.tell_all()

    def close(self) -> None:
        self.actors.close()


class ActorIterations(Iterations):
    """The state of iterating where actors draw; parameters are those of both classes that it stands between."""

    def __init__(
        self, table: InfosetTable, *settings: Any, actors: Actors, count: int, **options: Any
    ) -> None:
        super().__init__(table, *settings, **options)
        if table.samples is None:
            raise ValueError(f"Samples of {table.name} are drawn in one process only.")
        self._samples = table.samples
        self._seed: int = options["seed"]
        self._actors = actors
        self._count = count
        self._is_told = False  # whether the actors have the strategy of now, but for the news
        self._news = NO_ROWS
        self._pool_sent = -1
        self._restarts = Restarts(actors, "Use machines with more memory, or fewer buckets")

    @property
    def restarts(self) -> int:
        """How many actors were started again."""
        return self._restarts.count

    def start(self, algorithm: Algorithm) -> None:
        """Start the actors."""
        make = partial(
            SamplingActor,
            self._samples,
            infosets=len(self.table.shape()[0]),
            slots=self.table.used,
            plan=self.plan,
            algorithm=algorithm,
            seed=self._seed,
        )
        self._actors.start([make] * self._count)

    def tell_all(self) -> None:
        """Have the actors sent the whole strategy before the next turn."""
        self._is_told = False

    def make_room_for_touched(self) -> None:
        """Make room for all infosets."""
        infosets = len(self.table.shape()[0])
        if infosets > len(self.touched):
            self.touched = np.zeros((infosets, 2), np.int64)

    def stages(self, schedule: Schedule) -> Iterator[Stage]:
        """Refuse: actors do not stop between stages."""
        raise ValueError("The stages of an iteration are seen in one process only.")

    def run_to(self, last: int, schedule: Schedule, max_nodes: int) -> None:
        while self.place[ITERATION] <= last and (
            self.place[PLAYER] > 0 or self.place[NODES] < max_nodes
        ):
            self._poll()
            self.table.prepare(int(self.place[ITERATION]))
            self._run_turn(schedule)

    def _run_turn(self, schedule: Schedule) -> None:
        """Run the turn of a player: all is as before where the answers do not come."""
        slots = self.table.slots
        t = int(self.place[ITERATION])
        player = int(self.place[PLAYER])
        shares = self._draw(t, player)
        begin_turn(slots, schedule, player, t)
        m = int(self.place[TOUCHED])
        for share in shares:
            regrets = share.regrets
            infosets = regrets.infosets.copy()  # Ray's are read-only, another type for kernels
            m = visit_rows(slots, self.touched, schedule, t, infosets, m)
            slots.instant_regret[slots_of(regrets.infosets)] += regrets.numbers
            slots.strategy_sum[slots_of(share.sums.infosets)] += share.sums.numbers
            self.place[NODES] += share.drawn
        self.place[NODES] += self.sampling.batch * self._histories_of_deal
        self.place[TOUCHED] = m
        self.place[PLAYER] += 1
        is_last = self.place[PLAYER] == self.table.players
        if self.alternating or is_last:
            update_strategies(slots, self.touched, schedule, t, m)
            self._news = copy_rows(slots.strategy, self.touched[:m])
            self.place[TOUCHED] = 0
        if is_last:
            self.place[PLAYER] = 0
            self.place[ITERATION] += 1

    def _draw(self, t: int, player: int) -> list[Share]:
        """Return what the samples of a turn come to, by actor; actors that die meanwhile are started again."""
        while True:
            try:
                shares = self._ask(t, player)
            except ActorDiedError as error:
                self._recover(error.numbers)
            else:
                self._restarts.note_progress()
                self._news = NO_ROWS
                return shares

    def _ask(self, t: int, player: int) -> list[Share]:
        """Have each actor draw its share of a batch; first tell what they do not know."""
        samples = self._samples
        if not self._is_told:
            whole = (self.table.slots.strategy, samples.pool)
            self._actors.call("take_over", [whole] * self._count)
            self._is_told = True
            self._pool_sent = samples.pool.number
            self._news = NO_ROWS
        pool = None
        if samples.pool.number != self._pool_sent:
            pool = samples.pool
        batch = self.sampling.batch
        first = (t * self.table.players + player) * batch
        ends = [batch * number // self._count for number in range(self._count + 1)]
        turns = [Turn(t, player, first + begin, end - begin) for begin, end in pairwise(ends)]
        shares = self._actors.call("draw", [(turn, self._news, pool) for turn in turns])
        self._pool_sent = samples.pool.number
        return shares

    def _recover(self, numbers: Sequence[int]) -> None:
        """Start actors again that were lost; all are told everything anew."""
        self._restarts.bring_back(numbers, self.tell_all, after=int(self.place[ITERATION]) - 1)


@compiled(allocates=False)
def visit_rows(slots, touched, schedule, t, infosets, m):
    """Bring infosets to iteration t where they are met first; return the rows touched."""
    for row in range(len(infosets)):
        infoset = infosets[row, 0], infosets[row, 1], np.int64(0)
        m = visit(slots, touched, schedule, t, infoset, m)
    return m
