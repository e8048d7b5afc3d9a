"""Regret matching with discounts, floors and predictions: the update rule of all variants of CFR."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import record
from .._jit.simd import maximum, where_positive
from .._util.arrays import Floats
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser


@record
class RegretMatchingRule(NamedTuple):
    """The scalars of one iteration (:mod:`equilibrist.cfr.algorithms`) or of several: what tells algorithms apart."""

    # `discount_positive`, `discount_negative`: float, or float64 array of shape (iterations,): what positive and
    # negative regret sums are multiplied by before the instant regret is added
    discount_positive: float | Floats
    discount_negative: float | Floats
    # float, or float64 array of shape (iterations,): what the regret sum is multiplied by before the prediction is
    # added
    discount_predicted: float | Floats
    predict: float  # the weight of the prediction, which is the last instant regret
    floor: float  # the least that a regret sum can be: 0 or -inf
    # the total of the shares of an infoset up to which it plays uniformly, as if no regret were positive
    # (:func:`rounding_of_regrets`)
    rounding: float

    def rule_at(self, t):
        positive, negative = float(self.discount_positive[t]), float(self.discount_negative[t])
        predicted = float(self.discount_predicted[t])  # numbers of Python take the precision of what they meet
        return RegretMatchingRule(positive, negative, predicted, self.predict, self.floor, self.rounding)

    def rule_with(self, t, positive, negative):
        predicted = self.discount_predicted[t]
        return RegretMatchingRule(positive, negative, predicted, self.predict, self.floor, self.rounding)

    def reference_value(self, value, sum_values, uniform):
        return value

    def update_regret(self, regret_sum, instant_regret):
        """Return the new regret sum of an action and its share of the next strategy, still to be normalised.

        regret_sum = max(discount(sign of regret_sum) · regret_sum + instant_regret, floor)
        share = max(discount_predicted · regret_sum + predict · instant_regret, 0)
        """
        discounted = regret_sum * where_positive(regret_sum, self.discount_positive, self.discount_negative)
        regret_sum = maximum(discounted + instant_regret, self.floor)
        return regret_sum, maximum(regret_sum * self.discount_predicted + instant_regret * self.predict, 0.0)

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


def rounding_of_regrets(largest_payoff: float) -> float:
    """Return the positive regrets that are taken for rounding errors: 2^-44 of the largest payoff.

    Where regrets cancel exactly, sums in floating point leave some 2^-53 of the payoffs, above or below 0 by chance,
    and regret matching would play purely on that. What is taken for 0 is so little that it costs no more than that much
    regret for each infoset in the whole run; the sums themselves are kept as they are.
    """
    return 2.0**-44 * largest_payoff
