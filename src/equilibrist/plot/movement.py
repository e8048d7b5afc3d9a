"""Probabilities against iterations: the current strategy cycles, its average converges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from .._util.validate import is_whole
from ..errors import SolutionError
from ..solving.recording import Recorded, Recording
from ..solving.sources import AnyRun, read_run
from ..strategy.order import shown_order
from .style import MARKERS, Theme, blank, brief, shown, themed, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 24  # panels
_ACTIONS = 8  # lines of a panel
_ACROSS, _HANDLE, _CHAR = 4, 0.27, 0.068  # of its legend: columns; inches of the sign of a line and of a letter
_POINTS = 1_500  # of a line


def recording_of(source: AnyRun | Recording) -> tuple[str, Recording]:
    """Return the name of the game and what was recorded of a run.

    Raises
    ------
    SolutionError
        Nothing was recorded.
    """
    if isinstance(source, Recording):
        name, found = "A run", source
    else:
        solution = read_run(source)
        name, kept = solution.game, solution.recording
        if kept is None:
            raise SolutionError(
                f"Nothing was recorded of this run on {name}. Record it: solve(..., record='all'), or --record all; "
                "a list of infosets does as well.",
                wrong_use=True,
            )
        found = kept
    if not len(found.iteration) or not len(found.infosets):
        raise SolutionError(f"{name}: the recording is empty: no infoset was met. Run it for longer.")
    return name, found


def largest_movement(recorded: Recorded) -> float:
    """Return how far the average strategy has moved at most, in any of the actions."""
    return float(movements(recorded).max(initial=0.0))


def movements(recorded: Recorded) -> NDArray[np.float64]:
    """Return how far the average probability of each action has moved since the infoset was first met."""
    met = recorded.average_strategy[~np.isnan(recorded.average_strategy).any(axis=1)]
    return np.ptp(met, axis=0) if len(met) else np.zeros(len(recorded.actions))


def moving(recording: Recording, infosets: Sequence[Any] | None, most: int) -> list[Recorded]:
    """Return the infosets asked for; without any, all that there is room for: those that have moved most."""
    if infosets is not None:
        return [recording.at(key) for key in asked(infosets)]
    every = [recording.at(recording.infosets[number][:2]) for number in shown_order(recording.infosets)]
    every = [recorded for recorded in every if len(recorded.actions) > 1] or every
    if len(every) <= most:
        return every
    order = np.argsort([-largest_movement(recorded) for recorded in every], kind="stable")[:most]
    return [every[number] for number in sorted(order.tolist())]


def asked(infosets: Sequence[Any]) -> Sequence[Any]:
    """Return the infosets that were asked for, of which there must be one; a text is the name of one."""
    if isinstance(infosets, str):
        return [infosets]
    if not len(infosets):
        raise SolutionError("infosets names none: leave it out to draw all that there is room for.", wrong_use=True)
    return infosets


def named(recorded: Recorded, recording: Recording) -> str:
    """Return the name of an infoset, with its player where several have one of that name."""
    several = sum(infoset.key == recorded.infoset for infoset in recording.infosets) > 1
    return f"{recorded.infoset} (player {recorded.player})" if several else recorded.infoset


def trajectories(
    solution: AnyRun | Recording, infosets: Sequence[Any] | None = None, *, most: int = _MOST, theme: str = "light"
) -> Figure:
    """Return the picture of probabilities against iterations: the current strategy cycles, the average settles.

    Thin lines are the current strategy, thick ones the average. Of an infoset with two actions only the second is
    drawn, for the first is the rest.

    Parameters
    ----------
    solution : Solution, Recording, or path
        A run of which something was recorded; a path is its folder.
    infosets : sequence, optional
        Which to draw, each as its key or as (player, key); by default all that were recorded.
    most : int
        Of more infosets than this, those are drawn whose average strategy has moved most.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    SolutionError
        Nothing was recorded (``solve(..., record="all")`` does), or an infoset or a theme is not there.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=500, record=["J", "Qpb"])
    >>> len(eq.plot.trajectories(solution).axes)
    2
    """
    name, recording = recording_of(solution)
    if not is_whole(most, 1):
        raise SolutionError(f"most must be a whole number, 1 or more; got {most!r}.", wrong_use=True)
    drawn = moving(recording, infosets, most)
    with themed(theme) as look:
        columns = min(3, len(drawn))
        lines = -(-len(drawn) // columns)
        figure = blank(max(6.0, 3.3 * columns), 1.0 + 1.75 * lines)
        panels = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        for axes, recorded in zip(panels.flat, drawn, strict=False):
            _trajectory(axes, recorded, named(recorded, recording), figure.get_figwidth() / columns - 0.5, look)
        for axes in panels.flat[len(drawn) :]:
            axes.remove()
        for axes in panels.flat[max(0, len(drawn) - columns) : len(drawn)]:
            axes.tick_params(labelbottom=True)
            axes.set_xlabel("iterations", fontsize=9)
        note = "thin: the current strategy; thick: the average"
        if infosets is None and len(drawn) < len(recording.infosets):
            note += f"; {len(drawn)} of {len(recording.infosets):,} recorded infosets: those that have moved most"
        titled(figure, f"{brief(name, 70)}: probabilities", note, theme=look)
    return figure


def _trajectory(axes: Axes, recorded: Recorded, name: str, width: float, look: Theme) -> None:
    """Draw a panel so many inches wide; its name and the actions share the line above it."""
    some = thinned(len(recorded.iteration))
    when = recorded.iteration[some]
    actions = shown_actions(recorded)
    labels = [brief(recorded.actions[action], 16) for action in actions]
    each = _HANDLE + _CHAR * max(map(len, labels), default=0)
    across = max(1, min(_ACROSS, len(labels), int(0.6 * width / each)))  # the rest of the line is for the name
    for action, label in zip(actions, labels, strict=True):
        colour = look.colour(action)
        now, mean = recorded.strategy[some, action], recorded.average_strategy[some, action]
        axes.plot(when, now, color=colour, linewidth=0.8, alpha=0.75, label="_", marker=alone(now), markersize=4)
        mark = alone(mean, "s") if len(actions) == 1 else MARKERS[action % len(MARKERS)]
        thick: Any = {"color": colour, "linewidth": 2.4, "marker": mark, "markersize": 5, "markevery": 0.3}
        axes.plot(when, mean, label=shown(label), **thick)
    axes.set(xscale="log", ylim=(-0.03, 1.03), yticks=(0, 0.5, 1))
    axes.minorticks_off()  # in panels as small as these they tell little, and take half of the time
    axes.tick_params(labelsize=8)
    axes.grid(True, linewidth=0.7)
    room = int((width - across * each) / 0.08)
    axes.set_title(shown(brief(name, max(8, room))), fontsize=9.5, loc="left", pad=4)
    beside: Any = {"loc": "lower right", "bbox_to_anchor": (1.01, 0.97), "borderaxespad": 0.0, "ncols": across}
    axes.legend(fontsize=8, frameon=False, handlelength=1.0, columnspacing=0.8, handletextpad=0.4, **beside)


def alone(values: NDArray[np.float64], marker: str = "o") -> str:
    """Return the marker of a line: none, but where there is a single point, which no line shows."""
    return marker if np.count_nonzero(~np.isnan(values)) == 1 else ""


def shown_actions(recorded: Recorded) -> list[int]:
    """Return which actions are drawn: the second of two, and otherwise those that were ever likeliest."""
    if len(recorded.actions) == 2:
        return [1]
    likeliest = np.nan_to_num(recorded.average_strategy).max(axis=0)
    order = np.argsort(-likeliest, kind="stable")[:_ACTIONS]
    return sorted(order.tolist())


def thinned(times: int, most: int = _POINTS) -> NDArray[np.int64]:
    """Return which of so many iterations are drawn: all, or evenly spread where the scale is logarithmic."""
    if times <= most:
        return np.arange(times)
    return np.unique(np.geomspace(1, times, most).round().astype(np.int64)) - 1
