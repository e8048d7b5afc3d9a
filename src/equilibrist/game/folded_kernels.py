"""Kernels that count how often sets of cards are held by hands that were folded: see :mod:`.folded`."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, record


@record
class SetTable(NamedTuple):
    """A number for each set of cards up to some size.

    Attributes
    ----------
    values : float64 array, shape (sets,)
        Those of each size in colexicographic order, small sets first.
    first : int64 array, shape (most + 2,)
        Where the sets of each size begin.
    most : int
        The size of the largest sets.
    """

    values: NDArray[np.float64]
    first: NDArray[np.int64]
    most: int


@compiled(allocates=False, inline=True, entry=False)
def _rank(binomial, cards, size):
    """Return the number of a set of cards, in ascending order, among all sets of its size."""
    rank = 0
    for place in range(size):
        rank += binomial[cards[place], place + 1]
    return rank


@compiled(allocates=False, inline=True, entry=False)
def _insert(cards, size, card, target):
    """Fill in a set of cards, in ascending order, with one card more; it is not among them."""
    place = size
    while place > 0 and cards[place - 1] > card:
        target[place] = cards[place - 1]
        place -= 1
    target[place] = card
    for lower in range(place):
        target[lower] = cards[lower]


@compiled(allocates=False, inline=True, entry=False)
def _remove(cards, size, place, target):
    """Fill in a set of cards without the one at a place."""
    for lower in range(place):
        target[lower] = cards[lower]
    for higher in range(place + 1, size):
        target[higher - 1] = cards[higher]


@compiled(allocates=False, inline=True, entry=False)
def _next_set(cards, size, deck):
    """Go on to the next set of cards in colexicographic order, in place; return whether there is one."""
    place = 0
    while place < size:
        highest = deck
        if place + 1 < size:
            highest = cards[place + 1]
        if cards[place] + 1 < highest:
            cards[place] += 1
            for lower in range(place):
                cards[lower] = lower
            return True
        place += 1
    return False


@compiled(allocates=False, inline=True, entry=False)
def _weight_at(held, first, most, binomial, cards, size):
    """Return W of a set of cards; 0 of more cards than the hands have."""
    if size > most:
        return 0.0
    return held[first[size] + _rank(binomial, cards, size)]


@compiled(allocates=False, inline=True, entry=False)
def _sum_with_card(held, first, most, binomial, cards, size, weight, begin):
    """Return Σ weight[c] · W(the set and c) over the cards c, from ``begin`` on, that are not in the set."""
    total = 0.0
    if size + 1 > most:
        return total
    # The rank of the set with a card more, by where the card stands in it.
    above = first[size + 1]
    for place in range(size):
        above += binomial[cards[place], place + 2]
    below = 0
    place = 0
    for card in range(len(weight)):
        if place < size and cards[place] == card:
            below += binomial[card, place + 1]
            above -= binomial[card, place + 2]
            place += 1
        elif card >= begin and weight[card] != 0.0:
            total += weight[card] * held[below + binomial[card, place + 1] + above]
    return total


@compiled(allocates=False, inline=True, entry=False)
def _weight_apart(weight, card_weight, card, cards, size):
    """Return the weight of the hands that hold a card and none of a set."""
    total = card_weight[card]
    for place in range(size):
        total -= weight[card, cards[place]]
    return total


@compiled(allocates=False, nogil=True)
def add_folded(before, weight, card_weight, binomial, room, after):
    """Fill in W of the hands before with one hand more.

    ``before`` and ``after`` are tables of sets (:class:`SetTable`). ``weight``, shape (cards,
    cards), is that of the hand of each two cards, ``card_weight`` its sums by card; ``room`` is for
    four sets.
    """
    held = before.values
    first = before.first
    most = before.most
    values_after = after.values
    deck = len(weight)
    cards = room[0]
    fewer = room[1]
    fewest = room[2]
    more = room[3]
    all_cards = np.int64(0)  # a literal would have the sum compiled once more
    for size in range(after.most + 1):
        for place in range(size):
            cards[place] = place
        index = after.first[size]
        while True:
            of_set = _weight_at(held, first, most, binomial, cards, size)
            total = 0.0
            if size <= most:
                # Hands that have no card of the set: W − W with one card − W with the other + W with both.
                member = 0
                for card in range(deck):
                    if member < size and cards[member] == card:
                        member += 1
                        continue
                    apart = _weight_apart(weight, card_weight, card, cards, size)
                    _insert(cards, size, card, more)
                    with_card = _weight_at(held, first, most, binomial, more, size + 1)
                    total += apart * (0.5 * of_set - with_card)
                    total += _sum_with_card(
                        held, first, most, binomial, more, size + 1, weight[card], card + 1
                    )
            if size - 1 <= most:
                # Hands that have one card of the set.
                for place in range(size):
                    card = cards[place]
                    apart = _weight_apart(weight, card_weight, card, cards, size)
                    _remove(cards, size, place, fewer)
                    without = _weight_at(held, first, most, binomial, fewer, size - 1)
                    total += apart * (without - of_set)
                    total -= _sum_with_card(
                        held, first, most, binomial, fewer, size - 1, weight[card], all_cards
                    )
                    total += _sum_with_card(
                        held, first, most, binomial, cards, size, weight[card], all_cards
                    )
            if size - 2 <= most:
                # Hands both of whose cards are in the set.
                for high in range(size):
                    _remove(cards, size, high, fewer)
                    without_high = _weight_at(held, first, most, binomial, fewer, size - 1)
                    for low in range(high):
                        _remove(fewer, size - 1, low, fewest)
                        _remove(cards, size, low, more)
                        without_low = _weight_at(held, first, most, binomial, more, size - 1)
                        without = _weight_at(held, first, most, binomial, fewest, size - 2)
                        both = without - without_high - without_low + of_set
                        total += weight[cards[low], cards[high]] * both
            values_after[index] = total
            index += 1
            if not _next_set(cards, size, deck):
                break


@compiled(allocates=False, nogil=True)
def exclude(held, first, binomial, size, room, chances):
    """Fill in M of all sets of a size from W: Σ over subsets U of (-1)^|U| W(U); ``room`` is for two sets."""
    cards = room[0]
    subset = room[1]
    deck = len(binomial) - 1
    for place in range(size):
        cards[place] = place
    index = 0
    while True:
        total = 0.0
        for chosen in range(1 << size):
            count = 0
            for place in range(size):
                if chosen >> place & 1:
                    subset[count] = cards[place]
                    count += 1
            weight = held[first[count] + _rank(binomial, subset, count)]
            if count % 2 == 1:
                weight = -weight
            total += weight
        chances[index] = total
        index += 1
        if not _next_set(cards, size, deck):
            break


@compiled(allocates=False, nogil=True)
def count_sets(deals, binomial, first, most, room, counts):
    """Count in how many deals, bits of cards, each set of up to ``most`` cards is held; ``room`` is for two sets."""
    held = room[0]
    places = room[1]
    subset = room[1]
    for deal in deals:
        size = 0
        for card in range(len(binomial) - 1):
            if deal >> card & 1:
                held[size] = card
                size += 1
        counts[0] += 1.0
        for count in range(1, most + 1):
            for place in range(count):
                places[place] = place
            while True:
                rank = 0
                for place in range(count):
                    rank += binomial[held[subset[place]], place + 1]
                counts[first[count] + rank] += 1.0
                if not _next_set(places, count, size):
                    break


@compiled(allocates=False, nogil=True)
def fill_pairs(chances, binomial, first, second, runout, room, result):
    """Fill in the chance of each pair of hands, by the numbers of their cards; ``room`` is for one set.

    ``chances`` are those of the sets of the cards of both hands and the run-out.
    """
    for row in range(len(first)):
        for column in range(len(second)):
            size = 0
            for card in runout:
                room[size] = card
                size += 1
            shares = False
            for number in range(first.shape[1] + second.shape[1]):
                if number < first.shape[1]:
                    card = first[row, number]
                else:
                    card = second[column, number - first.shape[1]]
                place = size
                while place > 0 and room[place - 1] > card:
                    room[place] = room[place - 1]
                    place -= 1
                if card < 0 or (place > 0 and room[place - 1] == card):
                    shares = True
                    break
                room[place] = card
                size += 1
            if not shares:
                result[row, column] = chances[_rank(binomial, room, size)]
