"""Blocks on a terminal, with Rich."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich import table as rich_table
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from .._util.text import escape_controls
from .blocks import Block, Column, Fact, Facts, Grid, Rest, Table
from .columns import BAR, bar, fit_table, pack_pieces
from .grid import grid_lines
from .numbers import format_value
from .registry import make_blocks

_LEADING = "bold green"
# characters of the column of names beside mixes, and of all that is not that or a mix
_LEAST_NAME = 7
_FRAME = 16
_LONG_BAR = 16
_WIDEST = 100  # characters of shares beside each other
_NEGLIGIBLE = 0.0005  # shares below are left out where there are many
_FEW = 3  # shares that are all shown


def paint_result(result: Any, width: int, **options: Any) -> Iterator[RenderableType]:
    """Iterate over what is printed of a result; ``options`` are those of :func:`.registry.make_blocks`."""
    yield from paint_text(make_blocks(result, **options), width)


def paint_text(
    blocks: Iterable[Block], width: int, *, begins_page: bool = False
) -> Iterator[RenderableType]:
    """Iterate over what Rich prints of blocks on a terminal so many characters wide; figures are left out.

    A title has an empty line before it, but for the first one where it ``begins_page``.
    """
    for place, block in enumerate(blocks):
        if isinstance(block, Facts):
            has_gap = place > 0 or not begins_page
            yield from _facts_lines(block, has_gap=has_gap)
        elif isinstance(block, Table) and not block.is_long:
            yield from _table_lines(block, width)
        elif isinstance(block, Grid):
            yield from grid_lines(block, width)


def _facts_lines(facts: Facts, *, has_gap: bool) -> Iterator[RenderableType]:
    """Yield a title with a gap before it, runs of facts as tables without lines, and sentences."""
    if facts.title:
        if has_gap:
            yield ""
        about = f"  {escape_controls(facts.about)}" if facts.about else ""
        yield Text.assemble((escape_controls(facts.title), "bold"), about)
    for run in facts.runs:
        if isinstance(run, list):
            yield _facts_grid(run)
        elif isinstance(run, Rest):
            yield _rest_text(run)
        else:
            yield Text(escape_controls(run))


def _facts_grid(facts: Sequence[Fact]) -> RenderableType:
    grid = rich_table.Table.grid(padding=(0, 2))
    for fact in facts:
        gap = "   " if isinstance(fact.value, dict) else "  "
        note = f"   {fact.note}" if fact.note else ""
        text = escape_controls(gap.join(fact.texts) + note)
        grid.add_row(escape_controls(fact.name), Text(text, _LEADING if fact.leads else ""))
    return grid


def _table_lines(table: Table, width: int) -> Iterator[RenderableType]:
    """Yield a table, then what its headings mean, and what it leaves out."""
    if table.is_small and any(column.bars for column in table.columns):
        yield from _bar_lines(table)
    elif table.is_small:
        yield _small_table(table)
    elif any(column.holds_mixes for column in table.columns):
        yield _mix_table(table, width)
    else:
        yield _wide_table(table, width)
    if table.note:
        yield Text(escape_controls(table.note))
    if table.rest is not None:
        yield _rest_text(table.rest)


def _rest_text(rest: Rest) -> RenderableType:
    remedy = f"; {rest.remedy}" if rest.remedy else ""
    return Text(escape_controls(f"… {rest.text}{remedy}."))


def _wide_table(table: Table, width: int) -> RenderableType:
    leaving = sorted((column for column in table.columns if column.leaves), key=_leaving_order)
    first_style = ""
    if table.first_leads:
        first_style = _LEADING
    if table.has_total:
        first_style = "bold"
    painted = fit_table(
        table.title,
        {column.heading: _column_texts(column) for column in table.columns},
        width,
        text=[column.heading for column in table.columns if column.is_text],
        droppable=[column.heading for column in leaving],
        last=[column.heading for column in table.columns if column.leaves_last],
        first=first_style,
    )
    if table.has_total:
        painted.rows[0].end_section = True
    return painted


def _leaving_order(column: Column) -> int:
    return column.leaves


def _column_texts(column: Column) -> list[str]:
    if not column.bars:
        return column.texts
    return [
        f"{bar(share / column.longest)} {text}"
        for share, text in zip(column.values, column.texts, strict=True)
    ]


def _bar_lines(table: Table) -> Iterator[RenderableType]:
    """Yield a title, and for each row its name and its shares with bars beside each other; headings are left out."""
    yield ""
    yield Text(escape_controls(table.title), "bold")
    names, *shares = table.columns
    for place, name in enumerate(names.texts):
        pieces = [
            f"{column.texts[place]:>7} {bar(column.values[place] / column.longest, _LONG_BAR)}"
            for column in shares
        ]
        yield Text(escape_controls(f"{name:>12}  {'   '.join(pieces)}".rstrip()))


def _small_table(table: Table) -> RenderableType:
    small = rich_table.Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in table.columns:
        small.add_column(
            escape_controls(column.heading), justify="left" if column.is_text else "right"
        )
    for texts in zip(*(column.texts for column in table.columns), strict=True):
        small.add_row(*(Text(escape_controls(text)) for text in texts))
    return small


def _mix_table(table: Table, width: int) -> RenderableType:
    """Return a table whose names go over several lines, with the shares of each mix side by side where they fit."""
    names: list[str] = []
    for column in table.columns:
        if column.form == "":
            names += map(escape_controls, column.texts)
    max_name_width = max(_LEAST_NAME, (width - _FRAME) // 3)
    name_width = min(max_name_width, max([_LEAST_NAME, *map(cell_len, names)]))
    mixes = [column for column in table.columns if column.holds_mixes]
    room = min(_WIDEST, (width - _FRAME - name_width) // len(mixes))
    painted = rich_table.Table(title=escape_controls(table.title), title_justify="left")
    cells: list[list[Text]] = []
    for column in table.columns:
        if column.holds_mixes:
            painted.add_column(escape_controls(column.heading))
            cells.append([Text(text, no_wrap=True) for text in _mix_texts(column, room)])
            continue
        if column.is_text:
            painted.add_column(
                escape_controls(column.heading), overflow="fold", max_width=max_name_width
            )
        else:
            painted.add_column(escape_controls(column.heading), justify="right")
        cells.append([Text(escape_controls(text)) for text in column.texts])
    for row in zip(*cells, strict=True):
        painted.add_row(*row)
    return painted


def _mix_texts(column: Column, room: int) -> list[str]:
    """Return the shares of each mix with bars that are as long as there is room for."""
    mixes = [_shorten_mix(mix) for mix in column.values]
    max_words = max((cell_len(escape_controls(name)) for mix in mixes for name in mix), default=0)
    length = max(0, min(BAR, room - max_words - len("  0.000")))
    texts = []
    for mix in mixes:
        name_width = max(map(cell_len, map(escape_controls, mix)))
        pieces = [
            f"{escape_controls(name):<{name_width}} {bar(p, length)} {format_value(p, column.form)}"
            for name, p in mix.items()
        ]
        texts.append(pack_pieces(pieces, room))
    return texts


def _shorten_mix(mix: Mapping[str, float]) -> Mapping[str, float]:
    if len(mix) <= _FEW:
        return mix
    return {name: share for name, share in mix.items() if share >= _NEGLIGIBLE}
