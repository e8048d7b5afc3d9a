"""What the results of a batch show, as blocks: counts, pictures, a table of the results, and why runs failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..show.blocks import Block, Column, Facts, Figure, Rest, Table
from ..show.markup import escape_html, page, paint_sections
from ..show.numbers import format_cell
from .picture import draw_convergence, draw_dependence
from .result import STATES, BatchResult, rows_to_columns

_MOST_ROWS = 2_000
_HIDDEN = ("error", "game", "run")
_LEAVING = (
    "infosets",
    "nash_conv",
    "nodes_touched",
    "stop_reason",
    "seconds",
    "iterations",
    "value_1",
    "value_0",
)
"""In which order columns leave where a page is narrow."""
_MOST_NAMED = 3  # of the runs that failed for one reason


def batch_blocks(result: BatchResult) -> Iterator[Block]:
    """Yield what a batch shows."""
    counts = ", ".join(
        f"{result.count(state):,} {state}" for state in STATES if result.count(state)
    )
    yield Facts([f"{len(result.records):,} runs: {counts}"])
    if draw_dependence(result) is not None:
        yield Facts(title="Dependence")
        yield Figure("batch dependence", result, "dependence of the runs of a batch")
    if draw_convergence(result) is not None:
        yield Facts(title="Convergence")
        yield Figure("batch convergence", result, "convergence of the runs of a batch")
    yield result_table(result, "Results")
    if result.failed:
        yield Facts(list(failure_sentences(result.failed)), title="Failed")


def batch_page(result: BatchResult) -> str:
    """Return the page of a batch, which needs no other file."""
    body = f"<h1>{escape_html(result.name)}</h1><main>{paint_sections(batch_blocks(result))}</main>"
    return page(result.name, body)


def result_table(result: BatchResult, title: str, max_rows: int = _MOST_ROWS) -> Table:
    """Return a row for each of the first runs: labels, state unless all are finished, and results."""
    rows = result.rows()
    hidden = (*_HIDDEN, "state") if result.finished else _HIDDEN
    columns = [
        _make_column(heading, cells[:max_rows])
        for heading, cells in rows_to_columns(rows).items()
        if heading not in hidden and not any(isinstance(cell, list | dict) for cell in cells)
    ]
    rest = None
    if len(rows) > max_rows:
        rest = Rest(f"and {len(rows) - max_rows:,} more runs", "results.parquet has all")
    return Table(columns, title=title, rest=rest)


def _make_column(heading: str, cells: list[Any]) -> Column:
    """Return a column of results, with how early it leaves a narrow page."""
    leaves = 0
    if heading in _LEAVING:
        leaves = 1 + _LEAVING.index(heading)
    if any(isinstance(cell, str) for cell in cells):
        return Column(heading, list(map(format_cell, cells)), leaves=leaves)
    return Column(heading, cells, format_cell, leaves=leaves)


def failure_sentences(failed: Mapping[str, str]) -> Iterator[str]:
    """Yield each reason for which runs failed, given by the labels of runs, with the first of these."""
    reasons: dict[str, list[str]] = {}
    for item, reason in failed.items():
        reasons.setdefault(reason, []).append(item)
    for reason, items in reasons.items():
        num_more = len(items) - _MOST_NAMED
        remainder = f" and {num_more} more" if num_more > 0 else ""
        yield f"{'; '.join(items[:_MOST_NAMED])}{remainder}: {reason}"
