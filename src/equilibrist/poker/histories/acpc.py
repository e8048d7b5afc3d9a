"""Logs of the Annual Computer Poker Competition: no-limit hold'em, a line ``STATE:…`` for each hand.

A line has no stakes. Those of the competition are taken: blinds of 50 and 100, and 20,000 chips of
two or three players, 10,000 of six (as the logs of Pluribus have them).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ...errors import GameError
from .hand import CUT, OTHER_GAME, PlayedHand, UnreadableError
from .record import HandRecord

BEGINS = re.compile(r"\s*STATE:\d+:")
_LINE = re.compile(r"STATE:(\d+):([^:]*):([^:]*):([^:]*):(.+)")
_MOVE = re.compile(r"f|c|r\d*")
_CARD_SIZE = 2  # characters


class _Stakes(NamedTuple):
    """What the competition plays for.

    Attributes
    ----------
    blinds : tuple of float
        Of each player, in the order of the line, which is the order after the flop. Chips.
    stack : float
        Of each player, chips.
    """

    blinds: tuple[float, ...]
    stack: float


_STAKES = {
    2: _Stakes((100.0, 50.0), 20_000.0),
    3: _Stakes((50.0, 100.0, 0.0), 20_000.0),
    6: _Stakes((50.0, 100.0, 0.0, 0.0, 0.0, 0.0), 10_000.0),
}
"""By the number of players. Of two, the first has the big blind."""


def read_acpc(text: str) -> PlayedHand:
    """Return the hand in a line; raise :class:`UnreadableError` where it is cut off, or another game."""
    line = _LINE.match(text.strip())
    if line is None:
        raise UnreadableError(CUT)
    number, betting, cards, _, names = line.groups()
    players = names.split("|")
    stakes = _STAKES.get(len(players))
    if stakes is None:
        raise UnreadableError(
            f"a game of the ACPC of {len(players)} players, whose stakes are not known here"
        )
    # limits are those of raises without an amount
    if "r" in re.sub(r"r\d+", "", betting):
        raise UnreadableError(OTHER_GAME)
    try:
        return _read_hand(number, betting, cards, _name_seats(players), stakes)
    except (LookupError, ValueError, GameError):
        raise UnreadableError(CUT) from None


def _name_seats(players: list[str]) -> list[str]:
    """Return names of which none is there twice: a programme may play against itself."""
    if len(set(players)) == len(players):
        return players
    return [f"{name} {seat}" for seat, name in enumerate(players, 1)]


def _read_hand(
    number: str, betting: str, cards: str, players: list[str], stakes: _Stakes
) -> PlayedHand:
    count = len(players)
    record = HandRecord(
        seats={name: seat for seat, name in enumerate(players)},
        stacks=dict.fromkeys(players, stakes.stack),
        button=count - 1,
        hole_cards=2,
    )
    for name, blind in zip(players, stakes.blinds, strict=True):
        record.post(name, blind, live=blind)
    held, *board = cards.split("/")
    for name, hand in zip(players, held.split("|"), strict=True):
        if hand:
            record.show(name, hand)
    live = [True] * count
    chips = list(stakes.blinds)  # put in during the whole hand
    put_before = [0.0] * count  # on the streets before
    # who acts first before the flop
    first = stakes.blinds.index(max(stakes.blinds)) + 1
    for street, moves in enumerate(betting.split("/")):
        if street:
            put_before = list(chips)
            first = 0
            record.deal(board[street - 1])
        if "".join(_MOVE.findall(moves)) != moves:
            raise UnreadableError(CUT)
        seat = first % count
        for move in _MOVE.findall(moves):
            able = (
                (seat + step) % count
                for step in range(count)
                if live[(seat + step) % count] and chips[(seat + step) % count] < stakes.stack
            )
            seat = next(able, seat)
            name = players[seat]
            if move == "f":
                live[seat] = False
                record.fold(name)
            elif move == "c":
                chips[seat] = max(chips)
                record.call(name)
            else:
                chips[seat] = float(move[1:])
                record.bet_to(name, chips[seat] - put_before[seat])
            seat = (seat + 1) % count
    # what is dealt once all are all-in
    for street_cards in board[betting.count("/") :]:
        record.deal(street_cards)
    return record.end(number)
