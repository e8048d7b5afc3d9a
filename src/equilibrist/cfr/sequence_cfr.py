"""CFR on a sequence form: passes over all infosets, and how far the play is from a coarse correlated equilibrium."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import LANES, zeros
from .._jit.team import TeamOfThreads
from .._util.arrays import Floats
from ..errors import AlgorithmError
from ..form import passes
from ..form.sequence import SequenceForm
from . import kernels
from .algorithms import Algorithm, Steps
from .full_width import FullWidthCFR
from .sequence_team import iterate_together, make_parts
from .solver import promises_correlated
from .tabular import STATE

LEAST_FOR_THREADS = 500_000
"""Slots from which on threads are worth it: an iteration has some 50 rounds, each of which costs microseconds."""

_PARTS = 4  # of a pass, for each thread


class State(NamedTuple):
    """What CFR knows between iterations: arrays of one number a slot (``cf_value`` is scratch).

    ``deviation_sum`` is empty where it is not tracked. Else it holds the weighted sum of the counterfactual values of
    each slot against the others' play, less, at the empty sequence, the value of the player's own play.
    """

    strategy: Floats
    reach: Floats
    regret_sum: Floats
    strategy_sum: Floats
    cf_value: Floats
    deviation_sum: Floats


class SequenceCFR(FullWidthCFR):
    """Full-width CFR on a sequence form.

    Parameters
    ----------
    form : SequenceForm
        The game.
    algorithm, alternating, horizon, precision
        As for :class:`~equilibrist.cfr.tabular.TabularCFR`.
    threads : int
        How many threads share the passes; changes nothing in the result.
    track_play : bool, optional
        Whether :meth:`plan_regrets` can be asked for. By default for all games but those of one player and the
        zero-sum ones of two. It costs a payoff pass for each player but the first where updates alternate.

    Raises
    ------
    AlgorithmError
        The game is so small that threads would take longer than one.
    """

    form: SequenceForm

    def __init__(
        self,
        form: SequenceForm,
        algorithm: Algorithm,
        *,
        alternating: bool = True,
        horizon: int | None = None,
        threads: int = 1,
        precision: str = "float64",
        track_play: bool | None = None,
    ) -> None:
        if threads > 1 and form.length < LEAST_FOR_THREADS:
            raise AlgorithmError(
                f"Threads share public states, or {LEAST_FOR_THREADS:,} actions and more, so that threads={threads} "
                f"would do nothing for {form.name} as a sequence form. Leave it out, or use form='public' (--form "
                "public) where the game says what is public.",
                wrong_use=True,
            )
        super().__init__(form, algorithm, alternating=alternating, horizon=horizon, precision=precision)
        if track_play is None:
            track_play = promises_correlated(form.players, zero_sum=form.zero_sum)
        self.tracks_play = track_play
        arrays = {name: zeros(form.length, precision if name in STATE else np.float64) for name in State._fields}
        self.state = State(**arrays | ({} if self.tracks_play else {"deviation_sum": np.zeros(0)}))
        self.state.strategy[:] = form.average_from_sums(np.zeros(form.length))
        self._fill_reach()
        self.threads, parts = threads, _PARTS * threads
        self._team = TeamOfThreads(threads, parts) if threads > 1 else None
        self._parts = make_parts(form.treeplex, form.payoff, parts) if threads > 1 else None

    @classmethod
    def bytes_per_slot(cls, algorithm: Algorithm, *, alternating: bool, precision: str) -> float:
        """Return how many bytes a solver keeps for each slot: what is no table is in float64."""
        tables = super().bytes_per_slot(algorithm, alternating=alternating, precision=precision)
        return tables + 8 * (len(State._fields) - len(STATE))

    def _fill_reach(self) -> None:
        for player in range(self.form.players):
            passes.fill_reach(self.form.treeplex, player, self.state.strategy, self.state.reach)

    def _iterate(self, steps: Steps) -> None:
        what = self.form.treeplex, self.form.payoff, self.state, steps, self.constants, self.alternating
        if self._team is None:
            kernels.iterate(*what)
        else:
            members = self._team.members
            self._team.run(lambda k: iterate_together(*what, self._parts, members[k]))

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        """The arrays of a number a slot that continue a run, by name."""
        names = (*STATE, "deviation_sum") if self.tracks_play else STATE
        return {name: getattr(self.state, name) for name in names}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`state_dict` returned, as :meth:`TabularCFR.load_state`."""
        super().load_state(state)
        self._fill_reach()

    def plan_regrets(self) -> tuple[float, ...]:
        """Return each player's average regret for not having followed their best plan; payoff per game.

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
            deviation_sum[first] = math.fsum(deviation_sum[first : first + LANES])
            total = passes.best_response(treeplex, player, deviation_sum, np.ones(self.form.length))
            regrets.append(float(total / self.state.strategy_sum[first]))  # reach 1, each time: the sum of the weights
        return tuple(regrets)

    def cce_distance(self) -> float | None:
        """Return the largest of the :meth:`plan_regrets`, or None where they are not tracked."""
        return max(self.plan_regrets()) if self.tracks_play else None
