"""Poker Hand History (PHH), a table of TOML for each hand, and files of many, PHHS (Kim 2024, arXiv:2312.11753).

Players are p1, p2, … in the order in which they act after the flop. Of two players, p1 has the big
blind; blinds and antes are listed the small one first all the same, as pokerkit has it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

from ...errors import GameError
from ..cards.cards import cards_text, parse_cards
from ..cards.hand_ranks import DECKS, FULL_DECK
from ..spot.bet_sizes import number
from .hand import CUT, OTHER_GAME, Action, Deal, PlayedHand, UnreadableError

_SEAT = re.compile(r"p[1-9]\d?", re.ASCII)
_MOST = 1e15  # chips
_VARIANTS = {"NT": (FULL_DECK, 2), "NS": (DECKS["short"], 2), "PO": (FULL_DECK, 4)}
"""The deck, and how many cards a player holds."""


def read_phh(text: str, name: str) -> PlayedHand:
    """Return the hand in a table of TOML; raise :class:`UnreadableError` where it is none, or another game."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise UnreadableError(CUT) from None
    if len(table) == 1:  # of a file of many hands, each of which has a number
        inner = next(iter(table.values()))
        table = inner if isinstance(inner, dict) else table
    variant = table.get("variant", "NT")
    if not isinstance(variant, str) or variant not in _VARIANTS:
        raise UnreadableError(OTHER_GAME)
    stacks, antes, blinds = (
        _read_chips(table.get(key)) for key in ("starting_stacks", "antes", "blinds_or_straddles")
    )
    actions = table.get("actions")
    count = len(stacks)
    if (
        "variant" not in table
        or count < 2
        or not count == len(antes) == len(blinds)
        or not isinstance(actions, list)
    ):
        raise UnreadableError(CUT)
    blinds = tuple(map(abs, blinds))  # one that is posted out of turn is negative
    if count == 2:
        antes = antes[::-1]
        blinds = blinds[::-1]
    deck, hole_cards = _VARIANTS[variant]
    cards: list[tuple[int, ...]] = [()] * count
    read = (_read_action(action, count, cards, hole_cards) for action in actions)
    moves = tuple(move for move in read if move is not None)
    names = table.get("players")
    if isinstance(names, list) and len(names) == count:
        players = names
    else:
        players = [f"p{seat + 1}" for seat in range(count)]
    name = str(table.get("hand", name))
    return PlayedHand(
        name, tuple(map(str, players)), stacks, antes, blinds, tuple(cards), moves, deck, hole_cards
    )


def _read_chips(numbers: Any) -> tuple[float, ...]:
    """Return amounts of chips."""
    if not isinstance(numbers, list) or not all(
        type(amount) in (int, float) and abs(amount) < _MOST for amount in numbers
    ):
        raise UnreadableError(CUT)
    return tuple(float(amount) for amount in numbers)


def _read_action(
    text: Any, count: int, cards: list[tuple[int, ...]], hole_cards: int
) -> Action | Deal | None:
    """Return what an action does to the betting or the board; cards of players are put into ``cards``."""
    words = text.partition("#")[0].split() if isinstance(text, str) else []
    if not words:
        return None
    try:
        match words:
            case ["d", "db", cards_shown]:
                return Deal(parse_cards(cards_shown))
            case ["d", "dh", player, dealt] | [player, "sm", dealt]:
                if "?" not in dealt and dealt != "-":
                    cards[_read_seat(player, count)] = parse_cards(dealt, count=(hole_cards,))
                return None
            case [_, "sm"]:
                return None
            case [player, "f" | "cc" as done]:
                return Action(_read_seat(player, count), "F" if done == "f" else "C")
            case [player, "cbr", chips] if 0 < float(chips) < _MOST:
                return Action(_read_seat(player, count), "B", float(chips))
    except (ValueError, GameError):
        pass
    raise UnreadableError(CUT)


def _read_seat(text: str, count: int) -> int:
    if not _SEAT.fullmatch(text) or int(text[1:]) > count:
        raise UnreadableError(CUT)
    return int(text[1:]) - 1


def write_phh(hand: PlayedHand, shown: Sequence[int], _: Sequence[float]) -> str:
    """Return a hand of two players as a table of a PHHS file; ``shown`` are those who show their cards, in order."""
    actions = [f"d dh p{seat + 1} {cards_text(cards)}" for seat, cards in enumerate(hand.cards)]
    for move in hand.moves:
        if isinstance(move, Deal):
            actions.append(f"d db {cards_text(move.cards)}")
        else:
            done = {"F": "f", "C": "cc"}.get(move.kind, f"cbr {number(move.chips)}")
            actions.append(f"p{move.player + 1} {done}")
    actions += [f"p{seat + 1} sm {cards_text(hand.cards[seat])}" for seat in shown]
    same = (hand.deck.first, hand.hole_cards)
    variant = next(
        name for name, (deck, hole_cards) in _VARIANTS.items() if (deck.first, hole_cards) == same
    )
    fields: dict[str, Any] = {
        "variant": variant,
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
        + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
        + "\n"
    )
