"""Flops: the 1,755 that differ by more than suits, weighted subsets of them, and what players call their texture."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from .cards import NUM_CARDS, RANKS, SUIT_PERMUTATIONS, cards_text, parse_cards
from .hand_ranks import FULL_DECK, Deck

NUM_FLOPS = 22_100
SUBSETS = (25, 49, 95, 184)
"""Sizes of the weighted subsets of flops; ``python -m benchmarks.flop_subsets`` chooses them and says how."""

Cards = tuple[int, ...]


class Texture(NamedTuple):
    """What a board looks like, its suits and ranks apart.

    Attributes
    ----------
    suits : str
        How many cards the commonest suit has: "rainbow" one, "two-tone" two, "monotone" all of
        them, else "three suited" or "four suited".
    pairing : {"unpaired", "paired", "two pair", "trips", "quads"}
        What the ranks repeat.
    straights : int
        How many straights two more cards can make: the board is connected where there are some.
    high : str
        The highest rank.
    """

    suits: str
    pairing: str
    straights: int
    high: str

    @property
    def connected(self) -> bool:
        """Whether two more cards can make a straight."""
        return self.straights > 0


def texture(cards: Sequence[int], deck: Deck = FULL_DECK) -> Texture:
    """Return the texture of a board.

    >>> texture(parse_cards("QsJh2h"))
    Texture(suits='two-tone', pairing='unpaired', straights=0, high='Q')
    >>> texture(parse_cards("9s8s7s")).suits, texture(parse_cards("9s8s7sKd2c")).suits
    ('monotone', 'three suited')
    >>> texture(parse_cards("9s8s7s")).straights, texture(parse_cards("KdKc5h")).pairing
    (3, 'paired')
    """
    ranks = Counter(card // 4 for card in cards)
    suits = Counter(card % 4 for card in cards)
    repeated = sorted(ranks.values(), reverse=True)
    pairing = {1: "unpaired", 2: "paired", 3: "trips", 4: "quads"}[repeated[0]]
    if repeated[:2] == [2, 2]:
        pairing = "two pair"
    most_of_suit = max(suits.values())
    texture_names = {1: "rainbow", 2: "two-tone", 3: "three suited", 4: "four suited"}
    return Texture(
        suits="monotone" if most_of_suit == len(cards) else texture_names[most_of_suit],
        pairing=pairing,
        straights=sum(
            len(ranks.keys() & straight) >= 3 for straight in _straight_ranks(deck.lowest)
        ),
        high=RANKS[max(ranks)],
    )


@cache
def _straight_ranks(lowest: int) -> list[set[int]]:
    """Return the ranks of all straights of a deck whose lowest cards have some rank."""
    return [set(range(low, low + 5)) for low in range(lowest, 9)] + [
        {12, *range(lowest, lowest + 4)}
    ]


def board_classes(
    boards: Iterable[Sequence[int]], symmetries: NDArray[np.int64] = SUIT_PERMUTATIONS
) -> dict[Cards, int]:
    """Return one board of each class that permutations of the suits make of some boards, and the size of the class.

    ``symmetries`` are some of :data:`~equilibrist.poker.cards.cards.SUIT_PERMUTATIONS`, shape (n,
    52). Of each class the board is that whose cards, the highest first, come last, ``AsKhQd``; the
    highest boards stand first.
    """
    board_rows = np.array([tuple(board) for board in boards])
    permuted = -np.sort(
        -symmetries[:, board_rows], axis=2
    )  # (n, boards, cards), the highest card first
    keys = (permuted * NUM_CARDS ** np.arange(board_rows.shape[1])[::-1]).sum(axis=2)
    representatives = permuted[keys.argmax(axis=0), np.arange(len(board_rows))]
    counted = Counter(map(tuple, representatives.tolist()))
    return {cards: counted[cards] for cards in sorted(counted, reverse=True)}


@cache
def all_flops() -> Mapping[Cards, int]:
    """Return the 1,755 flops that differ by more than suits, and how many of the 22,100 each stands for.

    >>> flops = all_flops()
    >>> len(flops), sum(flops.values()), next(iter(flops.items()))
    (1755, 22100, ((51, 50, 49), 4))
    """
    return board_classes(combinations(range(NUM_CARDS), 3))


@cache
def flop_subset(size: int) -> Mapping[Cards, int]:
    """Return a weighted subset of the flops; weights are flops that each stands for, and sum to 22,100.

    >>> subset = flop_subset(25)
    >>> len(subset), sum(subset.values())
    (25, 22100)
    """
    if size not in SUBSETS:
        raise GameError(
            f"There are subsets of {', '.join(map(str, SUBSETS))} flops, and all 1,755; got "
            f"{size!r}.",
            wrong_use=True,
        )
    subsets = json.loads(
        files(__package__).joinpath("flop_subsets.json").read_text(encoding="utf-8")
    )
    return {parse_cards(name): weight for name, weight in subsets[str(size)].items()}


def name_boards(boards: Mapping[Cards, int]) -> dict[str, int]:
    """Return boards by their names: ``AsKhQd``."""
    return {cards_text(cards): weight for cards, weight in boards.items()}
