"""Full-width CFR by a rule of one's own, on every compiled game: values by the kernels of its form, the rest in NumPy.

An iteration for a player is, as in every paper:

    values of the actions while all play σ^t     by the kernel of an iteration, which is made to tell them
    state ← observe(state, σ^t, values, t)       at all infosets
    average ← average + t^γ · weights(state, t) · own reach · σ^t
    σ^(t+1) = strategy(state, t + 1)

Most rules have no ``weights``; then an iteration is added to the average with the values.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from ..form.sequence.passes import fill_reach
from .algorithms import Algorithm
from .compile_rule import CompiledRule
from .own_rule import OwnRule
from .regret_matching import REGRET_MATCHING
from .rule_batches import BatchedRule
from .rule_kernels import (
    SHAPE,
    SHAPE_OF_WEIGHTS,
    STATE,
    STRATEGY,
    VALUES,
    WEIGHTS,
    Sums,
    add_iteration,
    begin_turn,
    fill_own_reach,
    iterate_rule,
)
from .rule_seats import CompiledSeat, make_rule_seats
from .seats import make_seats
from .tabular import TabularCFR, refuse_locks
from .value_kernels import RULE_OF_VALUES, make_value_kernel

_CHUNK = 1024  # iterations whose discounts are computed at a time
_SLOTS = 4_000_000  # about as many are updated in one compiled call, in a fraction of a second

TurnArguments: TypeAlias = tuple[Any, Any, tuple[Floats, ...]]
"""The treeplex, the payoff and the tables of a turn."""


class RuleCFR(TabularCFR):
    """Full-width CFR by a rule of one's own, that of the algorithm."""

    def __init__(
        self, form: CompiledGame, algorithm: Algorithm, rule: OwnRule, **options: Any
    ) -> None:
        super().__init__(form, algorithm, **options)
        refuse_locks(form)
        self.rule = rule
        self.minimiser = REGRET_MATCHING  # whose floors are none
        self._kernel = make_value_kernel(form, threads=options.get("threads", 1))
        self._has_weights = rule.has_weights
        # Weights are those of infosets: there is no weight of an iteration for what is played together.
        self.tracks_play = self._kernel.tracks_play and not self._has_weights
        self._strategy = self._kernel.tables["strategy"]
        self._sums = Sums(zeros(form.length), zeros(form.length), np.ones(form.length + 1))
        self._strategy_sum = self._sums.strategy_sum
        if self._has_weights:  # an iteration fills room of its own, and is weighed from there
            self._strategy_sum = zeros(form.length)
        self._turn_arguments = self._make_turn_arguments()
        # At the slots, at each player's empty sequence, and the sum of the weights.
        tracked = form.length + form.players + 1 if self.tracks_play else 0
        self._deviation_sum = np.zeros(tracked)
        self._seats = make_seats(form)
        self._asked = BatchedRule(self.rule, form, self.game_name)
        self._rule_seats = make_rule_seats(form, self._asked, self._seats)
        for player in range(form.players):
            self._play(player, 1)

    def _make_turn_arguments(self) -> TurnArguments | None:
        """Return what :func:`.rule_kernels.begin_turn` takes, None where it is no sequence form."""
        passes = self._kernel.pass_arguments
        if passes is None:
            return None
        treeplex, payoff, reach, cf_value = passes
        sums = self._sums
        tables = (self._strategy, reach, sums.regret_sum, sums.strategy_sum, cf_value)
        return treeplex, payoff, tables

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        tables = {
            "strategy": self._strategy,
            "regret_sum": self._sums.regret_sum,
            "strategy_sum": self._strategy_sum,
        }
        if self.tracks_play:
            tables["deviation_sum"] = self._deviation_sum
        return tables

    def state_dict(self) -> dict[str, NDArray[Any]]:
        state = super().state_dict()
        for seat in self._rule_seats:
            state |= seat.state_dict()
        return state

    def average_weights(self) -> NDArray[Any]:
        if self.rule.last_iterate:
            return self._strategy
        return self._strategy_sum

    def run(self, iterations: int) -> None:
        iterations = self._iterations_left(iterations)
        while iterations > 0 and not self.should_stop():
            count = min(iterations, _CHUNK)
            steps = self.algorithm.steps(self._iteration + 1, count, horizon=self.horizon)
            if (
                self._asked.compiled is not None
                and self._turn_arguments is not None
                and not self.tracks_play
            ):
                self._run_compiled(
                    self._asked.compiled, self._turn_arguments, steps.discount_average
                )
            else:
                for discount in steps.discount_average.tolist():
                    self._iterate(self._iteration + 1, discount)
                    self._iteration += 1
                    if self.should_stop():
                        return
            iterations -= count

    def _run_compiled(
        self, rule: CompiledRule, turn_arguments: TurnArguments, discounts: Floats
    ) -> None:
        """Run an iteration for each discount of the sums of the average, in compiled calls on a sequence form."""
        seats = [seat for seat in self._rule_seats if isinstance(seat, CompiledSeat)]
        rooms = tuple(seat.room for seat in seats)
        states = tuple(seat.state for seat in seats)
        step = max(1, _SLOTS // (self.form.length + 1))
        weighted_sum = np.zeros(0)
        if self._has_weights:
            weighted_sum = self._strategy_sum
        for first in range(0, len(discounts), step):
            if first > 0 and self.should_stop():
                return
            place = np.array([self._iteration + 1, 0, -1, 0])
            part = discounts[first : first + step]
            try:
                outcome = iterate_rule(
                    turn_arguments,
                    rooms,
                    states,
                    rule,
                    part,
                    self.alternating,
                    weighted_sum,
                    place,
                )
            except Exception as error:  # of the user's methods
                self.rule.refuse_raised("a method", error)
            t, player, block, answer = place.tolist()
            self._iteration = t - 1
            if outcome == VALUES:
                seats[player].refuse_values(t)
            if outcome == STATE:
                self._asked.refuse_answer(seats[player].batches[block], answer, t)
            if outcome == STRATEGY:
                seats[player].refuse_strategy(t + 1)
            if outcome == SHAPE:
                self._asked.refuse_shape("strategy")
            if outcome == WEIGHTS:
                seats[player].refuse_weights(t)
            if outcome == SHAPE_OF_WEIGHTS:
                self._asked.refuse_shape("weights")

    def _iterate(self, t: int, discount: float) -> None:
        """Run iteration t; ``discount`` is that of the sums of the average."""
        players = range(self.form.players)
        turn_discount = discount
        if self._has_weights:
            turn_discount = 0.0  # of the sums: what is left is the iteration alone
        if self.tracks_play:
            self._add_to_deviations(discount)
        for player in players:
            seat = self._rule_seats[player]
            self._begin_turn(player, turn_discount, t)
            seat.learn(t)
            if self._has_weights:
                own_reach = self._sums.strategy_sum  # of this iteration alone
                seat.add_to_average(t, own_reach, discount, self._strategy_sum)
            if self.alternating:
                self._play(player, t + 1)
        for player in players if not self.alternating else ():
            self._play(player, t + 1)

    def _begin_turn(self, player: int, discount: float, t: int) -> None:
        """Fill the values of all actions of a player, and add what was played to the average."""
        if self._turn_arguments is not None:
            treeplex, payoff, tables = self._turn_arguments
            begin_turn(treeplex, payoff, player, tables, discount)
            values = tables[-1]
        else:
            if player == 0 or self.alternating:
                self._values = self._kernel.responses(RULE_OF_VALUES)
            values = self._values
            add_iteration(self._seats[player], self._strategy, values, discount, self._sums)
        self._rule_seats[player].take_values(values, t)

    def _play(self, player: int, t: int) -> None:
        """Fill the strategy of a player in place with what iteration t plays."""
        self._rule_seats[player].play(t, self._strategy)
        if self._turn_arguments is not None:
            treeplex, _, tables = self._turn_arguments
            fill_reach(treeplex, player, self._strategy, tables[1])
        else:
            self._kernel.follow_strategy(player)

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        super().load_state(state)
        for player, seat in enumerate(self._rule_seats):
            rule_state = {name: state[name] for name in seat.state_dict()}
            seat.load_state(rule_state, self._strategy)
            self._kernel.follow_strategy(player)

    def _add_to_deviations(self, discount: float) -> None:
        """Add what each sequence is paid against the play, less the value of the player's own play."""
        sums = self._deviation_sum
        sums *= discount
        sums[-1] += 1.0
        for player, seat in enumerate(self._seats):
            paid = np.zeros(self.form.length)
            at_root = self.form.fill_detached(self._strategy, player, paid)
            fill_own_reach(seat, self._strategy, self._sums.reach)
            own_reach = self._sums.reach[seat.slots]
            own_value = at_root + float((own_reach * paid[seat.slots]).sum())
            sums[: self.form.length] += paid
            sums[self.form.length + player] += at_root - own_value

    def plan_regrets(self) -> tuple[float, ...]:
        if not self.tracks_play:
            raise ValueError("The play is not tracked.")
        weight = self._deviation_sum[-1]
        regrets = []
        for player, seat in enumerate(self._seats):
            best = np.append(self._deviation_sum[: self.form.length], 0.0)
            best[-1] = self._deviation_sum[self.form.length + player]
            for infoset in seat.order[::-1]:
                slots = seat.slots[seat.first[infoset] : seat.first[infoset + 1]]
                best[seat.parent[infoset]] += best[slots].max()
            regrets.append(float(best[-1] / weight))
        return tuple(regrets)
