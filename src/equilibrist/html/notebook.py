"""HTML of results: one function for each type that notebooks show, found by the type."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from ..batches.board_report import BoardReport
from ..batches.result import BatchResult
from ..explanation.explanation import Explanation
from ..explanation.rendering import Grid, Story, make_view, write_headline
from ..histories.grades import Grades
from ..show.markup import (
    Cell,
    Markup,
    escape_html,
    fragment,
    page,
    paint_markup,
    table,
)
from ..show.registry import make_blocks
from .batch import batch_html, batch_page
from .boards import boards_page
from .grades import grades_page
from .lab import lab_html
from .lab.explained import lab_options


@singledispatch
def render(result: Any) -> str:
    """Return the HTML fragment of a result, a game or a compiled game."""
    return fragment(paint_markup(make_blocks(result)))


@singledispatch
def render_page(result: Any) -> str:
    """Return a page with nothing but the HTML of a result."""
    return page(_page_title(result), render(result))


@singledispatch
def _page_title(result: Any) -> str:
    return str(
        getattr(result, "game", None) or getattr(result, "name", None) or type(result).__name__
    )


render.register(BatchResult, batch_html)
render_page.register(BatchResult, batch_page)
render_page.register(BoardReport, boards_page)
render_page.register(Grades, grades_page)
_page_title.register(Explanation, write_headline)


@render.register
def _explanation_html(explanation: Explanation) -> str:
    """Return a table for each walk, the story, and all infosets before and after it; Kuhn poker has its lab below."""
    explanation_view = make_view(explanation, split=True)  # as wide as a page of text
    document = make_view(explanation, story=True, infosets=True)
    notes = "".join(f"<p>Note: {escape_html(note)}</p>" for note in explanation_view.notes)
    legend = "; ".join(
        f"<b>{escape_html(column)}</b> {escape_html(text)}"
        for column, text in explanation_view.legend.items()
    )
    folded = "".join(
        f"<details><summary>{title}</summary>{_block_html(block)}</details>"
        for title, block in zip(
            ("Step by step", "All infosets, before and after"), document.blocks, strict=True
        )
    )
    walks = "".join(map(_block_html, explanation_view.blocks))
    title = f"<p><b>{escape_html(explanation_view.headline)}</b></p>"
    tables = f'<div style="font-size:.9em">{title}{notes}{walks}<p><small>{legend}</small></p>{folded}</div>'
    options = lab_options(explanation)
    if options:
        lab = f"<details open><summary>The lab</summary>{lab_html('kuhn', options)}</details>"
    else:
        lab = ""
    return fragment(tables, lab)


def _block_html(block: Grid | Story) -> str:
    if isinstance(block, Grid):
        return table(
            ("", *block.columns),
            _grid_cells(block),
            numbers=len(block.columns),
            caption=block.title,
        )
    return "".join(
        '<p style="margin:0 0 0 '
        f'{1.5 * depth:g}em">{"<b>" * is_title}{escape_html(sentence)}{"</b>" * is_title}</p>'
        for depth, sentence, is_title in block.steps
    )


def _grid_cells(grid: Grid) -> Iterator[list[Cell]]:
    for row in grid.rows:
        guides = escape_html(row.guides).replace(" ", "&nbsp;")
        words = escape_html(row.what).replace("  ", "&ensp;")
        cell = words if row.is_move else f"<b>{words}</b>"
        first = Markup(f'<span class="line"><span class="guides">{guides}</span>{cell}</span>')
        yield [first, *(row.cells.get(column, "") for column in grid.columns)]
