"""All extreme equilibria of a bimatrix game: pairs of vertices of both best-response polytopes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from .normal_form import PayoffTable
from .vertices import Vertices, find_covers, list_vertices

Mixture = tuple[Fraction, ...]
"""The probability of each plan of a player."""


class ExtremePairs(NamedTuple):
    """All extreme equilibria of a bimatrix game.

    Attributes
    ----------
    mixtures : pair of list of Mixture
        Those of each player that belong to an extreme equilibrium, each once.
    pairs : list of (int, int)
        The extreme equilibria: a mixture of player 0 and one of player 1, by their numbers.
    vertices : pair of int
        How many vertices the polytope of each player has, the origin included.
    is_degenerate : bool
        Whether some mixture of k plans has more than k best responses.
    """

    mixtures: tuple[list[Mixture], list[Mixture]]
    pairs: list[tuple[int, int]]
    vertices: tuple[int, int]
    is_degenerate: bool


def list_extreme_pairs(
    payoffs: tuple[PayoffTable, PayoffTable], say: Callable[[str], object]
) -> ExtremePairs:
    """Return all extreme equilibria of a bimatrix game.

    Parameters
    ----------
    payoffs : pair of PayoffTable
        What player 0 is paid (A), and what player 1 is paid (B).
    say : callable
        Called with a short text now and then.

    Notes
    -----
    With payoffs made positive, P = {x ≥ 0, Bᵀ x ≤ 1} and Q = {y ≥ 0, A y ≤ 1}. A plan is a label of
    x where it is not played in x, or is a best response to x; likewise of y. A pair of vertices
    other than (0, 0) whose labels are all plans of both players is an equilibrium, scaled to sums
    of 1, and the extreme equilibria are these (Mangasarian 1964; von Stengel 2002, "Computing
    equilibria for two-person games").
    """
    first_payoffs, second_payoffs = payoffs
    first = _list_polytope(list(zip(*second_payoffs, strict=True)), 0, say)
    second = _list_polytope(first_payoffs, 1, say)
    say(f"Comparing {len(first.points):,} × {len(second.points):,} vertices")
    num_second = second.points.shape[1] - 1
    # Labels in one order: plans of player 0, then those of player 1.
    first_labels = first.is_tight
    second_labels = np.roll(second.is_tight, -num_second, axis=1)
    first_mixed = np.flatnonzero(first.points[:, 1:].any(axis=1))
    second_mixed = np.flatnonzero(second.points[:, 1:].any(axis=1))
    covers = find_covers(~first_labels[first_mixed], second_labels[second_mixed])
    first_numbers = first_mixed[covers[:, 0]]
    second_numbers = second_mixed[covers[:, 1]]
    first_used, first_places = np.unique(first_numbers, return_inverse=True)
    second_used, second_places = np.unique(second_numbers, return_inverse=True)
    return ExtremePairs(
        mixtures=(_scale(first, first_used.tolist()), _scale(second, second_used.tolist())),
        pairs=list(zip(first_places.tolist(), second_places.tolist(), strict=True)),
        vertices=(len(first.points), len(second.points)),
        is_degenerate=first.is_degenerate or second.is_degenerate,
    )


def _list_polytope(payoffs: PayoffTable, player: int, say: Callable[[str], object]) -> Vertices:
    """Return the vertices of a player's polytope, from a row for each plan of the opponent."""
    rows = _make_positive(payoffs)

    def tell(row: int, count: int) -> None:
        say(
            f"Vertices of player {player}'s polytope: {count:,}, with {row} of {len(rows)} plans "
            "of the opponent"
        )

    return list_vertices(rows, tell)


def _make_positive(payoffs: PayoffTable) -> list[list[int]]:
    """Return payoffs as small whole numbers above 0, which leave all best responses what they are.

    In each column, where the other player's plan is fixed, the least payoff is subtracted; all of
    them are then multiplied by the same number, and 1 is added.
    """
    least = [min(column) for column in zip(*payoffs, strict=True)]
    above = [[x - low for x, low in zip(row, least, strict=True)] for row in payoffs]
    denominator = lcm(*(x.denominator for row in above for x in row))
    wholes = [[int(x * denominator) for x in row] for row in above]
    divisor = gcd(*(whole for row in wholes for whole in row)) or 1
    return [[whole // divisor + 1 for whole in row] for row in wholes]


def _scale(vertices: Vertices, numbers: list[int]) -> list[Mixture]:
    """Return some vertices as mixtures, whose probabilities sum to 1."""
    mixtures = []
    for number in numbers:
        weights = vertices.points[number, 1:].tolist()
        total = sum(weights)
        mixtures.append(tuple(Fraction(weight, total) for weight in weights))
    return mixtures
