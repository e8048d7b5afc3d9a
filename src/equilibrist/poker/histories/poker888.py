"""Hand histories as 888poker writes them: no-limit hold'em and pot-limit Omaha, cash and tournaments.

Calls and raises are told by the chips that a player puts in with them, not by what the bet is then.
"""

from __future__ import annotations

import re

from ...errors import GameError
from .hand import CUT, OTHER_GAME, PlayedHand, UnreadableError
from .record import HandRecord, read_amount, unknown_post

BEGINS = re.compile(r"\s*(?:#Game No : \d+\s*\n\s*)?\*{5} .*\b888.* Hand History [Ff]or Game (\d+)")
_GAME = re.compile(r"Blinds (.+?) - \*\*\*")
_GAMES = {"No Limit Holdem": 2, "Pot Limit Omaha": 4}
"""How many cards a player holds."""
_BUTTON = re.compile(r"^Seat (\d+) is the button", re.MULTILINE)
_SEAT = re.compile(r"^Seat (\d+): (.+) \( ([^()]*\d[^()]*) \)", re.MULTILINE)
_CARDS = r"\[ ([^\]]*?) ?\]"
_DEALT = re.compile(rf"^Dealt to (.+) {_CARDS}", re.MULTILINE)
_STREET = re.compile(rf"\*\* Dealing (?:flop|turn|river) \*\* {_CARDS}")
_POST = re.compile(r"posts (ante|small blind|big blind) \[([^\]]*)\]")
_DEAD_BLIND = re.compile(r"posts dead blind \[([^\]+]*)\+([^\]]*)\]")
_BET = re.compile(r"(?:bets|raises) \[([^\]]*)\]")
_SHOWN = re.compile(rf"(?:shows|mucks) {_CARDS}")
_ACTION = re.compile(r"(.+?) ((?:posts|folds|checks|calls|bets|raises|shows|mucks)\b.*)")
_SUMMARY = "** Summary **"


def read_poker888(text: str) -> PlayedHand:
    """Return the hand in a text; raise :class:`UnreadableError` where it is cut off, or another game."""
    first_line = BEGINS.match(text)
    game = _GAME.search(text)
    button = _BUTTON.search(text)
    if first_line is None or game is None or button is None or _SUMMARY not in text:
        raise UnreadableError(CUT)
    if game[1] not in _GAMES:
        raise UnreadableError(OTHER_GAME)
    try:
        return _read_hand(first_line[1], _GAMES[game[1]], int(button[1]), text)
    except (LookupError, ValueError, GameError):
        raise UnreadableError(CUT) from None


def _read_hand(number: str, hole_cards: int, button: int, text: str) -> PlayedHand:
    record = HandRecord.begin(text, seat=_SEAT, dealt=_DEALT, button=button, hole_cards=hole_cards)
    for line in map(str.rstrip, text.splitlines()):
        street = _STREET.match(line)
        if street:
            record.deal(street[1])
        done = _ACTION.fullmatch(line)
        if done and done[1] in record.seats:
            _read_action(record, done[1], done[2])
    return record.end(number)


def _read_action(record: HandRecord, name: str, action: str) -> None:
    if post := _POST.match(action):
        chips = read_amount(post[2])
        record.post(name, chips, live=0.0 if post[1] == "ante" else chips)
    elif dead := _DEAD_BLIND.match(action):
        live = read_amount(dead[2])
        record.post(name, read_amount(dead[1]) + live, live=live)
    elif action.startswith("posts"):
        raise unknown_post(action)
    elif action.startswith("folds"):
        record.fold(name)
    elif action.startswith(("checks", "calls")):
        record.call(name)
    elif bet := _BET.match(action):
        record.bet_more(name, read_amount(bet[1]))
    elif shown := _SHOWN.match(action):
        record.show(name, shown[1])
