"""Trees from left to right: where everything stands, and how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..show.palette import text_colour
from .style import MARKERS, Theme, brief, make_figure, plain_text, shorten_title

_LEAF = 0.19  # inches between two ends
_CHAR = 0.064  # inches, of a letter at the size of labels
_SMALL = 7.0  # points
_BEND = 0.24  # inches that a line slopes before it goes level
_MARK = 0.09  # inches, of the sign of a player before the name of a node
_LONGEST = 16  # characters of a name or of a move
# inches
_TOP = 0.68
_BOTTOM = 0.4


class Branch(NamedTuple):
    """A node of a tree, and the line that leads to it.

    Attributes
    ----------
    parent : int
        Number of the node before it, smaller than its own; -1 at the root.
    text : str
        What stands on the line.
    reach : float or None
        How often the node is reached, which makes the line wide; None where that is not known.
    player : int or None
        Who moves here.
    name : str
        What stands at the node.
    chance : bool
        Whether chance moves here.
    end : str
        What stands behind an end.
    colour : str or None
        Colour of the name, which nodes of one infoset share; None where a name stands by itself.
    """

    parent: int
    text: str
    reach: float | None = None
    player: int | None = None
    name: str = ""
    chance: bool = False
    end: str = ""
    colour: str | None = None


class Places(NamedTuple):
    """Where each branch stands, in inches from the left and in ends from the top; where lines behind it part."""

    x: list[float]
    y: list[float]
    part: list[float]
    width: float
    ends: int


def lay_out(branches: Sequence[Branch]) -> Places:
    """Return a tidy layout: ends one below the other, every node in the middle of its children.

    Of the nodes at one depth the longest name and the longest move decide how far the next are to
    the right.
    """
    children: list[list[int]] = [[] for _ in branches]
    depth = [0] * len(branches)
    for number, branch in enumerate(branches):
        if branch.parent >= 0:
            children[branch.parent].append(number)
            depth[number] = depth[branch.parent] + 1
    lines, names = ([0.0] * (max(depth) + 1) for _ in range(2))
    for number, branch in enumerate(branches):
        lines[depth[number]] = max(
            lines[depth[number]], _BEND + 0.1 + _CHAR * len(brief(branch.text, _LONGEST))
        )
        names[depth[number]] = max(names[depth[number]], _label_width(branch))
    column_x = [0.15]
    for k in range(1, len(lines)):
        column_x.append(column_x[-1] + names[k - 1] + lines[k])
    y = [0.0] * len(branches)
    ends = 0
    stack = [0]
    order = []
    while stack:
        number = stack.pop()
        order.append(number)
        if not children[number]:
            y[number] = float(ends)
            ends = ends + 1
        stack.extend(reversed(children[number]))
    for number in reversed(order):
        if children[number]:
            y[number] = (y[children[number][0]] + y[children[number][-1]]) / 2
    width = (
        max(
            column_x[depth[number]] + _label_width(branch) for number, branch in enumerate(branches)
        )
        + 0.1
    )
    return Places(
        [column_x[k] for k in depth], y, [column_x[k] + names[k] for k in depth], width, ends
    )


def _label_width(branch: Branch) -> float:
    """Return the inches that the sign, the name and the payoff of a node take."""
    sign = _MARK if branch.player is not None or branch.chance else 0.0
    return (
        sign
        + _CHAR * len(brief(branch.name, _LONGEST) + branch.end)
        + (0.1 if branch.name or branch.end else 0.0)
    )


def draw_branches(
    forests: Sequence[Sequence[Branch]],
    titles: Sequence[str],
    title: str,
    note: str,
    palette: Theme,
) -> Figure:
    """Return a figure with trees side by side."""
    places = [lay_out(forest) for forest in forests]
    title_height = 0.25 if any(titles) else 0.0
    width = max(5.4, sum(place.width for place in places) + 0.2 * (len(places) - 1))
    height = _TOP + title_height + _LEAF * (max(place.ends for place in places) + 0.6) + _BOTTOM
    figure = make_figure(width, height, layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, width), ylim=(height, 0))  # inches, downwards
    axes.text(0.1, 0.2, plain_text(shorten_title(title, width)), fontsize=11, va="center")
    axes.text(0.1, 0.44, plain_text(note), va="center", color=palette.muted)
    offset = 0.0
    for forest, place, name in zip(forests, places, titles, strict=True):
        axes.text(offset + 0.1, _TOP + 0.05, name, fontsize=9, weight="bold", va="center")
        shifted_places = place._replace(
            x=[offset + x for x in place.x],
            y=[_TOP + title_height + _LEAF * (y + 0.6) for y in place.y],
            part=[offset + x for x in place.part],
        )
        for number, branch in enumerate(forest):
            _draw(axes, branch, number, shifted_places, palette)
        offset += place.width + 0.2
    _legend(figure, forests, palette)
    return figure


def _draw(axes: Axes, branch: Branch, number: int, places: Places, palette: Theme) -> None:
    """Draw a branch: the line that leads to it, its sign, its name and its payoff."""
    x = places.x[number]
    y = places.y[number]
    if branch.parent >= 0:
        _draw_line(axes, branch, number, places, palette)
    if branch.chance:
        _draw_sign(axes, x, y, "d", 8, palette.muted, palette)
    elif branch.player is not None:
        marker = MARKERS[branch.player % len(MARKERS)]
        _draw_sign(axes, x, y, marker, 5, branch.colour or palette.ink, palette)
    if branch.name:
        _draw_name(axes, branch, number, x, y, palette)
    if branch.end:
        axes.text(x + 0.04, y, plain_text(branch.end), fontsize=7.5, va="center")


def _draw_line(axes: Axes, branch: Branch, number: int, places: Places, palette: Theme) -> None:
    """Draw the line that leads to a branch, the wider the more often it is played, and what stands on it."""
    x = places.x[number]
    y = places.y[number]
    parent = branch.parent
    is_unreached = branch.reach is not None and branch.reach < 1e-6
    if branch.reach is None:
        line_width = 1.0
    else:
        line_width = 0.6 + 3.2 * branch.reach**0.5
    xs = [places.x[parent] + 0.02, places.part[parent], places.part[parent] + _BEND, x]
    ys = [places.y[parent], places.y[parent], y, y]
    line_style: Any = {
        "linestyle": ":" if is_unreached else "-",
        "alpha": 0.7 if is_unreached else 1.0,
        "linewidth": line_width,
    }
    join_style: Any = {
        "solid_joinstyle": "round",
        "solid_capstyle": "butt",
        "zorder": 1,
        "label": f"_line {number}",
    }
    axes.add_line(Line2D(xs, ys, color=palette.muted, **line_style, **join_style))
    lift = 0.012 + line_width / 144
    axes.text(
        places.part[parent] + _BEND + 0.03,
        y - lift,
        plain_text(brief(branch.text, _LONGEST)),
        fontsize=_SMALL,
        va="bottom",
        color=palette.ink,
    )


def _draw_sign(
    axes: Axes, x: float, y: float, marker: str, size: float, colour: str, palette: Theme
) -> None:
    """Draw the sign of who moves at a node."""
    edge: Any = {"markeredgecolor": palette.paper, "markeredgewidth": 0.5, "zorder": 3}
    axes.plot(x + 0.02, y, marker, markersize=size, color=colour, **edge)


def _draw_name(axes: Axes, branch: Branch, number: int, x: float, y: float, palette: Theme) -> None:
    """Draw the name of a node in a box of its colour."""
    colour = branch.colour or palette.faint
    box: Any = {
        "facecolor": colour,
        "edgecolor": palette.paper,
        "linewidth": 0.5,
        "boxstyle": "round,pad=0.15",
    }
    name = axes.text(
        x + _MARK + 0.03,
        y,
        plain_text(brief(branch.name, _LONGEST)),
        fontsize=_SMALL,
        bbox=box,
        ha="left",
        va="center",
        weight="bold",
        color=text_colour(colour),
        zorder=2,
    )
    name.set_label(f"_name {number}")


def _legend(figure: Figure, forests: Sequence[Sequence[Branch]], palette: Theme) -> None:
    """Add the signs of the players and of chance, as far as they occur."""
    players = sorted(
        {branch.player for forest in forests for branch in forest if branch.player is not None}
    )
    handles = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=MARKERS[p % len(MARKERS)],
            color=palette.ink,
            label=f"player {p}",
        )
        for p in players
    ]
    if any(branch.chance for forest in forests for branch in forest):
        handles.append(
            Line2D([], [], linestyle="", marker="d", color=palette.muted, label="chance")
        )
    figure.legend(handles=handles, loc="lower left", ncols=8, handletextpad=0.1)
