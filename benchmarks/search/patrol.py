"""A security game: an intruder crosses a field of rows and columns, a patrol moves along the column it is in.

Both move one row or stay, at once, for each column; the patrol has a camera on the first row. Met, the intruder loses
1; else the row where it comes out pays 1, 2, 3, …
"""

from __future__ import annotations

from typing import NamedTuple

import equilibrist as eq


class Field(NamedTuple):
    """Paths of intruder and patrol, one row a column; and what the intruder is about to do."""

    intruder: tuple[int, ...]
    patrol: tuple[int, ...]
    planned: int | None = None


class Patrol:
    """The game, for ``equilibrist solve benchmarks/search/patrol.py:Patrol``."""

    players = 2

    def __init__(self, rows: int = 3, columns: int = 4) -> None:
        self.rows, self.columns = rows, columns

    def start(self) -> Field:
        return Field((), ())

    def player(self, state: Field) -> int:
        met = bool(state.patrol) and state.intruder[-1] == state.patrol[-1]
        if met or len(state.patrol) == self.columns:
            return eq.TERMINAL
        return 0 if state.planned is None else 1

    def actions(self, state: Field) -> list[int]:
        path = state.intruder if state.planned is None else state.patrol
        if not path:
            return list(range(self.rows))
        return list(range(max(0, path[-1] - 1), min(self.rows, path[-1] + 2)))

    def probabilities(self, state: Field) -> list[float]:
        raise AssertionError("there is no chance")

    def next(self, state: Field, action: int) -> Field:
        if state.planned is None:
            return state._replace(planned=action)
        return Field((*state.intruder, state.planned), (*state.patrol, action))

    def payoffs(self, state: Field) -> tuple[float, float]:
        met = state.intruder[-1] == state.patrol[-1]
        gain = -1 if met else 1 + state.intruder[-1]
        return gain, -gain

    def infoset(self, state: Field) -> str:
        if state.planned is None:
            return f"intruder {state.intruder}"
        seen = ["seen" if row == 0 else "-" for row in state.intruder]
        return f"patrol {state.patrol} {' '.join(seen)}"
