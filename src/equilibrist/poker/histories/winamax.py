"""Hand histories as Winamax writes them: no-limit hold'em and pot-limit Omaha, cash and tournaments."""

from __future__ import annotations

import re

from ...errors import GameError
from .hand import CUT, OTHER_GAME, PlayedHand, UnreadableError
from .record import HandRecord, read_amount, unknown_post

BEGINS = re.compile(r"\s*Winamax Poker - ")
_FIRST_LINE = re.compile(r"HandId: #([\d-]+) - (.+?) \(")
_GAMES = {"Holdem no limit": 2, "Omaha pot limit": 4}
"""How many cards a player holds."""
_BUTTON = re.compile(r"Seat #(\d+) is the button")
_SEAT = re.compile(r"^Seat (\d+): (.+) \((\d[^,)]*)(?:,[^)]*)?\)\s*$", re.MULTILINE)
_DEALT = re.compile(r"^Dealt to (.+) \[([^\]]*)\]", re.MULTILINE)
_STREET = re.compile(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* .*\[([^\]]*)\]\s*$")
_POST = re.compile(r"posts (ante|small blind|big blind) (\d\S*)(?: and is all-in)?$")
_BET = re.compile(r"(?:bets|raises .+ to) (\d\S*)(?: and is all-in)?$")
_SHOWN = re.compile(r"shows \[([^\]]*)\]")
_SUMMARY = "*** SUMMARY ***"


def read_winamax(text: str) -> PlayedHand:
    """Return the hand in a text; raise :class:`UnreadableError` where it is cut off, or another game."""
    first_line = _FIRST_LINE.search(text.lstrip().partition("\n")[0])
    button = _BUTTON.search(text)
    if first_line is None or button is None or _SUMMARY not in text:
        raise UnreadableError(CUT)
    if first_line[2] not in _GAMES:
        raise UnreadableError(OTHER_GAME)
    try:
        return _read_hand(
            first_line[1], _GAMES[first_line[2]], int(button[1]), text.partition(_SUMMARY)[0]
        )
    except (LookupError, ValueError, GameError):
        raise UnreadableError(CUT) from None


def _read_hand(number: str, hole_cards: int, button: int, text: str) -> PlayedHand:
    record = HandRecord.begin(text, seat=_SEAT, dealt=_DEALT, button=button, hole_cards=hole_cards)
    for line in map(str.rstrip, text.splitlines()):
        street = _STREET.match(line)
        if street:
            record.deal(street[1])
        name = _find_name(line, record)
        if name:
            _read_action(record, name, line[len(name) + 1 :])
    return record.end(number)


def _find_name(line: str, record: HandRecord) -> str:
    """Return the player, the one with the longest name, who does something in a line; empty if nobody does."""
    names = [name for name in record.seats if line.startswith(f"{name} ")]
    return max(names, key=len, default="")


def _read_action(record: HandRecord, name: str, action: str) -> None:
    if post := _POST.match(action):
        chips = read_amount(post[2])
        record.post(name, chips, live=0.0 if post[1] == "ante" else chips)
    elif action.startswith("posts "):
        raise unknown_post(action)
    elif action.startswith("folds"):
        record.fold(name)
    elif action.startswith(("checks", "calls ")):
        record.call(name)
    elif bet := _BET.match(action):
        record.bet_to(name, read_amount(bet[1]))
    elif action.startswith(("bets", "raises")):
        raise UnreadableError(CUT)
    elif shown := _SHOWN.match(action):
        record.show(name, shown[1])
