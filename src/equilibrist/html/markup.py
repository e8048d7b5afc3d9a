"""Pieces of HTML, for notebooks and pages: what comes from a user or a game is escaped here, and nowhere else."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from .._util.text import escape_controls

if TYPE_CHECKING:
    from ..plot.style import Draw


class Markup(NamedTuple):
    """A text that is HTML already."""

    text: str


Cell = str | Markup


@cache
def asset(name: str) -> str:
    """Return a file of this folder as text: CSS or JavaScript."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def escape_html(cell: Cell) -> str:
    """Return a text as HTML that shows it as it is."""
    if isinstance(cell, Markup):
        return cell.text
    return html.escape(escape_controls(cell))


def table(
    headings: Sequence[str], rows: Iterable[Sequence[Cell]], *, numbers: int = 0, caption: str = ""
) -> str:
    """Return a table, the last ``numbers`` columns of which are aligned to the right."""
    first = len(headings) - numbers

    def line(tag: str, cells: Sequence[Cell]) -> str:
        kinds = [' class="n"' if i >= first else "" for i in range(len(cells))]
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


def probabilities(strategy: Mapping[str, float]) -> Markup:
    """Return the probability of each action with a bar."""
    return Markup(
        "".join(
            f'<span class="share">{escape_html(action)}<span class="bar"><i '
            f'style="width:{100 * p:.4g}%"></i></span>{p:.3f}'
            "</span> "
            for action, p in strategy.items()
        )
    )


def image(draw: Draw, description: str) -> str:
    """Return a picture as part of a page, light or dark as the page is; ``draw`` returns it in a theme."""
    from ..plot.style import picture

    data = base64.b64encode(picture(draw)).decode()
    return f'<figure><img alt="{escape_html(description)}" src="data:image/svg+xml;base64,{data}"></figure>'


def section(title: str, body: str) -> str:
    """Return a section of a page, to which its navigation can link."""
    return f'<section id="{anchor(title)}"><h2>{escape_html(title)}</h2>{body}</section>'


def anchor(title: str) -> str:
    """Return the identifier of a section."""
    return title.lower().replace(" ", "-")


def page(title: str, body: str, *, script: str = "") -> str:
    """Return a page of HTML that needs no other file; light or dark as its reader likes it."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" '
        'content="light dark">'
        f"<title>{escape_html(title)}</title><style>{asset('page.css')}{asset('fragment.css')}</style></head>"
        f'<body class="eq">{body}{script and f"<script>{script}</script>"}</body></html>\n'
    )


def fragment(*parts: str) -> str:
    """Return parts as an HTML fragment that a notebook shows."""
    return f'<div class="eq"><style>{asset("fragment.css")}</style>{"".join(parts)}</div>'
