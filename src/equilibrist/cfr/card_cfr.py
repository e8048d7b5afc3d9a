"""CFR on a card form: the same algorithms, with vectors of hands at each node of the betting tree on each board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Floats
from ..form.cards.form import CardForm
from ..form.cards.leaves import CardLeafForm
from ..form.cards.passes import values_from_sums
from ..form.cards.walker import CardWalker
from ..form.compiled_game import WalkerPool
from ..form.floors import NO_FLOORS
from ..form.responses import NO_TABLES, Values
from ..strategy.strategy import Strategy
from .algorithms import Algorithm
from .card_gadget import CardGadget, GadgetValues, initial_state, make_card_gadget
from .card_kernels import (
    FULL,
    CardScales,
    CardTables,
    Certificates,
    Iterations,
    find_scales,
    iterate,
    iterate_until,
    make_scales,
)
from .full_width import FullWidthCFR
from .minimiser import LocalMinimiser, select_rules
from .regret_matching import REGRET_MATCHING
from .solver import InfosetState

_PIECE = 1 << 20  # slots of which the scales are looked up at a time


def stores_strategy(algorithm: Algorithm, minimiser: LocalMinimiser = REGRET_MATCHING) -> bool:
    """Return whether the current strategy is stored, because it does not follow from the regret sums."""
    return algorithm.predict != 0 or not algorithm.alternating or not minimiser.plays_regrets


def regret_kind(algorithm: Algorithm, precision: str) -> str:
    """Return how regret sums are stored: in 8 bits beside averages of 16 bits, where none of them is below 0."""
    if _is_scaled(precision) and algorithm.floor:
        return "uint8"
    return precision


def _is_scaled(precision: str) -> bool:
    return np.dtype(precision).kind == "i"


class CardCFR(FullWidthCFR):
    """Full-width CFR on a card form; parameters are those of :class:`~equilibrist.cfr.full_width.FullWidthCFR`.

    The current strategy follows from the regret sums and is not stored, but for algorithms that
    predict and where both players update at once. Regrets are those of a hand that is held, without
    the probability that it is dealt. Tables of precision ``"int16"`` have a scale for each node on
    a board; of algorithms that cut regret sums at 0, those are whole numbers of 8 bits.
    """

    form: CardForm

    def __init__(self, form: CardForm, algorithm: Algorithm, **options: Any) -> None:
        super().__init__(form, algorithm, **options)
        self._make_tables()
        self._decided = initial_state(form)
        self._above = make_card_gadget(form, self._decided)
        # Whose margins are per reach of a hand.
        picks = form.gadget is not None and form.gadget[1].picks
        self._is_conditional = self.minimiser.divides_by_reach or picks
        self._write_locks()

    def _make_tables(self) -> None:
        form = self.form
        stored = self.stored
        # Locks are written to this table, and their probabilities need 16 bits.
        short = self.minimiser.plays_regrets and form.locks is None
        self._regret_sum = zeros(
            form.length, regret_kind(self.algorithm, stored) if short else stored
        )
        if stores_strategy(self.algorithm, self.minimiser):
            length = form.length
        else:
            length = 0
        self._strategy = zeros(length, stored)  # all 0: played uniformly
        if self.minimiser.last_iterate:
            self._strategy_sum = self._strategy
        else:
            self._strategy_sum = zeros(form.length, stored)
        if self.alternating:
            self._following = self._strategy
        else:
            self._following = zeros(length, stored)
        scaled = _is_scaled(stored)
        self._scales: CardScales | None = (
            make_scales(form.arrays, self._regret_sum) if scaled else None
        )

    def _float_tables(self) -> dict[str, NDArray[Any]]:
        tables = self.tables
        if self._scales is None:
            return tables
        units = {"regret_sum": self._scales.regret_sum, "strategy_sum": self._scales.strategy_sum}
        numbers = {name: tables[name].astype(np.float64) for name in units}
        for first in range(0, self.form.length, _PIECE):
            slots = np.arange(first, min(first + _PIECE, self.form.length))
            scales = find_scales(self.form.arrays, self._scales, slots)
            for name, unit in units.items():
                numbers[name][slots] *= unit[scales]
        if "strategy" in tables:
            numbers["strategy"] = tables["strategy"] / FULL
        return numbers

    def _fill_tables(self, numbers: dict[str, NDArray[Any]]) -> None:
        super()._fill_tables(numbers)
        self._write_locks()  # which had no unit

    @property
    def _walkers(self) -> WalkerPool[CardWalker]:
        if self._is_conditional:
            return self.form.conditional_walkers
        return self.form.walkers

    @property
    def arithmetic(self) -> str:
        """The precision in which iterations compute: that of the tables, and float32 for those of whole numbers."""
        if np.dtype(self.stored).itemsize == 8:
            return "float64"
        return "float32"

    @classmethod
    def bytes_per_slot(cls, algorithm: Algorithm, precision: str, *, locked: bool = False) -> float:
        strategies = stores_strategy(algorithm) + (not algorithm.alternating)
        kinds = [
            precision if locked else regret_kind(algorithm, precision),
            *[precision] * (1 + strategies),
        ]
        return float(sum(np.dtype(kind).itemsize for kind in kinds))

    def _iterate(self, rules: Any, average_discounts: Floats) -> None:
        first = self.iteration + 1
        with self._walkers.acquire(threads=self.threads, precision=self.arithmetic) as walker:
            by_turns = walker.apart or self.form.locks is not None or self.form.asks_for_values
            if self.alternating and not by_turns:
                iterations = Iterations(rules, average_discounts, first, self._above)
                walker.walk(iterate, self._kernel_tables(), (0, 2), iterations, self._scales)
                return
            for t in range(len(average_discounts)):
                iteration = Iterations(
                    select_rules(rules, t), average_discounts[t : t + 1], first + t, self._above
                )
                for turn in ((0, 1), (1, 2)) if by_turns else ((0, 2),):
                    if self.form.asks_for_values:
                        if isinstance(self._above, CardGadget):
                            entering = self._above.entering
                        else:
                            entering = None
                        self._ask_leaves(self._current_strategy(), entering, turn[:1])
                    walker.walk(iterate, self._kernel_tables(), turn, iteration, self._scales)
                    self._write_locks()
                if not self.alternating:
                    self._strategy, self._following = self._following, self._strategy

    def _ask_leaves(
        self, strategy: Floats, entering: Floats | None, players: Sequence[int] = (0, 1)
    ) -> None:
        """Ask what leaves are worth to some players; ``entering`` is what is decided above."""
        above = self._above
        factor = None
        if isinstance(above, CardGadget) and entering is not None:
            factor = above.always + above.chosen * entering
        cast("CardLeafForm", self.form).leaf_values(strategy, factor, players)

    @property
    def slots_ahead(self) -> int:
        return max(self.form.length, 1)

    def run_until(self, looks: Sequence[int], threshold: float) -> list[Values]:
        alone = (
            self.threads == 1
            and self.alternating
            and self.form.locks is None
            and self.form.gadget is None
        )
        alone = alone and not self.form.asks_for_values
        if not looks or not alone or self.minimiser.steady(self.iteration) < looks[-1]:
            return []
        self.refine_tables()
        if looks[-1] > self.serves_until:
            return []
        first = self.iteration
        if self._is_conditional:
            game = self.form.conditional
        else:
            game = self.form.arrays
        steps = self._steps(looks[-1] - first)
        rules = self.minimiser.rules(self.algorithm, steps, self._regret_rounding)
        after = np.array(looks) - first
        sums = np.zeros((len(looks), 2, 4))
        passed = np.zeros(1, np.int64)
        # Their scratch takes several times what the tables do: of thousands of games, none keeps
        # its own.
        walker = CardWalker(game, self.arithmetic)
        other = CardWalker(game)
        certificates = Certificates(
            after, threshold, other.scratch, other.span, NO_TABLES, NO_FLOORS, sums, passed
        )
        iterations = Iterations(rules, steps.discount_average, first + 1)
        walker.walk(iterate_until, self._kernel_tables(), iterations, certificates, self._scales)
        self._iteration = looks[int(passed[0]) - 1]
        self.check_numbers()
        return [values_from_sums(game, iteration_sums) for iteration_sums in sums[: int(passed[0])]]

    def values(self, *, within_floors: bool = False) -> Values:
        self.check_numbers()
        if self._gadget_values is None:
            return super().values(within_floors=within_floors)
        if self.form.asks_for_values and isinstance(self._above, CardGadget):
            entered, total = np.split(self._above.decision_sum, [-1])
            self._ask_leaves(
                self.form.average_from_sums(self._strategy_sum),
                entered / max(float(total[0]), 1e-300),
            )
        return self._gadget_values(self._strategy_sum)

    @cached_property
    def _gadget_values(self) -> GadgetValues | None:
        if isinstance(self._above, CardGadget):
            return GadgetValues(self.form, self._above)
        return None

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return super().state_dict() | ({"decided": self._decided} if len(self._decided) else {})

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        super().load_state(state)
        if len(self._decided):
            self._decided[:] = state["decided"]

    def responses(self, rules: Any) -> NDArray[Any]:
        following = zeros(self.form.length, self.stored)
        scratch = self._regret_sum.copy()
        tables = CardTables(self._strategy, scratch, scratch, following)
        with self._walkers.acquire(threads=self.threads, precision=self.arithmetic) as walker:
            for turn in ((0, 1), (1, 2)) if walker.apart else ((0, 2),):
                walker.walk(iterate, tables, turn, Iterations(rules, np.zeros(1), 1), self._scales)
        return following

    def _write_locks(self) -> None:
        """Write the strategies that are fixed to all tables, of which an infoset plays its shares."""
        locks = self.form.locks
        if locks is not None:
            for table in (self._regret_sum, self._strategy_sum, self._strategy, self._following):
                if len(table):
                    if _is_scaled(self.stored):
                        table[locks.slots] = locks.weights
                    else:
                        table[locks.slots] = locks.probabilities

    def strategy(self) -> Strategy:
        """Return the average strategy, whose probabilities and names are made when somebody asks for them."""
        return Strategy.from_weights(self.form, self._strategy_sum)

    def _kernel_tables(self) -> CardTables:
        if len(self._strategy):
            played = self._strategy
        else:
            played = self._regret_sum
        return CardTables(played, self._regret_sum, self._strategy_sum, self._following)

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        if len(self._strategy):
            stored = {"strategy": self._strategy}
        else:
            stored = {}
        tables = {**stored, "regret_sum": self._regret_sum, "strategy_sum": self._strategy_sum}
        if self._scales is None:
            return tables
        return tables | {
            "regret_scale": self._scales.regret_sum,
            "strategy_scale": self._scales.strategy_sum,
        }

    def plays_probabilities(self) -> bool:
        """Return True: shares of a total are played."""
        return True

    def _current_strategy(self) -> Floats:
        stored = len(self._strategy) > 0
        if stored:
            weights = self._strategy
        else:
            weights = np.where(self._regret_sum > self._regret_rounding, self._regret_sum, 0)
        shares = self.form.average_from_sums(weights)
        floors = self.minimiser.floors(self.iteration + 1)
        if floors is NO_FLOORS:
            return shares
        return floors.mix(shares, self.form.average_from_sums(np.zeros(len(shares))))

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        return self._current_strategy()[slots]

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        regrets, sums = (
            table[slots].astype(np.float64) for table in (self._regret_sum, self._strategy_sum)
        )
        if self._scales is not None:
            scales = find_scales(self.form.arrays, self._scales, slots)
            regrets = regrets * self._scales.regret_sum[scales]
            sums = sums * self._scales.strategy_sum[scales]
        return InfosetState(self._current_strategy()[slots], regrets, sums)
