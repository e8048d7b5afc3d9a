"""Grades of choices by what they cost, and the unit in which costs of different games are compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..form.compiled_game import CompiledGame
from .hand import Move

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


def score(choices: Sequence[Move], unit: float) -> tuple[float, dict[str, int]]:
    """Return the score of choices, 1 − Σ cost / Σ (best − worst action), and how many there are of each grade.

    What is graded best costs nothing here: a strategy that was found by iterating leaves such differences between
    actions that are equally good. Choices of unknown cost are left out; where nothing is at stake the score is 1.
    """
    known = [(move, grade(move.cost, unit)) for move in choices if move.cost is not None]
    at_stake = math.fsum(move.at_stake or 0.0 for move, _ in known)
    cost = math.fsum(move.cost or 0.0 for move, number in known if number)
    counts = [number for _, number in known]
    return 1.0 - cost / at_stake if at_stake > 0 else 1.0, {
        name: counts.count(number) for number, name in enumerate(GRADES)
    }
