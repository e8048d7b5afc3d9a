"""Equilibria of two-player zero-sum games in fractions: HiGHS names a basis, which is solved without rounding.

For each player the linear programme of :mod:`.linear_program` is solved in floating point. What is positive there is
taken for the basis of the optimum, and its linear system is solved in fractions. Two plans whose guarantees are minus
each other are an equilibrium, whoever named them: that is the proof. Where they are not, exact pivots go on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeGuard

import numpy as np
import scipy  # whose parts are loaded where they are first named: half a second

from .._util.arrays import Floats, Ints, offsets
from ..errors import AlgorithmError, LinearProgramError
from ..strategy.by_name import ByInfoset
from .exact_simplex import Programme, maximise
from .rational import RationalGame, share_out
from .sparse_exact import IntegerMatrix, RationalVector

Say = Callable[[str], object]

_TOLERANCE = 1e-10
"""The least that HiGHS takes. With its usual 1e-7, the basis of Leduc poker with payoffs of 16 digits is not optimal,
and each pivot in fractions takes seconds."""


class _Problem(NamedTuple):
    """What a player is to find, as a linear programme: E x = e, and Fᵀ v + s = Aᵀ x, where v of the root is maximised.

    Variables are the plan x, the values v of the opponent's infosets, which may be negative, and the slacks s of the
    opponent's sequences, in this order.

    Attributes
    ----------
    name : str
        The game and the player, for messages.
    programme : Programme
        In integers: each equation is multiplied by its common denominator.
    sequence : list of int
        The sequence of the game of each variable of the plan.
    unit : Fraction
        The largest payoff times its probability, which is 1 in the programme.
    """

    name: str
    programme: Programme
    sequence: list[int]
    unit: Fraction


class _Answer(NamedTuple):
    """What a player can guarantee, and how.

    Attributes
    ----------
    guarantee : Fraction
        Payoff per game.
    plan : dict
        The probability of each sequence of the player that is not 0.
    """

    guarantee: Fraction
    plan: dict[int, Fraction]


def solve_in_fractions(
    game: RationalGame, say: Say = lambda text: None
) -> tuple[Fraction, dict[tuple[int, str], dict[str, Fraction]]]:
    """Return the value of a game to player 0, and an equilibrium, in fractions.

    Raises
    ------
    AlgorithmError
        The game is not of two players and zero-sum.
    LinearProgramError
        No proof was found.
    """
    check_rational(game)
    problems = [_make_problem(game, player) for player in range(2)]
    bases = [_name_basis(problem, say) for problem in problems]
    answers = [
        _solve_basis(problem, basis, say) for problem, basis in zip(problems, bases, strict=True)
    ]
    if not _is_equilibrium(answers):
        answers = [
            _find_optimum(problem, basis, say)
            for problem, basis in zip(problems, bases, strict=True)
        ]
    if not _is_equilibrium(answers):
        raise LinearProgramError(
            f"{game.name}: no proof was found: the guarantees of the two plans are not minus each other."
        )
    plans = answers[0].plan | answers[1].plan
    return answers[0].guarantee, _make_behaviour(game, plans)


def _is_equilibrium(answers: Sequence[_Answer | None]) -> TypeGuard[Sequence[_Answer]]:
    """Return whether there are two plans whose guarantees are minus each other."""
    first, second = answers
    return first is not None and second is not None and first.guarantee == -second.guarantee


def _name_basis(problem: _Problem, say: Say) -> Ints:
    """Return the basis that floating point takes for the optimum."""
    say(f"{problem.name}: linear programme")
    return problem.programme.choose_basis(_solve_in_floats(problem))


def _solve_basis(problem: _Problem, basis: Ints, say: Say) -> _Answer | None:
    """Return the answer at a basis, or None where it is none."""
    say(f"{problem.name}: {len(basis):,} equations in fractions")
    value = problem.programme.solve(basis)
    if not problem.programme.is_feasible(basis, value):
        return None
    return _read_answer(problem, basis, value)


def _find_optimum(problem: _Problem, basis: Ints, say: Say) -> _Answer:
    """Return the answer at the optimum, reached from a basis."""
    optimum = maximise(problem.programme, basis, lambda text: say(f"{problem.name}: {text}"))
    return _read_answer(problem, *optimum)


def check_rational(game: RationalGame) -> None:
    """Refuse a game of which no value in fractions is found."""
    if game.players == 2 and game.is_zero_sum:
        return
    kind = f"{game.players} players"
    if game.players == 2:
        kind += " whose payoffs do not sum to 0"
    raise AlgorithmError(
        f"A value in fractions is that of a two-player zero-sum game; {game.name} has {kind}.",
        field="rational",
    )


def _make_problem(game: RationalGame, player: int) -> _Problem:
    """Return the linear programme of a player."""
    sequences = _sequences_of(game, player)
    opposing = _sequences_of(game, 1 - player)
    column = {sequence: i for i, sequence in enumerate(sequences)}
    row = {sequence: i for i, sequence in enumerate(opposing)}
    unit = max((abs(end.weights[player]) for end in game.ends), default=Fraction(0)) or Fraction(1)
    entries: list[tuple[int, int, Fraction]] = [(0, 0, Fraction(1))]
    equations = 1
    for infoset in game.infosets:
        if infoset.player == player:
            entries.append((equations, column[infoset.parent], Fraction(-1)))
            entries += [
                (equations, column[sequence], Fraction(1))
                for sequence in range(infoset.first, infoset.end)
            ]
            equations += 1
    first = equations
    for end in game.ends:
        target = first + row[end.sequences[1 - player]]
        entries.append((target, column[end.sequences[player]], -end.weights[player] / unit))
    root = len(sequences)
    value = root
    entries.append((first + row[1 - player], root, Fraction(1)))
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
    equations += len(opposing)
    is_free = np.zeros(slack + len(opposing), dtype=bool)
    is_free[root:slack] = True
    right = np.zeros(equations, dtype=object)
    right[0] = 1
    matrix = _make_integer_matrix(entries, equations, len(is_free))
    return _Problem(
        name=f"{game.name}, player {player}",
        programme=Programme(matrix, right, is_free, root),
        sequence=sequences,
        unit=unit,
    )


def _make_integer_matrix(
    entries: list[tuple[int, int, Fraction]], rows: int, columns: int
) -> IntegerMatrix:
    """Return a matrix of (row, column, number) each of whose rows is multiplied by its common denominator.

    The row of a right-hand side that is not 0 has integers already.
    """
    denominator = [1] * rows
    for row, _, number in entries:
        denominator[row] = lcm(denominator[row], number.denominator)
    row_of_entry, column_of_entry, numbers = zip(*entries, strict=True)
    order = np.lexsort((row_of_entry, column_of_entry))
    integers = np.empty(len(entries), dtype=object)
    integers[:] = [
        number.numerator * (denominator[row] // number.denominator)
        for row, number in zip(row_of_entry, numbers, strict=True)
    ]
    start = offsets(np.bincount(column_of_entry, minlength=columns))
    return IntegerMatrix(rows, start, np.array(row_of_entry)[order], integers[order])


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


def _solve_in_floats(problem: _Problem) -> Floats:
    """Return the optimum by HiGHS, each equation divided by its largest number."""
    programme = problem.programme
    matrix = programme.matrix
    largest = np.zeros(matrix.rows, dtype=object)
    np.maximum.at(largest, matrix.row, abs(matrix.value))
    value = np.array(
        [number / scale for number, scale in zip(matrix.value, largest[matrix.row], strict=True)]
    )
    right = (programme.right / largest).astype(np.float64)
    cost = np.zeros(matrix.columns)
    cost[programme.goal] = -1.0
    least = np.where(programme.is_free, -np.inf, 0.0)
    result = scipy.optimize.linprog(
        cost,
        A_eq=scipy.sparse.csc_array(
            (value, matrix.row, matrix.start), shape=(matrix.rows, matrix.columns)
        ),
        b_eq=right,
        bounds=np.column_stack([least, np.full(matrix.columns, np.inf)]),
        method="highs-ds",
        options={
            "primal_feasibility_tolerance": _TOLERANCE,
            "dual_feasibility_tolerance": _TOLERANCE,
        },
    )
    if result.status != 0:
        reason = str(result.message).rstrip(".")
        raise LinearProgramError(f"{problem.name}: the linear programme was not solved ({reason}).")
    optimum: Floats = result.x
    return optimum


def _read_answer(problem: _Problem, basis: Ints, value: RationalVector) -> _Answer:
    """Return the guarantee and the plan of a player, given what the variables of a basis are."""
    numbers = dict(zip(basis.tolist(), value.fractions(), strict=True))
    plan = {
        sequence: numbers[variable]
        for variable, sequence in enumerate(problem.sequence)
        if variable in numbers
    }
    return _Answer(numbers.get(problem.programme.goal, Fraction(0)) * problem.unit, plan)


def _make_behaviour(
    game: RationalGame, plans: dict[int, Fraction]
) -> dict[tuple[int, str], dict[str, Fraction]]:
    """Return the probability of each action by plans; where a plan never comes, all actions alike."""
    table = ByInfoset[dict[str, Fraction]]()
    for infoset in game.infosets:
        weights = [
            plans.get(sequence, Fraction(0)) for sequence in range(infoset.first, infoset.end)
        ]
        table[infoset.player, infoset.key] = share_out(infoset.actions, weights)
    return table
