"""TerminalPayoffs: the plays that end on a street, eight side by side, as kernels of terminal values read them.

What a play pays a player's hands follows from the reach of the other's: a *lane* is a row of that,
with the end where somebody folded and the end with a showdown that it leads to. Most rows lead to
one of either at most; others take several lanes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...._jit.compile import record
from ...._jit.simd import padded
from ...._util.arrays import Floats, Ints, offsets
from ....game.card_game import ShowdownPayoffs
from ..betting import BettingTree, End, betting_arrays
from .by_hands import NO_MATRICES, HandMatrices


@record
class TerminalPayoffs(NamedTuple):
    """The lanes of all streets and players, ``q = 2 · street + player``, in groups of eight.

    Attributes
    ----------
    first_row : int array, shape (2 · streets + 1,)
        Where the rows of q begin in arrays of rows; after them comes one that nothing is read of.
    first_lane : int array, shape (2 · streets + 1,)
        The lanes in which player p is paid on a street, those with showdowns first; filled up to
        whole groups.
    num_shown : int array, shape (2 · streets,)
        How many of them have a showdown.
    others : int array, shape (lanes,)
        Where the row of the other player's reach begins.
    folded : int array, shape (lanes,)
        The row of the player at the end where somebody folded.
    shown : int array, shape (lanes,)
        The row of the player at the end with a showdown.
    fold : float array, shape (lanes,)
        What player p receives where somebody folded.
    tie : float array, shape (lanes,)
        At the showdown they receive tie + difference · sign + mean · |sign|, with sign 1 for the
        stronger hand, 0 for equal ones and -1 for the weaker.
    difference : float array, shape (lanes,)
        The factor of the sign.
    mean : float array, shape (lanes,)
        The factor of |sign|.
    raked : bool
        Whether ``mean`` is ever something else than 0.
    by_hands : HandMatrices
    """

    first_row: Ints
    first_lane: Ints
    num_shown: Ints
    others: Ints
    folded: Ints
    shown: Ints
    fold: Floats
    tie: Floats
    difference: Floats
    mean: Floats
    raked: bool
    by_hands: HandMatrices = NO_MATRICES

    def counting(self) -> TerminalPayoffs:
        """Return the same where both players receive 1 at every end."""
        ones = np.ones_like(self.fold)
        zeros = np.zeros_like(self.fold)
        return self._replace(fold=ones, tie=ones, difference=zeros, mean=zeros)


class _Lane(NamedTuple):
    """A row of the other player's reach, and the ends that it leads to."""

    row: int
    folded: End | None
    shown: End | None


class _LaneRows(NamedTuple):
    """The lanes of a betting tree, whatever the width of a row: by q those that :class:`TerminalPayoffs` has.

    Attributes
    ----------
    counts : list of int
    shown : list of int
    rows : int array, shape (3, lanes)
        The row of the other player, and those of the two ends; after the last where there is none.
    terms : float array, shape (4, lanes)
        Fold, tie, difference, mean.
    """

    counts: list[int]
    shown: list[int]
    rows: Ints
    terms: Floats


def lanes_of_decisions(tree: BettingTree, rows: Ints, width: Ints) -> TerminalPayoffs:
    """Return lanes that pay 1 at the first action of each decision: the reach of the hands that the other may hold."""
    payoff = ShowdownPayoffs((1.0, 1.0), (1.0, 1.0), (1.0, 1.0))
    streets = []
    for street in tree.streets:
        first = [End((node.first, node.other), payoff, shown=False) for node in street.nodes[0]]
        streets.append(
            (
                first,
                [End((node.other, node.first), payoff, shown=False) for node in street.nodes[1]],
            )
        )
    return _place_lanes(_group_lanes(streets, rows, np.zeros(2)), rows, width)


def make_terminal_payoffs(tree: BettingTree, width: Ints) -> TerminalPayoffs:
    """Return the lanes of a betting tree; rows have ``width`` numbers (by q)."""
    return _place_lanes(tree.once(_make_lanes), tree.once(betting_arrays).rows, width)


def _make_lanes(tree: BettingTree) -> _LaneRows:
    betting = tree.once(betting_arrays)
    return _group_lanes(
        [(street.ends, street.ends) for street in tree.streets], betting.rows, betting.shift
    )


def _place_lanes(lanes: _LaneRows, rows: Ints, width: Ints) -> TerminalPayoffs:
    """Return lanes for rows of ``width`` numbers."""
    first_row = offsets((rows + 1) * width)
    q = np.repeat(np.arange(len(rows)), lanes.counts)
    others, folded, shown = (
        first_row[at] + row * width[at] for at, row in zip((q ^ 1, q, q), lanes.rows, strict=True)
    )
    fold, tie, difference, mean = lanes.terms
    first = offsets(lanes.counts)
    shown_lanes = np.array(lanes.shown)
    raked = bool(mean.any())
    return TerminalPayoffs(
        first_row, first, shown_lanes, others, folded, shown, fold, tie, difference, mean, raked
    )


def _group_lanes(ends: list[tuple[list[End], list[End]]], rows: Ints, shift: Floats) -> _LaneRows:
    """Return the lanes of the ends of each street that pay player 0, and player 1, less ``shift``."""
    numbers = []
    terms = []
    counts = []
    shown = []
    for number, paying in enumerate(ends):
        for player in range(2):
            lanes = _lanes_of_player(paying[player], player)
            nobody = int(rows[2 * number + player])
            for lane in (
                lanes + [_Lane(lanes[-1].row, None, None)] * (padded(len(lanes)) - len(lanes))
                if lanes
                else []
            ):
                lane_ends = (lane.folded, lane.shown)
                numbers.append(
                    (lane.row, *(nobody if end is None else end.rows[player] for end in lane_ends))
                )
                if lane.folded is None:
                    fold = 0.0
                else:
                    fold = lane.folded.payoff.win[player] - shift[player]
                terms.append((fold, *_showdown_terms(lane.shown, player, float(shift[player]))))
            counts.append(padded(len(lanes)))
            shown.append(sum(lane.shown is not None for lane in lanes))
    lane_rows = np.array(numbers, np.int64).reshape(-1, 3)
    lane_terms = np.array(terms, np.float64).reshape(-1, 4)
    return _LaneRows(counts, shown, lane_rows.T.copy(), lane_terms.T.copy())


def _showdown_terms(end: End | None, player: int, shift: float) -> tuple[float, float, float]:
    """Return tie, difference and mean of :class:`TerminalPayoffs` for a showdown."""
    if end is None:
        return 0.0, 0.0, 0.0
    win, tie, lose = (pair[player] - shift for pair in end.payoff)
    if player == 1:
        win, lose = lose, win
    return tie, (win - lose) / 2, (win + lose) / 2 - tie


def _lanes_of_player(ends: list[End], player: int) -> list[_Lane]:
    """Return the lanes of a player from the ends of a street, those with a showdown first."""
    by_row: dict[int, tuple[list[End], list[End]]] = {}
    for end in ends:
        by_row.setdefault(end.rows[1 - player], ([], []))[end.shown].append(end)
    lanes = []
    for row, (folded, shown) in by_row.items():
        for k in range(max(len(folded), len(shown))):
            lanes.append(
                _Lane(
                    row,
                    *(row_ends[k] if k < len(row_ends) else None for row_ends in (folded, shown)),
                )
            )
    return sorted(lanes, key=lambda lane: (lane.shown is None, lane.row))
