"""Games as pictures take them: the one that is given, compiled where it is not."""

from __future__ import annotations

from typing import Any

from ..form.build import compile_game
from ..form.build_public import compile_public
from ..form.compiled_game import CompiledGame
from ..game.public import public_game
from ..games.compile import MOST_WRITTEN_OUT, Playable
from ..games.load import load
from ..solving.solution import Solution


def game_of(run: Solution, game: Any = None, *, trust: bool = False) -> Any:
    """Return the game of a run: the one that is given, or what the run names, unless that runs code of its own.

    Raises
    ------
    GameError
        The name is that of a Python file, and nobody has said that it may be run; or there is no such game.
    """
    return load(run.game, trust=trust) if game is None else game


def compile_with_reach(game: Playable, *, public: bool = False, max_histories: int | None = None) -> CompiledGame:
    """Compile a game into a form that tells the reach of its infosets: a sequence form with its tree, or a public form.

    It is a public form with ``public``, or where the game has public states and many histories. What is compiled
    already is taken as it is.
    """
    if isinstance(game, CompiledGame):
        return game
    rules = load(game)
    states = public_game(rules)
    if states is not None:
        form = compile_public(states)
        if public or form.histories > MOST_WRITTEN_OUT:
            return form
    return compile_game(rules, keep_tree=True, max_histories=max_histories)
