"""The picture of a comparison: what each algorithm and sampling reached, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from ..errors import SolutionError
from ..mccfr.sampling import Full
from ..plot.curve import Curve
from ..plot.curves import make_panels
from ..plot.style import Theme, label_sparsely, legend_below, plain_text, use_theme

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


def draw_comparison(
    curves: Sequence[Curve], title: str, *, note: str = "", theme: str = "light"
) -> Figure:
    """Return the picture of a comparison: a panel for nodes, seconds and iterations, a line for each combination."""
    if not curves:
        raise SolutionError("No run of this comparison has begun: there is nothing to draw.")
    with use_theme(theme) as palette:
        styles = _line_styles(curves, palette)
        figure, panels = make_panels(
            _PANELS, title, [style["label"] for style in styles.values()], palette, note=note
        )
        for axes, measure in zip(panels, _PANELS, strict=True):
            lines = {
                curve.combination: _draw_curve(axes, curve, measure, styles[curve.combination])
                for curve in curves
            }
            label_sparsely(axes)
        ends = sorted(curves, key=lambda curve: -curve.last.exploitability)  # the worst first
        legend_below(figure, [lines[curve.combination] for curve in ends], handlelength=3.2)
    return figure


def _line_styles(curves: Sequence[Curve], palette: Theme) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the look of each line: its colour says the algorithm and its dashes the sampling, where both differ."""
    algorithms = list(dict.fromkeys(curve.algorithm for curve in curves))
    samplings = list(dict.fromkeys(curve.sampling for curve in curves))
    schemes = [sampling.partition("(")[0] for sampling in samplings]
    have_dashes = len(set(schemes)) == len(schemes) and set(schemes) <= set(_DASHES)
    if have_dashes:
        dashes_of = [_DASHES[scheme] for scheme in schemes]
    else:
        dashes_of = [*_DASHES.values()] * len(samplings)
    styles = {}
    both_differ = len(algorithms) > 1 and len(samplings) > 1
    for curve in curves:
        place = samplings.index(curve.sampling)
        if len(algorithms) == 1:
            number = place
        else:
            number = algorithms.index(curve.algorithm)
        if samplings == [str(Full())]:
            name = curve.algorithm
        else:
            name = f"{curve.algorithm}, {curve.sampling}"
        styles[curve.combination] = {
            "color": palette.colour(number),
            "marker": _MARKERS[number // len(palette.colours) % len(_MARKERS)],
            "linestyle": dashes_of[place] if both_differ else "solid",
            "label": plain_text(name if curve.finished else f"{name} (unfinished)"),
        }
    return styles


def _draw_curve(axes: Axes, curve: Curve, measure: str, style: dict[str, Any]) -> Line2D:
    """Draw the curve of a combination, with its end and the band over its seeds; return its line."""
    x = curve.values(measure)
    (line,) = axes.plot(x, curve.values("exploitability"), linewidth=1.5, markersize=3, **style)
    axes.plot(x[-1:], [curve.last.exploitability], marker="o", markersize=3.5, color=style["color"])
    if curve.seeds > 1:
        axes.fill_between(
            x,
            curve.values("lowest"),
            curve.values("highest"),
            color=style["color"],
            alpha=0.15,
            linewidth=0,
        )
    return line
