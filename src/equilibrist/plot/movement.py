"""Pictures of strategies on the move: probabilities against iterations, and one probability against another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from .._util.validate import is_whole
from ..errors import SolutionError, nearest
from ..solving.recording import Recorded, Recording
from ..solving.sources import AnyRun, read_run
from .style import MARKERS, Theme, blank, brief, shown, themed, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Choice = tuple[Any, str]
"""An infoset, as its key or as (player, key), and one of its actions."""

_MOST = 24  # panels
_ACTIONS = 8  # lines of a panel
_ACROSS, _HANDLE, _CHAR = 4, 0.27, 0.068  # of its legend: columns; inches of the sign of a line and of a letter
_POINTS = 1_500  # of a line
_DIAMONDS = 60  # of the average on its way
_USUAL = (
    (("J", "b"), ("Qb", "b")),
    (("1", "b"), ("2 b", "b")),
)  # in Kuhn poker: bluff with the lowest, call with the next


class Path2(NamedTuple):
    """Two probabilities on their way.

    Attributes
    ----------
    x, y : (Recorded, int)
        The infosets, and which of their actions.
    iteration : int64 array
    current, average : float64 arrays, shape (times, 2)
    """

    x: tuple[Recorded, int]
    y: tuple[Recorded, int]
    iteration: NDArray[np.int64]
    current: NDArray[np.float64]
    average: NDArray[np.float64]


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


def _movement(recorded: Recorded) -> float:
    """Return how far the average strategy has moved at most, in any of the actions."""
    return float(_moved(recorded).max(initial=0.0))


def _moved(recorded: Recorded) -> NDArray[np.float64]:
    """Return how far the average probability of each action has moved since the infoset was first met."""
    met = recorded.average_strategy[~np.isnan(recorded.average_strategy).any(axis=1)]
    return np.ptp(met, axis=0) if len(met) else np.zeros(len(recorded.actions))


def moving(recording: Recording, infosets: Sequence[Any] | None, most: int) -> list[Recorded]:
    """Return the infosets asked for; without any, all that there is room for: those that have moved most."""
    if infosets is not None:
        return [recording.at(key) for key in asked(infosets)]
    every = [recording.at((infoset.player, infoset.key)) for infoset in recording.infosets]
    every = [recorded for recorded in every if len(recorded.actions) > 1] or every
    if len(every) <= most:
        return every
    order = np.argsort([-_movement(recorded) for recorded in every], kind="stable")[:most]
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


def spiral(
    solution: AnyRun | Recording, x: Choice | None = None, y: Choice | None = None, *, theme: str = "light"
) -> Figure:
    """Return the picture of one probability against another, iteration by iteration: the spiral.

    Circles are the current strategy and diamonds the average, coloured by the iteration; a star is where the average
    ends.

    Parameters
    ----------
    solution : Solution, Recording, or path
        A run of which both infosets were recorded; a path is its folder.
    x, y : (infoset, action), optional
        Whose probability is on each axis; an infoset is its key or (player, key). By default, in Kuhn poker, bluffing
        with the lowest card against calling with the middle one; elsewhere the two infosets, of different players
        where that can be, whose averages have moved most.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    SolutionError
        Nothing was recorded, or not these infosets (``solve(..., record="all")`` records every one).

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=2000, record=["J", "Qb"])
    >>> figure = eq.plot.spiral(solution, x=("J", "b"), y=("Qb", "b"))
    """
    name, recording = recording_of(solution)
    path = path_of(recording, x, y)
    with themed(theme) as look:
        figure = blank(6.6, 5.6)
        axes = figure.subplots()
        coloured, handles = draw_path(axes, path, look)
        star = {"markersize": 14, "color": look.colour(1), "markeredgecolor": look.ink, "zorder": 5, "linestyle": ""}
        handles += axes.plot(*path.average[-1], "*", label="where the average ends", **star)  # type: ignore[arg-type]
        scale = figure.colorbar(coloured, ax=axes, fraction=0.045, pad=0.02)
        scale.set_label("iterations", fontsize=9)
        scale.outline.set_visible(False)
        scale.ax.tick_params(labelsize=8)
        axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
        axes.set_aspect("equal")
        axes.grid(True, linewidth=0.7)
        axes.set_axisbelow(True)
        axes.set_xlabel(label_of(path.x, recording))
        axes.set_ylabel(label_of(path.y, recording))
        figure.legend(handles=handles, loc="outside lower center", fontsize=8.5, frameon=False, ncols=3)
        titled(figure, f"{brief(name, 50)}: spiral", "the current strategy and its average", theme=look)
    return figure


def label_of(choice: tuple[Recorded, int], recording: Recording) -> str:
    """Return what an axis is called: the probability of an action at an infoset."""
    recorded, action = choice
    return shown(f"probability of {brief(recorded.actions[action], 20)} at {brief(named(recorded, recording), 30)}")


def draw_path(axes: Axes, path: Path2, look: Theme) -> tuple[Any, list[Line2D]]:
    """Draw the current strategy and the average on their way; return what is coloured, and what a legend says."""
    light = look.paper == "#FFFFFF"
    some = thinned(len(path.iteration))
    times, current, average = np.maximum(path.iteration[some], 1), path.current[some], path.average[some]
    norm = LogNorm(times.min(), max(times.max(), times.min() + 1))
    shared: Any = {"norm": norm, "cmap": "viridis_r" if light else "viridis"}
    axes.plot(*current.T, color=look.muted, linewidth=0.5, alpha=0.55, label="_current")
    axes.plot(*average.T, color=look.ink, linewidth=1.1, alpha=0.8, label="_average")
    coloured = axes.scatter(current[:, 0], current[:, 1], s=11, c=times, linewidths=0.0, zorder=3, **shared)
    few = thinned(len(some), _DIAMONDS)
    diamonds: Any = {"marker": "D", "edgecolors": look.ink, "linewidths": 0.4, "zorder": 4, **shared}
    axes.scatter(average[few, 0], average[few, 1], s=22, c=times[few], **diamonds)
    edge: Any = {"linestyle": "", "color": look.muted, "markeredgecolor": look.ink}
    handles = [
        Line2D([], [], marker="o", markersize=4, label="current", markeredgewidth=0.0, **edge),
        Line2D([], [], marker="D", markersize=5, label="average", markeredgewidth=0.6, **edge),
    ]
    return coloured, handles


def thinned(times: int, most: int = _POINTS) -> NDArray[np.int64]:
    """Return which of so many iterations are drawn: all, or evenly spread where the scale is logarithmic."""
    if times <= most:
        return np.arange(times)
    return np.unique(np.geomspace(1, times, most).round().astype(np.int64)) - 1


def path_of(recording: Recording, x: Choice | None = None, y: Choice | None = None) -> Path2:
    """Return the way of two probabilities, of the usual ones where none are given."""
    if (x is None) != (y is None):
        raise SolutionError("Give both x and y, each as (infoset, action), or neither.", wrong_use=True)
    if x is None or y is None:
        one, two = _usual(recording)
    else:
        one, two = chosen(recording, x), chosen(recording, y)
    pairs = [
        np.stack([getattr(recorded, name)[:, action] for recorded, action in (one, two)], axis=1)
        for name in ("strategy", "average_strategy")
    ]
    return Path2(one, two, recording.iteration, *pairs)


def pair(recording: Recording, infosets: Sequence[Any] | None) -> tuple[Choice | None, Choice | None]:
    """Return a probability at each of two infosets that were asked for; None, for the usual ones, if not two were."""
    if infosets is None or len(infosets) != 2:
        return None, None
    first, second = (recording.at(key) for key in infosets)
    return ((first.player, first.infoset), first.actions[liveliest(first)]), (
        (second.player, second.infoset),
        second.actions[liveliest(second)],
    )


def chosen(recording: Recording, choice: Choice) -> tuple[Recorded, int]:
    """Return a recorded infoset and the number of one of its actions."""
    infoset, action = parsed(choice)
    recorded = recording.at(infoset)
    if action not in recorded.actions:
        raise SolutionError(
            f"There is no action {action!r} at {recorded.infoset!r}.{nearest(str(action), recorded.actions)}",
            wrong_use=True,
        )
    return recorded, recorded.actions.index(action)


def parsed(choice: Any) -> tuple[Any, str]:
    """Return the infoset and the action that a choice names, or say how to write one."""
    if not (isinstance(choice, tuple | list) and len(choice) == 2 and isinstance(choice[1], str)):
        raise SolutionError(
            f"A probability is given as (infoset, action), as ('J', 'b') or ((0, 'J'), 'b'); got {choice!r}.",
            wrong_use=True,
        )
    return choice[0], choice[1]


def _usual(recording: Recording) -> tuple[tuple[Recorded, int], tuple[Recorded, int]]:
    """Return the two probabilities that are drawn unless told otherwise."""
    there = {(infoset.key, action) for infoset in recording.infosets for action in infoset.actions}
    for bluff, call in _USUAL:
        if there.issuperset((bluff, call)):
            return chosen(recording, bluff), chosen(recording, call)
    every = [recording.at((infoset.player, infoset.key)) for infoset in recording.infosets]
    every = sorted((one for one in every if len(one.actions) > 1), key=lambda one: -_movement(one))
    if len(every) < 2:
        raise SolutionError(
            "A spiral needs two recorded infosets with a choice. Record more: solve(..., record='all'), or "
            "--record all.",
            wrong_use=True,
        )
    first = every[0]
    second = next((one for one in every if one.player != first.player), every[1])
    pair = sorted((first, second), key=lambda one: one.player)
    (one, a), (two, b) = ((recorded, liveliest(recorded)) for recorded in pair)
    return (one, a), (two, b)


def liveliest(recorded: Recorded) -> int:
    """Return the action whose average probability has moved most; the last of equals."""
    moved = np.round(_moved(recorded), 9)  # of two actions they differ by rounding only
    return int(len(moved) - 1 - np.argmax(moved[::-1]))
