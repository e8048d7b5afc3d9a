"""How long a precision of the tables serves, and the finer one that a run goes on in.

An average over t iterations moves by about 1 / t of itself in each. Where that comes near to what a
number in the table rounds to, rounding decides: 2^-24 of it in float32, 2^-16 in 16 bits. Sums then
drift, always the same way while what is added stays the same, and the average gets worse the longer
a run goes on. Regrets and arithmetic in float32 alone do no such harm (docs/performance.md has the
figures). So tables are stored anew, in more digits, before that.
"""

from __future__ import annotations

from ..errors import AlgorithmError
from .algorithms import Algorithm

_LONGEST = {"int16": 2_048, "float32": 20_000}
"""The last iteration that tables of a precision serve. float64 serves 10^15 of them."""
_LONGEST_PREDICTED = {"int16": 512, "float32": 2_048}
"""The same where regrets are predicted: such algorithms converge faster, and come to the limit earlier."""
_FINER = {"int16": "float32", "float32": "float64"}
NEVER = 2**62
LEAST_PAYOFF = 1e-20
LARGEST_PAYOFF = 1e30
"""Of a game whose tables are not in float64: float32 holds no numbers below 1e-38 or above 3e38, and tables have
payoffs × probabilities on the one side, and sums over iterations on the other."""


def last_iteration(precision: str, algorithm: Algorithm) -> int:
    """Return the last iteration for which tables of a precision serve."""
    if precision not in _LONGEST:
        return NEVER
    longest = _LONGEST_PREDICTED if algorithm.predict > 0 else _LONGEST
    return longest[precision]


def check_payoffs(precision: str, largest: float, name: str) -> None:
    """Refuse a precision that cannot hold what a game with such a largest payoff leads to."""
    if precision in _FINER and largest > 0 and not LEAST_PAYOFF <= largest <= LARGEST_PAYOFF:
        raise AlgorithmError(
            f"precision={precision!r} computes in float32, which holds largest payoffs from "
            f"{LEAST_PAYOFF:g} to {LARGEST_PAYOFF:g}; that of {name} is {largest:.3g}. Give "
            "precision='float64', or payoffs in another unit.",
            field="precision",
        )


def stored_precision(iteration: int, precision: str, algorithm: Algorithm) -> str:
    """Return how tables that begin in a precision are stored during an iteration."""
    while iteration > last_iteration(precision, algorithm):
        precision = _FINER[precision]
    return precision


def possible_precisions(iteration: int, precision: str, algorithm: Algorithm) -> tuple[str, ...]:
    """Return how the tables of a saved run may be stored after an iteration.

    Versions before 2026-11-27 kept the precision with which a run began.
    """
    return tuple(dict.fromkeys((stored_precision(iteration, precision, algorithm), precision)))
