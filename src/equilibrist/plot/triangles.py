"""Strategies over three actions in their triangle, iteration by iteration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from ..errors import SolutionError
from ..solving.recording import Recorded, Recording
from ..solving.sources import AnyRun
from .movement import infoset_label, largest_movement, most_moved_infosets, recording_of
from .paths import colour_scale, draw_path
from .style import (
    COLUMN,
    Theme,
    brief,
    legend_below,
    make_figure,
    plain_text,
    use_theme,
    write_title,
)

_MOST = 4  # triangles
CORNERS = np.array([(0.0, 0.0), (1.0, 0.0), (0.5, np.sqrt(0.75))])


def simplex(
    solution: AnyRun | Recording, infosets: Sequence[Any] | None = None, *, theme: str = "light"
) -> Figure:
    """Return the picture of strategies over three actions in their triangle, iteration by iteration.

    A corner plays one action always, the side opposite never. Circles are the current strategy and
    diamonds the average, coloured by the iteration.

    Parameters
    ----------
    solution : Solution, Recording, or path
        A run of which infosets with three actions were recorded; a path is its folder.
    infosets : sequence, optional
        Which to draw, each as its key or as (player, key); by default those that have moved most,
        at most four.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    SolutionError
        Nothing was recorded, or an infoset does not have three actions.

    Examples
    --------
    >>> import equilibrist as eq
    >>> game = "matrix(payoffs=[[0,-1,2],[1,0,-1],[-2,1,0]])"  # rock, paper, scissors, where rock wins double
    >>> solution = eq.solve(game, "cfr", iterations=100, record=eq.Record("all", every=1))
    >>> len(eq.plot.simplex(solution).axes)  # a triangle a player, and the scale of colours
    3
    """
    name, recording = recording_of(solution)
    infosets_to_draw = find_three_actions(name, recording, infosets)
    with use_theme(theme) as palette:
        columns = min(2, len(infosets_to_draw))
        lines = -(-len(infosets_to_draw) // columns)
        figure = make_figure(COLUMN if columns > 1 else 4.6, 0.9 + 3.1 * lines)
        panels = list(figure.subplots(lines, columns, squeeze=False).flat)
        for axes, recorded in zip(panels, infosets_to_draw, strict=False):
            _draw_triangle(axes, [brief(action, 20) for action in recorded.actions], palette)
            current = recorded.strategy @ CORNERS
            mean = recorded.average_strategy @ CORNERS
            colour_map, handles = draw_path(axes, recorded.iteration, current, mean, palette)
            axes.set_title(plain_text(brief(infoset_label(recorded, recording), 40)), loc="left")
        for axes in panels[len(infosets_to_draw) :]:
            axes.remove()
        colour_scale(figure, panels[: len(infosets_to_draw)], colour_map)
        legend_below(figure, handles)
        write_title(figure, name, "strategies over three actions", theme=palette)
    return figure


def find_three_actions(
    name: str, recording: Recording, infosets: Sequence[Any] | None
) -> list[Recorded]:
    """Return the recorded infosets that a simplex shows: those asked for, or the four that have moved most."""
    candidates = most_moved_infosets(recording, infosets, len(recording.infosets))
    triples = [recorded for recorded in candidates if len(recorded.actions) == 3]
    if not triples or (infosets is not None and len(triples) < len(candidates)):
        raise SolutionError(
            f"{name}: a simplex shows infosets of three actions; of these none was recorded."
        )
    most_moved = sorted(triples, key=largest_movement, reverse=True)[:_MOST]
    return [
        recorded for recorded in candidates if any(recorded is infoset for infoset in most_moved)
    ]


def _draw_triangle(axes: Axes, actions: Sequence[str], palette: Theme) -> None:
    """Draw the triangle of three actions, with lines of equal probability and the names at the corners."""
    axes.set_axis_off()
    axes.set(xlim=(-0.12, 1.12), ylim=(-0.14, 0.98), aspect="equal")
    axes.add_patch(
        Polygon(CORNERS, fill=False, edgecolor=palette.muted, linewidth=1.0, label="_simplex")
    )
    for corner in range(3):
        tip = CORNERS[corner]
        left_corner = CORNERS[corner - 1]
        right_corner = CORNERS[corner - 2]
        for share in (0.25, 0.5, 0.75):
            ends = np.array([tip + share * (left_corner - tip), tip + share * (right_corner - tip)])
            axes.plot(*ends.T, color=palette.faint, linewidth=0.7, zorder=0)
    for (x, y), action, va in zip(CORNERS, actions, ("top", "top", "bottom"), strict=True):
        axes.text(
            x, y + (0.03 if va == "bottom" else -0.03), plain_text(action), ha="center", va=va
        )
