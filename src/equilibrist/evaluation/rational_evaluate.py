"""Evaluations in fractions of whatever strategy the user has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import GameError, SolutionError
from ..form.compiled_game import is_compiled
from ..form.limits import CompileBudget
from ..form.sequence.build import check_and_unfold
from ..games.load import load
from ..strategy.convert import AnyStrategy, as_strategy
from ..strategy.reading import check_missing
from .agents import is_policy
from .decisions import Policy
from .policies import ask_policy
from .rational import (
    MOST_HISTORIES,
    RationalEvaluation,
    RationalGame,
    evaluate_in_fractions,
    strategy_in_fractions,
    walk_in_fractions,
)


def refuse_with_rational(**options: bool) -> None:
    """Refuse options of evaluations in floating point."""
    for name, is_given in options.items():
        if is_given:
            raise SolutionError(
                f"In fractions a strategy has a value and best responses; leave {name} out, or rational.",
                wrong_use=True,
            )


def walk_game(game: Any, limits: CompileBudget, say: Callable[[str], object]) -> RationalGame:
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
    rules = check_and_unfold(load(game))
    return walk_in_fractions(rules, say, limits.max_histories or MOST_HISTORIES, limits)


def evaluate_rationally(
    game: Any,
    strategy: AnyStrategy | Policy,
    budget: CompileBudget,
    missing: str | None,
    say: Callable[[str], None] | None,
) -> RationalEvaluation:
    """Return the evaluation in fractions of whatever strategy the user has."""
    check_missing(missing)
    walked = walk_game(game, budget, say or (lambda text: None))
    if is_policy(strategy):
        strategy = ask_policy(game, strategy, budget, say)[1]
    owners: dict[str, list[int]] = {}
    for infoset in walked.infosets:
        owners.setdefault(infoset.key, []).append(infoset.player)
    table = as_strategy(strategy, lambda name: owners.get(name, [0]))
    return evaluate_in_fractions(walked, strategy_in_fractions(walked, table, missing=missing))
