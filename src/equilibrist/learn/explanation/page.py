"""The HTML of an explained iteration: a table for each walk, the story, and the lab of Kuhn poker."""

from __future__ import annotations

from collections.abc import Iterator

from ...show.markup import Cell, Markup, escape_html, fragment, page, table
from ..lab import lab_html
from .lab_options import lab_options
from .records import ExplainedIteration
from .rendering import Grid, Story, make_view, write_headline


def explanation_page(explanation: ExplainedIteration) -> str:
    """Return a page with nothing but an explanation."""
    return page(write_headline(explanation), explanation_html(explanation))


def explanation_html(explanation: ExplainedIteration) -> str:
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
