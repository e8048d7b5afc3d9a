"""Settings of wasm-postflop and desktop-postflop, in JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...._util.validate import is_number
from ....errors import GameError, nearest
from ...cards.cards import CARDS, cards_text, parse_cards
from ..bet_sizes import STREETS
from ..spot import read_game_file
from .settings import add_sizes, percent_sizes, read_range

_SETTINGS = {
    "board": "board",
    "startingPot": "pot",
    "effectiveStack": "stack",
    "rakePercent": "rake",
    "rakeCap": "rake_cap",
    "addAllInThreshold": "add_all_in",
    "forceAllInThreshold": "force_all_in",
    "mergingThreshold": "merge",
    "addedLines": "add_lines",
    "removedLines": "remove_lines",
    "oopRange": "oop",
    "ipRange": "ip",
}
"""The settings of wasm-postflop that are settings of a spot."""

_SIZES = {
    f"{who}{street.capitalize()}{part}": (who, street, part.lower())
    for who in ("oop", "ip")
    for street in STREETS
    for part in ("Bet", "Raise", "Donk")
    if part != "Donk" or (who == "oop" and street != STREETS[0])
}


_GIVEN = {"board": "board", "oop": "oopRange", "ip": "ipRange"}
"""What options say beside a file, and how wasm-postflop calls it."""
_TREES = "configurations"
_RANGES = "ranges"
_MOST_NAMED = 12


def from_postflop(
    text: str, path: str, options: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], list[str]]:
    """Return the settings of a spot that wasm-postflop or desktop-postflop has saved.

    An exported tree has neither board nor ranges: these are in ``options``, and where a file has
    several the ``tree``.
    """
    options = options or {}
    values = _read_json(text, path)
    kind = _export_kind(values)
    if kind == _RANGES:
        raise GameError(
            f"'{path}' holds ranges of wasm-postflop and no tree: give one of them to a spot, as "
            f"'equilibrist spot … --oop \"{path}:{next(iter(_list_exports(values, path)), 'NAME')}\"'.",
            wrong_use=True,
        )
    if kind == _TREES:
        values = dict(
            _choose_item(
                _list_exports(values, path), options.get("tree", ""), path, "tree", "--tree"
            )
        )
        missing = [
            f"--{key}"
            for key, export_key in _GIVEN.items()
            if key not in options and export_key not in values
        ]
        if missing:
            raise GameError(
                f"'{path}' holds trees of wasm-postflop, which have no board and no ranges: give "
                f"{', '.join(missing)} to 'equilibrist spot' (and --out, to write a spot file).",
                wrong_use=True,
            )
    elif "tree" in options:
        raise GameError(
            f"'{path}' holds one spot, so that there is no tree {options['tree']!r}.",
            wrong_use=True,
        )
    if isinstance(values, dict):
        values = {**values, **{_GIVEN[key]: text for key, text in options.items() if key in _GIVEN}}
    config = values.get("config", {}) if isinstance(values, dict) else None
    values = {**values, **config} if isinstance(config, dict) else {}
    if "board" not in values:
        raise GameError(
            f"'{path}' must hold an object with the settings of wasm-postflop: oopRange, "
            "ipRange, and config with board, startingPot, effectiveStack and the sizes.",
            wrong_use=True,
        )
    values.pop("config", None)
    understood = {*_SETTINGS, *_SIZES, "donkOption", "expectedBoardLength"}
    for key in values:
        if key not in understood:
            raise GameError(
                f"'{path}': {key!r} is no setting of wasm-postflop.{nearest(key, understood)}",
                wrong_use=True,
            )
    try:
        return _read_settings(values), []
    except GameError as error:
        raise GameError(f"'{path}': {error}", wrong_use=True) from error


def read_given_range(text: str) -> str:
    """Return a range that an option says as a text, or as the name of one in a file of exported ranges: FILE:NAME."""
    path, dot, name = text.partition(".json")
    if not dot or (name and not name.startswith(":")):
        return text
    path += dot
    values = _read_json(read_game_file(path), path)
    if _export_kind(values) != _RANGES:
        raise GameError(f"'{path}' holds no ranges as wasm-postflop exports them.", wrong_use=True)
    range_text = _choose_item(
        _list_exports(values, path), name.removeprefix(":"), path, "range", f"{path}:NAME"
    )
    if not isinstance(range_text, str):
        raise GameError(f"'{path}': a range is a text; got {range_text!r}.", wrong_use=True)
    return range_text


def _read_json(text: str, path: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise GameError(f"'{path}' is no JSON: {error}.", wrong_use=True) from error


def _export_kind(values: Any) -> str:
    """Return what kind of things an object exports, or nothing where it is no export."""
    if not isinstance(values, dict) or "data" not in values:
        return ""
    name = values.get("name")
    for export in (_TREES, _RANGES):
        if name == export:
            return export
    return ""


def _list_exports(values: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return what an export holds, by name: groups and the name, with slashes between."""
    exports = values["data"]
    if not isinstance(exports, list) or not all(isinstance(item, dict) for item in exports):
        raise GameError(
            f"'{path}': data must be a list of objects, as wasm-postflop exports it.",
            wrong_use=True,
        )
    return {
        "/".join(map(str, item.get("path") or [])): item.get("value")
        for item in exports
        if not item.get("isGroup")
    }


def _choose_item(items: Mapping[str, Any], name: str, path: str, kind: str, option: str) -> Any:
    """Return the one of several things that a name means; the only one needs none."""
    if name in items:
        return items[name]
    if len(items) == 1 and not name:
        return next(iter(items.values()))
    names = ", ".join(list(items)[:_MOST_NAMED]) or "nothing"
    if name:
        raise GameError(
            f"'{path}' holds {names}, and no {kind} {name!r}.{nearest(name, items)}", wrong_use=True
        )
    raise GameError(f"'{path}' holds {names}: name one {kind} by {option}.", wrong_use=True)


def _read_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    settings = {
        setting: config[config_key]
        for config_key, setting in _SETTINGS.items()
        if config_key in config
    }
    for key in ("oop", "ip"):
        if key in settings:
            settings[key] = read_range(settings[key], f"{key}Range")
    settings["board"] = _read_board(settings.get("board"))
    for key in (
        "rake",
        "add_all_in",
        "force_all_in",
        "merge",
    ):
        value = settings.pop(key, 0)
        if not is_number(value):
            raise GameError(f"{key} must be a number of per cent; got {value!r}.", wrong_use=True)
        if value:
            settings[key] = round(value / 100, 12)
    if "rake" not in settings:
        settings.pop("rake_cap", None)
    for key, name in (("add_lines", "addedLines"), ("remove_lines", "removedLines")):
        lines = settings.get(key) or ""
        if not isinstance(lines, str):
            raise GameError(
                f"{name} must be a text, lines separated by commas; got {lines!r}.", wrong_use=True
            )
        settings[key] = [line for line in lines.split(",") if line]
    length = config.get("expectedBoardLength") or 0
    if (settings["add_lines"] or settings["remove_lines"]) and length not in (
        0,
        len(parse_cards(settings["board"])),
    ):
        raise GameError(
            f"its added and removed lines are for a board of {length} cards "
            f"(expectedBoardLength); the board is {settings['board']!r}.",
            wrong_use=True,
        )
    parts = {place: percent_sizes(config.get(key, ""), key) for key, place in _SIZES.items()}
    add_sizes(settings, lambda *place: parts[place], donks=bool(config.get("donkOption")))
    return settings


def _read_board(board: Any) -> str:
    """Return the board, a list of names or of numbers of cards, or a text."""
    if isinstance(board, list):
        numbers = range(len(CARDS))
        board = " ".join(
            CARDS[card] if isinstance(card, int) and card in numbers else str(card)
            for card in board
        )
    return cards_text(parse_cards(board, "board", count=(3, 4, 5)))
