"""Three hands before the flop: how many deals there are of each three classes, and who wins when all are all-in.

The deals are counted. The shares of the pot are estimated from sampled boards, on each of which all
deals are counted (``python -m benchmarks.three_way``): :data:`STANDARD_ERROR` says how well.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ..cards.cards import CLASS_OF_HAND, CLASSES, HANDS, NUM_CARDS
from .all_in import packaged_table

FILE = Path(__file__).with_name("three_way.npz")
"""The shares of each three classes, and the ties of each two of them."""

STANDARD_ERROR = 0.0036
"""Of a share of the pot, at most, in all but one of a hundred triples of classes."""

MOST_SHARE = 10_000
MOST_TIES = 255
"""What stands in the table for all of the pot, and for a tie each time."""

_DIGEST = "e09defdb9365d1ed749eb07ea40ad5aa7dcec398aee54f9565875145548c9e32"


class ThreeWay(NamedTuple):
    """What comes of each three classes of hands, on average over their deals: shape (169, 169, 169).

    Attributes
    ----------
    share : float array
        Share of the pot that the first class gets against the two others.
    ties : float array
        How often the first two classes tie for the pot, and the third one loses.
    """

    share: Floats
    ties: Floats


@cache
def deals_of_classes() -> Ints:
    """Return how many deals of three hands of each three classes there are, shape (169, 169, 169).

    Of n_b hands of each class that share no card with a hand, n_b n_c pairs of two classes are
    left, less those that share a card: Σ n_b(card) n_c(card) over the cards, in which a hand with
    itself is counted once too often.
    """
    member = (np.arange(len(CLASSES))[:, None] == CLASS_OF_HAND).astype(np.float64)
    holds = (HANDS[:, :, None] == np.arange(NUM_CARDS)).any(axis=1).astype(np.float64)
    sizes = member.sum(axis=1)
    all_by_card = member @ holds
    deals = np.zeros((len(CLASSES),) * 3)
    for number, size in enumerate(sizes):
        hand = int(np.argmax(member[number]))  # all hands of a class meet as many others
        blocked = np.flatnonzero(holds @ holds[hand])  # 101 hands: fewer than are left
        count = sizes - member[:, blocked].sum(axis=1)
        by_card = all_by_card - member[:, blocked] @ holds[blocked]
        deals[number] = size * (np.outer(count, count) - by_card @ by_card.T + np.diag(count))
    return deals.astype(np.int64)


def triple_numbers() -> tuple[Ints, Ints, Ints]:
    """Return the three classes, in rising order, of each of the 818,805 triples that the table holds."""
    first, second, third = np.meshgrid(*[np.arange(len(CLASSES))] * 3, indexing="ij", sparse=True)
    i, j, k = np.nonzero((first <= second) & (second <= third))
    return i, j, k


@cache
def load_three_way() -> ThreeWay:
    """Return the table of three-way all-ins.

    Raises
    ------
    GameError
        The file of the table is missing or is not what it was.
    """
    with np.load(packaged_table(FILE, _DIGEST, "three-way all-ins")) as table:
        shares = table["shares"] / MOST_SHARE
        ties = table["ties"] / MOST_TIES
    i, j, k = triple_numbers()
    first: Floats = np.where((i == j) & (j == k), 1 / 3, shares[0])
    # Of equal classes neither is the first.
    second: Floats = np.where(j == k, (1 - first) / 2, shares[1])
    return unfold_table(np.stack([first, second, 1 - first - second]), ties)


def unfold_table(shares: Floats, ties: Floats) -> ThreeWay:
    """Return the table in all orders of the classes, from the shares of the three classes of each triple, shape
    (3, triples), and the ties of the first two, of the first and the third, and of the last two.
    """
    classes = triple_numbers()
    share, tie = np.zeros((2, *(len(CLASSES),) * 3))
    for place, (other, third) in enumerate(((1, 2), (0, 2), (0, 1))):
        share[classes[place], classes[other], classes[third]] = shares[place]
        share[classes[place], classes[third], classes[other]] = shares[place]
    for pair, (first, second, third) in zip(ties, ((0, 1, 2), (0, 2, 1), (1, 2, 0)), strict=True):
        tie[classes[first], classes[second], classes[third]] = pair
        tie[classes[second], classes[first], classes[third]] = pair
    return ThreeWay(share, tie)
