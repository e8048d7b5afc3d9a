"""Two probabilities against each other, iteration by iteration: spiral and scatter plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from .._util.validate import is_number
from ..errors import AlgorithmError, LinearProgramError, SolutionError
from ..evaluation.linear_program import equilibrium_ranges
from ..form.compiled_game import CompiledGame
from ..form.sequence.form import SequenceForm
from ..games.compile import Playable
from ..solving.recording import Recorded, Recording
from ..solving.sources import AnyRun, at_slots, read_run
from .inputs import compile_with_reach
from .movement import largest_movement, movements, named, recording_of, thinned
from .pairs import Choice, check_both_or_neither, interacting, numbered, parameter, parsed
from .style import COLUMN, Theme, blank, brief, label_sparsely, legend_below, shown, themed, titled

_DIAMONDS = 60  # of the average
_MOST_SLOTS = 3_000  # of a game whose equilibria are computed
_POINT = 0.01  # what differs by less, of two probabilities, is drawn as a point

Range = tuple[float, float]
"""The least and the largest probability of an action."""


class Path2(NamedTuple):
    """Two probabilities over the iterations."""

    # `x`, `y`: (Recorded, int): the infosets, and which of their actions
    x: tuple[Recorded, int]
    y: tuple[Recorded, int]
    iteration: NDArray[np.int64]
    # `current`, `average`: s, shape (times, 2)
    current: NDArray[np.float64]
    average: NDArray[np.float64]

    @property
    def choices(self) -> tuple[Choice, Choice]:
        return _choice(*self.x), _choice(*self.y)


def spiral(
    solution: AnyRun | Recording,
    x: Choice | None = None,
    y: Choice | None = None,
    *,
    game: Playable | None = None,
    theme: str = "light",
) -> Figure:
    """Return the picture of one probability against another, iteration by iteration: the spiral.

    Circles are the current strategy and diamonds the average, coloured by the iteration; a star is where the average
    ends. With the game, the equilibria of a small two-player zero-sum game are drawn as well.

    Parameters
    ----------
    solution : Solution, Recording, or path
        A run of which both infosets were recorded; a path is its folder.
    x, y : (infoset, action), optional
        Whose probability is on each axis; an infoset is its key or (player, key). By default the two, of different
        players, whose interaction moves the payoff most; without the game, those whose averages have moved most.
    game : optional
        The game, as for :func:`equilibrist.load`.
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
    form = None if game is None else compile_with_reach(game)
    path = path_of(recording, x, y, run=solution, form=form)
    optimal = equilibria(form, *path.choices)
    with themed(theme) as palette:
        figure = blank(6.0, 5.2)
        axes = figure.subplots()
        handles = draw_equilibria(axes, optimal, palette)
        coloured, marks = draw_path(axes, path.iteration, path.current, path.average, palette)
        star: Any = {
            "markersize": 12,
            "color": palette.colour(1),
            "markeredgecolor": palette.ink,
            "linestyle": "",
        }
        marks += axes.plot(*path.average[-1], "*", label="where the average ends", zorder=5, **star)
        colour_scale(figure, [axes], coloured)
        _square(axes, path, recording)
        legend_below(figure, [*marks, *handles])
        titled(
            figure,
            f"{brief(name, 50)}: spiral",
            "the current strategy and its average",
            theme=palette,
        )
    return figure


def scatter(
    solution: AnyRun | Recording,
    x: Choice | None = None,
    y: Choice | None = None,
    *,
    game: Playable | None = None,
    noise: float = 0.0,
    theme: str = "light",
) -> Figure:
    """Return the scatter plot of one probability against another: a point an iteration, coloured by the iteration.

    On the left is the current strategy, on the right the average.

    Parameters
    ----------
    solution, x, y, game, theme
        As of :func:`spiral`.
    noise : float
        Standard deviation of noise that is added to the points of the current strategy, many of which are on each
        other where it is pure.

    Raises
    ------
    SolutionError
        Nothing was recorded, or not these infosets (``solve(..., record="all")`` records every one).

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=200, record=eq.Record(["J", "Qb"], every=1))
    >>> figure = eq.plot.scatter(solution, x=("J", "bet"), y=("Qb", "call"), noise=0.01)
    """
    if not (noise == 0 or is_number(noise, above=0)):
        raise SolutionError(f"noise must be a number, 0 or more; got {noise!r}.", wrong_use=True)
    name, recording = recording_of(solution)
    form = None if game is None else compile_with_reach(game)
    path = path_of(recording, x, y, run=solution, form=form)
    optimal = equilibria(form, *path.choices)
    some = thinned(len(path.iteration))
    times = np.maximum(path.iteration[some], 1)
    jitter = np.random.default_rng(0).normal(0.0, noise, (len(some), 2)) if noise else 0.0
    with themed(theme) as palette:
        figure = blank(COLUMN, 4.1)
        panels = figure.subplots(1, 2, sharex=True, sharey=True)
        for axes, title, points in zip(
            panels,
            ("current strategy", "average strategy"),
            (path.current[some] + jitter, path.average[some]),
            strict=True,
        ):
            handles = draw_equilibria(axes, optimal, palette)
            coloured = axes.scatter(
                *points.T, s=9, c=times, linewidths=0.0, zorder=3, **_colours(times, palette)
            )
            axes.set_title(title, loc="left")
            _square(axes, path, recording, margin=0.03 + 2.5 * noise)
        panels[1].set_ylabel("")
        colour_scale(figure, panels, coloured)
        if handles:
            legend_below(figure, handles)
        titled(figure, f"{brief(name, 50)}: one point an iteration", "", theme=palette)
    return figure


def _colours(times: NDArray[np.int64], palette: Theme) -> dict[str, Any]:
    """Return what colours points by the iteration: a logarithmic scale, the last ones stand out from the paper."""
    norm = LogNorm(times.min(), max(times.max(), times.min() + 1))
    return {"norm": norm, "cmap": "viridis_r" if palette.paper == "#FFFFFF" else "viridis"}


def colour_scale(figure: Figure, axes: Any, coloured: Any) -> None:
    """Draw the scale of the colours of iterations beside axes."""
    scale = figure.colorbar(coloured, ax=axes, fraction=0.045, pad=0.02)
    scale.set_label("iterations")
    scale.outline.set_visible(False)
    label_sparsely(scale.ax)


def _square(axes: Axes, path: Path2, recording: Recording, margin: float = 0.03) -> None:
    axes.set(xlim=(-margin, 1 + margin), ylim=(-margin, 1 + margin), aspect="equal")
    axes.grid(True, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.set(xlabel=axis_label(path.x, recording), ylabel=axis_label(path.y, recording))


def axis_label(choice: tuple[Recorded, int], recording: Recording) -> str:
    """Return what an axis is called: the probability of an action at an infoset."""
    recorded, action = choice
    return shown(
        f"probability of {brief(recorded.actions[action], 12)} at {brief(named(recorded, recording), 20)}"
    )


def draw_path(
    axes: Axes, iteration: NDArray[np.int64], current: Any, average: Any, palette: Theme
) -> tuple[Any, list[Line2D]]:
    """Draw the path of the current strategy and of the average; return what is coloured, and the legend's handles."""
    some = thinned(len(iteration))
    times = np.maximum(iteration[some], 1)
    current = current[some]
    average = average[some]
    shared = _colours(times, palette)
    axes.plot(*current.T, color=palette.muted, linewidth=0.5, alpha=0.55, label="_current")
    axes.plot(*average.T, color=palette.ink, linewidth=1.1, alpha=0.8, label="_average")
    coloured = axes.scatter(
        current[:, 0], current[:, 1], s=9, c=times, linewidths=0.0, zorder=3, **shared
    )
    few = thinned(len(some), _DIAMONDS)
    diamonds: Any = {
        "marker": "D",
        "edgecolors": palette.ink,
        "linewidths": 0.4,
        "zorder": 4,
        **shared,
    }
    axes.scatter(average[few, 0], average[few, 1], s=18, c=times[few], **diamonds)
    edge: Any = {"linestyle": "", "color": palette.muted, "markeredgecolor": palette.ink}
    handles = [
        Line2D([], [], marker="o", markersize=4, label="current", markeredgewidth=0.0, **edge),
        Line2D([], [], marker="D", markersize=5, label="average", markeredgewidth=0.6, **edge),
    ]
    return coloured, handles


def equilibria(form: CompiledGame | None, x: Choice, y: Choice) -> tuple[Range, Range] | None:
    """Return where two probabilities of different players are in the equilibria of a small game, if it is one.

    The equilibria of a two-player zero-sum game are all pairs of optimal strategies, so that they fill a rectangle: in
    Kuhn poker a segment.
    """
    if form is None or not form.has_entries or form.slots > _MOST_SLOTS:
        return None
    both = parameter(form, x), parameter(form, y)
    if both[0].infoset.player == both[1].infoset.player:
        return None
    infosets = list(form.infosets)
    choices = [(infosets.index(choice.infoset), choice.action) for choice in both]
    try:
        first, second = equilibrium_ranges(cast("SequenceForm", form), choices)
    except (AlgorithmError, LinearProgramError):
        return None
    if first is None or second is None:
        return None
    return (first, second)


def draw_equilibria(axes: Axes, ranges: tuple[Range, Range] | None, palette: Theme) -> list[Any]:
    """Draw the rectangle of the equilibria, where there is one, a point as a ring; return its handle."""
    if ranges is None:
        return []
    (left, right), (low, high) = ranges
    if max(right - left, high - low) < _POINT:
        ring: Any = {
            "markersize": 20,
            "markerfacecolor": "none",
            "markeredgewidth": 3.0,
            "color": palette.colour(3),
        }
        return axes.plot(left, low, "o", label="equilibria", clip_on=False, zorder=5, **ring)
    style: Any = {
        "facecolor": palette.colour(3),
        "edgecolor": palette.colour(3),
        "linewidth": 5.0,
        "alpha": 0.6,
    }
    box = Rectangle((left, low), right - left, high - low, joinstyle="round", zorder=2, **style)
    box.set_label("equilibria")
    axes.add_patch(box)
    return [Line2D([], [], color=palette.colour(3), alpha=0.6, linewidth=5.0, label="equilibria")]


def path_of(
    recording: Recording,
    x: Choice | None = None,
    y: Choice | None = None,
    *,
    run: AnyRun | Recording | None = None,
    form: CompiledGame | None = None,
) -> Path2:
    """Return the path of two probabilities; where none are given, of those that interact most in the run's strategy."""
    check_both_or_neither(x, y)
    if x is None and form is not None and run is not None and not isinstance(run, Recording):
        keys = [infoset[:2] for infoset in recording.infosets]
        x, y = interacting(form, at_slots(read_run(run), form), keys) or (None, None)
    if x is None or y is None:
        first, second = _liveliest(recording)
    else:
        first = chosen(recording, x)
        second = chosen(recording, y)
    pairs = [
        np.stack(
            [getattr(recorded, name)[:, action] for recorded, action in (first, second)], axis=1
        )
        for name in ("strategy", "average_strategy")
    ]
    return Path2(first, second, recording.iteration, *pairs)


def pair(
    recording: Recording, infosets: Sequence[Any] | None
) -> tuple[Choice | None, Choice | None]:
    """Return a probability at each of two infosets that were asked for; None, for the usual ones, if not two were."""
    if infosets is None or len(infosets) != 2:
        return None, None
    first, second = (recording.at(key) for key in infosets)
    return _choice(first, liveliest(first)), _choice(second, liveliest(second))


def _choice(recorded: Recorded, action: int) -> Choice:
    return (recorded.player, recorded.infoset), recorded.actions[action]


def chosen(recording: Recording, choice: Choice) -> tuple[Recorded, int]:
    """Return a recorded infoset and the number of one of its actions."""
    infoset, action = parsed(choice)
    recorded = recording.at(infoset)
    return recorded, numbered(action, recorded.actions, recorded.infoset)


def _liveliest(recording: Recording) -> tuple[tuple[Recorded, int], tuple[Recorded, int]]:
    """Return the two probabilities, of different players where that can be, whose averages have moved most."""
    every = [recording.at((infoset.player, infoset.key)) for infoset in recording.infosets]
    every = sorted(
        (recorded for recorded in every if len(recorded.actions) > 1),
        key=lambda recorded: -largest_movement(recorded),
    )
    if len(every) < 2:
        raise SolutionError(
            "A spiral needs two recorded infosets with a choice. Record more: solve(..., record='all'), or "
            "--record all.",
            wrong_use=True,
        )
    first = every[0]
    second = next((recorded for recorded in every if recorded.player != first.player), every[1])
    first, second = sorted((first, second), key=lambda recorded: recorded.player)
    return (first, liveliest(first)), (second, liveliest(second))


def liveliest(recorded: Recorded) -> int:
    """Return the action whose average probability has moved most; the last of equals."""
    moved = np.round(movements(recorded), 9)  # of two actions they differ by rounding only
    return int(len(moved) - 1 - np.argmax(moved[::-1]))
