"""What tells hands apart before they are put into buckets: features, made of what hands come to on run-outs.

A feature is data: how far two hands are apart, and a function from the run-outs of a board to the
numbers of each hand.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled
from ..._util.arrays import Floats, Ints
from ..._util.names import canonical_name
from ...errors import GameError
from .k_means import EUCLIDEAN, MANHATTAN, Singles
from .outcomes import NO_EQUITY, Outcomes

BINS = 50
"""Bins of a histogram of equities."""
OPPONENT_CLUSTERS = 8
"""Clusters of the other player's hands against which the strength of a hand is told."""
DECIMALS = 6
"""Digits of features: hands that differ by suits alone have the same features to all of these."""

FeatureFunction = Callable[[Floats, Floats], NDArray[Any]]
"""A function of the equities and the weights of run-outs, shape (run-outs, hands) both, that returns
the numbers of each hand, shape (hands, dimensions)."""


@dataclass(frozen=True, slots=True)
class Features:
    """What tells hands apart.

    Attributes
    ----------
    name : str
        As users write it.
    distance : {MANHATTAN, EUCLIDEAN}
        How far two hands are apart.
    describe : function
        Returns the numbers of each hand, shape (hands, dimensions), of the :class:`Outcomes` on the
        run-outs of a board: a list, against the whole range of the other player, or against each
        cluster of it.
    needs_clusters : bool
        Whether outcomes are those against clusters of the other player's hands.
    needs_next_street : bool
        Whether the numbers are those of the buckets of the next street, not of run-outs.
    """

    name: str
    distance: int
    describe: Callable[[list[Outcomes]], Floats]
    needs_clusters: bool = False
    needs_next_street: bool = False


def mean_equities(outcomes: Outcomes) -> Floats:
    """Return the equity of each hand over the run-outs of a board, shape (hands,): by their weights."""
    weight = outcomes.weight.sum(axis=0)
    won = (outcomes.equity * outcomes.weight).sum(axis=0)
    equity = np.full(len(weight), NO_EQUITY)
    np.divide(won, weight, out=equity, where=weight > 0)
    return equity


def describe_by_equity(outcomes: list[Outcomes]) -> Floats:
    """Return the equity of each hand, shape (hands, 1)."""
    return mean_equities(outcomes[0])[:, None]


def describe_by_histogram(outcomes: list[Outcomes]) -> Floats:
    """Return how the equity of each hand is distributed over the run-outs, shape (hands, bins).

    Of the chance that the equity is at most x, the integral over each bin. The Manhattan distance of
    two hands is then the earth mover's distance of their distributions, in shares of the pot, but
    for what changes sign within a bin.
    """
    equity, weight = outcomes[0]
    steps = np.zeros((equity.shape[1], BINS + 1))
    add_steps(equity, weight, steps)
    below = np.cumsum(steps[:, :BINS], axis=1)
    total = weight.sum(axis=0)[:, None]
    np.divide(below, total, out=below, where=total > 0)
    return np.asarray(below / BINS)


def describe_by_strength(outcomes: list[Outcomes]) -> Floats:
    """Return the equity of each hand against each cluster of the other's hands, shape (hands, clusters)."""
    return np.stack([mean_equities(against) for against in outcomes], axis=1)


def describe_by_buckets(bucket: Ints, weight: Floats, position: Floats) -> Floats:
    """Return how the buckets of the next street are distributed for each hand, shape (hands, buckets - 1).

    ``bucket`` and ``weight`` say where each hand goes on each board of the next street, shape
    (boards, hands), ``position`` is the mean equity of each bucket, in ascending order. Of the chance
    of a bucket up to each, times the equity from there to the next: the Manhattan distance is the
    earth mover's distance where buckets are as far apart as their equities.
    """
    buckets = len(position)
    hands = weight.shape[1]
    place = np.arange(hands) * buckets + bucket
    chance = np.bincount(place.ravel(), weight.ravel(), hands * buckets).reshape(hands, buckets)
    total = weight.sum(axis=0)[:, None]
    np.divide(chance, total, out=chance, where=total > 0)
    up_to = np.cumsum(chance, axis=1)[:, :-1]
    return np.asarray(up_to * np.diff(position))


@compiled(allocates=False, nogil=True)
def add_steps(equity, weight, steps):
    """Add, for each hand, how the integrals over bins rise at the equity of each run-out, in place.

    In the bin of an equity lies the share of the bin above it, and in later ones all of the weight.
    ``equity`` and ``weight`` have shape (run-outs, hands), ``steps`` has shape (hands, bins + 1).
    """
    bins = steps.shape[1] - 1
    for run_out in range(len(equity)):
        for hand in range(len(steps)):
            place = equity[run_out, hand] * bins
            first = min(int(place), bins - 1)
            share = first + 1 - place
            steps[hand, first] += weight[run_out, hand] * share
            steps[hand, first + 1] += weight[run_out, hand] * (1 - share)


def make_features(features: str | FeatureFunction) -> Features:
    """Return the features that a user names, or those of a function.

    Raises
    ------
    GameError
        There are none of that name.
    """
    if callable(features):
        return _make_own(features)
    name, _ = canonical_name("kind of features", features, {}, FEATURES, ALIASES, GameError)
    return FEATURES[name]


def _make_own(function: FeatureFunction) -> Features:
    """Return the features that a function tells, which are checked."""
    name = getattr(function, "__name__", type(function).__name__)

    def describe(outcomes: list[Outcomes]) -> Floats:
        numbers = np.asarray(function(*outcomes[0]), np.float64)
        hands = outcomes[0].equity.shape[1]
        if numbers.ndim != 2 or len(numbers) != hands or not np.isfinite(numbers).all():
            raise GameError(
                f"The features {name!r} must be finite numbers of shape ({hands}, dimensions), a row "
                f"for each hand; got an array of shape {numbers.shape}.",
                wrong_use=True,
                field="features",
            )
        return numbers

    return Features(name, EUCLIDEAN, describe)


def round_features(numbers: Floats) -> Singles:
    """Return features to so many digits that suits alone make no difference, float32."""
    return np.round(numbers, DECIMALS).astype(np.float32)


FEATURES = {
    "equity": Features("equity", EUCLIDEAN, describe_by_equity),
    "histogram": Features("histogram", MANHATTAN, describe_by_histogram),
    "strength against opponents' clusters": Features(
        "strength against opponents' clusters",
        EUCLIDEAN,
        describe_by_strength,
        needs_clusters=True,
    ),
    "potential": Features("potential", MANHATTAN, describe_by_equity, needs_next_street=True),
}
"""What users can name."""
ALIASES = {
    "ev": "equity",  # of a pot that is checked down
    "ochs": "strength against opponents' clusters",
    "strength": "strength against opponents' clusters",
}
"""What else they are called."""
