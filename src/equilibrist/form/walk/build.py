"""Make a game to be walked of its rules: the one place that asks who is going to run them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...errors import GameError
from ...game.card_game import CardGame
from ...game.protocol import Game, game_name
from ...game.public import PublicGame
from ...game.rules import RulesGame
from ..limits import MAX_DEPTH, CompileBudget
from ..sequence.build import check_and_unfold
from .compiled import WalkedRules
from .form import WalkedGame
from .interpreted import WalkedPython
from .walk import walkable_rules

Rules = Game | PublicGame | CardGame
"""What says how a game goes."""

_NO_LIMITS = CompileBudget()


def compile_walk(
    game: Rules,
    limits: CompileBudget = _NO_LIMITS,
    *,
    load_again: Callable[[], Rules] | None = None,
) -> WalkedGame:
    """Return a game to be walked: by a kernel where its rules compile, else by Python.

    ``limits`` are those of rules in Python. ``load_again`` returns the rules in a process that
    executors may have elsewhere; by default they are sent there.

    Raises
    ------
    GameError
        The rules are not well formed; or they compile, and there is a limit on moves, which a kernel
        does not count.
    """
    fast = compile_fast_walk(game)
    if fast is not None:
        if limits.max_depth != MAX_DEPTH:
            raise GameError(
                f"A walk of {game_name(game)}, whose rules compile, counts no moves, so that "
                f"limits=eq.Limits(depth={limits.max_depth!r}) would do nothing. Leave depth out.",
                wrong_use=True,
            )
        return fast
    return WalkedPython(check_and_unfold(game), limits, load_again or partial(_sent, game))


def compile_fast_walk(game: Rules) -> WalkedGame | None:
    """Return a game to be walked by a kernel, or None where its rules do not compile."""
    machine = walkable_rules(game)
    if machine is None or not isinstance(game, RulesGame):
        return None
    return WalkedRules(game, machine)


def _sent(game: Rules) -> Rules:
    """Return the rules that were sent."""
    return game
