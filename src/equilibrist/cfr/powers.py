"""Powers whose bits are the same on every machine."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math

import numpy as np

from .._jit.compile import compiled
from .._util.arrays import Floats

_MOST_DOUBLED = (
    64  # exponents that are multiples of one half, up to 32, are products and a square root
)
# the first has 33 bits: k · high is exact
_LN2_HIGH = 0.693147180369123816490
_LN2_LOW = 1.90821492927058770002e-10
_LOG2_E = 1.4426950408889634
_SQRT_HALF = math.sqrt(0.5)
_ROUND = 1.5 * 2.0**52  # adding and subtracting it rounds to the nearest whole number
_ATANH = tuple(2.0 / n for n in range(25, 1, -2))
_EXP = tuple(1.0 / math.factorial(n) for n in range(14, -1, -1))


def powers(base: Floats, exponent: float | Floats) -> Floats:
    """Return base^exponent of numbers of 0 or more, element by element; the exponent is one for all, or one for each.

    NumPy's and the C library's powers differ in the last bit from processor to processor and from version to version.
    Here only +, −, ×, ÷ and square roots are used, whose results IEEE 754 fixes. The relative error is below 1e-15 · (1
    + |exponent · ln base|).
    """
    if not isinstance(exponent, np.ndarray):
        doubled = 2.0 * exponent
        if doubled.is_integer() and abs(doubled) <= _MOST_DOUBLED:
            return _half_power(base, int(doubled))
        exponent = np.full(len(base), exponent)
    mantissa, binary_exponent = np.frexp(base)
    result = np.empty(len(base))
    shift = np.empty(len(base))
    _exp_of_product(mantissa, binary_exponent.astype(np.float64), exponent, result, shift)
    with np.errstate(over="ignore", under="ignore"):
        result = np.ldexp(result, shift.astype(np.int32))
    for i in np.flatnonzero(base == 0):
        if exponent[i] == 0:
            result[i] = 1.0
        elif exponent[i] > 0:
            result[i] = 0.0
        else:
            result[i] = np.inf
    return result


def _half_power(base: Floats, doubled: int) -> Floats:
    """Return base^(doubled / 2) by repeated squaring."""
    result = np.sqrt(base) if doubled % 2 else np.ones(len(base))
    square = base
    count = abs(doubled) // 2
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        while count:
            if count % 2:
                result = result * square
            count //= 2
            square = square * square if count else square
        if doubled >= 0:
            return result
        return 1.0 / result


@compiled(allocates=False)
def _exp_of_product(mantissa, binary_exponent, exponent, result, shift):
    """Fill ``result`` and ``shift`` so that result · 2^shift = (mantissa · 2^binary_exponent)^exponent.

    log m = 2 atanh((m − 1) / (m + 1)) and exp by their series, near 1 and 0 where these are short.
    """
    for i in range(len(mantissa)):
        low = mantissa[i] < _SQRT_HALF
        m = 2.0 * mantissa[i] if low else mantissa[i]
        k = binary_exponent[i] - 1.0 if low else binary_exponent[i]
        s = (m - 1.0) / (m + 1.0)
        square = s * s
        series = 0.0
        for coefficient in _ATANH:
            series = series * square + coefficient
        product = exponent[i] * (k * _LN2_HIGH + (k * _LN2_LOW + (2.0 * s + s * square * series)))
        product = min(max(product, -1500.0), 1500.0)  # beyond the range of float64 either way
        n = (product * _LOG2_E + _ROUND) - _ROUND
        rest = (product - n * _LN2_HIGH) - n * _LN2_LOW
        series = 0.0
        for coefficient in _EXP:
            series = series * rest + coefficient
        result[i] = series
        shift[i] = n
