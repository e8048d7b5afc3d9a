"""The built-in games, and the registry that makes them by name."""

from __future__ import annotations

import inspect
from typing import Any

from .._util.names import resolve
from ..errors import GameError
from ..game.card_game import CardGame
from ..game.protocol import Game
from .battleship import Battleship
from .goofspiel import Goofspiel
from .holdem.game import Holdem
from .kuhn import Kuhn
from .leduc import Leduc
from .liars_dice import LiarsDice
from .matrix import BiasedRockPaperScissors, Blotto, MatchingPennies, Matrix, RockPaperScissors
from .mini_euchre import MiniEuchre
from .no_limit_leduc import NoLimitLeduc
from .rhode_island import RhodeIsland

GAMES: dict[str, type[Game]] = {
    "battleship": Battleship,
    "biased_rps": BiasedRockPaperScissors,
    "blotto": Blotto,
    "goofspiel": Goofspiel,
    "kuhn": Kuhn,
    "leduc": Leduc,
    "liars_dice": LiarsDice,
    "matching_pennies": MatchingPennies,
    "matrix": Matrix,
    "mini_euchre": MiniEuchre,
    "no_limit_leduc": NoLimitLeduc,
    "rhode_island": RhodeIsland,
    "rps": RockPaperScissors,
}
"""Every built-in game by name; the first line of a class's docstring describes it."""

CARD_GAMES: dict[str, type[CardGame]] = {
    "holdem": Holdem,
}
"""The built-in games whose hands are sets of cards (:class:`equilibrist.CardGame`), by name."""


def make(name: str, /, **settings: Any) -> Game | CardGame:
    """Return a built-in game.

    Parameters
    ----------
    name : str
        A key of :data:`GAMES` or :data:`CARD_GAMES`, or what else the game is called (``kuhn_poker``, ``bluff``).
    **settings
        The keyword arguments of the game's class.

    Raises
    ------
    GameError
        If there is no such game, if it has no such parameter, or if a value is not allowed.

    Examples
    --------
    >>> print(make("kuhn", cards=4))
    kuhn(cards=4)
    """
    known: dict[str, type[Game | CardGame]] = {**GAMES, **CARD_GAMES}
    name, settings = resolve("game", name, settings, known, GameError)
    parameters = inspect.signature(known[name]).parameters
    takes = f"; it takes {', '.join(parameters) or 'none'}."
    for unknown in settings.keys() - parameters.keys():
        raise GameError(f"{name} has no parameter {unknown!r}{takes}", wrong_use=True)
    for needed, parameter in parameters.items():
        if parameter.default is parameter.empty and needed not in settings:
            example = getattr(known[name], "example", "")
            hint = f", as in {example}" if example else takes
            raise GameError(f"{name} needs the parameter {needed!r}{hint}", wrong_use=True)
    return known[name](**settings)
