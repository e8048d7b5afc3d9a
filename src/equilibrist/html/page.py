"""Interactive page of a run, which works offline: Plotly's charts, and all of Plotly inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._util.files import write_atomically
from .._util.text import install
from ..errors import SolutionError
from ..plot.inputs import GameOfRun
from ..plot.style import printable
from ..solving.solution import Solution
from .markup import asset, escaped, page, section

if TYPE_CHECKING:
    from ..evaluation.spot_node import SpotNode
    from .charts import Chart

_NOSCRIPT = "<noscript><p>The charts of this page need JavaScript; they load nothing from elsewhere.</p></noscript>"


def write_page(
    solution: Solution,
    path: str | Path,
    *,
    game: Any = None,
    trust: bool = False,
    kinds: Sequence[str] | None = None,
    infosets: Sequence[Any] | None = None,
    nodes: Sequence[SpotNode] | None = None,
) -> dict[str, str]:
    """Write the page of a run; return why each picture that it lacks was left out.

    The game is the one that is given, or else what the run names; a Python file that it names is run with ``trust``
    alone. ``nodes`` are the decisions of a spot of hold'em whose grids are drawn, by default those that are reached
    most.

    Raises
    ------
    SolutionError
        Plotly is not installed, none of the pictures can be drawn, or the file cannot be written.
    """
    try:
        from plotly.io.json import to_json_plotly
        from plotly.offline import get_plotlyjs

        from .charts import charts, themes
    except ImportError:
        raise SolutionError(
            f"A page needs Plotly, which is not installed: {install('interactive')}.", wrong_use=True
        ) from None
    found, skipped = charts(
        solution, game=GameOfRun(solution, game, trust=trust), kinds=kinds, infosets=infosets, nodes=nodes
    )
    if not found:
        raise SolutionError(f"Nothing can be drawn of this run: {' '.join(skipped.values())}")
    drawn = [list(chart.views.values()) for chart in found]
    figures = to_json_plotly({"charts": drawn, "themes": themes()}, engine="json")
    title = printable(solution.game)
    body = (
        f'<button id="theme" type="button">Dark</button><h1>{escaped(title)}</h1><p>{escaped(facts(solution))}</p>'
        f"<main>{''.join(map(_section, found))}</main>{_NOSCRIPT}"
        f'<script type="application/json" id="figures">{figures}</script><script>{get_plotlyjs()}</script>'
    )
    write_atomically(path, page(title, body, script=asset("charts.js")).encode())
    return skipped


def _section(chart: Chart) -> str:
    """Return the place of a chart: its title, a note, and a choice of its views where it has several."""
    options = "".join(f"<option>{escaped(name)}</option>" for name in chart.views)
    choice = f'<select aria-label="{escaped(chart.title)}">{options}</select>' if len(chart.views) > 1 else ""
    height = max(figure.layout.height for figure in chart.views.values())
    place = f'<div class="chart" style="height:{height}px"></div>'
    return section(chart.title, f'<p class="note">{escaped(chart.note)}</p>{choice}{place}')


def facts(solution: Solution) -> str:
    """Return algorithm, iterations, size and certificate of a run in one line."""
    known = "" if solution.exploitability is None else f", exploitability {solution.exploitability:.3g}"
    value = f", value {', '.join(f'{number:.6g}' for number in solution.value)}" if solution.value else ""
    return f"{solution.algorithm}, {solution.iterations:,} iterations, {solution.infosets:,} infosets{known}{value}"
