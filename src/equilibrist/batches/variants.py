"""Games by text: with some of their settings changed, such as a spot on another board, and compiled."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .._util.places import import_place
from .._util.spec import GAMBIT_FILES, parse_call, split_place
from ..cfr.concepts import NASH, find_concept
from ..errors import GameError
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits
from ..form.traits import compiles
from ..games.compile import Playable, compile_any
from ..games.load import load
from ..games.registry import (
    GAMES,
    SETTINGS_FILES,
    SPELLINGS,
    find_game,
    find_settings_reader,
)
from ..mccfr.sampling import find_sampling
from ..solving.keywords import solve_keywords

_NEWEST: dict[tuple[Any, ...], CompiledGame] = {}
"""The newest compiled game: many runs of a batch are on the same one."""


def read_game(text: str, folder: Path | None = None) -> tuple[str, dict[str, Any]]:
    """Return a game as the text before its settings, and the settings; a file may lie in ``folder``."""
    text = path_in_folder(text.strip(), folder)
    if text.startswith("openspiel:") or text.lower().endswith(GAMBIT_FILES):
        return text, {}
    place = split_place(text)
    if place is not None:
        name, settings = parse_call(place.call)
        return f"{place.file}:{name}", settings
    read_settings = find_settings_reader(text)
    if read_settings is not None:
        return read_settings(text)
    name, settings = parse_call(text)
    return find_game(name, settings)


def write_game(name: str, settings: Mapping[str, Any]) -> str:
    """Return the text of a game with settings, in the one way of writing it where the game is built in."""
    if name in SPELLINGS:
        game_text: str = import_place(SPELLINGS[name])(settings)
        return game_text
    call = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    text = f"{name}({call})" if call else name
    if call and (name.startswith("openspiel:") or name.lower().endswith(GAMBIT_FILES)):
        raise GameError(
            f"{name} has no settings that a study could change; got {', '.join(settings)}. Name "
            "each game by itself: game = [...] under [vary].",
            wrong_use=True,
        )
    if name in GAMES:
        return str(load(text))
    return text


def change_settings(settings: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with some changed; ``"oop.bets"`` is the setting ``bets`` in the table ``oop``.

    >>> change_settings({"oop": "AA", "pot": 10}, {"oop.bets": "50%", "pot": 20})
    {'oop': {'range': 'AA', 'bets': '50%'}, 'pot': 20}
    """
    result = dict(settings)
    for key, value in changes.items():
        table, _, inner_key = key.partition(".")
        if inner_key:
            old_value = result.get(table, {})
            result[table] = {
                **(old_value if isinstance(old_value, Mapping) else {"range": old_value}),
                inner_key: value,
            }
        else:
            result[table] = value
    return result


def digest_of(text: str) -> str:
    """Return what tells two games of the same text apart: of a file, a digest of what is in it."""
    path = re.sub(r"(?<=\.py):.*", "", text, flags=re.DOTALL)
    if path.lower().endswith((".py", *GAMBIT_FILES)) and Path(path).is_file():
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return ""


def compile_for_options(
    game: Playable,
    options: Mapping[str, Any],
    say: Callable[[str], None] | None = None,
    *,
    seconds: float | None = None,
) -> Playable:
    """Return a game as :func:`equilibrist.solve` would compile it with some options, the newest one from memory.

    A game that is no text, or that is sampled or walked without a tree, is returned as it is.
    Compiling may take so many seconds.
    """
    scheme = find_sampling(options.get("sampling") or "full")
    if not isinstance(game, str) or not scheme.tree or not compiles(options.get("form")):
        return game
    limit_options = {name: options.get(name) for name in ("max_histories", "max_depth")}
    concept = find_concept(options.get("concept") or NASH)
    limits = solve_keywords(limit_options).get("limits", Limits())
    form = options.get("form")
    tells_reach = concept.algorithm is not None
    key = (game, digest_of(game), form, scheme.full_width, tells_reach, limits)
    compiled_form = _NEWEST.get(key)
    if compiled_form is None:
        # Of a card game: the next may share it.
        shared_trees = [getattr(form, "betting", None) for form in _NEWEST.values()]
        _NEWEST.clear()  # before another one takes memory
        compile_limits = limits.of_compiling()._replace(seconds=seconds)
        compiled_game = compile_any(
            game,
            form=form,
            limits=compile_limits,
            say=say,
            keep_tree=not scheme.full_width,
            tells_reach=tells_reach,
        )
        _NEWEST[key] = compiled_form = compiled_game.renamed(game)
        del shared_trees
    return compiled_form


def path_in_folder(text: str, folder: Path | None) -> str:
    """Return a text whose file is looked for in a folder first."""
    path, colon, suffix = re.fullmatch(r"(.*?\.py|[^:]*)(:?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    is_file = path.lower().endswith((".py", *GAMBIT_FILES, *SETTINGS_FILES))
    if folder is not None and is_file and (folder / path).is_file():
        return f"{folder / path}{colon}{suffix}"
    return text
