"""What the plays that end on a board pay where hands were folded before: by a weight for each pair of hands.

That a pair of hands is dealt depends on what those who folded hold, and is no product of two weights.
So an end is a product of a matrix, [hand of player 0, hand of player 1], with the reach of the other's
hands, in lanes of eight plays; the hands of the last street stand in the order of their strength, which
parts the sum into weaker, equal and stronger ones. Nothing is subtracted, so that nothing is to be
added up anew (:mod:`.remainders`).
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from ...._jit.compile import compiled, inline_ir, record
from ...._jit.simd import LANES, broadcast_like, integer_at, load, load_like, store
from ...._util.arrays import Floats, Ints
from .values import clear_rest

_TILE = 8  # own hands whose sums stay in the first-level cache


@record
class PairSums(NamedTuple):
    """The weight of each pair of hands on each board.

    Attributes
    ----------
    size : int
        Sums that a walk keeps beside those of all games: of one hand.
    first : int array, shape (boards,)
        Where the matrix of a board begins.
    weight : float64 array, flat
        The matrices, ``[position of player 0][position of player 1]``, of the width of player 1.
    reached : array of unsigned integers, shape (2 · positions of the last street,), flat
        For each hand on the last street, how many of the other player's hands are weaker, and how
        many are not stronger.
    add_remainders : bool
        Has no effect.
    """

    size: int
    first: Ints
    weight: Floats
    reached: NDArray[Any]
    add_remainders: bool = False

    @property
    def precision(self) -> None:
        """The precision of the sums: that of the walk."""
        return None

    def fill_shown(self, game, scratch, street, player, lane):
        """Fill ``pays`` where hands are shown, and where somebody folded after the same reach of the other."""
        _sum_shown(self, game, scratch, street, player, lane)

    def fill_folded(self, game, scratch, street, player, lane):
        """Fill ``pays`` where nobody shows."""
        _sum_folded(self, game, scratch, street, player, lane)

    def mend_remainders(self, game, scratch, street, player, lane, is_shown):
        """Do nothing."""


@inline_ir
def _add_pairs(sums, at, steps, others, reached, tile, table, begin):
    """Add to own hands, from ``tile[0]`` to ``tile[1]``, weight × reach of the other's from ``reached[0]`` to
    ``reached[1]``, in place: those of hand i stand in ``table`` from ``begin`` on.

    ``at`` is where the matrix of the board begins, ``steps`` what an own hand and another's are apart in it.
    """
    for j in range(reached[0], reached[1]):
        reach = load(others, j * LANES)
        pair = at + tile[0] * steps[0] + j * steps[1]
        for i in range(tile[0], tile[1]):
            place = begin + i * LANES
            weight = broadcast_like(others, sums.weight[pair])
            store(table, place, load(table, place) + reach * weight)
            pair += steps[0]


@inline_ir
def _matrix_steps(game, street, player):
    """Return what two own hands, and two of the other's, are apart in the matrix of a board."""
    width = game.boards.width[2 * street + 1]
    if player == 0:
        return width, 1
    return 1, width


@compiled(allocates=False, entry=False)
def _sum_folded(sums, game, scratch, street, player, lane):
    """Fill ``pays`` where nobody shows: weight × reach of the other's hands times what is paid."""
    boards = game.boards
    pays = scratch.pays
    board = scratch.open_board[street]
    count = boards.counts[2 * board + player]
    others = boards.counts[2 * board + 1 - player]
    steps = _matrix_steps(game, street, player)
    at = sums.first[board]
    fold = load_like(pays, game.terminal.fold, lane)
    for begin in range(0, count, _TILE):
        end = min(begin + _TILE, count)
        for i in range(begin, end):
            store(pays, i * LANES, broadcast_like(pays, 0.0))
        _add_pairs(sums, at, steps, scratch.others, (0, others), (begin, end), pays, 0)
        for i in range(begin, end):
            store(pays, i * LANES, load(pays, i * LANES) * fold)
    clear_rest(pays, 0, count)


@compiled(allocates=False, entry=False)
def _sum_shown(sums, game, scratch, street, player, lane):
    """Fill ``pays`` where hands are shown: sums over the weaker, the equal and the stronger hands of the other."""
    boards = game.boards
    pays = scratch.pays
    stronger_sums = scratch.totals
    others_reach = scratch.others
    board = scratch.open_board[street]
    count = boards.counts[2 * board + player]
    others = boards.counts[2 * board + 1 - player]
    steps = _matrix_steps(game, street, player)
    at = sums.first[board]
    second = boards.width[2 * street + player] * LANES
    position = boards.first_position[2 * board + player]
    reached = 2 * (position - boards.first_position[2 * boards.first_board[street]])
    fold = load_like(pays, game.terminal.fold, lane)
    tie = load_like(pays, game.terminal.tie, lane)
    difference = load_like(pays, game.terminal.difference, lane)
    mean = load_like(pays, game.terminal.mean, lane)
    for begin in range(0, count, _TILE):
        end = min(begin + _TILE, count)
        for i in range(begin, end):
            store(pays, i * LANES, broadcast_like(pays, 0.0))
            store(pays, second + i * LANES, broadcast_like(pays, 0.0))
            store(stronger_sums, i * LANES, broadcast_like(pays, 0.0))
        # Those that are weaker than all hands of the tile, and stronger than all.
        below = integer_at(sums.reached, reached + 2 * begin)
        above = integer_at(sums.reached, reached + 2 * (end - 1) + 1)
        _add_pairs(sums, at, steps, others_reach, (0, below), (begin, end), pays, second)
        for i in range(begin, end):
            weaker = integer_at(sums.reached, reached + 2 * i)
            up_to = integer_at(sums.reached, reached + 2 * i + 1)
            _add_pairs(sums, at, steps, others_reach, (below, weaker), (i, i + 1), pays, second)
            _add_pairs(sums, at, steps, others_reach, (weaker, up_to), (i, i + 1), pays, 0)
            _add_pairs(sums, at, steps, others_reach, (up_to, above), (i, i + 1), stronger_sums, 0)
        _add_pairs(sums, at, steps, others_reach, (above, others), (begin, end), stronger_sums, 0)
        for i in range(begin, end):
            weaker_reach = load(pays, second + i * LANES)
            stronger_reach = load(stronger_sums, i * LANES)
            unequal = weaker_reach + stronger_reach
            remaining = load(pays, i * LANES) + unequal
            store(pays, i * LANES, remaining * fold)
            shown = remaining * tie + (weaker_reach - stronger_reach) * difference
            if game.terminal.raked:
                shown = shown + unequal * mean
            store(pays, second + i * LANES, shown)
    clear_rest(pays, 0, count)
    clear_rest(pays, second, count)
