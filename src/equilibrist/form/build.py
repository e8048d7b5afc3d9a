"""The compiled forms of a game: its tree, and the sequence form made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import GameError
from ..game.public import PublicGame, is_public_game
from ..game.unfold import unfold
from .build_python import MAX_DEPTH, MAX_HISTORIES, Limits, explore

if TYPE_CHECKING:
    from ..game.protocol import Game
    from .public import PublicForm
    from .sequence import SequenceForm


def compile_game(
    game: Game | PublicGame,
    *,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
    keep_tree: bool = False,
) -> SequenceForm:
    """Return the sequence form of a game, having checked all of it on the way.

    Parameters are those of :func:`equilibrist.form.build_python.walk`; ``keep_tree`` keeps the tree of histories
    as well, which sampling needs and which takes far more memory than the form. A public game is unfolded.

    Raises
    ------
    GameError
        The game is not well formed, has imperfect recall, or exceeds a limit.
    """
    from .sequence import form_of, outline

    game = to_extensive_form(game)
    limits = Limits.checked(max_histories, max_depth, progress)
    walked = explore(game, limits, keep_tree=keep_tree)
    found = walked.outline or outline(walked.whole, game)
    kept = walked.tree if keep_tree else None
    del walked  # a tree that is not to be kept takes more memory than the form
    return replace(form_of(found), tree=kept)


def to_extensive_form(game: Game | PublicGame) -> Game:
    """Return a game as an ordinary one; a public game is checked before it is unfolded."""
    if isinstance(game, str):
        raise GameError(f"Rules are needed here, not their name: give eq.load({game!r}).", wrong_use=True)
    if is_public_game(game):
        from .build_public import compile_public

        compile_public(game)
    return unfold(game)


def check_game(
    game: Game | PublicGame,
    *,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
) -> SequenceForm | PublicForm:
    """Walk a game and raise an error that names the first thing that is wrong with it; return its compiled form.

    Checked are: actions at every decision, the same ones at every history of an infoset; probabilities of chance that
    are not negative and sum to 1; finite payoffs for every player at every end; perfect recall of every player; an
    end within the limits. Run it on a game of your own before you solve it (solving checks the same). Of a public game
    these are checked for every public state, and every pair of hands that can be there.

    Parameters
    ----------
    game : Game or PublicGame
        The rules.
    max_histories, max_depth : int
        Where to give up.
    progress : callable, optional
        Called now and then with the number of histories found so far.

    Raises
    ------
    GameError
        The first thing that is wrong, in one sentence, with the histories where it is seen.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.check_game(eq.load("kuhn")).histories
    58
    """
    if is_public_game(game):
        from .build_public import compile_public

        return compile_public(game, max_histories=max_histories, max_depth=max_depth, progress=progress)
    return compile_game(game, max_histories=max_histories, max_depth=max_depth, progress=progress)
