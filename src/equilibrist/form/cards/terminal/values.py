"""What the plays pay that end on a board: counterfactual values of a player's hands, in lanes of eight plays.

Hands exclude each other by the cards that they share. What the other may hold against the two cards
of a hand is found by inclusion and exclusion: all, less those that hold the one card, less those
that hold the other, and the hand of both cards, which was taken off twice. Against three or four
cards there are more such sums: :mod:`.four_cards`. Where little remains, and somebody divides by
it, it is added up anew: :mod:`.remainders`.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from ...._jit.compile import by_type, compiled, inline_ir, record
from ...._jit.simd import (
    LANES,
    broadcast_like,
    integer_at,
    load,
    load_like,
    store,
    transpose,
    transpose_add,
)
from .blockers import FEW_CARDS_HELD
from .by_hands import values_by_hands
from .remainders import add_remainder, is_little

# By the type of the sums: fill ``pays`` for a group of lanes, with showdowns or without.
fill_shown = by_type("fill_shown")
fill_folded = by_type("fill_folded")
# Add up anew what remains against hands that block nearly all; after that hands of the same cards
# were told apart.
mend_remainders = by_type("mend_remainders")


@record
class CardSums(NamedTuple):
    """Sums of the reach of all hands that hold a card, for hands of one or two cards.

    On the last street hands are added up in the order of their strength, in total and for each
    card. A card has as many *sums* as hands of a player hold it, and a 0 before them: so many are
    there of both players, with two more cards, one that nobody holds and one that nobody asks for.

    Attributes
    ----------
    size : int
    added : array of unsigned integers, shape (2 · positions of the last street,), flat
        For each hand on the last street, where the sum of each of its cards begins that it
        completes, in eight lanes.
    asked : array of unsigned integers, shape (9 · positions of the last street,), flat
        For each hand on the last street, of the other player's hands: where the total of those that
        are weaker begins, and the sums of the own two cards over them; the same for the hands that
        are not stronger, and for all.
    add_remainders : bool
        Whether what remains is added up where it is little: :mod:`.remainders`.
    """

    size: int
    added: NDArray[Any]
    asked: NDArray[Any]
    add_remainders: bool = False

    @property
    def precision(self) -> None:
        """The precision of the sums: that of the walk."""
        return None

    def fill_shown(self, game, scratch, street, player, lane):
        """Fill ``pays`` where hands are shown, and where somebody folded after the same reach of the other."""
        _sweep(game, scratch, street, player, lane)

    def fill_folded(self, game, scratch, street, player, lane):
        """Fill ``pays`` where nobody shows."""
        _sum_up(game, scratch, street, player, lane)

    def mend_remainders(self, game, scratch, street, player, lane, is_shown):
        """Fill ``pays`` anew for hands against which little of the whole remains."""
        if self.add_remainders:
            _mend(self, game, scratch, street, player, lane, is_shown)


@inline_ir
def terminal_values(game, scratch, street, player, target):
    """Add to the rows of a player on the open board what the plays that end there pay: values of each hand."""
    terminal = game.terminal
    board = scratch.open_board[street]
    pays = scratch.pays
    steps = scratch.steps
    q = 2 * street + player
    count = game.boards.counts[2 * board + player]
    others = game.boards.counts[2 * board + 1 - player]
    nobody = (game.boards.width[2 * street + 1 - player] - 1) * LANES
    second = game.boards.width[q] * LANES
    for lane in range(terminal.first_lane[q], terminal.first_lane[q + 1], LANES):
        for i in range(0, others, LANES):
            transpose(scratch.reach, terminal.others, lane, i, scratch.others, steps, 0, i * LANES)
        store(scratch.others, nobody, broadcast_like(pays, 0.0))
        if lane < terminal.first_lane[q] + terminal.num_shown[q]:
            fill_shown(game.boards.sums, game, scratch, street, player, lane)
            if len(game.boards.order) > 0:
                _correct_same_hands(game, scratch, street, player, lane)
            mend_remainders(game.boards.sums, game, scratch, street, player, lane, True)
            for i in range(0, count, LANES):
                transpose_add(pays, steps, 0, second + i * LANES, target, terminal.shown, lane, i)
        else:
            fill_folded(game.boards.sums, game, scratch, street, player, lane)
            mend_remainders(game.boards.sums, game, scratch, street, player, lane, False)
        for i in range(0, count, LANES):
            transpose_add(pays, steps, 0, i * LANES, target, terminal.folded, lane, i)
    values_by_hands(game, scratch, street, player, target)


@inline_ir
def _add_hand(game, scratch, first_hand, at, j):
    """Add the reach of a hand to the sums of its cards; return it."""
    reach = load(scratch.others, j * LANES)
    cards = first_hand + 4 * integer_at(game.boards.hand, at + j)
    first_card = integer_at(game.boards.cards, cards) * LANES
    second_card = integer_at(game.boards.cards, cards + 1) * LANES
    store(scratch.sums, first_card, load(scratch.sums, first_card) + reach)
    store(scratch.sums, second_card, load(scratch.sums, second_card) + reach)
    return reach


@inline_ir
def _subtract_cards(game, scratch, first_hand, at, i, total):
    """Return the total less the sums of the cards of a hand."""
    cards = first_hand + 4 * integer_at(game.boards.hand, at + i)
    first_card = integer_at(game.boards.cards, cards + 2) * LANES
    second_card = integer_at(game.boards.cards, cards + 3) * LANES
    return total - load(scratch.sums, first_card) - load(scratch.sums, second_card)


@inline_ir
def _first_hand(game, player):
    return player * 4 * game.boards.num_hands


@inline_ir
def _sum_up(game, scratch, street, player, lane):
    """Fill ``pays`` where nobody shows: the reach of the hands that can be there times what is paid."""
    boards = game.boards
    pays = scratch.pays
    board = scratch.open_board[street]
    other = 1 - player
    first_hand = _first_hand(game, player)
    other_hand = _first_hand(game, other)
    at = boards.first_position[2 * board + player]
    first_other = boards.first_position[2 * board + other]
    # Of the two beyond, one is not written, the other not read.
    for i in range(0, boards.deck * LANES, LANES):
        store(scratch.sums, i, broadcast_like(pays, 0.0))
    total = broadcast_like(pays, 0.0)
    fold = load_like(pays, game.terminal.fold, lane)
    for j in range(boards.counts[2 * board + other]):
        total = total + _add_hand(game, scratch, other_hand, first_other, j)
    for i in range(boards.counts[2 * board + player]):
        same = load(scratch.others, integer_at(boards.same, at + i) * LANES)
        store(
            pays,
            i * LANES,
            (_subtract_cards(game, scratch, first_hand, at, i, total) + same) * fold,
        )
    clear_rest(pays, 0, boards.counts[2 * board + player])


@inline_ir
def clear_rest(pays, begin, count):
    """Set what lanes hold beyond the hands, up to whole lanes of hands, to 0."""
    for i in range(count, (count + LANES - 1) // LANES * LANES):
        store(pays, begin + i * LANES, broadcast_like(pays, 0.0))


@inline_ir
def _sweep(game, scratch, street, player, lane):
    """Fill ``pays`` from sums over the other's hands in the order of their strength: each own hand looks them up.

    With the reach of all hands that are weaker, of those that are not stronger, and of all, each
    less what the own two cards make impossible, the weaker ones less the stronger ones are ``weaker
    + up_to - every``: what the two cards count twice, the hand itself, cancels if it is as strong
    for the other player.
    """
    boards = game.boards
    board = scratch.open_board[street]
    pays = scratch.pays
    at = boards.first_position[2 * board + player]
    count = boards.counts[2 * board + player]
    second = boards.width[2 * street + player] * LANES
    _add_up(game, scratch, board, 1 - player)
    asked = 9 * (at - boards.first_position[2 * boards.first_board[street]])
    fold = load_like(pays, game.terminal.fold, lane)
    tie = load_like(pays, game.terminal.tie, lane)
    difference = load_like(pays, game.terminal.difference, lane)
    mean = load_like(pays, game.terminal.mean, lane)
    for i in range(count):
        weaker = _look_up_compatible(boards.sums.asked, asked + 9 * i, scratch)
        up_to = _look_up_compatible(boards.sums.asked, asked + 9 * i + 3, scratch)
        every = _look_up_compatible(boards.sums.asked, asked + 9 * i + 6, scratch)
        compatible = every + load(scratch.others, integer_at(boards.same, at + i) * LANES)
        store(pays, i * LANES, compatible * fold)
        shown = compatible * tie + (weaker + up_to - every) * difference
        if game.terminal.raked:
            shown = shown + (weaker - up_to + every) * mean
        store(pays, second + i * LANES, shown)
    clear_rest(pays, 0, count)
    clear_rest(pays, second, count)


@inline_ir
def _correct_same_hands(game, scratch, street, player, lane):
    """Correct what is shown where the hand of the same two cards is weaker or stronger for the other player.

    A sweep takes that hand off twice among all hands, and among the weaker ones either twice or not
    at all.
    """
    boards = game.boards
    board = scratch.open_board[street]
    pays = scratch.pays
    at = boards.first_position[2 * board + player]
    second = boards.width[2 * street + player] * LANES
    order = at - boards.first_position[2 * boards.first_board[street]]
    difference = load_like(pays, game.terminal.difference, lane)
    mean = load_like(pays, game.terminal.mean, lane)
    for i in range(boards.counts[2 * board + player]):
        sign = broadcast_like(pays, 1.0 * boards.order[order + i])
        shown = second + i * LANES
        same = load(scratch.others, integer_at(boards.same, at + i) * LANES) * sign
        store(pays, shown, load(pays, shown) + same * (difference + sign * mean))


@inline_ir
def _add_up(game, scratch, board, other):
    """Fill ``totals`` and ``card_sums`` with the reach of the other's hands."""
    boards = game.boards
    totals = scratch.totals
    card_sums = scratch.card_sums
    first_other = boards.first_position[2 * board + other]
    last = boards.first_board[len(game.betting.lines) - 1]
    added = 2 * (first_other - boards.first_position[2 * last])
    total = broadcast_like(totals, 0.0)
    for j in range(boards.counts[2 * board + other]):
        reach = load(scratch.others, j * LANES)
        total = total + reach
        store(totals, (j + 1) * LANES, total)
        for card in range(2):
            to = integer_at(boards.sums.added, added + 2 * j + card)
            store(card_sums, to, load(card_sums, to - LANES) + reach)


@inline_ir
def _look_up_compatible(asked, at, scratch):
    first_sum = load(scratch.card_sums, integer_at(asked, at + 1))
    second_sum = load(scratch.card_sums, integer_at(asked, at + 2))
    return load(scratch.totals, integer_at(asked, at)) - first_sum - second_sum


@compiled(allocates=False, entry=False)
def _mend(sums, game, scratch, street, player, lane, is_shown):
    """Fill ``pays`` anew, in place, for each own hand against which little of the whole remains."""
    boards = game.boards
    board = scratch.open_board[street]
    pays = scratch.pays
    other = 1 - player
    first_hand = _first_hand(game, player)
    other_hand = _first_hand(game, other)
    at = boards.first_position[2 * board + player]
    first_other = boards.first_position[2 * board + other]
    asked = 9 * (at - boards.first_position[2 * boards.first_board[street]])
    place = street, player, lane, FEW_CARDS_HELD
    for i in range(0, boards.deck * LANES, LANES):
        store(scratch.sums, i, broadcast_like(pays, 0.0))
    total = broadcast_like(pays, 0.0)
    for j in range(boards.counts[2 * board + other]):
        total = total + _add_hand(game, scratch, other_hand, first_other, j)
    for i in range(boards.counts[2 * board + player]):
        same = load(scratch.others, integer_at(boards.same, at + i) * LANES)
        remaining = _subtract_cards(game, scratch, first_hand, at, i, total) + same
        if is_little(remaining, total):
            weaker = -1
            up_to = -1
            if is_shown:
                weaker = integer_at(sums.asked, asked + 9 * i) // LANES
                up_to = integer_at(sums.asked, asked + 9 * i + 3) // LANES
            add_remainder(game, scratch, place, i, (weaker, up_to), pays)
