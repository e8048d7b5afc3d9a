"""What graded hands show, as blocks: what was lost where, the dearest decisions, and what was not covered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...evaluation.units import CHIPS, Unit
from ...show.blocks import Block, Column, Facts, Table
from .grades import GROUPS

if TYPE_CHECKING:
    from .grades import Grades

_TITLES = {"class": "class of hand", "made": "made hand"}
_LEAVING = {"grade": 1, "run plays it": 2, "street": 3, "player": 4, "hand": 5}
"""In which order columns leave where a page is narrow."""
_DEAREST = ("street", "line", "hand", "player", "board", "cards", "played", "best", "grade")
_MOST_SHOWN = 12  # rows of a sum


def grade_blocks(grades: Grades, unit: Unit = CHIPS, links: Sequence[str] = ()) -> list[Block]:
    """Return what graded hands show: sums of costs in a unit, the dearest decisions with links to addresses."""
    return [
        Facts([f"{grades.headline}.", *grades.certificates]),
        *grade_tables(grades, unit, links),
    ]


def grade_tables(grades: Grades, unit: Unit = CHIPS, links: Sequence[str] = ()) -> Iterator[Table]:
    """Yield the tables of graded hands."""
    dearest = grades.dearest()
    if dearest:
        yield _dearest_table(dearest, links)
    for group in GROUPS:
        rows = grades.by(group)[:_MOST_SHOWN]
        if rows:
            yield _sum_table(group, rows, unit)
    if grades.uncovered:
        yield _reason_table("Decisions not covered", grades.uncovered)
    if grades.skipped:
        yield _reason_table("Hands without decisions", grades.skipped, grades.places)


def _dearest_table(rows: Sequence[Mapping[str, Any]], links: Sequence[str]) -> Table:
    columns = [
        Column(
            name,
            [row[name] for row in rows],
            leaves=_LEAVING.get(name, 0),
            links=links if name == "hand" else (),
        )
        for name in _DEAREST
    ]
    columns += [
        _frequency_column(rows),
        Column("% of pot", [row["cost_percent"] for row in rows], ".2f"),
    ]
    return Table(columns, title="Dearest decisions")


def _sum_table(group: str, rows: Sequence[Mapping[str, Any]], unit: Unit) -> Table:
    if unit.of_pot:
        costs = [row["cost_percent"] for row in rows]
    else:
        costs = [unit.change(row["cost"], 1) for row in rows]
    costs_each = [row["cost_percent"] / row["decisions"] for row in rows]
    return Table(
        [
            Column(group, [row[group] or "start" for row in rows], leaves=_LEAVING.get(group, 0)),
            Column("decisions", [row["decisions"] for row in rows], ",d"),
            _frequency_column(rows),
            Column(unit.heading("cost"), costs, ".4g"),
            Column("% of pot each", costs_each, ".3f"),
        ],
        title=f"By {_TITLES.get(group, group)}",
    )


def _frequency_column(rows: Sequence[Mapping[str, Any]]) -> Column:
    name = "run plays it"
    return Column(name, [row["frequency"] for row in rows], ".1%", leaves=_LEAVING[name])


def _reason_table(
    title: str, counts: Mapping[str, int], places: Mapping[str, Sequence[str]] | None = None
) -> Table:
    """Return how often something happened by reason, with the place of the first one where that is known."""
    reasons = sorted(counts, key=counts.__getitem__, reverse=True)
    numbers = [counts[reason] for reason in reasons]
    columns = [Column("reason", reasons), Column("number", numbers, ",d")]
    if places and any(places.values()):
        first_places = [next(iter(places.get(reason, ())), "") for reason in reasons]
        columns.append(Column("the first", first_places, leaves=1))
    return Table(columns, title=title)
