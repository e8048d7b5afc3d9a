"""Linear programmes in fractions: the simplex method from a basis that floating point names.

A basis that HiGHS names is the optimum nearly always, and nothing is to be done but to solve its linear system. Where
it is not, pivots lead to the optimum: the variable that gains most enters (while nothing is gained, the first that
would, which cannot circle: Bland 1977), and the first that reaches its bound leaves. A basis some of whose variables
are below 0 is led to one without (phase 1).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from ..errors import LinearProgramError
from .sparse_exact import IntegerMatrix, Objects, RationalVector, factor, solve

_MOST_PIVOTS = 10_000
_POSITIVE = 1e-9  # what is more in floating point is taken for positive


class Programme(NamedTuple):
    """Maximise one variable subject to equations in integers.

    Attributes
    ----------
    matrix : IntegerMatrix, shape (equations, variables)
        Its rows are independent. Taken in the opposite order, its columns should give factors that are sparse.
    right : array of int, shape (equations,)
    is_free : bool array, shape (variables,)
        Whether a variable may be negative.
    goal : int
        The variable that is maximised, which is free.
    """

    matrix: IntegerMatrix
    right: Objects
    is_free: NDArray[np.bool_]
    goal: int

    def choose_basis(self, point: Floats) -> Ints:
        """Return as many independent variables as there are equations.

        Those that are free, and those that are positive at a point in floating point, come first.
        """
        comes_first = self.is_free | (point > _POSITIVE)
        variables = np.arange(self.matrix.columns)
        order = np.lexsort((-variables, ~comes_first))
        basis = np.sort(factor(self.matrix, order).column)[::-1]
        if len(basis) < self.matrix.rows:
            raise LinearProgramError("No proof was found: the equations depend on each other.")
        return basis.copy()

    def solve(self, basis: Ints) -> RationalVector:
        """Return what the variables of a basis are where all others are 0."""
        return solve(self.matrix.take(basis), self.right)

    def is_feasible(self, basis: Ints, value: RationalVector) -> bool:
        """Return whether no variable of a basis is negative that may not be."""
        return not ((value.numerators < 0) & ~self.is_free[basis]).any()


def maximise(
    programme: Programme, basis: Ints, say: Callable[[str], object] = lambda text: None
) -> tuple[Ints, RationalVector]:
    """Return an optimal basis, reached by pivots from another, and the variables of it.

    Raises
    ------
    LinearProgramError
        There is no optimum, or it needs more than 10,000 pivots.
    """
    basis = basis.copy()
    stalled = False
    for pivots in range(_MOST_PIVOTS):
        if pivots:
            say(f"{pivots:,} pivots")
        value = programme.solve(basis)
        is_below = (value.numerators < 0) & ~programme.is_free[basis]
        entering = _find_entering(programme, basis, is_below, first=stalled)
        if entering is None:
            if is_below.any():
                raise LinearProgramError("No proof was found: no point fulfils the equations.")
            return basis, value
        variable, sign = entering
        direction = solve(programme.matrix.take(basis), sign * programme.matrix.column(variable))
        leaving, step = _find_leaving(programme, basis, value, is_below, direction)
        stalled = step == 0
        basis[leaving] = variable
        basis = np.sort(basis)[::-1]
    raise LinearProgramError(
        f"No proof was found: the optimum is more than {_MOST_PIVOTS:,} pivots away."
    )


def _find_entering(
    programme: Programme, basis: Ints, is_below: NDArray[np.bool_], *, first: bool
) -> tuple[int, int] | None:
    """Return the variable that enters and the sign of its change, or None at an optimum.

    As long as variables are below their bound, their sum is what is to grow.
    """
    gain = np.zeros(programme.matrix.columns, dtype=object)
    if is_below.any():
        gain[basis[is_below]] = 1
    else:
        gain[programme.goal] = 1
    prices = _solve_transposed(programme.matrix.take(basis), gain[basis])
    reduced_gain = gain * prices.denominator - programme.matrix.multiply_rows(prices.numerators)
    reduced_gain[basis] = 0
    size = np.where(programme.is_free, abs(reduced_gain), reduced_gain)
    candidates = np.flatnonzero(size > 0)
    if len(candidates) == 0:
        return None
    variable = candidates[0]
    if not first:
        variable = candidates[np.argmax(size[candidates])]
    if reduced_gain[variable] > 0:
        return int(variable), 1
    return int(variable), -1


def _solve_transposed(matrix: IntegerMatrix, right: Objects) -> RationalVector:
    """Return the solution of Aᵀ y = b; the rows of A, too, are eliminated from the last to the first."""
    backwards = np.arange(matrix.rows)[::-1]
    solution = solve(matrix.transposed().take(backwards), right)
    return solution._replace(numerators=solution.numerators[::-1])


def _find_leaving(
    programme: Programme,
    basis: Ints,
    value: RationalVector,
    is_below: NDArray[np.bool_],
    direction: RationalVector,
) -> tuple[int, Fraction]:
    """Return the place in the basis of the variable that reaches its bound first, and after which step.

    Of several the one with the least number leaves. Steps are in units of the two denominators.
    """
    falls = ~programme.is_free[basis] & ~is_below & (direction.numerators > 0)
    rises = is_below & (direction.numerators < 0)
    places = np.flatnonzero(falls | rises)
    if len(places) == 0:
        raise LinearProgramError("No proof was found: the optimum has no bound.")
    steps = [
        (Fraction(value.numerators[place], direction.numerators[place]), basis[place], place)
        for place in places
    ]
    step, _, leaving = min(steps)
    return int(leaving), step
