"""Poker Hand History (PHH), a table of TOML for each hand, and files of many, PHHS (Kim 2024, arXiv:2312.11753).

Players are p1, p2, … in the order in which they act after the flop. Of two players, p1 has the big blind; blinds and
antes are listed the small one first all the same, as pokerkit has it.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from ..errors import GameError
from ..games.holdem.bet_sizes import number
from ..games.holdem.cards import cards_text, parse_cards
from .hand import CUT, OTHER_GAME, Action, Deal, Ending, PlayedHand, UnreadableError

_SEAT = re.compile(r"p([1-9]\d?)")
_MOST = 1e15  # chips


def read_phh(text: str, name: str) -> PlayedHand:
    """Return the hand in a table of TOML; raise :class:`UnreadableError` where it is none, or another game."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise UnreadableError(CUT) from None
    if len(table) == 1:  # of a file of many hands, each of which has a number
        inner = next(iter(table.values()))
        table = inner if isinstance(inner, dict) else table
    if table.get("variant") not in (None, "NT"):
        raise UnreadableError(OTHER_GAME)
    stacks, antes, blinds = (_chips(table.get(key)) for key in ("starting_stacks", "antes", "blinds_or_straddles"))
    actions, count = table.get("actions"), len(stacks)
    if "variant" not in table or count < 2 or not count == len(antes) == len(blinds) or not isinstance(actions, list):
        raise UnreadableError(CUT)
    if count == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    cards, moves = [()] * count, []  # type: list[tuple[int, ...]], list[Action | Deal]
    for action in actions:
        move = _read_action(action, count, cards)
        if move is not None:
            moves.append(move)
    names = table.get("players")
    players = names if isinstance(names, list) and len(names) == count else [f"p{seat + 1}" for seat in range(count)]
    return PlayedHand(
        str(table.get("hand", name)), tuple(map(str, players)), stacks, antes, blinds, tuple(cards), tuple(moves)
    )


def _chips(numbers: Any) -> tuple[float, ...]:
    """Return amounts of chips; a blind may be negative, which posts it out of turn."""
    if not isinstance(numbers, list) or not all(type(each) in (int, float) and abs(each) < _MOST for each in numbers):
        raise UnreadableError(CUT)
    return tuple(abs(float(each)) for each in numbers)


def _read_action(text: Any, count: int, cards: list[tuple[int, ...]]) -> Action | Deal | None:
    """Return what an action does to the betting or the board; cards of players are put into ``cards``."""
    words = text.partition("#")[0].split() if isinstance(text, str) else []
    if not words:
        return None
    try:
        match words:
            case ["d", "db", shown]:
                return Deal(parse_cards(shown))
            case ["d", "dh", seat, dealt] | [seat, "sm", dealt]:
                if "?" not in dealt and dealt != "-":
                    if len(dealt) != 4:
                        raise UnreadableError(OTHER_GAME)
                    cards[_seat(seat, count)] = parse_cards(dealt)
                return None
            case [_, "sm"]:
                return None
            case [seat, "f"]:
                return Action(_seat(seat, count), "F")
            case [seat, "cc"]:
                return Action(_seat(seat, count), "C")
            case [seat, "cbr", chips] if 0 < float(chips) < _MOST:
                return Action(_seat(seat, count), "B", float(chips))
    except (ValueError, GameError):
        pass
    raise UnreadableError(CUT)


def _seat(text: str, count: int) -> int:
    seat = _SEAT.fullmatch(text)
    if seat is None or int(seat[1]) > count:
        raise UnreadableError(CUT)
    return int(seat[1]) - 1


def write_phh(hand: PlayedHand, ending: Ending) -> str:
    """Return a hand of two players as a table of a PHHS file."""
    actions = [f"d dh p{seat + 1} {cards_text(cards)}" for seat, cards in enumerate(hand.cards)]
    for move in hand.moves:
        if isinstance(move, Deal):
            actions.append(f"d db {cards_text(move.cards)}")
        elif move.kind == "B":
            actions.append(f"p{move.player + 1} cbr {number(move.chips)}")
        else:
            actions.append(f"p{move.player + 1} {'f' if move.kind == 'F' else 'cc'}")
    actions += [f"p{seat + 1} sm {cards_text(hand.cards[seat])}" for seat in ending.shown]
    fields: dict[str, Any] = {
        "variant": "NT",
        "antes": hand.antes[::-1],
        "blinds_or_straddles": hand.blinds[::-1],
        "min_bet": hand.blinds[0],
        "starting_stacks": hand.stacks,
        "actions": actions,
        "players": hand.players,
        "hand": int(hand.name),
    }
    return (
        f"[{hand.name}]\n"
        + "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items())
        + "\n"
    )
