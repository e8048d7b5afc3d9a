"""Spot files: a spot of hold'em or Omaha as TOML, with the names that :class:`Holdem` or :class:`Omaha` takes."""

from __future__ import annotations

import inspect
import os
import tomllib
from collections.abc import Mapping
from typing import Any

from ..._util.files import read_text, write_atomically
from ..._util.spec import spec
from ..._util.toml import toml_text
from ...errors import GameError, SolutionError, nearest
from ...games.registry import CARD_GAMES
from .betting_of_spot import Spot
from .game import Holdem
from .settings import canonical_settings
from .three_prizes import ThreePrizes
from .three_ranges import ThreeRanges


def read_spot(path: str | os.PathLike[str]) -> Spot | ThreeRanges | ThreePrizes:
    """Return the spot in a TOML file.

    ::

        board = "Td9d6h Qc"
        pot = 200
        stack = 900
        bets = "60%, e, a; 2.5x"  # bets; raises; donk bets, of both players on all streets
        add_all_in = 1.5

        [oop]
        range = "66+,A8s+,KQo:0.5"
        river = {donk = "50%"}  # or a table [oop.river]

        [ip]
        range = "QQ-22,AQs-A2s"

        [[locks]]  # a strategy that is fixed; any number of them
        line = "X-B120"
        strategy = {F = 0.3, C = 0.7}
        hands = "QQ,JJ"  # of these alone
        board = "Td9d6hQc"  # and on the boards alone that begin so

    Keys and values are those of :class:`~equilibrist.poker.spot.game.Holdem`; ``oop = "66+"``
    will do where a player has no sizes of its own. ``game = "omaha"`` makes it a spot of
    :class:`~equilibrist.poker.omaha.game.Omaha`.
    """
    path = os.fspath(path)
    return make_spot(_toml(path), path)


def read_game_file(path: str) -> str:
    """Return the text of a file; an error is one of the game."""
    try:
        return read_text(path)
    except SolutionError as error:
        raise GameError(str(error), wrong_use=error.wrong_use) from error


def read_settings(path: str) -> tuple[str, dict[str, Any]]:
    """Return the name of the game in a spot file, and its settings as they are written there."""
    try:
        settings = tomllib.loads(read_game_file(path))
    except tomllib.TOMLDecodeError as error:
        raise GameError(f"'{path}' is no TOML: {error}.", wrong_use=True) from error
    return str(settings.pop("game", Holdem.name)), settings


def spell_settings(settings: Mapping[str, Any]) -> str:
    """Return the text of a spot of hold'em with settings, in the one way of writing it."""
    game_class = Holdem.choose_class(settings)
    parameters = inspect.signature(game_class).parameters
    for key in settings:
        if key not in parameters:
            raise GameError(
                f"A spot has no setting {key!r}; it has {', '.join(parameters)}.", wrong_use=True
            )
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in settings:
            raise GameError(f"The spot needs the setting {key!r}.", wrong_use=True)
    if game_class is not Holdem:
        return str(game_class(**settings))
    if settings.get("locks"):
        return str(Holdem(**settings))  # whose tree names their lines
    defaults = {key: parameter.default for key, parameter in parameters.items() if key != "locks"}
    settings = {key: value for key, value in settings.items() if key != "locks"}
    return spec(Holdem.name, Holdem, canonical_settings(**{**defaults, **settings})[0])


def read_locks_file(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Return the locks in a TOML file, one ``[[locks]]`` each as in a spot file, of which the rest is passed over."""
    path = os.fspath(path)
    locks = _toml(path).get("locks")
    if not isinstance(locks, list):
        raise GameError(
            f"'{path}' has no locks; write [[locks]], and below it line and strategy.",
            wrong_use=True,
        )
    return locks


def _toml(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_game_file(path))
    except tomllib.TOMLDecodeError as error:
        raise GameError(f"'{path}' is no TOML: {error}.", wrong_use=True) from error


def make_spot(settings: Mapping[str, Any], path: str) -> Spot | ThreeRanges | ThreePrizes:
    """Return the spot with the settings that a file gives; errors name the file."""
    name = settings.get("game", Holdem.name)
    if name not in CARD_GAMES:
        raise GameError(
            f"'{path}': game must be {' or '.join(map(repr, CARD_GAMES))}; got {name!r}.",
            wrong_use=True,
        )
    game_class: Any = CARD_GAMES[name]
    settings = {key: value for key, value in settings.items() if key != "game"}
    if name == Holdem.name:
        game_class = Holdem.choose_class(settings)
    parameters = inspect.signature(game_class).parameters
    for key in settings:
        if key not in parameters:
            raise GameError(
                f"'{path}': a spot has no {key!r}.{nearest(key, parameters)}", wrong_use=True
            )
    missing = [
        name
        for name, parameter in parameters.items()
        if parameter.default is parameter.empty and name not in settings
    ]
    if missing:
        raise GameError(
            f"'{path}' lacks {', '.join(missing)}: {_NEEDED[missing[0]]}.", wrong_use=True
        )
    try:
        spot: Spot | ThreeRanges | ThreePrizes = game_class(**settings)
        return spot
    except GameError as error:
        raise GameError(f"'{path}': {error}", wrong_use=True) from error


_NEEDED = {
    "board": 'write board = "QsJh2h"',
    "oop": 'write oop = "QQ+,AKs", the range of the player out of position',
    "ranges": 'write ranges = ["QQ+,AKs", "JJ-99", "22+"], those of three players',
    "stacks": "write stacks = [200, 200, 200], the chips that each player has left",
    "ip": 'write ip = "QQ+,AKs", the range of the player in position',
    "pot": "write pot = 50, the chips in the middle",
    "stack": "write stack = 200, the chips that each player has left",
}


def spot_text(game: Spot | ThreeRanges | ThreePrizes) -> str:
    """Return a spot as the text of a TOML file, which :func:`read_spot` reads back: only what is no default.

    >>> game = Holdem("2s3h4d6c7c", {"range": "AsAh,QsQh:0.5", "river": "a"}, "KsKh", pot=20, stack=10)
    >>> for line in spot_text(game).splitlines():
    ...     print(line or "#")
    board = "2s3h4d6c7c"
    ip = "KsKh"
    pot = 20
    stack = 10
    #
    [oop]
    range = "AsAh,QsQh:0.5"
    river = "a"
    """
    parameters = inspect.signature(type(game)).parameters
    game_setting = {} if game.name == Holdem.name else {"game": game.name}
    changed = game_setting | {
        key: value for key, value in game.settings.items() if value != parameters[key].default
    }
    return toml_text(changed, repeated=["locks"])


def write_spot(game: Spot | ThreeRanges | ThreePrizes, path: str | os.PathLike[str]) -> None:
    """Write a spot as a TOML file.

    Raises
    ------
    SolutionError
        The file cannot be written.
    """
    write_atomically(os.fspath(path), spot_text(game).encode())
