"""The first line of a hand as PokerStars and GGPoker write it: number, game and stakes, or what is not read there."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ..cards.hand_ranks import DECKS
from ..cards.hand_ranks import Deck as Cards
from .hand import OTHER_GAME, UnreadableError

BEGINS = re.compile(r"\s*(?:PokerStars .*?|Poker Hand )#[A-Z]{0,3}\d+:")
"""The beginning of a hand: ``PokerStars Hand #1:``, ``PokerStars Zoom Hand #1:``; of GGPoker ``Poker Hand #HD1:``."""
_NUMBER = re.compile(r"#([A-Z]{0,3}\d+):")
_GAME = re.compile(
    r"(?P<short>6\+ )?Hold'em No Limit|(?P<omaha>Omaha Pot Limit|(?<![/\w])PLO(?![-\w]))"
)
_DATE = re.compile(r"\d{4}[/-]\d\d?[/-]\d\d?")
_VARIANT = re.compile(r"(?:^|\s)[A-Z][a-z]+\s*$")
"""A word before the game that makes another one of it: ``5 Card Omaha``, ``Showtime Hold'em``."""
# whose name stands between, in any words
_TOURNAMENT_OF_GGPOKER = re.compile(r"\s*Tournament #\d+,")
_WORD = re.compile(r"[A-Za-z][A-Za-z']*")
_UNDERSTOOD = {"level", "match", "round", "cap", "ante", "button", "blind"}
"""Words behind the game that change nothing but the stakes, which the lines below repeat; but for the cap."""
_CAP = re.compile(r"([\d,]+(?:\.\d+)?) cap\b", re.IGNORECASE)
_LONGEST_WORD = 20  # of those that are named


class FirstLine(NamedTuple):
    """What the first line of a hand says of it.

    Attributes
    ----------
    number : str
    deck : Cards
    hole_cards : int
        Of each player.
    cap : float
        The most that a player may put in during the hand, chips; inf without a cap.
    """

    number: str
    deck: Cards
    hole_cards: int
    cap: float


def read_first_line(text: str) -> FirstLine:
    """Return what the first line of a hand says; raise :class:`UnreadableError` for other games and unknown words."""
    line = text.partition("\n")[0].rstrip()
    number = _NUMBER.search(line)
    if number is None:
        raise UnreadableError(OTHER_GAME)
    text_after_number = line[number.end() :]
    game = _GAME.search(text_after_number)
    if game is None:
        raise UnreadableError(OTHER_GAME)
    named_freely = not line.startswith("PokerStars") and _TOURNAMENT_OF_GGPOKER.match(
        text_after_number
    )
    text_before_game = text_after_number[: game.start()]
    if _VARIANT.search(text_before_game) and not (
        named_freely or text_before_game.rstrip().endswith("Freeroll")
    ):
        raise UnreadableError(OTHER_GAME)
    stakes = _DATE.split(text_after_number[game.end() :], maxsplit=1)[0]
    for word in _WORD.findall(stakes):
        # Currencies and levels are capitals.
        if not word.isupper() and word.lower() not in _UNDERSTOOD:
            raise UnreadableError(
                f"a table with {word[:_LONGEST_WORD]!r} in its first line, which is not known here"
            )
    return FirstLine(
        number=number[1],
        deck=DECKS["short" if game["short"] else "full"],
        hole_cards=4 if game["omaha"] else 2,
        cap=_read_cap(stakes),
    )


def _read_cap(stakes: str) -> float:
    """Return the cap that stakes such as ``($0.25/$0.50 - $10 Cap - USD)`` name."""
    cap = _CAP.search(stakes)
    if cap is not None:
        return float(cap[1].replace(",", ""))
    if re.search(r"\bcap\b", stakes, re.IGNORECASE):
        raise UnreadableError(
            "a table with a cap of which the first line does not say how high it is"
        )
    return math.inf
