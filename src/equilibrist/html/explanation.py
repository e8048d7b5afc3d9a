"""Explanation of an iteration as HTML: a table for each walk, its story, and all infosets before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from ..explanation.explanation import Explanation
from ..explanation.rendering import Grid, Story, view
from .lab import embedded
from .lab.explained import position
from .markup import Cell, Markup, escaped, fragment, table


def explanation_html(explanation: Explanation) -> str:
    """Return the fragment of an explanation, which takes its colours from the page; Kuhn poker has its lab below."""
    seen = view(explanation, split=True)  # as wide as a page of text
    document = view(explanation, story=True, infosets=True)
    notes = "".join(f"<p>Note: {escaped(note)}</p>" for note in seen.notes)
    legend = "; ".join(f"<b>{escaped(column)}</b> {escaped(text)}" for column, text in seen.legend.items())
    folded = "".join(
        f"<details><summary>{title}</summary>{_block(block)}</details>"
        for title, block in zip(("Step by step", "All infosets, before and after"), document.blocks, strict=True)
    )
    walks = "".join(map(_block, seen.blocks))
    title = f"<p><b>{escaped(seen.headline)}</b></p>"
    tables = f'<div style="font-size:.9em">{title}{notes}{walks}<p><small>{legend}</small></p>{folded}</div>'
    options = position(explanation)
    lab = f"<details open><summary>The lab</summary>{embedded('kuhn', options)}</details>" if options else ""
    return fragment(tables, lab)


def _block(block: Grid | Story) -> str:
    if isinstance(block, Grid):
        return table(("", *block.columns), _cells(block), numbers=len(block.columns), caption=block.title)
    return "".join(
        f'<p style="margin:0 0 0 {1.5 * depth:g}em">{"<b>" * is_title}{escaped(sentence)}{"</b>" * is_title}</p>'
        for depth, sentence, is_title in block.steps
    )


def _cells(grid: Grid) -> Iterator[list[Cell]]:
    for row in grid.rows:
        guides = escaped(row.guides).replace(" ", "&nbsp;")
        words = escaped(row.what).replace("  ", "&ensp;")
        what = words if row.is_move else f"<b>{words}</b>"
        first = Markup(f'<span class="line"><span class="guides">{guides}</span>{what}</span>')
        yield [first, *(row.cells.get(column, "") for column in grid.columns)]
