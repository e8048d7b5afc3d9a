"""Logit responses: each infoset plays softmax(logits), and the logits move towards q / τ, what its actions are worth.

Where nothing moves any more σ = softmax(q / τ) everywhere, with q conditional on the infoset: an
agent logit quantal response equilibrium (McKelvey & Palfrey 1998). Several may exist for a small
temperature τ; coming down from a large one, where there is one alone, leads to the one on the
principal branch.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import by_type, inlined, record
from .._jit.simd import broadcast_like, load_like, maximum, power_of_two, where_positive
from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from ..form.floors import empty_table
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser

_LEAST_EXPONENT = -700.0  # of e: probabilities below e^-700 are played as that, and none is ever 0
_LEAST_REACH = 1e-250
"""Of chance and the others: an infoset that they reach with less keeps its logits; nobody can tell what it is worth."""

_WHOLE = 1.5 * 2.0**52  # added and taken off again, it leaves the nearest whole number
_LOG2_E = 1.4426950408889634
_LN2 = 0.6931471805599453
_SQRT_2 = 1.4142135623730951
_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10
"""Their sum is log 2; the high part has zeros at the end, so that times a whole number it is exact."""


@inlined
def exponential(x):
    """Return e^x of lanes of float64 that are 0 or less, the same bits on every machine: x = n log 2 + r."""
    x = maximum(x, _LEAST_EXPONENT)
    n = (x * _LOG2_E + _WHOLE) - _WHOLE
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    # 1 + r + r²/2! + … + r^12/12!, with |r| at most log 2 / 2
    series = r * (1.0 / 479001600.0) + (1.0 / 39916800.0)
    series = series * r + (1.0 / 3628800.0)
    series = series * r + (1.0 / 362880.0)
    series = series * r + (1.0 / 40320.0)
    series = series * r + (1.0 / 5040.0)
    series = series * r + (1.0 / 720.0)
    series = series * r + (1.0 / 120.0)
    series = series * r + (1.0 / 24.0)
    series = series * r + (1.0 / 6.0)
    series = series * r + 0.5
    series = series * r + 1.0
    return (series * r + 1.0) * power_of_two(n)


@inlined
def _divide_above(x, y, least, power):
    """Divide lanes above ``least`` by 2^power, of whose logarithm the part ``y`` is known."""
    above = x - least
    return where_positive(above, x * 0.5**power, x), where_positive(above, y + _LN2 * power, y)


@inlined
def logarithm(x):
    """Return log x of lanes of float64 that are 1 or more, up to 2^31: x = 2^n z, with z from √½ to √2."""
    x, y = _divide_above(x, x * 0.0, 65536.0, 16)
    x, y = _divide_above(x, y, 256.0, 8)
    x, y = _divide_above(x, y, 16.0, 4)
    x, y = _divide_above(x, y, 4.0, 2)
    x, y = _divide_above(x, y, 2.0, 1)
    x, y = _divide_above(x, y, _SQRT_2, 1)
    s = (x - 1.0) / (x + 1.0)
    square = s * s
    # 2 artanh s = 2 (s + s³/3 + s⁵/5 + … + s^19/19)
    series = square * (1.0 / 19.0) + (1.0 / 17.0)
    series = series * square + (1.0 / 15.0)
    series = series * square + (1.0 / 13.0)
    series = series * square + (1.0 / 11.0)
    series = series * square + (1.0 / 9.0)
    series = series * square + (1.0 / 7.0)
    series = series * square + (1.0 / 5.0)
    series = series * square + (1.0 / 3.0)
    return y + (series * square + 1.0) * s * 2.0


fill_others_reach = by_type("fill_others_reach", lambda others, treeplex, player, reach: None)
fill_others_reach_at_node = by_type(
    "fill_others_reach_at_node", lambda others, scratch, depth: None
)
fill_others_reach_on_board = by_type(
    "fill_others_reach_on_board", lambda others, scratch, street, player: None
)
others_reach_at = by_type("others_reach_at")


@record
class QuantalRule(NamedTuple):
    """logits ← (1 − η) logits + η q / τ, where q is counterfactual value ÷ reach of chance and the others.

    Attributes
    ----------
    keep : float or float array
        1 − η: float, or float64 array of shape (iterations,), or of eight infosets.
    gain : float or float array
        η / τ before the reach is known, then η / τ ÷ reach: likewise.
    rounding : float
    others : object
        What tells the reach: a record of the form (:meth:`CompiledGame.others_reach`).
    """

    keep: float | Floats
    gain: float | Floats
    rounding: float
    others: Any

    def rule_at(self, t):
        return QuantalRule(float(self.keep[t]), float(self.gain[t]), self.rounding, self.others)

    def averages(self):
        return False

    def fill_others_reach(self, treeplex, player, reach):
        fill_others_reach(self.others, treeplex, player, reach)

    def fill_others_reach_at_node(self, scratch, depth):
        fill_others_reach_at_node(self.others, scratch, depth)

    def fill_others_reach_on_board(self, scratch, street, player):
        fill_others_reach_on_board(self.others, scratch, street, player)

    def rule_at_slot(self, like, slot, actions):
        return _rule_at_reach(self, like, others_reach_at(self.others, like, slot))

    def rule_at_row(self, like, slot, actions, table, row):
        return _rule_at_reach(self, table, load_like(table, table, row))

    def reference_value(self, value, sum_values, uniform):
        return value * 0.0

    def update_regret(self, regret_sum, instant_regret):
        """Return the new logit of an action, which is its share as well; the value of the action is what is given."""
        logit = regret_sum * self.keep + instant_regret * self.gain
        return logit, logit

    def no_shares(self, zero):
        """Return the largest logit and Σ e^(logit − largest), of no action."""
        return zero - 1e300, zero

    def add_share(self, total, share):
        above = share - total[0]
        smaller = exponential(where_positive(above, above * -1.0, above))
        return maximum(total[0], share), where_positive(
            above, total[1] * smaller + 1.0, total[1] + smaller
        )

    def next_probability(self, share, total, uniform):
        return exponential(share - total[0]) / total[1]


@inlined
def _rule_at_reach(rule, like, reach):
    """Return the rule of eight infosets that chance and the others reach with these probabilities."""
    test = reach - _LEAST_REACH
    keep = where_positive(test, broadcast_like(like, rule.keep), 1.0)
    gain = where_positive(test, broadcast_like(like, rule.gain) / reach, 0.0)
    return QuantalRule(keep, gain, rule.rounding, rule.others)


@record
class DilatedRule(NamedTuple):
    """logits ← (1 − η) logits + η v / τ, where v is counterfactual value, with τ × the entropy of what is played below.

    An infoset is worth Σ σ v − τ Σ σ log σ to those above it. Where v is without the weight of the
    hand that is held, τ is divided by it; hands that cannot be held are worth nothing.

    Attributes
    ----------
    keep : float or float array
        1 − η: float, or float64 array of shape (iterations,), or of eight infosets.
    gain : float or float array
        η / τ, likewise.
    rounding : float
    temperature : float or float array
    weights : float array
        At the slots (:meth:`CompiledGame.hand_weights`), or empty.
    """

    keep: float | Floats
    gain: float | Floats
    rounding: float
    temperature: float | Floats
    weights: Floats

    def rule_at(self, t):
        return DilatedRule(
            float(self.keep[t]), float(self.gain[t]), self.rounding, self.temperature, self.weights
        )

    def rule_at_slot(self, like, slot, actions):
        gain = broadcast_like(like, self.gain)
        temperature = broadcast_like(like, self.temperature)
        if len(self.weights) > 0:
            weight = load_like(like, self.weights, slot)
            gain = gain * weight
            temperature = where_positive(weight, temperature / weight, 0.0)
        return DilatedRule(self.keep, gain, self.rounding, temperature, self.weights)

    def no_shares(self, zero):
        """Return the largest logit, Σ e^(logit − largest), and the sum of these weighted by their exponents."""
        return zero - 1e300, zero, zero

    def add_share(self, total, share):
        above = share - total[0]
        smaller = exponential(where_positive(above, above * -1.0, above))
        weights = where_positive(above, total[1] * smaller + 1.0, total[1] + smaller)
        exponents = where_positive(
            above, (total[2] - total[1] * above) * smaller, total[2] + smaller * above
        )
        return maximum(total[0], share), weights, exponents

    def value_above(self, value, total):
        return value + (logarithm(total[1]) - total[2] / total[1]) * self.temperature


DilatedRule.by_slot = ("weights",)  # type: ignore[attr-defined]
_ALIKE = ("averages", "reference_value", "update_regret", "next_probability")
for _name in _ALIKE:  # only what is responded to differs
    setattr(DilatedRule, _name, vars(QuantalRule)[_name])


_LARGEST_STEP = 0.5
_FIRST_SHARE = 10.0  # η = this × τ ÷ the largest payoff, until it is found to be too much
# looks are 3 ÷ η iterations apart, and at least so many
_LOOK = 3.0
_LEAST_LOOK = 24
_TOO_SLOW = 0.9
_NEAR = 1e-3  # the gap at which the temperature falls
_ROUNDING = 1e-12  # a gap that no longer tells whether the steps are too long
_TEMPERATURE, _SHARE, _GAP, _NEXT_LOOK = range(4)


MIRROR_DESCENT = Algorithm("mmd", "Sokota et al. 2023")
"""Stands for the dynamics of this module where the name of an algorithm is shown: magnetic mirror descent on action
values, the magnet being uniform play.
"""


class QuantalResponse(LocalMinimiser):
    """Logit responses in steps and temperatures that follow from the gap, looked at from time to time.

    The temperature begins at the largest payoff, and falls by half whenever what is played differs
    by 0.001 at most from the responses to it. Steps η of the logits are in proportion to the
    temperature. As long as players do not answer each other too strongly they bring the gap down by
    1 − η an iteration; where it has not fallen within 3 / η iterations, steps are halved.

    Parameters
    ----------
    form : CompiledGame
        The game.
    temperature : float
        τ, payoff per game; with 0 it falls without end.
    dilated : bool
        Whether responses are to counterfactual values and the entropy of what follows, as
        :class:`DilatedRule` says.
    """

    last_iterate = True

    def __init__(self, form: CompiledGame, temperature: float, *, dilated: bool = False) -> None:
        self.temperature = temperature
        self._others = None if dilated else form.others_reach()
        self.divides_by_reach = not dilated
        self._weights = form.hand_weights() if dilated else empty_table()
        self._locked = form.locked_slots
        self._largest_payoff = form.largest_payoff or 1.0  # nobody is ever paid: any step will do
        self.state = np.array([max(temperature, self._largest_payoff), _FIRST_SHARE, 1.0, 0.0])
        self.state[_NEXT_LOOK] = self._iterations_to_look()

    @property
    def _step(self) -> float:
        return min(
            _LARGEST_STEP,
            float(self.state[_SHARE] * self.state[_TEMPERATURE]) / self._largest_payoff,
        )

    def _iterations_to_look(self) -> float:
        return float(max(_LEAST_LOOK, np.ceil(_LOOK / self._step)))

    def rules(
        self, algorithm: Algorithm, steps: Steps, rounding: float
    ) -> QuantalRule | DilatedRule:
        return self._make_rules(
            len(steps.iteration), self._step, float(self.state[_TEMPERATURE]), rounding
        )

    def _make_rules(
        self, count: int, step: float, temperature: float, rounding: float
    ) -> QuantalRule | DilatedRule:
        keep = np.full(count, 1 - step)
        gain = np.full(count, step / temperature)
        if self._others is None:
            return DilatedRule(keep, gain, rounding, temperature, self._weights)
        return QuantalRule(keep, gain, rounding, self._others)

    def steady(self, iteration: int) -> int:
        return int(self.state[_NEXT_LOOK]) - iteration

    def adapt(self, solver: Any) -> None:
        state = self.state
        gap = self._fixed_point_gap(solver, float(state[_TEMPERATURE]))
        if gap <= _NEAR and state[_TEMPERATURE] > self.temperature:
            state[_TEMPERATURE] = max(self.temperature, state[_TEMPERATURE] / 2)
            gap = 1.0  # the largest that there is
        elif gap > max(_ROUNDING, _TOO_SLOW * state[_GAP]):  # e^-3 of it is expected
            state[_SHARE] /= 2
        state[_GAP], state[_NEXT_LOOK] = gap, solver.iteration + self._iterations_to_look()

    def gap(self, solver: Any) -> float:
        """Return the largest |σ − softmax(q / τ)| over all infosets of what a solver plays, inf where τ is 0."""
        if self.temperature:
            return self._fixed_point_gap(solver, self.temperature)
        return np.inf

    def _fixed_point_gap(self, solver: Any, temperature: float) -> float:
        rules = self._make_rules(1, 1.0, temperature, 0.0)
        strategy: NDArray[Any] = solver.tables["strategy"]
        difference = np.abs(solver.responses(rules) - strategy)
        difference[self._locked] = 0.0
        return float(difference.max(initial=0.0))
