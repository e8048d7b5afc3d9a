"""What the passes over a compiled game tell of a strategy: values, and the best responses to it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .._jit.compile import record
from .._util.arrays import Floats


class Values(NamedTuple):
    """The exact value of a strategy, and of the best responses to it; payoff per game, a number a player."""

    value: tuple[float, ...]
    best_response_value: tuple[float, ...]

    @property
    def deviation_gains(self) -> tuple[float, ...]:
        """What each player could gain by deviating alone: best-response value − value."""
        return tuple(
            best - value for best, value in zip(self.best_response_value, self.value, strict=True)
        )

    @property
    def nash_conv(self) -> float:
        """Σ over players of (best-response value − value): 0 exactly at a Nash equilibrium."""
        return math.fsum(self.deviation_gains)

    @property
    def exploitability(self) -> float:
        """nash_conv / number of players (OpenSpiel's definition)."""
        return self.nash_conv / len(self.value)

    @property
    def measures(self) -> dict[str, float]:
        """``nash_conv`` and ``exploitability`` by name."""
        nash_conv = self.nash_conv
        return {"nash_conv": nash_conv, "exploitability": nash_conv / len(self.value)}


class BestResponses(NamedTuple):
    """The same with the arrays behind it, one number a slot.

    Attributes
    ----------
    value : tuple of float
        As in :class:`Values`.
    best_response_value : tuple of float
        As in :class:`Values`.
    reach : float array
        The own reach of the slot: the product of its player's probabilities up to and at it.
    best_value : float array
        The counterfactual value of the slot, its player continuing with the best response; payoff ×
        probability.
    best_response : float array
        1 where the slot is the best action of its infoset, of equal ones the first, and else 0.
    """

    value: tuple[float, ...]
    best_response_value: tuple[float, ...]
    reach: Floats
    best_value: Floats
    best_response: Floats

    @property
    def values(self) -> Values:
        """The values without the arrays."""
        return Values(self.value, self.best_response_value)


@record
class ResponseTables(NamedTuple):
    """The arrays of :class:`BestResponses`, which a walk fills, or empty ones, which it leaves alone."""

    reach: Floats
    best_value: Floats
    best_response: Floats

    @classmethod
    def of_length(cls, slots: int) -> ResponseTables:
        return cls(*(np.zeros(slots) for _ in cls._fields))


NO_TABLES = ResponseTables.of_length(0)
