"""Full-width CFR: every iteration visits the whole game, for every row of :mod:`equilibrist.cfr.algorithms`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import LANES, zeros
from ..errors import SolutionError
from ..evaluation.certificate import Certificate, certify
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from . import kernels
from .algorithms import Algorithm, Floats, Steps

_MOST_NODES = 2**62
_CHUNK = 4096  # iterations whose scalars are computed at a time

PRECISIONS = ("float64", "float32")
"""How the tables can be stored."""

MEMORY = ("strategy", "regret_sum", "strategy_sum")
"""Names of the arrays that must be kept to continue later; the rest follows from them."""
TRACKED_MEMORY = (*MEMORY, "deviation_sum")
"""The same where the distance of the play from a coarse correlated equilibrium is tracked."""


def promises_correlated(players: int, *, zero_sum: bool) -> bool:
    """Return whether what CFR promises is a coarse correlated equilibrium, not the Nash equilibrium of two players."""
    return players > 2 or (players == 2 and not zero_sum)


class State(NamedTuple):
    """What CFR remembers between iterations: arrays of one number a slot (``cf_value`` is scratch).

    ``deviation_sum`` is empty where it is not tracked. Else it holds the weighted sum of the payoffs of each slot
    against the others' play, payoff × probability, less, at the empty sequence, what the player's own play earned.
    """

    strategy: Floats
    reach: Floats
    regret_sum: Floats
    strategy_sum: Floats
    cf_value: Floats
    deviation_sum: Floats


def average_from_sums(form: SequenceForm, total: Floats) -> Floats:
    """Return the strategy that plays each slot by its share of its infoset's total; uniformly where there is none."""
    strategy = np.ones(form.length)
    kernels.normalise(form.treeplex, total, strategy)
    return strategy


class FullWidthCFR(ABC):
    """Full-width CFR, stopped and continued at will, whatever form the game is compiled into.

    Parameters
    ----------
    form : SequenceForm or PublicForm
        The game.
    algorithm : Algorithm
        The row.
    alternating : bool
        Whether each player updates against the others' newest strategies, rather than all at once against the old.
    horizon : int, optional
        The planned number of iterations, for rows that are schedules.
    precision : {"float64", "float32"}
        How the tables are stored; all arithmetic is in float64.
    """

    form: SequenceForm | PublicForm

    def __init__(self, algorithm: Algorithm, *, alternating: bool, horizon: int | None, precision: str) -> None:
        self.algorithm = algorithm
        self.precision = precision
        self.alternating = alternating
        self.horizon = horizon
        self.iteration = 0
        self.most_nodes = _MOST_NODES

    def run(self, iterations: int) -> None:
        """Run that many more iterations, fewer if ``most_nodes`` are touched before. Running 3, then 4 is running 7."""
        each = self.passes * self.nodes_a_pass
        iterations = min(iterations, max(0, -(-self.most_nodes // each) - self.iteration))
        done = 0
        while done < iterations:
            count = min(_CHUNK, iterations - done)
            self._iterate(self.algorithm.steps(self.iteration + 1, count, horizon=self.horizon))
            self.iteration += count
            done += count

    @abstractmethod
    def _iterate(self, steps: Steps) -> None:
        """Run the iterations with these scalars."""

    @property
    def lowest(self) -> float:
        """The least that a regret sum can be."""
        return 0.0 if self.algorithm.floor else -np.inf

    @property
    def nodes_a_pass(self) -> int:
        """What one pass through the game counts in :attr:`nodes_touched`."""
        return self.form.histories

    @property
    def nodes_touched(self) -> int:
        """Histories that the textbook recursion would have visited: all, once a pass."""
        return self.iteration * self.passes * self.nodes_a_pass

    @property
    def passes(self) -> int:
        """How often an iteration goes through the game."""
        return self.form.players if self.alternating else 1

    @abstractmethod
    def average_strategy(self) -> Floats:
        """Return the average strategy, a probability for each slot (that of what is no action means nothing)."""

    @abstractmethod
    def certificate(self) -> Certificate:
        """Return what is known exactly about the average strategy."""

    def cce_distance(self) -> float | None:
        """Return how far the play is from a coarse correlated equilibrium, or None where that is not tracked."""
        return None

    @abstractmethod
    def memory(self) -> dict[str, NDArray[Any]]:
        """Return what must be kept to continue later, bit for bit; not a copy."""

    def played(self, slots: NDArray[np.int64]) -> Floats:
        """Return the current strategy at some slots: what the next iteration plays."""
        return self.memory()["strategy"][slots].astype(np.float64)

    def remembered(self, slots: NDArray[np.int64], count: NDArray[np.uint32]) -> tuple[Floats, Floats, Floats]:
        """Return the current strategy, regret sums, and sums of the average strategy of some infosets.

        ``slots`` are those of the first, then of the next; ``count`` says how many each has.
        """
        strategy, regret_sum, strategy_sum = (self.memory()[name][slots].astype(np.float64) for name in MEMORY)
        return strategy, regret_sum, strategy_sum

    def recall(self, memory: dict[str, NDArray[Any]], *, iteration: int) -> None:
        """Continue from what :meth:`memory` returned after ``iteration`` iterations.

        Raises
        ------
        SolutionError
            It is not the memory of such a run.
        """
        own = self.memory()
        if {name: (a.shape, a.dtype) for name, a in memory.items()} != {
            name: (a.shape, a.dtype) for name, a in own.items()
        }:
            raise SolutionError(f"The saved run holds other arrays than a run on {self.form.name} does. Start afresh.")
        for name, array in memory.items():
            own[name][:] = array
        self.iteration = iteration


class SequenceCFR(FullWidthCFR):
    """Full-width CFR on a sequence form.

    Parameters
    ----------
    form : SequenceForm
        The game.
    algorithm, alternating, horizon, precision
        As for :class:`FullWidthCFR`.
    track_play : bool, optional
        Whether :meth:`plan_regrets` can be asked for. By default for all games but those of one player and the
        zero-sum ones of two. It costs a payoff pass for each player but the first where updates alternate.
    """

    form: SequenceForm

    def __init__(
        self,
        form: SequenceForm,
        algorithm: Algorithm,
        *,
        alternating: bool = True,
        horizon: int | None = None,
        track_play: bool | None = None,
        precision: str = "float64",
    ) -> None:
        super().__init__(algorithm, alternating=alternating, horizon=horizon, precision=precision)
        self.form = form
        if track_play is None:
            track_play = promises_correlated(form.players, zero_sum=form.zero_sum)
        self.tracks_play = track_play
        arrays = {name: zeros(form.length, precision if name in MEMORY else np.float64) for name in State._fields}
        self.state = State(**arrays | ({} if track_play else {"deviation_sum": np.zeros(0)}))
        self.state.strategy[:] = average_from_sums(form, np.zeros(form.length))
        self._spread()

    def _spread(self) -> None:
        for player in range(self.form.players):
            kernels.spread_reach(self.form.treeplex, player, self.state.strategy, self.state.reach)

    def _iterate(self, steps: Steps) -> None:
        predict = float(self.algorithm.predict)
        kernels.iterate(self.form.treeplex, self.form.payoff, self.state, steps, predict, self.lowest, self.alternating)

    def average_strategy(self) -> Floats:
        """Return the average strategy, a probability for each slot (that of empty sequences means nothing)."""
        return average_from_sums(self.form, self.state.strategy_sum)

    def certificate(self) -> Certificate:
        """Return what is known exactly about the average strategy."""
        return certify(self.form, self.average_strategy())

    def plan_regrets(self) -> tuple[float, ...]:
        """Return how much more each player's best plan would have earned than their play did; payoff per game.

        The play is the profile at the start of each iteration, weighted as in the average strategy:

            max over plans σ' of Σ_t w_t (u(σ', σ^t of the others) − u(σ^t)) / Σ_t w_t

        The largest of these is the distance of the play from a coarse correlated equilibrium, ``cce_distance``: no
        player would gain more by leaving the play for any plan of their own, chosen beforehand. It can be negative:
        then following the play is better than any such plan. At least one iteration must have been run.
        """
        if not self.tracks_play:
            raise ValueError("The play is not tracked: give track_play=True.")
        treeplex, deviation_sum = self.form.treeplex, self.state.deviation_sum.copy()
        regrets = []
        for player in range(self.form.players):
            first = int(treeplex.first_slot[player])
            deviation_sum[first] = deviation_sum[first : first + LANES].sum()
            total = kernels.best_response(treeplex, player, deviation_sum, np.ones(self.form.length))
            regrets.append(float(total / self.state.strategy_sum[first]))  # reach 1, each time: the sum of the weights
        return tuple(regrets)

    def cce_distance(self) -> float | None:
        """Return the largest of the :meth:`plan_regrets`, or None where they are not tracked."""
        return max(self.plan_regrets()) if self.tracks_play else None

    def memory(self) -> dict[str, NDArray[Any]]:
        """Return what must be kept to continue later, bit for bit; not a copy."""
        return {name: getattr(self.state, name) for name in (TRACKED_MEMORY if self.tracks_play else MEMORY)}

    def recall(self, memory: dict[str, NDArray[Any]], *, iteration: int) -> None:
        """Continue from what :meth:`memory` returned, as :meth:`FullWidthCFR.recall` does."""
        super().recall(memory, iteration=iteration)
        self._spread()
