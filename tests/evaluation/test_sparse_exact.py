"""Sparse linear systems in fractions, against FLINT's dense ones; the simplex method, against all bases."""

import os
import random
import signal
import threading
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation.exact_simplex import Programme, maximise
from equilibrist.evaluation.sparse_exact import PRIMES, IntegerMatrix, factor, solve

flint = pytest.importorskip("flint", reason="is the referee")


def make_matrix(rows):
    """Return rows of integers as a sparse matrix."""
    table = np.array(rows, dtype=object)
    entries = [
        (column, row)
        for column in range(table.shape[1])
        for row in range(len(rows))
        if table[row, column]
    ]
    columns, places = (np.array(part, dtype=np.int64) for part in zip(*entries, strict=True))
    start = np.searchsorted(columns, np.arange(table.shape[1] + 1))
    return IntegerMatrix(len(rows), start, places, table[places, columns])


def random_rows(rng, height, width, largest, density):
    """Return rows of integers none of which is 0 throughout, nor any column."""
    while True:
        rows = [
            [rng.randint(-largest, largest) if rng.random() < density else 0 for _ in range(width)]
            for _ in range(height)
        ]
        if all(any(row) for row in rows) and all(any(column) for column in zip(*rows, strict=True)):
            return rows


@pytest.mark.thinned(3)
@pytest.mark.parametrize("largest", [1, 9, 10**6, 10**40])
@pytest.mark.parametrize("density", [0.3, 1.0])
def test_solutions_are_those_of_flint(largest, density):
    rng = random.Random(f"{largest} {density}")
    solved = 0
    for _ in range(40):
        size = rng.randint(1, 12)
        rows = random_rows(rng, size, size, largest, density)
        right = [rng.randint(-largest, largest) for _ in range(size)]
        if flint.fmpz_mat(rows).det() == 0:
            with pytest.raises(eq.SolutionError, match="singular"):
                solve(make_matrix(rows), np.array([1] * size, dtype=object))
            continue
        solution = solve(make_matrix(rows), np.array(right, dtype=object)).fractions()
        expected = flint.fmpq_mat(flint.fmpz_mat(rows)).solve(
            flint.fmpq_mat(size, 1, [flint.fmpq(number) for number in right])
        )
        assert solution == [Fraction(int(x.p), int(x.q)) for x in expected.entries()]
        solved += 1
    assert solved > 5


def test_a_prime_that_divides_the_determinant_is_left_for_the_next():
    rows = [[PRIMES[0], 0], [1, 2]]
    assert solve(make_matrix(rows), np.array([1, 1], dtype=object)).fractions() == [
        Fraction(1, PRIMES[0]),
        (1 - Fraction(1, PRIMES[0])) / 2,
    ]


@pytest.mark.slow
def test_as_many_columns_are_independent_as_flint_says():
    rng = random.Random(0)
    for _ in range(200):
        height = rng.randint(1, 7)
        width = rng.randint(1, 9)
        rows = random_rows(rng, height, width, 1, 0.5)
        factors = factor(make_matrix(rows), np.arange(width))
        rank = flint.fmpz_mat(rows).rank()
        assert len(factors.column) == rank
        chosen = [[row[column] for column in factors.column] for row in rows]
        assert flint.fmpz_mat(chosen).rank() == rank
        square = [chosen[row] for row in factors.row]
        assert flint.fmpz_mat(square).det() != 0


def best_of_all_bases(rows, right):
    """Return the largest last variable over all bases whose other variables are not negative, or None."""
    height = len(rows)
    width = len(rows[0])
    best = None
    for chosen in combinations(range(width), height):
        square = flint.fmpq_mat(
            flint.fmpz_mat([[row[column] for column in chosen] for row in rows])
        )
        if square.det() == 0:
            continue
        solved = square.solve(flint.fmpq_mat(height, 1, [flint.fmpq(number) for number in right]))
        point = dict(
            zip(chosen, [Fraction(int(x.p), int(x.q)) for x in solved.entries()], strict=True)
        )
        goal = point.pop(width - 1, Fraction(0))
        if min(point.values(), default=0) >= 0 and (best is None or goal > best):
            best = goal
    return best


@pytest.mark.parametrize("largest", [1, 5])
def test_the_simplex_method_finds_the_best_basis(largest):
    """In the region Σ x = 1 of a bounded programme, from any basis, degenerate ones included."""
    rng = random.Random(largest)
    optima = 0
    for seed in range(60):
        height = rng.randint(1, 3)
        width = height + rng.randint(1, 3)
        rows = [[1] * width + [0]]
        rows += [[*row, 1] for row in random_rows(rng, 1, width, largest, 0.8)]
        rows += [[*row, 0] for row in random_rows(rng, height - 1, width, largest, 0.8)]
        right = [1] + [0] * (len(rows) - 1)
        if flint.fmpz_mat(rows).rank() < len(rows):
            continue
        is_free = np.array([False] * width + [True])
        programme = Programme(make_matrix(rows), np.array(right, dtype=object), is_free, width)
        basis = programme.choose_basis(np.random.default_rng(seed).random(width + 1) - 0.5)
        expected = best_of_all_bases(rows, right)
        if expected is None:
            with pytest.raises(eq.SolutionError, match="no point fulfils"):
                maximise(programme, basis)
            continue
        basis, value = maximise(programme, basis)
        point = dict(zip(basis.tolist(), value.fractions(), strict=True))
        assert point.get(width, 0) == expected
        optima += 1
    assert optima > 20


def dense(size):
    """Return a matrix without zeros, whose elimination takes a second for each thousand rows."""
    value = np.random.default_rng(0).integers(1, 100, size * size).astype(object)
    start = np.arange(size + 1) * size
    return IntegerMatrix(size, start, np.tile(np.arange(size), size), value)


def test_an_interrupt_within_the_kernel_is_one():
    factor(dense(3), np.arange(3))  # compiled, or loaded
    matrix = dense(1000)
    interrupt = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    interrupt.start()

    def factor_and_wait():
        factor(matrix, np.arange(1000))
        interrupt.join()

    with pytest.raises(KeyboardInterrupt):
        factor_and_wait()
