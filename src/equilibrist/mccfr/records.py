"""Records of Monte Carlo CFR that kernels share: tables of infosets, histories of a sample, sampling and scalars."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, record
from .._jit.rng import Rng
from .._util.arrays import Floats
from ..cfr.algorithms import Algorithm
from ..cfr.minimiser import LocalMinimiser
from ..cfr.powers import powers
from .sampling import Sampling


@record
class Slots(NamedTuple):
    """Regrets and averages of each action at each infoset; the slots of an infoset are consecutive.

    Attributes
    ----------
    strategy : float array, shape (slots,)
    regret_sum : float array, shape (slots,)
    instant_regret : float array, shape (slots,)
        The last one; it is summed up here while a turn lasts.
    strategy_sum : float array
    parent_sum : float array, shape (slots,)
        First slot of an infoset, for "lazy" and "optimistic" averages: the sum of the average
        strategy at ``parent_slot`` ("optimistic": at the empty sequence) when this infoset was
        added to last.
    parent_slot : int64 array, shape (slots,)
        First slot, for "lazy" averages: the slot of its player's action before, or of the player's
        empty sequence.
    updated : int64 array, shape (slots,)
        First slot: the iteration of its last update, 0 before the first.
    """

    strategy: Floats
    regret_sum: Floats
    instant_regret: Floats
    strategy_sum: Floats
    parent_sum: Floats
    parent_slot: NDArray[np.int64]
    updated: NDArray[np.int64]


def make_slots(count: int) -> Slots:
    """Return so many slots, all zero."""
    a, b, c, d, e = (np.zeros(count) for _ in range(5))
    return Slots(a, b, c, d, e, np.zeros(count, np.int64), np.zeros(count, np.int64))


STATE = ("strategy", "regret_sum", "strategy_sum", "parent_sum", "parent_slot", "updated")
"""The arrays of :class:`Slots` that continue a run."""

SAMPLED_HISTORY = np.dtype(
    [
        ("value", np.float64),  # the estimated value of the history for the updating player
        # how much of it counts in the value of the parent: probability ÷ that of being drawn
        ("share", np.float64),
        # of its regrets: reach of the others and chance ÷ probability of being drawn
        ("cf_weight", np.float64),
        ("own_reach", np.float64),  # of the updating player
        ("baseline", np.float64),  # the value that was expected
        ("history", np.uint32),  # number of the history in the tree
        ("parent", np.uint32),  # record of the history before; of the root, itself
        ("action", np.uint32),  # which move leads here
        ("first_child", np.uint32),  # record of the first move that is followed
        ("num_sampled", np.uint32),  # how many moves are followed
        ("slot", np.uint32),  # of the first action, where a player moves
        ("num_actions", np.uint32),
        ("mover", np.int32),
        ("parent_slot", np.uint32),  # of the updating player's last action
        # for "lazy" averages in several threads: slot of the player's first infoset on the way
        ("root", np.uint32),
    ],
    align=True,
)
"""A history of a sample."""

ALL, ONE, SOME, PUBLIC = range(4)
OPPONENT, STOCHASTIC, OPTIMISTIC, LAZY = range(4)
NO_BASELINE, BY_INFOSET, BY_HISTORY = range(3)
NO_PRUNING, ZERO_REACH, LOW_REGRET = range(3)


@record
class Plan(NamedTuple):
    """Options of a sampling as numbers (:class:`~equilibrist.mccfr.sampling.Sampling`)."""

    chance: int
    updating: int
    others: int
    average: int
    baseline: int
    pruning: int
    epsilon: float
    tau: float
    beta: float
    rate: float
    prune_below: float
    revisit: float
    low_discrepancy: int
    deal_batch: int
    """Traversals of a turn, where those of all players with the same place see the same deal; else 0."""


@record
class Schedule(NamedTuple):
    """Scalars of the iterations of one block, which begins after iteration ``start``; index 0 is ``start`` itself.

    A regret sum that was updated last at iteration s is multiplied, at t, by the discounts of s + 1
    … t. To have it at once, the products from the start of the block on are kept, as mantissa and
    exponent, for they may be tiny.

    Attributes
    ----------
    start : int
    decays : bool
        Whether there is any discount but 1.
    positive : float64 array
        The products of the discounts of positive sums: mantissas.
    positive_exponent : int64 array
        Their exponents.
    negative : float64 array
        The products of the discounts of negative sums: mantissas.
    negative_exponent : int64 array
        Their exponents.
    weight : float64 array
        The weight of the iteration in the average strategy.
    rules : object
        The rules of the local minimiser (:mod:`equilibrist.cfr.minimiser`); index 0 is the
        iteration after ``start``.
    """

    start: int
    decays: bool
    positive: NDArray[np.float64]
    positive_exponent: NDArray[np.int64]
    negative: NDArray[np.float64]
    negative_exponent: NDArray[np.int64]
    weight: NDArray[np.float64]
    rules: Any


@record
class Sampler(NamedTuple):
    """Everything that a sample is drawn with, but the source of its histories."""

    slots: Slots  # the table of infosets
    records: np.recarray  # record array of :data:`SAMPLED_HISTORY`: the histories drawn
    # shape (slots or histories, players): the value expected of each move, where there are
    # baselines
    baseline: Floats
    plan: Plan
    rng: Rng


_FOLLOWED = {"all": ALL, "one": ONE, "some": SOME, "public": PUBLIC}
_AVERAGES = {"opponent": OPPONENT, "stochastic": STOCHASTIC, "optimistic": OPTIMISTIC, "lazy": LAZY}
_BASELINES = {None: NO_BASELINE, "infoset": BY_INFOSET, "history": BY_HISTORY}
_PRUNINGS = {None: NO_PRUNING, "zero-reach": ZERO_REACH, "regret": LOW_REGRET}


def make_plan(sampling: Sampling, players: int) -> Plan:
    """Return the plan of a sampling, in a game of so many players."""
    return Plan(
        chance=_FOLLOWED[sampling.chance],
        updating=_FOLLOWED[sampling.updating],
        others=_FOLLOWED[sampling.others],
        average=_AVERAGES[sampling.average_for(players)],
        baseline=_BASELINES[sampling.baseline],
        pruning=_PRUNINGS[sampling.pruning],
        epsilon=sampling.epsilon,
        tau=sampling.tau,
        beta=sampling.beta,
        rate=sampling.baseline_rate,
        prune_below=sampling.prune_below,
        revisit=sampling.revisit,
        low_discrepancy=int(sampling.low_discrepancy),
        deal_batch=sampling.batch if sampling.one_deal else 0,
    )


BLOCK = 4096
"""Iterations whose scalars are computed at a time; at the end of each all regret sums are brought up to date."""


def make_schedule(
    algorithm: Algorithm, start: int, rounding: float, minimiser: LocalMinimiser
) -> Schedule:
    """Return the scalars of the block of iterations after ``start``; ``rounding`` is a field of the rules."""
    steps = algorithm.steps(start + 1, BLOCK)
    decays = bool((steps.discount_positive != 1).any() or (steps.discount_negative != 1).any())
    positive, positive_exponent = _discount_products(
        steps.discount_positive if decays else np.ones(0), start
    )
    negative, negative_exponent = _discount_products(
        steps.discount_negative if decays else np.ones(0), start
    )
    t = np.arange(start, start + BLOCK + 1, dtype=np.float64)
    weight = powers(t, float(algorithm.gamma))  # type: ignore[arg-type]  # no schedule: Sampling.check_algorithm
    return Schedule(
        start=start,
        decays=decays,
        positive=positive,
        positive_exponent=positive_exponent,
        negative=negative,
        negative_exponent=negative_exponent,
        weight=weight,
        rules=minimiser.rules(algorithm, steps, rounding),
    )


def _discount_products(factors: Floats, start: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return 1 and the products of the first 1, 2, … factors, as mantissas and exponents."""
    mantissa = np.ones(len(factors) + 1)
    exponent = np.zeros(len(factors) + 1, np.int64)
    if start == 0 and len(factors):
        # Before the first iteration there is nothing to decay.
        factors = np.concatenate([np.ones(1), factors[1:]])
    _fill_products(factors, mantissa, exponent)
    return mantissa, exponent


@compiled(allocates=False)
def _fill_products(factors, mantissa, exponent):  # type: ignore[no-untyped-def]
    """Fill in the products of the first factors, as mantissas and exponents, so that none is too small."""
    for i in range(len(factors)):
        mantissa[i + 1], e = math.frexp(mantissa[i] * factors[i])
        exponent[i + 1] = exponent[i] + e
