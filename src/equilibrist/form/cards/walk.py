"""Walks of the boards of a card game: what they know of the street they are on, and the helpers that they share.

A walk goes from board to board, depth first. On each it carries the reach of both players down the
betting of the street, asks what the plays that end there pay, walks the boards that follow, and
brings the values of one player's hands back up. The walks themselves: best responses in
:mod:`.passes`, the update of CFR in
:mod:`equilibrist.cfr.card_kernels`.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..._jit.compile import by_type, inline_ir, record
from ..._jit.simd import (
    LANES,
    broadcast_like,
    gather,
    integer_at,
    load,
    load_like,
    maximum,
    prefetch,
    reciprocal,
    scatter_add,
    store,
    where_positive,
    zeros,
)
from ..._jit.thread_team import TeamMember, barrier, finish_item, finished_last, has_item, next_item
from ..._util.arrays import Floats, Ints
from .betting import Betting
from .boards import Boards
from .terminal.payoffs import TerminalPayoffs

record(Betting)


@record
class CardArrays(NamedTuple):
    """The arrays of a card form that walks read.

    Attributes
    ----------
    betting : Betting
    boards : Boards
    terminal : TerminalPayoffs
    first_slot : int array, shape (2 · streets + 1,)
        Where the slots of a street and player begin, by ``q = 2 · street + player``:
        ``[board][row][position]``, of the rows of actions.
    weights : float array, shape (positions of the first board,)
        Of the hands of player 0, then of player 1: the probability of a pair is the weight of one
        times the own weight of the other, where the hands share no card.
    own_weights : float array
        The same shape: own weights.
    first_weight : int array, shape (3,)
    """

    betting: Betting
    boards: Boards
    terminal: TerminalPayoffs
    first_slot: Ints
    weights: Floats
    own_weights: Floats
    first_weight: Ints

    def with_remainders(self) -> CardArrays:
        """Return the same for walks whose values are divided by the reach of the hands that can be met."""
        boards = self.boards._replace(sums=self.boards.sums._replace(add_remainders=True))
        return self._replace(boards=boards)


@record
class CardScratch(NamedTuple):
    """What a walk knows of the board it is on, street by street; rows of a street and player are ``width`` long.

    Attributes
    ----------
    reach : array
        Flat, of each row, as in the three that follow: own reach.
    value : array
        Counterfactual value.
    best_value : array
        The same with the best response below.
    sigma : array
        The probability of the row's last action.
    others : array, shape (positions × 8,), flat
        The reach of the other player's hands in eight lanes.
    totals : array, shape (positions × 8,), flat
        The reach of the other's hands, added up in the order of their strength.
    card_sums : array, shape (sums × 8,), flat
        The same of the hands that hold a card, card by card, each from 0; of player 0, then of
        player 1. Of hands of three or four cards: of the hands that hold a set of cards, set by
        set.
    pays : array, shape (2 × positions × 8,), flat
        For own hands, in eight lanes: what they are paid where somebody folded, and at the
        showdown.
    sums : array, shape ((cards + 2) × 8,), flat
        The reach of all hands that hold a card.
    steps : int array, shape (8,)
        0, 8, 16, …
    next_child : int array, shape (streets,)
        The board that is walked next below the open board of a street.
    open_board : int array, shape (streets,)
    """

    reach: NDArray[Any]
    value: NDArray[Any]
    best_value: NDArray[Any]
    sigma: NDArray[Any]
    others: NDArray[Any]
    totals: NDArray[Any]
    card_sums: NDArray[Any]
    pays: NDArray[Any]
    sums: NDArray[Any]
    steps: Ints
    next_child: Ints
    open_board: Ints


def make_scratch(arrays: CardArrays, precision: DTypeLike = np.float64) -> CardScratch:
    """Return scratch for walks of a game whose arithmetic is of this precision, float64 or float32."""
    boards = arrays.boards
    total = int(arrays.terminal.first_row[-1])
    widest = int(boards.width.max())
    streets = len(arrays.betting.lines)
    return CardScratch(
        reach=zeros(total, precision),
        value=zeros(total, precision),
        best_value=zeros(total, precision),
        sigma=zeros(total, precision),
        others=zeros(widest * LANES, precision),
        totals=zeros((widest + 1) * LANES, precision),
        card_sums=zeros(boards.sums.size * LANES, boards.sums.precision or precision),
        pays=zeros(2 * widest * LANES, precision),
        sums=zeros((boards.deck + 2) * LANES, precision),
        steps=np.arange(0, LANES * LANES, LANES),
        next_child=np.zeros(streets, np.int64),
        open_board=np.zeros(streets, np.int64),
    )


@inline_ir
def whole_lanes(count):
    """Return a count in whole lanes."""
    return (count + LANES - 1) // LANES * LANES


@record
class Span(NamedTuple):
    """The part of the boards that a call walks.

    Attributes
    ----------
    first : int
        The first of the boards of the second street; all that follow on each belong to it.
    last : int
        One more than the number of the last one.
    part : int
        :data:`WHOLE`: the first board as well. :data:`BELOW`: they alone, the values of their lines
        are stored. :data:`ABOVE`: the first board alone, the values of the others were stored.
        :data:`SHARED`: :data:`BELOW`, and then :data:`ABOVE`.
    team : TeamMember
        The threads that walk :data:`BELOW` together: a round is a walk, a part a board of the
        second street.
    values : array, shape (boards, lines × width), flat
        The values of the lines of each board of the second street, of one player.
    best_values : array
        The same with the best response below.
    """

    first: int
    last: int
    part: int
    team: TeamMember
    values: NDArray[Any]
    best_values: NDArray[Any]


WHOLE = 0
ABOVE = 1
BELOW = 2
SHARED = 3
NOT_ENTERED = -1
NOBODY = -1  # among the players


@inline_ir
def begin_walk(scratch, span):
    """Open the first board; return its street, or -1 where there is nothing to do for this thread."""
    scratch.open_board[0] = 0
    scratch.next_child[0] = NOT_ENTERED
    if span.part >= BELOW and not has_item(span.team):
        return -1
    return 0


@inline_ir
def end_board(span, street):
    """Tell the other threads that what follows on a board of the second street is done."""
    if street == 1 and span.part >= BELOW:
        finish_item(span.team)


@inline_ir
def end_walk(span):
    """Wait until the other threads have done their parts of the walk."""
    if span.part >= BELOW:
        barrier(span.team)


@inline_ir
def leaves_board(span, street):
    """Return whether this thread leaves the open board of a street: the first board not below, and by one alone."""
    return street > 0 or span.part < BELOW or (span.part == SHARED and finished_last(span.team))


@inline_ir
def next_board(game, scratch, span, street):
    """Open the next board below that of a street; return its street, or the same where no other is left."""
    last = game.boards.first_child[scratch.open_board[street] + 1]
    if street == 0:
        last = span.last if span.part != ABOVE else 0
        if span.part >= BELOW:
            part = next_item(span.team)
            if part >= 0:
                scratch.next_child[0] = span.first + part
            else:
                scratch.next_child[0] = last
    board = scratch.next_child[street]
    if board >= last:
        return street
    scratch.next_child[street] = board + 1
    scratch.open_board[street + 1] = board
    scratch.next_child[street + 1] = NOT_ENTERED
    return street + 1


@inline_ir
def propagate_reach(game, scratch, span, street, player):
    """Fill the reach of the lines to the open board: the player's by own probabilities, of others with chance.

    ``player`` may be :data:`NOBODY`.
    """
    boards = game.boards
    board = scratch.open_board[street]
    if street > 0:
        scratch.next_child[street] = boards.first_child[board]
    else:
        scratch.next_child[street] = span.first
    for owner in range(2):
        q = 2 * street + owner
        count = boards.counts[2 * board + owner]
        width = boards.width[q]
        row = game.terminal.first_row[q]
        if street == 0:
            for i in range(count):
                if owner == player:
                    scratch.reach[row + i] = 1.0
                else:
                    scratch.reach[row + i] = game.weights[game.first_weight[owner] + i]
        else:
            if owner == player:
                factor = 1.0
            else:
                factor = float(boards.chance[street])
            first_map = boards.first_map[2 * boards.first_copy[board] + owner]
            leaf = game.betting.first_leaf[street - 1]
            above = game.terminal.first_row[q - 2]
            for line in range(game.betting.lines[street]):
                source = (
                    above + game.betting.leaf_row[2 * (leaf + line) + owner] * boards.width[q - 2]
                )
                # Beyond the hands, the map leads to where nobody is.
                for i in range(0, width, LANES):
                    reach_above = gather(scratch.reach, boards.map, first_map + i, source)
                    store(scratch.reach, row + i, reach_above * factor)
                row += width


@inline_ir
def first_slot_of(game, street, board, player):
    """Return where the numbers of a board and player stand: the infoset map, which nobody else computes.

    The slot of row r and position i is this + r · width + i: each hand of each board has infosets
    of its own. Rows of lines have no slots, so that those of actions begin after them. Hands that
    share infosets, as buckets of hands do, have another map from board and position to slots:
    there, what reads and writes eight positions at a time gathers.
    """
    q = 2 * street + player
    lines = game.betting.lines[street]
    rows = game.betting.rows[q]
    local = board - game.boards.first_board[street]
    return game.first_slot[q] + (local * (rows - lines) - lines) * game.boards.width[q]


@record
class Shares(NamedTuple):
    """The rule that a node plays the shares of its weights."""

    rounding: float  # totals up to which it plays uniformly


mixed = by_type("mixed", lambda rule, share, actions, like, slot: share)
"""The probability of an action that has this share of the weights, by the rule of who plays."""


@inline_ir
def play(game, scratch, street, player, table, rule, like, keep):
    """Fill the reach of a player's rows on the open board, from weights of which each node plays its shares.

    Weights below 0 count as 0; where their total is at most ``rule.rounding`` the node plays
    uniformly. Shares are divided in the precision of the array ``like``, and with ``keep`` kept in
    ``sigma``.
    """
    betting = game.betting
    q = 2 * street + player
    board = scratch.open_board[street]
    width = game.boards.width[q]
    count = whole_lanes(game.boards.counts[2 * board + player])
    begin = game.terminal.first_row[q]
    base = first_slot_of(game, street, board, player)
    for n in range(betting.first_node[q], betting.first_node[q + 1]):
        node = betting.nodes[n]
        actions = node.actions
        slot = base + node.first * width
        row = begin + node.first * width
        parent = begin + node.parent * width
        uniform = broadcast_like(scratch.reach, 1.0 / actions)
        for i in range(0, count, LANES):
            total = broadcast_like(scratch.reach, 0.0)
            for action in range(actions):
                prefetch(table, slot + (actions + action) * width + i)
                weight = maximum(load_like(scratch.reach, table, slot + action * width + i), 0.0)
                total = total + weight
                store(scratch.reach, row + action * width + i, weight)
            inverse = reciprocal(total, like)
            reach = load(scratch.reach, parent + i)
            for action in range(actions):
                at = row + action * width + i
                share = where_positive(
                    total - rule.rounding, load(scratch.reach, at) * inverse, uniform
                )
                share = mixed(rule, share, actions, scratch.reach, slot + action * width + i)
                if keep:
                    store(scratch.sigma, at, share)
                store(scratch.reach, at, share * reach)


@inline_ir
def clear_values(game, table, street, player):
    """Set a table of a street's rows to 0."""
    q = 2 * street + player
    for i in range(game.terminal.first_row[q], game.terminal.first_row[q + 1], LANES):
        store(table, i, broadcast_like(table, 0.0))


@inline_ir
def _back_up_copies(game, scratch, source, begin, target, street, player):
    """Add the values of the lines of the open board of a street to the rows of the board before, for each copy."""
    boards = game.boards
    betting = game.betting
    board = scratch.open_board[street]
    q = 2 * street + player
    count = boards.counts[2 * board + player]
    width = boards.width[q]
    above = boards.width[q - 2]
    leaf = betting.first_leaf[street - 1]
    for copy in range(boards.first_copy[board], boards.first_copy[board + 1]):
        first_map = boards.first_map[2 * copy + player]
        for line in range(betting.lines[street]):
            row = begin + line * width
            to = (
                game.terminal.first_row[q - 2]
                + betting.leaf_row[2 * (leaf + line) + player] * above
            )
            for i in range(0, count, LANES):
                scatter_add(target, boards.map, first_map + i, to, load(source, row + i))


@inline_ir
def back_up(game, scratch, span, table, stored, street, player):
    """Give the values of the lines of a board that is left to the board before, or store them for it."""
    begin = game.terminal.first_row[2 * street + player]
    if street == 1 and span.part >= BELOW:
        at, length = _stored_lines(game, scratch.open_board[1], player)
        for i in range(0, length, LANES):
            store(stored, at + i, load(table, begin + i))
    elif street > 0:
        _back_up_copies(game, scratch, table, begin, table, street, player)


@inline_ir
def gather_children(game, scratch, span, table, stored, player):
    """Add to the rows of the first board what was stored of the boards below it."""
    if span.part in (ABOVE, SHARED):
        for board in range(span.first, span.last):
            scratch.open_board[1] = board
            at, _ = _stored_lines(game, board, player)
            _back_up_copies(game, scratch, stored, at, table, 1, player)


@inline_ir
def make_symmetric(game, scratch, table, begin, rows, street, player):
    """Give hands on the open board that are the same but for suits the same numbers, those of the first of them, in
    some rows of a table.

    Theirs differ by rounding alone; but what follows is walked as one, which is exact where they
    play alike.
    """
    boards = game.boards
    board = scratch.open_board[street]
    if street + 1 < len(game.betting.lines) and boards.symmetric[board]:
        q = 2 * street + player
        at = boards.first_position[2 * board + player]
        for row in range(rows):
            first = begin + row * boards.width[q]
            for i in range(boards.counts[2 * board + player]):
                table[first + i] = table[first + integer_at(boards.alike, at + i)]


@inline_ir
def _stored_lines(game, board, player):
    """Return where the values of the lines of a board of the second street are stored, and how many they are."""
    length = game.betting.lines[1] * game.boards.width[2 + player]
    return (board - 1) * length, length
