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
from scipy.linalg import qr
from scipy.optimize import linprog
from scipy.sparse import csr_array

from .._util.arrays import Ints
from .._util.text import install_command
from ..errors import AlgorithmError, GameTooLargeError, LinearProgramError
from .rational import RationalGame

MOST_ROWS = 3_000
"""Of a linear system in fractions: minutes, and gigabytes."""
_POSITIVE = 1e-9  # what is more is taken for positive


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
        The linear system has more than 3,000 rows.
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
    own = _sequences_of(game, player)
    theirs = _sequences_of(game, 1 - player)
    column = {sequence: i for i, sequence in enumerate(own)}
    row = {sequence: i for i, sequence in enumerate(theirs)}
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
    value = len(own)
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
    entries += [(first + i, slack + i, Fraction(1)) for i in range(len(theirs))]
    right += [Fraction(0)] * len(theirs)
    return _Programme(entries, right, len(own), slack - len(own), len(theirs), own)


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
    if rows > MOST_ROWS:
        raise GameTooLargeError(
            f"{game.name} needs a linear system of {rows:,} rows in fractions; {MOST_ROWS:,} take minutes. Leave "
            "rational out."
        )
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
    is_basic = result.x > _POSITIVE
    is_basic[free] = True
    basis = _complete_basis(matrix, np.flatnonzero(is_basic))
    solution = [Fraction(0)] * columns
    for number, value in zip(basis.tolist(), _solve_system(programme, basis), strict=True):
        solution[number] = value
    for number, value in enumerate(solution):
        if value < 0 and not free.start <= number < free.stop:
            raise LinearProgramError(
                f"{game.name}: no proof was found: in fractions a variable of the basis that HiGHS names is "
                f"{float(value):.3g}."
            )
    return solution


def _complete_basis(matrix: csr_array, chosen: Ints) -> Ints:
    """Return as many independent columns as there are rows, those that were chosen first."""
    dense = matrix.toarray()
    rows = dense.shape[0]
    weight = np.full(dense.shape[1], 1e-6)  # others only where these do not reach
    weight[chosen] = 1.0
    norms = np.linalg.norm(dense, axis=0)
    _, _, order = qr(
        dense / np.where(norms > 0, norms, 1.0) * weight, mode="economic", pivoting=True
    )
    return np.sort(order[:rows])


def _solve_system(programme: _Programme, basis: Ints) -> list[Fraction]:
    """Return the values of the basic variables, in fractions."""
    try:
        import flint
    except ImportError as error:
        raise AlgorithmError(
            f"Fractions need FLINT, which cannot be imported here: {install_command('rational')}."
        ) from error
    rows = len(programme.right)
    column = {number: i for i, number in enumerate(basis.tolist())}
    system: Any = flint.fmpq_mat(rows, rows)
    for line, place, number in programme.entries:
        if place in column:
            system[line, column[place]] += flint.fmpq(number.numerator, number.denominator)
    right: Any = flint.fmpq_mat(rows, 1)
    for line, number in enumerate(programme.right):
        right[line, 0] = flint.fmpq(number.numerator, number.denominator)
    try:
        solved = system.solve(right)
    except ZeroDivisionError as error:
        raise LinearProgramError(
            "No proof was found: the basis that HiGHS names is singular."
        ) from error
    return [Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(rows)]


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
