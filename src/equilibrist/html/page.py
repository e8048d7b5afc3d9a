"""One page with the pictures of a run as interactive charts, which works offline: Plotly, and all of it inside."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.files import write_atomically
from ..errors import EquilibristError, SolutionError
from ..plot.curves import MEASURES, SLOPES, courses
from ..plot.movement import alone, moving, named, pair, path_of, recording_of, shown_actions, thinned
from ..plot.regrets import remaining
from ..plot.rows import Row, strategy_rows
from ..plot.style import THEMES, brief, printable
from ..solving.recording import Recorded, Recording
from ..solving.solution import Solution

Chart = dict[str, Any]
"""A section of the page: title, note, layout, and views, each a name and traces in Plotly's words."""

_ROWS = 400  # infosets of the strategy
_INFOSETS = 40  # that can be chosen where probabilities and regrets move
_ROW = 19  # pixels
_LEGEND = 14  # actions that a legend lists
_SIGN, _LETTER, _WIDTH = 45, 8, 900  # pixels: of the sign and of a letter in a legend, and of all of it
_TEMPLATE = Path(__file__).with_name("page.html")


def write_page(
    solution: Solution, path: str | Path, *, game: Any = None, kinds: Sequence[str] | None = None,
    infosets: Sequence[Any] | None = None,
) -> dict[str, str]:  # fmt: skip
    """Write the page of a run; return why each picture that it lacks was left out.

    Raises
    ------
    SolutionError
        Plotly is not installed, none of the pictures can be drawn, or the file cannot be written.
    """
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise SolutionError(
            "A page needs Plotly, which is not installed: pip install 'equilibrist[interactive]'.", wrong_use=True
        ) from None
    sections, skipped = charts(solution, game=game, kinds=kinds, infosets=infosets)
    if not sections:
        raise SolutionError(f"Nothing can be drawn of this run: {' '.join(skipped.values())}")
    palettes = {name: theme._asdict() for name, theme in THEMES.items()}
    page = _TEMPLATE.read_text(encoding="utf-8")
    filled = {
        "__TITLE__": html.escape(printable(solution.game)),
        "__FACTS__": html.escape(facts(solution)),
        "__SECTIONS__": _script(sections),
        "__PALETTES__": _script(palettes),
        "__PLOTLY__": get_plotlyjs(),
    }
    page = re.sub("|".join(filled), lambda place: filled[place[0]], page)  # at once: names may look like places
    write_atomically(path, page.encode())
    return skipped


def charts(
    solution: Solution, *, game: Any = None, kinds: Sequence[str] | None = None, infosets: Sequence[Any] | None = None
) -> tuple[list[Chart], dict[str, str]]:
    """Return the charts of a run, and why each of the others cannot be drawn."""
    makers: dict[str, Callable[[], Chart]] = {
        "convergence": lambda: _convergence(solution),
        "strategy": lambda: _strategy(solution, game, infosets),
        "trajectories": lambda: _trajectories(solution, infosets),
        "spiral": lambda: _spiral(solution, infosets),
        "regret": lambda: _regret(solution, game, infosets),
    }
    sections, skipped = [], {}
    for kind in kinds or makers:
        if kind not in makers:
            skipped[kind] = "The page has no such chart; draw it as a picture (.svg, .png, .pdf)."
            continue
        try:
            sections.append(makers[kind]())
        except EquilibristError as error:
            skipped[kind] = str(error)
    return sections, skipped


def facts(solution: Solution) -> str:
    """Return what a run is, in one line."""
    known = "" if solution.exploitability is None else f", exploitability {solution.exploitability:.3g}"
    value = f", value {', '.join(f'{number:.6g}' for number in solution.value)}" if solution.value else ""
    return f"{solution.algorithm}, {solution.iterations:,} iterations, {solution.infosets:,} infosets{known}{value}"


def _script(content: Any) -> str:
    """Return JSON that stands safely inside a script."""
    return json.dumps(content, ensure_ascii=True, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _text(text: str, most: int = 60) -> str:
    """Return a text that Plotly shows as it is: it takes some HTML for markup, and dollars for formulas."""
    return html.escape(printable(brief(text, most))).replace("$", "&#36;")


def _numbers(array: NDArray[Any]) -> list[float | None]:
    """Return rounded numbers; None, where a chart has a gap, for what is not known."""
    return [float(f"{number:.6g}") if np.isfinite(number) else None for number in array.tolist()]


def _axis(title: str, *, log: bool = False, **more: Any) -> dict[str, Any]:
    exponents = {"exponentformat": "power", "dtick": 1} if log else {}
    return {"title": {"text": title}, "type": "log" if log else "linear", "automargin": True, **exponents, **more}


def _layout(height: int, **more: Any) -> dict[str, Any]:
    margin = {"l": 70, "r": 20, "t": 30, "b": 50}
    legend = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "traceorder": "normal"}
    return {"height": height, "margin": margin, "legend": legend, "hovermode": "closest", **more}


def _convergence(solution: Solution) -> Chart:
    (course,) = courses(solution)
    views = []
    for measure, words in MEASURES.items():
        x = getattr(course, measure)
        early = min(3, len(x) - 1)
        hover = f"%{{x}} {words.partition(' (')[0]}<br>exploitability %{{y:.3g}}"
        curve: Chart = {"x": x, "y": course.exploitability, "name": _text(course.label), "mode": "lines+markers"}
        data: list[Any] = [
            {**curve, "line": {"width": 2}, "meta": {"colour": 0}, "hovertemplate": f"{hover}<extra></extra>"}
        ]
        for name, slope in SLOPES.items() if x[early] > 0 else ():
            ends = [course.exploitability[early] * (end / x[early]) ** slope for end in (x[early], x[-1])]
            line = {"dash": "dot", "width": 1.5}
            data.append(
                {"x": [x[early], x[-1]], "y": ends, "name": name, "mode": "lines", "line": line, "meta": {"colour": -1}}
            )
        views.append({"name": f"against {words}", "data": data, "layout": {"xaxis": _axis(words, log=True)}})
    layout = _layout(430, yaxis=_axis("exploitability, payoff per game", log=True), xaxis=_axis("", log=True))
    note = "Exploitability (nash_conv / players) of the average strategy; dotted: the slopes of theory."
    return {"kind": "convergence", "title": "Convergence", "note": note, "layout": layout, "views": views}


def _strategy(solution: Solution, game: Any, infosets: Sequence[Any] | None) -> Chart:
    table = strategy_rows(solution, game, most=_ROWS, tolerance=0.002, keep=infosets)
    players = sorted({row.infoset.player for row in table.rows})
    names = list(dict.fromkeys(action for row in table.rows for action in row.infoset.actions))
    views: list[Chart] = []
    for player in players:
        rows = [row for row in table.rows if row.infoset.player == player]
        data = [_bars(rows, name, number) for number, name in enumerate(names)]
        height = 110 + _ROW * len(rows) + _legend_rows(data) * _ROW
        axis = _axis("", autorange="reversed", tickmode="array", dtick=None)
        axis |= {
            "tickvals": list(range(len(rows))),
            "ticktext": [_row_label(row) for row in rows],
            "tickfont": {"size": 12},
        }
        views.append(
            {
                "name": f"player {player}",
                "data": [bar for bar in data if bar["x"]],
                "layout": {"height": height, "yaxis": axis},
            }
        )
    layout = _layout(
        max(view["layout"]["height"] for view in views),
        barmode="stack",
        showlegend=len(names) <= _LEGEND,  # a bar says its action when it is pointed at
        bargap=0.15,
        xaxis=_axis("probability", range=[0, 1]),
    )
    some = f"{len(table.rows):,} of {table.infosets:,} infosets. " if len(table.rows) < table.infosets else ""
    note = f"{some}Hatched: never reached. After an infoset, =: its player is indifferent between the best actions."
    return {
        "kind": "strategy",
        "title": "Strategy",
        "note": note if table.margin is not None else some,
        "layout": layout,
        "views": views,
    }


def _legend_rows(bars: Sequence[Chart]) -> int:
    """Return about how many lines the legend of some bars takes, beyond the first."""
    wide = sum(_SIGN + _LETTER * len(bar["name"]) for bar in bars if bar["x"])
    return 0 if len(bars) > _LEGEND else wide // _WIDTH


def _row_label(row: Row) -> str:
    return _text(row.infoset.key, 40) + (" =" if row.indifferent and not row.never else "")


def _bars(rows: Sequence[Row], name: str, number: int) -> Chart:
    """Return the part of each bar that is one action."""
    own = [
        (y, row, row.played[row.infoset.actions.index(name)])
        for y, row in enumerate(rows)
        if name in row.infoset.actions
    ]
    notes = [
        f"{_text(row.infoset.key)}: {_text(name)} {share:.4f}"
        + (", never reached" if row.never else ", indifferent" if row.indifferent else "")
        for _, row, share in own
    ]
    pattern = {"shape": ["/" if row.never else "" for _, row, _ in own], "fillmode": "replace", "size": 6}
    return {
        "type": "bar", "orientation": "h", "name": _text(name, 24), "x": [round(share, 6) for _, _, share in own],
        "y": [y for y, _, _ in own], "customdata": notes, "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {"pattern": pattern}, "meta": {"colour": number},
    }  # fmt: skip


def _each_moving(solution: Solution, infosets: Sequence[Any] | None) -> tuple[Recording, list[Recorded]]:
    _, recording = recording_of(solution)
    return recording, moving(recording, infosets, _INFOSETS)


def _mode(recorded: Recorded) -> str:
    """Return how Plotly draws a line; with markers where a single point would be none."""
    return "lines+markers" if alone(recorded.average_strategy[:, 0]) else "lines"


def _trajectories(solution: Solution, infosets: Sequence[Any] | None) -> Chart:
    recording, chosen = _each_moving(solution, infosets)
    views = []
    for recorded in chosen:
        some = thinned(len(recorded.iteration))
        when, data = recorded.iteration[some].tolist(), []
        for action in shown_actions(recorded):
            name = _text(recorded.actions[action], 24)
            thin = {"width": 1}
            now = {"x": when, "y": _numbers(recorded.strategy[some, action]), "name": f"{name}, current", "line": thin}
            mean = {"x": when, "y": _numbers(recorded.average_strategy[some, action]), "name": f"{name}, average"}
            shared = {"mode": _mode(recorded), "meta": {"colour": action}}
            data += [{**now, **shared, "opacity": 0.7}, {**mean, **shared, "line": {"width": 3.5}}]
        views.append({"name": printable(named(recorded, recording)), "data": data})
    layout = _layout(400, xaxis=_axis("iterations", log=True), yaxis=_axis("probability", range=[-0.03, 1.03]))
    note = "Thin: the current strategy, which cycles; thick: the average, which settles. Choose an infoset:"
    return {"kind": "trajectories", "title": "Trajectories", "note": note, "layout": layout, "views": views}


def _spiral(solution: Solution, infosets: Sequence[Any] | None) -> Chart:
    _, recording = recording_of(solution)
    path = path_of(recording, *pair(recording, infosets))
    some = thinned(len(path.iteration))
    times = np.maximum(path.iteration[some], 1)
    ticks = [10**power for power in range(int(np.log10(times.max())) + 1)]
    bar = {
        "title": {"text": "iterations"},
        "tickvals": np.log10(ticks).tolist(),
        "ticktext": [f"{tick:,}" for tick in ticks],
    }
    data = []
    for name, points, size in (("current", path.current[some], 6), ("average", path.average[some], 9)):
        marker: Chart = {"size": size, "color": _numbers(np.log10(times)), "colorscale": "Viridis"}
        marker |= {"colorbar": bar} if name == "current" else {"symbol": "diamond", "line": {"width": 1}}
        data.append(
            {
                "x": _numbers(points[:, 0]), "y": _numbers(points[:, 1]), "name": name, "mode": "lines+markers",
                "marker": marker, "line": {"width": 0.7 if name == "current" else 1.5}, "meta": {"colour": -1},
                "customdata": times.tolist(),
                "hovertemplate": f"{name}, iteration %{{customdata}}<br>%{{x}}, %{{y}}<extra></extra>",
            }
        )  # fmt: skip
    x, y = (
        _text(f"probability of {recorded.actions[action]} at {named(recorded, recording)}")
        for recorded, action in (path.x, path.y)
    )
    square: Any = {"range": [-0.03, 1.03], "constrain": "domain"}
    layout = _layout(560, xaxis=_axis(x, **square), yaxis=_axis(y, **square, scaleanchor="x"))
    note = "One probability against another, coloured by the iteration: the current strategy and its average."
    return {"kind": "spiral", "title": "Spiral", "note": note, "layout": layout, "views": [{"name": "", "data": data}]}


def _regret(solution: Solution, game: Any, infosets: Sequence[Any] | None) -> Chart:
    views = []
    if solution.recording is not None and len(solution.recording.infosets):
        recording, chosen = _each_moving(solution, infosets)
        for recorded in chosen:
            some = thinned(len(recorded.iteration))
            when = recorded.iteration[some].tolist()
            data = [
                {"x": when, "y": _numbers(recorded.regret_sum[some, action]), "name": _text(name, 24),
                 "mode": _mode(recorded), "line": {"width": 2}, "meta": {"colour": action}}
                for action, name in enumerate(recorded.actions)
            ]  # fmt: skip
            axes = {
                "xaxis": _axis("iterations", log=True),
                "yaxis": _axis("regret sum, payoff × probability", zeroline=True),
            }
            views.append({"name": f"over time: {printable(named(recorded, recording))}", "data": data, "layout": axes})
    left = remaining(solution, game)
    if left is not None:
        positive = np.log10(left[left > 0])
        bars = {"type": "histogram", "x": _numbers(positive), "marker": {}, "meta": {"colour": 0}, "nbinsx": 30}
        axes = {
            "xaxis": _axis("log10 of the largest regret sum of an infoset / iterations"),
            "yaxis": _axis("infosets"),
        }
        none = len(left) - len(positive)
        where = f": nothing at {none:,} of {len(left):,} infosets" if none else f", all {len(left):,} infosets"
        views.insert(0, {"name": f"in the end{where}", "data": [bars], "layout": axes})
    if not views:
        raise SolutionError(
            f"{solution.game}: this run by {solution.algorithm!r} remembers no regrets, and recorded none."
        )
    layout = _layout(400, xaxis=_axis(""), yaxis=_axis(""))
    note = "What an action would have earned more than what was played, summed up, after the decay of the algorithm."
    return {"kind": "regret", "title": "Regret", "note": note, "layout": layout, "views": views}
