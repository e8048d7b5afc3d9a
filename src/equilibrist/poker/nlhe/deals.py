"""Deals of hold'em, many at a time: cards, who has the better hand, and the buckets of both hands on each street."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ..._util.validate import is_whole
from ...errors import EquilibristError, GameError
from ..buckets.buckets import MOST_BUCKETS
from ..cards.cards import NUM_CARDS
from ..cards.hand_ranks import strength_of
from .betting import BOARD_CARDS, STREETS

CARDS_DEALT = 9
"""Two cards for either player, and five public ones."""


@runtime_checkable
class HandBuckets(Protocol):
    """Buckets of hands on each street, as :class:`equilibrist.Buckets` are."""

    def count(self, street: str, /) -> int:
        """Return how many buckets a street has: ``"preflop"``, ``"flop"``, ``"turn"`` or ``"river"``."""

    def assign(self, street: str, hands: Ints, /) -> Ints:
        """Return the bucket of each hand, from 0: two private cards, then the public ones; shape (n, 2 to 7)."""


class Deals(NamedTuple):
    """Deals.

    Attributes
    ----------
    cards : int array, shape (deals, 9)
        The hand of player 0, that of player 1, the flop, the turn and the river.
    """

    cards: Ints

    def hands(self, player: int, street: int) -> Ints:
        """Return a player's two cards and the public cards of a street, shape (deals, 2 to 7)."""
        private = self.cards[:, 2 * player : 2 * player + 2]
        board = self.cards[:, 4 : 4 + BOARD_CARDS[street]]
        return np.hstack([private, board])

    def won(self) -> Floats:
        """Return 1 where player 0 has the better hand in the end, -1 where player 1 has, else 0; shape (deals,)."""
        last = len(STREETS) - 1
        first, second = (strength_of(self.hands(player, last)) for player in range(2))
        return np.sign(first.astype(np.float64) - second)


def draw_deals(count: int, random: np.random.Generator) -> Deals:
    """Return so many deals, each of nine different cards."""
    decks = np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (count, 1))  # small, to stay in caches
    rows = np.arange(count)
    for place in range(CARDS_DEALT):
        other = random.integers(place, NUM_CARDS, count)
        drawn = decks[rows, other]
        decks[rows, other] = decks[:, place]
        decks[:, place] = drawn
    return Deals(decks[:, :CARDS_DEALT].astype(np.int64))


def count_buckets(buckets: HandBuckets) -> list[int]:
    """Return how many buckets each street has.

    Raises
    ------
    GameError
        A number of them is none, or what tells it fails.
    """
    counts = [_ask(buckets, "count", street) for street in STREETS]
    for street, count in zip(STREETS, counts, strict=True):
        if not is_whole(count, 1, MOST_BUCKETS):
            raise GameError(
                f"The buckets {buckets!r} must say a whole number from 1 to {MOST_BUCKETS:,} in "
                f"count({street!r}); got {count!r}.",
                wrong_use=True,
                field="map",
            )
    return [int(count) for count in counts]


def assign_hands(buckets: HandBuckets, street: str, hands: Ints) -> NDArray[np.uint16]:
    """Return the bucket of each hand on a street, shape (hands,), once each is one of that street.

    Raises
    ------
    GameError
        Buckets are none, or what tells them fails.
    """
    assigned = np.asarray(_ask(buckets, "assign", street, hands))
    if assigned.shape != (len(hands),) or assigned.dtype.kind not in "iu":
        raise GameError(
            f"The buckets {buckets!r} must return a whole number for each hand in "
            f"assign({street!r}, hands): {len(hands):,} of them; got an array of "
            f"{assigned.dtype} of shape {assigned.shape}.",
            wrong_use=True,
            field="map",
        )
    last = buckets.count(street) - 1
    if assigned.size and (assigned.min() < 0 or assigned.max() > last):
        raise GameError(
            f"The buckets {buckets!r} of {street!r} are numbered from 0 to {last}; assign(…) "
            f"returned some from {assigned.min()} to {assigned.max()}.",
            wrong_use=True,
            field="map",
        )
    return assigned.astype(np.uint16)


def _ask(buckets: HandBuckets, method: str, street: str, *more: Any) -> Any:
    """Return what buckets answer; their errors as ours."""
    try:
        return getattr(buckets, method)(street, *more)
    except EquilibristError:
        raise
    except Exception as error:
        raise GameError(
            f"The buckets {buckets!r} failed at {method}({street!r}{', hands' * len(more)}) with "
            f"{type(error).__name__}: {str(error).removesuffix('.')}.",
            wrong_use=True,
            field="map",
        ) from error


def assign_buckets(buckets: HandBuckets, deals: Deals) -> NDArray[np.uint16]:
    """Return the bucket of either player's hand on each street, shape (deals, 2, 4)."""
    assigned = np.empty((len(deals.cards), 2, len(STREETS)), np.uint16)
    for player in range(2):
        for number, street in enumerate(STREETS):
            assigned[:, player, number] = assign_hands(buckets, street, deals.hands(player, number))
    return assigned
