"""What counts as a number where a user gives one: NumPy's count, True and NaN do not."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from ..errors import AlgorithmError

MOST_WHOLE = 2**63 - 1
"""The largest whole number of 64 bits."""


def is_number(value: Any, *, above: float = -math.inf) -> bool:
    """Return whether a value is a finite number, above another, that a float holds."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return above < float(value) < math.inf
    except OverflowError:  # a whole number of more than 308 digits
        return False


def check_seed(seed: Any) -> int:
    """Return a seed, or refuse what is none."""
    if not is_whole(seed, 0):
        raise AlgorithmError(f"seed must be a whole number, 0 to 2^63 - 1; got {seed!r}.")
    return int(seed)


def is_whole(value: Any, least: int, most: float = MOST_WHOLE) -> bool:
    """Return whether a value is a whole number in a range, by default of those that 64 bits hold."""
    return (
        isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most
    )


def check_executor(executor: Any) -> None:
    """Refuse what is no executor."""
    if not hasattr(executor, "submit"):
        raise AlgorithmError(
            "executor must be a concurrent.futures.Executor, such as ProcessPoolExecutor(); got "
            f"{executor!r}.",
        )
