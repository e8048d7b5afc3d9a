"""How good a solution is, in one sentence for people who do not know exploitability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...evaluation.off_path import PROMISES_NOTHING

if TYPE_CHECKING:
    from ...solving.solution import Solution

_OF_POT = (
    (0.1, "That is exact enough for any use."),
    (0.5, "That is good for study; mixes of single hands are not final."),
    (2.0, "That is rough: trust what a whole range does, not single hands."),
)
"""Exploitability in % of the pot up to which a solution is called so; 0.5 % is what people usually ask for."""


def quality_of(solution: Solution) -> dict[str, Any]:
    """Return what the heads of a run show of its solution: how it was found, what it is worth, how good it is."""
    return {
        "algorithm": solution.algorithm,
        "iterations": solution.iterations,
        "value": solution.value,
        "deviation_gains": solution.deviation_gains,
        "measures": solution.final.measures,
        "guarantee": solution.guarantee,
        "quality": how_good(solution),
    }


def how_good(solution: Solution) -> str:
    """Return how far a solution is from an equilibrium, and what that means."""
    gain = solution.exploitability
    if gain is None:
        return "Nobody knows how good this is: the run was sampled without a tree, so that it has no certificate."
    percent = solution.exploitability_percent
    if solution.off_path != PROMISES_NOTHING:
        price = f"{gain:.2g} a game" if percent is None else f"{percent:.2g}% of the pot"
        return f"The price of answering everywhere: {price} more than at equilibrium, for a perfect opponent."
    if percent is not None:
        means = next((words for most, words in _OF_POT if percent <= most), "That is not solved yet.")
        if solution.locks:
            return (
                f"Beside what is locked, a perfect opponent would win {percent:.2g}% of the pot more than at "
                f"equilibrium: best responses keep to the locked strategy, and what that gives away is not counted. "
                f"{means}"
            )
        return f"A perfect opponent would win {percent:.2g}% of the pot more than at equilibrium. {means}"
    if solution.players == 2 and solution.zero_sum:
        return f"A perfect opponent would win {gain:.2g} a game more than at equilibrium, the mean of both seats."
    if solution.players == 1:
        return f"The best plan would earn {gain:.2g} a game more."
    most = max(solution.deviation_gains)
    return f"No player can gain more than {most:.2g} a game by deviating alone."
