"""The page of graded hands: what was lost where, the dearest decisions with their nodes, and what was not covered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._util.text import counted
from ..evaluation.spot_node import SpotNode
from ..histories.grades import GROUPS, Grades
from .markup import Cell, Markup, escaped, facts, fragment, page, section, table

_MOST_ROWS = 30


def grades_html(grades: Grades) -> str:
    """Return the HTML fragment of graded hands: counts, and what was lost by street."""
    return fragment(_counts(grades), _sums(grades, "street"))


def grades_page(grades: Grades, show_node: Callable[[SpotNode], str]) -> str:
    """Return the page of graded hands, which needs no other file; ``show_node`` makes the HTML of a decision."""
    dearest = grades.dearest()
    sections = {"Summary": _counts(grades), "Dearest decisions": _dearest(dearest)}
    sections |= {f"By {group}": _sums(grades, group) for group in GROUPS}
    for title, reasons in (("Decisions not covered", grades.uncovered), ("Hands without decisions", grades.skipped)):
        sections[title] = _reasons(reasons)
    body = "".join(section(title, text) for title, text in sections.items())
    spots = {run.name: run.spot for run in grades.runs}
    for number, row in enumerate(dearest, 1):
        node = show_node(spots[row["run"]].node(row["line"], row["board"]))
        body += (
            f'<section id="node-{number}"><h2>{number}. Hand {escaped(row["hand"])}</h2>{_about(row)}{node}</section>'
        )
    title = f"{counted(grades.hands, 'hand')}, graded"
    return page(title, f"<h1>{escaped(title)}</h1><main>{body}</main>")


def _counts(grades: Grades) -> str:
    certificates = {
        f"exact to ({run.name})": f"{run.exploitability:.4g} chips of the run, {run.exploitability_percent:.3g} % of "
        "the pot: what costs no more counts as 0"
        for run in grades.runs
    }
    return facts(
        {
            "hands": f"{grades.hands:,}",
            "decisions graded": f"{len(grades.decisions):,}",
            "decisions not covered": f"{sum(grades.uncovered.values()):,}",
            "cost": f"{grades.cost:.6g} chips",
            "stacks and bets may differ by": f"{grades.tolerance:.0%}",
            **certificates,
        }
    )


def _dearest(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "<p>None costs more than the runs are exact to.</p>"
    cells: list[list[Cell]] = [
        [
            Markup(f'<a href="#node-{number}">{number}</a>'),
            *(
                row[name]
                for name in ("hand", "player", "position", "line", "board", "cards", "played", "best", "grade")
            ),
            f"{row['frequency']:.1%}",
            f"{row['cost']:.4g}",
            f"{row['cost_percent']:.2f}",
        ]
        for number, row in enumerate(rows, 1)
    ]
    headings = ["", "hand", "player", "position", "line", "board", "cards", "played", "best", "grade"]
    return table([*headings, "run plays it", "cost", "% of pot"], cells, numbers=3)


def _about(row: Mapping[str, Any]) -> str:
    line = f"after {row['line']}" if row["line"] else "first"
    place = f"{row['position']} ({row['player']}) with {row['cards']} {line}"
    text = (
        f"{place} on {row['board']}: {row['played']}, which the run plays {row['frequency']:.1%} of the time; best is "
        f"{row['best']}. Cost {row['cost']:.4g} chips, {row['cost_percent']:.2f} % of the pot."
    )
    return f"<p>{escaped(text)}</p>"


def _sums(grades: Grades, group: str) -> str:
    rows = [
        [
            row[group] or "start",
            f"{row['decisions']:,}",
            f"{row['frequency']:.1%}",
            f"{row['cost']:.4g}",
            f"{row['cost_percent'] / row['decisions']:.3f}",
        ]
        for row in grades.by(group)[:_MOST_ROWS]
    ]
    return table([group, "decisions", "run plays it", "cost", "% of pot each"], rows, numbers=4)


def _reasons(reasons: Mapping[str, int]) -> str:
    rows = [[reason, f"{count:,}"] for reason, count in sorted(reasons.items(), key=lambda pair: -pair[1])]
    return table(["reason", "number"], rows, numbers=1) if rows else "<p>None.</p>"
