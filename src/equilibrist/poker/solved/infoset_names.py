"""What the name of an infoset of a spot says: hand, board, line, street and made hand."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache

from ...errors import GameError
from ..cards.cards import parse_cards, parse_hand
from ..cards.made_hands import made_hand
from ..spot.bet_sizes import STREETS
from ..spot.settings import find_deck

_SPOT = re.compile(
    r"(?P<hand>(?:[2-9TJQKA][cdhs]){2}) (?P<board>(?:[2-9TJQKA][cdhs]){3,5})(?: .*)?"
)
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs])+")
_DECK = re.compile(r"\bdeck='([^']*)'")


def split_infoset(infoset: str) -> tuple[str, str, str]:
    """Return hand, board and line of the name of an infoset of a spot."""
    hand, _, rest = infoset.partition(" ")
    board, _, line = rest.partition(" ")
    return hand, board, line


def split_infoset_of_three(infoset: str) -> tuple[str, str, str]:
    """Return hand, cards dealt since the start, and line of the name of an infoset of three ranges.

    >>> split_infoset_of_three("AhKd 6s X-X-B20"), split_infoset_of_three("AhKd X-X-B20")
    (('AhKd', '6s', 'X-X-B20'), ('AhKd', '', 'X-X-B20'))
    """
    hand, _, rest = infoset.partition(" ")
    dealt, _, line = rest.partition(" ")
    if _CARDS.fullmatch(dealt):
        return hand, dealt, line
    return hand, "", rest


def hand_of_infoset(infoset: str) -> str | None:
    """Return the hand in the name of an infoset of a spot, of two cards or four; None of any other.

    >>> hand_of_infoset("AhKd 2s3h4d6c X-B50"), hand_of_infoset("Kb")
    ('AhKd', None)
    """
    hand, blank, _ = infoset.partition(" ")
    if blank and len(hand) in (4, 8) and _CARDS.fullmatch(hand):
        return hand
    return None


def street_of_infoset(infoset: str) -> str | None:
    """Return the street of an infoset of a spot of hold'em; None of any other.

    >>> street_of_infoset("AhKd 2s3h4d6c X-B50"), street_of_infoset("Kb")
    ('turn', None)
    """
    place = _SPOT.fullmatch(infoset)
    if place is None:
        return None
    return STREETS[len(place["board"]) // 2 - 3]


@lru_cache(10_000)
def made_hand_of_infoset(infoset: str, game: str) -> str | None:
    """Return the made hand of an infoset of a spot of hold'em; None of any other.

    >>> made_hand_of_infoset("AhKd As3h4d6c X-B50", "holdem(board='As3h4d6c')")
    'top pair'
    >>> made_hand_of_infoset("Kb", "kuhn") is None
    True
    """
    place = _SPOT.fullmatch(infoset)
    if place is None:
        return None
    name = _DECK.search(game)
    with suppress(GameError):  # of another game, whose infosets only look like those
        deck = find_deck({"deck": name[1] if name else "full"})
        return made_hand(parse_hand(place["hand"]), parse_cards(place["board"]), deck)
    return None
