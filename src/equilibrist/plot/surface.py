"""The payoff landscape: what player 0 earns as two probabilities vary, and where either player would move."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import CenteredNorm, LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from .._util.arrays import Floats
from .._util.validate import is_whole
from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from ..games.compile import Playable
from ..show.numbers import format_power
from ..show.palette import BLACK
from ..solving.recording import Recording
from ..solving.sources import AnyRun, AnySource, read_at_slots
from .inputs import compile_with_reach
from .movement import recording_of
from .pairs import (
    Choice,
    Parameter,
    check_both_or_neither,
    corner_payoffs,
    parameter_of,
    strongest_interaction,
)
from .paths import draw_equilibria, draw_path, equilibria, path_of
from .style import (
    Theme,
    brief,
    legend_below,
    make_figure,
    plain_text,
    use_theme,
    write_title,
)

_ARROWS = 12  # along each side


class Surface(NamedTuple):
    """What each player earns as two probabilities vary, exactly.

    A play comes to each infoset once at most, so that the payoff is linear in either probability:
    four evaluations tell it everywhere.

    Attributes
    ----------
    x, y : Parameter
        The probabilities that vary.
    corners : float array, shape (2, 2, players)
        Payoff with x and y at 0 or 1.
    at : pair of float
        Where the strategy itself is.
    nash_conv : float
        That of the strategy itself; payoff.
    rounding : float
        Payoffs that differ by less are the same.
    """

    x: Parameter
    y: Parameter
    corners: Floats
    at: tuple[float, float]
    nash_conv: float
    rounding: float = 0.0

    def value(self, x: Any, y: Any, *, player: int = 0) -> Any:
        """Return what a player earns; payoff per game."""
        value_at_0, value_at_1 = (
            self.corners[0, k, player] * (1 - x) + self.corners[1, k, player] * x for k in range(2)
        )
        return value_at_0 * (1 - y) + value_at_1 * y

    def gradient(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return how much the player of x gains with x, and that of y with y; payoff per probability."""
        c = self.corners
        x_player = self.x.infoset.player
        y_player = self.y.infoset.player
        along_x = (c[1, 0, x_player] - c[0, 0, x_player]) * (1 - y) + (
            c[1, 1, x_player] - c[0, 1, x_player]
        ) * y
        along_y = (c[0, 1, y_player] - c[0, 0, y_player]) * (1 - x) + (
            c[1, 1, y_player] - c[1, 0, y_player]
        ) * x
        return along_x + 0 * x, along_y + 0 * y


def make_surface(form: CompiledGame, slots: Floats, x: Choice, y: Choice) -> Surface:
    """Return the payoffs behind the landscape, around a strategy at the slots of a compiled game."""
    x_parameter = parameter_of(form, x)
    y_parameter = parameter_of(form, y)
    if np.array_equal(x_parameter.slots, y_parameter.slots):
        raise SolutionError(
            f"x and y must vary at two infosets; got {x_parameter.label} and {y_parameter.label}.",
            wrong_use=True,
        )
    position = (
        float(slots[x_parameter.slots[x_parameter.action]]),
        float(slots[y_parameter.slots[y_parameter.action]]),
    )
    return Surface(
        x_parameter,
        y_parameter,
        corner_payoffs(form, slots, x_parameter, y_parameter),
        position,
        form.values(slots).nash_conv,
        1e-12 * form.largest_payoff,
    )


def landscape(
    game: Playable,
    x: Choice | None = None,
    y: Choice | None = None,
    *,
    strategy: AnySource,
    path: AnyRun | Recording | None = None,
    points: int = 41,
    theme: str = "light",
) -> Figure:
    """Return the payoff landscape: a map of what player 0 earns as two probabilities vary, the rest fixed.

    Arrows show where the players of the two probabilities would move, each uphill in their own
    payoff. A star marks the strategy itself, and a bar (a ring, where it is a point) the equilibria
    of a small two-player zero-sum game.

    Parameters
    ----------
    game : str, Game, PublicGame, SequenceForm or PublicForm
        As for :func:`equilibrist.load`, or compiled already.
    x, y : (infoset, action), optional
        Whose probabilities vary; an infoset is its key or (player, key). The other actions of the
        infoset share the rest as they do in the strategy; equally, where it plays none of them. By
        default the two, of different players, whose interaction moves the payoff most.
    strategy : Solution, Strategy or mapping
        The rest of the play, such as ``eq.exact(game)``.
    path : Solution, Recording, or path to a folder, optional
        A run of which both infosets were recorded: the current strategy and the average are drawn
        over the map.
    points : int
        Resolution of the map along each side.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    GameError
        The game cannot be found, or is too large.
    SolutionError
        An infoset, an action or a theme is not there, or the run has no recording of both.

    Notes
    -----
    The payoff is linear in either probability, as a play comes to an infoset once at most: it is
    evaluated exactly at the four corners. At an equilibrium inside the map both slopes are 0.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", until=1e-5)
    >>> figure = eq.plot.landscape("kuhn", ("J", "bet"), ("Qb", "call"), strategy=solution)
    """
    if not is_whole(points, 2, 1_001):
        raise SolutionError(
            f"points must be a whole number, 2 to 1,001; got {points!r}.", wrong_use=True
        )
    form = compile_with_reach(game)
    slots = read_at_slots(strategy, form)
    recording = None if path is None else recording_of(path)[1]
    x, y = _choose_axes(form, slots, x, y, recording)
    payoffs = make_surface(form, slots, x, y)
    if recording is None:
        path_to_draw = None
    else:
        path_to_draw = path_of(recording, payoffs.x.choice, payoffs.y.choice)
    with use_theme(theme) as palette:
        figure = make_figure(6.4, 5.6)
        axes = figure.subplots()
        _draw_map(figure, axes, payoffs, int(points), palette)
        handles = draw_equilibria(
            axes, equilibria(form, payoffs.x.choice, payoffs.y.choice), palette
        )
        if path_to_draw is not None:
            handles += draw_path(
                axes, path_to_draw.iteration, path_to_draw.current, path_to_draw.average, palette
            )[1]
        handles += _mark_strategy(axes, payoffs, palette)
        axes.set(
            xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal"
        )  # the path runs along the border
        axes.set(xlabel=plain_text(payoffs.x.label), ylabel=plain_text(payoffs.y.label))
        legend_below(figure, handles)
        write_title(figure, f"{brief(form.name, 50)}: payoff landscape", "", theme=palette)
    return figure


def _choose_axes(
    form: CompiledGame,
    slots: Floats,
    x: Choice | None,
    y: Choice | None,
    recording: Recording | None,
) -> tuple[Choice, Choice]:
    """Return the probabilities that vary: those given, or those that interact most."""
    check_both_or_neither(x, y)
    if x is not None and y is not None:
        return x, y
    axes = strongest_interaction(
        form, slots, None if recording is None else [infoset[:2] for infoset in recording.infosets]
    )
    if axes is None and recording is not None:
        return path_of(recording).choices
    if axes is None:
        raise SolutionError(
            f"{form.name}: no two probabilities of different players interact: the payoff has no "
            "landscape.",
            wrong_use=True,
        )
    return axes


def _draw_map(figure: Figure, axes: Axes, payoffs: Surface, points: int, palette: Theme) -> None:
    """Draw the payoffs of player 0 as a heat map with contours, and the gradients of both players as arrows."""
    grid = np.linspace(0, 1, points)
    x_grid, y_grid = np.meshgrid(grid, grid)
    value = payoffs.value(x_grid, y_grid)

    def signed_label(number: float, _: int | None = None) -> str:
        if abs(number) > payoffs.rounding:
            return f"{number:+.3g}".replace("-", "−")
        return "0"

    if float(np.ptp(value)) <= payoffs.rounding:
        words = (
            f"player 0 earns {format_power(float(f'{value.mean():.4g}'))} everywhere:\nneither "
            "probability matters here"
        )
        axes.text(0.5, 0.5, words, ha="center", va="center", fontsize=9)
    else:
        middle = float(payoffs.value(*payoffs.at))
        shades = LinearSegmentedColormap.from_list(
            "landscape", [palette.low, palette.paper, palette.high]
        )
        # A pixel has its value in its middle, and those of the corners are in the corners.
        half_cell = 0.5 / (points - 1)
        heat = axes.imshow(
            value, extent=(-half_cell, 1 + half_cell, -half_cell, 1 + half_cell),
            origin="lower", cmap=shades, interpolation="bilinear",
            norm=CenteredNorm(middle, float(np.abs(value - middle).max())), aspect="equal",
        )  # fmt: skip
        heat.set_clip_path(Rectangle((0, 0), 1, 1, transform=axes.transData))
        lines = axes.contour(x_grid, y_grid, value, levels=9, colors=palette.muted, linewidths=0.7)
        axes.clabel(lines, fontsize=8, fmt=signed_label, colors=palette.ink, inline_spacing=8)
        scale = figure.colorbar(heat, ax=axes, fraction=0.045, pad=0.02)
        scale.set_label("expected payoff to player 0, per game")
        scale.outline.set_visible(False)
        scale.ax.set_ylim(float(value.min()), float(value.max()))  # no more than there is
        scale.ax.yaxis.set_major_formatter(FuncFormatter(signed_label))
    ends = (np.arange(_ARROWS) + 0.5) / _ARROWS
    x, y = np.meshgrid(ends, ends)
    x_gradient, y_gradient = payoffs.gradient(x, y)
    max_length = float(np.hypot(x_gradient, y_gradient).max())
    if max_length > payoffs.rounding:
        axes.quiver(
            x, y, x_gradient / max_length, y_gradient / max_length,
            color=palette.ink, alpha=0.75, angles="xy", scale_units="xy",
            scale=_ARROWS * 1.15, width=0.0032, pivot="mid", label="_gradient",
        )  # fmt: skip


def _mark_strategy(axes: Axes, payoffs: Surface, palette: Theme) -> list[Line2D]:
    """Mark the strategy itself; return what the legend says of it and of the arrows."""
    star: Any = {
        "markersize": 14,
        "markerfacecolor": palette.colour(4),
        "markeredgecolor": BLACK,
        "linestyle": "",
    }
    name = f"the strategy (nash_conv {payoffs.nash_conv:.1g})"
    stars = axes.plot(
        *payoffs.at, "*", clip_on=False, zorder=6, label=name, markeredgewidth=0.9, **star
    )
    is_one_player = payoffs.x.infoset.player == payoffs.y.infoset.player
    uphill = f"uphill for {'its' if is_one_player else 'either'} player"
    arrow = Line2D(
        [],
        [],
        linestyle="",
        marker=r"$\rightarrow$",
        markersize=10,
        color=palette.ink,
        label=uphill,
    )
    return [*stars, arrow]
