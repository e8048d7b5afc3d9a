"""An explanation laid out: as text of some width, with Rich, and as Markdown."""

from __future__ import annotations

import io
import re
import textwrap

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from .._util.text import drop_columns, visible
from .records import ExplainedIteration
from .rendering import Grid, Story, View, view

# In this order, where a page is so narrow that the numbers of infosets have a table of their own already:
_DROPPED = ("cf value", "reach", "instant", "strategy sum", "regret", "weight")
_GAP = 1  # between columns
_LEAST = 12  # characters of the tree
_PROSE = 100  # characters of a line of sentences, where the page is as wide as it takes


def as_text(
    explanation: ExplainedIteration, width: int | None, *, story: bool, infosets: bool
) -> str:
    """Return the explanation as text: with all columns, or at most so many characters wide, if that is enough."""
    seen = _fitting(explanation, width, story=story, infosets=infosets)
    needed = max([_PROSE if width is None else width, *(_width(block) for block in _grids(seen))])
    file = io.StringIO()
    console = Console(file=file, width=needed, color_system=None, highlight=False, emoji=False)
    console.print(*_laid_out(seen, width or _PROSE, needed), sep="\n")
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def renderables(
    explanation: ExplainedIteration, width: int, *, story: bool = False, infosets: bool = False
) -> list[RenderableType]:
    """Return what Rich prints on a terminal of this width."""
    return _laid_out(_fitting(explanation, width, story=story, infosets=infosets), width, width)


def _fitting(
    explanation: ExplainedIteration, width: int | None, *, story: bool, infosets: bool
) -> View:
    """Return what is shown on a page of a width: of histories and infosets in two tables, where one is too wide."""
    seen = view(explanation, story=story, infosets=infosets)
    if width is None or all(_width(grid) <= width for grid in _grids(seen)):
        return seen
    seen = view(explanation, story=story, infosets=infosets, split=True)
    blocks = [
        block._replace(
            columns=list(drop_columns(_widths(block), _DROPPED, width - _tree_width(block)))
        )
        if isinstance(block, Grid)
        else block
        for block in seen.blocks
    ]
    shown = {column for block in blocks if isinstance(block, Grid) for column in block.columns}
    legend = {column: text for column, text in seen.legend.items() if column in shown}
    left_out = [column for column in seen.legend if column not in shown]
    if left_out:
        notes = [f"Left out for want of room: {', '.join(left_out)}. A wider terminal shows all."]
    else:
        notes = []
    return View(seen.headline, seen.notes + notes, blocks, legend)


def _grids(seen: View) -> list[Grid]:
    return [block for block in seen.blocks if isinstance(block, Grid)]


def _width(grid: Grid) -> int:
    return _tree_width(grid) + sum(_widths(grid).values())


def _tree_width(grid: Grid) -> int:
    return _GAP + max([cell_len(row.guides + visible(row.what)) for row in grid.rows], default=0)


def _widths(grid: Grid) -> dict[str, int]:
    return {
        column: _GAP + max([len(column), *(len(row.cells.get(column, "")) for row in grid.rows)])
        for column in grid.columns
    }


def _laid_out(seen: View, prose: int, width: int) -> list[RenderableType]:
    """Return what Rich prints: sentences of ``prose`` characters a line, tables of ``width``."""
    parts: list[RenderableType] = [Text(visible(seen.headline), "bold")]
    parts += [Text(textwrap.fill(visible(f"Note: {note}"), prose)) for note in seen.notes]
    for block in seen.blocks:
        parts += _steps(block, prose) if isinstance(block, Story) else _table(block, width)
    words = Table.grid(padding=(0, 2, 0, 0))
    for column, text in seen.legend.items():
        words.add_row(Text(column, "bold", no_wrap=True), text)
    parts += ["", words] if seen.legend else []
    if any(_width(grid) > width for grid in _grids(seen)):
        parts.append(
            Text(
                "The tree is too wide, and was cut: a file or a pipe ('| less -S') gets all of it."
            )
        )
    return parts


def _steps(story: Story, width: int) -> list[RenderableType]:
    lines = []
    for depth, sentence, is_title in story.steps:
        indent = "  " * min(depth, max(0, width - _PROSE // 2) // 2)
        wrapped = textwrap.fill(
            visible(sentence), width, initial_indent=indent, subsequent_indent=f"{indent}    "
        )
        lines.append(Text(f"\n{wrapped}\n" if is_title else wrapped, "bold" if is_title else ""))
    return [*lines]


def _table(grid: Grid, width: int) -> list[RenderableType]:
    numbers = sum(_widths(grid).values())
    table = Table(box=None, padding=(0, 0, 0, _GAP), show_edge=False)
    table.add_column(
        "", no_wrap=True, max_width=max(_LEAST, min(_tree_width(grid), width - numbers) - _GAP)
    )
    for column in grid.columns:
        table.add_column(column, justify="right", no_wrap=True)
    for row in grid.rows:
        what = Text.assemble(
            (row.guides, "dim"), (visible(row.what), "" if row.is_move else "bold")
        )
        table.add_row(what, *(row.cells.get(column, "") for column in grid.columns))
    return [Text(f"\n{grid.title}\n"), table]


def as_markdown(explanation: ExplainedIteration, *, story: bool, infosets: bool) -> str:
    """Return the explanation in Markdown."""
    seen = view(explanation, story=story, infosets=infosets)
    parts = [
        f"**{_in_markdown(seen.headline)}**",
        *(_in_markdown(f"Note: {note}") for note in seen.notes),
    ]
    for block in seen.blocks:
        parts += _markdown_story(block) if isinstance(block, Story) else _markdown_table(block)
    parts.append("\n".join(f"* {column}: {text}" for column, text in seen.legend.items()))
    return "\n\n".join(parts).rstrip() + "\n"


def _markdown_story(story: Story) -> list[str]:
    parts: list[str] = []
    for depth, sentence, is_title in story.steps:
        if is_title:
            line = f"**{_in_markdown(sentence)}**"
        else:
            line = f"{'  ' * depth}* {_in_markdown(sentence)}"
        if is_title or not parts or parts[-1].startswith("**"):
            parts.append(line)
        else:
            parts[-1] += f"\n{line}"
    return parts


def _markdown_table(grid: Grid) -> list[str]:
    lines = [["place", "", *grid.columns], ["---", "---", *("---:" for _ in grid.columns)]]
    for row in grid.rows:
        what = _in_markdown(row.what)
        cells = (row.cells.get(column, "") for column in grid.columns)
        lines.append([_in_markdown(row.place), what if row.is_move else f"**{what}**", *cells])
    return [f"{_in_markdown(grid.title)}.", "\n".join(f"| {' | '.join(line)} |" for line in lines)]


def _in_markdown(text: str) -> str:
    """Return a text as Markdown that shows it as it is."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"[\\`*|\[\]~$]|(?<!\w)_|_(?!\w)", r"\\\g<0>", text)
