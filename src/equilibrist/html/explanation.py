"""Explanation of an iteration as HTML: a table for each walk, and what its columns mean."""

from __future__ import annotations

from collections.abc import Iterator

from ..explanation.explanation import Explanation
from ..explanation.records import Walk
from ..explanation.rendering import columns, headline, legend, rows, walk_title
from .markup import Cell, Markup, escaped, fragment, table


def explanation_html(explanation: Explanation) -> str:
    """Return the fragment of an explanation, which takes its colours from the page."""
    shown = columns(explanation)
    walks = "".join(
        table(("", *shown), _cells(explanation, walk, shown), numbers=len(shown), caption=walk_title(explanation, walk))
        for walk in explanation.walks
    )
    words = "; ".join(f"<b>{escaped(column)}</b> {escaped(text)}" for column, text in legend(explanation).items())
    return fragment(f"<p><b>{escaped(headline(explanation))}</b></p>{walks}<p><small>{words}</small></p>")


def _cells(explanation: Explanation, walk: Walk, shown: list[str]) -> Iterator[list[Cell]]:
    for row in rows(explanation, walk):
        guides = escaped(row.guides).replace(" ", "&nbsp;")
        what = escaped(row.what) if row.is_move else f"<b>{escaped(row.what)}</b>"
        first = Markup(f'<span class="line"><span class="guides">{guides}</span>{what}</span>')
        yield [first, *(row.cells.get(column, "") for column in shown)]
