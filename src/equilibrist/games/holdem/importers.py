"""Spots from elsewhere: settings of wasm-postflop and desktop-postflop (JSON), and scripts of TexasSolver.

What a file says of solving, and what a spot cannot say, is told in a warning; what is not known is refused.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...errors import EquilibristWarning, GameError, nearest
from .bet_sizes import NONE, STREETS
from .cards import CARDS, cards_text, parse_cards
from .game import Holdem
from .ranges import Range
from .spot import read_game_file, read_spot, spot_from

_PLAYERS = ("oop", "ip")
Texts = dict[tuple[str, str], str]
"""The sizes of bets and raises of each player and street."""


def read_spot_file(path: str | os.PathLike[str]) -> Holdem:
    """Return the spot in a file: TOML, settings of wasm-postflop (JSON), or a script of TexasSolver.

    Raises
    ------
    GameError
        The file cannot be read, or says what a spot cannot be.
    """
    path = os.fspath(path)
    if path.lower().endswith(".toml"):
        return read_spot(path)
    text = read_game_file(path)
    is_json = path.lower().endswith(".json") or text.lstrip().startswith("{")
    read = _from_postflop if is_json else _from_texas_solver
    settings, told = read(text, path)
    for sentence in told:
        warnings.warn(f"'{path}': {sentence}", EquilibristWarning, stacklevel=2)
    return spot_from(settings, path)


def _add_sizes(settings: dict[str, Any], texts: Texts, donks: Mapping[str, str]) -> None:
    """Write sizes into settings: the most frequent ones for all, those of a street, those of a player."""
    usual = Counter(texts.values()).most_common(1)[0][0]
    settings["bets"] = usual
    own: dict[str, dict[str, Any]] = {"oop": {}, "ip": {}}
    for street in dict.fromkeys(street for _, street in texts):
        oop, ip = texts["oop", street], texts["ip", street]
        if oop == ip != usual:
            settings[street] = oop
        elif oop != ip:
            own |= {who: own[who] | {street: texts[who, street]} for who in own if texts[who, street] != usual}
    for street, donk in donks.items():
        text = own["oop"].get(street)
        own["oop"][street] = {"donk": donk} if text is None else f"{text}; {donk}"
    for who, table in own.items():
        if table and who in settings:
            settings[who] = {"range": settings[who], **table}


def _streets(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the streets on which there is betting."""
    return STREETS[len(parse_cards(settings.get("board", ""), "board", count=(3, 4, 5))) - 3 :]


def _range(text: Any, key: str) -> Range:
    """Return a range, in which hands may be that the board blocks: a spot leaves those out."""
    if not isinstance(text, str):
        raise GameError(f"{key} must be a range such as 'QQ+,AKs'; got {text!r}.", wrong_use=True)
    return Range(text, name=key)


# --------------------------------------------------------------------------------------------------- wasm-postflop

_POSTFLOP = {
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

_POSTFLOP_SIZES = {
    f"{who}{street.capitalize()}{part}": (who, street, part.lower())
    for who in ("oop", "ip")
    for street in STREETS
    for part in ("Bet", "Raise", "Donk")
    if part != "Donk" or (who == "oop" and street != STREETS[0])
}


def _from_postflop(text: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the settings of a spot that wasm-postflop or desktop-postflop has saved."""
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise GameError(f"'{path}' is no JSON: {error}.", wrong_use=True) from error
    given = {**given, **given.get("config", {})} if isinstance(given, dict) else {}
    if "board" not in given:
        raise GameError(
            f"'{path}' must hold an object with the settings of wasm-postflop: oopRange, ipRange, and config with "
            "board, startingPot, effectiveStack and the sizes.",
            wrong_use=True,
        )
    given.pop("config", None)
    known = {*_POSTFLOP, *_POSTFLOP_SIZES, "donkOption", "expectedBoardLength"}
    for key in given:
        if key not in known:
            raise GameError(f"'{path}': {key!r} is no setting of wasm-postflop.{nearest(key, known)}", wrong_use=True)
    try:
        return _postflop_settings(given), []
    except GameError as error:
        raise GameError(f"'{path}': {error}", wrong_use=True) from error


def _postflop_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    settings = {ours: given[theirs] for theirs, ours in _POSTFLOP.items() if theirs in given}
    for key in ("oop", "ip"):
        if key in settings:
            settings[key] = _range(settings[key], f"{key}Range")
    settings["board"] = _postflop_board(settings.get("board"))
    for key in ("rake", "add_all_in", "force_all_in", "merge"):  # per cent there; 0 switches a threshold off
        value = settings.pop(key, 0)
        if not isinstance(value, int | float):
            raise GameError(f"{key} must be a number of per cent; got {value!r}.", wrong_use=True)
        if value:
            settings[key] = round(value / 100, 12)
    if "rake" not in settings:
        settings.pop("rake_cap", None)
    for key in ("add_lines", "remove_lines"):
        settings[key] = [line for line in (settings.get(key) or "").split(",") if line]
    length = given.get("expectedBoardLength") or 0
    if (settings["add_lines"] or settings["remove_lines"]) and length not in (0, len(parse_cards(settings["board"]))):
        raise GameError(
            f"its added and removed lines are for a board of {length} cards (expectedBoardLength); the board is "
            f"{settings['board']!r}.",
            wrong_use=True,
        )
    _add_postflop_sizes(settings, given)
    return settings


def _postflop_board(board: Any) -> str:
    """Return the board, a list of names or of numbers of cards, or a text."""
    if isinstance(board, list):
        numbers = range(len(CARDS))
        board = " ".join(CARDS[card] if isinstance(card, int) and card in numbers else str(card) for card in board)
    return cards_text(parse_cards(board, "board", count=(3, 4, 5)))


def _add_postflop_sizes(settings: dict[str, Any], given: Mapping[str, Any]) -> None:
    parts = {place: _postflop_sizes(given.get(key, ""), key) for key, place in _POSTFLOP_SIZES.items()}
    live = _streets(settings)
    texts = {
        (who, street): "; ".join(parts[who, street, part] for part in ("bet", "raise"))
        for who in _PLAYERS
        for street in live
    }
    donks = {street: parts["oop", street, "donk"] for street in live[1:]} if given.get("donkOption") else {}
    _add_sizes(settings, texts, donks)


def _postflop_sizes(sizes: Any, key: str) -> str:
    """Return sizes as we write them: there, numbers and the limits of geometric sizes are per cent without the sign."""
    if not isinstance(sizes, str):
        raise GameError(f"{key} must be a text such as '50, 2.5x, a'; got {sizes!r}.", wrong_use=True)
    tokens = [token.strip().lower() for token in sizes.split(",") if token.strip()]
    return ", ".join(re.sub(r"(^|e)([\d.]+)$", r"\1\2%", token) for token in tokens) or NONE


# ----------------------------------------------------------------------------------------------------- TexasSolver

_ABOUT_SOLVING = {
    "set_accuracy",
    "set_thread_num",
    "set_max_iteration",
    "set_print_interval",
    "set_use_isomorphism",
    "set_use_halffloats",
    "set_dump_rounds",
    "dump_result",
    "start_solve",
}
_OF_SPOT = {
    "set_pot": "pot",
    "set_effective_stack": "stack",
    "set_board": "board",
    "set_range_oop": "oop",
    "set_range_ip": "ip",
    "set_allin_threshold": "threshold",
    "set_raise_limit": "raise_limit",
}
_BET_SIZES = re.compile(r"(oop|ip),(flop|turn|river),(bet|raise|donk|allin)((?:,\d+\.?\d*)*)")


def _from_texas_solver(text: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the settings of a spot that a script of TexasSolver makes, and what else there is to tell."""
    found: dict[str, str] = {}
    sizes: dict[tuple[str, str, str], list[str]] = {}
    solving: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        command, _, value = line.strip().partition(" ")
        where = f"'{path}', line {number}"
        if command in _OF_SPOT:
            found[_OF_SPOT[command]] = value.strip()
        elif command == "set_bet_sizes":
            match = _BET_SIZES.fullmatch(value.replace(" ", "").lower())
            if match is None:
                raise GameError(
                    f"{where}: write 'set_bet_sizes oop,flop,bet,50,100' (oop or ip; flop, turn or river; bet, raise, "
                    f"donk or allin); got {line.strip()!r}.",
                    wrong_use=True,
                )
            sizes[match[1], match[2], match[3]] = [f"{share}%" for share in match[4].split(",")[1:]]
        elif command in _ABOUT_SOLVING:
            solving.append(line.strip())
        elif command not in ("", "build_tree") and not command.startswith("#"):
            known = [*_OF_SPOT, *_ABOUT_SOLVING, "set_bet_sizes", "build_tree"]
            raise GameError(
                f"{where}: {command!r} is no command of TexasSolver.{nearest(command, known)}", wrong_use=True
            )
    settings: dict[str, Any] = {key: found[key] for key in ("board",) if key in found}
    for key in ("pot", "stack"):
        if key in found:
            settings[key] = _texas_number(found[key], key, path)
    for key in ("oop", "ip"):
        if key in found:
            settings[key] = _range(found[key], f"'{path}': set_range_{key}")
    told = _add_texas_rules(settings, found, path)
    _add_texas_sizes(settings, sizes)
    if solving:
        told.append(f"{'; '.join(solving)}: that is about solving and not part of a spot, so it is left out.")
    return settings, told


def _texas_number(text: str, key: str, path: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GameError(f"'{path}': {key} must be a number; got {text!r}.", wrong_use=True) from None


def _add_texas_rules(settings: dict[str, Any], found: Mapping[str, str], path: str) -> list[str]:
    """Write the limit of raises and the all-in threshold into settings; return what there is to tell.

    The limit counts the bet. The threshold t makes all-in of a bet after which the player has put in more than t times
    the stack, half of the pot included: for stack S and pot P, the stack left is then at most the share
    (S (1 - t) + P / 2) / (2 t S) of the pot after the call.
    """
    limit = _texas_number(found.get("raise_limit", "4"), "set_raise_limit", path)
    settings["max_raises"] = max(int(limit) - 1, 0)
    threshold = _texas_number(found.get("threshold", "0.67"), "set_allin_threshold", path)
    pot, stack = settings.get("pot"), settings.get("stack")
    if not pot or not stack or threshold <= 0:
        return []
    share = (stack * (1 - threshold) + pot / 2) / (2 * threshold * stack)
    if share <= 0:
        return []
    settings["force_all_in"] = round(share, 6)
    return [
        f"set_allin_threshold {threshold:g} and set_raise_limit {limit:g} (TexasSolver's defaults are 0.67 and 4) are "
        f"written as force_all_in = {share:.6g}, a share of the pot after a call, and max_raises = "
        f"{settings['max_raises']}, which does not count the bet."
    ]


def _add_texas_sizes(settings: dict[str, Any], sizes: Mapping[tuple[str, str, str], list[str]]) -> None:
    """Write sizes into settings; all-in is for bets, raises and donk bets of a player on a street."""

    def text(who: str, street: str, part: str) -> str:
        all_in = ["a"] if (who, street, "allin") in sizes else []
        return ", ".join(sizes.get((who, street, part), []) + all_in) or NONE

    live = _streets(settings)
    texts = {
        (who, street): "; ".join(text(who, street, part) for part in ("bet", "raise"))
        for who in _PLAYERS
        for street in live
    }
    _add_sizes(settings, texts, {street: text("oop", street, "donk") for street in live[1:]})
