"""Settings of wasm-postflop and desktop-postflop, in JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...._util.validate import is_number
from ....errors import GameError, nearest
from ..bet_sizes import STREETS
from ..cards import CARDS, cards_text, parse_cards
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


def from_postflop(text: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the settings of a spot that wasm-postflop or desktop-postflop has saved."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise GameError(f"'{path}' is no JSON: {error}.", wrong_use=True) from error
    config = values.get("config", {}) if isinstance(values, dict) else None
    values = {**values, **config} if isinstance(config, dict) else {}
    if "board" not in values:
        raise GameError(
            f"'{path}' must hold an object with the settings of wasm-postflop: oopRange, ipRange, and config with "
            "board, startingPot, effectiveStack and the sizes.",
            wrong_use=True,
        )
    values.pop("config", None)
    understood = {*_SETTINGS, *_SIZES, "donkOption", "expectedBoardLength"}
    for key in values:
        if key not in understood:
            raise GameError(
                f"'{path}': {key!r} is no setting of wasm-postflop.{nearest(key, understood)}", wrong_use=True
            )
    try:
        return _settings(values), []
    except GameError as error:
        raise GameError(f"'{path}': {error}", wrong_use=True) from error


def _settings(config: Mapping[str, Any]) -> dict[str, Any]:
    settings = {ours: config[theirs] for theirs, ours in _SETTINGS.items() if theirs in config}
    for key in ("oop", "ip"):
        if key in settings:
            settings[key] = read_range(settings[key], f"{key}Range")
    settings["board"] = _board(settings.get("board"))
    for key in ("rake", "add_all_in", "force_all_in", "merge"):  # per cent there; 0 switches a threshold off
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
            raise GameError(f"{name} must be a text, lines separated by commas; got {lines!r}.", wrong_use=True)
        settings[key] = [line for line in lines.split(",") if line]
    length = config.get("expectedBoardLength") or 0
    if (settings["add_lines"] or settings["remove_lines"]) and length not in (0, len(parse_cards(settings["board"]))):
        raise GameError(
            f"its added and removed lines are for a board of {length} cards (expectedBoardLength); the board is "
            f"{settings['board']!r}.",
            wrong_use=True,
        )
    parts = {place: percent_sizes(config.get(key, ""), key) for key, place in _SIZES.items()}
    add_sizes(settings, lambda *place: parts[place], donks=bool(config.get("donkOption")))
    return settings


def _board(board: Any) -> str:
    """Return the board, a list of names or of numbers of cards, or a text."""
    if isinstance(board, list):
        numbers = range(len(CARDS))
        board = " ".join(CARDS[card] if isinstance(card, int) and card in numbers else str(card) for card in board)
    return cards_text(parse_cards(board, "board", count=(3, 4, 5)))
