"""Clusters of weighted points: k-means from seeded starts, by chunks and on all cores, with the same bits always.

SciPy has k-means without weights and without the earth mover's distance, and holds the distances
of all points to all centres; so this one is written here.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled
from ..._util.arrays import Floats
from ..._util.processes import cores

Singles = NDArray[np.float32]
MANHATTAN = 1
"""The distance Σ|x - y|: of cumulated histograms it is the earth mover's distance."""
EUCLIDEAN = 2
"""The distance Σ(x - y)², as k-means has it."""

CHUNK = 16_384
"""Points of a chunk: the sums over chunks are added in their order, whatever thread was done first."""
LEAST_GAIN = 1e-4
"""The share of the mean distance that an iteration must gain for another one."""
TILE = 16


class Clusters(NamedTuple):
    """Centres of clusters, and what they leave.

    Attributes
    ----------
    centres : float32 array, shape (clusters, dimensions)
        The mean of the points of each cluster; as many as asked for, or fewer where there are fewer
        different points.
    distance : float
        The mean distance of points from the centre of their cluster, by weight.
    iterations : int
        How often points were given to clusters.
    """

    centres: Singles
    distance: float
    iterations: int


def find_clusters(
    points: Singles,
    weights: Floats,
    clusters: int,
    *,
    distance: int,
    seed: int,
    iterations: int = 50,
    say: Callable[[str], None] = lambda text: None,
) -> Clusters:
    """Return the centres of clusters of points.

    Parameters
    ----------
    points : float32 array, shape (points, dimensions)
        What is put together.
    weights : float64 array, shape (points,)
        How often each point is there; 0 or more.
    clusters : int
        How many centres.
    distance : {MANHATTAN, EUCLIDEAN}
        How far a point is from a centre.
    seed : int
        Of the starts, which are those of k-means++: each is a point, chosen by weight × distance
        from the starts before.
    iterations : int
        The most iterations.
    say : function
        Is told in a few words how far it is.

    Notes
    -----
    A centre is the mean of its points by either distance. By the Manhattan distance the mean
    distance can rise therefore, as it cannot by the Euclidean; the iterations end there, and the
    best centres are returned. A cluster that is left without points takes the point that is
    farthest from its centre.

    References
    ----------
    Arthur and Vassilvitskii 2007, "k-means++: the advantages of careful seeding". Johanson, Burch,
    Valenzano and Bowling 2013, "Evaluating state-space abstractions in extensive-form games".
    """
    total = float(weights.sum())
    centres = choose_starts(points, weights, clusters, distance=distance, seed=seed)
    best = Clusters(centres, np.inf, 0)
    for iteration in range(1, iterations + 1):
        labels, gaps = assign_points(points, centres, distance=distance)
        mean = float(weights @ gaps.astype(np.float64)) / total
        say(f"iteration {iteration}, mean distance {mean:.6f}")
        gain = best.distance - mean
        if gain > 0:
            best = Clusters(centres, mean, iteration)
        if mean == 0.0 or gain <= LEAST_GAIN * mean:
            break
        centres = _find_means(points, weights, labels, gaps, centres)
    return best


def choose_starts(
    points: Singles, weights: Floats, clusters: int, *, distance: int, seed: int
) -> Singles:
    """Return points to start from, shape (clusters, dimensions): fewer where there are fewer different ones."""
    source = np.random.default_rng(seed)
    chosen = [_choose_by_weight(weights, source.random())]
    _, gaps = assign_points(points, points[chosen], distance=distance)
    while len(chosen) < clusters:
        shares = weights * gaps
        if not shares.any():
            break
        number = _choose_by_weight(shares, source.random())
        chosen.append(number)
        _, new_gaps = assign_points(points, points[[number]], distance=distance)
        np.minimum(gaps, new_gaps, out=gaps)
    return points[chosen].copy()


def _choose_by_weight(weights: Floats, draw: float) -> int:
    """Return the number that a draw from 0 to 1 chooses; never one without weight."""
    sums = np.cumsum(weights)
    number = int(np.searchsorted(sums, draw * sums[-1], side="right"))
    return min(number, int(np.flatnonzero(weights)[-1]))


def assign_points(
    points: Singles, centres: Singles, *, distance: int
) -> tuple[NDArray[np.int32], Singles]:
    """Return the nearest centre of each point, the first of equally near ones, and its distance; shape (points,)."""
    labels = np.empty(len(points), np.int32)
    gaps = np.empty(len(points), np.float32)

    def assign(first: int) -> None:
        chunk = slice(first, first + CHUNK)
        fill_nearest(points[chunk], centres, distance, labels[chunk], gaps[chunk])

    firsts = range(0, len(points), CHUNK)
    threads = min(cores(), len(firsts))
    if threads <= 1:
        for first in firsts:
            assign(first)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(assign, firsts))
    return labels, gaps


def _find_means(
    points: Singles,
    weights: Floats,
    labels: NDArray[np.int32],
    gaps: Singles,
    centres: Singles,
) -> Singles:
    """Return the mean of the points of each cluster; of one without any, the point farthest from its centre."""
    sums = np.zeros(centres.shape)
    counts = np.zeros(len(centres))
    add_points(points, weights, labels, sums, counts)
    means = np.divide(sums, counts[:, None], out=sums, where=counts[:, None] > 0)
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        farthest = np.argsort(-(gaps * (weights > 0)), kind="stable")[: len(empty)]
        means[empty[: len(farthest)]] = points[farthest]
    return np.asarray(means.astype(np.float32))


@compiled(allocates=True, nogil=True)
def fill_nearest(points, centres, distance, labels, gaps):
    """Fill the nearest centre of each point and its distance in place.

    Points are taken sixteen at a time, side by side, so that each distance is added up in the order
    of the dimensions.
    """
    dimensions = points.shape[1]
    tile = np.zeros((dimensions, TILE), np.float32)
    sums = np.empty(TILE, np.float32)
    least = np.empty(TILE, np.float32)
    nearest = np.empty(TILE, np.int32)
    for first in range(0, len(points), TILE):
        count = min(TILE, len(points) - first)
        for lane in range(count):
            for dimension in range(dimensions):
                tile[dimension, lane] = points[first + lane, dimension]
        least[:] = np.inf
        nearest[:] = 0
        for centre in range(len(centres)):
            sums[:] = 0.0
            if distance == 1:
                for dimension in range(dimensions):
                    value = centres[centre, dimension]
                    for lane in range(TILE):
                        sums[lane] += abs(tile[dimension, lane] - value)
            else:
                for dimension in range(dimensions):
                    value = centres[centre, dimension]
                    for lane in range(TILE):
                        gap = tile[dimension, lane] - value
                        sums[lane] += gap * gap
            for lane in range(TILE):
                if sums[lane] < least[lane]:
                    least[lane] = sums[lane]
                    nearest[lane] = centre
        for lane in range(count):
            labels[first + lane] = nearest[lane]
            gaps[first + lane] = least[lane]


@compiled(allocates=False, nogil=True)
def add_points(points, weights, labels, sums, counts):
    """Add each point times its weight to the sums of its cluster, and its weight to the counts, in place.

    In the order of the points: the bits do not depend on the number of threads.
    """
    for point in range(len(points)):
        label = labels[point]
        counts[label] += weights[point]
        for dimension in range(points.shape[1]):
            sums[label, dimension] += weights[point] * points[point, dimension]
