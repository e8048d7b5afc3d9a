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
from ..show.palette import WHITE
from ..solving.recording import Recorded, Recording
from ..solving.sources import AnyRun, read_at_slots, read_run
from .inputs import compile_with_reach
from .movement import infoset_label, largest_movement, movements, recording_of, thin_out_points
from .pairs import (
    Choice,
    action_number,
    check_both_or_neither,
    parameter_of,
    parse_choice,
    strongest_interaction,
)
from .style import (
    COLUMN,
    Theme,
    brief,
    label_sparsely,
    legend_below,
    make_figure,
    plain_text,
    use_theme,
    write_title,
)

_DIAMONDS = 60  # of the average
_MOST_SLOTS = 3_000  # of a game whose equilibria are computed
_POINT = 0.01  # what differs by less, of two probabilities, is drawn as a point

Range = tuple[float, float]
"""The least and the largest probability of an action."""


class Path2(NamedTuple):
    """Two probabilities over the iterations.

    Attributes
    ----------
    x, y : (Recorded, int)
        The infosets, and which of their actions.
    iteration : int64 array, shape (times,)
    current, average : float64 array, shape (times, 2)
        Both probabilities in the current and in the average strategy.
    """

    x: tuple[Recorded, int]
    y: tuple[Recorded, int]
    iteration: NDArray[np.int64]
    current: NDArray[np.float64]
    average: NDArray[np.float64]

    @property
    def choices(self) -> tuple[Choice, Choice]:
        return _choice_of(*self.x), _choice_of(*self.y)


def spiral(
    solution: AnyRun | Recording,
    x: Choice | None = None,
    y: Choice | None = None,
    *,
    game: Playable | None = None,
    theme: str = "light",
) -> Figure:
    """Return the picture of one probability against another, iteration by iteration: the spiral.

    Circles are the current strategy and diamonds the average, coloured by the iteration; a star is
    where the average ends. With the game, the equilibria of a small two-player zero-sum game are
    drawn as well.

    Parameters
    ----------
    solution : Solution, Recording, or path
        A run of which both infosets were recorded; a path is its folder.
    x, y : (infoset, action), optional
        Whose probability is on each axis; an infoset is its key or (player, key). By default the
        two, of different players, whose interaction moves the payoff most; without the game, those
        whose averages have moved most.
    game : optional
        The game, as for :func:`equilibrist.load`.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    SolutionError
        Nothing was recorded, or not these infosets (``solve(..., record="all")`` records every
        one).

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=2000, record=["J", "Qb"])
    >>> figure = eq.plot.spiral(solution, x=("J", "bet"), y=("Qb", "call"))
    """
    name, recording, path, optimal = _read_path(solution, x, y, game)
    with use_theme(theme) as palette:
        figure = make_figure(6.0, 5.2)
        axes = figure.subplots()
        handles = draw_equilibria(axes, optimal, palette)
        colour_map, marks = draw_path(axes, path.iteration, path.current, path.average, palette)
        star: Any = {
            "markersize": 12,
            "color": palette.colour(1),
            "markeredgecolor": palette.ink,
            "linestyle": "",
        }
        marks += axes.plot(*path.average[-1], "*", label="where the average ends", zorder=5, **star)
        colour_scale(figure, [axes], colour_map)
        _set_axes(axes, path, recording)
        legend_below(figure, [*marks, *handles])
        write_title(
            figure,
            f"{brief(name, 50)}: spiral",
            "the current strategy and its average",
            theme=palette,
        )
    return figure


def _read_path(
    solution: AnyRun | Recording, x: Choice | None, y: Choice | None, game: Playable | None
) -> tuple[str, Recording, Path2, tuple[Range, Range] | None]:
    """Return the name of a game, what was recorded, the path of two probabilities, and where the equilibria are."""
    name, recording = recording_of(solution)
    form = None if game is None else compile_with_reach(game)
    path = path_of(recording, x, y, run=solution, form=form)
    return name, recording, path, equilibria(form, *path.choices)


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
        Standard deviation of noise that is added to the points of the current strategy, many of
        which are on each other where it is pure.

    Raises
    ------
    SolutionError
        Nothing was recorded, or not these infosets (``solve(..., record="all")`` records every
        one).

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=200, record=eq.Record(["J", "Qb"], every=1))
    >>> figure = eq.plot.scatter(solution, x=("J", "bet"), y=("Qb", "call"), noise=0.01)
    """
    if not (noise == 0 or is_number(noise, above=0)):
        raise SolutionError(f"noise must be a number, 0 or more; got {noise!r}.", wrong_use=True)
    name, recording, path, optimal = _read_path(solution, x, y, game)
    indices = thin_out_points(len(path.iteration))
    times = np.maximum(path.iteration[indices], 1)
    jitter = np.random.default_rng(0).normal(0.0, noise, (len(indices), 2)) if noise else 0.0
    with use_theme(theme) as palette:
        figure = make_figure(COLUMN, 4.1)
        panels = figure.subplots(1, 2, sharex=True, sharey=True)
        for axes, title, points in zip(
            panels,
            ("current strategy", "average strategy"),
            (path.current[indices] + jitter, path.average[indices]),
            strict=True,
        ):
            handles = draw_equilibria(axes, optimal, palette)
            colour_map = axes.scatter(
                *points.T,
                s=9,
                c=times,
                linewidths=0.0,
                zorder=3,
                **_iteration_colours(times, palette),
            )
            axes.set_title(title, loc="left")
            _set_axes(axes, path, recording, margin=0.03 + 2.5 * noise)
        panels[1].set_ylabel("")
        colour_scale(figure, panels, colour_map)
        if handles:
            legend_below(figure, handles)
        write_title(figure, f"{brief(name, 50)}: one point an iteration", "", theme=palette)
    return figure


def _iteration_colours(times: NDArray[np.int64], palette: Theme) -> dict[str, Any]:
    """Return what colours points by the iteration: a logarithmic scale, the last ones stand out from the paper."""
    norm = LogNorm(times.min(), max(times.max(), times.min() + 1))
    return {"norm": norm, "cmap": "viridis_r" if palette.paper == WHITE else "viridis"}


def colour_scale(figure: Figure, axes: Any, colour_map: Any) -> None:
    """Draw the scale of the colours of iterations beside axes."""
    scale = figure.colorbar(colour_map, ax=axes, fraction=0.045, pad=0.02)
    scale.set_label("iterations")
    scale.outline.set_visible(False)
    label_sparsely(scale.ax)


def _set_axes(axes: Axes, path: Path2, recording: Recording, margin: float = 0.03) -> None:
    axes.set(xlim=(-margin, 1 + margin), ylim=(-margin, 1 + margin), aspect="equal")
    axes.grid(True, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.set(xlabel=axis_label(path.x, recording), ylabel=axis_label(path.y, recording))


def axis_label(choice: tuple[Recorded, int], recording: Recording) -> str:
    """Return what an axis is called: the probability of an action at an infoset."""
    recorded, action = choice
    return plain_text(
        f"probability of {brief(recorded.actions[action], 12)} at "
        f"{brief(infoset_label(recorded, recording), 20)}"
    )


def draw_path(
    axes: Axes, iteration: NDArray[np.int64], current: Any, average: Any, palette: Theme
) -> tuple[Any, list[Line2D]]:
    """Draw the path of the current strategy and of the average; return what is coloured, and the legend's handles."""
    points = thin_out_points(len(iteration))
    times = np.maximum(iteration[points], 1)
    current = current[points]
    average = average[points]
    colour_options = _iteration_colours(times, palette)
    axes.plot(*current.T, color=palette.muted, linewidth=0.5, alpha=0.55, label="_current")
    axes.plot(*average.T, color=palette.ink, linewidth=1.1, alpha=0.8, label="_average")
    colour_map = axes.scatter(
        current[:, 0], current[:, 1], s=9, c=times, linewidths=0.0, zorder=3, **colour_options
    )
    marked_points = thin_out_points(len(points), _DIAMONDS)
    diamonds: Any = {
        "marker": "D",
        "edgecolors": palette.ink,
        "linewidths": 0.4,
        "zorder": 4,
        **colour_options,
    }
    axes.scatter(
        average[marked_points, 0],
        average[marked_points, 1],
        s=18,
        c=times[marked_points],
        **diamonds,
    )
    edge: Any = {"linestyle": "", "color": palette.muted, "markeredgecolor": palette.ink}
    handles = [
        Line2D([], [], marker="o", markersize=4, label="current", markeredgewidth=0.0, **edge),
        Line2D([], [], marker="D", markersize=5, label="average", markeredgewidth=0.6, **edge),
    ]
    return colour_map, handles


def equilibria(form: CompiledGame | None, x: Choice, y: Choice) -> tuple[Range, Range] | None:
    """Return where two probabilities of different players are in the equilibria of a small game, if it is one.

    The equilibria of a two-player zero-sum game are all pairs of optimal strategies, so that they
    fill a rectangle: in Kuhn poker a segment.
    """
    if form is None or not form.has_entries or form.slots > _MOST_SLOTS:
        return None
    parameters = parameter_of(form, x), parameter_of(form, y)
    if parameters[0].infoset.player == parameters[1].infoset.player:
        return None
    infosets = list(form.infosets)
    choices = [(infosets.index(choice.infoset), choice.action) for choice in parameters]
    try:
        x_range, y_range = equilibrium_ranges(cast("SequenceForm", form), choices)
    except (AlgorithmError, LinearProgramError):
        return None
    if x_range is None or y_range is None:
        return None
    return (x_range, y_range)


def draw_equilibria(axes: Axes, ranges: tuple[Range, Range] | None, palette: Theme) -> list[Any]:
    """Draw the rectangle of the equilibria, where there is one, a point as a ring; return its handle."""
    if ranges is None:
        return []
    (x_low, x_high), (y_low, y_high) = ranges
    if max(x_high - x_low, y_high - y_low) < _POINT:
        ring: Any = {
            "markersize": 20,
            "markerfacecolor": "none",
            "markeredgewidth": 3.0,
            "color": palette.colour(3),
        }
        return axes.plot(x_low, y_low, "o", label="equilibria", clip_on=False, zorder=5, **ring)
    style: Any = {
        "facecolor": palette.colour(3),
        "edgecolor": palette.colour(3),
        "linewidth": 5.0,
        "alpha": 0.6,
    }
    box = Rectangle(
        (x_low, y_low), x_high - x_low, y_high - y_low, joinstyle="round", zorder=2, **style
    )
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
        x, y = strongest_interaction(form, read_at_slots(read_run(run), form), keys) or (None, None)
    if x is None or y is None:
        first, second = _most_moved_pair(recording)
    else:
        first = find_choice(recording, x)
        second = find_choice(recording, y)
    pairs = [
        np.stack(
            [getattr(recorded, name)[:, action] for recorded, action in (first, second)], axis=1
        )
        for name in ("strategy", "average_strategy")
    ]
    return Path2(first, second, recording.iteration, *pairs)


def pair_of_choices(
    recording: Recording, infosets: Sequence[Any] | None
) -> tuple[Choice | None, Choice | None]:
    """Return a probability at each of two infosets that were asked for; None, for the usual ones, if not two were."""
    if infosets is None or len(infosets) != 2:
        return None, None
    first, second = (recording.at(key) for key in infosets)
    return _choice_of(first, most_moved_action(first)), _choice_of(
        second, most_moved_action(second)
    )


def _choice_of(recorded: Recorded, action: int) -> Choice:
    return (recorded.player, recorded.infoset), recorded.actions[action]


def find_choice(recording: Recording, choice: Choice) -> tuple[Recorded, int]:
    """Return a recorded infoset and the number of one of its actions."""
    infoset, action = parse_choice(choice)
    recorded = recording.at(infoset)
    return recorded, action_number(action, recorded.actions, recorded.infoset)


def _most_moved_pair(recording: Recording) -> tuple[tuple[Recorded, int], tuple[Recorded, int]]:
    """Return the two probabilities, of different players where that can be, whose averages have moved most."""
    infosets = [recording.at((infoset.player, infoset.key)) for infoset in recording.infosets]
    infosets = sorted(
        (recorded for recorded in infosets if len(recorded.actions) > 1),
        key=lambda recorded: -largest_movement(recorded),
    )
    if len(infosets) < 2:
        raise SolutionError(
            "A spiral needs two recorded infosets with a choice. Record more: solve(..., "
            "record='all'), or --record all.",
            wrong_use=True,
        )
    first = infosets[0]
    second = next(
        (recorded for recorded in infosets if recorded.player != first.player), infosets[1]
    )
    first, second = sorted((first, second), key=lambda recorded: recorded.player)
    return (first, most_moved_action(first)), (second, most_moved_action(second))


def most_moved_action(recorded: Recorded) -> int:
    """Return the action whose average probability has moved most; the last of equals."""
    movement = np.round(movements(recorded), 9)  # of two actions they differ by rounding only
    return int(len(movement) - 1 - np.argmax(movement[::-1]))
