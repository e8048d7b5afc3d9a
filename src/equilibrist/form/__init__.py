"""The compiled forms of a game: its tree, and the sequence form made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .tree import MAX_DEPTH, MAX_HISTORIES, walk

if TYPE_CHECKING:
    from ..game import Game
    from .sequence import SequenceForm


def compile_game(
    game: Game,
    *,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
) -> SequenceForm:
    """Return the sequence form of a game, having checked all of it on the way.

    Parameters are those of :func:`equilibrist.form.tree.walk`.

    Raises
    ------
    GameError
        The game is not well formed, has imperfect recall, or exceeds a limit.
    """
    from .sequence import sequence_form

    return sequence_form(walk(game, max_histories=max_histories, max_depth=max_depth, progress=progress), game)
