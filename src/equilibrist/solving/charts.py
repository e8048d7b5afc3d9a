"""Charts of push or fold: at which stacks each hand is pushed, and called with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._util.arrays import Floats
from .._util.display import Display
from .._util.validate import is_number
from ..errors import GameError
from ..games.holdem.cards import CLASSES
from ..games.holdem.preflop import PushFold
from ..strategy.tables import Tabular, write_csv
from .many import solve_many

if TYPE_CHECKING:
    import pyarrow

ACTIONS = ("push", "call")
"""What the small blind and the big blind do with the hands of a chart."""
GAPS = "*"
"""Marks a hand that is not played at all stacks below its highest."""
MOST_STACKS = 2_000
_UNTIL = 1e-7  # big blinds a hand: at 1e-5, borders of rare hands are off by some tenths

Interval = tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Charts(Tabular, Display):
    """Push or fold by stacks: how often each class of hands is pushed, and called with, at each.

    Attributes
    ----------
    stacks : float64 array, shape (stacks,)
        Ascending; big blinds.
    push, call : float64 array, shape (stacks, 169)
        The probability with which the small blind pushes, and the big blind calls; classes as in the 13 × 13 grid.
    exploitability : float64 array, shape (stacks,)
        Of the strategy at each stack; big blinds a hand.
    """

    stacks: Floats
    push: Floats
    call: Floats
    exploitability: Floats

    def __repr__(self) -> str:
        return f"<Charts: {len(self.stacks)} stacks from {self.stacks[0]:g} to {self.stacks[-1]:g} bb>"

    def intervals(self, action: str, hand: str) -> list[Interval]:
        """Return the stacks, from … to, at which a class of hands takes an action at least half of the time.

        Parameters
        ----------
        action : {"push", "call"}
            Of the small blind, or of the big blind.
        hand : str
            A class of hands, ``"T3s"``.
        """
        return self._intervals[_checked(action), CLASSES.index(hand)]

    @cached_property
    def _intervals(self) -> dict[tuple[int, int], list[Interval]]:
        result = {}
        for player, table in enumerate((self.push, self.call)):
            steps = np.diff((table >= 0.5).astype(np.int8), axis=0, prepend=0, append=0)
            for number in range(len(CLASSES)):
                first, last = (np.flatnonzero(steps[:, number] == step) for step in (1, -1))
                pairs = zip(self.stacks[first].tolist(), self.stacks[last - 1].tolist(), strict=True)
                result[player, number] = list(pairs)
        return result

    def highest(self, action: str) -> Floats:
        """Return the highest stack at which each class is pushed or called with, shape (169,): NaN for none."""
        player = _checked(action)
        ends = [self._intervals[player, number] for number in range(len(CLASSES))]
        return np.array([each[-1][1] if each else math.nan for each in ends])

    def columns(self) -> dict[str, list[Any]]:
        """Return the table: hand, and for push and call the highest stack and all stacks as text, gaps left out."""
        table: dict[str, list[Any]] = {"hand": list(CLASSES)}
        for action in ACTIONS:
            table[action] = [None if math.isnan(stack) else stack for stack in self.highest(action).tolist()]
            table[f"{action} at"] = [self.text(action, hand) for hand in CLASSES]
        return table

    def text(self, action: str, hand: str) -> str:
        """Return the stacks of a hand as text, the highest first: ``7.1-5.1, 2.3-1``."""
        parts = [f"{last:g}-{first:g}" if first < last else f"{last:g}" for first, last in self.intervals(action, hand)]
        return ", ".join(reversed(parts))

    def to_arrow(self) -> pyarrow.Table:
        """Return the table of :meth:`columns` as an Arrow table."""
        import pyarrow as pa

        return pa.table(self.columns())

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        columns = self.columns()
        write_csv(path, columns, zip(*columns.values(), strict=True))

    def summary(self) -> dict[str, Any]:
        """Return the chart as plain data for JSON."""
        most = float(self.exploitability.max())
        return {"stacks": self.stacks.tolist(), "exploitability": most, **self.columns()}


def _checked(action: str) -> int:
    if action not in ACTIONS:
        raise GameError(f"The charts are of 'push' and 'call'; got {action!r}.", wrong_use=True)
    return ACTIONS.index(action)


def charts(
    stacks: Sequence[float] | str = "1..20",
    *,
    step: float = 0.1,
    ante: float = 0,
    bb_ante: float = 0,
    until: float = _UNTIL,
    on_stack: Callable[[int, int], object] | None = None,
) -> Charts:
    """Return the charts of push or fold, heads-up: which hands are pushed, and called with, by stack.

    Each stack is a game of its own, ``push_fold(stack=…)``, solved and certified by CFR.

    Parameters
    ----------
    stacks : sequence of float, or str
        The stacks; or from and to as a text, ``"1..20"``, in steps. Big blinds.
    step : float
        Big blinds between two stacks of a text.
    ante, bb_ante : float
        As in ``push_fold``.
    until : float
        The exploitability at which each game ends; big blinds a hand.
    on_stack : callable, optional
        Called with the number of stacks that are solved and of all stacks.

    Raises
    ------
    GameError
        Stacks cannot be read, are too many or too small for the antes.

    Notes
    -----
    A hand counts as pushed or called where its probability is at least one half. Where two actions earn the same
    within ``until`` a border between stacks may move by a step.

    Examples
    --------
    >>> import equilibrist as eq
    >>> chart = eq.charts([2, 4, 6, 8], until=1e-4)
    >>> chart.intervals("push", "63s"), chart.text("call", "Q2o")
    ([(2.0, 2.0), (6.0, 6.0)], '4-2')
    """
    values = read_stacks(stacks, step)
    games = [PushFold(stack=stack, ante=ante, bb_ante=bb_ante) for stack in values]
    done = 0

    def count(*_: object) -> None:
        nonlocal done
        done += 1
        if on_stack is not None:
            on_stack(done, len(games))

    solutions = solve_many(games, until=until, on_solution=count)
    push, call = (
        np.array([[run.strategy[player, hand + after][action] for hand in CLASSES] for run in solutions])
        for player, (action, after) in enumerate(zip(ACTIONS, ("", " push"), strict=True))
    )
    return Charts(np.array(values), push, call, np.array([run.exploitability for run in solutions]))


def read_stacks(stacks: Sequence[float] | str, step: float) -> list[float]:
    """Return the stacks that :func:`charts` solves, ascending."""
    if isinstance(stacks, str):
        ends = stacks.split("..")
        try:
            low, high = float(ends[0]), float(ends[-1])
        except ValueError:
            low, high = math.nan, math.nan
        if len(ends) > 2 or math.isnan(low + high):
            raise GameError(f"stacks must be numbers, or a text such as '1..20'; got {stacks!r}.", wrong_use=True)
        if not 0 < low < math.inf or not 0 < high < math.inf:
            raise GameError(f"stacks must be numbers of big blinds above 0; got {stacks!r}.", wrong_use=True)
        if low > high:
            raise GameError(
                f"stacks go from the smaller one to the larger one: '{ends[1]}..{ends[0]}'; got {stacks!r}.",
                wrong_use=True,
            )
        if not is_number(step, above=0):
            raise GameError(f"step must be a number of big blinds above 0; got {step!r}.", wrong_use=True)
        count = math.floor((high - low) / step + 1e-9) + 1
        values: Sequence[float] = [round(low + step * number, 9) for number in range(min(count, MOST_STACKS + 1))]
    else:
        values = list(stacks)
    if not 1 <= len(values) <= MOST_STACKS or not all(map(is_number, values)):
        raise GameError(
            f"stacks must be 1 to {MOST_STACKS:,} numbers of big blinds; got {len(values):,}.", wrong_use=True
        )
    return sorted(map(float, values))
