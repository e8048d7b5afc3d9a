"""What a turn or a river does to a board: against its ranks, its suits and the straights that it allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .flops import texture
from .hand_ranks import FULL_DECK, Deck


class NextCard(NamedTuple):
    """What a card does to the board on which it comes.

    Attributes
    ----------
    rank : {"overcard", "pairs", "middle", "undercard"}
        Above all ranks of the board; one of them; between; below all.
    flush : {"third of a suit", "fourth of a suit", "fifth of a suit", "second of a suit", "new suit"}
        How many cards of its suit there are then.
    straight : bool
        Whether two more cards make a straight of the board now which they did not before.
    """

    rank: str
    flush: str
    straight: bool


_OF_SUIT = (
    "new suit",
    "second of a suit",
    "third of a suit",
    "fourth of a suit",
    "fifth of a suit",
)


def next_card(board: Sequence[int], card: int, deck: Deck = FULL_DECK) -> NextCard:
    """Return what a card does to a board of three or four others.

    >>> from .cards import parse_cards
    >>> next_card(parse_cards("QsJh2h"), *parse_cards("Kh"))
    NextCard(rank='overcard', flush='third of a suit', straight=True)
    >>> next_card(parse_cards("QsJh2h"), *parse_cards("2c"))
    NextCard(rank='pairs', flush='new suit', straight=False)
    """
    ranks = [other // 4 for other in board]
    rank = card // 4
    if rank in ranks:
        place = "pairs"
    elif rank > max(ranks):
        place = "overcard"
    elif rank < min(ranks):
        place = "undercard"
    else:
        place = "middle"
    of_suit = Counter(other % 4 for other in board)[card % 4]
    straights_before = texture(board, deck).straights
    straights_now = texture([*board, card], deck).straights
    return NextCard(place, _OF_SUIT[of_suit], straights_now > straights_before)
