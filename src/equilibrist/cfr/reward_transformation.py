"""CFR+ with a transformed reward, so that what is played last approaches a Nash equilibrium; nothing is averaged.

A sequence of games is solved, in each of which players pay for leaving a reference strategy r: a
player whose play reaches slot s with probability x(s) receives u(x) − Σ_s w(s) (x(s) − r(s))² / 2.
Such a game has one equilibrium, to which what regret matching+ plays converges; it then becomes the
reference of the next. Where the reference is its own equilibrium, nobody pays, and it is an
equilibrium of the game itself.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .._jit.compile import record
from .._jit.simd import LANES, load, store
from .._util.arrays import Floats
from ..form.floors import NO_FLOORS, Payments
from ..form.sequence import passes
from ..form.sequence.form import SequenceForm
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser
from .regret_matching import REGRET_MATCHING, RegretMatchingRule

RTCFR_PLUS = Algorithm("rtcfr+", "Meng et al. 2025", floor=True)
"""What plays on the transformed rewards, and the name of the whole where that of an algorithm is shown."""

_LOOK = 10  # iterations, after which to see whether the reference is to move
_FALL = 0.5  # of the gap, upon which it moves


@record
class TransformedRule(NamedTuple):
    """Regret matching on counterfactual values + weight × (reference − reach of the own play), slot by slot.

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
    weight : float array, shape (slots,)
        w(s), 0 where there is no action.
    reference : float array, shape (slots,)
        r(s).
    """

    discount_positive: float | Floats
    discount_negative: float | Floats
    discount_predicted: float | Floats
    predict: float
    floor: float
    rounding: float
    payments: Payments
    weight: Floats
    reference: Floats

    def rule_at(self, t):
        positive = float(self.discount_positive[t])
        negative = float(self.discount_negative[t])
        predicted = float(self.discount_predicted[t])
        return TransformedRule(
            positive,
            negative,
            predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
            self.weight,
            self.reference,
        )

    def averages(self):
        return False

    def add_to_values(self, treeplex, player, reach, cf_value):
        for s in range(treeplex.first_slot[player], treeplex.first_slot[player + 1], LANES):
            nearer = load(self.reference, s) - load(reach, s)
            store(cf_value, s, load(cf_value, s) + nearer * load(self.weight, s))


_SHARED = ("reference_value", "update_regret", "no_shares", "add_share", "next_probability")
for _name in _SHARED:  # only the values differ
    setattr(TransformedRule, _name, vars(RegretMatchingRule)[_name])
TransformedRule.by_slot = ("weight", "reference")  # type: ignore[attr-defined]


class RewardTransformation(LocalMinimiser):
    """Regret matching+ on transformed rewards; the reference is the strategy that was played some iterations ago.

    The weight at an action is the same share of the largest payoff × the probability that chance
    and the others come to its infoset where the others play uniformly, so that all infosets are
    held alike, whatever chance deals.

    Parameters
    ----------
    form : SequenceForm
        The game, with its tree.
    weight : float
        The share.
    every : int, optional
        After how many iterations the reference moves. By default it moves once the gap of the game
        with transformed rewards is half of what it was when the reference moved last, looked at
        every ten iterations.

    Notes
    -----
    The gap is Σ over players of max_x' ⟨g, x' − x⟩, with the gradient g of what a player receives:
    an upper bound of nash_conv there, 0 at its equilibrium alone, and nash_conv of the game itself
    where x = r.

    References
    ----------
    Meng et al. 2025, "Efficient last-iterate convergence in solving extensive-form games", arXiv
    2308.11256: with the same weight everywhere, ``every`` iterations, and floors that fall from
    1e-10 by half with each reference.
    """

    last_iterate = True

    def __init__(self, form: SequenceForm, weight: float, every: int | None = None) -> None:
        self.every = every
        uniform = passes.reach(form.treeplex, form.average_from_sums(np.zeros(form.length)))
        self._weight = weight * form.largest_payoff * _others_reach_at_slots(form, uniform)
        self.state = np.concatenate([[every or _LOOK, np.finfo(float).max], uniform])
        self._next = self.state[:1]
        self._gap = self.state[1:2]
        self._reference = self.state[2:]

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> TransformedRule:
        return TransformedRule(
            *REGRET_MATCHING.rules(algorithm, steps, rounding), self._weight, self._reference
        )

    def steady(self, iteration: int) -> int:
        return int(self._next[0]) - iteration

    def adapt(self, solver: Any) -> None:
        reach = solver.state.reach
        self._next[0] += self.every or _LOOK
        if (
            self.every is not None
            or self._transformed_gap(solver.form, reach) <= _FALL * self._gap[0]
        ):
            self._reference[:] = reach
            if self.every is None:
                self._gap[0] = self._transformed_gap(solver.form, reach)
            else:
                self._gap[0] = self._gap[0]

    def _transformed_gap(self, form: SequenceForm, reach: Floats) -> float:
        """Return the gap of the game with transformed rewards, of play that reaches the slots so often."""
        cf_value = np.zeros(form.length)
        response = np.ones(form.length)
        sums = np.zeros(2 * LANES)
        pull = self._weight * (self._reference - reach)
        gap = []
        for player in range(form.players):
            passes.counterfactual_values(form.treeplex, form.payoff, player, reach, cf_value)
            cf_value += pull  # those of the others are not looked at
            passes.sum_products(form.treeplex, player, reach, cf_value, sums)
            gap += [
                passes.best_response(form.treeplex, player, cf_value, response, NO_FLOORS),
                *-sums,
            ]
        return max(math.fsum(gap), 0.0)


def _others_reach_at_slots(form: SequenceForm, reach: Floats) -> Floats:
    """Return the probability that chance and the others come to an infoset, at the slots of its actions, else 0."""
    others = form.others_reach()
    counts = form.infosets.num_actions
    for player in range(form.players):
        passes.counterfactual_values(form.treeplex, others.payoff, player, reach, others.table)
    table = np.zeros(form.length)
    first = np.cumsum(counts) - counts
    table[form.slot] = np.repeat(others.table[form.slot[first]], counts)
    return table
