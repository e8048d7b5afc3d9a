"""Equilibria of two-player zero-sum games in fractions: HiGHS names a basis, and FLINT solves it.

For each player the linear programme of :mod:`.linear_program` is solved in floating point. What is positive there is
taken for what is positive in the optimum, and the linear system of these is solved in fractions. Two plans whose
guarantees are minus each other are an equilibrium, whoever named them: that is the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.optimize import linprog
from scipy.sparse import csr_array

from .._util.arrays import Floats, Ints
from .._util.text import install_command
from ..errors import AlgorithmError, GameTooLargeError, LinearProgramError
from .rational import RationalGame

MOST_ROWS = 6_000
"""Of a linear system in fractions: a minute or two, and some gigabytes."""
_POSITIVE = 1e-9  # what is more is taken for positive
_RANK = 1e-9  # of the largest pivot: what is less is rounding


class _Programme(NamedTuple):
    """The programme of a player: maximise the root's value subject to rows of equations, in fractions.

    Variables are the plan x, the values v of the opponent's infosets, which may be negative, and the slacks of the
    opponent's sequences, in this order.

    Attributes
    ----------
    entries : list of (int, int, Fraction)
        Row, column and coefficient.
    right : list of Fraction
        The right-hand side.
    plans, values, slacks : int
        How many variables there are of each kind.
    sequence : list of int
        The sequence of the game of each variable of the plan.
    """

    entries: list[tuple[int, int, Fraction]]
    right: list[Fraction]
    plans: int
    values: int
    slacks: int
    sequence: list[int]


def solve_in_fractions(
    game: RationalGame, say: Callable[[str], object] = lambda text: None
) -> tuple[Fraction, dict[tuple[int, str], dict[str, Fraction]]]:
    """Return the value of a game to player 0, and an equilibrium, in fractions.

    Raises
    ------
    AlgorithmError
        The game is not of two players and zero-sum, or FLINT cannot be imported.
    GameTooLargeError
        The linear system has more than 6,000 rows.
    LinearProgramError
        No proof was found.
    """
    check_rational(game)
    plans: dict[int, Fraction] = {}
    guaranteed = []
    for player in range(2):
        say(f"Solving {game.name} in fractions: player {player}")
        programme = _make_programme(game, player)
        solution = _solve(game, programme)
        guaranteed.append(solution[programme.plans])
        plans |= dict(zip(programme.sequence, solution[: programme.plans], strict=True))
    if guaranteed[0] != -guaranteed[1]:
        raise LinearProgramError(
            f"{game.name}: no proof was found: the plans in fractions guarantee {float(guaranteed[0]):.12g} and "
            f"{float(guaranteed[1]):.12g}, which are not minus each other."
        )
    return guaranteed[0], _make_behaviour(game, plans)


def check_rational(game: RationalGame) -> None:
    """Refuse a game of which no value in fractions is found."""
    if game.players != 2 or any(sum(end.weights) for end in game.ends):
        raise AlgorithmError(
            f"A value in fractions is that of a two-player zero-sum game; {game.name} has {game.players} players"
            f"{'' if game.players != 2 else ' whose payoffs do not sum to 0'}.",
            field="rational",
        )


def _make_programme(game: RationalGame, player: int) -> _Programme:
    """Return the programme of a player: E x = e, and −Aᵀ x + Fᵀ v + s = 0."""
    sequences = _sequences_of(game, player)
    opposing = _sequences_of(game, 1 - player)
    column = {sequence: i for i, sequence in enumerate(sequences)}
    row = {sequence: i for i, sequence in enumerate(opposing)}
    entries: list[tuple[int, int, Fraction]] = [(0, 0, Fraction(1))]
    right = [Fraction(1)]
    for infoset in game.infosets:
        if infoset.player == player:
            line = len(right)
            right.append(Fraction(0))
            entries.append((line, column[infoset.parent], Fraction(-1)))
            entries += [
                (line, column[sequence], Fraction(1))
                for sequence in range(infoset.first, infoset.end)
            ]
    first = len(right)
    for end in game.ends:
        entries.append(
            (
                first + row[end.sequences[1 - player]],
                column[end.sequences[player]],
                -end.weights[player],
            )
        )
    value = len(sequences)
    entries.append((first + row[1 - player], value, Fraction(1)))
    for infoset in game.infosets:
        if infoset.player != player:
            value += 1
            entries.append((first + row[infoset.parent], value, Fraction(-1)))
            entries += [
                (first + row[sequence], value, Fraction(1))
                for sequence in range(infoset.first, infoset.end)
            ]
    slack = value + 1
    entries += [(first + i, slack + i, Fraction(1)) for i in range(len(opposing))]
    right += [Fraction(0)] * len(opposing)
    return _Programme(
        entries, right, len(sequences), slack - len(sequences), len(opposing), sequences
    )


def _sequences_of(game: RationalGame, player: int) -> list[int]:
    """Return the sequences of a player, the empty one first."""
    return [
        player,
        *(
            sequence
            for infoset in game.infosets
            if infoset.player == player
            for sequence in range(infoset.first, infoset.end)
        ),
    ]


def _solve(game: RationalGame, programme: _Programme) -> list[Fraction]:
    """Return a vertex of a programme in fractions, the optimum that HiGHS names."""
    rows = len(programme.right)
    columns = programme.plans + programme.values + programme.slacks
    line, place, numbers = zip(*programme.entries, strict=True)
    matrix = csr_array((list(map(float, numbers)), (line, place)), shape=(rows, columns))
    free = slice(programme.plans, programme.plans + programme.values)
    lower_bound = np.zeros(columns)
    lower_bound[free] = -np.inf
    cost = np.zeros(columns)
    cost[programme.plans] = -1.0
    result = linprog(
        cost,
        A_eq=matrix,
        b_eq=np.array(list(map(float, programme.right))),
        bounds=np.column_stack([lower_bound, np.full(columns, np.inf)]),
        method="highs-ds",
    )
    if result.status != 0:
        reason = str(result.message).rstrip(".")
        raise LinearProgramError(f"{game.name}: the linear programme was not solved ({reason}).")
    solution = _solve_support(game, programme, matrix, result.x > _POSITIVE)
    _check_feasible(game, programme, solution)
    return solution


def _solve_support(
    game: RationalGame, programme: _Programme, matrix: csr_array, is_positive: NDArray[np.bool_]
) -> list[Fraction]:
    """Return the point in fractions that is positive where HiGHS is, slacks computed afterwards.

    Rows whose slack is positive determine that slack alone, and rows of infosets that the plan does not reach say
    nothing; what is left is the system of the plan and of the values.
    """
    first_slack = programme.plans + programme.values
    first_row = len(programme.right) - programme.slacks
    is_tight = ~is_positive[first_slack:]
    reached = matrix[:first_row, : programme.plans] @ is_positive[: programme.plans] != 0
    reached |= np.array([number != 0 for number in programme.right[:first_row]])
    touched = np.abs(matrix[:first_row, : programme.plans]) @ is_positive[: programme.plans] > 0
    rows = np.concatenate([np.flatnonzero(reached | touched), first_row + np.flatnonzero(is_tight)])
    columns = np.concatenate(
        [
            np.flatnonzero(is_positive[: programme.plans]),
            np.arange(programme.plans, first_slack),
        ]
    )
    if len(rows) > MOST_ROWS:
        raise GameTooLargeError(
            f"{game.name} needs a linear system of {len(rows):,} rows in fractions; more than "
            f"{MOST_ROWS:,} take too long. Leave rational out."
        )
    dense = matrix[rows][:, columns].toarray()
    columns = columns[_independent(dense)]
    dense = matrix[rows][:, columns].toarray()
    rows = rows[_independent(dense.T)]
    solution = [Fraction(0)] * (first_slack + programme.slacks)
    values = _solve_system(programme, rows, columns)
    for number, value in zip(columns.tolist(), values, strict=True):
        solution[number] = value
    for line, place, coefficient in programme.entries:
        if line >= first_row and place < first_slack:
            solution[first_slack + line - first_row] -= coefficient * solution[place]
    return solution


def _check_feasible(game: RationalGame, programme: _Programme, solution: list[Fraction]) -> None:
    """Refuse a point that is not one of the programme, to the last digit."""
    first_slack = programme.plans + programme.values
    sums = [-number for number in programme.right]
    for line, place, coefficient in programme.entries:
        sums[line] += coefficient * solution[place]
    least = min([*solution[: programme.plans], *solution[first_slack:]])
    if least < 0 or any(sums):
        raise LinearProgramError(
            f"{game.name}: no proof was found: in fractions the basis that HiGHS names is no point of the programme "
            f"(the least variable is {float(least):.3g})."
        )


def _independent(dense: Floats) -> Ints:
    """Return as many independent columns of a matrix as there are, in their order."""
    triangle, order = qr(dense, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > _RANK * max(diagonal.max(initial=0.0), 1e-300)).sum())
    return np.sort(order[:rank])


def _solve_system(programme: _Programme, rows: Ints, columns: Ints) -> list[Fraction]:
    """Return the solution of some of the equations in some of the variables, in fractions."""
    try:
        import flint
    except ImportError as error:
        raise AlgorithmError(
            f"Fractions need FLINT, which cannot be imported here: {install_command('rational')}."
        ) from error
    line_of = {number: i for i, number in enumerate(rows.tolist())}
    column_of = {number: i for i, number in enumerate(columns.tolist())}
    size = len(rows)
    system: Any = flint.fmpq_mat(size, size)
    for line, place, number in programme.entries:
        if line in line_of and place in column_of:
            entry = flint.fmpq(number.numerator, number.denominator)
            system[line_of[line], column_of[place]] += entry
    right: Any = flint.fmpq_mat(size, 1)
    for i, line in enumerate(rows.tolist()):
        number = programme.right[line]
        right[i, 0] = flint.fmpq(number.numerator, number.denominator)
    try:
        solved = system.solve(right)
    except ZeroDivisionError as error:
        raise LinearProgramError(
            "No proof was found: the basis that HiGHS names is singular."
        ) from error
    return [Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(size)]


def _make_behaviour(
    game: RationalGame, plans: dict[int, Fraction]
) -> dict[tuple[int, str], dict[str, Fraction]]:
    """Return the probability of each action by plans; where a plan never comes, all actions alike."""
    table = {}
    for infoset in game.infosets:
        numbers = [plans[sequence] for sequence in range(infoset.first, infoset.end)]
        total = sum(numbers, Fraction(0))
        if total == 0:
            numbers = [Fraction(1)] * len(numbers)
            total = Fraction(len(numbers))
        shares = [number / total for number in numbers]
        table[infoset.player, infoset.key] = dict(zip(infoset.actions, shares, strict=True))
    return table
