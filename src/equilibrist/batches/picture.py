"""Pictures of a batch: how its runs converged, and what a number that varies does to the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from .._util.validate import is_number
from ..evaluation.gaps import find_gap, gap_heading
from ..plot.curves import make_panels
from ..plot.style import (
    DASHES,
    MARKERS,
    label_sparsely,
    legend_below,
    make_figure,
    plain_text,
    use_theme,
    write_title,
)
from .result import BatchResult, label_record, varied_headings

MOST_CURVES = 24
_MOST_LINES = 12
_PANELS = ("iteration", "seconds")
_SHOWN = (
    "value_0",
    "exploitability_percent",
    "exploitability",
    "largest_gain_percent",
    "largest_gain",
    "iterations",
)
_MOST_SHOWN = 3


def draw_convergence(result: BatchResult, *, theme: str = "light") -> Figure | None:
    """Return how far each run is against iterations and seconds; None for none or too many.

    That is the exploitability, or of three players and more the largest gain of one who deviates
    alone.
    """
    runs = []
    players: set[int] = set()
    for record in result.records:
        points = [point for point in record["trace"] if _gap_of(point) > 0]
        if len(points) > 1:
            runs.append((label_record(record), points))
            players.add(len(points[-1]["deviation_gains"]))
    if not 0 < len(runs) <= MOST_CURVES:
        return None
    with use_theme(theme) as palette:
        figure, panels = make_panels(
            [_PANELS],
            result.name,
            [label for label, _ in runs],
            palette,
            note="each run of the batch",
            quantity=f"{gap_heading(players)}, payoff per game",
        )
        for axes, measure in zip(panels, _PANELS, strict=True):
            lines = [
                axes.plot(
                    [point[measure] for point in points],
                    [_gap_of(point) for point in points],
                    color=palette.colour(number),
                    linestyle=DASHES[number // len(palette.colours) % len(DASHES)],
                    linewidth=1.4,
                    label=plain_text(label),
                )[0]
                for number, (label, points) in enumerate(runs)
            ]
            label_sparsely(axes)
        legend_below(figure, lines, handlelength=3)
    return figure


def _gap_of(point: Mapping[str, Any]) -> float:
    """Return how far a checkpoint is; 0 where it is not known."""
    exploitability: float = point["measures"].get("exploitability", 0.0)
    return find_gap(exploitability, point["deviation_gains"])


def draw_dependence(result: BatchResult, *, theme: str = "light") -> Figure | None:
    """Return the results against a number that varies, a line for each combination of the rest; None without one."""
    finished_records = [record for record in result.records if record["state"] == "finished"]
    scales = (name for name in varied_headings(finished_records) if name != "seed")
    axis = next(
        (name for name in scales if _is_numeric(finished_records, "labels", name, min_values=3)),
        None,
    )
    measures = [
        name for name in _SHOWN if _is_numeric(finished_records, "results", name, min_values=2)
    ][:_MOST_SHOWN]
    if axis is None or not measures:
        return None
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for record in finished_records:
        other_labels = {key: value for key, value in record["labels"].items() if key != axis}
        groups.setdefault(
            ", ".join(f"{key} {value}" for key, value in other_labels.items()) or result.name, []
        ).append(record)
    if len(groups) > _MOST_LINES:
        return None
    with use_theme(theme) as palette:
        figure = make_figure(7.4, 3.2)
        for column, measure in enumerate(measures):
            axes = figure.add_subplot(
                1,
                len(measures),
                column + 1,
                xlabel=plain_text(axis),
                ylabel=measure.replace("_", " "),
            )
            lines = []
            for number, (label, records) in enumerate(groups.items()):
                points = sorted(
                    (record["labels"][axis], record["results"][measure]) for record in records
                )
                style: dict[str, Any] = {
                    "color": palette.colour(number),
                    "marker": MARKERS[number % len(MARKERS)],
                    "markersize": 3.5,
                }
                lines += axes.plot(
                    *zip(*points, strict=True), linewidth=1.3, label=plain_text(label), **style
                )
            axes.grid(True, linewidth=0.5)
        if len(groups) > 1:
            legend_below(figure, lines)
        write_title(figure, f"{result.name}: what {axis} does", "", theme=palette)
    return figure


def _is_numeric(
    records: Sequence[Mapping[str, Any]], field: str, name: str, *, min_values: int
) -> bool:
    """Return whether a label or a result is a number everywhere, and takes so many values or more."""
    values = [record[field].get(name) for record in records]
    return all(map(is_number, values)) and len(set(values)) >= min_values
