"""Games by name and files by suffix: tables of places, imported when used, which other distributions go on with.

A distribution that has an entry point in the group ``equilibrist.games`` brings a game by its name,
or a reader of files where the name is a suffix such as ``.sgf``. Its entries are asked where the
tables below have none.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from .._util.entry_points import explain_failures, find_entry_points, load_entry_point
from .._util.names import canonical_name
from .._util.places import import_place
from ..errors import GameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "equilibrist.games"
"""The group of the entry points by which other distributions bring games."""

Place: TypeAlias = "str | EntryPoint"
"""Where something stands: in the package, or in another distribution."""


class GameTable(Mapping[str, type[Any]]):
    """Games by name: the class of each, or another callable that makes it, imported when somebody asks for it."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self.places = dict(places)

    def __getitem__(self, name: str) -> type[Any]:
        game: type[Any] = _load(self.places[name])
        return game

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self.places)}>"


GAMES = GameTable(
    {
        "battleship": "games.battleship:Battleship",
        "biased_rps": "games.matrix:BiasedRockPaperScissors",
        "blotto": "games.matrix:Blotto",
        "dark_hex": "games.phantom:DarkHex",
        "goofspiel": "games.goofspiel:Goofspiel",
        "kuhn": "games.kuhn:Kuhn",
        "leduc": "games.leduc:Leduc",
        "liars_dice": "games.liars_dice:LiarsDice",
        "matching_pennies": "games.matrix:MatchingPennies",
        "matrix": "games.matrix:Matrix",
        "mini_euchre": "games.mini_euchre:MiniEuchre",
        "no_limit_leduc": "games.no_limit_leduc:NoLimitLeduc",
        "phantom_ttt": "games.phantom:PhantomTicTacToe",
        "rhode_island": "games.rhode_island:RhodeIsland",
        "rlcard_leduc": "games.rlcard_leduc:RLCardLeduc",
        "rps": "games.matrix:RockPaperScissors",
    }
)
"""Every built-in game by name; the first line of a class's docstring describes it."""

CARD_GAMES = GameTable({"holdem": "poker.spot.game:Holdem", "omaha": "poker.omaha.game:Omaha"})
"""The built-in games whose hands are sets of cards (:class:`equilibrist.CardGame`), by name; all are spots."""

PUBLIC_GAMES = GameTable(
    {"preflop": "poker.preflop.game:Preflop", "push_fold": "poker.preflop.game:PushFold"}
)
"""The built-in games told by their public states alone (:class:`equilibrist.PublicGame`), by name."""

LARGE_GAMES = GameTable({"nlhe": "poker.nlhe.game:NoLimitHoldem"})
"""The built-in games that are too large to be compiled or walked, by name: they are solved in an abstraction."""

BUILT_IN = GameTable(
    {**GAMES.places, **CARD_GAMES.places, **LARGE_GAMES.places, **PUBLIC_GAMES.places}
)
"""All built-in games, by name."""

MAKERS = {"push_fold": "poker.preflop.many_handed:push_fold"}
"""What makes a game that has other classes, too, than the one that describes it, by name."""

READERS: dict[str, Place] = {
    ".efg": "games.gambit_read:read_efg",
    ".gbt": "games.gambit_workbook:read_gbt",
    ".nfg": "games.gambit_nfg:read_nfg",
    ".toml": "poker.spot.importers.read:read_spot_file",
    ".json": "poker.spot.importers.read:read_spot_file",
    ".txt": "poker.spot.importers.read:read_spot_file",
}
"""What reads a game from a file, by its suffix."""

SETTINGS_READERS: dict[str, str] = {
    ".toml": "poker.spot.spot:read_settings",
    ".json": "poker.spot.importers.read:read_settings",
    ".txt": "poker.spot.importers.read:read_settings",
}
"""What reads the name of a game and its settings from a file with settings, by its suffix."""

SETTINGS_FILES = tuple(SETTINGS_READERS)
"""The suffixes of files with settings: a game that was read from one calls itself by them, and not by the file."""

SPELLINGS: dict[str, str] = {"holdem": "poker.spot.spot:spell_settings"}
"""What writes settings as the text of a game without making the game, by its name: of games that take long to make."""

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


def all_games() -> GameTable:
    """Return the games that can be made by name: the built-in ones, and those of other distributions."""
    installed = {name: place for name, place in find_entry_points(GROUP).items() if name[0] != "."}
    return GameTable({**BUILT_IN.places, **{name: installed[name] for name in sorted(installed)}})


def find_game(name: str, settings: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name of a game for what a user calls it, and its settings with those that this implies."""
    try:
        return canonical_name("game", name, settings, BUILT_IN, ALIASES, GameError)
    except GameError:
        return canonical_name("game", name, settings, all_games(), ALIASES, GameError)


def find_reader(path: str) -> Callable[[str], Any] | None:
    """Return what reads a game from files with the suffix of a path; None where nothing does."""
    suffix = path[path.rfind(".") :].lower()
    if suffix in READERS:
        return _read(READERS[suffix])
    if suffix[:1] != "." or not suffix[1:].isalnum():  # of a name with settings
        return None
    place = find_entry_points(GROUP).get(suffix)
    if place is None:
        return None
    return _read(place)


def find_settings_reader(path: str) -> Callable[[str], tuple[str, dict[str, Any]]] | None:
    """Return what reads the name and the settings of a game from a file with the suffix of a path; None without."""
    place = SETTINGS_READERS.get(path[path.rfind(".") :].lower())
    if place is None:
        return None
    reader: Callable[[str], tuple[str, dict[str, Any]]] = import_place(place)
    return reader


def make(name: str, /, **settings: Any) -> Any:
    """Return a game by its name, or what else it is called (``kuhn_poker``, ``bluff``), and its keyword arguments.

    >>> print(make("kuhn", cards=4))
    kuhn(cards=4)
    """
    name, settings = find_game(name, settings)
    if name in BUILT_IN:
        place: Place = BUILT_IN.places[name]
    else:
        place = all_games().places[name]
    described = _load(place)
    # A game may be of another class with some settings: hold'em with three ranges.
    choose_class = getattr(described, "choose_class", None)
    if choose_class is not None:
        described = choose_class(settings)
    parameters = inspect.signature(described).parameters
    takes = f"; it takes {', '.join(parameters) or 'none'}."
    for unknown in settings.keys() - parameters.keys():
        raise GameError(f"{name} has no parameter {unknown!r}{takes}", wrong_use=True)
    for needed, parameter in parameters.items():
        if parameter.default is parameter.empty and needed not in settings:
            example = getattr(described, "example", "")
            hint = f", as in {example}" if example else takes
            raise GameError(f"{name} needs the parameter {needed!r}{hint}", wrong_use=True)
    if name in MAKERS:
        return import_place(MAKERS[name])(**settings)
    if isinstance(place, str):
        return described(**settings)
    with explain_failures(place, "making it", GameError):
        return described(**settings)


def _load(place: Place) -> Any:
    """Return what makes a game, imported from its place."""
    if isinstance(place, str):
        return import_place(place)
    return load_entry_point(place, GameError)


def _read(place: Place) -> Callable[[str], Any]:
    """Return a reader of files, imported from its place."""
    reader: Callable[[str], Any] = _load(place)
    if isinstance(place, str):
        return reader

    def read(path: str) -> Any:
        with explain_failures(place, f"reading '{path}'", GameError):
            return reader(path)

    return read
