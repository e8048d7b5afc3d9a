"""Games of pygambit that are at hand as objects, as rules: each is asked for its text, as Gambit writes files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from .gambit_game import GambitGame
from .gambit_nfg import parse_nfg
from .gambit_read import parse_efg

_NAME = Path("a game of pygambit")
"""What stands in errors for the file, and for the title of a game without one."""


def is_gambit(game: Any) -> bool:
    """Return whether something is a game of pygambit; without importing it, as nothing is one before that."""
    pygambit = sys.modules.get("pygambit")
    return pygambit is not None and isinstance(game, pygambit.Game)


def from_gambit(game: Any) -> GambitGame:
    """Return a game of pygambit as rules, with infosets and actions named as those of its file are.

    Parameters
    ----------
    game : pygambit.Game
        A tree or a table, of version 16 or 17.

    Raises
    ------
    GameError
        The game is not complete: an infoset without actions, for example.
    """
    if is_tree(game):
        return parse_efg(_NAME, _write(game, "efg"))
    return parse_nfg(_NAME, _write(game, "nfg"))


def is_tree(game: Any) -> bool:
    """Return whether a game of pygambit is a tree; version 17 has a class for trees instead of an attribute."""
    if hasattr(game, "is_tree"):
        return bool(game.is_tree)
    return hasattr(game, "mixed_behavior_profile")


def _write(game: Any, suffix: str) -> str:
    """Return the text of a game as a file of this suffix; version 16.2 knows one method for both."""
    if hasattr(game, f"to_{suffix}"):
        text: str = getattr(game, f"to_{suffix}")()
    else:
        text = game.write(format="native")
    return text.replace("\r\n", "\n")
