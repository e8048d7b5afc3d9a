"""What remains of the other's reach against a hand, added up hand by hand where little of the whole remains.

Inclusion and exclusion (:mod:`.values`, :mod:`.four_cards`) takes what a hand blocks off the whole:
the rounding error is 2^-53 of the whole, however little remains. That is right for values that the
reach multiplies, as in a certificate of a Nash equilibrium. Who divides by what remains (a quantal
response, a gain off the path, a margin) needs it to all its digits: there, sums are asked for
``add_remainders``, and a hand of which less than :data:`LEAST_SHARE` of the whole remains is summed
anew over the hands that share no card with it. Nothing is subtracted.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from ...._jit.compile import compiled, inline_ir
from ...._jit.simd import LANES, broadcast_like, integer_at, largest, load_like, store
from ....game.deal import LEAST_SHARE


@inline_ir
def is_little(remaining, total):
    """Return whether in some lane less than :data:`LEAST_SHARE` of the total remains."""
    return largest(total * LEAST_SHARE - remaining) > 0.0


@inline_ir
def _share_a_card(cards, hand, other, places):
    """Return whether two hands share a card; ``hand`` is where the cards of one begin that are read, ``other`` where
    those of the other begin that are added up.
    """
    for a in range(places):
        for b in range(places):
            if integer_at(cards, hand + a) == integer_at(cards, other + b):
                return True
    return False


@compiled(allocates=False, entry=False)
def add_remainder(game, scratch, place, hand, reached, table):
    """Fill ``pays`` of an own hand, in place: the reach of the other's hands that share no card with it, one by one.

    ``place`` is the street, the player, the lane, and the places for the cards of a hand; ``hand``
    the own hand, by its position on the open board. ``reached`` says how many of the other's hands
    are weaker, and how many are not stronger: (-1, -1) where nobody shows. Sums are computed in the
    precision of the array ``table``.
    """
    street, player, lane, places = place
    boards = game.boards
    board = scratch.open_board[street]
    pays = scratch.pays
    other_player = 1 - player
    size = 2 * places
    own_position = boards.first_position[2 * board + player] + hand
    hand_cards = (
        player * size * boards.num_hands + size * integer_at(boards.hand, own_position) + places
    )
    first_other = other_player * size * boards.num_hands
    other_position = boards.first_position[2 * board + other_player]
    weaker = broadcast_like(table, 0.0)
    equal = broadcast_like(table, 0.0)
    stronger = broadcast_like(table, 0.0)
    for j in range(boards.counts[2 * board + other_player]):
        other = first_other + size * integer_at(boards.hand, other_position + j)
        if not _share_a_card(boards.cards, hand_cards, other, places):
            reach = load_like(table, scratch.others, j * LANES)
            if j < reached[0]:
                weaker = weaker + reach
            elif j < reached[1]:
                equal = equal + reach
            else:
                stronger = stronger + reach
    remaining = weaker + equal + stronger
    store(pays, hand * LANES, remaining * load_like(table, game.terminal.fold, lane))
    if reached[0] >= 0:
        shown = remaining * load_like(table, game.terminal.tie, lane)
        shown = shown + (weaker - stronger) * load_like(table, game.terminal.difference, lane)
        if game.terminal.raked:
            shown = shown + (weaker + stronger) * load_like(table, game.terminal.mean, lane)
        second = boards.width[2 * street + player] * LANES
        store(pays, second + hand * LANES, shown)
