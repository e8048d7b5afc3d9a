"""The showdown terminal payoff: a win, a tie or a loss by the order of two strengths, in one sweep over sorted hands.

It is exact where the deal is independent but for equal hands, chance(i, j) = own(i) · other(j) + [i = j] · diagonal(i).
With the other's hands in rising strength and other · reach summed in that order,

    cf_value[i] = scale · (own(i) · (win · weaker(i) + tie · level(i) + lose · stronger(i)) + equal(i) · reach[i])

where weaker, level and stronger are differences of two of these sums, and equal(i) is diagonal(i) · payoff(i, i). Where
the hand i itself is nearly all of the other's reach, and takes itself off these sums, what remains would lose its
digits: that one hand is summed anew, with chance(i, i) · payoff(i, i) for the pair of equal hands. The numbers of a
player are: win, tie, lose (in one padded group), own, equal, other, pair. The indices are: the other's hands in
rising strength; for each own hand how many of these are weaker; for each own hand how many are not stronger.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...._jit.compile import inline_ir, record
from ...._jit.simd import LANES, padded
from ...._util.arrays import Floats, Ints
from ....game.public import Showdown

_NEARLY_ALL = 1.0 - 2.0**-10
"""Of the reach of all of the other's hands, what a single one has where the rest is added up by itself."""


@record
class Factors(NamedTuple):
    """chance(i, j) = factor[0](i) · factor[1](j), plus diagonal(i) where i = j."""

    factor: tuple[Floats, Floats]
    diagonal: Floats
    same: Floats  # chance(i, i), of the hands that both have


def factorise(chance: Floats) -> Factors | None:
    """Return the factors of the probabilities of the deal, or None where they are not of this form."""
    hands, others = chance.shape
    square = hands == others
    off_diagonal = chance.copy()
    if square:
        np.fill_diagonal(off_diagonal, 0.0)
    if min(hands, others) < 3 or not off_diagonal.any():
        return None
    # Of three rows at most one is the hand itself for any column, so that two of them give the column's factor.
    first, second, _ = np.argsort(-off_diagonal.sum(axis=1), kind="stable")[:3]
    shared = (off_diagonal[[first, second]] > 0).all(axis=0) & ~np.isin(
        np.arange(others), (first, second)
    )
    if not shared.any():
        return None
    common = int(np.flatnonzero(shared)[np.argmax(off_diagonal[first][shared])])
    other_factor = off_diagonal[first].copy()
    if square:
        other_factor[first] = (
            off_diagonal[second, first] * off_diagonal[first, common] / off_diagonal[second, common]
        )
    best = np.argsort(-other_factor, kind="stable")[
        :2
    ]  # of two columns at most one is the hand itself
    column = np.where(square & (np.arange(hands) == best[0]), best[1], best[0])
    is_positive = other_factor[column] > 0
    factor = np.divide(
        off_diagonal[np.arange(hands), column],
        other_factor[column],
        out=np.zeros(hands),
        where=is_positive,
    )
    product = np.outer(factor, other_factor)
    diagonal = np.zeros(max(hands, others))
    if square:
        diagonal[:hands] = np.diagonal(chance) - np.diagonal(product)
        np.fill_diagonal(product, np.diagonal(chance))
    close = np.abs(product - chance).max() <= 1e-14 * chance.max()
    if close:
        return Factors((factor, other_factor), diagonal, np.diagonal(chance).copy())
    return None


def encode(factors: Factors, payoff: Showdown, player: int) -> tuple[Floats, Ints]:
    """Return the numbers and the indices of one player."""
    strengths = [np.asarray(strength, np.float64) for strength in payoff.strengths]
    player_strength = strengths[player]
    other_strength = strengths[1 - player]
    if player == 0:
        amounts = (payoff.win, payoff.tie, payoff.lose)
    else:
        amounts = (-payoff.lose, -payoff.tie, -payoff.win)
    order = np.argsort(other_strength, kind="stable")
    equal = min(len(player_strength), len(other_strength))
    sign = np.sign(player_strength[:equal] - other_strength[:equal])
    width = padded(len(player_strength))
    other_width = padded(len(other_strength))
    numbers = np.zeros(LANES + 3 * width + other_width)
    numbers[:3] = amounts
    numbers[LANES : LANES + len(player_strength)] = factors.factor[player]
    pays = np.where(sign > 0, amounts[0], np.where(sign < 0, amounts[2], amounts[1]))
    numbers[LANES + width : LANES + width + equal] = factors.diagonal[:equal] * pays
    numbers[LANES + 2 * width : LANES + 2 * width + len(other_strength)] = factors.factor[
        1 - player
    ]
    pair = LANES + 2 * width + other_width
    numbers[pair : pair + equal] = factors.same[:equal] * pays
    indices = np.zeros(len(other_strength) + 2 * width, np.int64)
    indices[: len(other_strength)] = order
    weaker = np.searchsorted(other_strength[order], player_strength, side="left")
    not_stronger = np.searchsorted(other_strength[order], player_strength, side="right")
    for part, count in enumerate((weaker, not_stronger)):
        begin = len(other_strength) + part * width
        indices[begin : begin + len(player_strength)] = count
    return numbers, indices


@inline_ir
def showdown_values(payoffs, terminal, reach, start, value, begin, sums):
    """Fill ``value[begin:]`` against ``reach[start:]``; ``sums`` is scratch, one more than the other's hands."""
    numbers = payoffs.numbers
    indices = payoffs.indices
    first = terminal.first_number
    order = terminal.first_index
    width = terminal.width
    others = terminal.others
    win = numbers[first]
    tie = numbers[first + 1]
    lose = numbers[first + 2]
    factor = first + LANES
    equal = first + LANES + width
    other_factor = first + LANES + 2 * width
    weaker = order + others
    not_stronger = order + others + width
    sums[0] = 0.0
    largest = 0.0
    largest_hand = 0
    for k in range(others):
        j = indices[order + k]
        term = numbers[other_factor + j] * reach[start + j]
        sums[k + 1] = sums[k] + term
        if term > largest:
            largest = term
            largest_hand = j
    for i in range(width):
        below = sums[indices[weaker + i]]
        level = sums[indices[not_stronger + i]]
        mean = win * below + tie * (level - below) + lose * (sums[others] - level)
        value[begin + i] = terminal.scale * (
            numbers[factor + i] * mean + numbers[equal + i] * reach[start + i]
        )
    if largest > _NEARLY_ALL * sums[others] and largest_hand < width:
        i = largest_hand
        mean = 0.0
        for k in range(others):
            j = indices[order + k]
            if j != i:
                amount = lose
                if k < indices[weaker + i]:
                    amount = win
                elif k < indices[not_stronger + i]:
                    amount = tie
                mean += amount * (numbers[other_factor + j] * reach[start + j])
        pair = other_factor + (others + LANES - 1) // LANES * LANES
        value[begin + i] = terminal.scale * (
            numbers[factor + i] * mean + numbers[pair + i] * reach[start + i]
        )
