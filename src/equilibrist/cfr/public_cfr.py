"""CFR on a public form: the same algorithms, with a vector of hands at every public node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Floats
from ..form.public.form import PublicForm
from ..form.public.passes import normalise
from .algorithms import Algorithm
from .full_width import FullWidthCFR
from .minimiser import select_rules
from .public_kernels import Tables, list_turns, update_walk
from .tabular import STATE, SUM_TOLERANCE


class PublicCFR(FullWidthCFR):
    """Full-width CFR on a public form; parameters are those of :class:`~equilibrist.cfr.full_width.FullWidthCFR`."""

    form: PublicForm

    def __init__(self, form: PublicForm, algorithm: Algorithm, **options: Any) -> None:
        super().__init__(form, algorithm, **options)
        self._make_tables()
        with form.walkers.acquire() as walker:  # uniform
            normalise(
                form.public,
                walker.scratch,
                form.root,
                0,
                self._tables.regret_sum,
                self._tables.strategy,
            )

    def _make_tables(self) -> None:
        self._tables = Tables(*(zeros(self.form.length, self.stored) for _ in Tables._fields))
        if self.minimiser.last_iterate:
            self._tables = self._tables._replace(strategy_sum=self._tables.strategy)

    def _iterate(self, rules: Any, average_discounts: Floats) -> None:
        turns = list_turns(alternating=self.alternating)
        tables = self._tables
        with self.form.walkers.acquire(threads=self.threads, precision=self.stored) as walker:
            if not walker.apart:
                walker.walk(update_walk, tables, tables.strategy, turns, rules, average_discounts)
                return
            for t in range(len(average_discounts)):
                rule = select_rules(rules, t)
                discount = average_discounts[t : t + 1]
                for turn in range(len(turns)):
                    walker.walk(
                        update_walk, tables, tables.strategy, turns[turn : turn + 1], rule, discount
                    )

    def responses(self, rules: Any) -> NDArray[Any]:
        strategy = self._tables.strategy.copy()
        regret_sum = self._tables.regret_sum.copy()
        tables = Tables(strategy, regret_sum, strategy)
        turns = list_turns(alternating=False)
        with self.form.walkers.acquire(threads=self.threads, precision=self.stored) as walker:
            walker.walk(update_walk, tables, strategy, turns, rules, np.zeros(1))
        return strategy

    def plays_probabilities(self) -> bool:
        strategy = self._tables.strategy
        return bool(
            (np.abs(self.form.average_from_sums(strategy) - strategy) <= SUM_TOLERANCE).all()
        )

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self._tables, name) for name in STATE}
