"""Games in normal form: two players choose at once, a matrix pays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.spec import spec, whole
from .._util.validate import is_number
from ..errors import GameError
from ..game.protocol import TERMINAL

State = tuple[str, ...]

Payoffs = NDArray[Any] | tuple[NDArray[Any], NDArray[Any]] | list[NDArray[Any]]
"""Arrays that are a game: :func:`from_payoffs`."""


class Matrix:
    """A matrix game: one move each, neither sees the other's.

    Player 0 chooses a row, then player 1, who does not see it, a column. The infosets are ``row``
    and ``column``.

    Parameters
    ----------
    payoffs : sequence of sequence of float
        What player 0 wins, one row for each action of player 0.
    payoffs2 : sequence of sequence of float, optional
        What player 1 wins, in the same shape; by default the game is zero-sum.
    rows, columns : sequence of str, optional
        The names of the actions; by default ``r1``, ``r2``, … and ``c1``, ``c2``, ….

    Examples
    --------
    >>> game = Matrix(payoffs=[[1, 0, 2], [3, -1, 0]], rows=["up", "down"])
    >>> state = game.next(game.next(game.start(), "down"), "c1")
    >>> game.payoffs(state)
    [3.0, -3.0]
    """

    name = "matrix"
    players = 2

    def __init__(
        self,
        *,
        payoffs: Sequence[Sequence[float]],
        payoffs2: Sequence[Sequence[float]] | None = None,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        first = _check_table(self.name, "payoffs", payoffs)
        if payoffs2 is None:
            second = [[-x for x in row] for row in first]
        else:
            second = _check_table(self.name, "payoffs2", payoffs2)
        height = len(first)
        width = len(first[0])
        if (len(second), len(second[0])) != (height, width):
            raise GameError(
                f"{self.name}: payoffs2 must have the shape of payoffs, {height} × {width}; "
                f"got {len(second)} × {len(second[0])}.",
                wrong_use=True,
            )
        self._rows = _action_labels(self.name, "rows", rows, "r", height)
        self._columns = _action_labels(self.name, "columns", columns, "c", width)
        self._payoffs = {
            (row, column): (first[i][j], second[i][j])
            for i, row in enumerate(self._rows)
            for j, column in enumerate(self._columns)
        }
        self._is_exact = False
        self.settings: dict[str, Any] = {
            "payoffs": _to_floats(first),
            "payoffs2": None if payoffs2 is None else _to_floats(second),
            "rows": None if rows is None else self._rows,
            "columns": None if columns is None else self._columns,
        }

    def __str__(self) -> str:
        return spec(self.name, type(self), self.settings)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self._rows)} × {len(self._columns)} actions>"

    def start(self) -> State:
        return ()

    def player(self, state: State) -> int:
        if len(state) < 2:
            return len(state)
        return TERMINAL

    def actions(self, state: State) -> list[str]:
        if state:
            return self._columns
        return self._rows

    def probabilities(self, state: State) -> list[float]:
        return []

    def next(self, state: State, action: str) -> State:
        return (*state, action)

    def payoffs(self, state: State) -> list[float]:
        row, column = state
        payoffs = self._payoffs[row, column]
        if self._is_exact:
            return list(payoffs)
        return [float(payoff) for payoff in payoffs]

    def in_fractions(self) -> Matrix:
        """Return the same game, which pays the numbers that it was given: whole ones of any length, fractions."""
        exact = copy(self)
        exact._is_exact = True
        return exact

    def infoset(self, state: State) -> str:
        """Return ``row`` or ``column``: nobody knows more than whose choice it is."""
        if state:
            return "column"
        return "row"


MOST_WRITTEN = 36
"""Up to so many entries the name of a game of arrays has all of them, so that it can be loaded by its name."""


class ArrayGame(Matrix):
    """A matrix game of arrays that are too large for a name: a saved run asks for them when it is loaded."""

    def __str__(self) -> str:
        return f"arrays of {len(self._rows)} × {len(self._columns)}"


def is_payoffs(value: Any) -> bool:
    """Return whether something is an array of payoffs, or two of them."""
    if isinstance(value, tuple | list) and len(value) == 2:
        return all(isinstance(table, np.ndarray) for table in value)
    return isinstance(value, np.ndarray)


def from_payoffs(value: Any) -> Matrix:
    """Return the game that pays what arrays say.

    Parameters
    ----------
    value : array, or two arrays
        What player 0 wins, shape (rows, columns), where player 1 loses that; or this, and what
        player 1 wins, in the same shape; or both in one array, shape (2, rows, columns).

    Raises
    ------
    GameError
        The arrays have other shapes, or hold no numbers.
    """
    if isinstance(value, np.ndarray) and value.ndim != 3:
        tables = [value]
    else:
        tables = list(value)
    shapes = [table.shape for table in tables]
    if len(tables) not in (1, 2) or any(len(shape) != 2 for shape in shapes):
        raise GameError(
            "Arrays are a game where they are one of shape (rows, columns), what player 0 wins, or "
            f"two such, what each player wins; got shapes {', '.join(map(str, shapes))}.",
            wrong_use=True,
        )
    payoffs = tables[0].tolist()
    payoffs2 = tables[1].tolist() if len(tables) == 2 else None
    if tables[0].size > MOST_WRITTEN:
        return ArrayGame(payoffs=payoffs, payoffs2=payoffs2)
    return Matrix(payoffs=payoffs, payoffs2=payoffs2)


class RockPaperScissors(Matrix):
    """Rock, paper, scissors: each beats the next but one, for 1."""

    name = "rps"

    def __init__(self) -> None:
        labels = ["rock", "paper", "scissors"]
        super().__init__(payoffs=[[0, -1, 1], [1, 0, -1], [-1, 1, 0]], rows=labels, columns=labels)
        self.settings = {}


class BiasedRockPaperScissors(Matrix):
    """Biased rock, paper, scissors: wins pay 5, 25 or 50.

    The only equilibrium is (1/16, 10/16, 5/16) for both players. The payoffs are those of
    OpenSpiel's ``matrix_brps``.
    """

    name = "biased_rps"

    def __init__(self) -> None:
        labels = ["rock", "paper", "scissors"]
        super().__init__(
            payoffs=[[0, -25, 50], [25, 0, -5], [-50, 5, 0]], rows=labels, columns=labels
        )
        self.settings = {}


class MatchingPennies(Matrix):
    """Matching pennies: player 0 wins 1 if the coins match, else player 1."""

    name = "matching_pennies"

    def __init__(self) -> None:
        labels = ["heads", "tails"]
        super().__init__(payoffs=[[1, -1], [-1, 1]], rows=labels, columns=labels)
        self.settings = {}


class Blotto(Matrix):
    """Colonel Blotto: split soldiers over fields, win more fields than the other.

    Both players place all their soldiers at once. The larger force takes a field, equal forces take
    nothing, and who takes more fields wins 1. An action is written as the soldiers on each field:
    ``2-2-1``.

    Parameters
    ----------
    soldiers, fields : int
        How many soldiers each player has, and over how many fields they are split.
    """

    name = "blotto"

    def __init__(self, *, soldiers: int = 5, fields: int = 3) -> None:
        soldiers = whole(self.name, "soldiers", soldiers, least=1)
        fields = whole(self.name, "fields", fields, least=1)
        ways = math.comb(soldiers + fields - 1, fields - 1)
        if ways > 5000:
            raise GameError(
                f"blotto: at most 5000 ways to split are allowed; soldiers={soldiers}, "
                f"fields={fields} make {ways}.",
                wrong_use=True,
            )
        splits = list(_list_splits(soldiers, fields))
        labels = ["-".join(map(str, split)) for split in splits]
        super().__init__(
            payoffs=[[_compare_fields(x, y) for y in splits] for x in splits],
            rows=labels,
            columns=labels,
        )
        self.settings = {"soldiers": soldiers, "fields": fields}


def _list_splits(soldiers: int, fields: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to put ``soldiers`` on ``fields``, the most on the first field first."""
    if fields == 1:
        yield (soldiers,)
        return
    for placed in range(soldiers, -1, -1):
        for other_fields in _list_splits(soldiers - placed, fields - 1):
            yield (placed, *other_fields)


def _compare_fields(own_soldiers: tuple[int, ...], other_soldiers: tuple[int, ...]) -> int:
    """Return 1, 0 or -1 for more, as many or fewer fields taken."""
    lead = sum((x > y) - (x < y) for x, y in zip(own_soldiers, other_soldiers, strict=True))
    return (lead > 0) - (lead < 0)


def _check_table(game: str, name: str, value: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the rows of a table of payoffs, or refuse it."""
    try:
        rows = [list(row) for row in value]
    except TypeError:
        rows = []
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise GameError(
            f"{game}: {name} must be rows of numbers, all of one length; got {value!r}.",
            wrong_use=True,
        )
    for entry in (entry for row in rows for entry in row):
        if not is_number(entry):
            raise GameError(
                f"{game}: {name} must hold finite numbers; got {entry!r}.", wrong_use=True
            )
    return rows


def _to_floats(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return a table of payoffs in floating point."""
    return [[float(entry) for entry in row] for row in rows]


def _action_labels(
    game: str, name: str, value: Sequence[str] | None, letter: str, count: int
) -> list[str]:
    if value is None:
        return [f"{letter}{number}" for number in range(1, count + 1)]
    labels = list(value) if isinstance(value, list | tuple) else []
    if (
        len(labels) != count
        or len(set(map(str, labels))) != count
        or not all(isinstance(x, str) for x in labels)
    ):
        raise GameError(
            f"{game}: {name} must be {count} different names; got {value!r}.", wrong_use=True
        )
    return labels
