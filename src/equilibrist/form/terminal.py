"""What the ends of a public game pay: to each hand, against all hands of the other player at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import LANES, aligned
from ..game.public import Showdown
from .build_python import offsets

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

DENSE, SHOWDOWN = range(2)
"""The two kinds of payoff: a matrix between the hands, or one pass over the hands in the order of their strength."""

_FEW_PAIRS = 3_500
"""Up to so many pairs of hands the matrix is faster, measured by ``python -m benchmarks.public``."""


class TerminalPayoffs(NamedTuple):
    """Payoffs that public ends refer to by number, each end with a scale of its own.

    What such an end is to player p:

        cf_value[i] = scale · Σ_j chance(i, j) · payoff_p(i, j) · reach[j]        for each hand i, over the other's j

    where chance(i, j) is the probability of the deal and of all public chance before. A *dense* payoff holds the matrix
    chance · payoff. A *sorted* one is a showdown where chance(i, j) = own(i) · other(j), save for i = j, which may be
    anything (the same card): with the other's hands in rising strength and their reach × chance summed up in that
    order, what lies below, level with and above hand i is known from two sums.

    Arrays of a player lie one after the other, each padded to whole lanes; a start says where one begins.

    Attributes
    ----------
    kind : int64 array, shape (payoffs,)
        :data:`DENSE` or :data:`SHOWDOWN`.
    start : int64 array, shape (payoffs, 2)
        Where what belongs to each player begins, in ``numbers``.
    places : int64 array, shape (payoffs, 2)
        The same in ``ranks``, for sorted payoffs.
    numbers : float64 array
        Dense: for each hand of the other, a number for each own hand. Sorted: the amounts for a win, a tie and a loss
        in the first three lanes; then, for each own hand, own(i), and what i = j adds; then, for each of the
        other's hands, other(j).
    ranks : int64 array
        Sorted: the other's hands in rising strength; then, for each own hand, how many of these are weaker, and how
        many are not stronger.
    """

    kind: Whole
    start: Whole
    places: Whole
    numbers: Floats
    ranks: Whole


def padded(size: int) -> int:
    """Return a size in whole lanes."""
    return -(-size // LANES) * LANES


def make_terminal_payoffs(payoffs: list[tuple[Floats, Floats | Showdown]]) -> TerminalPayoffs:
    """Return the arrays of payoffs that are given as (chance, payoff to player 0), matrices of the hands."""
    kinds, numbers, ranks = [], [], []
    for chance, payoff in payoffs:
        factors = _factors(chance) if isinstance(payoff, Showdown) and chance.size > _FEW_PAIRS else None
        kinds.append(DENSE if factors is None else SHOWDOWN)
        for player in range(2):
            if factors is None or not isinstance(payoff, Showdown):
                earned = payoff.matrix() if isinstance(payoff, Showdown) else payoff
                numbers.append(_columns(chance * earned if player == 0 else -(chance * earned).T))
                ranks.append(np.zeros(0, np.int64))
            else:
                own_numbers, own_ranks = _sorted(factors, payoff, player)
                numbers.append(own_numbers)
                ranks.append(own_ranks)
    return TerminalPayoffs(
        kind=np.array(kinds, np.int64),
        start=offsets([len(part) for part in numbers])[:-1].reshape(-1, 2),
        places=offsets([len(part) for part in ranks])[:-1].reshape(-1, 2),
        numbers=aligned(np.concatenate([*numbers, np.zeros(LANES)])),
        ranks=np.concatenate([*ranks, np.zeros(1, np.int64)]),
    )


def _columns(matrix: Floats) -> Floats:
    """Return a matrix column by column, each padded to whole lanes."""
    columns = np.zeros((matrix.shape[1], padded(matrix.shape[0])))
    columns[:, : matrix.shape[0]] = matrix.T
    return columns.reshape(-1)


class _Factors(NamedTuple):
    """chance(i, j) = factor[0](i) · factor[1](j), plus diagonal(i) where i = j."""

    factor: tuple[Floats, Floats]
    diagonal: Floats


def _factors(chance: Floats) -> _Factors | None:
    """Return the factors of a matrix, or None where it is not of this kind."""
    hands, others = chance.shape
    square = hands == others
    apart = chance.copy()
    if square:
        np.fill_diagonal(apart, 0.0)
    if min(hands, others) < 3 or not apart.any():
        return None
    # Of three rows at most one is the hand itself for any column, so that two of them tell the column's factor.
    first, second, _ = np.argsort(-apart.sum(axis=1), kind="stable")[:3]
    shared = (np.arange(others) != first) & (np.arange(others) != second) & (apart[first] > 0) & (apart[second] > 0)
    if not shared.any():
        return None
    common = int(np.flatnonzero(shared)[np.argmax(apart[first][shared])])
    other = apart[first].copy()
    if square:
        other[first] = apart[second, first] * apart[first, common] / apart[second, common]
    best = np.argsort(-other, kind="stable")[:2]  # of two columns at most one is the hand itself
    column = np.where(square & (np.arange(hands) == best[0]), best[1], best[0])
    own = np.divide(apart[np.arange(hands), column], other[column], out=np.zeros(hands), where=other[column] > 0)
    product = np.outer(own, other)
    diagonal = np.zeros(max(hands, others))
    if square:
        diagonal[:hands] = np.diagonal(chance) - np.diagonal(product)
        np.fill_diagonal(product, np.diagonal(chance))
    close = np.abs(product - chance).max() <= 1e-14 * chance.max()
    return _Factors((own, other), diagonal) if close else None


def _sorted(factors: _Factors, payoff: Showdown, player: int) -> tuple[Floats, Whole]:
    """Return the numbers and the ranks of a sorted payoff for one player."""
    strengths = [np.asarray(strength, np.float64) for strength in payoff.strengths]
    own, other = strengths[player], strengths[1 - player]
    amounts = (payoff.win, payoff.tie, payoff.lose) if player == 0 else (-payoff.lose, -payoff.tie, -payoff.win)
    order = np.argsort(other, kind="stable")
    level = min(len(own), len(other))
    sign = np.sign(own[:level] - other[:level])
    width, wide = padded(len(own)), padded(len(other))
    numbers = np.zeros(LANES + 2 * width + wide)
    numbers[:3] = amounts
    numbers[LANES : LANES + len(own)] = factors.factor[player]
    earned = np.where(sign > 0, amounts[0], np.where(sign < 0, amounts[2], amounts[1]))
    numbers[LANES + width : LANES + width + level] = factors.diagonal[:level] * earned
    numbers[LANES + 2 * width : LANES + 2 * width + len(other)] = factors.factor[1 - player]
    ranks = np.zeros(len(other) + 2 * width, np.int64)
    ranks[: len(other)] = order
    weaker = np.searchsorted(other[order], own, side="left")
    not_stronger = np.searchsorted(other[order], own, side="right")
    for part, below in enumerate((weaker, not_stronger)):
        begin = len(other) + part * width
        ranks[begin : begin + len(own)] = below
    return numbers, ranks
