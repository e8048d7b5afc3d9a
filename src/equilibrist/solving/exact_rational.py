"""The equilibrium of a game in fractions, from its rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._util.stopwatch import Seconds, stopwatch
from ..errors import GameError, LinearProgramError
from ..evaluation.proofs import RationalSolution
from ..evaluation.rational import (
    MOST_HISTORIES,
    RationalGame,
    evaluate_in_fractions,
    walk_in_fractions,
)
from ..evaluation.rational_program import check_rational, solve_in_fractions
from ..form.compiled_game import is_compiled
from ..form.limits import CompileBudget
from ..form.sequence.build import check_and_unfold
from ..games.load import load

Say = Callable[[str], Any]


def walk_game(game: Any, limits: CompileBudget, say: Say) -> RationalGame:
    """Return a game by its sequences, in fractions, from its rules.

    Raises
    ------
    GameError
        It is compiled already, which leaves no rules, or has too many histories.
    """
    if is_compiled(game):
        raise GameError(
            f"Fractions come from the rules, which {game.name} no longer has once it is compiled: give "
            "the game itself.",
            wrong_use=True,
        )
    most = min(limits.max_histories or MOST_HISTORIES, MOST_HISTORIES)
    return walk_in_fractions(check_and_unfold(load(game)), say, most)


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
    name = game if isinstance(game, str) else walked.name
    return RationalSolution(name, strategy, evaluation, seconds)
