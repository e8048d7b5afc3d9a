"""Regret matching with discounts, floors and predictions: the update rule of all variants of CFR."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import record
from .._jit.simd import broadcast_like, load_like, maximum, where_positive
from .._util.arrays import Floats
from ..form.floors import NO_PAYMENTS, Payments, Terms, add_payments, empty_table
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser
from .powers import powers


@record
class RegretMatchingRule(NamedTuple):
    """The scalars of one iteration (:mod:`equilibrist.cfr.algorithms`) or of several: what tells algorithms apart.

    Attributes
    ----------
    discount_positive : float, or float64 array of shape (iterations,)
        What positive regret sums are multiplied by before the instant regret is added.
    discount_negative : float or float array
        The same for negative regret sums.
    discount_predicted : float, or float64 array of shape (iterations,)
        What the regret sum is multiplied by before the prediction is added.
    predict : float
        The weight of the prediction, which is the last instant regret.
    floor : float
        The least that a regret sum can be: 0 or -inf.
    rounding : float
        The total of the shares of an infoset up to which it plays uniformly, as if no regret were
        positive (:func:`regret_rounding`).
    payments : Payments
        What a player receives beside the payoffs.
    """

    discount_positive: float | Floats
    discount_negative: float | Floats
    discount_predicted: float | Floats
    predict: float
    floor: float
    rounding: float
    payments: Payments = NO_PAYMENTS

    def rule_at(self, t):
        positive = float(self.discount_positive[t])
        negative = float(self.discount_negative[t])
        # Numbers of Python take the precision of what they meet.
        predicted = float(self.discount_predicted[t])
        return RegretMatchingRule(
            positive,
            negative,
            predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
        )

    def rule_with(self, t, positive, negative):
        predicted = self.discount_predicted[t]
        return RegretMatchingRule(
            positive,
            negative,
            predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
        )

    def pay_at(self, player, values, at, slot, count):
        add_payments(self.payments, player, values, at, slot, count)

    def reference_value(self, value, sum_values, uniform):
        return value

    def update_regret(self, regret_sum, instant_regret):
        """Return the new regret sum of an action and its share of the next strategy, still to be normalised.

        regret_sum = max(discount(sign of regret_sum) · regret_sum + instant_regret, floor)
        share = max(discount_predicted · regret_sum + predict · instant_regret, 0)
        """
        discounted = regret_sum * where_positive(
            regret_sum, self.discount_positive, self.discount_negative
        )
        regret_sum = maximum(discounted + instant_regret, self.floor)
        return regret_sum, maximum(
            regret_sum * self.discount_predicted + instant_regret * self.predict, 0.0
        )

    def no_shares(self, zero):
        return zero

    def add_share(self, total, share):
        return total + share

    def next_probability(self, share, total, uniform):
        """Return the probability of an action from its share of the total: the same for all where that is rounding."""
        return where_positive(total - self.rounding, share / total, uniform)


class RegretMatching(LocalMinimiser):
    """Regret matching as the numbers of an :class:`~equilibrist.cfr.algorithms.Algorithm` say."""

    plays_regrets = True

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> RegretMatchingRule:
        discounts = steps.discount_positive, steps.discount_negative, steps.discount_predicted
        floor = 0.0 if algorithm.floor else -np.inf
        return RegretMatchingRule(*discounts, float(algorithm.predict), floor, rounding)


REGRET_MATCHING = RegretMatching()
"""What is played at each infoset where nothing else is asked for."""


@record
class FlooredRule(NamedTuple):
    """Regret matching within floors: σ = ε + (1 − nε) ρ, where ρ matches regrets r(a) = v(a) − Σ_b ρ(b) v(b).

    The regrets are those of ρ, not of σ, whose sum over ρ would not be 0 (Farina, Kroer & Sandholm
    2017). Σ ρ v is (Σ σ v − ε Σ v) ÷ (1 − nε), of n actions.

    Attributes
    ----------
    discount_positive : float or float array
        This and the following as in :class:`RegretMatchingRule`.
    discount_negative : float or float array
    discount_predicted : float or float array
    predict : float
    floor : float
    rounding : float
    payments : Payments
    least : float or float array
        ε of the strategy that is played: float, or float64 array of shape (iterations,), or of
        eight infosets.
    least_next : float or float array
        ε of the next strategy, likewise.
    free : float or float array
        1 − nε, which is left for ρ; 1 before the infoset is known.
    free_next : float or float array
        The same of the next strategy.
    table : float array
        At the slots: what ε is multiplied by there; or empty.
    """

    discount_positive: float | Floats
    discount_negative: float | Floats
    discount_predicted: float | Floats
    predict: float
    floor: float
    rounding: float
    payments: Payments
    least: float | Floats
    least_next: float | Floats
    free: float | Floats
    free_next: float | Floats
    table: Floats

    def rule_at(self, t):
        positive = float(self.discount_positive[t])
        negative = float(self.discount_negative[t])
        return FlooredRule(
            positive,
            negative,
            float(self.discount_predicted[t]),
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
            float(self.least[t]),
            float(self.least_next[t]),
            1.0,
            1.0,
            self.table,
        )

    def rule_with(self, t, positive, negative):
        return FlooredRule(
            positive,
            negative,
            self.discount_predicted[t],
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
            self.least[t],
            self.least_next[t],
            1.0,
            1.0,
            self.table,
        )

    def rule_at_slot(self, like, slot, actions):
        least = broadcast_like(like, self.least)
        following = broadcast_like(like, self.least_next)
        if len(self.table) > 0:
            by_slot = load_like(like, self.table, slot)
            least = by_slot * self.least
            following = by_slot * self.least_next
        return FlooredRule(
            self.discount_positive,
            self.discount_negative,
            self.discount_predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
            least,
            following,
            least * -float(actions) + 1.0,
            following * -float(actions) + 1.0,
            self.table,
        )

    def rule_of_infoset(self, actions):
        return FlooredRule(
            self.discount_positive,
            self.discount_negative,
            self.discount_predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
            self.least,
            self.least_next,
            1.0 - actions * self.least,
            1.0 - actions * self.least_next,
            self.table,
        )

    def reference_value(self, value, sum_values, uniform):
        return (value - sum_values * self.least) / self.free

    def next_probability(self, share, total, uniform):
        probability = where_positive(total - self.rounding, share / total, uniform)
        return probability * self.free_next + self.least_next

    def mixed(self, share, actions, like, slot):
        least = broadcast_like(like, self.least)
        if len(self.table) > 0:
            least = load_like(like, self.table, slot) * self.least
        return share * (least * -float(actions) + 1.0) + least


_SHARED = {
    "by_slot": ("table",),
    "pay_at": RegretMatchingRule.pay_at,
    "update_regret": RegretMatchingRule.update_regret,
    "no_shares": RegretMatchingRule.no_shares,
    "add_share": RegretMatchingRule.add_share,
    "next_share": RegretMatchingRule.next_probability,
}
for _name, _value in _SHARED.items():  # regrets are matched as they are without floors
    setattr(FlooredRule, _name, _value)


class FlooredRegretMatching(LocalMinimiser):
    """Regret matching within floors: ``least`` × iteration^-``decay``, × the numbers of ``table`` at the slots."""

    plays_regrets = True

    def __init__(self, least: float, decay: float = 0.0, table: Floats | None = None) -> None:
        self.least = least
        self.decay = decay
        self.table = empty_table() if table is None else table

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> FlooredRule:
        rule = REGRET_MATCHING.rules(algorithm, steps, rounding)
        least = self._floors_at(steps.iteration)
        following = self._floors_at(steps.iteration + 1)
        return FlooredRule(*rule, least, following, 1.0, 1.0, self.table)

    def _floors_at(self, iterations: Floats) -> Floats:
        return self.least * powers(iterations, -self.decay)

    def floors(self, iteration: int) -> Terms:
        least = float(self._floors_at(np.array([max(iteration, 1.0)]))[0])
        return Terms.of_floors(least, self.table)


def regret_rounding(largest_payoff: float) -> float:
    """Return the positive regrets that are taken for rounding errors: 2^-44 of the largest payoff.

    Where regrets cancel exactly, sums in floating point leave some 2^-53 of the payoffs, above or
    below 0 by chance, and regret matching would play purely on that. What is taken for 0 is so
    little that it costs no more than that much regret for each infoset in the whole run; the sums
    themselves are kept as they are.
    """
    return 2.0**-44 * largest_payoff
