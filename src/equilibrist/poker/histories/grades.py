"""Graded decisions as a table, their sums by street, line and class of hand, and what was not covered."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..._util.display import Display
from ..._util.text import count_text
from ...errors import AlgorithmError
from ...strategy.tables import Tabular, write_csv, write_parquet
from .runs import GradingRun

if TYPE_CHECKING:
    import pyarrow

GROUPS = ("street", "position", "line", "class", "made")
"""What decisions are summed up by."""
_AT_ONCE = 4_096  # rows that become columns together
_MOST_NAMED = 5  # runs, in words


class GradedRow(NamedTuple):
    """A decision that a run covers, as a row of the table.

    Attributes
    ----------
    hand : str
    player : str
    run : str
    street : str
    position : str
    line : str
        Of the run, with its bets.
    board : str
        With the suits of the run, as the cards.
    cards : str
    kind : str
        The class of the cards, AKs.
    made : str
        What they make of the board, top pair.
    played : str
        What was done in the hand.
    action : str
        The action of the run that stands for it.
    frequency : float
        With which the run takes it.
    best : str
    cost : float
        Chips of the hand; 0 where the grade is best.
    cost_percent : float
        Of the pot at the start of the run.
    grade : str
    """

    hand: str
    player: str
    run: str
    street: str
    position: str
    line: str
    board: str
    cards: str
    kind: str
    made: str
    played: str
    action: str
    frequency: float
    best: str
    cost: float
    cost_percent: float
    grade: str


COLUMNS = tuple("class" if name == "kind" else name for name in GradedRow._fields)
"""Of the table."""


def make_table(rows: Iterable[GradedRow]) -> pyarrow.Table:
    """Return rows as a table, made of them as they come: texts once each, some 80 bytes a row."""
    import pyarrow as pa

    kinds: dict[str, Any] = dict.fromkeys(("frequency", "cost", "cost_percent"), pa.float64()) | {
        "hand": pa.string()
    }
    texts = pa.dictionary(pa.int32(), pa.string())
    remaining_rows = iter(rows)
    batches = []
    schema = pa.schema([(name, kinds.get(name, texts)) for name in COLUMNS])
    while part := list(islice(remaining_rows, _AT_ONCE)):
        columns = zip(schema.types, zip(*part, strict=True), strict=True)
        batches.append(
            pa.record_batch([pa.array(column, kind) for kind, column in columns], schema=schema)
        )
    return pa.Table.from_batches(batches, schema).unify_dictionaries().combine_chunks()


def sum_decisions(decisions: pyarrow.Table, group: str) -> list[dict[str, Any]]:
    """Return sums of a table of graded decisions by one of its columns; where most was lost first."""
    sums = {
        "decisions": ("cost", "count"),
        "cost": ("cost", "sum"),
        "cost_percent": ("cost_percent", "sum"),
        "frequency": ("frequency", "mean"),
    }
    table = decisions.set_column(0, "group", decisions[group].cast("string"))
    rows = table.group_by("group").aggregate(list(sums.values())).to_pylist()
    plain = [
        {group: row["group"], **{name: row["_".join(column)] for name, column in sums.items()}}
        for row in rows
    ]
    return sorted(plain, key=lambda row: (-row["cost_percent"], -row["decisions"], row[group]))


@dataclass(frozen=True, repr=False, eq=False)
class Grades(Tabular, Display):
    """What the decisions in hand histories cost.

    Attributes
    ----------
    decisions : pyarrow.Table
        A row for each decision that a run covers: hand, player, run, street, position, line, board,
        cards, class, made, played, action, frequency, best, cost, cost_percent, grade. Line and
        action are those of the run that stand for what was played; board and cards have its suits;
        ``made`` is what they make together. The cost is in chips of the hand, and in % of the pot
        at the start of the run; it is 0 where the grade is ``best``, as
        :func:`equilibrist.poker.grade` says.
    hands : int
        How many hands were read.
    skipped : dict of str to int
        Hands without a decision to grade, by reason.
    uncovered : dict of str to int
        Decisions of two players after the flop that no run covers, by reason.
    runs : tuple of GradingRun
        The runs that graded.
    tolerance : float
        By which share stacks and bets could differ.
    served_at : str
        Where ``equilibrist serve`` shows the runs, or nothing.
    places : dict of str to list of str
        By reason, where the first hands without a decision to grade begin, and with which words.
    """

    decisions: pyarrow.Table
    hands: int
    skipped: dict[str, int]
    uncovered: dict[str, int]
    runs: tuple[GradingRun, ...]
    tolerance: float
    served_at: str = ""
    places: dict[str, list[str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Grades: {self.headline}, cost {self.cost:.6g} chips>"

    @property
    def headline(self) -> str:
        """How many hands and decisions there are, in words."""
        graded = len(self.decisions)
        not_covered = sum(self.uncovered.values())
        both = f"{count_text(graded + not_covered, 'decision')} of two players after the flop"
        return f"{count_text(self.hands, 'hand')}, {both}: {graded:,} graded, {not_covered:,} not covered"

    @property
    def certificates(self) -> list[str]:
        """How exact each run is, in words: no cost is finer."""
        exact = sorted(run.exploitability_percent for run in self.runs)
        if len(exact) > _MOST_NAMED:
            span = f"{exact[0]:.2g} to {exact[-1]:.2g} %"
            return [
                f"{len(exact)} runs are exact to {span} of their pots: what costs no more counts as 0"
            ]
        return [
            f"{run.name} is exact to {run.exploitability_percent:.2g} % of its pot: what costs "
            "no more counts as 0"
            for run in self.runs
        ]

    @property
    def cost(self) -> float:
        """What all decisions cost together, chips."""
        return math.fsum(self.decisions["cost"].to_pylist())

    def by(self, group: str) -> list[dict[str, Any]]:
        """Return sums by ``"street"``, ``"position"``, ``"line"``, ``"class"`` of hand or ``"made"`` hand.

        Where most was lost comes first.

        Each has the name, the number of decisions, their cost in chips and in % of the pot, and the
        mean frequency of what was played. An :class:`~equilibrist.AlgorithmError` refuses other
        groups.
        """
        if group not in GROUPS:
            raise AlgorithmError(f"Decisions are summed up by {', '.join(GROUPS)}; got {group!r}.")
        return sum_decisions(self.decisions, group)

    def dearest(self, most: int = 10) -> list[dict[str, Any]]:
        """Return the decisions that cost most of the pot, as rows of the table; none that cost nothing."""
        rows = self.decisions.sort_by([("cost_percent", "descending")]).slice(0, most).to_pylist()
        return [row for row in rows if row["cost"] > 0]

    def summary(self) -> dict[str, Any]:
        """Return counts, sums and the ten dearest decisions as plain data for JSON."""
        certificate = ("name", "exploitability", "exploitability_percent")
        return {
            **{
                name: getattr(self, name)
                for name in ("hands", "cost", "tolerance", "skipped", "places", "uncovered")
            },
            "decisions": len(self.decisions),
            "runs": [{name: getattr(run, name) for name in certificate} for run in self.runs],
            **{f"by_{group}": self.by(group) for group in GROUPS},
            "dearest": self.dearest(),
        }

    def to_arrow(self) -> pyarrow.Table:
        """Return :attr:`decisions`."""
        return self.decisions

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV; a :class:`~equilibrist.SolutionError` says why it cannot be written."""
        write_csv(
            path,
            COLUMNS,
            zip(*(column.to_pylist() for column in self.decisions.columns), strict=True),
        )

    def write_parquet(self, path: str | Path) -> None:
        """Write the table as Parquet; as :meth:`write_csv`."""
        write_parquet(path, self.decisions)
