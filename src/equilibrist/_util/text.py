"""Texts of users and their games, made fit to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def escape_controls(text: str) -> str:
    """Return a text in which control characters are spelled out, so that no name can move the cursor."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def short_repr(value: object, max_length: int = 100) -> str:
    """Return a value as text for an error, cut where it is long."""
    text = " ".join(repr(value).split())
    if len(text) <= max_length:
        return text
    return f"{text[: max_length - 3]}..."


def shorten(text: str, max_length: int = 200) -> str:
    """Return a text in one line, cut where it is long."""
    line = " ".join(text.split())
    if len(line) <= max_length:
        return line
    return f"{line[: max_length - 1]}…"


def count_text(number: int, word: str) -> str:
    """Return a number of things: 1 hand, 1,000 hands."""
    return f"{number:,} {word}{'s' * (number != 1)}"


def drop_columns(widths: Mapping[str, int], droppable: Iterable[str], width: int) -> dict[str, int]:
    """Return the columns of a table that fit into a width, with their own: until they do, the next one is dropped."""
    columns = dict(widths)
    for heading in droppable:
        if sum(columns.values()) > width:
            columns.pop(heading, None)
    return columns


def install_command(extra: str) -> str:
    """Return the command that installs an extra of this package, as it is run in a copy of the repository."""
    return f"pip install '.[{extra}]' in a copy of the repository"
