"""Compile the rules of a card game: its betting tree, its boards, and the numbering of slots."""

from __future__ import annotations

from ..._util.validate import is_number
from ...errors import GameError
from ...game.card_game import CardGame
from ...game.protocol import game_name
from .betting import walk_betting
from .boards import list_boards
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
    check_cards(game)
    pot = getattr(game, "pot", None)
    if pot is not None and not is_number(pot, above=0):
        raise GameError(f"{game_name(game)}: pot must be a number above 0, or None; got {pot!r}.")
    return card_form(game, walk_betting(game), list_boards(game))
