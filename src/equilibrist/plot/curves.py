"""The picture of convergence: exploitability against iterations, nodes and seconds, and the slopes of theory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from ..errors import SolutionError
from ..evaluation.gaps import name_measures
from ..mccfr.sampling import find_sampling
from ..solving.solution import Solution
from ..solving.sources import AnyRun, read_run
from .curve import Curve, Point
from .kinds import AXES, find_axis
from .style import (
    COLUMN,
    DASHES,
    MARKERS,
    Theme,
    brief,
    label_sparsely,
    legend_below,
    legend_shape,
    make_figure,
    plain_text,
    text_outline,
    use_theme,
    write_title,
)

SLOPES = {"1/√T": -0.5, "1/T": -1.0}
"""What theory promises CFR, and what CFR+ and its kin reach in practice: slopes where both scales are logarithmic."""
_MOST = 24  # runs in one picture
_LOW = 2.4  # inches: a panel that has no room for the name of an axis in one line


_QUANTITY = "exploitability, payoff per game"


def curves_of(runs: AnyRun | Mapping[str, AnyRun] | Sequence[AnyRun]) -> list[Curve]:
    """Return what can be drawn of each run; repetitions are one, with the least seconds at each checkpoint."""
    if isinstance(runs, Solution | str | Path):
        runs = [runs]
    if not isinstance(runs, Mapping | Sequence):
        raise SolutionError(
            f"Runs are drawn, or folders of saved ones; got {runs!r}.", wrong_use=True
        )
    if not 0 < len(runs) <= _MOST:
        raise SolutionError(
            f"1 to {_MOST} runs can be drawn in one picture; got {len(runs)}.", wrong_use=True
        )
    if isinstance(runs, Mapping):
        return [_curve_of(str(label), read_run(run)) for label, run in runs.items()]
    solutions = [(run, read_run(run)) for run in runs]
    several_games = len({solution.game for _, solution in solutions}) > 1
    curves: dict[Any, Curve] = {}
    for run, solution in solutions:
        label = _name_curve(
            run, solution, [curve.label for curve in curves.values()], several_games=several_games
        )
        curve = _curve_of(label, solution)
        key = (
            solution.game,
            *curve.combination,
            *curve.values("iteration"),
            *curve.values("exploitability"),
        )
        curve_so_far = curves.setdefault(key, curve)
        points = [
            point._replace(seconds=min(point.seconds, point_again.seconds))
            for point, point_again in zip(curve_so_far.points, curve.points, strict=True)
        ]
        curves[key] = replace(curve_so_far, points=tuple(points))
    return list(curves.values())


def _name_curve(run: Any, solution: Solution, labels: Sequence[str], *, several_games: bool) -> str:
    """Return a label that no curve has so far: what tells a run apart, then its folder, then a number."""
    words = [solution.game] if several_games else []
    words += [solution.algorithm] + (
        [] if find_sampling(solution.sampling).full_width else [solution.sampling]
    )
    label = ", ".join(words)
    if label in labels and isinstance(run, str | Path):
        label = f"{label} ({run})"
    number = 2
    while label in labels:
        label = f"{label.partition(' #')[0]} #{number}"
        number = number + 1
    return label


def _curve_of(label: str, solution: Solution) -> Curve:
    """Return the curve of a run: its checkpoints with an exploitability above 0."""
    checkpoints = [point for point in solution.trace if point.is_certified]
    if not checkpoints:
        raise SolutionError(
            f"{label}: nothing is known of the exploitability of a run that was sampled without "
            "a tree. Solve with a tree to see it converge."
        )
    points = [point for point in checkpoints if point.exploitability > 0 and point.iteration > 0]
    if not points:
        raise SolutionError(
            f"{label}: there is no checkpoint with an exploitability above 0, so there is no curve."
        )
    medians = tuple(Point.of([point]) for point in points)
    return Curve(
        solution.algorithm,
        solution.sampling,
        1,
        True,
        medians,
        solution.game,
        label,
        players=solution.players,
    )


def convergence(
    runs: AnyRun | Mapping[str, AnyRun] | Sequence[AnyRun],
    *,
    against: str | None = None,
    theme: str = "light",
) -> Figure:
    """Return the picture of convergence: exploitability against iterations, nodes and seconds, all scales logarithmic.

    Against iterations, dotted lines through an early point of the first run have the slopes of
    theory: 1/√T, which CFR is proved to keep, and 1/T.

    Parameters
    ----------
    runs : Solution or path, several of them, or a dict {label: one of them}
        What is drawn; a path is the folder of a saved run.
    against : {"iteration", "nodes_touched", "seconds"}, optional
        One panel instead of three.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    SolutionError
        A run was sampled without a tree, so that its exploitability is not known; or a folder, an
        axis or a theme is not there.

    Examples
    --------
    >>> import equilibrist as eq
    >>> runs = {name: eq.solve("kuhn", name, iterations=200) for name in ("cfr", "cfr+")}
    >>> len(eq.plot.convergence(runs).axes)
    3
    """
    name = find_axis(against)
    curves = curves_of(runs)
    measures = [name] if name else list(AXES)
    with use_theme(theme) as palette:
        figure, panels = make_panels(
            [measures],
            _title_of(curves),
            [curve.label for curve in curves],
            palette,
            quantity=name_measures(_QUANTITY, max(curve.players for curve in curves)),
        )
        for axes, name in zip(panels, measures, strict=True):
            _draw_curves(axes, curves, name, palette)
        if len(curves) > 1:
            legend_below(figure, *panels[0].get_legend_handles_labels())
    return figure


def make_panels(
    grid: Sequence[Sequence[str]],
    title: str,
    labels: Sequence[str],
    palette: Theme,
    *,
    note: str = "",
    quantity: str = _QUANTITY,
    log: str = "xy",
    size: tuple[float, float] | None = None,
    share_y: bool = True,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels, row by row, and room for a legend below them.

    ``grid`` has in each row what the quantity is drawn against; panels of a row have one scale of
    the quantity where they ``share_y``. ``log`` has the axes that are logarithmic.
    """
    rows = len(grid)
    columns = len(grid[0])
    row_heights = {1: 2.9 if columns > 1 else 3.8}
    width = COLUMN if columns > 1 else 5.4
    height = row_heights.get(rows, 0.6 + 2.3 * rows) + 0.18 * legend_shape(labels, width)[1]
    figure = make_figure(*(size or (width, height)))
    is_low = (figure.get_figheight() - 1) / rows < _LOW
    shared: Literal["row", "none"] = "row" if share_y else "none"
    all_panels = figure.subplots(rows, columns, sharey=shared, squeeze=False)
    panels = []
    for row, names in zip(all_panels, grid, strict=True):
        for axes in row[len(names) :]:
            axes.remove()
        for axes, name in zip(row, names, strict=False):
            _set_scales(axes, name, log, is_narrow=columns > 1)
            panels.append(axes)
        row[0].set_ylabel(quantity.replace(", ", ",\n") if is_low else quantity)
    write_title(figure, title, note, theme=palette)
    return figure, panels


def _set_scales(axes: Axes, against: str, log: str, *, is_narrow: bool) -> None:
    """Set the scales and the grid of a panel."""
    if "x" in log:
        axes.set_xscale("log", nonpositive="mask")  # of a clock that had not ticked yet
        if is_narrow:  # as many powers of ten as have room
            axes.xaxis.set_major_locator(LogLocator(numticks=5))
            axes.xaxis.set_minor_locator(NullLocator())
    elif is_narrow:
        axes.xaxis.set_major_locator(MaxNLocator(4))
    if "y" in log:
        axes.set_yscale("log", nonpositive="mask")
    axes.set_xlabel(AXES[against])
    axes.grid(True, linewidth=0.7)
    axes.set_axisbelow(True)


def _title_of(curves: Sequence[Curve]) -> str:
    """Return the title of a picture of convergence: the game, and the run where there is one."""
    games = {curve.game for curve in curves}
    game = f"{brief(curves[0].game, 60)}: " if len(games) == 1 else ""
    return f"{game}convergence" + (f" of {curves[0].label}" if len(curves) == 1 else "")


def _draw_curves(axes: Axes, curves: Sequence[Curve], measure: str, palette: Theme) -> None:
    """Draw all curves in a panel, against a measure, with the slopes of theory where that is iterations."""
    for number, curve in enumerate(curves):
        dashes = DASHES[number // len(palette.colours) % len(DASHES)]
        style: Any = {
            "color": palette.colour(number),
            "linestyle": dashes,
            "linewidth": 1.6,
            "markersize": 3.2,
        }
        marker = MARKERS[number % len(MARKERS)]
        label = plain_text(brief(curve.label, 40))
        axes.plot(
            curve.values(measure),
            curve.values("exploitability"),
            marker=marker,
            label=label,
            **style,
        )
    if measure == "iteration":
        _draw_slopes(axes, curves[0], palette)
    label_sparsely(axes)


def _draw_slopes(axes: Axes, curve: Curve, palette: Theme) -> None:
    """Draw theory's slopes through an early point of the first run, as far as the picture reaches."""
    x = curve.values("iteration")
    y = curve.values("exploitability")
    start = min(3, len(x) - 1)
    min_x, max_x = axes.get_xlim()
    min_y, max_y = axes.get_ylim()
    for name, slope in SLOPES.items():
        end_x = min(max_x, x[start] * (min_y / y[start]) ** (1 / slope))
        end_y = y[start] * (end_x / x[start]) ** slope
        dots = {
            "color": palette.muted,
            "linewidth": 1.3,
            "linestyle": (0, (1, 1.6)),
            "label": f"_{name}",
        }
        axes.plot([x[start], end_x], [y[start], end_y], **dots)  # type: ignore[arg-type]
        is_above = slope == max(SLOPES.values())  # the steeper one's name goes below it
        place: Any = {
            "xytext": (3, 3) if is_above else (-3, -3),
            "ha": "left" if is_above else "right",
        }
        middle = (x[start] * (end_x / x[start]) ** 0.72, y[start] * (end_y / y[start]) ** 0.72)
        style = {
            "fontsize": 8,
            "color": palette.muted,
            "bbox": text_outline(palette),
            "va": "bottom" if is_above else "top",
        }
        axes.annotate(name, middle, textcoords="offset points", **place, **style)  # type: ignore[arg-type]
    axes.set(xlim=(min_x, max_x), ylim=(min_y, max_y))
