"""Probabilities against iterations: the current strategy cycles, its average converges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from .._util.validate import is_whole
from ..errors import SolutionError, nearest
from ..form.infosets import Infoset
from ..solving.recording import Recorded, Recording
from ..solving.sources import AnyRun, read_run
from ..strategy.order import reading_order
from .style import (
    COLUMN,
    MARKERS,
    Theme,
    brief,
    label_sparsely,
    legend_below,
    legend_shape,
    make_figure,
    plain_text,
    use_theme,
    write_title,
)

_MOST = 24  # panels
_ACTIONS = 8  # lines of a panel
_COLUMNS = 3  # of panels
_LEGEND = 14  # actions that a legend lists
_POINTS = 1_500  # of a line


def recording_of(source: AnyRun | Recording) -> tuple[str, Recording]:
    """Return the name of the game and what was recorded of a run."""
    if isinstance(source, Recording):
        name = "A run"
        recording = source
    else:
        solution = read_run(source)
        name = solution.game
        if solution.recording is None:
            raise SolutionError(
                f"Nothing was recorded of this run on {name}. Record it: solve(..., "
                "record='all'), or --record all; a list of infosets does as well.",
                wrong_use=True,
            )
        recording = solution.recording
    if not len(recording.iteration) or not len(recording.infosets):
        raise SolutionError(
            f"{name}: the recording is empty: no infoset was met. Run it for longer."
        )
    return name, recording


def largest_movement(recorded: Recorded) -> float:
    """Return how far the average strategy has moved at most, in any of the actions."""
    return float(movements(recorded).max(initial=0.0))


def movements(recorded: Recorded) -> NDArray[np.float64]:
    """Return how far the average probability of each action has moved since the infoset was first met."""
    averages = recorded.average_strategy[~np.isnan(recorded.average_strategy).any(axis=1)]
    if len(averages):
        distance: NDArray[np.float64] = np.ptp(averages, axis=0)
        return distance
    return np.zeros(len(recorded.actions))


def most_moved_infosets(
    recording: Recording, infosets: Sequence[Any] | None, max_infosets: int
) -> list[Recorded]:
    """Return the infosets asked for; without any, all that there is room for: those that have moved most."""
    if infosets is not None:
        return [recording.at(key) for key in check_infosets(infosets)]
    candidates = [
        recording.at(recording.infosets[number][:2]) for number in reading_order(recording.infosets)
    ]
    candidates = [recorded for recorded in candidates if len(recorded.actions) > 1] or candidates
    if len(candidates) <= max_infosets:
        return candidates
    order = np.argsort([-largest_movement(recorded) for recorded in candidates], kind="stable")[
        :max_infosets
    ]
    return [candidates[number] for number in sorted(order.tolist())]


def check_infosets(infosets: Sequence[Any]) -> Sequence[Any]:
    """Return the infosets that were asked for, of which there must be one; a text is the name of one."""
    if isinstance(infosets, str):
        return [infosets]
    if not len(infosets):
        raise SolutionError(
            "infosets names none: leave it out to draw all that there is room for.", wrong_use=True
        )
    return infosets


def find_infosets(keys: Sequence[Any], infosets: Sequence[Infoset]) -> list[Infoset]:
    """Return the infosets that keys, or pairs (player, key), name."""
    matching_infosets = []
    for key in keys:
        player, text = key if isinstance(key, tuple) else (None, key)
        candidates = [
            infoset
            for infoset in infosets
            if infoset.key == str(text) and player in (None, infoset.player)
        ]
        if not candidates:
            player_text = "" if player is None else f" of player {player}"
            if len(infosets) <= 2_000:
                hint = nearest(str(text), {infoset.key for infoset in infosets})
            else:
                hint = ""
            raise SolutionError(
                f"There is no infoset {text!r}{player_text} here.{hint}", wrong_use=True
            )
        matching_infosets += [infoset for infoset in candidates if infoset not in matching_infosets]
    return matching_infosets


def infoset_label(recorded: Recorded, recording: Recording) -> str:
    """Return the name of an infoset, with its player where several have one of that name."""
    is_ambiguous = sum(infoset.key == recorded.infoset for infoset in recording.infosets) > 1
    if is_ambiguous:
        return f"{recorded.infoset} (player {recorded.player})"
    return recorded.infoset


def trajectories(
    solution: AnyRun | Recording,
    infosets: Sequence[Any] | None = None,
    *,
    most: int = _MOST,
    theme: str = "light",
) -> Figure:
    """Return the picture of probabilities against iterations: the current strategy cycles, the average settles.

    Thin lines are the current strategy, thick ones the average. Of an infoset with two actions only
    the second is drawn, for the first is the rest.

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
        Nothing was recorded (``solve(..., record="all")`` does), or an infoset or a theme is not
        there.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=500, record=["J", "Qpb"])
    >>> len(eq.plot.trajectories(solution).axes)
    2
    """
    name, recording = recording_of(solution)
    if not is_whole(most, 1):
        raise SolutionError(
            f"most must be a whole number, 1 or more; got {most!r}.", wrong_use=True
        )
    infosets_to_draw = most_moved_infosets(recording, infosets, most)
    with use_theme(theme) as palette:
        figure, panels, colours = make_panels(infosets_to_draw, palette, actions_to_draw)
        for axes, recorded in zip(panels, infosets_to_draw, strict=True):
            _draw_trajectory(axes, recorded, colours)
            finish_panel(axes, infoset_label(recorded, recording), recorded)
        note = "thin: the current strategy; thick: the average"
        if infosets is None and len(infosets_to_draw) < len(recording.infosets):
            note += (
                f"; {len(infosets_to_draw)} of {len(recording.infosets):,} recorded infosets: "
                "those that have moved most"
            )
        write_title(figure, f"{brief(name, 70)}: probabilities", note, theme=palette)
    return figure


def make_panels(
    infosets: Sequence[Recorded],
    palette: Theme,
    actions: Callable[[Recorded], Sequence[int]],
    *,
    num_extra: int = 0,
) -> tuple[Figure, list[Axes], dict[str, dict[str, Any]]]:
    """Return a figure with a panel for each infoset, and more; and the look of each action, which its legend tells.

    An action has one colour and one marker in all panels.
    """
    count = len(infosets) + num_extra
    columns = min(_COLUMNS, count)
    lines = -(-count // columns)
    actions_to_style = dict.fromkeys(
        recorded.actions[action] for recorded in infosets for action in actions(recorded)
    )
    all_actions = dict.fromkeys(action for recorded in infosets for action in recorded.actions)
    names = list(
        all_actions if len(all_actions) <= len(palette.colours) else actions_to_style
    )  # as in other pictures, where that can be
    styles: dict[str, dict[str, Any]] = {
        name: {"color": palette.colour(number), "marker": MARKERS[number % len(MARKERS)]}
        for number, name in enumerate(names)
    }
    width = COLUMN if columns > 1 else 4.6
    handles = [
        Line2D([], [], label=plain_text(brief(name, 24)), **style)
        for name, style in styles.items()
        if name in actions_to_style
    ]
    handles = handles[:_LEGEND]
    shape = legend_shape([str(line.get_label()) for line in handles], width)
    figure = make_figure(width, 0.75 + (1.5 if columns > 1 else 2.4) * lines + 0.18 * shape[1])
    panels = list(figure.subplots(lines, columns, squeeze=False).flat)
    for axes in panels[count:]:
        axes.remove()
    for number, axes in enumerate(panels[: len(infosets)]):
        axes.sharey(panels[0])
        axes.set_xlabel("iterations" if number >= count - columns else "")
    for axes in panels[:count]:
        axes.grid(True, linewidth=0.7)
        axes.set_axisbelow(True)
    if handles:
        legend_below(figure, handles)
    return figure, panels[:count], styles


def finish_panel(axes: Axes, name: str, recorded: Recorded) -> None:
    """Finish a panel: its name, and its logarithmic scale of iterations."""
    axes.set_title(plain_text(brief(name, 24)), loc="left", pad=4)
    first, last = recorded.iteration[[0, -1]].tolist()
    axes.set(xscale="log", xlim=(0.9 * max(1, first), 1.1 * max(10, last)))
    label_sparsely(axes)
    axes.minorticks_off()  # in panels as small as these they tell little, and take half of the time


def _draw_trajectory(axes: Axes, recorded: Recorded, styles: dict[str, dict[str, Any]]) -> None:
    """Draw the current and the average probabilities of the actions of an infoset, thin and thick."""
    points = thin_out_points(len(recorded.iteration))
    iterations = recorded.iteration[points]
    for action in actions_to_draw(recorded):
        style = styles[recorded.actions[action]]
        probabilities = recorded.strategy[points, action]
        mean = recorded.average_strategy[points, action]
        line_style = {
            **style,
            "marker": point_marker(probabilities),
            "markersize": 3.5,
            "linewidth": 0.7,
            "alpha": 0.75,
        }
        axes.plot(iterations, probabilities, label="_", **line_style)
        axes.plot(
            iterations, mean, label="_average", linewidth=2.0, markersize=4, markevery=0.3, **style
        )
    axes.set(ylim=(-0.03, 1.03), yticks=(0, 0.5, 1))


def point_marker(values: NDArray[np.float64]) -> str:
    """Return the marker of a line: none, but where there is a single point, which no line shows."""
    if np.count_nonzero(~np.isnan(values)) == 1:
        return "o"
    return ""


def actions_to_draw(recorded: Recorded) -> list[int]:
    """Return which actions are drawn: the second of two, and otherwise those that were ever likeliest."""
    if len(recorded.actions) == 2:
        return [1]
    max_probability = np.nan_to_num(recorded.average_strategy).max(axis=0)
    order = np.argsort(-max_probability, kind="stable")[:_ACTIONS]
    return sorted(order.tolist())


def thin_out_points(num_points: int, max_points: int = _POINTS) -> NDArray[np.int64]:
    """Return which of so many iterations are drawn: all, or evenly spread where the scale is logarithmic."""
    if num_points <= max_points:
        return np.arange(num_points)
    return np.unique(np.geomspace(1, num_points, max_points).round().astype(np.int64)) - 1
