"""The picture of comparisons: what each algorithm and sampling reached, and when."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ..errors import SolutionError
from ..evaluation.gaps import name_measures
from ..plot.curves import make_panels
from ..plot.style import Theme, brief, label_sparsely, legend_below, plain_text, use_theme
from .series import Compared, Frame, Series, View, count_players, describe_terms

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
_BESIDE = 3  # panels in a row
_BELOW = 0.1  # of the smallest middle: where a band ends that reaches 0


def draw_comparisons(
    comparisons: Sequence[Compared], view: View, frame: Frame, *, theme: str = "light"
) -> Figure:
    """Return the picture of comparisons: panels for each game, and in them a line for each combination."""
    for comparison in comparisons:
        if not comparison.curves:
            raise SolutionError("No run of this comparison has begun: there is nothing to draw.")
    against = frame.against
    if against is None:
        places = [(number, name) for number in range(len(comparisons)) for name in _PANELS]
        columns = len(_PANELS)
    else:
        places = [(number, against) for number in range(len(comparisons))]
        columns = min(len(comparisons), _BESIDE)
    names = [name for _, name in places]
    grid = [names[first : first + columns] for first in range(0, len(names), columns)]
    series = [view.series(comparison) for comparison in comparisons]
    every_series = [curve for of_game in series for curve in of_game]
    games = [comparison.game for comparison in comparisons]
    note = describe_terms(comparisons, view.interval)
    with use_theme(theme) as palette:
        styles = _line_styles(every_series, palette)
        figure, panels = make_panels(
            grid,
            shorten(", ".join(games), 90, placeholder=" …"),
            [style["label"] for style in styles.values()],
            palette,
            note=note,
            quantity=name_measures(view.quantity, count_players(comparisons)),
            log=frame.log,
            size=frame.size,
            share_y=against is None,
        )
        lines: dict[tuple[str, str], Line2D] = {}
        for panel, (number, name) in zip(panels, places, strict=True):
            floor = _band_floor(series[number], frame.log)
            for curve in series[number]:
                lines[curve.combination] = _draw_series(
                    panel, curve, name, styles[curve.combination], floor
                )
            if len(comparisons) > 1 and name == names[0]:
                panel.set_title(plain_text(brief(games[number], 40)), loc="left")
            label_sparsely(panel)
        ends = sorted(series[0], key=lambda curve: -curve.last[0])  # the worst first
        order = dict.fromkeys(curve.combination for curve in (*ends, *every_series))
        legend_below(figure, [lines[combination] for combination in order], handlelength=3.2)
    return figure


def _line_styles(series: Sequence[Series], palette: Theme) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the look of each line: its colour says the algorithm and its dashes the sampling, where both differ.

    A combination looks the same in all panels.
    """
    algorithms = list(dict.fromkeys(curve.algorithm for curve in series))
    samplings = list(dict.fromkeys(curve.sampling for curve in series))
    schemes = [sampling.partition("(")[0] for sampling in samplings]
    have_dashes = len(set(schemes)) == len(schemes) and set(schemes) <= set(_DASHES)
    if have_dashes:
        dashes_of = [_DASHES[scheme] for scheme in schemes]
    else:
        dashes_of = [*_DASHES.values()] * len(samplings)
    styles: dict[tuple[str, str], dict[str, Any]] = {}
    both_differ = len(algorithms) > 1 and len(samplings) > 1
    for curve in series:
        place = samplings.index(curve.sampling)
        if len(algorithms) == 1:
            number = place
        else:
            number = algorithms.index(curve.algorithm)
        is_finished = all(
            other.finished for other in series if other.combination == curve.combination
        )
        styles[curve.combination] = {
            "color": palette.colour(number),
            "marker": _MARKERS[number // len(palette.colours) % len(_MARKERS)],
            "linestyle": dashes_of[place] if both_differ else "solid",
            "label": plain_text(curve.label if is_finished else f"{curve.label} (unfinished)"),
        }
    return styles


def _band_floor(series: Sequence[Series], log: str) -> float:
    """Return where a band ends that reaches 0: a tenth of the smallest middle on a logarithmic axis, else nowhere."""
    if "y" not in log:
        return -np.inf
    middles = np.concatenate([curve.bounds.middle for curve in series])
    positive = middles[middles > 0]
    return _BELOW * float(positive.min()) if len(positive) else -np.inf


def _draw_series(
    axes: Axes, series: Series, against: str, style: dict[str, Any], floor: float
) -> Line2D:
    """Draw the curve of a combination, with its end and the band over its seeds; return its line."""
    x = series.values(against)
    middle, low, high = series.bounds
    (line,) = axes.plot(x, middle, linewidth=1.5, markersize=3, **style)
    axes.plot(x[-1:], middle[-1:], marker="o", markersize=3.5, color=style["color"])
    if series.seeds > 1:
        axes.fill_between(
            x,
            np.maximum(low, floor),
            np.maximum(high, floor),
            color=style["color"],
            alpha=0.15,
            linewidth=0,
        )
    return line
