"""Schedules: the discounts and weights of a block of iterations, in the form that the kernels read."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled
from .._util.arrays import Floats
from ..cfr.algorithms import Algorithm
from ..cfr.minimiser import LocalMinimiser
from ..cfr.powers import powers
from .records import Schedule

BLOCK = 4096
"""Iterations whose scalars are computed at a time; at the end of each all regret sums are brought up to date."""


def make_schedule(algorithm: Algorithm, start: int, rounding: float, minimiser: LocalMinimiser) -> Schedule:
    """Return the scalars of the block of iterations after ``start``; ``rounding`` is a field of the rules."""
    steps = algorithm.steps(start + 1, BLOCK)
    decays = bool((steps.discount_positive != 1).any() or (steps.discount_negative != 1).any())
    positive, positive_exponent = _products(steps.discount_positive if decays else np.ones(0), start)
    negative, negative_exponent = _products(steps.discount_negative if decays else np.ones(0), start)
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


def _products(factors: Floats, start: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return 1 and the products of the first 1, 2, … factors, as mantissas and exponents."""
    mantissa, exponent = np.ones(len(factors) + 1), np.zeros(len(factors) + 1, np.int64)
    if start == 0 and len(factors):
        factors = np.concatenate([np.ones(1), factors[1:]])  # before the first iteration there is nothing to decay
    _multiply_up(factors, mantissa, exponent)
    return mantissa, exponent


@compiled(allocates=False)
def _multiply_up(factors, mantissa, exponent):
    """Fill in the products of the first factors, as mantissas and exponents, so that none is too small."""
    for i in range(len(factors)):
        mantissa[i + 1], e = math.frexp(mantissa[i] * factors[i])
        exponent[i + 1] = exponent[i] + e
