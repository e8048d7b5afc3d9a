"""The equilibrium of a game in fractions, from its rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._util.stopwatch import Seconds, stopwatch
from ..errors import LinearProgramError
from ..evaluation.proofs import RationalSolution
from ..evaluation.rational import evaluate_in_fractions
from ..evaluation.rational_evaluate import walk_game
from ..evaluation.rational_program import check_rational, solve_in_fractions
from ..form.limits import CompileBudget
from ..games.load import game_text

Say = Callable[[str], Any]


def solve_rationally(game: Any, limits: CompileBudget, say: Say) -> RationalSolution:
    """Return the equilibrium of a game in fractions, which the best responses to it prove."""
    seconds: Seconds = {}
    with stopwatch(seconds, "walk"):
        walked = walk_game(game, limits, say)
        check_rational(walked)
    with stopwatch(seconds, "solve"):
        value, strategy = solve_in_fractions(walked, say)
    with stopwatch(seconds, "certify"):
        evaluation = evaluate_in_fractions(walked, strategy)
    if evaluation.nash_conv != 0 or evaluation.value[0] != value:
        raise LinearProgramError(
            f"{walked.name}: no proof was found: the plans in fractions are no equilibrium."
        )
    name = game_text(game, walked.name)
    return RationalSolution(name, strategy, evaluation, seconds)
