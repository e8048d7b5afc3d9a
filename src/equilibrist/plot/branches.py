"""Trees from left to right: where everything stands, and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from .style import MARKERS, Theme, blank, brief, fitting, shown, veil

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAF = 0.19  # inches between two ends
_CHAR = 0.062  # inches, of a letter at the size of labels
_SMALL = 7.0  # points
_BEND = 0.24  # inches that a line slopes before it goes level
_LANE = 0.05  # inches between dashed arcs
_MOST_LANES = 12
_TOP, _BOTTOM = 0.75, 0.45  # inches


class Branch(NamedTuple):
    """A node of a tree, and the line that leads to it.

    Attributes
    ----------
    parent : int
        Its number, smaller than one's own; -1 at the root.
    text : str
        What stands on the line.
    reach : float or None
        How often it is come to, which makes the line wide; None where that is not known.
    player : int or None
        Who moves here.
    name : str
        What stands at the node.
    chance : bool
        Whether chance moves here.
    end : str
        What stands behind an end.
    mover : int or None
        Whose move the line is.
    """

    parent: int
    text: str
    reach: float | None = None
    player: int | None = None
    name: str = ""
    chance: bool = False
    end: str = ""
    mover: int | None = None


class Places(NamedTuple):
    """Where each branch stands, in inches from the left and in ends from the top; where lines behind it go level."""

    x: list[float]
    y: list[float]
    bend: list[float]
    width: float
    ends: int


def placed(branches: Sequence[Branch], lanes: Mapping[int, int] | None = None) -> Places:
    """Return a tidy layout: ends one below the other, every node in the middle of its children.

    ``lanes`` says how many arcs want room side by side behind a node.
    """
    children: list[list[int]] = [[] for _ in branches]
    depth = [0] * len(branches)
    for number, branch in enumerate(branches):
        if branch.parent >= 0:
            children[branch.parent].append(number)
            depth[number] = depth[branch.parent] + 1
    columns = [0.45] * (max(depth) + 1)  # the widest label of each decides how far it is from the one before
    for number, branch in enumerate(branches):
        label = max(len(_on_line(branch)), len(_at_node(branch)))
        columns[depth[number]] = max(columns[depth[number]], _BEND + 0.2 + _CHAR * label)
    bends = [_BEND] * (max(depth) + 1)
    for number, lane in (lanes or {}).items():
        bends[depth[number]] = max(bends[depth[number]], _BEND + _LANE * lane)
    columns = [width + bends[k - 1] - _BEND if k else width for k, width in enumerate(columns)]
    columns[0] = 0.25 + _CHAR * len(_at_node(branches[0]))
    left = [sum(columns[: k + 1]) for k in range(len(columns))]
    y, ends = [0.0] * len(branches), 0
    stack = [0]
    order = []
    while stack:
        number = stack.pop()
        order.append(number)
        if not children[number]:
            y[number], ends = float(ends), ends + 1
        stack.extend(reversed(children[number]))
    for number in reversed(order):
        if children[number]:
            y[number] = (y[children[number][0]] + y[children[number][-1]]) / 2
    behind = max((_CHAR * len(branch.end) for branch in branches), default=0.0)
    return Places([left[k] for k in depth], y, [bends[k] for k in depth], left[-1] + behind + 0.25, ends)


def _on_line(branch: Branch) -> str:
    return brief(branch.text, 30)


def _at_node(branch: Branch) -> str:
    return brief(branch.name, 30)


def draw_branches(
    forests: Sequence[Sequence[Branch]],
    joined: Sequence[Sequence[int]],
    titles: Sequence[str],
    title: str,
    note: str,
    look: Theme,
) -> Figure:
    """Return a figure with trees side by side; ``joined`` are branches of the first that belong together."""
    lanes = _lanes(forests[0], joined)
    places = [placed(forest, lanes if forest is forests[0] else None) for forest in forests]
    above = 0.25 if any(titles) else 0.0
    width = max(5.4, sum(place.width for place in places) + 0.3 * (len(places) - 1))
    height = _TOP + above + _LEAF * (max(place.ends for place in places) + 0.6) + _BOTTOM
    figure = blank(width, height, layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, width), ylim=(height, 0))  # inches, downwards
    axes.text(0.12, 0.2, shown(fitting(title, width)), fontsize=12.5, va="center")
    axes.text(0.12, 0.47, shown(note), fontsize=8.5, va="center", color=look.muted)
    left = 0.0
    for forest, place, name in zip(forests, places, titles, strict=True):
        axes.text(left + 0.12, _TOP + 0.05, name, fontsize=10, weight="bold", va="center")
        x = [left + one for one in place.x]
        y = [_TOP + above + _LEAF * (one + 0.6) for one in place.y]
        for group in joined if forest is forests[0] else ():
            if len(group) < 2:
                continue
            _join(axes, group, x, y, lanes[group[0]], look.colour(forest[group[0]].player or 0))
        for number, branch in enumerate(forest):
            _draw(axes, branch, number, place._replace(x=x, y=y), look)
        left += place.width + 0.3
    _legend(figure, forests, look)
    return figure


def _lanes(branches: Sequence[Branch], joined: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return, for each branch that is joined to others, in which lane its arcs run: each group has its own."""
    depth = [0] * len(branches)
    for number, branch in enumerate(branches):
        depth[number] = depth[branch.parent] + 1 if branch.parent >= 0 else 0
    taken: dict[int, int] = {}
    lanes = {}
    for group in joined:
        if len(group) > 1:
            lane = taken[depth[group[0]]] = taken.get(depth[group[0]], 0) + 1
            lanes.update(dict.fromkeys(group, 1 + (lane - 1) % _MOST_LANES))
    return lanes


def _draw(axes: Axes, branch: Branch, number: int, places: Places, look: Theme) -> None:
    x, y = places.x, places.y
    here = x[number], y[number]
    if branch.parent >= 0:
        start = x[branch.parent], y[branch.parent]
        bend = (start[0] + places.bend[branch.parent], here[1])
        never = branch.reach is not None and branch.reach < 1e-6
        wide = 1.0 if branch.reach is None else 0.6 + 3.2 * branch.reach**0.5
        colour = look.muted if branch.mover is None else look.colour(branch.mover)
        line = Line2D(
            [start[0], bend[0], here[0]], [start[1], bend[1], here[1]], linewidth=wide, color=colour,
            linestyle=":" if never else "-", alpha=0.55 if never else 0.9, solid_joinstyle="round",
            solid_capstyle="butt", zorder=1, label=f"_line {number}",
        )  # fmt: skip
        axes.add_line(line)
        text = shown(_on_line(branch))
        lift = 0.012 + wide / 144
        axes.text(bend[0] + 0.03, here[1] - lift, text, fontsize=_SMALL, va="bottom", color=look.ink)
    if branch.player is not None or branch.chance:
        marker = "d" if branch.chance else MARKERS[(branch.player or 0) % len(MARKERS)]
        colour = look.muted if branch.chance else look.colour(branch.player or 0)
        size = 8 if branch.chance else 5  # chance's is thin, and has the colour of its lines
        edge: Any = {"markeredgecolor": look.paper, "markeredgewidth": 0.5}
        axes.plot(*here, marker, markersize=size, color=colour, zorder=3, **edge)
    if branch.name:
        name = shown(_at_node(branch))
        style: Any = {"ha": "right", "va": "top", "weight": "bold", "color": look.ink, "bbox": veil(look), "zorder": 2}
        axes.text(here[0] - 0.05, here[1] + 0.025, name, fontsize=_SMALL, **style)
    if branch.end:
        axes.text(here[0] + 0.05, here[1], shown(branch.end), fontsize=7.5, va="center", zorder=4, bbox=veil(look))


def _join(axes: Axes, group: Sequence[int], x: Sequence[float], y: Sequence[float], lane: int, colour: str) -> None:
    """Join what one player cannot tell apart, each to the next below, by a dashed arc."""
    below = sorted(group, key=lambda number: y[number])
    for one, two in pairwise(below):
        bulge = 0.06 + 4 / 3 * _LANE * lane  # the middle of such a curve is at 3/4 of its controls
        ends = (x[one], y[one]), (x[two], y[two])
        controls = (x[one] + bulge, y[one]), (x[two] + bulge, y[two])
        path = Path([ends[0], *controls, ends[1]], [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        arc = PathPatch(path, fill=False, edgecolor=colour, linewidth=1.1, linestyle=(0, (3, 2)), alpha=0.85, zorder=2)
        arc.set_label(f"_join {one} {two}")
        axes.add_patch(arc)


def _legend(figure: Figure, forests: Sequence[Sequence[Branch]], look: Theme) -> None:
    players = sorted({branch.player for forest in forests for branch in forest if branch.player is not None})
    handles = [
        Line2D([], [], linestyle="", marker=MARKERS[p % len(MARKERS)], color=look.colour(p), label=f"player {p}")
        for p in players
    ]
    if any(branch.chance for forest in forests for branch in forest):
        handles.append(Line2D([], [], linestyle="", marker="d", color=look.muted, label="chance"))
    figure.legend(handles=handles, loc="lower left", ncols=8, frameon=False, fontsize=8.5, handletextpad=0.1)
