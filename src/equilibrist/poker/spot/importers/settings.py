"""What settings of other programs have in common: sizes by player and street, ranges, numbers of per cent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from ....errors import GameError
from ...cards.cards import parse_cards
from ...cards.ranges import Range
from ..bet_sizes import NONE, STREETS
from ..betting_tree import PLAYER_KEYS


def add_sizes(
    settings: dict[str, Any], sizes: Callable[[str, str, str], str], *, donks: bool = True
) -> None:
    """Write sizes into settings: the most frequent ones for all, those of a street, those of a player.

    ``sizes`` returns those of a player on a street for ``"bet"``, ``"raise"`` or ``"donk"``.
    """
    streets = list_streets(settings)
    texts = {
        (seat, street): "; ".join(sizes(seat, street, part) for part in ("bet", "raise"))
        for seat in PLAYER_KEYS
        for street in streets
    }
    usual = Counter(texts.values()).most_common(1)[0][0]
    settings["bets"] = usual
    by_player: dict[str, dict[str, Any]] = {"oop": {}, "ip": {}}
    for street in streets:
        oop = texts["oop", street]
        ip = texts["ip", street]
        if oop == ip != usual:
            settings[street] = oop
        elif oop != ip:
            by_player |= {
                seat: by_player[seat] | {street: texts[seat, street]}
                for seat in by_player
                if texts[seat, street] != usual
            }
    for street in streets[1:] if donks else ():
        donk = sizes("oop", street, "donk")
        text = by_player["oop"].get(street)
        if text is None:
            by_player["oop"][street] = {"donk": donk}
        else:
            by_player["oop"][street] = f"{text}; {donk}"
    for seat, table in by_player.items():
        if table and seat in settings:
            settings[seat] = {"range": settings[seat], **table}


def list_streets(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the streets on which there is betting."""
    return STREETS[len(parse_cards(settings.get("board", ""), "board", count=(3, 4, 5))) - 3 :]


def read_range(text: Any, key: str) -> Range:
    """Return a range, in which hands may be that the board blocks: a spot leaves those out."""
    if not isinstance(text, str):
        raise GameError(f"{key} must be a range such as 'QQ+,AKs'; got {text!r}.", wrong_use=True)
    return Range(text, name=key)


def percent_sizes(sizes: Any, key: str) -> str:
    """Return sizes as we write them: there, numbers and the limits of geometric sizes are per cent without the sign."""
    if not isinstance(sizes, str):
        raise GameError(
            f"{key} must be a text such as '50, 2.5x, a'; got {sizes!r}.", wrong_use=True
        )
    tokens = [token.strip().lower() for token in sizes.split(",") if token.strip()]
    return ", ".join(re.sub(r"(^|e)([\d.]+)$", r"\1\2%", token) for token in tokens) or NONE
