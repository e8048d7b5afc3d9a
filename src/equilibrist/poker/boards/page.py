"""The page of a report over boards: means, a bar for each board, a table to sort and filter, and grids of hands."""

from __future__ import annotations

import json
import math
from typing import Any

from ...page.bundle import bundle_script, join_assets
from ...show.markup import escape_html, fragment, page, paint_markup
from .blocks import mean_tables
from .board_report import BOARDS, BoardReport

_MOST_CELLS = 400_000
"""Numbers by class of hand that a page holds: some megabytes."""
_STYLES = (
    "page/css/colours.css",
    "page/css/tokens.css",
    "page/app.css",
    "page/css/grid.css",
    "page/css/batch.css",
    "poker/boards/boards.css",
)
_SCRIPT = "poker/boards/boards.js"
_TOO_MANY = "Hands by class are in classes.parquet: for a page there are too many."
_NOSCRIPT = (
    "<noscript><p>Sorting and filters need JavaScript; nothing is loaded from "
    "elsewhere.</p></noscript>"
)


def boards_page(report: BoardReport) -> str:
    """Return the page of a report, which needs no other file: the means, and the report that ``serve`` shows."""
    data = json.dumps(_board_data(report), separators=(",", ":")).replace("<", "\\u003c")
    if report.finished:
        count = f"{len(report.solved):,}"
    else:
        count = f"{len(report.solved):,} of {len(report.records):,}"
    heading = f"{count} boards"
    failed = "".join(
        f"<li>{escape_html(f'{board}: {reason}')}</li>" for board, reason in report.failed.items()
    )
    if failed:
        failed = f"<section class='card'><h2>Failed</h2><ul>{failed}</ul></section>"
    means = f"<div class='means-by-line'>{fragment(paint_markup(mean_tables(report)))}</div>"
    body = (
        f"<main id='main' class='view batch'><header><h1>{escape_html(heading)}</h1>"
        f"<p class='note'>{escape_html(report.spot)}</p></header>{means}{failed}{_NOSCRIPT}</main>"
        "<div id='toasts' role='status' aria-live='polite'></div>"
        f'<script type="application/json" id="data">{data}</script>'
    )
    return page(
        f"{heading}: {report.spot[:80]}",
        body,
        styles=join_assets(*_STYLES),
        script=bundle_script(_SCRIPT),
    )


def _board_data(report: BoardReport) -> dict[str, Any]:
    """Return what the report of the page shows, as the server answers it, with all lines at once and classes of hands.

    ``rows`` has the rows of each line, a board each; ``note`` says where the classes are if they
    are too many for a page.
    """
    nodes = [node for _, _, results in report.solved for node in results["nodes"]]
    cells = sum(len(node["classes"][node["player"]]) * (3 + len(node["actions"])) for node in nodes)
    rows: dict[str, list[dict[str, Any]]] = {line: [] for line in report.lines}
    for row, node in zip(report.rows(), nodes, strict=True):
        board_row = {"id": row["board"], **_round_numbers(row)}
        if cells <= _MOST_CELLS:
            by_class = node["classes"][node["player"]]
            board_row["classes"] = {
                name: [_round(number, 4) for number in numbers]
                for name, numbers in by_class.items()
            }
        rows[row["line"]].append(board_row)
    return {
        "id": BOARDS,
        "game": report.spot,
        "lines": report.lines,
        "rows": rows,
        "variations": [],
        "note": "" if cells <= _MOST_CELLS else _TOO_MANY,
    }


def _round_numbers(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with six digits of its numbers: more are not seen, and take room."""
    return {
        name: _round(value, 6) if value is None or isinstance(value, float) else value
        for name, value in row.items()
    }


def _round(number: float | None, digits: int) -> float | None:
    """Return a number with so many digits that count; None where it is none."""
    if number is None or math.isnan(number):
        return None
    return float(f"{number:.{digits}g}")
