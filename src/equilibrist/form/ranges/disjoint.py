"""Sums over pairs of hands that share no card with each other, nor with a hand that is held.

With weights x and y of the hands of two players, and i the hand of a third one, cards i₁ and i₂:

    D(x, y | i) = Σ x_j y_k      over hands j and k with i ∩ j = i ∩ k = j ∩ k = ∅
                = Xⁱ Yⁱ − Σ_{c ∉ i} X_c Y_c + Σ_{j ∩ i = ∅} x_j y_j

Xⁱ is the sum of x over the hands disjoint from i, and X_c that over those of them that have the
card c: X_c = Σ_{j ∋ c} x_j − x_{c,i₁} − x_{c,i₂}. Pairs with one card in common are in the second
term once, and a pair of equal hands twice, of which the third term gives one back. A sum takes one
pass over the cards, whatever the number of hands.

Sums are of float64: they are differences of nearly equal numbers.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._jit.compile import inline_ir, record
from ..._jit.simd import LANES, broadcast, load, store, zeros
from ..._util.arrays import Floats

X, Y, XY = range(3)


@record
class PairSums(NamedTuple):
    """Running sums of the weights x and y of the hands of two players; ``width`` cards, a multiple of eight.

    Attributes
    ----------
    row_x, row_y : float64 array, shape (width · width,)
        The weight of the hand of each two cards, in both orders.
    card_x, card_y, card_xy : float64 array, shape (width,)
        The sums of x, of y and of x · y over the hands with each card.
    total : float64 array, shape (3,)
        The sums of x, of y and of x · y over all hands.
    lanes : float64 array, shape (8,)
        Room for eight numbers that are added up.
    """

    row_x: Floats
    row_y: Floats
    card_x: Floats
    card_y: Floats
    card_xy: Floats
    total: Floats
    lanes: Floats


def make_pair_sums(width: int) -> PairSums:
    """Return sums of 0 for so many cards."""
    return PairSums(
        row_x=zeros(width * width),
        row_y=zeros(width * width),
        card_x=zeros(width),
        card_y=zeros(width),
        card_xy=zeros(width),
        total=np.zeros(3),
        lanes=zeros(LANES),
    )


@inline_ir
def clear_sums(sums, width):
    """Fill all sums with 0."""
    for at in range(0, width * width, LANES):
        store(sums.row_x, at, broadcast(0.0))
        store(sums.row_y, at, broadcast(0.0))
    for card in range(width):
        sums.card_x[card] = 0.0
        sums.card_y[card] = 0.0
        sums.card_xy[card] = 0.0
    sums.total[X] = 0.0
    sums.total[Y] = 0.0
    sums.total[XY] = 0.0


@inline_ir
def add_hand(sums, width, first, second, x, y, xy):
    """Add to the weights x and y of the hand of two cards, and to their product ``xy``."""
    sums.row_x[first * width + second] += x
    sums.row_x[second * width + first] += x
    sums.row_y[first * width + second] += y
    sums.row_y[second * width + first] += y
    sums.card_x[first] += x
    sums.card_x[second] += x
    sums.card_y[first] += y
    sums.card_y[second] += y
    sums.card_xy[first] += xy
    sums.card_xy[second] += xy
    sums.total[X] += x
    sums.total[Y] += y
    sums.total[XY] += xy


@inline_ir
def remove_hand(sums, width, first, second):
    """Fill with 0 what belongs to the hand of two cards and to these cards; the totals stay."""
    sums.row_x[first * width + second] = 0.0
    sums.row_x[second * width + first] = 0.0
    sums.row_y[first * width + second] = 0.0
    sums.row_y[second * width + first] = 0.0
    for card in (first, second):
        sums.card_x[card] = 0.0
        sums.card_y[card] = 0.0
        sums.card_xy[card] = 0.0


@inline_ir
def disjoint_sum(sums, width, first, second):
    """Return D(x, y | i) for the hand of two cards, of the weights that are in the sums."""
    row = first * width
    next_row = second * width
    shared_lanes = broadcast(0.0)
    for card in range(0, width, LANES):
        with_x = load(sums.card_x, card) - load(sums.row_x, row + card)
        with_x = with_x - load(sums.row_x, next_row + card)
        with_y = load(sums.card_y, card) - load(sums.row_y, row + card)
        with_y = with_y - load(sums.row_y, next_row + card)
        shared_lanes = shared_lanes + with_x * with_y
    store(sums.lanes, 0, shared_lanes)
    shared = 0.0
    for lane in range(LANES):
        shared += sums.lanes[lane]
    own_x = sums.row_x[row + second]
    own_y = sums.row_y[row + second]
    # The cards of the hand itself are in the lanes as well.
    shared -= (sums.card_x[first] - own_x) * (sums.card_y[first] - own_y)
    shared -= (sums.card_x[second] - own_x) * (sums.card_y[second] - own_y)
    disjoint_x = sums.total[X] - sums.card_x[first] - sums.card_x[second] + own_x
    disjoint_y = sums.total[Y] - sums.card_y[first] - sums.card_y[second] + own_y
    same = sums.total[XY] - sums.card_xy[first] - sums.card_xy[second] + own_x * own_y
    return disjoint_x * disjoint_y - shared + same
