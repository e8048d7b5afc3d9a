"""How good a solution is, in one sentence for people who do not know exploitability."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from ..cfr.criteria import ResponseGap
from ..evaluation.gaps import tells_gains
from ..evaluation.off_path import PROMISES_NOTHING
from .answers import Quality

if TYPE_CHECKING:
    from ..solving.solution import Solution

_OF_POT = (
    (0.1, "That is exact enough for any use."),
    (0.5, "That is good for study; mixes of single hands are not final."),
    (2.0, "That is rough: trust what a whole range does, not single hands."),
)
"""Exploitability in % of the pot up to which a solution is called so; 0.5 % is what people usually ask for."""


def describe_quality(solution: Solution) -> Quality:
    """Return what the heads of a run show of its solution: how it was found, what it is worth, how good it is."""
    return {
        "algorithm": solution.algorithm,
        "iterations": solution.iterations,
        "value": list(solution.value),
        "fractions": find_fractions(solution),
        "deviation_gains": list(solution.deviation_gains),
        "measures": solution.final.measures,
        "guarantee": solution.guarantee,
        "quality": quality_sentence(solution),
    }


def find_fractions(solution: Solution) -> list[str | None]:
    """Return for each player the fraction that the value of a game may be, ``"-1/18"``; None where it is none.

    The value of a two-player zero-sum game is between the player's value less what the other can
    gain and that value plus what the player can gain. Of the fractions between, it is the simplest,
    where a number at random would hardly have one: among intervals of width w, about 3 q² w / π²
    have a fraction with a denominator up to q.
    """
    values = solution.value
    gains = solution.deviation_gains
    if (
        "exploitability_percent" in solution.final.measures
        or not solution.zero_sum
        or len(values) != 2
        or len(gains) != 2
    ):
        return [None] * len(values)
    unit = max(
        abs(number) for point in solution.trace for number in (*point.value, *point.deviation_gains)
    )
    return [_fraction_text(values[i] - gains[1 - i], values[i] + gains[i], unit) for i in range(2)]


_SMALL = 100  # denominators
_CHANCE = 0.03  # of a fraction that is none


def _fraction_text(low: float, high: float, unit: float) -> str | None:
    """Return the simplest fraction from low to high as text, None where that says nothing.

    The numbers of the game are up to about ``unit``; where that is far below 1, an interval says as
    much as one that is so many times wider.

    >>> _fraction_text(-0.05556, -0.05555, 1.0), _fraction_text(0.3, 0.4, 1.0), _fraction_text(-1e-9, 2e-9, 1.0)
    ('-1/18', None, '0')
    >>> _fraction_text(-1e-9, 2e-9, 1e-8)
    """
    margin = 1e-12 * max(unit, abs(low), abs(high))
    fraction = _simplest_fraction(low - margin, high + margin)
    if fraction is None:
        return None
    width = high - low + 2 * margin
    if 0.0 < unit < 1 / _SMALL:
        width /= unit
    if 3 / math.pi**2 * fraction.denominator**2 * width > _CHANCE:
        return None
    return str(fraction)


def _simplest_fraction(
    low: float, high: float, largest_denominator: int = _SMALL
) -> Fraction | None:
    """Return the fraction with the smallest denominator from low to high, by continued fractions; None beyond most."""
    if low <= 0.0 <= high:
        return Fraction(0)
    if high < 0.0:
        negative = _simplest_fraction(-high, -low, largest_denominator)
        if negative is None:
            return None
        return -negative
    if high < 1.0 / largest_denominator:
        return None
    integer = math.ceil(low)
    if integer <= high:
        return Fraction(integer)
    # A denominator is a numerator inside.
    inverse_part = _simplest_fraction(
        1.0 / (high - integer + 1), 1.0 / (low - integer + 1), largest_denominator
    )
    fraction = None if inverse_part is None else integer - 1 + 1 / inverse_part
    if fraction is None or fraction.denominator > largest_denominator:
        return None
    return fraction


def _answer_sentence(gap: float, pot: float | None) -> str:
    """Return how far an answer to a model of the opponent is from the best one."""
    if pot is None:
        distance = f"{gap:.2g} a game"
    else:
        distance = f"{100 * gap / pot:.2g}% of the pot"
    return (
        f"This is an answer to a model of the opponent, at most {distance} from the best one. A perfect opponent "
        "wins its risk from it: see Exploit."
    )


def quality_sentence(solution: Solution) -> str:
    """Return how far a solution is from an equilibrium, and what that means."""
    gain = solution.exploitability
    measures = solution.final.measures
    if not solution.final.is_certified:
        return (
            "Nobody knows how good this is: the run was sampled without a tree, so that it has "
            "no certificate."
        )
    percent = measures.get("exploitability_percent")
    distance_to_best = measures.get(ResponseGap.name)
    if distance_to_best is not None:
        return _answer_sentence(distance_to_best, solution.info.game.pot)
    if solution.off_path != PROMISES_NOTHING:
        if percent is None:
            price = f"{gain:.2g} a game"
        else:
            price = f"{percent:.2g}% of the pot"
        return (
            f"The price of answering everywhere: {price} more than at equilibrium, for a perfect "
            "opponent."
        )
    if tells_gains(solution.players):
        return _gains_sentence(solution)
    if percent is not None:
        means = next(
            (words for largest_gain, words in _OF_POT if percent <= largest_gain),
            "That is not solved yet.",
        )
        if solution.locks:
            return (
                f"Beside what is locked, a perfect opponent would win {percent:.2g}% of the pot "
                "more than at equilibrium: best responses keep to the locked strategy, and what "
                f"that gives away is not counted. {means}"
            )
        return (
            f"A perfect opponent would win {percent:.2g}% of the pot more than at equilibrium. "
            f"{means}"
        )
    if solution.players == 2 and solution.zero_sum:
        return (
            f"A perfect opponent would win {gain:.2g} a game more than at equilibrium, the mean "
            "of both seats."
        )
    if solution.players == 1:
        return f"The best plan would earn {gain:.2g} a game more."
    return _gains_sentence(solution)


def _gains_sentence(solution: Solution) -> str:
    """Return what the players gain by deviating alone, and how far the play is from a correlated equilibrium."""
    measures = solution.final.measures
    largest_gain = max(solution.deviation_gains)
    distance = measures.get("cce_distance")
    amount = f"{largest_gain:.2g} a game"
    if tells_gains(solution.players) and "exploitability_percent" in measures:
        amount = f"{solution.final.gap_percent:.2g}% of the pot"
    sentence = f"No player can gain more than {amount} by deviating alone."
    if solution.locks:
        sentence = f"{sentence} What is locked stays, and is not counted."
    if distance is None:
        return sentence
    return (
        f"{sentence} All iterations together are {max(distance, 0.0):.2g} from a coarse "
        "correlated equilibrium."
    )
