"""Charts of push or fold: at which stacks each hand is pushed, and called with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ..._util.callbacks import AnyCallbacks, find_listeners
from ..._util.display import Display
from ..._util.spec import whole
from ..._util.validate import is_number
from ...errors import GameError
from ...solving.solve import solve
from ...strategy.tables import Tabular, write_csv
from ..cards.cards import CLASSES
from .game import PushFold
from .heads_up import solve_heads_up
from .many_handed import push_fold
from .stakes import seat_names

if TYPE_CHECKING:
    import pyarrow

MOST_SEATS = 9
MOST_TO_CALL_BOTH = 3
"""Seats up to which there is a chart of calls after a push and a call."""
GAPS = "*"
"""Marks a hand that is not played at all stacks below its highest."""
MOST_STACKS = 2_000
# big blinds a hand
_UNTIL_OF_THREE = 1e-4
_UNTIL_OF_MANY = 1e-3
_MOST_ITERATIONS = 2_000  # of three seats, of whom CFR promises nothing

Interval = tuple[float, float]


class Decision(NamedTuple):
    """A decision that a chart is of: who acts, what the others did (as infosets are named), and what is done."""

    player: int
    after: str
    move: str


def list_decisions(seats: int, *, straddle: bool) -> dict[str, Decision]:
    """Return what charts are of, by name: pushes where all have folded, calls of one push, and with three seats of two.

    >>> list(list_decisions(3, straddle=False))[:3]
    ['push from BTN', 'push from SB', 'call BTN from SB']
    """
    if seats == 2:
        first = 1 if straddle else 0
        return {
            "push": Decision(first, "", "push"),
            "call": Decision(1 - first, " push", "call"),
        }
    names = seat_names(seats, straddle=straddle)
    decisions = {}
    for player, name in enumerate(names[:-1]):
        decisions[f"push from {name}"] = Decision(player, _write_line(["fold"] * player), "push")
    for pusher, name in enumerate(names):
        for caller in range(pusher + 1, seats):
            moves = ["fold"] * caller
            moves[pusher] = "push"
            decision = Decision(caller, _write_line(moves), "call")
            decisions[f"call {name} from {names[caller]}"] = decision
    if seats == MOST_TO_CALL_BOTH:
        decisions[f"call both from {names[2]}"] = Decision(2, " push-call", "call")
    return decisions


def _write_line(moves: Sequence[str]) -> str:
    if not moves:
        return ""
    return " " + "-".join(moves)


@dataclass(frozen=True, eq=False, repr=False)
class Charts(Tabular, Display):
    """Push or fold by stacks: how often each class of hands is pushed, and called with, at each.

    Attributes
    ----------
    stacks : float64 array, shape (stacks,)
        Ascending; big blinds.
    tables : dict of str to float64 array, shape (stacks, 169)
        By action, the probability with which it is taken; classes as in the 13 × 13 grid. Heads-up,
        "push" is the first player's and "call" the other's; with more seats the names say who
        pushes and who calls whom.
    exploitability : float64 array, shape (stacks,)
        Of the strategy at each stack; big blinds a hand.
    """

    stacks: Floats
    tables: Mapping[str, Floats]
    exploitability: Floats

    @property
    def actions(self) -> tuple[str, ...]:
        """Of what there are charts."""
        return tuple(self.tables)

    @property
    def push(self) -> Floats:
        """How often the small blind pushes, heads-up."""
        return self.tables["push"]

    @property
    def call(self) -> Floats:
        """How often the big blind calls, heads-up."""
        return self.tables["call"]

    def __repr__(self) -> str:
        return (
            f"<Charts: {len(self.stacks)} stacks from {self.stacks[0]:g} to {self.stacks[-1]:g} bb>"
        )

    def intervals(self, action: str, hand: str) -> list[Interval]:
        """Return the stacks, from … to, at which a class of hands takes an action at least half of the time.

        Parameters
        ----------
        action : str
            One of ``actions``.
        hand : str
            A class of hands, ``"T3s"``.
        """
        return self._intervals[self._check_action(action), CLASSES.index(hand)]

    @cached_property
    def _intervals(self) -> dict[tuple[str, int], list[Interval]]:
        result = {}
        for action, table in self.tables.items():
            changes = np.diff((table >= 0.5).astype(np.int8), axis=0, prepend=0, append=0)
            for number in range(len(CLASSES)):
                first, last = (np.flatnonzero(changes[:, number] == step) for step in (1, -1))
                pairs = zip(
                    self.stacks[first].tolist(), self.stacks[last - 1].tolist(), strict=True
                )
                result[action, number] = list(pairs)
        return result

    def highest(self, action: str) -> Floats:
        """Return the highest stack at which each class is pushed or called with, shape (169,): NaN for none."""
        ends = [
            self._intervals[self._check_action(action), number] for number in range(len(CLASSES))
        ]
        return np.array([intervals[-1][1] if intervals else math.nan for intervals in ends])

    def columns(self) -> dict[str, list[Any]]:
        """Return the table: hand, and for each action the highest stack and all stacks as text, gaps left out."""
        table: dict[str, list[Any]] = {"hand": list(CLASSES)}
        for action in self.actions:
            table[action] = [
                None if math.isnan(stack) else stack for stack in self.highest(action).tolist()
            ]
            table[f"{action} at"] = [self.text(action, hand) for hand in CLASSES]
        return table

    def text(self, action: str, hand: str) -> str:
        """Return the stacks of a hand as text, the highest first: ``7.1-5.1, 2.3-1``."""
        parts = [
            f"{last:g}-{first:g}" if first < last else f"{last:g}"
            for first, last in self.intervals(action, hand)
        ]
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
        largest = float(self.exploitability.max())
        return {"stacks": self.stacks.tolist(), "exploitability": largest, **self.columns()}

    def _check_action(self, action: str) -> str:
        if action not in self.tables:
            *names, last = map(repr, self.actions)
            raise GameError(
                f"The charts are of {', '.join(names)} and {last}; got {action!r}.", wrong_use=True
            )
        return action


def push_fold_charts(
    stacks: Sequence[float] | str = "1..20",
    *,
    step: float = 0.1,
    seats: int = 2,
    ante: float = 0,
    bb_ante: float = 0,
    dead: float = 0,
    straddle: float = 0,
    until: float | None = None,
    callbacks: AnyCallbacks = None,
) -> Charts:
    """Return the charts of push or fold: which hands are pushed, and called with, by stack.

    Each stack is a game of its own, ``push_fold(stack=…, seats=…)``: heads-up solved by a linear
    programme, to the last digits, and of three seats by CFR.

    Parameters
    ----------
    stacks : sequence of float, or str
        The stacks; or from and to as a text, ``"1..20"``, in steps. Big blinds.
    step : float
        Big blinds between two stacks of a text.
    seats : int
        2 to 9. A stack with three or more seats takes a minute or so; with more than three the
        charts are those of the model of :class:`.many_ranges.ManyRanges`.
    ante, bb_ante, dead, straddle : float
        As in ``push_fold``.
    until : float, optional
        The exploitability at which each game ends, big blinds a hand: by default 1e-4 of three
        seats and 1e-3 of more, which also end after 2,000 iterations. Heads-up it is 1e-12 and less in any case.
    callbacks : Callbacks, callable or several, optional
        A callable, or ``on_stack``, is called with the number of stacks that are solved and of all stacks.

    Raises
    ------
    GameError
        Stacks cannot be read, are too many or too small for the antes.

    Notes
    -----
    A hand counts as pushed or called where its probability is at least one half. With three seats
    a border between stacks may move by a step where two actions earn the same within ``until``.

    Examples
    --------
    >>> import equilibrist as eq
    >>> chart = eq.poker.push_fold_charts([2, 4, 6, 8], until=1e-4)
    >>> chart.intervals("push", "63s"), chart.text("call", "Q2o")
    ([(2.0, 2.0)], '4-2')
    """
    tell = find_listeners(callbacks, "push_fold_charts", ("on_stack",))["on_stack"]
    values = read_stacks(stacks, step)
    whole("charts", "seats", seats, least=2, most=MOST_SEATS)
    stakes = {"ante": ante, "bb_ante": bb_ante, "dead": dead, "straddle": straddle}
    games = [push_fold(stack=stack, seats=seats, **stakes) for stack in values]
    decisions = list_decisions(seats, straddle=straddle > 0)
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        if tell is not None:
            tell(done, len(games))

    tables = {action: list[Floats]() for action in decisions}
    gaps = list[float]()
    for game in games:
        if isinstance(game, PushFold):
            equilibrium = solve_heads_up(game)
            tables["push"].append(equilibrium.push)
            tables["call"].append(equilibrium.call)
            gaps.append(equilibrium.exploitability)
        else:
            goal = until
            if goal is None:
                goal = _UNTIL_OF_THREE if seats == 3 else _UNTIL_OF_MANY
            # by its text: each takes half a gigabyte, which is not kept
            run = solve(str(game), until=goal, iterations=_MOST_ITERATIONS)
            for action, (player, after, move) in decisions.items():
                probabilities = [run.strategy[player, hand + after][move] for hand in CLASSES]
                tables[action].append(np.array(probabilities))
            gaps.append(run.exploitability)
        count()
    by_action = {action: np.array(table) for action, table in tables.items()}
    return Charts(np.array(values), by_action, np.array(gaps))


def read_stacks(stacks: Sequence[float] | str, step: float) -> list[float]:
    """Return the stacks that :func:`charts` solves, ascending."""
    if isinstance(stacks, str):
        ends = stacks.split("..")
        try:
            low = float(ends[0])
            high = float(ends[-1])
        except ValueError:
            low = math.nan
            high = math.nan
        if len(ends) > 2 or math.isnan(low + high):
            raise GameError(
                f"stacks must be numbers, or a text such as '1..20'; got {stacks!r}.",
                wrong_use=True,
            )
        if not 0 < low < math.inf or not 0 < high < math.inf:
            raise GameError(
                f"stacks must be numbers of big blinds above 0; got {stacks!r}.", wrong_use=True
            )
        if low > high:
            raise GameError(
                f"stacks go from the smaller one to the larger one: '{ends[1]}..{ends[0]}'; got "
                f"{stacks!r}.",
                wrong_use=True,
            )
        if not is_number(step, above=0):
            raise GameError(
                f"step must be a number of big blinds above 0; got {step!r}.", wrong_use=True
            )
        count = math.floor((high - low) / step + 1e-9) + 1
        values: Sequence[float] = [
            round(low + step * number, 9) for number in range(min(count, MOST_STACKS + 1))
        ]
    else:
        values = list(stacks)
    if not 1 <= len(values) <= MOST_STACKS or not all(map(is_number, values)):
        raise GameError(
            f"stacks must be 1 to {MOST_STACKS:,} numbers of big blinds; got {len(values):,}.",
            wrong_use=True,
        )
    return sorted(map(float, values))
