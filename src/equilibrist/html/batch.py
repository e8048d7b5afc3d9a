"""The page of a batch: counts, pictures, a table of the results, and why runs failed."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..batches.picture import draw_convergence, draw_dependence
from ..batches.result import STATES, BatchResult
from ..show.markup import escape_html, fragment, image, page, section, table
from ..show.numbers import format_cell

_MOST_ROWS = 2_000
_LEFT_OUT = ("error", "game", "run")


def batch_html(result: BatchResult) -> str:
    """Return the HTML fragment of a batch."""
    return fragment(*_batch_parts(result))


def batch_page(result: BatchResult) -> str:
    """Return the page of a batch, which needs no other file."""
    body = f"<h1>{escape_html(result.name)}</h1><main>{''.join(_batch_parts(result))}</main>"
    return page(result.name, body)


def _batch_parts(result: BatchResult) -> list[str]:
    counts = ", ".join(
        f"{result.count(state):,} {state}" for state in STATES if result.count(state)
    )
    parts = [f"<p>{len(result.records):,} runs: {counts}</p>"]
    draw: Any
    for title, draw in (("Dependence", draw_dependence), ("Convergence", draw_convergence)):
        if draw(result) is not None:
            parts.append(
                section(
                    title, image(partial(draw, result), f"{title.lower()} of the runs of a batch")
                )
            )
    parts.append(section("Results", _result_table(result)))
    if result.failed:
        failed = "".join(
            f"<li>{escape_html(f'{item}: {reason}')}</li>" for item, reason in result.failed.items()
        )
        parts.append(section("Failed", f"<ul>{failed}</ul>"))
    return parts


def _result_table(result: BatchResult) -> str:
    rows = result.rows()
    headings = [
        key for key in dict.fromkeys(key for row in rows for key in row) if key not in _LEFT_OUT
    ]
    columns = [
        key for key in headings if not any(isinstance(row.get(key), list | dict) for row in rows)
    ]
    texts = [key for key in columns if any(isinstance(row.get(key), str) for row in rows)]
    ordered_columns = [*texts, *(key for key in columns if key not in texts)]
    if len(rows) > _MOST_ROWS:
        rest_note = f"<p>The first {_MOST_ROWS:,} of {len(rows):,}; results.parquet has all.</p>"
    else:
        rest_note = ""
    cells = [[format_cell(row.get(key)) for key in ordered_columns] for row in rows[:_MOST_ROWS]]
    return table(ordered_columns, cells, numbers=len(ordered_columns) - len(texts)) + rest_note
