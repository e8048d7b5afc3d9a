"""Pieces of HTML, for notebooks and reports: what comes from a user or a game is escaped here, and nowhere else."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .._util.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Markup(NamedTuple):
    """A text that is HTML already."""

    text: str


Cell = str | Markup

STYLE = """
.eq{overflow-x:auto}.eq table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.6em 0}
.eq th,.eq td{padding:.15em .7em;text-align:left;vertical-align:top;border:0;border-bottom:1px solid #8883}
.eq td.n,.eq th.n{text-align:right;white-space:nowrap;padding:.15em .5em;font-size:.95em}
.eq caption{text-align:left;font-weight:bold;padding:.3em 0}
.eq .bar{display:inline-block;width:4em;height:.7em;background:#8883;margin:0 .4em}
.eq .bar i{display:block;height:100%;background:#0072B2}
.eq .share{display:inline-block;margin-right:1.2em;white-space:nowrap}
.eq .line{white-space:nowrap}.eq .guides{font-family:monospace;opacity:.5}
.eq figure{margin:.8em 0}.eq img{max-width:100%;height:auto}
"""


_PAGE_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1a1a1a;--link:#0060a0}
@media (prefers-color-scheme:dark){:root{--paper:#14171c;--ink:#ececec;--link:#56b4e9}}
body{font:15px/1.5 system-ui,sans-serif;max-width:84em;margin:0 auto;padding:1.5em;background:var(--paper);
color:var(--ink)}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}a{color:var(--link)}
input{font:inherit;padding:.2em .6em;width:20em;max-width:100%}
section{overflow-x:auto}code{overflow-wrap:anywhere}
"""


def escaped(cell: Cell) -> str:
    """Return a text as HTML that shows it as it is."""
    return cell.text if isinstance(cell, Markup) else html.escape(visible(cell))


def table(headings: Sequence[str], rows: Iterable[Sequence[Cell]], *, numbers: int = 0, caption: str = "") -> str:
    """Return a table, the last ``numbers`` columns of which are aligned to the right."""
    first = len(headings) - numbers

    def line(tag: str, cells: Sequence[Cell]) -> str:
        kinds = [' class="n"' if i >= first else "" for i in range(len(cells))]
        return "".join(f"<{tag}{kind}>{escaped(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True))

    title = f"<caption>{escaped(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table>{title}<thead><tr>{line('th', headings)}</tr></thead><tbody>{body}</tbody></table>"


def facts(pairs: Mapping[str, Cell]) -> str:
    """Return a table of names and what they are."""
    body = "".join(f"<tr><th>{escaped(name)}</th><td>{escaped(value)}</td></tr>" for name, value in pairs.items())
    return f"<table><tbody>{body}</tbody></table>"


def shares(strategy: Mapping[str, float]) -> Markup:
    """Return the probability of each action with a bar."""
    return Markup(
        "".join(
            f'<span class="share">{escaped(action)}<span class="bar"><i style="width:{100 * p:.4g}%"></i></span>{p:.3f}'
            "</span> "
            for action, p in strategy.items()
        )
    )


def picture(figure: Figure, about: str, dark: Figure | None = None) -> str:
    """Return a figure as part of the page; ``dark`` is what a dark page shows instead."""
    other = "" if dark is None else f'<source media="(prefers-color-scheme: dark)" srcset="{_data(dark)}">'
    return f'<figure><picture>{other}<img alt="{escaped(about)}" src="{_data(figure)}"></picture></figure>'


def _data(figure: Figure) -> str:
    from ..plot.style import save_figure

    buffer = io.BytesIO()
    save_figure(figure, buffer, kind="svg")
    return f"data:image/svg+xml;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def page(title: str, body: str, *, script: str = "") -> str:
    """Return a page of HTML that needs nothing else, light or dark as its reader likes it."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"<title>{escaped(title)}</title><style>{_PAGE_STYLE}{STYLE}</style></head>"
        f'<body class="eq">{body}{script and f"<script>{script}</script>"}</body></html>\n'
    )


def fragment(*parts: str) -> str:
    """Return parts as something that a notebook shows."""
    return f'<div class="eq"><style>{STYLE}</style>{"".join(parts)}</div>'
