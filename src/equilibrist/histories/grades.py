"""Graded decisions as a table, their sums by street, line and class of hand, and what was not covered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .._util.display import Display
from .._util.text import counted
from ..errors import AlgorithmError
from ..evaluation.spots import SolvedSpot
from ..strategy.tables import Tabular, write_csv, write_parquet

if TYPE_CHECKING:
    import pyarrow

GROUPS = ("street", "line", "class")
"""What decisions are summed up by."""
_AT_ONCE = 4_096  # rows that become columns together


class GradedRow(NamedTuple):
    """A decision that a run covers, as a row of the table."""

    hand: str
    player: str
    run: str
    street: str
    position: str
    line: str  # of the run, with its bets
    board: str  # with the suits of the run, as the cards
    cards: str
    kind: str  # the class of the cards, AKs
    played: str  # what was done in the hand
    action: str  # the action of the run that stands for it
    frequency: float  # with which the run takes it
    best: str
    cost: float  # chips of the hand; 0 where the grade is best
    cost_percent: float  # of the pot at the start of the run
    grade: str


_NUMBERS = ("frequency", "cost", "cost_percent")
COLUMNS = tuple("class" if name == "kind" else name for name in GradedRow._fields)
"""Of the table."""


class Rows:
    """Rows that become columns of Arrow as they come: texts once each, some hundred bytes a row."""

    def __init__(self) -> None:
        import pyarrow as pa

        texts, names = pa.dictionary(pa.int32(), pa.string()), {"hand": pa.string()}
        kinds = [pa.float64() if name in _NUMBERS else names.get(name, texts) for name in COLUMNS]
        self.schema = pa.schema(list(zip(COLUMNS, kinds, strict=True)))
        self.count = 0
        self._rows: list[GradedRow] = []
        self._batches: list[pyarrow.RecordBatch] = []

    def add(self, row: GradedRow) -> None:
        self._rows.append(row)
        self.count += 1
        if len(self._rows) == _AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        columns = zip(*self._rows, strict=True)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, self.schema, strict=True)]
        self._batches.append(pa.record_batch(arrays, schema=self.schema))
        self._rows.clear()

    def table(self) -> pyarrow.Table:
        import pyarrow as pa

        if self._rows:
            self._flush()
        return pa.Table.from_batches(self._batches, self.schema).unify_dictionaries().combine_chunks()


class RunOfGrades(NamedTuple):
    """A run by which decisions were graded."""

    name: str
    game: str
    pot: float  # at the start, chips of the run
    exploitability: float  # chips of the run: no cost is finer
    spot: SolvedSpot

    @property
    def exploitability_percent(self) -> float:
        """The same in % of the pot."""
        return 100 * self.exploitability / self.pot


@dataclass(frozen=True, repr=False, eq=False)
class Grades(Tabular, Display):
    """What the decisions in hand histories cost.

    Attributes
    ----------
    decisions : pyarrow.Table
        A row for each decision that a run covers: hand, player, run, street, position, line, board, cards, class,
        played, action, frequency, best, cost, cost_percent, grade. Line and action are those of the run that stand for
        what was played; board and cards have its suits. The cost is in chips of the hand, and in % of the pot at the
        start of the run; it is 0 where the grade is ``best``, as :func:`equilibrist.grade` says.
    hands : int
        How many hands were read.
    skipped : dict of str to int
        Hands without a decision to grade, by reason.
    uncovered : dict of str to int
        Decisions of two players after the flop that no run covers, by reason.
    runs : tuple of RunOfGrades
        The runs: name, game, pot, exploitability in chips and (``exploitability_percent``) in % of the pot.
    tolerance : float
        By which share stacks and bets could differ.
    """

    decisions: pyarrow.Table
    hands: int
    skipped: dict[str, int]
    uncovered: dict[str, int]
    runs: tuple[RunOfGrades, ...]
    tolerance: float

    def __repr__(self) -> str:
        return (
            f"<Grades of {counted(self.hands, 'hand')}: {counted(len(self.decisions), 'decision')}, cost "
            f"{self.cost:.6g} chips; {counted(sum(self.uncovered.values()), 'decision')} not covered>"
        )

    @property
    def cost(self) -> float:
        """What all decisions cost together, chips."""
        return math.fsum(self.decisions["cost"].to_pylist())

    def by(self, group: str) -> list[dict[str, Any]]:
        """Return the sums by ``"street"``, ``"line"`` or ``"class"`` of hand; where most was lost first.

        Each is a dict with the name, the number of decisions, their cost in chips and in % of the pot, and the mean
        frequency of what was played.

        Raises
        ------
        AlgorithmError
            There is no such group.
        """
        if group not in GROUPS:
            raise AlgorithmError(f"Decisions are summed up by {', '.join(GROUPS)}; got {group!r}.")
        import pyarrow as pa

        table = self.decisions.select([group, "cost", "cost_percent", "frequency"])
        table = table.set_column(0, group, table[group].cast(pa.string()))
        sums = [("cost", "count"), ("cost", "sum"), ("cost_percent", "sum"), ("frequency", "mean")]
        rows = table.group_by(group).aggregate(sums).to_pylist()
        names = ("decisions", "cost", "cost_percent", "frequency")
        plain = [
            {group: row[group], **{name: row["_".join(pair)] for name, pair in zip(names, sums, strict=True)}}
            for row in rows
        ]
        return sorted(plain, key=lambda row: (-row["cost_percent"], -row["decisions"], row[group]))

    def dearest(self, most: int = 10) -> list[dict[str, Any]]:
        """Return the decisions that cost most of the pot, as rows of the table; none that cost nothing."""
        import pyarrow.compute as pc

        costly = self.decisions.filter(pc.greater(self.decisions["cost"], 0.0))
        rows: list[dict[str, Any]] = costly.sort_by([("cost_percent", "descending")]).slice(0, most).to_pylist()
        return rows

    def summary(self) -> dict[str, Any]:
        """Return counts, sums and the ten dearest decisions as plain data for JSON."""
        return {
            "hands": self.hands,
            "decisions": len(self.decisions),
            "cost": self.cost,
            "cost_percent": math.fsum(self.decisions["cost_percent"].to_pylist()),
            "tolerance": self.tolerance,
            "runs": [
                {
                    "run": run.name,
                    "game": run.game,
                    "exploitability": run.exploitability,
                    "exploitability_percent": run.exploitability_percent,
                }
                for run in self.runs
            ],
            "skipped": self.skipped,
            "uncovered": self.uncovered,
            **{f"by_{group}": self.by(group) for group in GROUPS},
            "dearest": self.dearest(),
        }

    def to_arrow(self) -> pyarrow.Table:
        """Return :attr:`decisions`."""
        return self.decisions

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        write_csv(path, COLUMNS, zip(*(column.to_pylist() for column in self.decisions.columns), strict=True))

    def write_parquet(self, path: str | Path) -> None:
        """Write the table as Parquet.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        write_parquet(path, self.decisions)
