"""Powers: as exact as is promised, and the same bits on every machine."""

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest

from equilibrist.cfr.powers import powers

BASES = np.array(
    [1e-300, 0.001, 0.3, 0.5, 0.7, 0.99999, 1.0, 1.5, 2.0, 3.0, 10.0, 4095.0, 1e9, 1e300]
)


@pytest.mark.parametrize(
    "exponent", [0.0, 1.0, 2.0, -1.0, 0.5, 1.5, -1.5, 5.0, 30.0, 2.3, -2.3, 29.71, -0.1, 33.0]
)
def test_powers_are_exact(exponent):
    getcontext().prec = 50
    for base, power in zip(BASES.tolist(), powers(BASES, exponent).tolist(), strict=True):
        exact = Decimal(base) ** Decimal(exponent)
        if not Decimal("1e-300") < exact < Decimal("1e300"):
            assert power == pytest.approx(float(exact), rel=1e-10) or power in (0.0, math.inf)
        else:
            bound = 1e-15 * (1 + abs(exponent * math.log(base)))
            assert abs(Decimal(power) / exact - 1) < bound


def test_an_array_of_exponents():
    exponents = np.linspace(-3, 4, len(BASES))
    one_by_one = [
        powers(np.array([b]), np.array([e]))[0] for b, e in zip(BASES, exponents, strict=True)
    ]
    assert powers(BASES, exponents).tolist() == one_by_one


@pytest.mark.parametrize(
    ("exponent", "power"), [(2.0, 0.0), (2.3, 0.0), (0.0, 1.0), (-1.5, math.inf), (-2.3, math.inf)]
)
def test_powers_of_zero(exponent, power):
    assert powers(np.zeros(1), exponent).tolist() == [power]
    assert powers(np.zeros(1), np.full(1, exponent)).tolist() == [power]


def test_the_bits_are_these():
    """Computed with NumPy's kernels for AVX-512, without them, and on a plain processor."""
    t = np.array([2.0, 3.0, 10.0, 999.0, 123_456.0])
    found = [[power.hex() for power in powers(t, e).tolist()] for e in (1.5, -2.3, 29.7)]
    assert found[0] == [
        "0x1.6a09e667f3bcdp+1",
        "0x1.4c8dc2e423980p+2",
        "0x1.f9f6e4990f228p+4",
        "0x1.ed5d6acce94c6p+14",
        "0x1.4af26af93e170p+25",
    ]
    assert found[1] == [
        "0x1.9fdf8bcce533fp-3",
        "0x1.47539055f8604p-4",
        "0x1.487543c6a9254p-8",
        "0x1.0ef99a52ecde3p-23",
        "0x1.121d446be3e4dp-39",
    ]
    assert found[2] == [
        "0x1.9fdf8bcce533dp+29",
        "0x1.0d5be51dbaf0ap+47",
        "0x1.94db173a02346p+98",
        "0x1.eb75334f86fe9p+295",
        "0x1.42eb70f8c32b8p+502",
    ]
