"""Scripts of TexasSolver: ``set_pot 50``, ``set_bet_sizes oop,flop,bet,50``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ...._util.validate import is_number
from ....errors import GameError, nearest
from ...cards.ranges import Range
from ..bet_sizes import NONE
from ..betting_tree import PLAYER_KEYS
from .settings import add_sizes, list_streets, read_range

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
_NEEDED = {"pot", "stack", "board", "oop", "ip"}
_LEAST_WEIGHT = 0.005  # of a hand that TexasSolver keeps: above it
_BET_SIZES = re.compile(r"(oop|ip),(flop|turn|river),(bet|raise|donk|allin)((?:,\d+\.?\d*)*)")


def from_texas_solver(text: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the settings of a spot that a script of TexasSolver makes, and what else there is to tell."""
    commands: dict[str, str] = {}
    sizes: dict[tuple[str, str, str], list[str]] = {}
    solving: list[str] = []
    unknown: list[tuple[str, str]] = []  # where, and the line
    for number, line in enumerate(text.splitlines(), 1):
        command, _, value = line.strip().partition(" ")
        place = f"'{path}', line {number}"
        if command in _OF_SPOT:
            commands.pop(_OF_SPOT[command], None)  # in the order in which the last of each stands
            commands[_OF_SPOT[command]] = value.strip()
        elif command == "set_bet_sizes":
            match = _BET_SIZES.fullmatch(value.replace(" ", "").lower())
            if match is None:
                raise GameError(
                    f"{place}: write 'set_bet_sizes oop,flop,bet,50,100' (oop or ip; flop, turn "
                    f"or river; bet, raise, donk or allin); got {line.strip()!r}.",
                    wrong_use=True,
                )
            sizes[match[1], match[2], match[3]] = [f"{share}%" for share in match[4].split(",")[1:]]
        elif command in _ABOUT_SOLVING:
            solving.append(line.strip())
        elif command not in ("", "build_tree") and not command.startswith("#"):
            unknown.append((place, line.strip()))
    if unknown and not commands.keys() >= _NEEDED:
        place, line = unknown[0]
        command = line.partition(" ")[0]
        understood = [*_OF_SPOT, *_ABOUT_SOLVING, "set_bet_sizes", "build_tree"]
        raise GameError(
            f"{place}: {command!r} is no command of TexasSolver.{nearest(command, understood)}",
            wrong_use=True,
        )
    settings: dict[str, Any] = {key: commands[key] for key in ("board",) if key in commands}
    for key in ("pot", "stack"):
        if key in commands:
            settings[key] = _read_number(commands[key], key, path)
    messages = []
    for key in ("oop", "ip"):
        if key in commands:
            settings[key], dropped = _drop_small_weights(
                read_range(commands[key], f"'{path}': set_range_{key}")
            )
            messages += [f"set_range_{key}: {dropped}"] if dropped else []
    messages += _add_rules(settings, commands, path)
    messages += _note_amounts(settings, list(commands))
    messages += _note_all_in(settings, sizes)
    _add_sizes(settings, sizes)
    if solving:
        messages.append(
            f"{'; '.join(solving)}: that is about solving and not part of a spot, so it is left "
            "out."
        )
    if unknown:
        lines = "; ".join(line for _, line in unknown)
        messages.append(f"{lines}: no command of TexasSolver, which passes over it as well.")
    return settings, messages


def _drop_small_weights(original: Range) -> tuple[Range, str]:
    """Return a range without the hands that TexasSolver leaves out for their small weight, and what is said of it."""
    small = (original.weights > 0) & (original.weights <= _LEAST_WEIGHT)
    count = int(small.sum())
    if not count:
        return original, ""
    hands = "1 hand weighs" if count == 1 else f"{count:,} hands weigh"
    return Range(np.where(small, 0.0, original.weights)), (
        f"{hands} {_LEAST_WEIGHT:g} or less and {'is' if count == 1 else 'are'} left out, as TexasSolver does."
    )


def _note_amounts(settings: dict[str, Any], order: Sequence[str]) -> list[str]:
    """Write that bets are whole chips; return what there is to tell of them, and of a stack counted otherwise."""
    pot = settings.get("pot")
    stack = settings.get("stack")
    if not pot or not stack:
        return []
    messages = []
    if not float(stack).is_integer() or not float(pot / 2).is_integer():
        settings["chip"] = 1  # which it is by itself where pot and stack are whole
        messages.append(
            f"set_pot {pot:g}, set_effective_stack {stack:g}: bets are whole chips, as in "
            "TexasSolver, which rounds all-in down as well; here all-in is the whole stack."
        )
    if order.index("stack") < order.index("pot"):
        messages.append(
            "set_effective_stack stands before set_pot: TexasSolver then counts half of another "
            "pot to the stack; here the stack is what the line says."
        )
    return messages


def _note_all_in(
    settings: Mapping[str, Any], sizes: Mapping[tuple[str, str, str], list[str]]
) -> list[str]:
    """Return what there is to tell of streets without a line for all-in, which its console has there as well."""
    lacking = [
        f"{seat},{street}"
        for street in list_streets(settings)
        for seat in PLAYER_KEYS
        if (seat, street, "allin") not in sizes
        and {(seat, street, "bet"), (seat, street, "raise")} & sizes.keys()
    ]
    if not lacking:
        return []
    return [
        f"{' '.join(lacking)}: no line asks for all-in there, so that it is no size here; the console of TexasSolver "
        "has it on every street, with or without such a line."
    ]


def _read_number(text: str, key: str, path: str) -> float:
    with suppress(ValueError):
        number = float(text)
        if is_number(number):
            return number
    raise GameError(f"'{path}': {key} must be a number; got {text!r}.", wrong_use=True)


def _add_rules(settings: dict[str, Any], commands: Mapping[str, str], path: str) -> list[str]:
    """Write the limit of raises and the all-in threshold into settings; return what there is to tell.

    The limit counts the bet. The threshold t makes all-in of a bet after which the player has put
    in more than t times the stack, half of the pot included: for stack S and pot P, the stack left
    is then at most the share (S (1 - t) + P / 2) / (2 t S) of the pot after the call.
    """
    limit = _read_number(commands.get("raise_limit", "4"), "set_raise_limit", path)
    settings["max_raises"] = max(int(limit) - 1, 0)
    threshold = _read_number(commands.get("threshold", "0.67"), "set_allin_threshold", path)
    pot = settings.get("pot")
    stack = settings.get("stack")
    if not pot or not stack or threshold <= 0:
        return []
    paid = 2 * threshold * stack
    # too small for a float
    if paid > 0:
        share = (stack * (1 - threshold) + pot / 2) / paid
    else:
        share = math.inf
    if not 0 < share < math.inf:
        return []
    settings["force_all_in"] = round(share, 6)
    return [
        f"set_allin_threshold {threshold:g} and set_raise_limit {limit:g} (TexasSolver's defaults are 0.67 and 4) are "
        f"written as force_all_in = {share:.6g}, a share of the pot after a call, and max_raises = "
        f"{settings['max_raises']}, which does not count the bet."
    ]


def _add_sizes(settings: dict[str, Any], sizes: Mapping[tuple[str, str, str], list[str]]) -> None:
    """Write sizes into settings; all-in is for bets, raises and donk bets of a player on a street."""

    def text(seat: str, street: str, part: str) -> str:
        all_in = ["a"] if (seat, street, "allin") in sizes else []
        return ", ".join(sizes.get((seat, street, part), []) + all_in) or NONE

    add_sizes(settings, text)
