"""Charts of a run as Plotly figures, for the interactive page."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ..errors import EquilibristError, SolutionError
from ..evaluation.spot_node import SpotNode
from ..evaluation.spots import SolvedSpot, is_spot
from ..plot.album import choices
from ..plot.curves import MEASURES, SLOPES, courses
from ..plot.inputs import GameOfRun
from ..plot.kinds import KINDS, OF_SPOTS
from ..plot.movement import alone, moving, named, recording_of, shown_actions, thinned
from ..plot.paths import path_of
from ..plot.regrets import no_regrets, remaining
from ..plot.rows import Row, strategy_rows
from ..plot.style import THEMES, brief, printable
from ..plot.triangles import CORNERS, of_three_actions
from ..solving.recording import Recorded, Recording
from ..solving.solution import Solution
from .range_charts import range_views

_ROWS = 400  # infosets of the strategy
_INFOSETS = 40  # that can be chosen where probabilities and regrets move
_ROW = 19  # pixels
_NODES = 12  # decisions of a spot
_LEGEND = 14  # actions that a legend lists
_SIGN, _LETTER, _WIDTH = 45, 8, 900  # pixels: of the sign and of a letter in a legend, and of all of it
_SPIRAL = (
    "spiral",
    "Spiral",
    "One probability against another, coloured by the iteration: the current strategy and its average.",
)
_SCATTER = ("scatter", "Scatter plot", "One probability against another, a point an iteration: current and average.")
MUTED = 8  # the number of the colour that stands back, after the eight that tell things apart


class Chart(NamedTuple):
    """A section of the page: its title, a note, and one figure for each view that can be chosen."""

    kind: str
    title: str
    note: str
    views: dict[str, go.Figure]


def themes() -> dict[str, dict[str, Any]]:
    """Return, for each theme, the template of its figures and the colours by number."""
    described = {}
    for name, theme in THEMES.items():
        axis = {"gridcolor": theme.faint, "zerolinecolor": theme.muted, "linecolor": theme.muted, "automargin": True}
        layout = go.Layout(
            paper_bgcolor=theme.paper,
            plot_bgcolor=theme.paper,
            font={"color": theme.ink, "family": 'system-ui, "DejaVu Sans", Verdana, sans-serif', "size": 13},
            margin={"l": 70, "r": 20, "t": 30, "b": 50},
            legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
            hovermode="closest",
            xaxis=axis,
            yaxis=axis,
        )
        template = {"layout": layout.to_plotly_json()}
        described[name] = {"template": template, "colours": [*theme.colours[:MUTED], theme.muted]}
    return described


def charts(
    solution: Solution,
    *,
    game: Any = None,
    kinds: Sequence[str] | None = None,
    infosets: Sequence[Any] | None = None,
    nodes: Sequence[SpotNode] | None = None,
) -> tuple[list[Chart], dict[str, str]]:
    """Return the charts of a run, and why each of the others cannot be drawn."""
    known = GameOfRun.of(solution, game)
    makers: dict[str, Callable[[], Chart]] = {
        "convergence": lambda: _convergence(solution),
        "strategy": lambda: _strategy(solution, known.form_if_known(), infosets),
        "trajectories": lambda: _trajectories(solution, infosets),
        "spiral": lambda: _against(solution, known, infosets, _SPIRAL, joined=True),
        "scatter": lambda: _against(solution, known, infosets, _SCATTER, joined=False),
        "simplex": lambda: _simplex(solution, infosets),
        "regret": lambda: _regret(solution, known.form_of_tables(), infosets),
        "range": lambda: _range(solution, nodes),
    }
    found, skipped = [], {}
    for kind in kinds or (OF_SPOTS if is_spot(solution.strategy) else [kind for kind in makers if kind in KINDS]):
        if kind not in makers:
            skipped[kind] = "The page has no such chart; draw it as a picture (.svg, .png, .pdf)."
            continue
        try:
            found.append(makers[kind]())
        except EquilibristError as error:
            skipped[kind] = str(error)
    return found, skipped


def _text(text: str, most: int = 60) -> str:
    """Return a text that Plotly shows as it is: it takes some HTML for markup, and dollars for formulas."""
    return html.escape(printable(brief(text, most))).replace("$", "&#36;")


def _log(title: str) -> dict[str, Any]:
    """Return a logarithmic axis."""
    return {"title": title, "type": "log", "exponentformat": "power", "dtick": 1}


def _line(x: Any, y: Any, name: str, colour: int, *, mode: str = "lines", **line: Any) -> go.Scatter:
    """Return a line; its colour is a number, which the page replaces by that of its theme."""
    return go.Scatter(x=x, y=y, name=name, mode=mode, meta=colour, line=line)


def _figure(data: Sequence[Any], *, height: int = 400, **layout: Any) -> go.Figure:
    return go.Figure(data, go.Layout(height=height, template="none", **layout))


def _range(solution: Solution, nodes: Sequence[SpotNode] | None) -> Chart:
    if nodes is None:
        nodes = SolvedSpot(solution).reached(_NODES)
    note = "Width: what the hands of a class play; height: the part of its hands that is in the range."
    return Chart("range", "Hands", note, range_views(nodes))


def _convergence(solution: Solution) -> Chart:
    (course,) = courses(solution)
    views = {}
    for measure, words in MEASURES.items():
        x, y = getattr(course, measure), course.exploitability
        early = min(3, len(x) - 1)
        curve = _line(x, y, _text(course.label), 0, mode="lines+markers", width=2)
        curve.hovertemplate = f"%{{x}} {words.partition(' (')[0]}<br>exploitability %{{y:.3g}}<extra></extra>"
        guides = []
        for name, slope in SLOPES.items() if measure == "iteration" else ():
            ends = [y[early], y[early] * (x[-1] / x[early]) ** slope]
            guides.append(_line([x[early], x[-1]], ends, name, MUTED, dash="dot", width=1.5))
        axes = {"xaxis": _log(words), "yaxis": _log("exploitability, payoff per game")}
        views[f"against {words}"] = _figure([curve, *guides], height=430, **axes)
    note = "Exploitability (nash_conv / players) of the average strategy; dotted, for iterations: slopes of theory."
    return Chart("convergence", "Convergence", note, views)


def _strategy(solution: Solution, game: Any, infosets: Sequence[Any] | None) -> Chart:
    table = strategy_rows(solution, game, most=_ROWS, tolerance=0.002, keep=infosets)
    names = list(dict.fromkeys(action for row in table.rows for action in row.infoset.actions))
    views = {}
    for player in sorted({row.infoset.player for row in table.rows}):
        rows = [row for row in table.rows if row.infoset.player == player]
        bars = [bar for number, name in enumerate(names) if (bar := _bars(rows, name, number)).x]
        labels = {"tickvals": list(range(len(rows))), "ticktext": [_row_label(row) for row in rows]}
        views[f"player {player}"] = _figure(
            bars,
            height=110 + _ROW * (len(rows) + _legend_rows(bars)),
            barmode="stack",
            bargap=0.15,
            showlegend=len(names) <= _LEGEND,  # a bar says its action when it is pointed at
            xaxis={"title": "probability", "range": [0, 1]},
            yaxis={"autorange": "reversed", "tickmode": "array", "tickfont": {"size": 12}, **labels},
        )
    note = f"{len(table.rows):,} of {table.infosets:,} infosets. " if len(table.rows) < table.infosets else ""
    if table.margin is not None:
        note += "Hatched: never reached. After an infoset, =: its player is indifferent between the best actions."
    return Chart("strategy", "Strategy", note, views)


def _legend_rows(bars: Sequence[go.Bar]) -> int:
    """Return about how many lines the legend of some bars takes, beyond the first."""
    return 0 if len(bars) > _LEGEND else sum(_SIGN + _LETTER * len(bar.name) for bar in bars) // _WIDTH


def _row_label(row: Row) -> str:
    return _text(row.infoset.key, 40) + (" =" if row.indifferent and not row.never else "")


def _bars(rows: Sequence[Row], name: str, number: int) -> go.Bar:
    """Return the part of each bar that is one action."""
    own = [(y, row) for y, row in enumerate(rows) if name in row.infoset.actions]
    shares = [row.played[row.infoset.actions.index(name)] for _, row in own]
    marks = [", never reached" if row.never else ", indifferent" if row.indifferent else "" for _, row in own]
    notes = [
        f"{_text(row.infoset.key)}: {_text(name)} {share:.4f}{mark}"
        for (_, row), share, mark in zip(own, shares, marks, strict=True)
    ]
    hatched = {"shape": ["/" if row.never else "" for _, row in own], "fillmode": "replace", "size": 6}
    return go.Bar(
        x=shares,
        y=[y for y, _ in own],
        name=_text(name, 24),
        orientation="h",
        customdata=notes,
        hovertemplate="%{customdata}<extra></extra>",
        marker={"pattern": hatched},
        meta=number % MUTED,
    )


def _moving(solution: Solution, infosets: Sequence[Any] | None) -> tuple[Recording, list[Recorded]]:
    _, recording = recording_of(solution)
    return recording, moving(recording, infosets, _INFOSETS)


def _over_time(recorded: Recorded, values: NDArray[np.float64], name: str, number: int, *, width: float) -> go.Scatter:
    """Return a line over the iterations; with markers where a single point would be none."""
    some = thinned(len(recorded.iteration))
    mode = "lines+markers" if alone(recorded.average_strategy[:, 0]) else "lines"
    return _line(recorded.iteration[some], values[some], name, number % MUTED, mode=mode, width=width)


def _trajectories(solution: Solution, infosets: Sequence[Any] | None) -> Chart:
    recording, chosen = _moving(solution, infosets)
    views = {}
    for recorded in chosen:
        lines = []
        for action in shown_actions(recorded):
            name = _text(recorded.actions[action], 24)
            now, mean = recorded.strategy[:, action], recorded.average_strategy[:, action]
            lines.append(_over_time(recorded, now, f"{name}, current", action, width=1).update(opacity=0.7))
            lines.append(_over_time(recorded, mean, f"{name}, average", action, width=3.5))
        axes: dict[str, Any] = {"xaxis": _log("iterations"), "yaxis": {"title": "probability", "range": [-0.03, 1.03]}}
        views[printable(named(recorded, recording))] = _figure(lines, **axes)
    note = "Thin: the current strategy, which cycles; thick: the average, which settles. Choose an infoset:"
    return Chart("trajectories", "Trajectories", note, views)


def _against(
    solution: Solution, game: GameOfRun, infosets: Sequence[Any] | None, chart: tuple[str, str, str], *, joined: bool
) -> Chart:
    """Return one probability against another, its points joined (spiral) or not (scatter plot)."""
    _, recording = recording_of(solution)
    path = path_of(recording, *choices(solution, game, infosets))
    x, y = (
        _text(f"probability of {recorded.actions[action]} at {named(recorded, recording)}")
        for recorded, action in (path.x, path.y)
    )
    square = {"range": [-0.03, 1.03], "constrain": "domain"}
    axes = {"xaxis": {"title": x, **square}, "yaxis": {"title": y, "scaleanchor": "x", **square}}
    figure = _figure(_path(path.iteration, path.current, path.average, joined=joined), height=560, **axes)
    return Chart(*chart, {"": figure})


def _simplex(solution: Solution, infosets: Sequence[Any] | None) -> Chart:
    name, recording = recording_of(solution)
    views = {}
    hidden: dict[str, Any] = {"visible": False, "constrain": "domain"}
    axes = {"xaxis": {"range": [-0.15, 1.15], **hidden}, "yaxis": {"range": [-0.15, 1.0], "scaleanchor": "x", **hidden}}
    x, y = CORNERS[[0, 1, 2, 0]].T
    sides = _line(x, y, "", MUTED, width=1).update(showlegend=False, hoverinfo="skip")
    for one in of_three_actions(name, recording, infosets):
        corners = _line(x[:3], y[:3], "", MUTED, mode="text").update(showlegend=False, hoverinfo="skip")
        corners.text = [_text(action, 20) for action in one.actions]
        corners.textposition = ["bottom center", "bottom center", "top center"]
        paths = _path(one.iteration, one.strategy @ CORNERS, one.average_strategy @ CORNERS)
        views[printable(named(one, recording))] = _figure([sides, corners, *paths], height=520, **axes)
    note = "A corner plays one action always, the side opposite never; coloured by the iteration."
    return Chart("simplex", "Simplex", note, views)


def _path(
    iteration: NDArray[np.int64], current: NDArray[np.float64], average: NDArray[np.float64], *, joined: bool = True
) -> list[go.Scatter]:
    """Return the points of the current strategy and of the average, coloured by the iteration."""
    some = thinned(len(iteration))
    times = np.maximum(iteration[some], 1)
    ticks = [10**power for power in range(int(np.log10(times.max())) + 1)]
    scale = {"title": "iterations", "tickvals": np.log10(ticks), "ticktext": [f"{tick:,}" for tick in ticks]}
    data = []
    for name, points, width, look in (
        ("current", current[some], 0.7, {"size": 6, "colorbar": scale}),
        ("average", average[some], 1.5, {"size": 9, "symbol": "diamond", "line": {"width": 1}}),
    ):
        mode = "lines+markers" if joined else "markers"
        line = _line(points[:, 0], points[:, 1], name, MUTED, mode=mode, width=width)
        line.marker = {"color": np.log10(times), "colorscale": "Viridis", **look}
        line.customdata = times
        line.hovertemplate = f"{name}, iteration %{{customdata}}<br>%{{x}}, %{{y}}<extra></extra>"
        data.append(line)
    return data


def _regret(solution: Solution, game: Any, infosets: Sequence[Any] | None) -> Chart:
    views: dict[str, go.Figure] = {}
    axes: dict[str, Any]
    left = remaining(solution, game)
    if left is not None:
        positive = np.log10(left[left > 0])
        none = len(left) - len(positive)
        where = f": nothing at {none:,} of {len(left):,} infosets" if none else f", all {len(left):,} infosets"
        axes = {"xaxis": {"title": "log10 of the largest regret sum of an infoset / iterations"}}
        bars = go.Histogram(x=positive, marker={}, meta=0, nbinsx=30)
        views[f"in the end{where}"] = _figure([bars], **axes, yaxis={"title": "infosets"})
    if solution.recording is not None and len(solution.recording.infosets):
        recording, chosen = _moving(solution, infosets)
        for recorded in chosen:
            lines = [
                _over_time(recorded, recorded.regret_sum[:, action], _text(name, 24), action, width=2)
                for action, name in enumerate(recorded.actions)
            ]
            axes = {
                "xaxis": _log("iterations"),
                "yaxis": {"title": "regret sum, payoff × probability", "zeroline": True},
            }
            views[f"over time: {printable(named(recorded, recording))}"] = _figure(lines, **axes)
    if not views:
        raise SolutionError(f"{solution.game}: {no_regrets(solution)}")
    note = "What an action would have earned more than what was played, summed up, after the decay of the algorithm."
    return Chart("regret", "Regret", note, views)
