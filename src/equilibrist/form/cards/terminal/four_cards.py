"""What the plays that end on a board pay hands of three or four cards, by inclusion and exclusion of sets of them.

The reach of the hands that share no card with a hand is that of all, less that of the hands that
hold each of its cards, plus that of the hands that hold each pair of them, less each three, plus
the hand of the same four: sixteen sums, of which a sweep in the order of strength keeps one for
each set of cards of the deck.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit.compile import compiled, inline_ir, record
from ...._jit.simd import LANES, broadcast_like, integer_at, load, load_like, store
from ...._util.arrays import Ints
from .blockers import MOST_CARDS_HELD
from .remainders import add_remainder, is_little
from .values import clear_rest

_PLACES = 8  # of the cards of a hand: four as they are added up, four as they are read


@record
class SetSums(NamedTuple):
    """Sums of the reach of all hands that hold a set of up to three cards, for hands of three or four cards.

    A set of cards x < y < z has the number ``pair[y] + x`` or ``triple[z] + pair[y] + x``, a card 1
    + x, all cards 0; the order is colexicographic, so that sets of low cards lie together. All are
    multiplied by eight, for eight lanes.

    Attributes
    ----------
    size : int
        How many sets there are.
    pair : int array, shape (cards + 2,)
        With a card that nobody holds and one that nobody asks for.
    triple : int array, shape (cards + 2,)
        With the same two.
    reached : array of unsigned integers, shape (2 · positions of the last street,), flat
        For each hand on the last street, how many of the other player's hands are weaker, and how
        many are not stronger.
    add_remainders : bool
        Whether what remains is added up where it is little: :mod:`.remainders`.
    """

    size: int
    pair: Ints
    triple: Ints
    reached: NDArray[Any]
    add_remainders: bool = False

    @property
    def precision(self) -> str:
        """The precision of the sums: in float32, adding up 178,365 equal numbers is off by 0.06 %."""
        return "float64"

    def fill_shown(self, game, scratch, street, player, lane):
        """Fill ``pays`` where hands are shown, and where somebody folded after the same reach of the other."""
        _sweep(self, game, scratch, street, player, lane)

    def fill_folded(self, game, scratch, street, player, lane):
        """Fill ``pays`` where nobody shows."""
        _sum_up(self, game, scratch, street, player, lane)

    def mend_remainders(self, game, scratch, street, player, lane, is_shown):
        """Fill ``pays`` anew for hands against which little of the whole remains."""
        if self.add_remainders:
            _mend(self, game, scratch, street, player, lane, is_shown)


def set_sums(deck: int, reached: NDArray[Any]) -> SetSums:
    """Return the sums of a deck of so many cards."""
    card = np.arange(deck + 2)
    pairs = card * (card - 1) // 2
    triples = card * (card - 1) * (card - 2) // 6
    first_pair = 1 + len(card)
    first_triple = first_pair + len(card) * (len(card) - 1) // 2
    size = first_triple + len(card) * (len(card) - 1) * (len(card) - 2) // 6
    return SetSums(
        size, LANES * (first_pair + pairs), LANES * (first_triple - first_pair + triples), reached
    )


@inline_ir
def _add_reach(sums, game, scratch, hands, begin, end):
    """Add the reach of the other's hands from a position to another to the sums of their cards; ``hands`` are where the
    cards of that player's hands begin, and the positions on the board.
    """
    boards = game.boards
    table = scratch.card_sums
    for j in range(begin, end):
        reach = load_like(table, scratch.others, j * LANES)
        at = hands[0] + _PLACES * integer_at(boards.hand, hands[1] + j)
        a = integer_at(boards.cards, at)
        b = integer_at(boards.cards, at + 1)
        c = integer_at(boards.cards, at + 2)
        d = integer_at(boards.cards, at + 3)
        pair_b = integer_at(sums.pair, b)
        pair_c = integer_at(sums.pair, c)
        pair_d = integer_at(sums.pair, d)
        triple_c = integer_at(sums.triple, c)
        triple_d = integer_at(sums.triple, d)
        a = a * LANES
        b = b * LANES
        c = c * LANES
        d = d * LANES
        for place in (
            0,
            LANES + a,
            LANES + b,
            LANES + c,
            LANES + d,
            pair_b + a,
            pair_c + a,
            pair_c + b,
            pair_d + a,
            pair_d + b,
            pair_d + c,
            triple_c + pair_b + a,
            triple_d + pair_b + a,
            triple_d + pair_c + a,
            triple_d + pair_c + b,
        ):
            store(table, place, load(table, place) + reach)


@inline_ir
def _compatible_reach(sums, game, scratch, hands, i):
    """Return the reach of the hands added so far that share no card with a hand; of the same four, less themselves."""
    boards = game.boards
    table = scratch.card_sums
    at = hands[0] + _PLACES * integer_at(game.boards.hand, hands[1] + i)
    a = integer_at(boards.cards, at + 4)
    b = integer_at(boards.cards, at + 5)
    c = integer_at(boards.cards, at + 6)
    d = integer_at(boards.cards, at + 7)
    pair_b = integer_at(sums.pair, b)
    pair_c = integer_at(sums.pair, c)
    pair_d = integer_at(sums.pair, d)
    triple_c = integer_at(sums.triple, c)
    triple_d = integer_at(sums.triple, d)
    a = a * LANES
    b = b * LANES
    c = c * LANES
    d = d * LANES
    single = (
        load(table, LANES + a)
        + load(table, LANES + b)
        + load(table, LANES + c)
        + load(table, LANES + d)
    )
    low_pairs = load(table, pair_b + a) + load(table, pair_c + a) + load(table, pair_c + b)
    high_pairs = load(table, pair_d + a) + load(table, pair_d + b) + load(table, pair_d + c)
    low_triples = load(table, triple_c + pair_b + a) + load(table, triple_d + pair_b + a)
    high_triples = load(table, triple_d + pair_c + a) + load(table, triple_d + pair_c + b)
    return load(table, 0) - single + (low_pairs + high_pairs) - (low_triples + high_triples)


@inline_ir
def _clear_sums(sums, scratch):
    for place in range(0, sums.size * LANES, LANES):
        store(scratch.card_sums, place, broadcast_like(scratch.card_sums, 0.0))


@inline_ir
def _hand_places(game, scratch, street, player):
    """Return where the cards of a player's hands begin, and the positions of those on the open board."""
    board = scratch.open_board[street]
    return player * _PLACES * game.boards.num_hands, game.boards.first_position[2 * board + player]


@compiled(allocates=False, entry=False)
def _sum_up(sums, game, scratch, street, player, lane):
    """Fill ``pays`` where nobody shows: the reach of the hands that can be there times what is paid."""
    boards = game.boards
    pays = scratch.pays
    board = scratch.open_board[street]
    other = 1 - player
    hands = _hand_places(game, scratch, street, player)
    table = scratch.card_sums
    _clear_sums(sums, scratch)
    _add_reach(
        sums,
        game,
        scratch,
        _hand_places(game, scratch, street, other),
        0,
        boards.counts[2 * board + other],
    )
    fold = load_like(table, game.terminal.fold, lane)
    for i in range(boards.counts[2 * board + player]):
        same = load_like(table, scratch.others, integer_at(boards.same, hands[1] + i) * LANES)
        store(pays, i * LANES, (_compatible_reach(sums, game, scratch, hands, i) + same) * fold)
    clear_rest(pays, 0, boards.counts[2 * board + player])


@compiled(allocates=False, entry=False)
def _sweep(sums, game, scratch, street, player, lane):
    """Fill ``pays`` as :func:`~.values._sweep` does, in one pass over the hands of both in the order of strength.

    Own hands that reach the same hands of the other look their sums up twice, before and after
    those as strong as they are added: ``weaker`` and ``up_to``; and once more over all, for
    ``every``.
    """
    boards = game.boards
    board = scratch.open_board[street]
    pays = scratch.pays
    table = scratch.card_sums
    hands = _hand_places(game, scratch, street, player)
    others = _hand_places(game, scratch, street, 1 - player)
    count = boards.counts[2 * board + player]
    second = boards.width[2 * street + player] * LANES
    reached = 2 * (hands[1] - boards.first_position[2 * boards.first_board[street]])
    fold = load_like(table, game.terminal.fold, lane)
    tie = load_like(table, game.terminal.tie, lane)
    difference = load_like(table, game.terminal.difference, lane)
    mean = load_like(table, game.terminal.mean, lane)
    _clear_sums(sums, scratch)
    begin = 0
    added = 0
    while begin < count:
        weaker = integer_at(sums.reached, reached + 2 * begin)
        up_to = integer_at(sums.reached, reached + 2 * begin + 1)
        _add_reach(sums, game, scratch, others, added, weaker)
        end = begin
        while end < count and integer_at(sums.reached, reached + 2 * end) == weaker:
            if integer_at(sums.reached, reached + 2 * end + 1) != up_to:
                break
            store(pays, end * LANES, _compatible_reach(sums, game, scratch, hands, end))
            end += 1
        _add_reach(sums, game, scratch, others, weaker, up_to)
        for i in range(begin, end):
            store(pays, second + i * LANES, _compatible_reach(sums, game, scratch, hands, i))
        begin = end
        added = up_to
    _add_reach(sums, game, scratch, others, added, boards.counts[2 * board + 1 - player])
    for i in range(count):
        every = _compatible_reach(sums, game, scratch, hands, i)
        compatible = every + load_like(
            table, scratch.others, integer_at(boards.same, hands[1] + i) * LANES
        )
        weaker_sum = load_like(table, pays, i * LANES)
        up_to_sum = load_like(table, pays, second + i * LANES)
        shown = compatible * tie + (weaker_sum + up_to_sum - every) * difference
        if game.terminal.raked:
            shown = shown + (weaker_sum - up_to_sum + every) * mean
        store(pays, i * LANES, compatible * fold)
        store(pays, second + i * LANES, shown)
    clear_rest(pays, 0, count)
    clear_rest(pays, second, count)


@compiled(allocates=False, entry=False)
def _mend(sums, game, scratch, street, player, lane, is_shown):
    """Fill ``pays`` anew, in place, for each own hand against which little of the whole remains.

    The sums of all of the other's hands are those that the pass before has left.
    """
    boards = game.boards
    board = scratch.open_board[street]
    table = scratch.card_sums
    hands = _hand_places(game, scratch, street, player)
    reached = 2 * (hands[1] - boards.first_position[2 * boards.first_board[street]])
    place = street, player, lane, MOST_CARDS_HELD
    total = load(table, 0)
    for i in range(boards.counts[2 * board + player]):
        same = load_like(table, scratch.others, integer_at(boards.same, hands[1] + i) * LANES)
        remaining = _compatible_reach(sums, game, scratch, hands, i) + same
        if is_little(remaining, total):
            weaker = -1
            up_to = -1
            if is_shown:
                weaker = integer_at(sums.reached, reached + 2 * i)
                up_to = integer_at(sums.reached, reached + 2 * i + 1)
            add_remainder(game, scratch, place, i, (weaker, up_to), table)
