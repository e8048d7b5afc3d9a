"""Numbers as texts: one place decides how many digits are shown, and what stands where nothing is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Form = str | Callable[[Any], str]
"""How a value becomes a text: a format such as ``"+.9f"``, or a function."""
UNKNOWN = "–"
"""What stands in the place of a number that is None or NaN."""
_ROUNDING = 1e-9
_HALF_OF_LAST = 0.0005
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_value(value: Any, form: Form) -> str:
    """Return a value as text.

    >>> format_value(0.0123, ".1%"), format_value(None, ".1%"), format_value(2.0, format_seconds)
    ('1.2%', '–', '2 s')
    """
    if callable(form):
        return form(value)
    is_nan = value != value  # noqa: PLR0124
    if value is None or is_nan:
        return UNKNOWN
    return format(value, form)


def format_count(number: float) -> str:
    """Return a count in three digits: 950, 1.23 k, 45.6 M, 7.89 G."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 0.9995 * size:  # which is rounded up
            if number < 999.5 * size:
                return f"{number / size:.3g} {unit}"
            return f"{number / size:.0f} {unit}"
    return f"{number:.0f}"


def format_seconds(seconds: float) -> str:
    """Return a time in three digits: 12.3 µs, 4.56 ms, 7.89 s, 1,234 s."""
    if seconds >= 999.5:
        return f"{seconds:,.0f} s"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.9995 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def format_duration(seconds: float) -> str:
    """Return a time in words, roughly: 40 seconds, 12 minutes, 3 hours, 5 days, 200 years."""
    for unit, size in (("year", 365 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * size:
            return f"{format_two_digits(seconds / size)} {unit}s"
    return f"{seconds:.0f} seconds"


def format_two_digits(number: float) -> str:
    """Return a number with two digits that count, and no more zeros than needed: 0.012, 5.1, 34, 1,234."""
    if not 10 <= number < 1e6:
        return f"{number:.2g}"
    return f"{number:,.0f}"


def format_estimate(count: float) -> str:
    """Return a large number as far as an estimate is right: 1,300,000 or 2e+15."""
    if count < 1e12:
        return f"{float(f'{count:.2g}'):,.0f}"
    return f"{count:.0e}"


def format_short(value: float | None, text_of_none: str = "") -> str:
    """Return a number in four digits, 0 without a sign; or ``text_of_none``, where there is none."""
    if value is None:
        return text_of_none
    text = f"{value:.4g}"
    if text == "-0":
        return "0"
    return text.replace("-", "−", 1)


def format_signed(number: float) -> str:
    """Return a number in three decimals with its sign; no sign where these are all 0."""
    if abs(number) >= _HALF_OF_LAST:
        return f"{number:+.3f}"
    return "0.000"


def format_rounded(value: float, form: str) -> str:
    """Return a number in a format: a dash for NaN, and 0 for what rounding leaves of it."""
    if abs(value) <= _ROUNDING:
        return format(0.0, form)
    return format_value(value, form)


def format_probability(share: float) -> str:
    """Return a probability in few characters: 1/6, 0.33, 0, 1."""
    for denominator in range(2, 13):
        numerator = round(share * denominator)
        is_fraction = abs(share * denominator - numerator) < 1e-9
        if is_fraction and 0 < numerator < denominator:
            return f"{numerator}/{denominator}"
    if 0.005 <= share < 0.995:
        return f"{share:.2f}"
    return f"{share:.0f}"


def format_power(value: float) -> str:
    """Return a number with its power of ten in small letters: 9,500, 2.5·10⁻⁷, and of powers alone 10⁵.

    All letters have one size, which an exponent of Matplotlib's would not have.
    """
    if 1e-3 < abs(value) <= 1e4 or not value:
        return f"{value:,.10g}".replace("-", "−")
    digits, exponent = f"{value:.5e}".split("e")
    digits = digits.rstrip("0").rstrip(".")
    power = f"10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    factor = {"1": "", "-1": "−"}.get(digits, f"{digits}·".replace("-", "−"))
    return f"{factor}{power}"


def format_cell(value: Any) -> str:
    """Return the cell of a table as text: six digits of a number, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
