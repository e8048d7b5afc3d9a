"""What the ends of a betting tree of three pay: payments to one player on a board, one after the other.

A payment is a number of chips that a player receives if the others hold what they may hold: all of
it (``SURE``), a share of a pot with one of the others (``TWO``), or a share of a pot with both
(``THREE``). With the weights w of the weaker hands and t of the equal ones of each of the others,

    share of two    = w + t/2
    share of three  = (w + t/2) (w′ + t′/2) + t t′/12

where each product is a sum over disjoint hands (:mod:`.disjoint`). So one pass in the order of
strength pays all hands, with half of the weights of equal hands added before and half after, and a
small pass over each group of equal hands for the last term.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, inline_ir, record
from ..._jit.simd import zeros
from ..._jit.thread_team import ThreadTeam, finish_item, next_item
from ..._util.arrays import Floats, Ints
from ..compiled_game import WalkerPool
from .disjoint import (
    PairSums,
    X,
    Y,
    add_hand,
    clear_sums,
    disjoint_sum,
    make_pair_sums,
    remove_hand,
)

SURE, TWO, THREE, AGAIN = range(4)
"""Kinds of payments; the last is one of the same sum as the payment before it."""

NOWHERE = -1
"""The row of a player who has decided nothing."""

_LEAST_TIED = 3  # hands of three players that are equal and share no card


@record
class RangeBoards(NamedTuple):
    """The boards of a game, and which hands there are on each; hands of the last street by strength.

    Attributes
    ----------
    width : int
        Number of cards that a hand may have, in whole lanes.
    first_hand : int64 array, shape (boards + 1,)
        Where the hands of each board begin.
    cards : int64 array, shape (hands, 2)
        Their cards, numbered among those that are not on the board.
    group_end : int64 array, shape (hands,)
        Where the hands that are as strong as this one end.
    place : int32 array, shape (players, streets, hands)
        The number of the hand, or of the one that stands for it, among those of a player on the board
        of each street up to this one; -1 where the player cannot have it.
    weight : float64 array, shape (players, hands)
        Weight in the range of each player.
    paid_weight : float64 array, shape (players, hands)
        The weight of all hands that are alike at the first one of them, and 0 at the others.
    coefficient : float64 array, shape (boards, terms)
        Of the weight of three hands beside hands that were folded before, the number before each
        product (:mod:`.folded_terms`); no terms where nobody folded.
    factor : float64 array, shape (terms, hands)
        What each hand gives to each product.
    """

    width: int
    first_hand: Ints
    cards: Ints
    group_end: Ints
    place: NDArray[np.int32]
    weight: Floats
    paid_weight: Floats
    coefficient: Floats
    factor: Floats


@record
class Payments(NamedTuple):
    """All payments to each player, in groups that threads share: those to the slots of one decision.

    A row of slots is that of an action of a player, by hands; of those who have decided nothing it
    is -1.

    Attributes
    ----------
    first_group : int64 array, shape (players + 1,)
        Where the groups of each player begin.
    first : int64 array, shape (groups + 1,)
        Where the payments of each group begin.
    kind : int64 array, shape (payments,)
        SURE, TWO, THREE, or AGAIN.
    board : int64 array, shape (payments,)
    amount : float64 array, shape (payments,)
        Chips × the probability of the board ÷ the weight of all deals.
    row, street : int64 array, shape (3, payments)
        The row of slots of the player who is paid, of the first other and of the second one, and
        the street of each. The first other is who shares the pot of two.
    player : int64 array, shape (3, payments)
        Those players.
    """

    first_group: Ints
    first: Ints
    kind: Ints
    board: Ints
    amount: Floats
    row: Ints
    street: Ints
    player: Ints


@record
class RangeScratch(NamedTuple):
    """Room of a thread.

    Attributes
    ----------
    x, y : float64 array, shape (hands of a board,)
        Weight × reach of the hands of the others.
    result : float64 array, shape (hands of a board,)
        The sum for each hand that may be held.
    total : float64 array, shape (hands of a board,)
        The sum of these over the terms of folded hands.
    sums, tied : PairSums
        Of all hands so far, and of equal hands.
    """

    x: Floats
    y: Floats
    result: Floats
    total: Floats
    sums: PairSums
    tied: PairSums


def make_scratch(boards: RangeBoards) -> RangeScratch:
    """Return the room of one thread."""
    most = int(np.diff(boards.first_hand).max(initial=0))
    width = boards.width
    return RangeScratch(
        zeros(most),
        zeros(most),
        zeros(most),
        zeros(most),
        make_pair_sums(width),
        make_pair_sums(width),
    )


@inline_ir
def _read_range(boards, first, count, player, street, row, reach, weights):
    """Fill in the weight × reach of the hands of a player on a board; return their sum."""
    total = 0.0
    for hand in range(count):
        weight = 0.0
        place = boards.place[player, street, first + hand]
        if place >= 0:
            weight = boards.weight[player, first + hand]
            if row >= 0:
                weight *= float(reach[row + place])
        weights[hand] = weight
        total += weight
    return total


@inline_ir
def _read_opponent(boards, payments, other, number, first, count, reach, weights):
    """Fill in the weight × reach of the hands of an opponent, 1 or 2, for a payment; return their sum."""
    player = payments.player[other, number]
    street = payments.street[other, number]
    row = payments.row[other, number]
    return _read_range(boards, first, count, player, street, row, reach, weights)


@inline_ir
def _scale_range(boards, term, first, count, weights):
    """Multiply the weights of hands on a board by what they give to a term, in place; return their sum."""
    total = 0.0
    for hand in range(count):
        weights[hand] *= boards.factor[term, first + hand]
        total += weights[hand]
    return total


@inline_ir
def _add_term(boards, term, first, count, scratch, coefficient):
    """Add the sum for each hand, times what the hand gives to a term, to the total over the terms."""
    for hand in range(count):
        share = coefficient * boards.factor[term, first + hand]
        scratch.total[hand] += share * scratch.result[hand]


@inline_ir
def _sum_all(boards, first, count, scratch, player):
    """Fill in D(x, y | i) for the hands i of a player on a board, of those that are alike the first one."""
    sums = scratch.sums
    width = boards.width
    clear_sums(sums, width)
    for hand in range(count):
        x = scratch.x[hand]
        y = scratch.y[hand]
        if x != 0.0 or y != 0.0:
            cards = boards.cards[first + hand]
            add_hand(sums, width, cards[0], cards[1], x, y, x * y)
    for hand in range(count):
        if boards.paid_weight[player, first + hand] > 0.0:
            cards = boards.cards[first + hand]
            scratch.result[hand] = disjoint_sum(sums, width, cards[0], cards[1])


@inline_ir
def _sum_two(boards, first, count, scratch, player):
    """Fill in D(w + t/2, y | i): the share of a pot with the first other, whatever the second one holds."""
    sums = scratch.sums
    width = boards.width
    clear_sums(sums, width)
    for hand in range(count):
        y = scratch.y[hand]
        if y != 0.0:
            cards = boards.cards[first + hand]
            add_hand(sums, width, cards[0], cards[1], 0.0, y, 0.0)
    begin = 0
    while begin < count:
        end = boards.group_end[first + begin] - first
        for step in range(2):
            for hand in range(begin, end):
                half = 0.5 * scratch.x[hand]
                if half != 0.0:
                    cards = boards.cards[first + hand]
                    add_hand(sums, width, cards[0], cards[1], half, 0.0, half * scratch.y[hand])
            if step == 0:
                for hand in range(begin, end):
                    if boards.paid_weight[player, first + hand] > 0.0:
                        cards = boards.cards[first + hand]
                        scratch.result[hand] = disjoint_sum(sums, width, cards[0], cards[1])
        begin = end


@inline_ir
def _sum_three(boards, first, count, scratch, player):
    """Fill in D(w + t/2, w′ + t′/2 | i) + D(t, t′ | i) / 12: the share of a pot with both others."""
    sums = scratch.sums
    tied = scratch.tied
    width = boards.width
    clear_sums(sums, width)
    clear_sums(tied, width)
    begin = 0
    while begin < count:
        end = boards.group_end[first + begin] - first
        for step in range(2):
            for hand in range(begin, end):
                x = scratch.x[hand]
                y = scratch.y[hand]
                if x != 0.0 or y != 0.0:
                    cards = boards.cards[first + hand]
                    # (x/2)(y/2) at first, and x y in the end.
                    product = (0.25 + 0.5 * step) * x * y
                    add_hand(sums, width, cards[0], cards[1], 0.5 * x, 0.5 * y, product)
            if step == 0:
                for hand in range(begin, end):
                    if boards.paid_weight[player, first + hand] > 0.0:
                        cards = boards.cards[first + hand]
                        scratch.result[hand] = disjoint_sum(sums, width, cards[0], cards[1])
        if end - begin >= _LEAST_TIED:
            _add_tied(boards, first, begin, end, scratch, player)
        begin = end


@inline_ir
def _add_tied(boards, first, begin, end, scratch, player):
    """Add D(t, t′ | i) / 12 for hands that are equal; the sums of equal hands are 0 before and after."""
    tied = scratch.tied
    width = boards.width
    for hand in range(begin, end):
        x = scratch.x[hand]
        y = scratch.y[hand]
        if x != 0.0 or y != 0.0:
            cards = boards.cards[first + hand]
            add_hand(tied, width, cards[0], cards[1], x, y, x * y)
    if tied.total[X] != 0.0 and tied.total[Y] != 0.0:
        for hand in range(begin, end):
            if boards.paid_weight[player, first + hand] > 0.0:
                cards = boards.cards[first + hand]
                share = disjoint_sum(tied, width, cards[0], cards[1]) / 12.0
                scratch.result[hand] += share
    for hand in range(begin, end):
        cards = boards.cards[first + hand]
        remove_hand(tied, width, cards[0], cards[1])
    for number in range(3):
        tied.total[number] = 0.0


@inline_ir
def _sum_pairs(boards, kind, first, count, scratch, player):
    """Fill in the sum over pairs of opponents' hands for each hand of a player, by the kind of a payment."""
    if kind == SURE:
        _sum_all(boards, first, count, scratch, player)
    elif kind == TWO:
        _sum_two(boards, first, count, scratch, player)
    else:
        _sum_three(boards, first, count, scratch, player)


@compiled(allocates=False, nogil=True)
def pay_player(boards, payments, player, empty_slot, reach, cf_value, scratch, team):
    """Add all payments to a player to the terminal counterfactual values of their slots, in place.

    ``reach`` and ``cf_value`` have a number a slot; ``empty_slot`` is that of the player's empty
    sequence. A thread takes the groups of payments one by one; each slot is written by one thread,
    in one order.
    """
    num_terms = boards.coefficient.shape[1]
    sums = scratch.result
    if num_terms > 0:
        sums = scratch.total
    item = next_item(team)
    while item >= 0:
        group = payments.first_group[player] + item
        is_zero = True
        for number in range(payments.first[group], payments.first[group + 1]):
            board = payments.board[number]
            kind = payments.kind[number]
            first = boards.first_hand[board]
            count = boards.first_hand[board + 1] - first
            row = payments.row[0, number]
            street = payments.street[0, number]
            if kind != AGAIN:
                is_zero = True
                for hand in range(count):
                    scratch.total[hand] = 0.0
                for term in range(max(1, num_terms)):
                    if num_terms > 0 and boards.coefficient[board, term] == 0.0:
                        continue
                    total_x = _read_opponent(
                        boards, payments, 1, number, first, count, reach, scratch.x
                    )
                    total_y = _read_opponent(
                        boards, payments, 2, number, first, count, reach, scratch.y
                    )
                    if num_terms > 0:
                        total_x = _scale_range(boards, term, first, count, scratch.x)
                        total_y = _scale_range(boards, term, first, count, scratch.y)
                    if total_x == 0.0 or total_y == 0.0:
                        continue
                    is_zero = False
                    _sum_pairs(boards, kind, first, count, scratch, player)
                    if num_terms > 0:
                        coefficient = boards.coefficient[board, term]
                        _add_term(boards, term, first, count, scratch, coefficient)
            if is_zero:
                continue
            amount = payments.amount[number]
            if row >= 0:
                for hand in range(count):
                    weight = boards.paid_weight[player, first + hand]
                    if weight > 0.0:
                        place = boards.place[player, street, first + hand]
                        cf_value[row + place] += amount * weight * sums[hand]
            else:
                total = 0.0
                for hand in range(count):
                    weight = boards.paid_weight[player, first + hand]
                    if weight > 0.0:
                        total += weight * sums[hand]
                cf_value[empty_slot] += amount * total
        finish_item(team)
        item = next_item(team)


class RangeValues:
    """What is added to the values of slots: all payments.

    Parameters
    ----------
    boards : RangeBoards
    payments : Payments
    empty_slots : sequence of int
        The slot of the empty sequence of each player.
    """

    def __init__(
        self, boards: RangeBoards, payments: Payments, empty_slots: tuple[int, ...]
    ) -> None:
        self.boards = boards
        self.payments = payments
        self.empty_slots = empty_slots
        self._walkers = WalkerPool(self._make)

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in ("boards", "payments", "empty_slots")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __call__(
        self, player: int, reach: NDArray[Any], cf_value: NDArray[Any], threads: int = 1
    ) -> None:
        """Add the values of the hands of a player to those of their slots, in place."""
        with self._walkers.acquire(threads=threads) as (teams, scratch):
            members = teams[player].members
            teams[player].run(
                lambda k: pay_player(
                    self.boards,
                    self.payments,
                    player,
                    self.empty_slots[player],
                    reach,
                    cf_value,
                    scratch[k],
                    members[k],
                )
            )

    def with_threads(self, threads: int) -> Callable[..., None]:
        """Return the same function, which works with so many threads; the result has the same bits."""
        return lambda player, reach, cf_value: self(player, reach, cf_value, threads)

    def _make(self, *, threads: int) -> tuple[list[ThreadTeam], list[RangeScratch]]:
        """Return a team of threads for each player, and the room of each thread."""
        groups = np.diff(self.payments.first_group).tolist()
        teams = [ThreadTeam(threads, number) for number in groups]
        return teams, [make_scratch(self.boards) for _ in range(threads)]
