"""What hands come to on complete boards if nobody bets any more: the share of the pot of each, and against how much.

The other player's hands are weighed by a range, or by parts of it; those that share a card with the
hand or the board do not count.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, inlined, record
from ..._util.arrays import Floats, Ints

LEAST_WEIGHT = 1e-9
"""The share of all weights that must be left to play against: less than this is what rounding leaves of none."""
NO_EQUITY = 0.5
"""What stands for the equity of a hand that nobody can play against."""


@record
class Side(NamedTuple):
    """The hands of a player on some complete boards.

    Attributes
    ----------
    cards : int64 array, shape (hands, cards of a hand)
        One or two cards.
    strength : int64 array, shape (boards, hands)
        From 0 on, greater is stronger.
    blocked : bool array, shape (boards, hands)
        Whether a card of the hand is on the board.
    """

    cards: Ints
    strength: NDArray[Any]
    blocked: NDArray[np.bool_]


class Outcomes(NamedTuple):
    """What hands come to on complete boards, shape (boards, hands) both.

    Attributes
    ----------
    equity : float64 array
        Share of the pot at the showdown; 0.5 where nobody can play against the hand.
    weight : float64 array
        The weight of the other's hands that go with it; 0 where the board blocks it. So it says how
        probable the board is for the hand.
    """

    equity: Floats
    weight: Floats


def find_outcomes(hands: Side, others: Side, weights: Floats, deck: int) -> Outcomes:
    """Return what each hand comes to on each board against weighed hands of the other player.

    Parameters
    ----------
    hands, others : Side
        The hands of both on the same boards.
    weights : float64 array, shape (hands of the other,)
        Their weights.
    deck : int
        Number of cards in the deck.

    Notes
    -----
    As many operations a board as there are hands and strengths. Hands of one card or two.
    """
    shape = hands.strength.shape
    shares = np.zeros(shape)
    mass = np.zeros(shape)
    same = find_same_hands(hands.cards, others.cards, deck)
    strengths = 1 + int(max(hands.strength.max(initial=0), others.strength.max(initial=0)))
    scratch = np.zeros(deck + 1)
    heads = np.zeros(strengths + 1, np.int64)
    fill_outcomes(hands, others, (weights, same), (scratch, heads), shares, mass)
    mass[mass < LEAST_WEIGHT * weights.sum()] = 0.0
    is_played = mass > 0.0
    equity = np.full(shape, NO_EQUITY)
    np.divide(shares, mass, out=equity, where=is_played)
    return Outcomes(equity, mass)


def find_same_hands(cards: Ints, others: Ints, deck: int) -> Ints:
    """Return the number of the same hand among the other player's, or -1; shape (hands,)."""
    digits = deck ** np.arange(cards.shape[1])
    number_of = {key: i for i, key in enumerate((np.sort(others, axis=1) @ digits).tolist())}
    keys = (np.sort(cards, axis=1) @ digits).tolist()
    return np.array([number_of.get(key, -1) for key in keys], np.int64)


@compiled(allocates=True, nogil=True)
def fill_outcomes(hands, others, weights_and_same, scratch, shares, mass):
    """Fill the shares of the pot and the weights of the other's hands in place, shape (boards, hands) both.

    A hand takes the weight of the hands that are weaker, and half of those that are as strong.
    Running sums in the order of strength, over all hands and by card, tell how much goes with the
    hand: all but those that hold one of its cards, where the same hand was taken off once for each
    card. ``scratch`` are sums of shape (cards + 1,) and heads of shape (strengths + 1,).
    """
    weights, same = weights_and_same
    sums, heads = scratch
    order = np.empty(hands.strength.shape[1], np.int64)
    other_order = np.empty(others.strength.shape[1], np.int64)
    for board in range(len(shares)):
        sort_hands(hands.strength[board], hands.blocked[board], heads, order)
        count = heads[len(heads) - 1]
        sort_hands(others.strength[board], others.blocked[board], heads, other_order)
        other_count = heads[len(heads) - 1]
        for tie in range(2):  # weaker hands, then those that are no stronger
            sums[:] = 0.0
            below = 0
            for place in range(count):
                hand = order[place]
                strength = hands.strength[board, hand] + tie
                while below < other_count:
                    other = other_order[below]
                    if others.strength[board, other] >= strength:
                        break
                    add_hand(others.cards, other, weights[other], sums)
                    below += 1
                weaker = weight_that_goes_with(hands.cards, hand, sums)
                if same[hand] >= 0 and others.strength[board, same[hand]] < strength:
                    weaker += weight_taken_twice(hands.cards, weights[same[hand]])
                shares[board, hand] += weaker / 2
        while below < other_count:
            add_hand(others.cards, other_order[below], weights[other_order[below]], sums)
            below += 1
        for place in range(count):
            hand = order[place]
            mass[board, hand] = weight_that_goes_with(hands.cards, hand, sums)
            if same[hand] >= 0:
                mass[board, hand] += weight_taken_twice(hands.cards, weights[same[hand]])


@inlined
def sort_hands(strength, blocked, heads, order):
    """Fill the hands that are not blocked in the order of their strengths, in place; the last head counts them."""
    heads[:] = 0
    for hand in range(len(strength)):
        if not blocked[hand]:
            heads[strength[hand] + 1] += 1
    for number in range(1, len(heads)):
        heads[number] += heads[number - 1]
    for hand in range(len(strength)):
        if not blocked[hand]:
            order[heads[strength[hand]]] = hand
            heads[strength[hand]] += 1


@inlined
def add_hand(cards, hand, weight, sums):
    """Add a hand to the sums by card, and to that of all at the end, in place."""
    sums[len(sums) - 1] += weight
    for place in range(cards.shape[1]):
        sums[cards[hand, place]] += weight


@inlined
def weight_that_goes_with(cards, hand, sums):
    """Return the sum of all but the hands that hold a card of a hand, each as often as it holds one."""
    weight = sums[len(sums) - 1]
    for place in range(cards.shape[1]):
        weight -= sums[cards[hand, place]]
    return weight


@inlined
def weight_taken_twice(cards, weight):
    """Return how much too much was taken off for the same hand of the other player."""
    return weight * (cards.shape[1] - 1)
