"""Compile a game: into the sequence form, by its tree or by compiled rules, the public form or the card form."""

from __future__ import annotations

from dataclasses import replace

from ...errors import GameError, GameTooLargeError
from ...game.card_game import CardGame
from ...game.protocol import Game, game_name
from ...game.public import PublicGame, is_public_game
from ...game.rules import RulesGame
from ...game.unfold import to_extensive_form
from ..limits import CompileBudget, within_memory
from ..public.build import compile_public
from .canonical import Walked, canonical_form
from .form import SequenceForm, sequence_form
from .walk_jit import walk_jit
from .walk_python import walk_python

SMALL = 4096
"""Histories that Python walks in some 20 ms."""
_NO_LIMITS = CompileBudget()


def compile_sequence(
    game: Game | PublicGame | CardGame,
    budget: CompileBudget = _NO_LIMITS,
    *,
    keep_tree: bool = False,
) -> SequenceForm:
    """Return the sequence form of a game, as :func:`~equilibrist.games.compile.compile_game` does."""
    return compile_within(
        check_and_unfold(game),
        budget,
        keep_tree=keep_tree,
    )


def compile_within(game: Game, limits: CompileBudget, *, keep_tree: bool) -> SequenceForm:
    """Return the sequence form of an ordinary game, as :func:`compile_sequence` does."""
    with within_memory(game_name(game)):
        walked = explore(game, limits, keep_tree=keep_tree)
        canonical = walked.canonical or canonical_form(walked.whole, game)
        tree = walked.tree if keep_tree else None
        del walked  # a tree that is not to be kept takes more memory than the form
        return replace(sequence_form(canonical), tree=tree)


def check_and_unfold(game: Game | PublicGame | CardGame) -> Game:
    """Return a game as an ordinary one; a public game is checked before it is unfolded."""
    if isinstance(game, str):
        raise GameError(
            f"Rules are needed here, not their name: give eq.load({game!r}).", wrong_use=True
        )
    if is_public_game(game):
        compile_public(game)
    return to_extensive_form(game)


def explore(game: Game, limits: CompileBudget, *, keep_tree: bool) -> Walked:
    """Return the tree and the canonical form of a game: at least one, and the tree if it is to be kept.

    Compiled rules give the canonical form at once. Otherwise it is made of the tree, as it is of a
    small game: Python has walked that before the compiled walk is loaded, or compiled where it
    never was.
    """
    if isinstance(game, RulesGame):
        most_histories = min(limits.max_histories or SMALL, SMALL)
        try:
            return Walked(
                walk_python(
                    game,
                    limits._replace(max_histories=most_histories, progress=None, on_stage=None),
                ),
                None,
            )
        except GameTooLargeError:
            if most_histories == limits.max_histories:
                raise
        walked = walk_jit(game, limits, keep_tree=keep_tree)
        if walked is not None and (keep_tree or walked.canonical is not None):
            return walked
    return Walked(walk_python(game, limits), None)
