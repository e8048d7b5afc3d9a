"""The payoff landscape: what player 0 earns as two probabilities vary, and where either player would move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.colors import CenteredNorm, LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.validate import is_whole
from ..errors import SolutionError
from ..evaluation.certificate import certify
from ..form.compiled_game import CompiledGame
from ..solving.prepare import Playable, prepare
from ..solving.recording import Recording
from ..solving.sources import AnyRun, AnySource, at_slots
from .movement import recording_of
from .paths import Choice, action_number, draw_path, parsed, path_of
from .rows import found
from .style import Theme, blank, brief, shown, themed, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ARROWS = 12  # along each side


class Parameter(NamedTuple):
    """The probability of an action at an infoset.

    Attributes
    ----------
    player : int
        Whose it is.
    name : str
        What it is called.
    slots : int array
        The slots of the infoset.
    action : int
        Which of them varies; the others keep their shares of the rest.
    """

    player: int
    name: str
    slots: NDArray[Any]
    action: int


class Surface(NamedTuple):
    """What each player earns as two probabilities vary, exactly.

    A play comes to each infoset once at most, so that the payoff is linear in either probability: four evaluations
    tell it everywhere.

    Attributes
    ----------
    x, y : Parameter
    corners : float64 array, shape (2, 2, players)
        The payoff with x and y at 0 or 1.
    at : pair of float
        Where the strategy itself is.
    nash_conv : float
        That of the strategy itself.
    """

    x: Parameter
    y: Parameter
    corners: Floats
    at: tuple[float, float]
    nash_conv: float

    def value(self, x: Any, y: Any, *, player: int = 0) -> Any:
        """Return what a player earns; payoff per game."""
        low, high = (self.corners[0, k, player] * (1 - x) + self.corners[1, k, player] * x for k in range(2))
        return low * (1 - y) + high * y

    def gradient(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return how much the player of x gains with x, and that of y with y; payoff per probability."""
        c = self.corners
        one, two = self.x.player, self.y.player
        along_x = (c[1, 0, one] - c[0, 0, one]) * (1 - y) + (c[1, 1, one] - c[0, 1, one]) * y
        along_y = (c[0, 1, two] - c[0, 0, two]) * (1 - x) + (c[1, 1, two] - c[1, 0, two]) * x
        return along_x + 0 * x, along_y + 0 * y


def surface(game: Playable, x: Choice, y: Choice, *, strategy: AnySource) -> Surface:
    """Return the payoffs behind the landscape; parameters and errors as of :func:`equilibrist.plot.landscape`."""
    form, _ = prepare(game)
    slots = at_slots(strategy, form)
    one, two = parameter(form, x), parameter(form, y)
    if np.array_equal(one.slots, two.slots):
        raise SolutionError(f"x and y must vary at two infosets; got {one.name} and {two.name}.", wrong_use=True)
    corners = np.empty((2, 2, form.players))
    for i in range(2):
        for j in range(2):
            moved = varied(varied(slots, one, float(i)), two, float(j))
            corners[i, j] = form.best_responses(moved).value
    at = float(slots[one.slots[one.action]]), float(slots[two.slots[two.action]])
    return Surface(one, two, corners, at, certify(form, slots).nash_conv)


def parameter(form: CompiledGame, choice: Choice) -> Parameter:
    """Return the probability that an infoset and an action name."""
    infoset, action = parsed(choice)
    named = found([infoset], list(form.infosets))
    if len(named) > 1:
        owners = [one.player for one in named]
        raise SolutionError(
            f"{infoset!r} is an infoset of players {owners}: ask for (({owners[0]}, {infoset!r}), {action!r}).",
            wrong_use=True,
        )
    (player, key, actions) = named[0]
    number = action_number(action, actions, key)
    index = list(form.infosets).index(named[0])
    before = int(form.infosets.num_actions[:index].sum())
    own = np.asarray(form.slot[before : before + len(actions)], np.int64)
    name = f"probability that player {player} plays {brief(actions[number], 20)} at {brief(key, 24)}"
    return Parameter(player, name, own, number)


def varied(slots: Floats, which: Parameter, share: float) -> Floats:
    """Return a strategy with another probability; the other actions share the rest as before, or equally."""
    moved = slots.copy()
    others = np.delete(which.slots, which.action)
    rest = moved[others].sum()
    moved[others] = (1 - share) * (moved[others] / rest if rest > 0 else 1.0 / max(1, len(others)))
    moved[which.slots[which.action]] = share
    return moved


def landscape(
    game: Playable,
    x: Choice,
    y: Choice,
    *,
    strategy: AnySource,
    path: AnyRun | Recording | None = None,
    points: int = 41,
    theme: str = "light",
) -> Figure:
    """Return the payoff landscape: a map of what player 0 earns as two probabilities vary, the rest fixed.

    Arrows show where the players of the two probabilities would move, each uphill in their own payoff. A star marks
    the strategy itself.

    Parameters
    ----------
    game : str, Game, PublicGame, SequenceForm or PublicForm
        As for :func:`equilibrist.load`, or compiled already.
    x, y : (infoset, action)
        Whose probabilities vary; an infoset is its key or (player, key). The other actions of the infoset share the
        rest as they do in the strategy; equally, where it plays none of them.
    strategy : Solution, Strategy or mapping
        The rest of the play, such as ``eq.exact(game)``.
    path : Solution, Recording, or path to a folder, optional
        A run of which both infosets were recorded: the current strategy and the average are drawn over the map.
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
    The payoff is linear in either probability, as a play comes to an infoset once at most: it is evaluated exactly at
    the four corners. At an equilibrium inside the map both slopes are 0.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", until=1e-5)
    >>> figure = eq.plot.landscape("kuhn", ("J", "bet"), ("Qb", "call"), strategy=solution)
    """
    if not is_whole(points, 2, 1_001):
        raise SolutionError(f"points must be a whole number, 2 to 1,001; got {points!r}.", wrong_use=True)
    payoffs = surface(game, x, y, strategy=strategy)
    drawn = None if path is None else path_of(recording_of(path)[1], _full(payoffs.x, x), _full(payoffs.y, y))
    name = game if isinstance(game, str) else getattr(game, "name", None) or str(game)
    handles: list[Line2D] = []
    with themed(theme) as look:
        figure = blank(7.0, 5.9)
        axes = figure.subplots()
        _map(figure, axes, payoffs, int(points), look)
        if drawn is not None:
            handles = draw_path(axes, drawn, look)[1]
        _mark(figure, axes, payoffs, look, handles)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))  # the path runs along the border
        axes.set_aspect("equal")
        axes.set_xlabel(shown(payoffs.x.name))
        axes.set_ylabel(shown(payoffs.y.name))
        titled(figure, f"{brief(name, 50)}: payoff landscape", "", theme=look)
    return figure


def _full(which: Parameter, choice: Choice) -> Choice:
    infoset, action = parsed(choice)
    return (infoset if isinstance(infoset, tuple) else (which.player, infoset)), action


def _map(figure: Figure, axes: Axes, payoffs: Surface, points: int, look: Theme) -> None:
    side = np.linspace(0, 1, points)
    across, up = np.meshgrid(side, side)
    value = payoffs.value(across, up)
    middle = float(payoffs.value(*payoffs.at))
    flat = float(np.ptp(value)) <= 1e-12
    spread = 1.0 if flat else float(np.abs(value - middle).max())
    shades = LinearSegmentedColormap.from_list("landscape", [look.low, look.paper, look.high])
    half = 0.5 / (points - 1)  # a pixel has its value in its middle, and those of the corners are in the corners
    heat = axes.imshow(
        value, extent=(-half, 1 + half, -half, 1 + half), origin="lower", cmap=shades,
        norm=CenteredNorm(middle, spread), interpolation="bilinear", aspect="equal",
    )  # fmt: skip
    heat.set_clip_path(Rectangle((0, 0), 1, 1, transform=axes.transData))
    if not flat:
        lines = axes.contour(across, up, value, levels=9, colors=look.muted, linewidths=0.7)
        axes.clabel(lines, fontsize=7.5, fmt="%.3g")
    scale = figure.colorbar(heat, ax=axes, fraction=0.045, pad=0.02)
    scale.set_label("expected payoff to player 0, per game", fontsize=9)
    scale.outline.set_visible(False)
    if not flat:
        scale.ax.set_ylim(float(value.min()), float(value.max()))  # no more than there is
    scale.ax.tick_params(labelsize=8)
    ends = (np.arange(_ARROWS) + 0.5) / _ARROWS
    x, y = np.meshgrid(ends, ends)
    right, upward = payoffs.gradient(x, y)
    longest = float(np.hypot(right, upward).max())
    if longest > 1e-12:
        axes.quiver(
            x, y, right / longest, upward / longest, color=look.ink, alpha=0.75, angles="xy", scale_units="xy",
            scale=_ARROWS * 1.15, width=0.0032, pivot="mid", label="_gradient",
        )  # fmt: skip


def _mark(figure: Figure, axes: Axes, payoffs: Surface, look: Theme, handles: list[Line2D]) -> None:
    name = f"the strategy (nash_conv {payoffs.nash_conv:.1g})"
    star: Any = {
        "markersize": 16,
        "markerfacecolor": look.colour(4),
        "markeredgecolor": "#000000",
        "markeredgewidth": 0.9,
    }
    stars = axes.plot(*payoffs.at, "*", clip_on=False, zorder=6, label=name, linestyle="", **star)
    uphill = "uphill for its player" if payoffs.x.player == payoffs.y.player else "uphill for either player"
    arrow = Line2D([], [], linestyle="", marker=r"$\rightarrow$", markersize=11, color=look.ink, label=uphill)
    place: Any = {"loc": "outside lower center", "fontsize": 8.5, "frameon": False, "ncols": 4}
    figure.legend(handles=[*handles, *stars, arrow], **place)
