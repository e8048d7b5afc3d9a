"""The page of graded hands: what was lost where, the dearest decisions with their nodes, and what was not covered."""

from __future__ import annotations

from collections.abc import Callable

from ..evaluation.spot_node import SpotNode
from ..histories.grades import DEAREST, TEXTS, Grades
from .markup import Cell, Markup, escaped, fragment, page, section, table


def grades_html(grades: Grades) -> str:
    """Return the HTML fragment of graded hands."""
    return fragment(*_parts(grades, linked=False))


def grades_page(grades: Grades, show_node: Callable[[SpotNode], str]) -> str:
    """Return the page of graded hands, which needs no other file; ``show_node`` makes the HTML of a decision."""
    parts = _parts(grades, linked=True)
    spots = {run.name: run.spot for run in grades.runs}
    for number, row in enumerate(grades.dearest(), 1):
        text = (
            f"{row['position']} ({row['player']}) with {row['cards']}: {row['played']}, which the run plays "
            f"{row['frequency']:.1%} of the time; best is {row['best']}. Cost {row['cost']:.4g} chips, "
            f"{row['cost_percent']:.2f} % of the pot."
        )
        node = show_node(spots[row["run"]].node(row["line"], row["board"]))
        title = escaped(f"{number}. Hand {row['hand']}")
        parts.append(f'<section id="node-{number}"><h2>{title}</h2><p>{escaped(text)}</p>{node}</section>')
    return page("Graded hands", f"<h1>Graded hands</h1><main>{''.join(parts)}</main>")


def _parts(grades: Grades, *, linked: bool) -> list[str]:
    parts = [f"<p>{escaped(text)}</p>" for text in (f"{grades.headline}.", *grades.certificates)]
    for title, columns in grades.tables():
        rows: list[list[Cell]] = [list(row) for row in zip(*columns.values(), strict=True)]
        if linked and title == DEAREST:
            place = list(columns).index("hand")
            for number, row in enumerate(rows, 1):
                row[place] = Markup(f'<a href="#node-{number}">{escaped(row[place])}</a>')
        numbers = sum(heading not in TEXTS for heading in columns)
        parts.append(section(title, table(list(columns), rows, numbers=numbers)))
    return parts
