"""The page of a report over boards: means, a bar for each board, a table to sort and filter, and grids of hands."""

from __future__ import annotations

import json
import math
from typing import Any

from ...page.bundle import bundle_script, join_assets
from ...show.markup import escape_html, page, paint_markup
from ..spot.betting_tree import PLAYERS
from ..spot.lines import action_words
from .blocks import mean_tables
from .board_report import BoardReport

_MOST_CELLS = 400_000
"""Numbers by class of hand that a page holds: some megabytes."""
_STYLES = ("page/css/tokens.css", "page/css/grid.css", "poker/boards/boards.css")
_SCRIPT = "poker/boards/boards.js"
_NOSCRIPT = (
    "<noscript><p>Sorting and filters need JavaScript; nothing is loaded from "
    "elsewhere.</p></noscript>"
)


def boards_page(report: BoardReport) -> str:
    """Return the page of a report, which needs no other file."""
    data = json.dumps(_board_data(report), separators=(",", ":")).replace("<", "\\u003c")
    if report.finished:
        count = f"{len(report.solved):,}"
    else:
        count = f"{len(report.solved):,} of {len(report.records):,}"
    heading = f"{count} boards"
    body = (
        f"<h1>{escape_html(heading)}</h1><p class='note'>{escape_html(report.spot)}</p>"
        f"{paint_markup(mean_tables(report))}"
        f"<main id='boards'></main>{_NOSCRIPT}<style>{join_assets(*_STYLES)}</style>"
        f'<script type="application/json" id="data">{data}</script>'
    )
    failed = "".join(
        f"<li>{escape_html(f'{board}: {reason}')}</li>" for board, reason in report.failed.items()
    )
    if failed:
        body += f"<section><h2>Failed</h2><ul>{failed}</ul></section>"
    return page(f"{heading}: {report.spot[:80]}", body, script=bundle_script(_SCRIPT))


def _board_data(report: BoardReport) -> dict[str, Any]:
    lines = []
    for line in report.lines:
        _, _, node = next(report.nodes(line))
        numbers = {key: node[key] for key in ("player", "pot", "actions")}
        lines.append(
            {"line": line, **numbers, "words": [action_words(action) for action in node["actions"]]}
        )
    cells = sum(
        len(node["classes"][node["player"]]) * (3 + len(node["actions"]))
        for _, _, results in report.solved
        for node in results["nodes"]
    )
    boards = []
    for board, weight, results in report.solved:
        nodes = {}
        for node in results["nodes"]:
            nodes[node["line"]] = {
                "mass": node["mass"],
                **{key: _round_numbers(node[key]) for key in ("ev", "equity", "eqr")},
                "mix": _round_numbers(node["frequencies"]),
            }
            if cells <= _MOST_CELLS:
                by_class = node["classes"][node["player"]]
                nodes[node["line"]]["classes"] = {
                    name: _round_numbers(numbers, 4) for name, numbers in by_class.items()
                }
        boards.append(
            {
                "board": board,
                "weight": weight,
                **report.texture_of(board),
                "exploitability": results["exploitability_percent"],
                "nodes": nodes,
            }
        )
    return {"players": PLAYERS, "lines": lines, "boards": boards}


def _round_numbers(numbers: list[float | None], digits: int = 6) -> list[float | None]:
    """Return numbers with so many digits that count."""
    return [
        None if number is None or math.isnan(number) else float(f"{number:.{digits}g}")
        for number in numbers
    ]
