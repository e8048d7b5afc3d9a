"""Two probabilities against each other, iteration by iteration: the spiral of the current strategy and its average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from ..errors import SolutionError, nearest
from ..game.action_names import find_action
from ..solving.recording import Recorded, Recording
from ..solving.sources import AnyRun
from .movement import largest_movement, movements, named, recording_of, thinned
from .style import Theme, blank, brief, shown, themed, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Choice = tuple[Any, str]
"""An infoset, as its key or as (player, key), and one of its actions."""

_DIAMONDS = 60  # of the average
_USUAL = (
    (("J", "bet"), ("Qb", "call")),
    (("1", "bet"), ("2 b", "call")),
)  # in Kuhn poker: bluff with the lowest, call with the next


class Path2(NamedTuple):
    """Two probabilities over the iterations.

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
    >>> figure = eq.plot.spiral(solution, x=("J", "bet"), y=("Qb", "call"))
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
    """Draw the path of the current strategy and of the average; return what is coloured, and the legend's handles."""
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


def path_of(recording: Recording, x: Choice | None = None, y: Choice | None = None) -> Path2:
    """Return the path of two probabilities, of the usual ones where none are given."""
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
    return recorded, action_number(action, recorded.actions, recorded.infoset)


def action_number(action: str, actions: Sequence[str], infoset: str) -> int:
    """Return the number of the action of an infoset that is asked for, by its name or an abbreviation."""
    number = find_action(action, actions)
    if number is None:
        raise SolutionError(f"There is no action {action!r} at {infoset!r}.{nearest(action, actions)}", wrong_use=True)
    return number


def parsed(choice: Any) -> tuple[Any, str]:
    """Return the infoset and the action that a choice names, or say how to write one."""
    if not (isinstance(choice, tuple | list) and len(choice) == 2 and isinstance(choice[1], str)):
        raise SolutionError(
            f"A probability is given as (infoset, action), as ('J', 'bet') or ((0, 'J'), 'bet'); got {choice!r}.",
            wrong_use=True,
        )
    return choice[0], choice[1]


def _usual(recording: Recording) -> tuple[tuple[Recorded, int], tuple[Recorded, int]]:
    """Return the two probabilities that are drawn by default."""
    there = {(infoset.key, action) for infoset in recording.infosets for action in infoset.actions}
    for bluff, call in _USUAL:
        if there.issuperset((bluff, call)):
            return chosen(recording, bluff), chosen(recording, call)
    every = [recording.at((infoset.player, infoset.key)) for infoset in recording.infosets]
    every = sorted((one for one in every if len(one.actions) > 1), key=lambda one: -largest_movement(one))
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
    moved = np.round(movements(recorded), 9)  # of two actions they differ by rounding only
    return int(len(moved) - 1 - np.argmax(moved[::-1]))
