"""Sums of reach that lose no digits where little remains, for whatever is divided by the reach of the others.

What the other may hold against a hand is a total less what the cards of the hand make impossible (:mod:`.values`,
:mod:`.four_cards`). Where nearly all of the other's reach is of impossible hands, that difference is mostly rounding:
of a total of 1 and a remainder of 1e-20 nothing is left. Values that are weighted by the remainder do not care. Those
that are divided by it do: quantal responses, gains off the path, values of actions. These records look at each hand's
share of the total, and add up what remains directly, hand by hand, where the share is below :data:`LEAST_SHARE`.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from ...._jit.compile import compiled, record
from ...._jit.simd import LANES, broadcast_like, integer_at, largest, load, load_like, store
from ...._util.arrays import Ints
from .four_cards import PLACES, SetSums, hands_of, possible_reach
from .four_cards import fill_folded_pays as fill_folded_by_sets
from .four_cards import fill_shown_pays as fill_shown_by_sets
from .values import CardSums, add_hand, fill_folded_pays, fill_shown_pays, first_hand_of, without_cards

LEAST_SHARE = 1e-4
"""Of the total: a smaller remainder is added up directly. A larger one has eleven digits or more in float64."""


@record
class ConditionedCardSums(NamedTuple):
    """As :class:`~.values.CardSums`, for hands of one or two cards; fields as there."""

    size: int
    added: NDArray[Any]
    asked: NDArray[Any]

    @property
    def precision(self) -> None:
        """The precision of the sums: that of the walk."""
        return None

    @property
    def of_sets(self) -> bool:
        """Whether sets of cards have sums, for hands of more than two."""
        return False

    def fill_shown(self, game, scratch, street, player, lane):
        """Fill ``pays`` where hands are shown, and where somebody folded after the same reach of the other."""
        fill_shown_pays(game, scratch, street, player, lane)
        _add_up_shown(game, scratch, street, player, lane)

    def fill_folded(self, game, scratch, street, player, lane):
        """Fill ``pays`` where nobody shows."""
        fill_folded_pays(game, scratch, street, player, lane)
        _add_up_folded(game, scratch, street, player, lane)


@record
class ConditionedSetSums(NamedTuple):
    """As :class:`~.four_cards.SetSums`, for hands of three or four cards; fields as there."""

    size: int
    pair: Ints
    triple: Ints
    reached: NDArray[Any]

    @property
    def precision(self) -> str:
        """The precision of the sums."""
        return "float64"

    @property
    def of_sets(self) -> bool:
        """Whether sets of cards have sums, for hands of more than two."""
        return True

    def fill_shown(self, game, scratch, street, player, lane):
        """Fill ``pays`` where hands are shown, and where somebody folded after the same reach of the other."""
        fill_shown_by_sets(self, game, scratch, street, player, lane)
        _add_up_shown_by_sets(self, game, scratch, street, player, lane)

    def fill_folded(self, game, scratch, street, player, lane):
        """Fill ``pays`` where nobody shows."""
        fill_folded_by_sets(self, game, scratch, street, player, lane)
        _add_up_folded_by_sets(self, game, scratch, street, player, lane)


def conditioned_sums(sums: CardSums | SetSums | ConditionedCardSums | ConditionedSetSums) -> Any:
    """Return the same sums as a record that adds up directly where little remains."""
    return ConditionedSetSums(*sums) if sums.of_sets else ConditionedCardSums(*sums)


@compiled(allocates=False, nogil=True)
def _add_up_folded(game, scratch, street, player, lane):
    """Write ``pays`` anew for hands with a small remainder, after the sums of ``scratch.sums`` were filled."""
    boards = game.boards
    pays = scratch.pays
    board = scratch.open_board[street]
    count = boards.counts[2 * board + player]
    others = boards.counts[2 * board + 1 - player]
    at = boards.first_position[2 * board + player]
    fold = load_like(pays, game.terminal.fold, lane)
    total = _total(scratch, others)
    for i in range(count):
        same = load(scratch.others, integer_at(boards.same, at + i) * LANES)
        remainder = without_cards(game, scratch, first_hand_of(game, player), at, i, total) + same
        if largest(total * LEAST_SHARE - remainder) > 0.0:
            store(pays, i * LANES, _remaining(game, scratch, board, player, i, 0, others) * fold)


@compiled(allocates=False, nogil=True)
def _add_up_shown(game, scratch, street, player, lane):
    """Write both halves of ``pays`` anew for hands with a small remainder.

    The positions on the last street are in the order of strength: those of weaker hands come first, then those as
    strong. ``asked`` says where both end.
    """
    boards = game.boards
    pays = scratch.pays
    board = scratch.open_board[street]
    count = boards.counts[2 * board + player]
    others = boards.counts[2 * board + 1 - player]
    at = boards.first_position[2 * board + player]
    there = boards.first_position[2 * board + 1 - player]
    second = boards.width[2 * street + player] * LANES
    asked = 9 * (at - boards.first_position[2 * boards.first_board[street]])
    fold = load_like(pays, game.terminal.fold, lane)
    tie = load_like(pays, game.terminal.tie, lane)
    difference = load_like(pays, game.terminal.difference, lane)
    mean = load_like(pays, game.terminal.mean, lane)
    for place in range(0, boards.deck * LANES, LANES):
        store(scratch.sums, place, broadcast_like(pays, 0.0))
    total = broadcast_like(pays, 0.0)
    for j in range(others):
        total = total + add_hand(game, scratch, first_hand_of(game, 1 - player), there, j)
    for i in range(count):
        same = load(scratch.others, integer_at(boards.same, at + i) * LANES)
        remainder = without_cards(game, scratch, first_hand_of(game, player), at, i, total) + same
        if largest(total * LEAST_SHARE - remainder) > 0.0:
            weaker_end = integer_at(boards.sums.asked, asked + 9 * i) // LANES
            tied_end = integer_at(boards.sums.asked, asked + 9 * i + 3) // LANES
            weaker = _remaining(game, scratch, board, player, i, 0, weaker_end)
            tied = _remaining(game, scratch, board, player, i, weaker_end, tied_end)
            stronger = _remaining(game, scratch, board, player, i, tied_end, others)
            possible = weaker + tied + stronger
            shown = possible * tie + (weaker - stronger) * difference
            if game.terminal.raked:
                shown = shown + (weaker + stronger) * mean
            store(pays, i * LANES, possible * fold)
            store(pays, second + i * LANES, shown)


@compiled(allocates=False, nogil=True)
def _total(scratch, others):
    """Return the reach of all hands of the other."""
    total = broadcast_like(scratch.others, 0.0)
    for j in range(others):
        total = total + load(scratch.others, j * LANES)
    return total


@compiled(allocates=False, nogil=True)
def _remaining(game, scratch, board, player, i, begin, end):
    """Return the reach of the other's hands at the positions ``begin … end - 1`` that share no card with hand ``i``."""
    boards = game.boards
    hand = first_hand_of(game, player) + 4 * integer_at(boards.hand, boards.first_position[2 * board + player] + i)
    there = boards.first_position[2 * board + 1 - player]
    first_card = integer_at(boards.cards, hand + 2)
    second_card = integer_at(boards.cards, hand + 3)
    total = broadcast_like(scratch.others, 0.0)
    for j in range(begin, end):
        cards = first_hand_of(game, 1 - player) + 4 * integer_at(boards.hand, there + j)
        low = integer_at(boards.cards, cards)
        high = integer_at(boards.cards, cards + 1)
        if first_card not in (low, high) and second_card not in (low, high):
            total = total + load(scratch.others, j * LANES)
    return total


@compiled(allocates=False, nogil=True)
def _add_up_folded_by_sets(sums, game, scratch, street, player, lane):
    """As :func:`_add_up_folded`, after the sums of all sets were filled."""
    boards = game.boards
    pays = scratch.pays
    table = scratch.card_sums
    board = scratch.open_board[street]
    others = boards.counts[2 * board + 1 - player]
    hands = hands_of(game, scratch, street, player)
    fold = load_like(table, game.terminal.fold, lane)
    total = load(table, 0)
    for i in range(boards.counts[2 * board + player]):
        same = load_like(table, scratch.others, integer_at(boards.same, hands[1] + i) * LANES)
        remainder = possible_reach(sums, game, scratch, hands, i) + same
        if largest(total * LEAST_SHARE - remainder) > 0.0:
            store(pays, i * LANES, _remaining_by_sets(game, scratch, street, player, i, 0, others) * fold)


@compiled(allocates=False, nogil=True)
def _add_up_shown_by_sets(sums, game, scratch, street, player, lane):
    """As :func:`_add_up_shown`, after the sums of all sets were filled."""
    boards = game.boards
    pays = scratch.pays
    table = scratch.card_sums
    board = scratch.open_board[street]
    others = boards.counts[2 * board + 1 - player]
    hands = hands_of(game, scratch, street, player)
    second = boards.width[2 * street + player] * LANES
    reached = 2 * (hands[1] - boards.first_position[2 * boards.first_board[street]])
    fold = load_like(table, game.terminal.fold, lane)
    tie = load_like(table, game.terminal.tie, lane)
    difference = load_like(table, game.terminal.difference, lane)
    mean = load_like(table, game.terminal.mean, lane)
    total = load(table, 0)
    for i in range(boards.counts[2 * board + player]):
        same = load_like(table, scratch.others, integer_at(boards.same, hands[1] + i) * LANES)
        remainder = possible_reach(sums, game, scratch, hands, i) + same
        if largest(total * LEAST_SHARE - remainder) > 0.0:
            weaker_end = integer_at(sums.reached, reached + 2 * i)
            tied_end = integer_at(sums.reached, reached + 2 * i + 1)
            weaker = _remaining_by_sets(game, scratch, street, player, i, 0, weaker_end)
            tied = _remaining_by_sets(game, scratch, street, player, i, weaker_end, tied_end)
            stronger = _remaining_by_sets(game, scratch, street, player, i, tied_end, others)
            possible = weaker + tied + stronger
            shown = possible * tie + (weaker - stronger) * difference
            if game.terminal.raked:
                shown = shown + (weaker + stronger) * mean
            store(pays, i * LANES, possible * fold)
            store(pays, second + i * LANES, shown)


@compiled(allocates=False, nogil=True)
def _remaining_by_sets(game, scratch, street, player, i, begin, end):
    """As :func:`_remaining`, for hands of three or four cards."""
    boards = game.boards
    table = scratch.card_sums
    hands = hands_of(game, scratch, street, player)
    theirs = hands_of(game, scratch, street, 1 - player)
    hand = hands[0] + PLACES * integer_at(boards.hand, hands[1] + i) + PLACES // 2
    total = broadcast_like(table, 0.0)
    for j in range(begin, end):
        other = theirs[0] + PLACES * integer_at(boards.hand, theirs[1] + j)
        shared = False
        for a in range(PLACES // 2):
            card = integer_at(boards.cards, other + a)
            for b in range(PLACES // 2):
                shared = shared or card == integer_at(boards.cards, hand + b)
        if not shared:
            total = total + load_like(table, scratch.others, j * LANES)
    return total
