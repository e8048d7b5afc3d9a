"""Hand histories of the iPoker network, XML: no-limit hold'em and pot-limit Omaha, cash and tournaments.

A file is a session: what is played is told once, at its head. Calls are told by the chips that a
player puts in with them, raises by what the bet is then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TextIO
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from ...errors import GameError
from .hand import CUT, OTHER_GAME, PlayedHand, UnreadableError
from .record import HandRecord, read_amount, unknown_post

BEGINS = re.compile(r"\s*(?:<\?xml|<session\b|<root\b)")
_GAME = re.compile(r"(?:(?P<holdem>Holdem)|(?P<omaha>Omaha)) (?P<limit>NL|PL)(?! ?Hi|\w)")
_UNSAFE = re.compile(r"<!(?:DOCTYPE|ENTITY)")
_CHUNK = 1 << 16  # characters
_MOST_CHARACTERS = 1 << 18  # of a hand
_CARD = re.compile(r"([SHDC])(10|[2-9TJQKA])")
_SMALL_BLIND = "1"
_BIG_BLIND = "2"
_ANTE = "15"
_POSTS = {_SMALL_BLIND, _BIG_BLIND, _ANTE}
_FOLD = "0"
_CALL = "3"
_CHECK = "4"
_BET = "5"
_ALL_IN = "7"
_RAISE = "23"
_POSTING_ROUND = "0"


def read_ipoker(file: TextIO) -> Iterator[PlayedHand | UnreadableError]:
    """Yield the hands of a session, or why one is not read; what is no XML, to the end, is one of these."""
    try:
        yield from _read_session(file)
    except ParseError:
        yield UnreadableError(CUT)


def _read_session(file: TextIO) -> Iterator[PlayedHand | UnreadableError]:
    parser: Any = XMLPullParser(("start", "end"))  # its types say less than its documentation
    parents: list[Element] = []
    game_type = ""
    characters = 0  # since the last hand
    tail = ""
    for chunk in iter(lambda: file.read(_CHUNK), ""):
        characters += len(chunk)
        if _UNSAFE.search(tail + chunk) or characters > _CHUNK + _MOST_CHARACTERS:
            raise ParseError
        tail = chunk[-10:]
        parser.feed(chunk)
        for event, element in parser.read_events():
            if event == "start":
                parents.append(element)
                continue
            parents.pop()
            if element.tag == "gametype":
                game_type = element.text or ""
            elif element.tag == "game":
                characters = 0
                yield _read_game(element, game_type)
                if parents:
                    parents[-1].remove(element)
    parser.close()


def _read_game(element: Element, game_type: str) -> PlayedHand | UnreadableError:
    game = _GAME.match(game_type)
    if game is None or (game["limit"] == "PL") != bool(game["omaha"]):
        return UnreadableError(OTHER_GAME)
    try:
        return _read_hand(element, 4 if game["omaha"] else 2)
    except UnreadableError as error:
        return error
    except (LookupError, ValueError, GameError):
        return UnreadableError(CUT)


def _read_hand(game: Element, hole_cards: int) -> PlayedHand:
    players = list(game.iter("player"))
    button = [int(player.attrib["seat"]) for player in players if player.get("dealer") == "1"]
    record = HandRecord(
        seats={player.attrib["name"]: int(player.attrib["seat"]) for player in players},
        stacks={player.attrib["name"]: read_amount(player.attrib["chips"]) for player in players},
        button=button[0],
        hole_cards=hole_cards,
    )
    rounds = sorted(game.iter("round"), key=lambda street: int(street.attrib["no"]))
    for street in rounds:
        for cards in street.iter("cards"):
            _read_cards(record, cards)
        actions = sorted(street.iter("action"), key=lambda action: int(action.attrib["no"]))
        for action in actions:
            _read_action(record, action, street.attrib["no"] == _POSTING_ROUND)
    return record.end(game.attrib["gamecode"])


def _read_cards(record: HandRecord, cards: Element) -> None:
    text = (cards.text or "").strip()
    if "X" in text or not text:
        return
    if _CARD.sub("", text).strip():
        raise UnreadableError(CUT)
    names = " ".join(
        f"{rank.replace('10', 'T')}{suit.lower()}" for suit, rank in _CARD.findall(text)
    )
    if cards.get("type") == "Pocket":
        record.show(cards.attrib["player"], names)
    else:
        record.deal(names)


def _read_action(record: HandRecord, action: Element, posting: bool) -> None:
    kind = action.attrib["type"]
    name = action.attrib["player"]
    if name not in record.seats:
        raise UnreadableError(CUT)
    if posting and kind in _POSTS:
        chips = read_amount(action.attrib["sum"])
        record.post(name, chips, live=0.0 if kind == _ANTE else chips)
    elif posting:
        raise unknown_post(f"type {kind}")
    elif kind == _FOLD:
        record.fold(name)
    elif kind in (_CALL, _CHECK):
        record.call(name)
    elif kind in (_BET, _RAISE):
        record.bet_to(name, read_amount(action.attrib["sum"]))
    elif kind == _ALL_IN:
        record.go_all_in(name)
    else:
        raise UnreadableError(f"an action that is not known here: type {kind[:4]!r}")
