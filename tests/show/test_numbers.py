"""Numbers as texts: digits that count, and what stands where nothing is known."""

import math
from fractions import Fraction

import pytest

from equilibrist.show import numbers


@pytest.mark.parametrize("value", [2.1e-5, 1e-5, -1e-7, 1.1e6, -2.51e9, 1e5, 3.0e-4, 9500, 0.5])
def test_a_number_with_a_power_of_ten_reads_back(value):
    """Once, 2.1·10⁻⁵ lost "1·" in its middle and read 2.10⁻⁵."""
    text = numbers.format_power(value).replace("−", "-").replace(",", "")
    plain = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    factor, _, power = plain.rpartition("·")
    sign = "-" if plain.startswith("-10") and not factor else ""
    if any(letter in text for letter in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"):
        read = float(factor or f"{sign}1") * 10.0 ** int(power.lstrip("-").removeprefix("10"))
    else:
        read = float(plain)
    assert read == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("share", [Fraction(n, d) for d in range(1, 14) for n in range(d + 1)])
def test_a_probability_is_a_fraction_where_it_is_a_simple_one(share):
    text = numbers.format_probability(float(share))
    if 1 < share.denominator < 13:
        assert Fraction(text) == share
    else:
        assert float(text) == pytest.approx(float(share), abs=0.005)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (40, "40 seconds"),
        (720, "12 minutes"),
        (3 * 3600, "3 hours"),
        (86400 * 365 * 200, "200 years"),
    ],
)
def test_a_duration_is_told_in_its_largest_unit(seconds, text):
    assert numbers.format_duration(seconds) == text


def test_what_rounding_leaves_is_nothing():
    assert numbers.format_rounded(-1e-10, "+.1%") == "+0.0%"
    assert numbers.format_rounded(math.nan, ".1%") == numbers.UNKNOWN
    assert numbers.format_signed(-0.0004) == "0.000"
    assert numbers.format_signed(-0.0006) == "-0.001"
    assert numbers.format_short(-0.0) == "0"
    assert numbers.format_short(None, "?") == "?"
    assert numbers.format_short(-1234.56) == "−1235"


def test_estimates_have_two_digits_that_count():
    assert numbers.format_estimate(1_312_000) == "1,300,000"
    assert numbers.format_estimate(2.04e15) == "2e+15"
    assert [numbers.format_two_digits(number) for number in (0.01234, 5.12, 33.6, 1234.5)] == [
        "0.012",
        "5.1",
        "34",
        "1,234",
    ]
    assert [numbers.format_cell(value) for value in (None, 2.0000001, "x", 3)] == [
        "",
        "2",
        "x",
        "3",
    ]
