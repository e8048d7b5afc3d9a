"""Pieces of HTML, for notebooks and pages: what comes from a user or a game is escaped here, and nowhere else."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, NamedTuple

from .._util.text import escape_controls
from .blocks import Block, Column, Fact, Facts, Figure, Grid, Rest, Table
from .numbers import format_value
from .registry import find_picture, write_svg


class Markup(NamedTuple):
    """A text that is HTML already."""

    text: str


Cell = str | Markup


@cache
def asset(name: str, package: str = __package__) -> str:
    """Return a file of a folder as text, by default of this one: CSS or JavaScript."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def escape_html(cell: Cell) -> str:
    """Return a text as HTML that shows it as it is."""
    if isinstance(cell, Markup):
        return cell.text
    return html.escape(escape_controls(cell))


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    numbers: int | Sequence[bool] = 0,
    caption: str = "",
) -> str:
    """Return a table, the last ``numbers`` columns of which, or those that are true, are aligned to the right."""
    if isinstance(numbers, int):
        numbers = [False] * (len(headings) - numbers) + [True] * numbers
    is_number = numbers

    def line(tag: str, cells: Sequence[Cell]) -> str:
        kinds = [' class="n"' if number else "" for number in is_number]
        return "".join(
            f"<{tag}{kind}>{escape_html(cell)}</{tag}>"
            for kind, cell in zip(kinds, cells, strict=True)
        )

    title = f"<caption>{escape_html(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return (
        f"<table>{title}<thead><tr>{line('th', headings)}</tr></thead><tbody>{body}</tbody></table>"
    )


def facts(pairs: Mapping[str, Cell]) -> str:
    """Return a table of names and values."""
    body = "".join(
        f"<tr><th>{escape_html(name)}</th><td>{escape_html(value)}</td></tr>"
        for name, value in pairs.items()
    )
    return f"<table><tbody>{body}</tbody></table>"


def paint_markup(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML, one below the other."""
    return "".join(map(_paint_block, blocks))


def paint_sections(blocks: Iterable[Block]) -> str:
    """Return blocks as sections of a page: a title begins one, which has all blocks up to the next."""
    bodies: dict[str, list[Block]] = {}
    title = ""
    for block in blocks:
        body = block
        if isinstance(block, Facts | Table) and block.title:
            title = block.title
            body = block._replace(title="")
        bodies.setdefault(title, []).append(body)
    return "".join(
        section(title, paint_markup(parts)) if title else paint_markup(parts)
        for title, parts in bodies.items()
    )


def _paint_block(block: Block) -> str:
    if isinstance(block, Facts):
        return _paint_facts(block)
    if isinstance(block, Table):
        return _paint_table(block)
    if isinstance(block, Grid):
        return _paint_grid(block)
    return _paint_figure(block)


def _paint_figure(figure: Figure) -> str:
    draw = partial(find_picture(figure.kind), figure.of, **figure.options)
    return image(draw, figure.description)


def _paint_grid(grid: Grid) -> str:
    """Return a table of the keys with their shares, and the picture of the cells."""
    keys = [
        Column("action", [key.name for key in grid.keys]),
        Column("", [key.words for key in grid.keys]),
        Column("frequency", [key.share for key in grid.keys], ".2%"),
    ]
    painted = _paint_table(Table(keys)) if grid.keys else ""
    if grid.picture is None:
        return painted
    return painted + _paint_figure(grid.picture)


def _paint_facts(block: Facts) -> str:
    """Return a heading, runs of facts as tables, and sentences."""
    parts = []
    if block.title and not block.lines and not block.about:
        parts.append(f"<h3>{escape_html(block.title)}</h3>")
    elif block.title and not block.is_folded:
        about = f": {escape_html(block.about)}" if block.about else ""
        parts.append(f"<p><b>{escape_html(block.title)}</b>{about}</p>")
    for run in block.runs:
        if isinstance(run, list):
            parts.append(facts({fact.name: _paint_fact(fact) for fact in run}))
        elif isinstance(run, Rest):
            parts.append(_paint_rest(run))
        else:
            parts.append(paragraph(run))
    body = "".join(parts)
    if block.is_folded:
        return fold(block.title, body)
    return body


def _paint_fact(fact: Fact) -> Cell:
    text = ", ".join(fact.texts)
    notes = "; ".join(note for note in (fact.note, fact.meaning) if note)
    if fact.is_code:
        return Markup(f"<code>{escape_html(text)}</code>")
    return f"{text} ({notes})" if notes else text


def _paint_table(block: Table) -> str:
    """Return a table, then what its headings mean, and what it leaves out."""
    columns = [_paint_column(column) for column in block.columns]
    painted = table(
        [column.heading for column in block.columns],
        zip(*columns, strict=True),
        numbers=[not column.is_text for column in block.columns],
        caption=block.title,
    )
    note = paragraph(block.note) if block.note else ""
    rest = "" if block.rest is None else _paint_rest(block.rest)
    return painted + note + rest


def _paint_column(column: Column) -> list[Cell]:
    if column.holds_mixes:
        return [_paint_mix(mix, column) for mix in column.values]
    if column.bars:
        return [
            Markup(f"{_paint_bar(share / column.longest)}{escape_html(text)}")
            for share, text in zip(column.values, column.texts, strict=True)
        ]
    if column.links:
        return [
            Markup(f'<a href="{escape_html(address)}">{escape_html(text)}</a>')
            for address, text in zip(column.links, column.texts, strict=True)
        ]
    return list(column.texts)


def _paint_mix(mix: Mapping[str, float], column: Column) -> Markup:
    """Return each share with a bar."""
    return Markup(
        "".join(
            f'<span class="share">{escape_html(name)}{_paint_bar(share)}'
            f"{format_value(share, column.form)}</span> "
            for name, share in mix.items()
        )
    )


def _paint_bar(share: float) -> str:
    return f'<span class="bar"><i style="width:{100 * share:.4g}%"></i></span>'


def _paint_rest(rest: Rest) -> str:
    return paragraph(f"… {rest.text}.")


def fold(title: str, body: str) -> str:
    """Return what is closed until a reader opens it."""
    return f"<details><summary>{escape_html(title)}</summary>{body}</details>"


def paragraph(text: str) -> str:
    """Return a sentence as a paragraph."""
    return f"<p>{escape_html(text)}</p>" if text else ""


def image(draw: Callable[..., Any], description: str) -> str:
    """Return a picture as part of a page, light or dark as the page is; ``draw`` returns it in a theme."""
    data = base64.b64encode(write_svg(draw)).decode()
    return f'<figure><img alt="{escape_html(description)}" src="data:image/svg+xml;base64,{data}"></figure>'


def section(title: str, body: str) -> str:
    """Return a section of a page, to which its navigation can link."""
    return f'<section id="{anchor(title)}"><h2>{escape_html(title)}</h2>{body}</section>'


def anchor(title: str) -> str:
    """Return the identifier of a section."""
    return title.lower().replace(" ", "-")


def page(title: str, body: str, *, styles: str = "", script: str = "", policy: str = "") -> str:
    """Return a page of HTML that needs no other file; light or dark as its reader likes it.

    ``styles`` stand in the place of those that pages of results share; ``policy`` is what the page
    may load and run, a content security policy.
    """
    if policy:
        policy = f'<meta http-equiv="content-security-policy" content="{escape_html(policy)}">'
    if styles:
        opening = "<body>"
    else:
        styles = asset("colours.css") + asset("page.css") + _fragment_styles()
        opening = '<body class="eq">'
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" '
        'content="light dark">'
        f"{policy}<title>{escape_html(title)}</title><style>{styles}</style></head>"
        f"{opening}{body}{script and f'<script>{script}</script>'}</body></html>\n"
    )


def fragment(*parts: str) -> str:
    """Return parts as an HTML fragment that a notebook shows."""
    return f'<div class="eq"><style>{_fragment_styles()}</style>{"".join(parts)}</div>'


def _fragment_styles() -> str:
    return asset("fragment-colours.css") + asset("fragment.css")
