"""Clusters of points: starts by their chances, iterations by a plain loop, the same labels on any number of cores."""

import numpy as np
import pytest

from equilibrist.poker.buckets import k_means
from equilibrist.poker.buckets.k_means import (
    EUCLIDEAN,
    LEAST_GAIN,
    MANHATTAN,
    assign_points,
    choose_starts,
    find_clusters,
)


def best_split(points, weights):
    """Return the least mean square distance of numbers from the centres of two clusters, by all splits."""
    order = np.argsort(points)
    least = np.inf
    for cut in range(1, len(points)):
        total = 0.0
        for part in (order[:cut], order[cut:]):
            mean = np.average(points[part], weights=weights[part])
            total += weights[part] @ (points[part] - mean) ** 2
        least = min(least, total)
    return least / weights.sum()


@pytest.mark.parametrize("seed", range(3))
def test_two_clusters_of_numbers_are_the_best_ones(seed):
    source = np.random.default_rng(seed)
    numbers = np.concatenate([source.normal(0, 1, 20), source.normal(6, 1, 10)])
    weights = source.random(30)
    found = find_clusters(
        numbers.astype(np.float32)[:, None], weights, 2, distance=EUCLIDEAN, seed=seed
    )
    assert found.distance == pytest.approx(best_split(numbers, weights), rel=1e-5)


def test_a_weight_is_how_often_a_point_is_there():
    source = np.random.default_rng(0)
    points = source.random((40, 3), np.float32)
    times = source.integers(1, 4, 40)
    once = find_clusters(points, times.astype(float), 40, distance=MANHATTAN, seed=0)
    often = find_clusters(
        np.repeat(points, times, axis=0), np.ones(times.sum()), 40, distance=MANHATTAN, seed=0
    )
    assert once.distance == often.distance == 0.0
    assert len(once.centres) == 40


@pytest.mark.parametrize("distance", [MANHATTAN, EUCLIDEAN])
def test_the_nearest_centre_is_that_of_all_distances(distance):
    source = np.random.default_rng(2)
    points = source.random((37, 5), np.float32)
    centres = source.random((4, 5), np.float32)
    labels, gaps = assign_points(points, centres, distance=distance)
    difference = np.abs(points[:, None].astype(float) - centres)
    known = (difference**distance).sum(axis=2)
    assert np.array_equal(labels, known.argmin(axis=1))
    assert np.allclose(gaps, known.min(axis=1), atol=1e-6)


def test_points_that_are_equal_make_one_cluster():
    points = np.repeat(np.array([[1.0], [2.0]], np.float32), 5, axis=0)
    found = find_clusters(points, np.ones(10), 6, distance=EUCLIDEAN, seed=0)
    assert sorted(found.centres.ravel().tolist()) == [1.0, 2.0]


# --- starts ---


def test_starts_are_drawn_by_weight_times_distance():
    """How often each pair of starts is drawn, against its chance, within five standard errors."""
    points = np.array([[0.0], [1.0], [3.0], [3.5]], np.float32)
    weights = np.array([1.0, 2.0, 0.0, 4.0])
    draws = 1500
    drawn = [
        choose_starts(points, weights, 2, distance=MANHATTAN, seed=seed)[:, 0].tolist()
        for seed in range(draws)
    ]
    for first, own in enumerate(points[:, 0].tolist()):
        shares = weights * np.abs(points[:, 0] - own)
        for second, other in enumerate(points[:, 0].tolist()):
            chance = weights[first] / weights.sum() * shares[second] / shares.sum()
            error = np.sqrt(chance * (1 - chance) / draws)
            assert drawn.count([own, other]) / draws == pytest.approx(chance, abs=5 * error)


def test_a_third_start_is_drawn_by_the_distance_from_the_nearest_of_two():
    """Of four points at two places, two starts leave nothing; of three places, the third is the last."""
    points = np.array([[0.0], [0.0], [1.0], [1.0], [5.0]], np.float32)
    for seed in range(20):
        starts = choose_starts(points, np.ones(5), 3, distance=EUCLIDEAN, seed=seed)
        assert sorted(starts[:, 0].tolist()) == [0.0, 1.0, 5.0]


@pytest.mark.parametrize(
    ("draw", "number"), [(0.0, 1), (0.24, 1), (0.25, 3), (0.99, 3), (1.0 - 2**-53, 3), (1.0, 3)]
)
def test_no_point_without_weight_is_drawn(draw, number):
    weights = np.array([0.0, 1.0, 0.0, 3.0, 0.0])
    assert k_means._choose_by_weight(weights, draw) == number


# --- iterations ---


def find_plainly(points, weights, centres, distance):
    """Return centres, mean distance and iterations, by loops over points in float64."""
    best, least, last = centres, np.inf, 0
    for iteration in range(1, 51):
        gaps = (np.abs(points[:, None] - centres) ** distance).sum(axis=2)
        label = gaps.argmin(axis=1)
        mean = np.average(gaps.min(axis=1), weights=weights)
        gain = least - mean
        if gain > 0:
            best, least, last = centres, mean, iteration
        if gain <= LEAST_GAIN * mean:
            break
        centres = np.array(
            [
                np.average(points[label == k], axis=0, weights=weights[label == k])
                for k in range(len(centres))
            ]
        )
    return best, least, last


@pytest.mark.parametrize("distance", [MANHATTAN, EUCLIDEAN])
@pytest.mark.parametrize("seed", range(4))
def test_clusters_are_those_of_a_plain_loop(distance, seed):
    source = np.random.default_rng(seed)
    points = source.random((60, 2), np.float32)
    weights = source.random(60) + 0.1
    starts = choose_starts(points, weights, 5, distance=distance, seed=seed)
    told = []
    found = find_clusters(
        points, weights, 5, distance=distance, seed=seed, iterations=50, say=told.append
    )
    centres, least, last = find_plainly(points.astype(float), weights, starts, distance)
    assert np.allclose(found.centres, centres, atol=1e-6)
    assert found.distance == pytest.approx(least, rel=1e-5)
    assert found.iterations == last >= 2
    assert told[0].startswith("iteration 1, mean distance 0.")


def test_no_more_iterations_are_made_than_asked_for():
    points = np.random.default_rng(0).random((60, 2), np.float32)
    found = find_clusters(points, np.ones(60), 5, distance=EUCLIDEAN, seed=0, iterations=2)
    assert found.iterations == 2


def test_a_cluster_without_points_takes_the_farthest_one():
    """Two centres are far from all points; the point at 30 is there no time."""
    points = np.array([[0.0], [1.0], [10.0], [30.0], [20.0]], np.float32)
    weights = np.array([1.0, 2.0, 1.0, 0.0, 1.0])
    centres = np.array([[500.0], [0.0], [600.0]], np.float32)
    labels, gaps = assign_points(points, centres, distance=MANHATTAN)
    means = k_means._find_means(points, weights, labels, gaps, centres)
    assert means.dtype == np.float32
    assert means.ravel().tolist() == [20.0, pytest.approx(32 / 5), 10.0]


@pytest.mark.parametrize("threads", [1, 3])
def test_chunks_and_threads_change_no_label(monkeypatch, threads):
    """Points that differ from one count to the next: memory that was freed holds no right answers."""
    source = np.random.default_rng(threads)
    points = source.random((100, 3), np.float32)
    centres = source.random((7, 3), np.float32)
    squares = ((points[:, None].astype(float) - centres) ** 2).sum(axis=2)
    monkeypatch.setattr(k_means, "CHUNK", 16)
    monkeypatch.setattr(k_means, "cores", lambda: threads)
    labels, gaps = assign_points(points, centres, distance=EUCLIDEAN)
    assert np.array_equal(labels, squares.argmin(axis=1))
    assert np.allclose(gaps, squares.min(axis=1), atol=1e-6)
