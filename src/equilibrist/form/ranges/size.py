"""How large a game of three ranges is, and how long an iteration takes: told from counts, before it is laid out."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..._jit.simd import LANES
from ..._util.arrays import Ints
from ...errors import GameTooLargeError
from ...show.numbers import format_two_digits
from ..limits import free_memory
from ..traits import RangeTraits
from .boards import ListedBoard, count_hands, list_boards, list_dealt
from .game import PLAYERS, RangeGame
from .payments import Decision, End
from .values import SURE, THREE, TWO, Payments, RangeBoards, RangeValues

_BYTES_PER_INFOSET = 24
"""Of who decides, how many actions there are, and what leads there, by infoset and by slot."""
_BYTES_PER_SLOT = 84
"""Of the number of a slot, of the tables of a run in float64, and of those of a certificate."""
_BYTES_PER_PAYMENT = 192
"""Of a payment on a board, while payments are put in order."""
_BYTES_PER_HAND = 100
"""Of a hand on a board."""
_BYTES_PER_TERM = 8
"""Of a hand on a board, for each term of the weights of folded hands."""
_SECONDS_PER_SLOT = 3e-8
"""Of the regrets and the average at a slot, beside the sums over hands."""
_TRIALS = 20
_KINDS = (SURE, TWO, THREE)
"""Of payments, by the players who share the pot."""


class RangeSize(NamedTuple):
    """How large a game of three ranges is.

    Attributes
    ----------
    boards : tuple of int
        Boards of each street, those that are alike by suits counted once.
    infosets, slots : int
    gigabytes : float
        What its form and a run take.
    sums : int64 array, shape (3,)
        Sums over disjoint hands of an iteration by kind of payment (SURE, TWO, THREE): payments × hands
        on the board × terms of folded hands.
    """

    boards: tuple[int, ...]
    infosets: int
    slots: int
    gigabytes: float
    sums: Ints

    def describe(self, seconds: float) -> str:
        """Return size, memory, and the seconds of an iteration, in words."""
        boards = " and ".join(f"{count:,}" for count in self.boards)
        of_boards = "1 board" if boards == "1" else f"{boards} boards"
        return (
            f"{self.infosets:,} infosets on {of_boards}, some "
            f"{format_two_digits(self.gigabytes)} GB, about {format_two_digits(seconds)} s an "
            "iteration on one core"
        )

    def check(self, name: str) -> None:
        """Refuse a game that takes more memory than there is.

        Raises
        ------
        GameTooLargeError
        """
        free = free_memory()
        if self.gigabytes > free or self.slots >= 2**32:
            raise GameTooLargeError(
                f"{name} has {self.infosets:,} infosets and takes some "
                f"{format_two_digits(self.gigabytes)} GB; this machine has "
                f"{format_two_digits(free)} GB free. {RangeTraits.smaller.capitalize()}.",
                wrong_use=True,
            )


def measure_size(
    game: RangeGame, decisions: list[Decision], ends: list[End], symmetries: Ints
) -> RangeSize:
    """Return how large a game is, by counts of boards, hands, decisions and payments."""
    boards = []
    hands = []
    held = []
    for street in list_dealt(game, symmetries):
        counts = [count_hands(game, board) for board in street]
        boards.append(len(street))
        hands.append(sum(on_board for on_board, _ in counts))
        held.append(np.sum([of_players for _, of_players in counts], axis=0))
    num_terms = 0 if game.folded is None else game.folded.num_terms
    infosets = 0
    slots = 0
    payments = 0
    sums = np.zeros(len(_KINDS), np.int64)
    for decision in decisions:
        count = int(held[decision.street][decision.player])
        infosets += count
        slots += decision.actions * count
        costs = sum(chips > 0 for chips in decision.added)
        payments += boards[decision.street] * costs
        sums[SURE] += hands[decision.street] * min(1, costs)
    for end in ends:
        for pot in end.pots:
            winners = len(pot.players)
            payments += boards[end.street] * winners
            sums[_KINDS[winners - 1]] += winners * hands[end.street]
    total_bytes = (
        _BYTES_PER_INFOSET * infosets
        + _BYTES_PER_SLOT * slots
        + _BYTES_PER_PAYMENT * payments
        + (_BYTES_PER_HAND + _BYTES_PER_TERM * num_terms) * sum(hands)
    )
    return RangeSize(tuple(boards), infosets, slots, total_bytes / 1e9, sums * max(1, num_terms))


def time_iteration(game: RangeGame, size: RangeSize, symmetries: Ints) -> float:
    """Return about how many seconds of one core an iteration takes, by payments that are timed on one board."""
    first = ListedBoard((), (0,), symmetries[:1], 1)
    for street in list_dealt(game, symmetries):
        first = street[0]
    board = (*game.board, *first.dealt)
    river = replace(game, board=board, streets=1, folded=None, locks=())
    arrays = list_boards(river, symmetries[:1]).arrays
    hands = len(arrays.group_end)
    total = size.slots * _SECONDS_PER_SLOT
    for kind in _KINDS:
        total += float(size.sums[kind]) * _time_payment(arrays, kind) / max(1, hands)
    return total


def _time_payment(arrays: RangeBoards, kind: int) -> float:
    """Return how many seconds a payment of a kind takes on the only board."""
    payments = Payments(
        first_group=np.array([0, 1, 1, 1]),
        first=np.array([0, 1]),
        kind=np.array([kind]),
        board=np.zeros(1, np.int64),
        amount=np.ones(1),
        row=np.full((3, 1), -1),
        street=np.zeros((3, 1), np.int64),
        player=np.array([[player] for player in PLAYERS]),
    )
    values = RangeValues(arrays, payments, (0, 0, 0))
    room = np.zeros(LANES)
    values(0, room, room)
    times = []
    for _ in range(_TRIALS):
        begun = time.process_time()
        values(0, room, room)
        times.append(time.process_time() - begun)
    return min(times)
