"""Local minimisers: what makes the next strategy of an infoset from the counterfactual values of its actions.

Kernels read the *rules* of some iterations, a record, and are compiled for its class. To add a minimiser, define a
class of records with these methods, and a :class:`LocalMinimiser` that makes them, as :mod:`.regret_matching` does. All
are of an action of an infoset; kernels call them with one number for each argument, or with eight infosets side by side
(:mod:`equilibrist._jit.simd`):

====================================================  ================================================================
``rule_at(rules, t)``                                 the rule of iteration t, counted from 0: a new record of the same
                                                      class, with a number in the place of each array
``rule_with(rules, t, positive, negative)``           the same, but these are what regret sums above and below 0 are
                                                      multiplied by: samples and pruned walks make up for many
                                                      iterations at once
``reference_value(rule, value, sum_values, uniform)`` what the value of an action is compared with: their difference
                                                      is the instant regret. ``value`` is that of the strategy that was
                                                      played, Σ σ(a) v(a); ``sum_values`` is Σ v(a), ``uniform`` 1 ÷ the
                                                      number of actions
``update_regret(rule, regret_sum, instant_regret)``   the new regret sum, which is all that is kept for the next
                                                      iteration, and the action's share of the next strategy
``no_shares(rule, zero)``                             the total of no shares, from 0.0 (or eight of them)
``add_share(rule, total, share)``                     the total with one share more
``next_probability(rule, share, total, uniform)``     the probability of an action in the next strategy
====================================================  ================================================================

Values and regrets are counterfactual: payoff × the probability that chance and the others come there. On card forms the
probability of the own hand is left out, and samples give unbiased estimates. A share may be any number, and a total
anything that the functions understand: the shares of regret matching are positive regrets and their total is the sum,
those of a softmax may be logits and their total a largest one and a sum.

A record needs a field ``rounding``: totals of weights up to which an infoset plays uniformly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from .._jit.compile import by_type
from .algorithms import Algorithm, Steps

rule_at = by_type("rule_at")
rule_with = by_type("rule_with")
reference_value = by_type("reference_value")
update_regret = by_type("update_regret")
no_shares = by_type("no_shares")
add_share = by_type("add_share")
next_probability = by_type("next_probability")


class LocalMinimiser(ABC):
    """What is played at each infoset: regret matching, or another that :mod:`equilibrist.cfr.minimiser` describes.

    ``plays_regrets`` says whether an infoset plays the shares of the positive ones among its regret sums, so that card
    forms need not store the strategy where nothing is predicted.
    """

    plays_regrets = False

    @abstractmethod
    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> Any:
        """Return the rules of the iterations of ``steps``, a record: arrays, shape (iterations,), and numbers that
        stay.
        """


def rules_of(rules: Any, t: int) -> Any:
    """Return the rules of iteration t alone, counted from 0."""
    return rules._make(field[t : t + 1] if isinstance(field, np.ndarray) else field for field in rules)
