"""Hands that are given buckets: the clusters of their features, from the weakest to the strongest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from .features import Features
from .k_means import Singles, assign_points, find_clusters


@dataclass(frozen=True, eq=False)
class Clustering:
    """Buckets of a street, numbered by the mean equity of their hands.

    Attributes
    ----------
    centres : float32 array, shape (buckets, dimensions)
        The centre of each.
    position : float64 array, shape (buckets,)
        The mean equity of the hands of each, in ascending order.
    distance : {MANHATTAN, EUCLIDEAN}
        How far a hand is from a centre.
    """

    centres: Singles
    position: Floats
    distance: int

    @property
    def count(self) -> int:
        """How many buckets there are."""
        return len(self.centres)

    def assign(self, points: Singles) -> NDArray[np.int32]:
        """Return the bucket of hands with these features, shape (points,)."""
        return assign_points(points, self.centres, distance=self.distance)[0]


def cluster_hands(
    points: Singles,
    weights: Floats,
    equities: Floats,
    *,
    count: int,
    features: Features,
    seed: int,
    say: Callable[[str], None] = lambda text: None,
) -> Clustering:
    """Return the buckets of hands with these features, weights and equities; fewer than asked for where few differ."""
    clusters = find_clusters(
        points, weights, count, distance=features.distance, seed=seed, say=say
    ).centres
    labels, _ = assign_points(points, clusters, distance=features.distance)
    mass = np.bincount(labels, weights, len(clusters))
    won = np.bincount(labels, weights * equities, len(clusters))
    is_used = mass > 0
    centres = clusters[is_used]
    position = won[is_used] / mass[is_used]
    order = np.argsort(position, kind="stable")
    return Clustering(centres[order], position[order], features.distance)
