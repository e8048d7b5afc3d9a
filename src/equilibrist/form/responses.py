"""What the passes over a compiled game tell of a strategy: values, and the best responses to it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import record
from .._util.arrays import Floats


class Values(NamedTuple):
    """The value of a strategy, and of the best responses to it; payoff per game, a number a player."""

    value: tuple[float, ...]
    best_response_value: tuple[float, ...]


class BestResponses(NamedTuple):
    """The same with the arrays behind it, one number a slot."""

    # `value`, `best_response_value`: as in :class:`Values`
    value: tuple[float, ...]
    best_response_value: tuple[float, ...]
    reach: Floats  # the own reach of the slot: the product of its player's probabilities up to and at it
    # the counterfactual value of the slot, its player continuing with the best response; payoff × probability
    best_value: Floats
    best_response: Floats  # 1 where the slot is the best action of its infoset, of equal ones the first, and else 0


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
