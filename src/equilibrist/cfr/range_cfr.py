"""CFR on a form of three ranges: that of a sequence form, whose ends are paid by hands."""

from __future__ import annotations

from typing import Any

from .._util.arrays import Floats, Ints
from ..form.ranges.form import RangeForm
from ..form.responses import Values
from ..strategy.strategy import Strategy
from .algorithms import Algorithm
from .leaves import NO_PROBABILITIES, NO_SLOTS, iterate_above_leaves
from .regret_matching import REGRET_MATCHING
from .sequence_cfr import ONE_DISCOUNT, SequenceCFR, State


class RangeCFR(SequenceCFR):
    """Full-width CFR on a form of three ranges; parameters are those of :class:`SequenceCFR`.

    Threads share what is paid, in any number: the result has the same bits.
    """

    form: RangeForm

    def __init__(
        self, form: RangeForm, algorithm: Algorithm, *, threads: int = 1, **options: Any
    ) -> None:
        super().__init__(form, algorithm, **options)
        if self.minimiser is not REGRET_MATCHING:
            raise form.not_served("floors, logit responses and models of opponents are")
        self.threads = threads
        self._locked: tuple[Ints, Floats] = NO_SLOTS, NO_PROBABILITIES
        if form.locks is not None:
            self._locked = form.locks
            self.state.strategy[form.locks.slots] = form.locks.probabilities
            self._fill_reach()

    def _iterate(self, rules: Any, average_discounts: Floats) -> None:
        self._iterate_on(self.state, rules, average_discounts, self.alternating)

    def _iterate_on(
        self, state: State, rules: Any, average_discounts: Floats, alternating: bool
    ) -> None:
        """Run iterations that change a state in place."""
        iterate_above_leaves(
            self.form.leaf_values.with_threads(self.threads),
            self.form.treeplex,
            self._payoff,
            state,
            rules,
            average_discounts,
            alternating,
            *self._locked,
        )

    def responses(self, rules: Any) -> Floats:
        scratch = self._copy_state()
        self._iterate_on(scratch, rules, ONE_DISCOUNT, False)
        return scratch.strategy.copy()

    def strategy(self) -> Strategy:
        """Return the average strategy, whose probabilities and names are made when somebody asks for them."""
        return Strategy.from_weights(self.form, self.state.strategy_sum)

    def values(self, *, within_floors: bool = False) -> Values:
        return self.form.values(self.average_strategy(), threads=self.threads)
