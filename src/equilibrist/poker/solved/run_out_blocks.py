"""What reports over run-outs show, as blocks: means by texture, and the boards one by one; several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...evaluation.units import CHIPS, Unit
from ...show.blocks import Block, Column, Facts, Table
from ..spot.betting_tree import PLAYERS
from ..spot.lines import place_in_words

if TYPE_CHECKING:
    from .run_outs import RunOutReport

_MOST_BOARDS = 60
_NAMES = {"ev": "EV", "equity": "equity", "eqr": "EQR"}
_LEAVING = {"eqr": 1, "equity": 2, "boards": 3}
"""In which order columns leave where a page is narrow."""


def run_out_blocks(report: RunOutReport) -> list[Block]:
    """Return what a report over run-outs shows: means by suits and by rank of the card, and all boards."""
    return [
        *_heading(report),
        texture_table(report, ("flush",)),
        texture_table(report, ("rank",)),
        board_table(report),
    ]


def _heading(report: RunOutReport) -> list[Block]:
    sentences = [f"{PLAYERS[report.player]} decides; nothing is solved anew."]
    if report.only:
        sentences.append(f"Only {PLAYERS[report.of or 0]} with {report.only}.")
    title = f"Run-outs of {report.board} {place_in_words(report.line)}"
    return [Facts(sentences, title=title)]


def texture_table(report: RunOutReport, by: Sequence[str], unit: Unit = CHIPS) -> Table:
    """Return the means by texture, and that of all boards in the last row."""
    means = [*report.by_texture(by), report.mean()]
    columns = [
        Column(name, [*(_words(name, mean[name]) for mean in means[:-1]), "all" if first else ""])
        for name, first in zip(by, [True, *[False] * (len(by) - 1)], strict=True)
    ]
    columns.append(
        Column("boards", [mean["boards"] for mean in means], "d", leaves=_LEAVING["boards"])
    )
    columns.append(Column("deals", [mean["deals"] for mean in means], ".1%"))
    return Table([*columns, *_number_columns(report, means, unit)], title=f"By {' and '.join(by)}")


def board_table(report: RunOutReport, unit: Unit = CHIPS) -> Table:
    """Return the boards one by one, those with the most deals first where there are too many."""
    rows = sorted(report.rows, key=lambda row: -row["deals"])[:_MOST_BOARDS]
    shown_rows = [row for row in report.rows if row in rows]
    more = len(report.rows) - len(shown_rows)
    title = (
        f"Boards, the {len(shown_rows)} most frequent of {len(report.rows)}" if more else "Boards"
    )
    columns = [
        Column("board", [row["board"] for row in shown_rows]),
        Column("alike", [row["alike"] for row in shown_rows], "d", leaves=_LEAVING["boards"]),
        Column("deals", [row["deals"] for row in shown_rows], ".1%"),
    ]
    return Table([*columns, *_number_columns(report, shown_rows, unit)], title=title)


def side_by_side(
    reports: Mapping[str, RunOutReport], by: Sequence[str], unit: Unit = CHIPS
) -> list[Block]:
    """Return the means by texture of several reports in one table, a group of columns for each, by name."""
    means = {
        name: {tuple(mean[part] for part in by): mean for mean in report.by_texture(by)}
        for name, report in reports.items()
    }
    keys = list(dict.fromkeys(key for rows in means.values() for key in rows))
    blocks: list[Block] = []
    columns = sorted(
        {column for report in reports.values() for column in report.columns}, key=_order(reports)
    )
    for column in columns:
        of_texture = [
            Column(name, [*(_words(name, key[place]) for key in keys), "all" if not place else ""])
            for place, name in enumerate(by)
        ]
        of_runs = []
        for name, report in reports.items():
            values = [means[name].get(key, {}).get(column) for key in keys]
            values.append(report.mean().get(column))
            pot = report.rows[0]["pot"]
            of_runs.append(_number_column(name, column, values, pot, unit))
        blocks.append(Table([*of_texture, *of_runs], title=_heading_of(column, unit)))
    return blocks


def _order(reports: Mapping[str, RunOutReport]) -> Any:
    names = list(dict.fromkeys(name for report in reports.values() for name in report.columns))
    return names.index


def _words(name: str, value: Any) -> str:
    """Return what a texture is called."""
    if isinstance(value, bool):
        words = {"straight": ("no straight", "straight"), "connected": ("no", "connected")}
        return words[name][value]
    return str(value)


def _number_columns(
    report: RunOutReport, rows: Sequence[Mapping[str, Any]], unit: Unit
) -> list[Column]:
    pot = report.rows[0]["pot"]
    return [
        _number_column(_heading_of(name, unit), name, [row.get(name) for row in rows], pot, unit)
        for name in report.columns
    ]


def _heading_of(name: str, unit: Unit) -> str:
    measure, _, seat = name.partition("_")
    if measure not in _NAMES:
        return name
    if measure == "ev":
        return f"{unit.heading()} {seat.upper()}"
    return f"{_NAMES[measure]} {seat.upper()}"


def _number_column(
    heading: str, name: str, values: Sequence[float | None], pot: float, unit: Unit
) -> Column:
    measure = name.partition("_")[0]
    if measure == "ev":
        numbers = [None if value is None else unit.ev(value, pot) for value in values]
        return Column(heading, numbers, ".3f")
    return Column(heading, list(values), ".1%", leaves=_LEAVING.get(measure, 0))
