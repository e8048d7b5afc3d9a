"""Grades of choices by what they cost, and the unit in which costs of different games are compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..evaluation.gaps import gap_words
from ..form.any_form import GameForm
from .hand import Move

GRADES = ("best", "inaccuracy", "mistake", "blunder")
"""Grades of a choice, by its cost as a share of the unit: at most 0.1 %, 1 %, 5 %, and more."""

_LIMITS = (0.001, 0.01, 0.05)
PLAYED = 0.03
"""The probability from which on the strategy itself chooses so."""


def cost_unit(form: GameForm) -> float:
    """Return what costs are compared with: the pot at the start, or the largest payoff; 1 where neither is known."""
    return float(form.pot or form.largest_payoff or 1.0)


class Grading(NamedTuple):
    """What choices against a strategy are graded by: the unit of costs (:func:`cost_unit`), and how exact the strategy
    is.

    A strategy that was found by iterating is exact up to its exploitability, 0 where it is unknown:
    no choice is called worse for less, nor one that the strategy itself makes with a probability of
    3 % or more.
    """

    unit: float
    exploitability: float = 0.0
    players: int = 2

    @property
    def limits(self) -> tuple[float, ...]:
        """The largest cost of each grade but the last; payoff."""
        return tuple(max(limit * self.unit, self.exploitability) for limit in _LIMITS)

    @property
    def note(self) -> str | None:
        """What is to be said where the strategy is coarser than the grades; None where it is not."""
        if self.exploitability <= _LIMITS[0] * self.unit:
            return None
        word = gap_words(self.players).mean
        return (
            f"The strategy is exact to {self.exploitability:.2g} a hand (its {word}), "
            "which is coarser than the grades: a choice that costs no more counts as best."
        )

    def grade(self, move: Move) -> int | None:
        """Return the number of the grade of a choice in :data:`GRADES`; None where its cost is unknown.

        >>> choices = [Move(0, "I", ("a", "b"), 1, action_values=(cost, 0.0)) for cost in (0.0, 0.2, 1.0, 5.0, 20.0)]
        >>> [GRADES[Grading(200.0).grade(choice)] for choice in choices]
        ['best', 'best', 'inaccuracy', 'mistake', 'blunder']
        >>> [GRADES[Grading(200.0, exploitability=1.5).grade(choice)] for choice in choices]
        ['best', 'best', 'best', 'mistake', 'blunder']
        >>> GRADES[Grading(200.0).grade(choices[-1]._replace(mix=(0.9, 0.1)))]
        'best'
        """
        cost = move.cost
        if cost is None:
            return None
        if move.mix is not None and move.mix[move.taken] >= PLAYED:
            return 0
        return sum(cost > limit * (1 + 1e-9) for limit in self.limits)


def score(choices: Sequence[Move], grading: Grading) -> tuple[float, dict[str, int]]:
    """Return the score of choices, 1 − Σ cost / Σ (best − worst action), and how many there are of each grade.

    What is graded best costs nothing here: a strategy that was found by iterating leaves such
    differences between actions that are equally good. Choices of unknown cost are left out; where
    nothing is at stake the score is 1.
    """
    graded = [(move, grading.grade(move)) for move in choices if move.cost is not None]
    at_stake = math.fsum(move.at_stake or 0.0 for move, _ in graded)
    cost = math.fsum(move.cost or 0.0 for move, number in graded if number)
    counts = [number for _, number in graded]
    return 1.0 - cost / at_stake if at_stake > 0 else 1.0, {
        name: counts.count(number) for number, name in enumerate(GRADES)
    }
