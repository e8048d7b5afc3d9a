"""From the text a person writes on the command line to a game."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from .._util.python_classes import make_object
from .._util.spec import PythonPlace, parse_call, split_place
from ..errors import GameError, UntrustedGameError
from ..form.abstract.abstraction import is_abstract
from ..form.compiled_game import is_compiled
from ..form.walk.form import WalkedGame, is_walked
from ..game.card_game import CARD_GAME_NAMES, CardGame, is_card_game
from ..game.protocol import METHODS, Game, is_game
from ..game.public import PUBLIC_METHODS, PublicGame, is_public_game
from .gambit_objects import from_gambit, is_gambit
from .matrix import Payoffs, from_payoffs, is_payoffs
from .openspiel import OpenSpielGame, is_openspiel
from .registry import SETTINGS_FILES, find_reader, make

Trust = bool | Collection[str | os.PathLike[str]]
"""Whether Python files may be run that somebody else's data names as games, or which."""


def game_text(game: Any, name: str) -> str:
    """Return the text by which :func:`load` finds a game that was given as text or as a path, else its name."""
    if isinstance(game, str | os.PathLike):
        return os.fspath(game)
    return name


def load(
    spec: str | os.PathLike[str] | Game | PublicGame | CardGame | WalkedGame | Payoffs,
    *,
    trust: Trust = True,
) -> Any:
    """Return the game that ``spec`` names.

    * ``"kuhn"``: a built-in game, or one that another distribution brings
    * ``"kuhn(cards=4, ante=2)"``: the same with settings: Python's plain values, always by name
    * ``"spots/turn.toml"``: a spot of hold'em: a file with the settings of ``holdem``
    * ``"spot.json"``, ``"spot.txt"``: the same from elsewhere: settings of wasm-postflop, of
      PioSOLVER, or a script of TexasSolver
    * ``"poker.efg"``, ``"a.nfg"``: a Gambit file: a tree, or a table of strategies
    * ``"poker.gbt"``: a file of Gambit's window, which has one of these in it
    * ``"rules.py:Poker(cards=4)"``: a class of your own, in a Python file, with its settings where
      it has some
    * ``"openspiel:leduc_poker"``: a game of OpenSpiel, with parameters as OpenSpiel writes them
    * a game of ``pyspiel``: the same, :class:`~equilibrist.OpenSpielGame`
    * a game of ``pygambit``: a tree or a table, as the file that Gambit would write of it
    * arrays of NumPy: ``(rows, columns)``, what each player wins; or one array, where the other
      player loses what the first one wins
    * a game: itself, once it is seen to have the methods of :class:`~equilibrist.Game`, of
      :class:`~equilibrist.PublicGame` or of :class:`~equilibrist.CardGame`

    Parameters
    ----------
    spec : str, path-like, Game, PublicGame, CardGame, or an object of the list above
        What to load. A Python file is run, as importing it would.
    trust : bool or collection of path
        Whether a Python file may be run, or which. False where somebody else wrote ``spec``, as in
        a saved run.

    Raises
    ------
    GameError
        If the spec cannot be understood, names nothing that is there, has settings that the game
        does not take, or names a Python file that is not trusted (``wrong_use`` is true); or if a
        file is broken or its class is not a game (``wrong_use`` is false).

    Examples
    --------
    >>> import equilibrist as eq
    >>> print(eq.load("kuhn(cards=4)"))
    kuhn(cards=4)

    A game of your own, from a file:

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "rules.py").write_text('''
    ... class Flip:
    ...     players = 1
    ...     def __init__(self, prize=1): self.prize = prize
    ...     def start(self): return "begin"
    ...     def player(self, state): return 0 if state == "begin" else -2
    ...     def actions(self, state): return ["heads", "tails"]
    ...     def probabilities(self, state): return []
    ...     def next(self, state, action): return action
    ...     def payoffs(self, state): return [self.prize if state == "heads" else 0]
    ...     def infoset(self, state): return "flip"
    ... ''')
    >>> eq.load(f"{folder}/rules.py:Flip(prize=5)").payoffs("heads")
    [5]

    A misspelt name:

    >>> eq.load("khun")
    Traceback (most recent call last):
    equilibrist.errors.GameError: There is no game 'khun'. Did you mean 'kuhn'?
    """
    if isinstance(spec, os.PathLike):
        spec = os.fspath(spec)
    if not isinstance(spec, str):
        return _check_game(spec)
    spec = spec.strip()
    if spec.startswith("openspiel:"):
        return OpenSpielGame(spec.removeprefix("openspiel:"))
    place = _python_place(spec)
    if place is not None:
        check_trust(spec, trust)
        return make_object(
            Path(place.file), place.call, _check_game, GameError, example="Poker(cards=4)"
        )
    if spec.endswith(".py"):
        raise GameError(f"Say which class of '{spec}' is the game: '{spec}:Class'.", wrong_use=True)
    reader = find_reader(spec)
    if reader is not None:
        return _check_game(reader(spec))
    if os.path.isfile(spec):
        raise GameError(
            f"'{spec}' is no game: a file is loaded as 'file.efg', 'file.nfg' or 'file.gbt' (Gambit), as "
            "'file.toml' (a spot of hold'em) or as 'file.py:Class' (rules in Python).",
            wrong_use=True,
        )
    name, settings = parse_call(spec)
    return _check_game(make(name, **settings))


def is_settings_file(spec: str) -> bool:
    """Return whether a text names a file with the settings of a game: of this package, or of another program."""
    return spec.strip().lower().endswith(SETTINGS_FILES)


def python_file(spec: str) -> Path | None:
    """Return the Python file that a text names as a game; None where it names another kind of game."""
    place = _python_place(spec)
    if place is None:
        return None
    return Path(place.file)


def _python_place(spec: str) -> PythonPlace | None:
    """Return the class in a Python file that a text names as a game, or None."""
    place = split_place(spec)
    if place is None or place.file.startswith("openspiel:"):
        return None
    return place


def check_trust(spec: str, trust: Trust, what: str = "game") -> None:
    """Refuse a text that names a Python file as a game, or as something else, unless that file is trusted."""
    file = python_file(spec)
    if file is None:
        return
    path = os.path.realpath(file)
    if not (trust if isinstance(trust, bool) else path in map(os.path.realpath, trust)):
        raise UntrustedGameError(
            f"The {what} {spec!r} is a Python file, which a saved run, a study or a proof names and "
            "loading would run: if you "
            f"trust that file, say so with trust=True (--trust), or give the {what} itself.",
            wrong_use=True,
            field="trust",
            allowed=(path,),
        )


def _check_game(game: Any) -> Game | PublicGame | CardGame:
    """Return ``game`` if it has all that a game has, else say what is missing."""
    if is_openspiel(game):
        return OpenSpielGame(game)
    if is_abstract(game):
        raise GameError(
            f"Nothing but solve() takes {game!r}: strategies are certified and compared in the real game; give that.",
            wrong_use=True,
        )
    if is_gambit(game):
        return from_gambit(game)
    if is_payoffs(game):
        return from_payoffs(game)
    if is_compiled(game):
        raise GameError(
            f"{game!r} is compiled already: give the game itself, whose rules are needed.",
            wrong_use=True,
        )
    if is_walked(game):
        rules: Game | PublicGame | CardGame = game.rules
        return rules
    if isinstance(game, type):
        raise GameError(
            f"{game.__name__} is a class; pass an instance: {game.__name__}(...).", wrong_use=True
        )
    if is_game(game) or is_public_game(game) or is_card_game(game):
        return game
    if isinstance(game, list | tuple) or hasattr(game, "to_numpy"):
        raise GameError(
            "Payoffs are an array of NumPy, or a pair of arrays, of shape (rows, columns): numpy.array(…); "
            f"got an object of type {type(game).__name__!r}.",
            wrong_use=True,
        )
    kinds = ("CardGame", CARD_GAME_NAMES), ("PublicGame", PUBLIC_METHODS), ("Game", METHODS)
    kind, methods = kinds[0 if hasattr(game, "streets") else 1 if hasattr(game, "hands") else 2]
    missing = [name for name in methods if not hasattr(game, name)]
    raise GameError(
        f"An object of type {type(game).__name__!r} is not a game: it has no {', '.join(missing)}. "
        f"See equilibrist.{kind} for what each of them answers."
    )
