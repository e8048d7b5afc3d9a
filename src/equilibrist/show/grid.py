"""Grids on a terminal: a line for each key, and cells of two lines, a name above a bar of letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from .blocks import Cell, Grid, Key
from .columns import bar
from .palette import COLOURS, text_colour

# characters of a cell, without the blank after it
_LEAST = 5
_MOST = 9
_FULL = 0.995  # weights from here on are all of a cell
_PIECE = 10  # characters of the bar of a cell that stands in a group
_GROUP = 5  # of the name of a group
_WIDEST = 120  # of a line of groups
_KEY_BAR = 24
_NEUTRAL = Key("", "", "#", 7, 1.0)
"""The key of a grid that has none."""


def grid_lines(grid: Grid, width: int) -> Iterator[RenderableType]:
    """Iterate over what Rich prints of a grid."""
    yield from map(_key_line, grid.keys)
    if not grid.cells:
        return
    yield from _cell_lines(grid, width) if grid.side else _group_lines(grid, width)
    if grid.keys:
        meanings = ", ".join(f"{key.letter} {key.words}" for key in grid.keys)
        yield Text(f"Letters: {meanings}.", "dim")
    if grid.side and any(0 < cell.weight < _FULL for cell in grid.cells):
        yield Text(grid.note, "dim")


def _key_line(key: Key) -> Text:
    """Return a key with the bar of its share."""
    line = Text.assemble(
        "  ",
        (f" {key.letter} ", _colour_style(key.colour)),
        f"  {key.name:<8}{key.words:<15}{key.share:>8.2%}  ",
    )
    return line.append(bar(key.share, _KEY_BAR), COLOURS[key.colour])


def _colour_style(colour: int) -> str:
    return f"{text_colour(COLOURS[colour])} on {COLOURS[colour]}"


def _cell_lines(grid: Grid, width: int) -> Iterator[RenderableType]:
    """Yield two lines a row: names with the weights of what is there in part, and bars."""
    size = max(_LEAST, min(_MOST, width // grid.side - 1))
    if any(cell.text for cell in grid.cells):
        size = _LEAST
    yield ""
    for first in range(0, len(grid.cells), grid.side):
        names = Text(no_wrap=True)
        bars = Text(no_wrap=True)
        for cell in grid.cells[first : first + grid.side]:
            percent = f"{cell.weight:.0%}"[:-1] if 0 < cell.weight < _FULL else ""
            names.append(f"{cell.name:<3}", "bold" if cell.weight else "dim")
            names.append(f"{percent:>{min(size - 3, 3)}}".ljust(size - 2), "dim")
            content = _cell_content(cell, grid.keys, size)
            bars.append_text(content).append(" " * (size - len(content) + 1))
        yield names
        yield bars


def _cell_content(cell: Cell, keys: Sequence[Key], size: int) -> Text:
    """Return the text of a cell, its shares as a bar, or, without keys, its weight as a bar."""
    if cell.text:
        return Text(cell.text, _colour_style(_NEUTRAL.colour) if cell.weight else "dim")
    if keys:
        return _letter_bar(cell.shares, keys, size)
    return _letter_bar(cell.shares, [_NEUTRAL], max(1, round(cell.weight * size)))


def _group_lines(grid: Grid, width: int) -> Iterator[RenderableType]:
    """Yield each cell with its bar, those of a group together, as many beside each other as there is room for."""
    groups: dict[str, list[Text]] = {}
    for cell in grid.cells:
        piece = Text.assemble(f"{cell.name} ", _letter_bar(cell.shares, grid.keys, _PIECE), "  ")
        groups.setdefault(cell.group, []).append(piece)
    beside = max(1, (min(width, _WIDEST) - _GROUP) // (_PIECE + 7))
    yield ""
    for name, pieces in groups.items():
        for first in range(0, len(pieces), beside):
            label = (f"{name if first == 0 else '':<{_GROUP}}", "bold")
            yield Text.assemble(label, *pieces[first : first + beside], no_wrap=True)


def _letter_bar(shares: Sequence[float], keys: Sequence[Key], length: int) -> Text:
    """Return a bar of as many letters of each key as its share of the length, the largest remainders rounded up."""
    text = Text()
    total = sum(shares)
    if not total or not length:
        return text
    exact_lengths = [share / total * length for share in shares]
    count = [int(part) for part in exact_lengths]
    by_remainder = sorted(range(len(exact_lengths)), key=lambda k: count[k] - exact_lengths[k])
    for k in by_remainder[: length - sum(count)]:
        count[k] += 1
    for number, key in zip(count, keys, strict=True):
        text.append(key.letter * number, _colour_style(key.colour))
    return text
