"""CFR on a public form: the same algorithms, with a vector of hands at every public node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from ..form.idle import borrowed_walker
from ..form.public import PublicForm
from ..form.public_passes import normalise
from .algorithms import Algorithm, Steps
from .full_width import FullWidthCFR
from .public_kernels import Tables, list_turns, update_walk
from .tabular import STATE, SUM_TOLERANCE


class PublicCFR(FullWidthCFR):
    """Full-width CFR on a public form.

    Parameters
    ----------
    form : PublicForm
        The game.
    algorithm, alternating, horizon, precision
        As for :class:`~equilibrist.cfr.tabular.TabularCFR`.
    threads : int
        How many threads walk the tree; changes nothing in the result.
    """

    form: PublicForm

    def __init__(
        self,
        form: PublicForm,
        algorithm: Algorithm,
        *,
        alternating: bool = True,
        horizon: int | None = None,
        threads: int = 1,
        precision: str = "float64",
    ) -> None:
        super().__init__(
            form, algorithm, alternating=alternating, horizon=horizon, threads=threads, precision=precision
        )
        self._tables = Tables(*(zeros(form.length, precision) for _ in Tables._fields))
        with borrowed_walker(form) as walker:  # uniform
            normalise(form.public, walker.scratch, form.root, 0, self._tables.regret_sum, self._tables.strategy)

    def _iterate(self, steps: Steps) -> None:
        turns = list_turns(alternating=self.alternating)
        tables = self._tables
        with borrowed_walker(self.form, threads=self.threads) as walker:
            if not walker.apart:
                walker.walk(update_walk, tables, tables.strategy, turns, steps, self.constants)
                return
            for t in range(len(steps.discount_average)):
                step = Steps(*(scalars[t : t + 1] for scalars in steps))
                for turn in range(len(turns)):
                    walker.walk(update_walk, tables, tables.strategy, turns[turn : turn + 1], step, self.constants)

    def plays_probabilities(self) -> bool:
        """Return whether the current strategy sums to 1 at each infoset: then shares of it are the same."""
        strategy = self._tables.strategy
        return bool((np.abs(self.form.average_from_sums(strategy) - strategy) <= SUM_TOLERANCE).all())

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        """The arrays of a number a slot that continue a run, by name."""
        return {name: getattr(self._tables, name) for name in STATE}
