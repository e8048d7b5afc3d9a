"""Sparse linear systems in fractions: elimination modulo a prime, lifted to the digits of the solution.

A matrix of integers is factored once modulo a prime p (left-looking Gaussian elimination, which also
finds independent columns and rows). The solution of A x = b is then found digit after digit in base
p (Dixon 1982, Exact solution of linear equations using p-adic expansions), and its fractions are
reconstructed from the digits. What is returned is checked: the equations hold in integers.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from fractions import Fraction
from math import gcd, isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, inlined
from .._util.arrays import Ints, offsets
from .._util.interrupt import hear_interrupts
from ..errors import LinearProgramError

PRIMES = (2_147_483_647, 2_147_483_629, 2_147_483_587)
"""Below 2³¹, so that products fit into 64 bits. The next is taken where one divides the determinant."""
_FIRST_DIGITS = 8  # of a solution, before it is tried whether they are enough
_MOST_DIGITS = 1 << 15  # a million bits
_WORD = 1 << 62

Objects = NDArray[np.object_]


class IntegerMatrix(NamedTuple):
    """A sparse matrix of integers, column by column.

    Attributes
    ----------
    rows : int
        How many.
    start : array of int64, shape (columns + 1,)
        Where the entries of a column begin.
    row : array of int64, shape (entries,)
        The row of each entry.
    value : array of int, shape (entries,)
        The entries as Python's integers, of any length.
    """

    rows: int
    start: Ints
    row: Ints
    value: Objects

    @property
    def columns(self) -> int:
        return len(self.start) - 1

    def take(self, columns: Ints) -> IntegerMatrix:
        """Return a matrix of some of the columns, in their order."""
        counts = self.start[columns + 1] - self.start[columns]
        start = offsets(counts)
        entries = np.repeat(self.start[columns] - start[:-1], counts) + np.arange(start[-1])
        return IntegerMatrix(self.rows, start, self.row[entries], self.value[entries])

    def column(self, number: int) -> Objects:
        """Return a column with its zeros, shape (rows,)."""
        column = np.zeros(self.rows, dtype=object)
        entries = slice(self.start[number], self.start[number + 1])
        column[self.row[entries]] = self.value[entries]
        return column

    def multiply_rows(self, factors: Objects) -> Objects:
        """Return the sum of the rows, each times its factor, shape (columns,)."""
        return _sum_runs(self.value * factors[self.row], self.start)

    def transposed(self) -> IntegerMatrix:
        """Return the matrix row by row."""
        column = np.repeat(np.arange(self.columns), np.diff(self.start))
        order = np.argsort(self.row, kind="stable")
        start = offsets(np.bincount(self.row, minlength=self.rows))
        return IntegerMatrix(self.columns, start, column[order], self.value[order])


class Factors(NamedTuple):
    """L and U of some columns and rows of a matrix, modulo a prime, in the order of the elimination.

    Attributes
    ----------
    prime : int
    row, column : array of int64, shape (steps,)
        The pivot of each step: as many as the matrix has independent rows.
    inverse : array of int64, shape (steps,)
        1 / pivot.
    lower_start, upper_start : array of int64, shape (steps + 1,)
        Where the entries of a column of L and U begin.
    lower_row : array of int64
        The row of each entry of L, whose diagonal of ones is left out.
    upper_step : array of int64
        The step of each entry of U, whose diagonal is left out.
    lower_value, upper_value : array of int64
        The entries.
    """

    prime: int
    row: Ints
    column: Ints
    inverse: Ints
    lower_start: Ints
    lower_row: Ints
    lower_value: Ints
    upper_start: Ints
    upper_step: Ints
    upper_value: Ints


class RationalVector(NamedTuple):
    """Fractions with a common denominator.

    Attributes
    ----------
    numerators : array of int
    denominator : int
        Positive.
    """

    numerators: Objects
    denominator: int

    def fractions(self) -> list[Fraction]:
        return [Fraction(numerator, self.denominator) for numerator in self.numerators]


def factor(matrix: IntegerMatrix, order: Ints, prime: int = PRIMES[0]) -> Factors:
    """Return the factors of the columns that are independent of those before them in an order."""
    value = (matrix.value % prime).astype(np.int64)
    row_size = np.bincount(matrix.row, minlength=matrix.rows)
    with hear_interrupts():
        fields = _eliminate(matrix.start, matrix.row, value, row_size, order, np.int64(prime))
    return Factors(prime, *fields)


def solve(matrix: IntegerMatrix, right: Objects) -> RationalVector:
    """Return the solution of a square system.

    Columns are eliminated in their order, which should be one in which factors stay sparse.

    Raises
    ------
    LinearProgramError
        The matrix is singular, or the solution has more than a million bits.
    """
    if not right.any():
        return RationalVector(np.zeros(matrix.columns, dtype=object), 1)
    for prime in PRIMES:
        factors = factor(matrix, np.arange(matrix.columns), prime)
        if len(factors.row) == matrix.columns == matrix.rows:
            return _lift(matrix.transposed(), factors, right)
    raise LinearProgramError("No proof was found: a linear system is singular.")


def _lift(by_row: IntegerMatrix, factors: Factors, right: Objects) -> RationalVector:
    """Return the solution of a square system, given row by row, whose factors modulo a prime are there."""
    prime = factors.prime
    residual = right
    value = by_row.value
    row_sums = _sum_runs(abs(value), by_row.start)
    if max(row_sums.max(), abs(right).max()) * prime < _WORD:
        residual = residual.astype(np.int64)
        value = value.astype(np.int64)
    number = np.zeros(by_row.columns, dtype=object)
    digits = 0
    while digits < _MOST_DIGITS:
        block = np.empty((max(_FIRST_DIGITS, digits), by_row.columns), np.int64)
        for digit in block:
            work = (residual % prime).astype(np.int64)
            _solve_in_place(factors, work, digit)
            product = _sum_runs(value * digit[by_row.row], by_row.start)
            residual = (residual - product) // prime
        number = number + prime**digits * _join_digits(block, prime)
        digits += len(block)
        solution = _reconstruct(number, prime**digits)
        if solution is not None:
            product = by_row.multiply_rows(solution.numerators)
            if (product == solution.denominator * right).all():
                return solution
    raise LinearProgramError(
        f"No proof was found: the fractions have more than {_MOST_DIGITS * 31:,} bits."
    )


def _sum_runs(numbers: NDArray[Any], start: Ints) -> NDArray[Any]:
    """Return the sums of consecutive runs, none of which is empty."""
    sums: NDArray[Any] = np.add.reduceat(numbers, start[:-1])
    return sums


def _join_digits(block: Ints, prime: int) -> Objects:
    """Return the numbers whose digits in base ``prime`` are the rows of a block, the lowest first."""
    numbers = block.astype(object)
    base = prime
    while len(numbers) > 1:
        if len(numbers) % 2:
            numbers = np.vstack([numbers, np.zeros_like(numbers[:1])])
        numbers = numbers[::2] + base * numbers[1::2]
        base *= base
    joined: Objects = numbers[0]
    return joined


def _reconstruct(numbers: Objects, modulus: int) -> RationalVector | None:
    """Return numerators and their common denominator, given what they are modulo a number; None if too few digits.

    Once a denominator is found, most other numbers have it too, which a product shows.
    """
    bound = isqrt(modulus // 2)
    denominator = 1
    numerators: list[int] = []
    for number in numbers:
        numerator = _centre(number * denominator, modulus)
        if abs(numerator) > bound:
            ratio = _find_ratio(numerator % modulus, modulus, bound)
            if ratio is None or denominator * ratio[1] > bound:
                return None
            numerator = ratio[0]
            denominator *= ratio[1]
            numerators = [other * ratio[1] for other in numerators]
        numerators.append(numerator)
    return RationalVector(np.array(numerators, dtype=object), denominator)


def _centre(number: int, modulus: int) -> int:
    """Return the remainder between -modulus/2 and modulus/2."""
    remainder = number % modulus
    if remainder > modulus // 2:
        return remainder - modulus
    return remainder


def _find_ratio(number: int, modulus: int, bound: int) -> tuple[int, int] | None:
    """Return n and d of the fraction with |n|, d ≤ bound that is ``number`` modulo ``modulus``, or None."""
    before, after = modulus, number
    d_before, d_after = 0, 1
    while after > bound:
        quotient = before // after
        before, after = after, before - quotient * after
        d_before, d_after = d_after, d_before - quotient * d_after
    if abs(d_after) > bound or gcd(after, d_after) != 1:
        return None
    if d_after < 0:
        return -after, -d_after
    return after, d_after


@compiled(allocates=True)
def _eliminate(start, row, value, row_size, order, prime):
    """Return the fields of :class:`Factors` but the prime.

    Column after column: what earlier pivots make of it is subtracted; of what remains in rows
    without a pivot, the row that is the emptiest in the matrix becomes the next. A column of which
    nothing remains depends on those before.
    """
    rows = len(row_size)
    work = np.zeros(rows, np.int64)
    most = min(rows, len(order))
    pivot_row = np.empty(most, np.int64)
    pivot_column = np.empty(most, np.int64)
    inverse = np.empty(most, np.int64)
    lower_start = np.zeros(most + 1, np.int64)
    upper_start = np.zeros(most + 1, np.int64)
    lower_row = np.empty(len(row) + rows, np.int64)
    lower_value = np.empty(len(row) + rows, np.int64)
    upper_step = np.empty(len(row) + rows, np.int64)
    upper_value = np.empty(len(row) + rows, np.int64)
    steps = 0
    for column in order:
        if steps == most:
            break
        if lower_start[steps] + rows > len(lower_row):
            lower_row = np.concatenate((lower_row, np.empty_like(lower_row)))
            lower_value = np.concatenate((lower_value, np.empty_like(lower_value)))
        if upper_start[steps] + rows > len(upper_step):
            upper_step = np.concatenate((upper_step, np.empty_like(upper_step)))
            upper_value = np.concatenate((upper_value, np.empty_like(upper_value)))
        for entry in range(start[column], start[column + 1]):
            work[row[entry]] = value[entry]
        upper_end = upper_start[steps]
        for step in range(steps):
            factor = work[pivot_row[step]]
            if factor == 0:
                continue
            work[pivot_row[step]] = 0
            upper_step[upper_end] = step
            upper_value[upper_end] = factor
            upper_end += 1
            for entry in range(lower_start[step], lower_start[step + 1]):
                target = lower_row[entry]
                work[target] = (work[target] - factor * lower_value[entry]) % prime
        best = -1
        lower_end = lower_start[steps]
        for candidate in range(rows):
            if work[candidate] != 0:
                lower_row[lower_end] = candidate
                lower_value[lower_end] = work[candidate]
                lower_end += 1
                work[candidate] = 0
                if best < 0 or row_size[candidate] < row_size[lower_row[best]]:
                    best = lower_end - 1
        if best < 0:
            continue
        pivot_row[steps] = lower_row[best]
        pivot_column[steps] = column
        inverse[steps] = _invert(lower_value[best], prime)
        lower_end -= 1
        lower_row[best] = lower_row[lower_end]
        lower_value[best] = lower_value[lower_end]
        for entry in range(lower_start[steps], lower_end):
            lower_value[entry] = lower_value[entry] * inverse[steps] % prime
        steps += 1
        lower_start[steps] = lower_end
        upper_start[steps] = upper_end
    return (
        pivot_row[:steps],
        pivot_column[:steps],
        inverse[:steps],
        lower_start[: steps + 1],
        lower_row[: lower_start[steps]].copy(),
        lower_value[: lower_start[steps]].copy(),
        upper_start[: steps + 1],
        upper_step[: upper_start[steps]].copy(),
        upper_value[: upper_start[steps]].copy(),
    )


@inlined
def _invert(number, prime):
    """Return 1 / number modulo a prime, by Euclid's algorithm."""
    before, after = prime, number
    t_before, t_after = 0, 1
    while after != 0:
        quotient = before // after
        before, after = after, before - quotient * after
        t_before, t_after = t_after, t_before - quotient * t_after
    return t_before % prime


@compiled(allocates=False)
def _solve_in_place(factors, work, solution):
    """Fill ``solution`` in place with that of the factored system modulo the prime.

    ``work`` is the right-hand side, and is lost.
    """
    prime = factors.prime
    row = factors.row
    steps = len(row)
    for step in range(steps):
        factor = work[row[step]]
        if factor != 0:
            for entry in range(factors.lower_start[step], factors.lower_start[step + 1]):
                target = factors.lower_row[entry]
                work[target] = (work[target] - factor * factors.lower_value[entry]) % prime
    for step in range(steps - 1, -1, -1):
        number = work[row[step]] * factors.inverse[step] % prime
        solution[factors.column[step]] = number
        if number != 0:
            for entry in range(factors.upper_start[step], factors.upper_start[step + 1]):
                target = row[factors.upper_step[entry]]
                work[target] = (work[target] - number * factors.upper_value[entry]) % prime
