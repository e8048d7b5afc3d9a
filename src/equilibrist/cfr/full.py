"""Full-width CFR: every iteration visits the whole game, for every row of :mod:`equilibrist.cfr.algorithms`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..form.sequence import SequenceForm
from . import kernels
from .algorithms import Algorithm, Floats

_CHUNK = 4096  # iterations whose scalars are computed at a time


MEMORY = ("strategy", "regret_sum", "strategy_sum")
"""Names of the arrays that must be kept to continue later; the rest follows from them."""


class State(NamedTuple):
    """What CFR remembers between iterations: arrays of one number a slot (``cf_value`` is scratch)."""

    strategy: Floats
    reach: Floats
    regret_sum: Floats
    strategy_sum: Floats
    cf_value: Floats


def behaviour(form: SequenceForm, total: Floats) -> Floats:
    """Return the strategy that plays each slot by its share of its infoset's total; uniformly where there is none."""
    strategy = np.ones(form.length)
    kernels.normalise(form.treeplex, total, strategy)
    return strategy


class FullWidth:
    """CFR on a sequence form, stopped and continued at will.

    Parameters
    ----------
    form : SequenceForm
        The game.
    algorithm : Algorithm
        The row.
    alternating : bool
        Whether each player updates against the others' newest strategies, rather than all at once against the old.
    horizon : int, optional
        The planned number of iterations, for rows that are schedules.
    """

    def __init__(
        self, form: SequenceForm, algorithm: Algorithm, *, alternating: bool = True, horizon: int | None = None
    ) -> None:
        self.form = form
        self.algorithm = algorithm
        self.alternating = alternating
        self.horizon = horizon
        self.iteration = 0
        self.state = State(*(np.zeros(form.length) for _ in State._fields))
        self.state.strategy[:] = behaviour(form, np.zeros(form.length))
        self._spread()

    def _spread(self) -> None:
        for player in range(self.form.players):
            kernels.spread_reach(self.form.treeplex, player, self.state.strategy, self.state.reach)

    def run(self, iterations: int) -> None:
        """Run that many more iterations. Running 3 and then 4 gives the same bits as running 7."""
        lowest = 0.0 if self.algorithm.floor else -np.inf
        done = 0
        while done < iterations:
            count = min(_CHUNK, iterations - done)
            steps = self.algorithm.steps(self.iteration + 1, count, horizon=self.horizon)
            kernels.iterate(
                self.form.treeplex,
                self.form.payoff,
                self.state,
                steps,
                float(self.algorithm.predict),
                lowest,
                self.alternating,
            )
            self.iteration += count
            done += count

    @property
    def nodes_touched(self) -> int:
        """Histories that the textbook recursion would have visited: all, once a pass."""
        passes = self.form.players if self.alternating else 1
        return self.iteration * passes * self.form.histories

    def average_strategy(self) -> Floats:
        """Return the average strategy, a probability for each slot (that of empty sequences means nothing)."""
        return behaviour(self.form, self.state.strategy_sum)

    def memory(self) -> dict[str, Floats]:
        """Return what must be kept to continue later, bit for bit."""
        return {name: getattr(self.state, name) for name in MEMORY}

    def recall(self, memory: dict[str, Floats], *, iteration: int) -> None:
        """Continue from what :meth:`memory` returned after ``iteration`` iterations."""
        for name, array in memory.items():
            getattr(self.state, name)[:] = array
        self.iteration = iteration
        self._spread()
