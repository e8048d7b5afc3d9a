"""CFR on a sequence form: passes over all infosets, and how far the play is from a coarse correlated equilibrium."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import LANES, zeros
from .._jit.thread_team import ThreadTeam
from .._util.arrays import Floats
from ..errors import AlgorithmError
from ..form.sequence import passes
from ..form.sequence.form import SequenceForm
from ..form.sequence.leaves import LeafForm
from ..form.sequence.payoff.layout import convert_precision
from . import kernels
from .algorithms import Algorithm
from .full_width import FullWidthCFR
from .leaves import iterate_above_leaves
from .sequence_team import iterate_together, make_parts
from .solver import promises_correlated
from .tabular import STATE

LEAST_FOR_THREADS = 500_000
"""Slots from which on threads are worth it: an iteration has some 50 rounds, each of which costs microseconds."""

ONE_DISCOUNT = np.zeros(1)
_PARTS = 4  # of a pass, for each thread


class State(NamedTuple):
    """What CFR knows between iterations: arrays of one number a slot (``cf_value`` is scratch), in the run's precision.

    ``deviation_sum``, of float64, is empty where it is not tracked. Else it holds the weighted sum
    of the counterfactual values of each slot against the others' play, less, at the empty sequence,
    the value of the player's own play.
    """

    strategy: Floats
    reach: Floats
    regret_sum: Floats
    strategy_sum: Floats
    cf_value: Floats
    deviation_sum: Floats


class SequenceCFR(FullWidthCFR):
    """Full-width CFR on a sequence form; parameters are those of :class:`~equilibrist.cfr.full_width.FullWidthCFR`.

    ``track_play`` says whether :meth:`plan_regrets` can be asked for: by default for all games but
    those of one player and the zero-sum ones of two, unless the answer is what is played last. It
    costs a payoff pass for each player but the first where updates alternate. A game so small that
    threads would take longer than one is refused.
    """

    form: SequenceForm

    def __init__(
        self,
        form: SequenceForm,
        algorithm: Algorithm,
        *,
        threads: int = 1,
        track_play: bool | None = None,
        **options: Any,
    ) -> None:
        if threads > 1 and form.length < LEAST_FOR_THREADS:
            raise AlgorithmError(
                f"Threads share public states, or {LEAST_FOR_THREADS:,} actions and more, so "
                f"that threads={threads} would do nothing for {form.name} as a sequence form. "
                "Leave it out, or use form='public' (--form public) where the game says what is "
                "public.",
            )
        super().__init__(form, algorithm, threads=threads, **options)
        if track_play is None:
            averaged = not self.minimiser.last_iterate
            track_play = averaged and promises_correlated(form.players, zero_sum=form.zero_sum)
        self.tracks_play = track_play
        self._team = ThreadTeam(threads, _PARTS * threads) if threads > 1 else None
        self._make_tables()
        self.state.strategy[:] = form.average_from_sums(np.zeros(form.length))
        self._fill_reach()

    def _make_tables(self) -> None:
        self.__dict__.pop("_scratch", None)
        length = self.form.length
        arrays = {name: zeros(length, self.stored) for name in State._fields}
        if self.tracks_play:
            arrays["deviation_sum"] = zeros(length)
        else:
            arrays["deviation_sum"] = np.zeros(0)
        if self.minimiser.last_iterate:
            arrays["strategy_sum"] = arrays["strategy"]
        self.state = State(**arrays)
        self._payoff = convert_precision(self.form.payoff, self.stored)
        parts = _PARTS * self.threads
        self._parts = (
            make_parts(self.form.treeplex, self._payoff, parts) if self.threads > 1 else None
        )

    def _fill_tables(self, numbers: dict[str, NDArray[Any]]) -> None:
        super()._fill_tables(numbers)
        self._fill_reach()

    @classmethod
    def bytes_per_slot(cls, algorithm: Algorithm, precision: str, *, locked: bool = False) -> float:
        tables = super().bytes_per_slot(algorithm, precision, locked=locked)
        # Reach and values, and where the play is tracked.
        return tables + 2 * np.dtype(precision).itemsize + 8

    def _fill_reach(self) -> None:
        for player in range(self.form.players):
            passes.fill_reach(self.form.treeplex, player, self.state.strategy, self.state.reach)

    def _iterate(self, rules: Any, average_discounts: Floats) -> None:
        arguments = (
            self.form.treeplex,
            self._payoff,
            self.state,
            rules,
            average_discounts,
            self.alternating,
        )
        if self.form.asks_for_values:
            iterate_above_leaves(cast("LeafForm", self.form).leaf_values, *arguments)
        elif self._team is None:
            kernels.iterate(*arguments)
        else:
            members = self._team.members
            self._team.run(lambda k: iterate_together(*arguments, self._parts, members[k]))

    def follow_strategy(self, player: int) -> None:
        passes.fill_reach(self.form.treeplex, player, self.state.strategy, self.state.reach)

    @property
    def pass_arguments(self) -> tuple[Any, Any, Floats, Floats] | None:
        if self.form.asks_for_values or self._team is not None:
            return None
        return self.form.treeplex, self._payoff, self.state.reach, self.state.cf_value

    def responses(self, rules: Any) -> Floats:
        scratch = self._copy_state()
        kernels.iterate(self.form.treeplex, self._payoff, scratch, rules, ONE_DISCOUNT, False)
        return scratch.strategy.copy()

    def _copy_state(self) -> State:
        """Return what iterations may change instead of the state: it begins with the same numbers."""
        scratch = self._scratch
        scratch.strategy[:] = self.state.strategy
        scratch.reach[:] = self.state.reach
        scratch.regret_sum[:] = self.state.regret_sum
        return scratch

    @cached_property
    def _scratch(self) -> State:
        """What :meth:`responses` writes to: a strategy, reach and regret sums beside those of the run."""
        state = self.state
        return state._replace(
            strategy=state.strategy.copy(),
            reach=state.reach.copy(),
            regret_sum=state.regret_sum.copy(),
            deviation_sum=np.zeros(0),
        )

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        names = (*STATE, "deviation_sum") if self.tracks_play else STATE
        return {name: getattr(self.state, name) for name in names}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        super().load_state(state)
        self._fill_reach()

    def plan_regrets(self) -> tuple[float, ...]:
        if not self.tracks_play:
            raise ValueError("The play is not tracked: give track_play=True.")
        treeplex = self.form.treeplex
        deviation_sum = self.state.deviation_sum.copy()
        regrets = []
        for player in range(self.form.players):
            first = int(treeplex.first_slot[player])
            deviation_sum[first] = math.fsum(deviation_sum[first : first + LANES])
            total = passes.best_response(
                treeplex, player, deviation_sum, np.ones(self.form.length), self.form.response_terms
            )
            # Reach 1, each time: the sum of the weights.
            regrets.append(float(total / self.state.strategy_sum[first]))
        return tuple(regrets)
