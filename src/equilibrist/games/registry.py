"""The built-in games, and the registry that makes them by name."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from .._util.names import canonical_name
from ..errors import GameError
from ..game.card_game import CardGame
from ..game.protocol import Game
from ..game.public import PublicGame
from .battleship import Battleship
from .goofspiel import Goofspiel
from .holdem.game import Holdem
from .holdem.many_handed import push_fold
from .holdem.preflop import Preflop, PushFold
from .kuhn import Kuhn
from .leduc import Leduc
from .liars_dice import LiarsDice
from .matrix import BiasedRockPaperScissors, Blotto, MatchingPennies, Matrix, RockPaperScissors
from .mini_euchre import MiniEuchre
from .no_limit_leduc import NoLimitLeduc
from .omaha.game import Omaha
from .phantom import DarkHex, PhantomTicTacToe
from .rhode_island import RhodeIsland

GAMES: dict[str, type[Game]] = {
    "battleship": Battleship,
    "biased_rps": BiasedRockPaperScissors,
    "blotto": Blotto,
    "dark_hex": DarkHex,
    "goofspiel": Goofspiel,
    "kuhn": Kuhn,
    "leduc": Leduc,
    "liars_dice": LiarsDice,
    "matching_pennies": MatchingPennies,
    "matrix": Matrix,
    "mini_euchre": MiniEuchre,
    "no_limit_leduc": NoLimitLeduc,
    "phantom_ttt": PhantomTicTacToe,
    "rhode_island": RhodeIsland,
    "rps": RockPaperScissors,
}
"""Every built-in game by name; the first line of a class's docstring describes it."""

CARD_GAMES: dict[str, type[CardGame]] = {"holdem": Holdem, "omaha": Omaha}
"""The built-in games whose hands are sets of cards (:class:`equilibrist.CardGame`), by name."""

PUBLIC_GAMES: dict[str, type[PublicGame]] = {"preflop": Preflop, "push_fold": PushFold}
"""The built-in games told by their public states alone (:class:`equilibrist.PublicGame`), by name."""

BUILT_IN: dict[str, type[Game | CardGame | PublicGame]] = {**GAMES, **CARD_GAMES, **PUBLIC_GAMES}
"""All built-in games, by name."""


ALIASES = {
    "bluff": "liars_dice(order='face', wild_biddable=False)",
    "colonel-blotto": "blotto",
    "euchre": "mini_euchre",
    "gops": "goofspiel",
    "kuhn-poker": "kuhn",
    "leduc-holdem": "leduc",
    "leduc-poker": "leduc",
    "nl-leduc": "no_limit_leduc",
    "no-limit-holdem": "holdem",
    "omaha-holdem": "omaha",
    "pennies": "matching_pennies",
    "phantom-tic-tac-toe": "phantom_ttt",
    "plo": "omaha",
    "pot-limit-omaha": "omaha",
    "rock-paper-scissors": "rps",
    "roshambo": "rps",
    "texas": "holdem",
    "texas-holdem": "holdem",
}
"""What else the games are called (:func:`equilibrist._util.names.canonical_name`)."""


def find_game(name: str, settings: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name of a built-in game for what a user calls it, and its settings with those that this implies."""
    return canonical_name("game", name, settings, BUILT_IN, ALIASES, GameError)


def make(name: str, /, **settings: Any) -> Game | CardGame | PublicGame:
    """Return a built-in game by its name, or what else it is called (``kuhn_poker``, ``bluff``), and its keyword
    arguments.

    >>> print(make("kuhn", cards=4))
    kuhn(cards=4)
    """
    name, settings = find_game(name, settings)
    parameters = inspect.signature(BUILT_IN[name]).parameters
    takes = f"; it takes {', '.join(parameters) or 'none'}."
    for unknown in settings.keys() - parameters.keys():
        raise GameError(f"{name} has no parameter {unknown!r}{takes}", wrong_use=True)
    for needed, parameter in parameters.items():
        if parameter.default is parameter.empty and needed not in settings:
            example = getattr(BUILT_IN[name], "example", "")
            hint = f", as in {example}" if example else takes
            raise GameError(f"{name} needs the parameter {needed!r}{hint}", wrong_use=True)
    if BUILT_IN[name] is PushFold:
        return push_fold(**settings)
    return BUILT_IN[name](**settings)
