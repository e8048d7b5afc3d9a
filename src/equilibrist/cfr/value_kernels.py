"""Counterfactual values of all actions while a strategy is played, told by the kernel of an iteration of any form."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import record
from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from .algorithms import Algorithm, Steps
from .full_width import FullWidthCFR
from .minimiser import LocalMinimiser
from .solvers import CPU, FULL_WIDTH


@record
class _ValueRule(NamedTuple):
    """What makes an iteration of a kernel tell the values of the actions: in the place of the next strategy.

    Attributes
    ----------
    nothing : float array, shape (iterations,)
        Zeros.
    rounding : float
        0.
    """

    nothing: float | Floats
    rounding: float

    def rule_at(self, t):
        return _ValueRule(float(self.nothing[t]), self.rounding)

    def averages(self):
        return False

    def reference_value(self, value, sum_values, uniform):
        return value * 0.0

    def update_regret(self, regret_sum, instant_regret):
        """Return the regret sum as it is, and the value, compared with 0."""
        return regret_sum, instant_regret

    def no_shares(self, zero):
        return zero

    def add_share(self, total, share):
        return total

    def next_probability(self, share, total, uniform):
        return share


class _Values(LocalMinimiser):
    """Plays nothing: the kernels answer with the values of the actions."""

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> _ValueRule:
        return _ValueRule(np.zeros(len(steps.iteration)), 0.0)


_VALUES = _Values()
_AT_ONCE = Algorithm("values", "of all players at once", alternating=False)
RULE_OF_VALUES = _VALUES.rules(_AT_ONCE, _AT_ONCE.steps(1, 1), 0.0)
"""What :meth:`FullWidthCFR.responses` of such a kernel is given to answer with values."""


def make_value_kernel(form: CompiledGame, *, threads: int = 1) -> FullWidthCFR:
    """Return a solver of the form that is asked for the values of the strategy in its tables, and runs no iteration."""
    return FULL_WIDTH[CPU, form.kind](form, _AT_ONCE, minimiser=_VALUES, threads=threads)
