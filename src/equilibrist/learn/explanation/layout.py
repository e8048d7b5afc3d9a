"""An explanation laid out: as text of some width, with Rich, and as Markdown."""

from __future__ import annotations

import io
import re
import textwrap

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ..._util.text import drop_columns, escape_controls
from .records import ExplainedIteration
from .rendering import Grid, Story, View, make_view

# In this order, where a page is so narrow that the numbers of infosets have a table of their own
# already:
_DROPPED = ("cf value", "reach", "instant", "strategy sum", "regret", "weight")
_GAP = 1  # between columns
_LEAST = 12  # characters of the tree
_PROSE = 100  # characters of a line of sentences, where the page is as wide as it takes


def write_text(
    explanation: ExplainedIteration, width: int | None, *, story: bool, infosets: bool
) -> str:
    """Return the explanation as text: with all columns, or at most so many characters wide, if that is enough."""
    page = _fit_view(explanation, width, story=story, infosets=infosets)
    page_width = max(
        [_PROSE if width is None else width, *(_grid_width(block) for block in _find_grids(page))]
    )
    file = io.StringIO()
    console = Console(file=file, width=page_width, color_system=None, highlight=False, emoji=False)
    console.print(*_lay_out(page, width or _PROSE, page_width), sep="\n")
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def lay_out_page(
    explanation: ExplainedIteration, width: int, *, story: bool = False, infosets: bool = False
) -> list[RenderableType]:
    """Return what Rich prints on a terminal of this width."""
    return _lay_out(_fit_view(explanation, width, story=story, infosets=infosets), width, width)


def _fit_view(
    explanation: ExplainedIteration, width: int | None, *, story: bool, infosets: bool
) -> View:
    """Return what is shown on a page of a width: of histories and infosets in two tables, where one is too wide."""
    page = make_view(explanation, story=story, infosets=infosets)
    if width is None or all(_grid_width(grid) <= width for grid in _find_grids(page)):
        return page
    page = make_view(explanation, story=story, infosets=infosets, split=True)
    blocks = [_narrow(block, width) if isinstance(block, Grid) else block for block in page.blocks]
    columns_in_blocks = {
        column for block in blocks if isinstance(block, Grid) for column in block.columns
    }
    legend = {column: text for column, text in page.legend.items() if column in columns_in_blocks}
    hidden_columns = [column for column in page.legend if column not in columns_in_blocks]
    if hidden_columns:
        notes = [
            f"Left out for want of room: {', '.join(hidden_columns)}. A wider terminal shows all."
        ]
    else:
        notes = []
    return View(page.headline, page.notes + notes, blocks, legend)


def _find_grids(page: View) -> list[Grid]:
    return [block for block in page.blocks if isinstance(block, Grid)]


def _grid_width(grid: Grid) -> int:
    return _tree_width(grid) + sum(_column_widths(grid).values())


def _tree_width(grid: Grid) -> int:
    return _GAP + max(
        [cell_len(row.guides + escape_controls(row.what)) for row in grid.rows], default=0
    )


def _narrow(grid: Grid, width: int) -> Grid:
    """Return a grid without the columns that have no room beside its tree in a page of a width."""
    columns = drop_columns(_column_widths(grid), _DROPPED, width - _tree_width(grid))
    return grid._replace(columns=list(columns))


def _column_widths(grid: Grid) -> dict[str, int]:
    """Return the characters that each column takes, with the gap before it."""
    return {
        column: _GAP + max([len(column), *(len(row.cells.get(column, "")) for row in grid.rows)])
        for column in grid.columns
    }


def _lay_out(page: View, prose: int, width: int) -> list[RenderableType]:
    """Return what Rich prints: sentences of ``prose`` characters a line, tables of ``width``."""
    parts: list[RenderableType] = [Text(escape_controls(page.headline), "bold")]
    parts += [Text(textwrap.fill(escape_controls(f"Note: {note}"), prose)) for note in page.notes]
    for block in page.blocks:
        if isinstance(block, Story):
            parts += _lay_out_steps(block, prose)
        else:
            parts += _lay_out_grid(block, width)
    words = Table.grid(padding=(0, 2, 0, 0))
    for column, text in page.legend.items():
        words.add_row(Text(column, "bold", no_wrap=True), text)
    parts += ["", words] if page.legend else []
    if any(_grid_width(grid) > width for grid in _find_grids(page)):
        parts.append(
            Text(
                "The tree is too wide, and was cut: a file or a pipe ('| less -S') gets all of it."
            )
        )
    return parts


def _lay_out_steps(story: Story, width: int) -> list[RenderableType]:
    lines = []
    for depth, sentence, is_title in story.steps:
        indent = "  " * min(depth, max(0, width - _PROSE // 2) // 2)
        paragraph = textwrap.fill(
            escape_controls(sentence),
            width,
            initial_indent=indent,
            subsequent_indent=f"{indent}    ",
        )
        lines.append(
            Text(f"\n{paragraph}\n" if is_title else paragraph, "bold" if is_title else "")
        )
    return [*lines]


def _lay_out_grid(grid: Grid, width: int) -> list[RenderableType]:
    numbers = sum(_column_widths(grid).values())
    table = Table(box=None, padding=(0, 0, 0, _GAP), show_edge=False)
    table.add_column(
        "", no_wrap=True, max_width=max(_LEAST, min(_tree_width(grid), width - numbers) - _GAP)
    )
    for column in grid.columns:
        table.add_column(column, justify="right", no_wrap=True)
    for row in grid.rows:
        label = Text.assemble(
            (row.guides, "dim"), (escape_controls(row.what), "" if row.is_move else "bold")
        )
        table.add_row(label, *(row.cells.get(column, "") for column in grid.columns))
    return [Text(f"\n{grid.title}\n"), table]


def write_markdown(explanation: ExplainedIteration, *, story: bool, infosets: bool) -> str:
    """Return the explanation in Markdown."""
    page = make_view(explanation, story=story, infosets=infosets)
    parts = [
        f"**{_escape_markdown(page.headline)}**",
        *(_escape_markdown(f"Note: {note}") for note in page.notes),
    ]
    for block in page.blocks:
        parts += _markdown_story(block) if isinstance(block, Story) else _markdown_table(block)
    parts.append("\n".join(f"* {column}: {text}" for column, text in page.legend.items()))
    return "\n\n".join(parts).rstrip() + "\n"


def _markdown_story(story: Story) -> list[str]:
    parts: list[str] = []
    for depth, sentence, is_title in story.steps:
        if is_title:
            line = f"**{_escape_markdown(sentence)}**"
        else:
            line = f"{'  ' * depth}* {_escape_markdown(sentence)}"
        if is_title or not parts or parts[-1].startswith("**"):
            parts.append(line)
        else:
            parts[-1] += f"\n{line}"
    return parts


def _markdown_table(grid: Grid) -> list[str]:
    lines = [["place", "", *grid.columns], ["---", "---", *("---:" for _ in grid.columns)]]
    for row in grid.rows:
        label = _escape_markdown(row.what)
        cells = (row.cells.get(column, "") for column in grid.columns)
        lines.append(
            [_escape_markdown(row.place), label if row.is_move else f"**{label}**", *cells]
        )
    return [
        f"{_escape_markdown(grid.title)}.",
        "\n".join(f"| {' | '.join(line)} |" for line in lines),
    ]


def _escape_markdown(text: str) -> str:
    """Return a text as Markdown that shows it as it is."""
    text = escape_controls(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"[\\`*|\[\]~$]|(?<!\w)_|_(?!\w)", r"\\\g<0>", text)
