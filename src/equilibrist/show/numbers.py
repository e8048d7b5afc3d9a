"""Numbers as texts: one place decides how many digits are shown, and what stands where nothing is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Form = str | Callable[[Any], str]
"""How a value becomes a text: a format such as ``"+.9f"``, or a function."""
UNKNOWN = "–"
"""What stands in the place of a number that is None or NaN."""


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
