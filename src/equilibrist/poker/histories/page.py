"""The page of graded hands: what was lost where, the dearest decisions with their nodes, and what was not covered."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlencode

from ...show.blocks import Block, Table
from ...show.markup import escape_html, page, paint_markup, section
from ...show.registry import make_blocks
from .blocks import grade_blocks
from .grades import Grades


def grades_page(grades: Grades) -> str:
    """Return the page of graded hands, which needs no other file."""
    spots = {run.name: run.spot for run in grades.runs}
    nodes: dict[tuple[str, str, str], str] = {}  # with all that was played there
    links = []
    for row in grades.dearest():
        place = row["run"], row["line"], row["board"]
        text = (
            f"Hand {row['hand']}: {row['position']} ({row['player']}) with {row['cards']}: "
            f"{row['played']}, which the run plays {row['frequency']:.1%} of the time; best is "
            f"{row['best']}. Cost {row['cost']:.4g} chips, {row['cost_percent']:.2f} % of the "
            "pot."
        )
        nodes[place] = f"{nodes.get(place, _node_link(grades, *place))}<p>{escape_html(text)}</p>"
        links.append(f"#node-{list(nodes).index(place) + 1}")
    parts = [_paint_part(block) for block in grade_blocks(grades, links=links)]
    for number, ((run, line, board), text) in enumerate(nodes.items(), 1):
        parts.append(
            f'<section id="node-{number}">{paint_markup(make_blocks(spots[run].node(line, board)))}{text}</section>'
        )
    return page("Graded hands", f"<h1>Graded hands</h1><main>{''.join(parts)}</main>")


def _node_link(grades: Grades, run: str, line: str, board: str) -> str:
    """Return a link to a node where ``equilibrist serve`` shows it; its folder has the run under its name.

    The page shows Omaha infoset by infoset: the link is then to those of the node.
    """
    if not grades.served_at:
        return ""
    is_spot = next(run_grades.game.has_grid for run_grades in grades.runs if run_grades.name == run)
    if is_spot:
        place = f"/spot?{urlencode({'line': line, 'board': board})}"
    else:
        place = f"?{urlencode({'search': board})}"
    address = f"{grades.served_at.rstrip('/')}/runs/{quote(Path(run).name, safe='')}{place}"
    return f'<p><a href="{escape_html(address)}">Open it in the page</a></p>'


def _paint_part(block: Block) -> str:
    """Return a table as a section of the page, to which one can link."""
    if isinstance(block, Table):
        return section(block.title, paint_markup([block._replace(title="")]))
    return paint_markup([block])
