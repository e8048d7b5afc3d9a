"""The update rule of CFR: one function for all solvers, for one action or for eight infosets side by side."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

from .._jit.compile import inlined
from .._jit.simd import maximum, where_positive


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
    """

    discount_positive: float
    discount_negative: float
    discount_predicted: float
    predict: float
    floor: float


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
def normalised(share, total, uniform):
    """Return the probability of an action from its share of the total: the same for all where the total is 0."""
    return where_positive(total, share / total, uniform)
