"""The picture of a comparison: what each algorithm and sampling reached, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from ..errors import SolutionError
from ..plot.curves import MEASURES
from ..plot.style import COLOURS, blank, label_sparsely, shown, themed, titled
from .curves import FULL, Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

_MARKERS = ("", "o", "s", "^")  # where the colours begin again
_DASHES: dict[str, Any] = {
    "full": "solid",
    "chance": (0, (7, 2)),
    "external": (0, (4, 1.5, 1, 1.5)),
    "outcome": (0, (1, 1.2)),
    "average-strategy": (0, (3, 1.2, 1, 1.2, 1, 1.2)),
    "public-chance": (0, (2.5, 2.5)),
}
_PANELS = ("nodes_touched", "seconds", "iteration")


def draw(curves: Sequence[Curve], title: str) -> Figure:
    """Return the picture of a comparison: a panel for nodes, seconds and iterations, a line for each combination.

    Raises
    ------
    SolutionError
        There is no curve, as no run has begun.
    """
    if not curves:
        raise SolutionError("No run of this comparison has begun: there is nothing to draw.")
    styles = _styles(curves)
    with themed("light") as look:
        figure = blank(14, 5)
        panels = figure.subplots(1, len(_PANELS), sharey=True)
        for axes, measure in zip(panels, _PANELS, strict=True):
            lines = {curve.combination: _draw(axes, curve, measure, styles[curve.combination]) for curve in curves}
            axes.set_xscale("log")
            axes.set_yscale("log", nonpositive="mask")
            axes.set_xlabel(MEASURES[measure])
            label_sparsely(axes.xaxis)
            axes.grid(True, linewidth=0.8)
            axes.set_axisbelow(True)
        panels[0].set_ylabel("exploitability (nash_conv / players), payoff per game")
        ends = sorted(curves, key=lambda curve: -curve.last.exploitability)  # from top to bottom, as the lines
        handles = [lines[curve.combination] for curve in ends]
        figure.legend(handles=handles, loc="outside right center", frameon=False, handlelength=3.6)
        titled(figure, title, "", theme=look)
    return figure


def _styles(curves: Sequence[Curve]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the look of each line: its colour says the algorithm and its dashes the sampling, where both differ."""
    algorithms = list(dict.fromkeys(curve.algorithm for curve in curves))
    samplings = list(dict.fromkeys(curve.sampling for curve in curves))
    schemes = [sampling.partition("(")[0] for sampling in samplings]
    known = len(set(schemes)) == len(schemes) and set(schemes) <= set(_DASHES)
    looks = [_DASHES[scheme] for scheme in schemes] if known else [*_DASHES.values()] * len(samplings)
    styles = {}
    for curve in curves:
        dashes = "solid"
        if len(algorithms) == 1:
            number = samplings.index(curve.sampling)
        else:
            number = algorithms.index(curve.algorithm)
            if len(samplings) > 1:
                dashes = looks[samplings.index(curve.sampling)]
        name = curve.algorithm if samplings == [FULL] else f"{curve.algorithm}, {curve.sampling}"
        styles[curve.combination] = {
            "color": COLOURS[number % len(COLOURS)],
            "marker": _MARKERS[number // len(COLOURS) % len(_MARKERS)],
            "linestyle": dashes,
            "label": shown(name if curve.finished else f"{name} (unfinished)"),
        }
    return styles


def _draw(axes: Axes, curve: Curve, measure: str, style: dict[str, Any]) -> Line2D:
    x = [getattr(point, measure) for point in curve.points]
    (line,) = axes.plot(x, [point.exploitability for point in curve.points], linewidth=1.8, markersize=3.5, **style)
    axes.plot(x[-1:], [curve.last.exploitability], marker="o", markersize=4.5, color=style["color"])
    if curve.seeds > 1:
        lowest, highest = ([getattr(point, name) for point in curve.points] for name in ("lowest", "highest"))
        axes.fill_between(x, lowest, highest, color=style["color"], alpha=0.15, linewidth=0)
    return line
