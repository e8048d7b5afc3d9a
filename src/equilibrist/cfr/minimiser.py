"""Local minimisers: what makes the next strategy of an infoset from the counterfactual values of its actions.

Kernels read the *rules* of some iterations, a record, and are compiled for its class. To add a
minimiser, define a class of records with these methods, and a :class:`LocalMinimiser` that makes
them, as :mod:`.regret_matching` does. All are of an action of an infoset; kernels call them with
one number for each argument, or with eight infosets side by side (:mod:`equilibrist._jit.simd`):

``rule_at(rules, t)``
    the rule of iteration t, counted from 0: a new record of the same class, with a number in
    the place of each array
``rule_with(rules, t, positive, negative)``
    the same, but these are what regret sums above and below 0 are multiplied by: samples and
    pruned walks make up for many iterations at once
``rule_at_slot(rule, like, slot, actions)``
    the rule of eight infosets, of whose action the slots begin there, with numbers of the
    precision of the array ``like``; without this method it is the same for all
``rule_of_infoset(rule, actions)``
    the same of one infoset, where samples are drawn
``averages(rule)``
    whether the average strategy is kept
``fill_others_reach(rule, treeplex, player, reach)``
    called before a player's infosets are updated, where a rule needs the reach of chance and
    the others; on public forms ``fill_others_reach_at_node(rule, scratch, depth)``, on card
    forms ``fill_others_reach_on_board(rule, scratch, street, player)``
``rule_at_row(rule, like, slot, actions, table, row)``
    on these two, the rule of eight hands, whose reach by the others the latter left there; by
    default ``rule_at_slot``
``add_to_values(rule, treeplex, player, reach, cf_value)``
    on sequence forms, called before a player's infosets are updated with what the payoffs add
    to the values of the slots: adds what players receive beside
``pay_at(rule, player, values, at, slot, count)``
    adds what a player receives beside the payoffs at so many slots from ``slot`` on to the
    values from ``at`` on; by default nothing
``reference_value(rule, value, sum_values, uniform)``
    what the value of an action is compared with: their difference is the instant regret.
    ``value`` is that of the strategy that was played, Σ σ(a) v(a); ``sum_values`` is Σ v(a),
    ``uniform`` 1 ÷ the number of actions
``pinned_value(rule, like, slot, value)``
    what is summed there instead of the value of an action, whose slots begin there
``placed(rule, like, slot, probability)``
    the probability that is stored, on sequence and public forms, in the place of the next one
    of a slot
``update_regret(rule, regret_sum, instant_regret)``
    the new regret sum, which is all that is kept for the next iteration, and the action's share
    of the next strategy
``no_shares(rule, zero)``
    the total of no shares, from 0.0 (or eight of them)
``add_share(rule, total, share)``
    the total with one share more
``next_probability(rule, share, total, uniform)``
    the probability of an action in the next strategy
``value_above(rule, value, total)``
    what the infoset is worth to those above it, if not the value of the strategy that was
    played; ``total`` is that of the new shares, where there is a next strategy to be stored

Values and regrets are counterfactual: payoff × the probability that chance and the others come
there. On card forms the probability of the own hand is left out, and samples give unbiased
estimates. A share may be any number, and a total anything that the functions understand: the shares
of regret matching are positive regrets and their total is the sum, those of a softmax may be logits
and their total a largest one and a sum.

A record needs a field ``rounding``: totals of weights up to which an infoset plays uniformly. Card
forms play what has the method ``mixed`` through it (:func:`equilibrist.form.cards.walk.play`), and
store, where they store the strategy, what goes into it: ``next_share(rule, share, total,
uniform)``, by default the next probability. All arrays are of shape (iterations,) but for those
that ``by_slot`` names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from .._jit.compile import by_type
from .._util.arrays import Floats
from ..form.floors import NO_FLOORS, Terms
from .algorithms import Algorithm, Steps

rule_at = by_type("rule_at")
rule_with = by_type("rule_with")
reference_value = by_type("reference_value")
update_regret = by_type("update_regret")
no_shares = by_type("no_shares")
add_share = by_type("add_share")
next_probability = by_type("next_probability")
rule_at_slot = by_type("rule_at_slot", lambda rule, like, slot, actions: rule)
rule_of_infoset = by_type("rule_of_infoset", lambda rule, actions: rule)
averages = by_type("averages", lambda rule: True)
fill_others_reach = by_type("fill_others_reach", lambda rule, treeplex, player, reach: None)
fill_others_reach_at_node = by_type("fill_others_reach_at_node", lambda rule, scratch, depth: None)
fill_others_reach_on_board = by_type(
    "fill_others_reach_on_board", lambda rule, scratch, street, player: None
)
add_to_values = by_type("add_to_values", lambda rule, treeplex, player, reach, cf_value: None)
pay_at = by_type("pay_at", lambda rule, player, values, at, slot, count: None)
rule_at_row = by_type(
    "rule_at_row",
    lambda rule, like, slot, actions, table, row: rule_at_slot(rule, like, slot, actions),
)
pinned_value = by_type("pinned_value", lambda rule, like, slot, value: value)
placed = by_type("placed", lambda rule, like, slot, probability: probability)
value_above = by_type("value_above", lambda rule, value, total: value)
next_share = by_type(
    "next_share",
    lambda rule, share, total, uniform: next_probability(rule, share, total, uniform),  # noqa: PLW0108 (for Numba)
)


class LocalMinimiser(ABC):
    """What is played at each infoset: regret matching, or another that :mod:`equilibrist.cfr.minimiser` describes.

    ``plays_regrets`` says whether an infoset plays the shares of the positive ones among its regret
    sums, so that card forms need not store the strategy where nothing is predicted. ``floors`` are
    the least probabilities of a strategy to which iterations lead, as best responses within them
    take them. ``last_iterate`` says whether the answer is what is played last, so that the sums of
    the average are the strategy itself, and ``state`` is what is saved with the tables: numbers,
    all finite, on which the rules depend beside the iteration. ``divides_by_reach`` says whether
    rules divide values by the reach of chance and the others.
    """

    plays_regrets = False
    last_iterate = False
    divides_by_reach = False
    state: Floats = np.zeros(0)

    def floors(self, iteration: int) -> Terms:
        """Return the least probabilities after an iteration."""
        return NO_FLOORS

    def steady(self, iteration: int) -> int:
        """Return how many iterations may be run after so many before :meth:`adapt` is to be called."""
        return 1 << 30

    def adapt(self, solver: Any) -> None:  # noqa: B027 (most rules follow from the iteration)
        """Change what rules depend on, by what a solver with these rules has come to."""

    def gap(self, solver: Any) -> float:
        """Return how far what a solver plays is from where these rules lead, inf where they do not tell."""
        return np.inf

    @abstractmethod
    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> Any:
        """Return the rules of the iterations of ``steps``, a record: arrays, shape (iterations,), and numbers that
        stay.
        """


def select_rules(rules: Any, t: int) -> Any:
    """Return the rules of iteration t alone, counted from 0."""
    by_slot = getattr(rules, "by_slot", ())
    return rules._make(
        field[t : t + 1] if isinstance(field, np.ndarray) and name not in by_slot else field
        for name, field in zip(rules._fields, rules, strict=True)
    )
