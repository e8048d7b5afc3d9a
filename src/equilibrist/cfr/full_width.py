"""Full-width CFR: every iteration visits the whole game, for every algorithm of :mod:`equilibrist.cfr.algorithms`."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from .algorithms import Algorithm, Steps
from .tabular import STATE, TabularCFR

_CHUNK = 4096  # iterations whose scalars are computed at a time
_AHEAD = 64  # the least: to compute those of one takes as long as an iteration of a small game


class FullWidthCFR(TabularCFR):
    """Full-width CFR on a compiled game, by kernels that are given the scalars of many iterations.

    Parameters are those of :class:`~equilibrist.cfr.tabular.TabularCFR`.
    """

    _planned: tuple[int, Steps] | None = None  # the first iteration, and scalars from there on

    @classmethod
    def bytes_per_slot(cls, algorithm: Algorithm, *, alternating: bool, precision: str) -> float:
        """Return how many bytes a solver with these settings keeps for each slot of the form."""
        return len(STATE) * np.dtype(precision).itemsize

    def run(self, iterations: int) -> None:
        """Run that many more iterations, fewer if ``max_nodes`` are touched before. Running 3, then 4 is running 7."""
        iterations = self._iterations_left(iterations)
        while iterations > 0:
            count = min(_CHUNK, iterations)
            self._iterate(self._steps(count))
            self._iteration += count
            iterations -= count

    def _steps(self, count: int) -> Steps:
        """Return the scalars of the next iterations."""
        first = self.iteration + 1
        begin, steps = self._planned or (first, None)
        at = first - begin
        if steps is None or at < 0 or at + count > len(steps.discount_average):
            number = max(count, _AHEAD) if self.horizon is None else count  # no schedule goes on after its end
            at, steps = 0, self.algorithm.steps(first, number, horizon=self.horizon)
            self._planned = first, steps
        return Steps(*(scalars[at : at + count] for scalars in steps))

    @abstractmethod
    def _iterate(self, steps: Steps) -> None:
        """Run the iterations with these scalars."""
