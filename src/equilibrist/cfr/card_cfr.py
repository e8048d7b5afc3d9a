"""CFR on a card form: the same algorithms, with vectors of hands at each node of the betting tree on each board."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import LANES, zeros
from .._util.arrays import Floats
from ..form.cards.form import CardForm
from ..form.idle import borrowed_walker
from ..strategy.slots import SlotStrategy
from ..strategy.strategy import Strategy
from .algorithms import Algorithm, Steps
from .card_kernels import iterate
from .card_tables import CardScales, CardTables, blocks_of, make_scales
from .full_width import FullWidthCFR
from .solver import InfosetState


def keeps_strategy(algorithm: Algorithm, alternating: bool) -> bool:
    """Return whether the current strategy is stored, because it does not follow from the regret sums."""
    return algorithm.predict != 0 or not alternating


class CardCFR(FullWidthCFR):
    """Full-width CFR on a card form.

    The current strategy follows from the regret sums and is not stored, but for algorithms that predict and where both
    players update at once. Regrets are those of a hand that is held, without the probability that it is dealt.

    Parameters
    ----------
    form : CardForm
        The game.
    algorithm, alternating, horizon
        As for :class:`~equilibrist.cfr.tabular.TabularCFR`.
    precision : {"float64", "float32", "int16"}
        How the tables are stored; ``"int16"`` with a scale for each eight infosets.
    threads : int
        How many threads walk the boards; changes nothing in the result.
    """

    form: CardForm

    def __init__(
        self,
        form: CardForm,
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
        self._regret_sum, self._strategy_sum = zeros(form.length, precision), zeros(form.length, precision)
        kept = form.length if keeps_strategy(algorithm, alternating) else 0
        self._strategy = zeros(kept, precision)  # all 0: played uniformly
        self._following = self._strategy if alternating else zeros(kept, precision)
        self._scales: CardScales | None = make_scales(form.arrays) if precision == "int16" else None
        self._keep_locks()

    @classmethod
    def bytes_per_slot(cls, algorithm: Algorithm, *, alternating: bool, precision: str) -> float:
        """Return how many bytes a solver keeps for each slot: two tables, and the strategy where it does not follow."""
        strategies = keeps_strategy(algorithm, alternating) + (not alternating)
        scales = 2 * 4 / (2 * LANES) if precision == "int16" else 0  # at nodes of two actions
        return (2 + strategies) * np.dtype(precision).itemsize + scales

    def _iterate(self, steps: Steps) -> None:
        with borrowed_walker(self.form, threads=self.threads) as walker:
            by_turns = walker.apart or self.form.locks is not None
            if self.alternating and not by_turns:
                walker.walk(iterate, self._kernel_tables(), (0, 2), steps, self.constants, self._scales)
                return
            for t in range(len(steps.discount_average)):
                step = Steps(*(scalars[t : t + 1] for scalars in steps))
                for turn in ((0, 1), (1, 2)) if by_turns else ((0, 2),):
                    walker.walk(iterate, self._kernel_tables(), turn, step, self.constants, self._scales)
                    self._keep_locks()
                if not self.alternating:
                    self._strategy, self._following = self._following, self._strategy

    def _keep_locks(self) -> None:
        """Write the strategies that are fixed to all tables, of which an infoset plays its shares."""
        locks = self.form.locks
        if locks is not None:
            for table in (self._regret_sum, self._strategy_sum, self._strategy, self._following):
                if len(table):
                    table[locks.slots] = locks.weights if table.dtype == np.int16 else locks.probabilities

    def strategy(self) -> Strategy:
        """Return the average strategy, whose probabilities and names are made when somebody asks for them."""
        return SlotStrategy(self.form, self._strategy_sum)

    def _kernel_tables(self) -> CardTables:
        played = self._strategy if len(self._strategy) else self._regret_sum
        return CardTables(played, self._regret_sum, self._strategy_sum, self._following)

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        """The arrays that continue a run, by name: of a number a slot, and what those of 16 bits are scaled by."""
        stored = {"strategy": self._strategy} if len(self._strategy) else {}
        tables = {**stored, "regret_sum": self._regret_sum, "strategy_sum": self._strategy_sum}
        if self._scales is None:
            return tables
        return tables | {"regret_scale": self._scales.regret_sum, "strategy_scale": self._scales.strategy_sum}

    def plays_probabilities(self) -> bool:
        """Return True: shares of a total are played."""
        return True

    def _current(self) -> Floats:
        """Return the current strategy at all slots."""
        if len(self._strategy):
            return self.form.average_from_sums(self._strategy)
        _, _, rounding = self.constants
        return self.form.average_from_sums(np.where(self._regret_sum > rounding, self._regret_sum, 0))

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        """Return the current strategy, which the next iteration plays, at some slots of the tables."""
        found: Floats = self._current()[slots]
        return found

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        """Return current strategy, regret sums and average sums of some infosets, as :meth:`Solver.state_at`."""
        regrets, sums = (table[slots].astype(np.float64) for table in (self._regret_sum, self._strategy_sum))
        if self._scales is not None:
            blocks = blocks_of(self.form.arrays, self._scales, slots)
            regrets, sums = regrets * self._scales.regret_sum[blocks], sums * self._scales.strategy_sum[blocks]
        return InfosetState(self._current()[slots], regrets, sums)
