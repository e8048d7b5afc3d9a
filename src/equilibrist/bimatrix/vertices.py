"""All vertices of a polytope {z ≥ 0, R z ≤ 1}, in whole numbers, by the double description method.

Motzkin, Raiffa, Thompson & Thrall 1953; the test of adjacency is that of Fukuda & Prodon 1996,
"Double description method revisited". No number is rounded, and degenerate polytopes need no
special care.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb, gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Ints

Wholes = NDArray[Any]
"""An array of dtype object, whose entries are whole numbers of any length."""
Flags = NDArray[np.bool_]

_MOST_PAIRS = 4_000_000
"""Of vertices that are compared in one step: some dozens of megabytes."""


class Vertices(NamedTuple):
    """The vertices of a polytope {z ≥ 0, R z ≤ 1}.

    Attributes
    ----------
    points : object array, shape (vertices, 1 + dimension)
        Whole numbers without a common divisor: a denominator above 0, then the numerator of each
        coordinate.
    is_tight : bool array, shape (vertices, dimension + rows)
        Which of the inequalities hold with equality: those of z ≥ 0, then those of R.
    """

    points: Wholes
    is_tight: Flags

    @property
    def is_degenerate(self) -> bool:
        """Whether more inequalities are tight at a vertex than there are dimensions."""
        dimension = self.points.shape[1] - 1
        return bool((self.is_tight.sum(axis=1) > dimension).any())


def most_vertices(dimension: int, inequalities: int) -> int:
    """Return the most vertices of a polytope, by the upper bound theorem (McMullen 1970).

    Examples
    --------
    >>> most_vertices(2, 5), most_vertices(3, 6)
    (5, 8)
    """
    spare = inequalities - dimension
    half = dimension // 2
    other_half = dimension - half
    return comb(spare + half, half) + comb(spare + other_half - 1, other_half - 1)


def list_vertices(
    rows: Sequence[Sequence[int]], say: Callable[[int, int], object] = lambda row, count: None
) -> Vertices:
    """Return all vertices of a polytope {z ≥ 0, R z ≤ 1} whose R has no negative entry.

    Parameters
    ----------
    rows : sequence of sequence of int, shape (rows, dimension)
        R. The first row is positive, by which the polytope is bounded.
    say : callable, optional
        Called with the number of a row, before its inequality is added, and how many vertices there
        are.

    Notes
    -----
    With z₀ before its coordinates, a vertex is a ray of the cone {z ≥ 0, R z ≤ z₀}. The cone of the
    first row has 1 + dimension rays. Each further row cuts off the rays r with row · r > r₀. On
    each edge between a ray p that stays and a ray q that is cut off, the new ray is slack(p) q −
    slack(q) p. Two rays bound an edge if no third ray is tight wherever both are.

    The cost of a row is (rays that stay) × (rays that are cut off) × (inequalities) operations of
    floating point, which only count, and some operations on long whole numbers for each new ray.

    Examples
    --------
    >>> triangle = list_vertices([[1, 2]])
    >>> [list(map(int, point)) for point in triangle.points]
    [[1, 0, 0], [1, 1, 0], [2, 0, 1]]
    """
    matrix = np.array(rows, dtype=object)
    num_rows, dimension = matrix.shape
    rays = np.zeros((1 + dimension, 1 + dimension), dtype=object)
    rays[0, 0] = 1
    is_tight = np.zeros((1 + dimension, dimension + num_rows), dtype=bool)
    is_tight[:, :dimension] = True
    for axis, entry in enumerate(matrix[0].tolist()):
        rays[1 + axis, 0] = entry
        rays[1 + axis, 1 + axis] = 1
        is_tight[1 + axis, axis] = False
        is_tight[1 + axis, dimension] = True
    for number in range(1, num_rows):
        say(number, len(rays))
        rays, is_tight = _add_inequality(rays, is_tight, matrix[number], dimension + number)
    return Vertices(rays, is_tight)


def _add_inequality(
    rays: Wholes, is_tight: Flags, row: Wholes, column: int
) -> tuple[Wholes, Flags]:
    """Return the rays of a cone within a further inequality row · z ≤ z₀, with what is tight."""
    slack = rays[:, 0] - rays[:, 1:] @ row
    is_tight[:, column] = slack == 0
    is_cut = slack < 0
    if not is_cut.any():
        return rays, is_tight
    staying = np.flatnonzero(slack > 0)
    cut = np.flatnonzero(is_cut)
    dimension = rays.shape[1] - 1
    pairs = _find_edges(is_tight, staying, cut, dimension)
    inside = staying[pairs[:, 0]]
    outside = cut[pairs[:, 1]]
    new_rays = slack[inside, None] * rays[outside] - slack[outside, None] * rays[inside]
    # Not np.gcd, which loses an interrupt (Ctrl-C) that is heard within it.
    divisors = [gcd(*ray) for ray in new_rays.tolist()]
    new_rays //= np.array(divisors, dtype=object)[:, None]
    new_tight = is_tight[inside] & is_tight[outside]
    new_tight[:, column] = True
    kept_rays = rays[~is_cut]
    kept_tight = is_tight[~is_cut]
    return np.concatenate([kept_rays, new_rays]), np.concatenate([kept_tight, new_tight])


def _find_edges(is_tight: Flags, first: Ints, second: Ints, dimension: int) -> Ints:
    """Return which rays of ``first`` and ``second`` bound an edge together, as pairs of places.

    Where exactly as many inequalities are tight at a ray as there are dimensions, all but one of
    these hold on an edge from that ray: whoever shares them is at its other end. Only where both
    rays have more, third rays are looked at.
    """
    counts = is_tight.astype(np.float32)
    is_simple = is_tight.sum(axis=1) == dimension
    counts_of_second = counts[second].T
    all_pairs = [np.zeros((0, 2), np.int64)]
    for block in _cut_into_blocks(len(first), len(second)):
        num_shared = counts[first[block]] @ counts_of_second
        pairs = np.argwhere(num_shared >= dimension - 1)
        pairs[:, 0] += block.start
        inside = first[pairs[:, 0]]
        outside = second[pairs[:, 1]]
        is_edge = is_simple[inside] | is_simple[outside]
        open_pairs = np.flatnonzero(~is_edge)
        is_edge[open_pairs] = _is_edge(is_tight, counts, inside[open_pairs], outside[open_pairs])
        all_pairs.append(pairs[is_edge])
    return np.concatenate(all_pairs)


def _is_edge(is_tight: Flags, counts: NDArray[np.float32], first: Ints, second: Ints) -> Flags:
    """Return for each pair of rays whether no third ray is tight wherever both are."""
    shared = is_tight[first] & is_tight[second]
    num_shared = shared.sum(axis=1)
    is_edge = np.zeros(len(first), dtype=bool)
    for block in _cut_into_blocks(len(first), len(counts)):
        num_held = shared[block].astype(np.float32) @ counts.T
        num_holders = (num_held == num_shared[block, None]).sum(axis=1)
        is_edge[block] = num_holders == 2
    return is_edge


def _cut_into_blocks(count: int, width: int) -> Iterator[slice]:
    """Yield slices of so many rows, each with a bounded number of pairs with all columns."""
    step = max(1, _MOST_PAIRS // max(width, 1))
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def find_covers(missing: Flags, is_tight: Flags) -> Ints:
    """Return which rows of ``is_tight`` hold all that a row of ``missing`` says, as pairs.

    A row that holds just as many as are missing must be equal, which a dictionary finds; rows that
    hold more, of which nondegenerate polytopes have none, are compared one by one.
    """
    num_missing = missing.sum(axis=1)
    num_tight = is_tight.sum(axis=1)
    all_pairs = [np.zeros((0, 2), np.int64)]
    for count in np.unique(num_missing).tolist():
        lacking = np.flatnonzero(num_missing == count)
        equal = np.flatnonzero(num_tight == count)
        larger = np.flatnonzero(num_tight > count)
        for candidates, find_pairs in ((equal, _find_equal), (larger, _find_larger)):
            pairs = find_pairs(missing[lacking], is_tight[candidates])
            all_pairs.append(np.stack([lacking[pairs[:, 0]], candidates[pairs[:, 1]]], axis=1))
    return np.concatenate(all_pairs)


def _find_equal(first: Flags, second: Flags) -> Ints:
    """Return the pairs of equal rows."""
    places: dict[bytes, list[int]] = {}
    for place, row in enumerate(np.packbits(second, axis=1)):
        places.setdefault(row.tobytes(), []).append(place)
    pairs = [
        (number, place)
        for number, row in enumerate(np.packbits(first, axis=1))
        for place in places.get(row.tobytes(), ())
    ]
    return np.array(pairs, np.int64).reshape(-1, 2)


def _find_larger(missing: Flags, is_tight: Flags) -> Ints:
    """Return the pairs in which the second row holds all that the first one says."""
    all_pairs = [np.zeros((0, 2), np.int64)]
    num_missing = missing.sum(axis=1)
    counts = is_tight.astype(np.float32)
    for block in _cut_into_blocks(len(missing), len(is_tight)):
        num_held = missing[block].astype(np.float32) @ counts.T
        pairs = np.argwhere(num_held == num_missing[block, None])
        pairs[:, 0] += block.start
        all_pairs.append(pairs)
    return np.concatenate(all_pairs)
