"""Settings of trees as PioSOLVER copies them: ``#Board#Qs Jh 2h``, ``#FlopConfig.BetSize#50``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from ....errors import GameError
from ..bet_sizes import NONE
from ..betting_tree import PLAYER_KEYS
from .settings import add_sizes, list_streets, percent_sizes, read_range

_LINE = re.compile(r"\s*(?:-\s*|\d+\.\s*)?#([\w.]+)#(.*)")
_OFF = ("", "0", "False")
_CONFIG = {"oop": "Config", "ip": "ConfigIP"}
_SIZES = {"bet": "BetSize", "raise": "RaiseSize", "donk": "DonkBetSize"}

_LEFT_OUT = (
    "UseUnifiedBetAfterRaise",
    "UseUnifiedRaiseAfterRaise",
    "ForceIPBet",
    "ForceOOPBet",
    "CapEnabled",
    "RemovedLines",
    "ExtraLines",
)
"""What shapes a tree there and has no like in a spot, but for lines that are added and removed by hand."""

_UNDERSTOOD = {
    *(
        "TreeBuilding",
        "Range0",
        "Range1",
        "Board",
        "Pot",
        "EffectiveStacks",
        "MinimumBetsize",
        "AllinThreshold",
    ),
    *(
        "AddAllinOnlyIfLessThanThisTimesThePot",
        "MergeSimilarBets",
        "MergeSimilarBetsThreshold",
        "ICM.Enabled",
    ),
    *("Rake.Enabled", "Rake.Fraction", "Rake.Cap"),
    # of what is switched by a line above
    *(
        "UnifiedBetAfterRaise",
        "UnifiedRaiseAfterRaise",
        "Cap",
        "CapMode",
    ),
}
_OF_STREET = re.compile(r"(?:Flop|Turn|River)Config(?:IP)?\.")


def from_piosolver(text: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the settings of a spot that PioSOLVER's tree builder shows, and what else there is to tell."""
    lines = {match[1]: match[2].strip() for match in map(_LINE.match, text.splitlines()) if match}
    if "Range0" not in lines or lines.get("ICM.Enabled") == "True":
        raise GameError(
            f"'{path}' must hold the settings of a tree after the flop, with #Range0#, #Range1#, "
            "#Board#, #Pot# and #EffectiveStacks#, and without ICM.",
            wrong_use=True,
        )
    settings: dict[str, Any] = {
        setting: _read_number(lines, pio_key, path)
        for setting, pio_key in (
            ("pot", "Pot"),
            ("stack", "EffectiveStacks"),
            ("min_bet", "MinimumBetsize"),
        )
        if lines.get(pio_key) and (setting != "min_bet" or lines[pio_key] not in _OFF)
    }
    settings["board"] = lines.get("Board", "")
    for seat, key in zip(PLAYER_KEYS, ("Range0", "Range1"), strict=True):
        if key in lines:
            settings[seat] = read_range(lines[key], f"'{path}': #{key}#")
    if lines.get("Rake.Enabled") == "True":
        settings["rake"] = _read_number(lines, "Rake.Fraction", path)
        if lines.get("Rake.Cap"):
            settings["rake_cap"] = _read_number(lines, "Rake.Cap", path)
        else:
            settings["rake_cap"] = None
    if lines.get("MergeSimilarBets") == "True":
        settings["merge"] = _read_number(lines, "MergeSimilarBetsThreshold", path) / 100
    messages = [
        *_add_all_in(settings, lines, path),
        *_omitted_settings(lines),
        *_unknown_lines(lines),
    ]
    return settings, messages


def _read_number(lines: Mapping[str, str], key: str, path: str) -> float:
    try:
        number = float(lines[key])
        if not math.isfinite(number):
            raise ValueError
        return number
    except (KeyError, ValueError):
        raise GameError(
            f"'{path}': #{key}# must be a number; got {lines.get(key)!r}.", wrong_use=True
        ) from None


def _omitted_settings(lines: Mapping[str, str]) -> list[str]:
    on = [key for key in _LEFT_OUT if lines.get(key, "") not in _OFF]
    on += [key for key, value in lines.items() if key.endswith(".Dont3bet") and value == "True"]
    if not on:
        return []
    names = ", ".join(f"#{key}#{lines[key]}" for key in on)
    return [
        f"{names}: a spot has nothing like it, so it is left out and the tree differs; max_raises, add_lines and "
        "remove_lines may do."
    ]


def _unknown_lines(lines: Mapping[str, str]) -> list[str]:
    """Return what there is to tell of lines that are not known here."""
    of_streets = {*_SIZES.values(), "AddAllin", "Dont3bet"}
    unknown = [
        f"#{key}#{value}"
        for key, value in lines.items()
        if value not in _OFF
        and key not in _UNDERSTOOD
        and key not in _LEFT_OUT
        and not (_OF_STREET.match(key) and key.partition(".")[2] in of_streets)
    ]
    if unknown:
        return [f"{', '.join(unknown)}: not known here, so it is left out."]
    return []


def _add_all_in(settings: dict[str, Any], lines: Mapping[str, str], path: str) -> list[str]:
    """Write sizes and what is said of all-in into settings; return what there is to tell.

    The threshold r makes all-in of a bet after which a player has put in more than the share r of
    the stack: for s times the pot in stacks, what is left is then at most the share s (1 - r) / (1
    + 2 r s) of the pot after a call.
    """
    messages = []
    if settings.get("pot") and "stack" in settings:
        spr = settings["stack"] / settings["pot"]
    else:
        spr = 0.0
    if lines.get("AllinThreshold"):
        threshold = _read_number(lines, "AllinThreshold", path) / 100
    else:
        threshold = 1.0
    if threshold < 1 and spr:
        settings["force_all_in"] = round(spr * (1 - threshold) / (1 + 2 * spr * threshold), 6)
        messages.append(
            f"#AllinThreshold#{lines['AllinThreshold']} is written as force_all_in = "
            f"{settings['force_all_in']:g}, a share of the pot after a call."
        )
    places = [(seat, street) for seat in PLAYER_KEYS for street in list_streets(settings)]
    flagged = {place for place in places if _config_text(lines, *place, "AddAllin") == "True"}
    limit = lines.get("AddAllinOnlyIfLessThanThisTimesThePot")
    if limit:
        share = _read_number(lines, "AddAllinOnlyIfLessThanThisTimesThePot", path) / 100
    else:
        share = spr
    if flagged and share < spr:
        messages.append(
            f"#AddAllinOnlyIfLessThanThisTimesThePot#{limit}: the size a is there whatever the "
            "pot, so that the tree differs where all-in is more than that many per cent of it."
        )

    def sizes(seat: str, street: str, part: str) -> str:
        text = percent_sizes(
            ",".join(_config_text(lines, seat, street, _SIZES[part]).replace(",", " ").split()),
            part,
        )
        if (seat, street) in flagged and text != NONE:
            return f"{text}, a"
        return text

    add_sizes(settings, sizes)
    return messages


def _config_text(lines: Mapping[str, str], seat: str, street: str, part: str) -> str:
    return lines.get(f"{street.capitalize()}{_CONFIG[seat]}.{part}", "")
