"""The update rule of CFR: one function for all solvers, for one action or for eight infosets side by side."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

from .._jit.compile import inlined
from .._jit.records import record
from .._jit.simd import maximum, where_positive


@record
class UpdateRule(NamedTuple):
    """The scalars of one iteration (:mod:`equilibrist.cfr.algorithms`): what makes one algorithm another.

    Attributes
    ----------
    discount_positive, discount_negative : float
        What positive and negative regret sums are multiplied by before the instant regret is added.
    discount_predicted : float
        What the regret sum is multiplied by before the prediction is added.
    predict : float
        The weight of the prediction, which is the last instant regret.
    floor : float
        The least that a regret sum can be: 0 or -inf.
    rounding : float
        The total of the shares of an infoset up to which it plays uniformly, as if no regret were positive
        (:func:`rounding_of_regrets`).
    """

    discount_positive: float
    discount_negative: float
    discount_predicted: float
    predict: float
    floor: float
    rounding: float


def rounding_of_regrets(largest_payoff: float) -> float:
    """Return the positive regrets that are taken for rounding errors: 2^-44 of the largest payoff.

    Where regrets cancel exactly, sums in floating point leave some 2^-53 of the payoffs, above or below 0 by chance,
    and regret matching would play purely on that. What is taken for 0 is so little that it costs no more than that much
    regret for each infoset in the whole run; the sums themselves are kept as they are.
    """
    return 2.0**-44 * largest_payoff


@inlined
def regret_matching(regret_sum, instant_regret, rule):
    """Return the new regret sum of an action and its share of the next strategy, still to be normalised.

    regret_sum = max(discount(sign of regret_sum) · regret_sum + instant_regret, floor)
    share = max(discount_predicted · regret_sum + predict · instant_regret, 0)
    """
    discounted = regret_sum * where_positive(regret_sum, rule.discount_positive, rule.discount_negative)
    regret_sum = maximum(discounted + instant_regret, rule.floor)
    return regret_sum, maximum(regret_sum * rule.discount_predicted + instant_regret * rule.predict, 0.0)


@inlined
def next_probability(share, total, uniform, rule):
    """Return the probability of an action from its share of the total: the same for all where that is rounding."""
    return where_positive(total - rule.rounding, share / total, uniform)


@inlined
def rule_at(steps, t, constants):
    """Return the rule of iteration t of some; ``constants`` are ``predict``, ``floor`` and ``rounding``."""
    predict, floor, rounding = constants
    return UpdateRule(
        steps.discount_positive[t], steps.discount_negative[t], steps.discount_predicted[t], predict, floor, rounding
    )
