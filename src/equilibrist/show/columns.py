"""Tables for terminals: columns that fit, pieces beside each other, bars."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from .._util.text import drop_columns, escape_controls

_PIECE = re.compile(r"[^\s(,=]*[\s(,=]+|[^\s(,=]+")
BAR = 8  # characters of a bar that means 1, where there is room
_TIME = 7  # characters of "12.3 µs": a column of times has as many, whatever the clock says


def fit_table(
    title: str,
    columns: Mapping[str, Sequence[str]],
    width: int,
    *,
    text: Collection[str] = (),
    droppable: Sequence[str] = (),
    last: Sequence[str] = (),
    first: str = "",
) -> Table:
    """Return a table of the columns that fit into a terminal.

    Columns in ``text`` are aligned to the left, numbers to the right. As long as the table is too
    wide, the next column of ``droppable`` is left out; then the widest text goes over several
    lines, and the next of ``last`` is left out where a word of it would have to break. ``first`` is
    the style of the first row.
    """
    min_widths = {heading: _TIME if heading == "time" else len(heading) for heading in columns}
    widths = {
        heading: 3 + max([min_widths[heading], *map(cell_len, cells)])
        for heading, cells in columns.items()
    }
    widths = drop_columns(widths, droppable, width - 1)
    # the one that may go over several lines
    widest = max(
        (heading for heading in widths if heading in text and heading not in last),
        key=widths.__getitem__,
        default="",
    )
    full_width = widths.get(widest, 0)
    if widest:
        pieces = (piece.rstrip() for cell in columns[widest] for piece in _PIECE.findall(cell))
        max_length = max([len(widest), *map(cell_len, pieces)])
        widths = drop_columns(widths | {widest: 3 + max_length}, last, width - 1)
    room = width - 1 - sum(widths.values()) + widths.get(widest, 0) - 3
    table = Table(title=escape_controls(title), title_justify="left")
    for heading in widths:
        table.add_column(
            escape_controls(heading),
            justify="left" if heading in text else "right",
            overflow="fold",
            no_wrap=heading != widest,
            min_width=_TIME if heading == "time" else None,
        )
    for place, cells in enumerate(zip(*(columns[heading] for heading in widths), strict=True)):
        cell_of_heading = dict(zip(widths, map(escape_controls, cells), strict=True))
        if widest and full_width > room + 3:
            cell_of_heading[widest] = _wrap_text(cell_of_heading[widest], room)
        table.add_row(*map(Text, cell_of_heading.values()), style=first if place == 0 else "")
    return table


def tab_lines(columns: Mapping[str, Sequence[str]]) -> Segments:
    """Return the lines of a table for ``cut`` and its like: a tab between columns, headings first."""
    lines = [columns.keys(), *zip(*columns.values(), strict=True)]
    return Segments(
        Segment("\t".join(map(escape_controls, line)) + "\n") for line in lines
    )  # in texts, Rich expands tabs


def _wrap_text(text: str, width: int) -> str:
    """Return a text in lines that break between words, and after brackets, commas and signs of equality."""
    lines = [""]
    for piece in _PIECE.findall(text):
        if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def pack_pieces(pieces: Sequence[str], width: int, gap: int = 3) -> str:
    """Return pieces one below the other, or in columns of equal width where there is room: none is broken."""
    cell = gap + max(map(cell_len, pieces), default=0)
    per_line = max(1, (width + gap) // cell)
    padded_pieces = [piece + " " * (cell - cell_len(piece)) for piece in pieces]
    lines = (
        "".join(padded_pieces[i : i + per_line]).rstrip() for i in range(0, len(pieces), per_line)
    )
    return "\n".join(lines)


def bar(share: float, width: int = BAR) -> str:
    """Return a bar of blocks, to an eighth of a character; a share of 1 is as long as the width."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    blocks = "█" * (eighths // 8) + ("" if eighths % 8 == 0 else " ▏▎▍▌▋▊▉"[eighths % 8])
    return blocks.ljust(width)
