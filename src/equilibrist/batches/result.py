"""Results of a batch: a row for each item, as a table, as Parquet, and as pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._util.display import Display
from .._util.files import write_atomically
from .._util.validate import is_number
from ..strategy.tables import Tabular, write_parquet

if TYPE_CHECKING:
    import pyarrow

TABLE = "results.parquet"
STUDY = "study.json"
PAGE = "report.html"
FORMAT = "equilibrist batch 1"
STATES = ("finished", "failed", "unfinished")


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BatchResult(Tabular, Display):
    """Results of :func:`equilibrist.batch`.

    Attributes
    ----------
    name : str
        The study's.
    records : tuple of mapping
        One for each item of the study, in its order: ``name``, ``game``, ``labels``, ``state``
        (``"finished"``, ``"failed"`` or ``"unfinished"``), ``error``, ``results``, ``trace``,
        ``limits`` and ``seconds``.
    computed : int
        How many of them were computed by this call; the others were there.
    folder : Path or None
        Where they are.
    """

    name: str
    records: tuple[Mapping[str, Any], ...]
    computed: int = 0
    folder: Path | None = None

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{self.count(state):,} {state}" for state in STATES if self.count(state)
        )
        return f"<BatchResult of {self.name}: {len(self.records):,} runs, {counts}>"

    def count(self, state: str) -> int:
        """Return how many items are in a state."""
        return sum(record["state"] == state for record in self.records)

    @property
    def finished(self) -> bool:
        """Whether all items are finished."""
        return self.count("finished") == len(self.records)

    @property
    def failed(self) -> dict[str, str]:
        """Why items failed, by their labels."""
        return {
            label_record(record): record["error"]
            for record in self.records
            if record["state"] == "failed"
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row of plain values for each item: labels, state, and results."""
        return [
            {
                **record["labels"],
                "state": record["state"],
                **record["results"],
                "error": record["error"] or None,
                "game": record["game"],
                "run": record["name"],
            }
            for record in self.records
        ]

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each item.

        The columns are what varies, ``state``, the results (``iterations``, ``exploitability``,
        ``value_0``, … or those of the measure), ``error``, ``game``, and ``run``, the name of the
        run folder. What is not known is null; where values of a column are of different kinds, all
        are texts.
        """
        import pyarrow as pa

        columns = {}
        for heading, cells in rows_to_columns(self.rows()).items():
            try:
                columns[heading] = pa.array(cells)
            except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
                if all(cell is None or isinstance(cell, bool) or is_number(cell) for cell in cells):
                    columns[heading] = pa.array(
                        [None if cell is None else float(cell) for cell in cells]
                    )
                else:
                    columns[heading] = pa.array(
                        [
                            cell if cell is None or isinstance(cell, str) else json.dumps(cell)
                            for cell in cells
                        ]
                    )
        return pa.table(columns)

    def summary(self) -> dict[str, Any]:
        """Return everything but the traces as plain data for JSON."""
        records = [
            {key: value for key, value in record.items() if key != "trace"}
            for record in self.records
        ]
        counts = {state: self.count(state) for state in STATES}
        return {
            "format": FORMAT,
            "name": self.name,
            **counts,
            "computed": self.computed,
            "items": records,
        }

    def write(self, folder: Path) -> None:
        """Write ``results.parquet``, ``study.json`` and ``report.html`` to a folder that is there.

        Raises
        ------
        SolutionError
            They cannot be written.
        """
        write_parquet(folder / TABLE, self.to_arrow())
        write_atomically(folder / STUDY, f"{json.dumps(self.summary())}\n".encode())
        write_atomically(folder / PAGE, self.to_html(page=True).encode())


def rows_to_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows as columns, with None where a row lacks a heading."""
    headings = dict.fromkeys(heading for row in rows for heading in row)
    return {heading: [row.get(heading) for row in rows] for heading in headings}


def label_record(record: Mapping[str, Any]) -> str:
    """Return the labels of an item in words, or its game where nothing varies."""
    return ", ".join(f"{key} {value}" for key, value in record["labels"].items()) or str(
        record["game"]
    )


def varied_headings(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the headings of what varies over some records."""
    return list(dict.fromkeys(key for record in records for key in record["labels"]))
