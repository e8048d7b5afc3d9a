"""Vertices in whole numbers: against the definition, tried on every set of inequalities."""

import random
from fractions import Fraction
from itertools import combinations, product
from math import comb, gcd

import numpy as np
import pytest

from equilibrist.bimatrix.vertices import find_covers, list_vertices, most_vertices
from support.bimatrix_reference import solve_exactly


def vertices_by_definition(rows):
    """Return the points of {z ≥ 0, R z ≤ 1} at which as many inequalities as dimensions determine the point."""
    dimension = len(rows[0])
    unit = [[int(i == k) for k in range(dimension)] for i in range(dimension)]
    inequalities = [(row, 0) for row in unit] + [(row, 1) for row in rows]
    points = set()
    for chosen in combinations(inequalities, dimension):
        point = solve_exactly([row for row, _ in chosen], [right for _, right in chosen])
        if point is None or min(point) < 0:
            continue
        sums = [sum(a * x for a, x in zip(row, point, strict=True)) for row in rows]
        if max(sums) <= 1:
            points.add(point)
    return points


def as_fractions(vertices):
    return [
        tuple(Fraction(number, point[0]) for number in point[1:])
        for point in vertices.points.tolist()
    ]


def random_rows(seed):
    rng = random.Random(seed)
    dimension, count = rng.randint(1, 4), rng.randint(1, 5)
    largest = rng.choice([1, 2, 5, 10**20])
    rows = [[rng.randint(0, largest) for _ in range(dimension)] for _ in range(count)]
    rows[0] = [entry + 1 for entry in rows[0]]
    return rows


def repeated_rows(seed):
    """Return rows that are there twice, then others: at opposite corners of a facet as much is tight as on an edge."""
    rng = random.Random(seed)
    dimension = rng.randint(3, 4)
    first = [[1] * dimension, [rng.choice([0, 1, 3]) for _ in range(dimension)]]
    last = [[rng.randint(0, 4) for _ in range(dimension)] for _ in range(2)]
    return [*first, *first, *last]


@pytest.mark.thinned(60)
@pytest.mark.parametrize(
    "rows", [*map(random_rows, range(40)), *map(repeated_rows, range(20))], ids=str
)
def test_vertices_are_those_of_the_definition(rows):
    dimension = len(rows[0])
    vertices = list_vertices(rows)
    assert all(gcd(*point) == 1 for point in vertices.points.tolist())
    points = as_fractions(vertices)
    assert len(points) == len(set(points))
    assert set(points) == vertices_by_definition(rows)
    for point, is_tight in zip(points, vertices.is_tight.tolist(), strict=True):
        slack = [1 - sum(a * x for a, x in zip(row, point, strict=True)) for row in rows]
        assert is_tight == [number == 0 for number in (*point, *slack)]
    tight = vertices.is_tight.sum(axis=1)
    assert vertices.is_degenerate == bool((tight > dimension).any())


def test_known_polytopes():
    cube = list_vertices([[1, 1, 1, 1], *np.eye(4, dtype=int).tolist()])
    assert len(cube.points) == 5  # the simplex lies within the cube
    for size in (1, 2, 5):
        alike = list_vertices([[1] * size] * 7)
        assert len(alike.points) == 1 + size
        assert alike.is_degenerate


@pytest.mark.parametrize("dimension", [2, 4, 6, 8])
def test_dual_cyclic_polytopes_have_the_most_vertices_that_there_can_be(dimension):
    """All of whose facets meet: the origin is moved to a vertex, and its facets become z ≥ 0."""
    count = 2 * dimension
    curve = [[Fraction(t) ** k for k in range(1, dimension + 1)] for t in range(count)]
    centre = [sum(column) / count for column in zip(*curve, strict=True)]
    facets = [[x - c for x, c in zip(point, centre, strict=True)] for point in curve]
    corner, others = facets[:dimension], facets[dimension:]
    rows = []
    for facet in others:  # 1 − facet · u, as a function of the slacks z of the facets of the corner
        weights = solve_exactly(list(zip(*corner, strict=True)), facet)
        constant = 1 - sum(weights)
        rows.append([-weight / constant for weight in weights])
    least = [min(*column, 0) for column in zip(*rows, strict=True)]
    moved = [[x - low for x, low in zip(row, least, strict=True)] for row in rows]
    scale = np.lcm.reduce(np.array([x.denominator for row in moved for x in row], dtype=object))
    wholes = [[int(x * scale) + 1 for x in row] for row in moved]
    assert len(list_vertices(wholes).points) == most_vertices(dimension, count)


def test_the_upper_bound():
    for sides in range(3, 9):
        assert most_vertices(2, sides) == sides
        assert most_vertices(3, sides + 1) == 2 * sides - 2
    for dimension in range(1, 12):
        assert most_vertices(dimension, dimension + 1) == dimension + 1
        half = dimension // 2
        next_half = dimension + 1 - half
        assert most_vertices(dimension, dimension + 2) == (half + 1) * next_half
    assert most_vertices(12, 24) == 2 * comb(17, 6) == 24_752


def test_progress_is_told():
    told = []
    list_vertices([[2, 1], [1, 2], [1, 1]], lambda row, count: told.append((row, count)))
    assert told == [(1, 3), (2, 4)]


@pytest.mark.parametrize("width", [1, 3, 9])
def test_covers_are_those_of_the_definition(width):
    rng = np.random.default_rng(width)
    missing = rng.random((30, width)) < 0.3
    is_tight = rng.random((40, width)) < 0.6
    expected = {
        (i, j)
        for i, j in product(range(30), range(40))
        if all(is_tight[j][k] for k in range(width) if missing[i][k])
    }
    pairs = find_covers(missing, is_tight).tolist()
    assert len(pairs) == len(expected)
    assert set(map(tuple, pairs)) == expected
