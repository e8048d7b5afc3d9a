"""Grades of choices by what they cost, and the unit in which costs of different games are compared."""

from __future__ import annotations

from ..form.compiled_game import CompiledGame

GRADES = ("best", "inaccuracy", "mistake", "blunder")
"""Grades of a choice, by its cost as a share of the unit: at most 0.1 %, 1 %, 5 %, and more."""

_LIMITS = (0.001, 0.01, 0.05)


def unit_of(form: CompiledGame | None) -> float:
    """Return what costs are compared with: the pot at the start, or the largest payoff; 1 where neither is known."""
    if form is None:
        return 1.0
    return float(form.pot or form.largest_payoff or 1.0)


def grade(cost: float | None, unit: float) -> int | None:
    """Return the number of the grade of a choice in :data:`GRADES`; None where its cost is unknown.

    Examples
    --------
    >>> [GRADES[grade(cost, 200.0)] for cost in (0.0, 0.2, 1.0, 5.0, 20.0)]
    ['best', 'best', 'inaccuracy', 'mistake', 'blunder']
    """
    return None if cost is None else sum(cost > limit * unit * (1 + 1e-9) for limit in _LIMITS)
