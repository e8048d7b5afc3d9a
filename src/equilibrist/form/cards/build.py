"""Compile the rules of a card game: its betting tree, its boards, and the numbering of slots."""

from __future__ import annotations

from ..._util.validate import is_number
from ...errors import GameError
from ...game.card_game import CardGame, is_card_game
from ...game.protocol import game_name
from ..limits import CompileBudget, make_sentence, within_memory
from .betting import walk_betting
from .boards import check_boards, list_boards
from .checked import check_cards
from .form import CardForm, card_form


def compile_cards(game: CardGame) -> CardForm:
    """Return the card form of a game, having checked its cards and its betting on the way.

    Parameters
    ----------
    game : CardGame
        The rules.

    Raises
    ------
    GameError
        The game is not well formed.
    """
    if not is_card_game(game):
        raise GameError(
            "A card game is needed here (see equilibrist.CardGame), as eq.load() makes of a "
            f"spot file; got {game!r}.",
            wrong_use=True,
        )
    return compile_cards_within(game, CompileBudget())


def compile_cards_within(game: CardGame, limits: CompileBudget) -> CardForm:
    """Return the card form of a game, as :func:`compile_cards` does.

    A limit on histories is not of the betting tree alone, so that the caller checks the public nodes.
    """
    limits = limits._replace(max_histories=None)
    with within_memory(game_name(game), make_sentence(CardForm.smaller)):
        check_cards(game)
        pot = getattr(game, "pot", None)
        if pot is not None and not is_number(pot, above=0):
            raise GameError(
                f"{game_name(game)}: pot must be a number above 0, or None; got {pot!r}."
            )
        check_boards(game, limits)
        return card_form(game, walk_betting(game, limits), list_boards(game))
