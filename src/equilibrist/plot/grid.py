"""The picture of a strategy: a bar for each infoset, hands side by side under each history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from .._util.validate import is_number, is_whole
from ..errors import SolutionError
from ..show.palette import text_colour
from ..solving.sources import AnySource
from .rows import Row, Table, strategy_rows
from .style import (
    COLUMN,
    HATCHES,
    Theme,
    brief,
    make_figure,
    plain_text,
    shorten_title,
    use_theme,
    write_title,
)

_CHAR = 0.068  # inches, of a letter at the size of labels
_LIST = 24  # rows of a cell where names stay whole
_LEGEND = 14  # actions that a legend lists
_FIRST = "(first move)"
_BEGIN = 0.36  # inches, of the name of a player
_MOST_BARS = 8  # infosets of many actions, each with a bar an action
_NAMES = 60  # of bars side by side


class _Cell(NamedTuple):
    """What is drawn together: a history, and the rows after it; None where its player cannot hold that there."""

    player: int
    title: str
    rows: list[Row | None]
    labels: list[str]


class _Line(NamedTuple):
    """Cells side by side, the rows that the tallest has, and whether a player's cells begin here."""

    cells: list[_Cell]
    height: int
    begins: bool


def strategy(
    solution: AnySource,
    *,
    game: Any = None,
    infosets: Sequence[Any] | None = None,
    most: int = 400,
    tolerance: float = 0.002,
    theme: str = "light",
) -> Figure:
    """Return the picture of a strategy: a bar for each infoset, one below the other for each card, history by history.

    Infosets that are never reached are hatched, and an equals sign stands at those where their
    player is indifferent. Both come from the exact evaluation of the strategy, not from the
    iterations.

    Parameters
    ----------
    solution : Solution, Strategy, mapping, or path
        What is drawn; a path is the folder of a saved run, or a CSV file.
    game : optional
        The game, as for :func:`equilibrist.load`, by which infosets are marked. Without one nothing
        is marked.
    infosets : sequence, optional
        Which to draw, each as its key or as (player, key); all by default.
    most : int
        Of more infosets than this, those after the most reached histories are drawn, and the title
        says so.
    tolerance : float
        Values count as equal within this part of the largest payoff.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    GameError
        ``game`` cannot be found, or is too large.
    SolutionError
        The strategy does not fit the game, or an infoset or a theme is not there.

    Notes
    -----
    *Never reached*: a play comes to the infoset less than a thousandth as often as if everybody
    played uniformly. *Indifferent*: the two best actions have the same value there, given the
    others' strategies and the best own play afterwards, and so has every action that is played.

    Examples
    --------
    >>> import equilibrist as eq
    >>> figure = eq.plot.strategy(eq.solve("kuhn", until=1e-4), game="kuhn")
    >>> figure.savefig("strategy.pdf")  # doctest: +SKIP
    """
    if not is_whole(most, 1):
        raise SolutionError(
            f"most must be a whole number, 1 or more; got {most!r}.", wrong_use=True
        )
    if not is_number(tolerance, above=0):
        raise SolutionError(
            f"tolerance must be a number above 0; got {tolerance!r}.", wrong_use=True
        )
    table = strategy_rows(solution, game, max_infosets=most, tolerance=tolerance, keep=infosets)
    needs_bars = (
        max(len(row.probabilities) for row in table.rows) > _LEGEND
        and len(table.rows) <= _MOST_BARS
    )
    with use_theme(theme) as palette:
        if needs_bars:
            return _draw_bars(table, palette)
        return _draw_grid(table, palette, by_reach=infosets is not None)


def _draw_bars(table: Table, palette: Theme) -> Figure:
    """Return the picture of a strategy at few infosets of many actions: a bar for each action."""
    figure = make_figure(COLUMN, 0.7 + 1.9 * len(table.rows))
    for axes, row in zip(
        figure.subplots(len(table.rows), 1, squeeze=False).flat, table.rows, strict=True
    ):
        player, key, actions = row.infoset
        hatch = HATCHES[1] if row.is_unreached else ""
        axes.bar(
            range(len(actions)),
            row.probabilities,
            color=palette.colour(player),
            edgecolor=palette.paper,
            hatch=hatch,
        )
        step = -(-len(actions) // _NAMES)
        names = [plain_text(brief(action, 14)) for action in actions[::step]]
        axes.set_xticks(
            range(0, len(actions), step), names, rotation=90 if max(map(len, names)) > 2 else 0
        )
        axes.grid(True, axis="y", linewidth=0.7)
        axes.set_axisbelow(True)
        axes.set(xlim=(-0.7, len(actions) - 0.3), ylabel="probability")
        if row.is_unreached:
            mark = ", never reached"
        elif row.is_indifferent:
            mark = ", indifferent between the best"
        else:
            mark = ""
        axes.set_title(f"player {player}: {plain_text(brief(key, 60))}{mark}", loc="left")
    write_title(figure, f"{brief(table.name, 80)}: strategy", "", theme=palette)
    return figure


def _draw_grid(table: Table, palette: Theme, *, by_reach: bool) -> Figure:
    """Return the picture of a strategy in cells, a row for each infoset."""
    cells = _make_cells(table.rows)
    labels = min(2.6, 0.2 + _CHAR * max(len(row.hand_name) for row in table.rows))
    most_cells = max(
        sum(cell.player == player for cell in cells) for player in {cell.player for cell in cells}
    )
    # in lists every cell has labels of its own
    if any(not cell.title for cell in cells):
        gap = labels
    else:
        gap = 0.0
    cells_per_line = max(
        1,
        min(most_cells, int((COLUMN - labels + gap) / (gap + (1.05 if most_cells > 8 else 1.9)))),
    )
    lines = _stack_lines(cells, cells_per_line)
    max_height = max(line.height for line in lines)
    step = 0.2 if max_height <= 12 else max(0.045, 4.5 / max_height)  # inches, of a row
    names = list(dict.fromkeys(action for row in table.rows for action in row.infoset.actions))
    heights = [0.30 + step * line.height + (_BEGIN if line.begins else 0.0) for line in lines]
    top = 0.58
    bottom = 0.62 if len(names) <= _LEGEND else 0.4
    height = top + sum(heights) + bottom
    width = (COLUMN - labels + gap - 0.1) / cells_per_line - gap
    figure = make_figure(COLUMN, height, layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, COLUMN), ylim=(height, 0))  # inches, downwards
    styles = {name: _action_style(number, palette) for number, name in enumerate(names)}
    y = top
    for line, line_height in zip(lines, heights, strict=True):
        if line.begins:
            axes.text(
                0.1,
                y + 0.26,
                f"player {line.cells[0].player}",
                fontsize=10,
                weight="bold",
                va="center",
            )
            y += _BEGIN
        for number, cell in enumerate(line.cells):
            x = labels + number * (width + gap)
            axes.text(
                x,
                y + 0.2,
                plain_text(brief(cell.title, int(width / 0.078))),
                fontsize=8,
                va="bottom",
            )
            _draw_cell(
                axes,
                cell,
                (x, y + 0.25),
                (width - 0.3, step),
                styles,
                palette,
                has_labels=number == 0 or not cell.title,
            )
        y += line_height - (_BEGIN if line.begins else 0.0)
    _write_title(axes, table, palette, by_reach=by_reach)
    _draw_legend(figure, styles, table, palette)
    return figure


def _write_title(axes: Axes, table: Table, palette: Theme, *, by_reach: bool) -> None:
    """Write the title, how many infosets are drawn of how many, and what counts as the same value."""
    num_rows = len(table.rows)
    num_omitted = table.infosets - len(table.rows)
    note = f"{num_rows:,} infosets"
    if num_omitted:
        if by_reach:
            choice = ""
        else:
            choice = ": those after the histories reached most often"
        note = f"{num_rows:,} of {table.infosets:,} infosets{choice}"
    if table.margin is None:
        note += "; nothing is marked without the game: give game=…"
    else:
        note += f"; values within {table.margin:.2g} count as the same"
    axes.text(
        0.1,
        0.2,
        plain_text(shorten_title(f"{brief(table.name, 80)}: strategy", COLUMN)),
        fontsize=11,
        va="center",
    )
    axes.text(0.1, 0.47, note, va="center", color=palette.muted)


def _make_cells(rows: Sequence[Row]) -> list[_Cell]:
    """Return the rows by player and history; a long list is cut."""
    groups: dict[tuple[int, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.infoset.player, row.history), []).append(row)
    # As in the first history, which all begin with.
    order = list(dict.fromkeys(row.hand_name for row in rows))
    cells = []
    for player in dict.fromkeys(player for player, _ in groups):
        histories = [history for owner, history in groups if owner == player]
        if histories == [""]:
            rows_alone = groups[player, ""]
            pieces = [
                rows_alone[start : start + _LIST] for start in range(0, len(rows_alone), _LIST)
            ]
            cells += [
                _Cell(player, "", list(piece), [row.hand_name for row in piece]) for piece in pieces
            ]
            continue
        hand_names = {row.hand_name for history in histories for row in groups[player, history]}
        labels = [hand_name for hand_name in order if hand_name in hand_names]
        for history in histories:
            row_of_hand = {row.hand_name: row for row in groups[player, history]}
            cells.append(
                _Cell(
                    player,
                    history or _FIRST,
                    [row_of_hand.get(hand_name) for hand_name in labels],
                    labels,
                )
            )
    return cells


def _stack_lines(cells: Sequence[_Cell], cells_per_line: int) -> list[_Line]:
    """Return the cells in lines of so many, each player beginning a line."""
    lines = []
    for player in dict.fromkeys(cell.player for cell in cells):
        player_cells = [cell for cell in cells if cell.player == player]
        for start in range(0, len(player_cells), cells_per_line):
            line_cells = player_cells[start : start + cells_per_line]
            lines.append(_Line(line_cells, max(len(cell.rows) for cell in line_cells), start == 0))
    return lines


def _action_style(number: int, palette: Theme) -> dict[str, Any]:
    """Return the look of an action: its colour, and a pattern where the colours begin again."""
    colour = palette.colour(number)
    return {
        "facecolor": colour,
        "edgecolor": palette.paper,
        "hatch": HATCHES[number // len(palette.colours) % len(HATCHES)],
        "linewidth": 0.4,
    }


def _draw_cell(
    axes: Axes,
    cell: _Cell,
    corner: tuple[float, float],
    size: tuple[float, float],
    styles: dict[str, dict[str, Any]],
    palette: Theme,
    *,
    has_labels: bool,
) -> None:
    """Draw the bars of a cell from its upper left corner, each of a width and a height."""
    (x, y) = corner
    (width, step) = size
    is_narrow = step < 0.13
    height = step if is_narrow else 0.84 * step
    # of the labels, where there is no room for all
    if is_narrow:
        label_stride = max(1, round(0.15 / step))
    else:
        label_stride = 1
    for number, row in enumerate(cell.rows):
        middle = y + (number + 0.5) * step
        if has_labels and number % label_stride == 0:
            label = plain_text(brief(cell.labels[number], 36))
            axes.text(x - 0.06, middle, label, fontsize=8, ha="right", va="center")
        if row is None:
            continue
        place = _BarPlace(x, middle, width, height, is_narrow)
        _draw_bar(axes, row, place, styles)
        if row.is_unreached:
            _veil_bar(axes, row, place, palette)
        elif row.is_indifferent:
            axes.text(
                x + width + 0.07,
                middle,
                "=",
                fontsize=7 if is_narrow else 9,
                ha="left",
                va="center",
                weight="bold",
            )


class _BarPlace(NamedTuple):
    """Where a bar stands, in inches.

    Attributes
    ----------
    x, middle : float
        Its left end, and the middle of its height.
    width, height : float
    is_narrow : bool
        Whether there is no room for texts.
    """

    x: float
    middle: float
    width: float
    height: float
    is_narrow: bool

    @property
    def corner(self) -> tuple[float, float]:
        """The upper left one."""
        return self.x, self.middle - self.height / 2


def _draw_bar(axes: Axes, row: Row, place: _BarPlace, styles: dict[str, dict[str, Any]]) -> None:
    """Draw the bar of an infoset: a part for each action, as wide as its probability, with its name."""
    edge, top = place.corner
    for action, share in zip(row.infoset.actions, row.probabilities, strict=True):
        part_width = share * place.width
        bar = Rectangle((edge, top), part_width, place.height, **styles[action])
        axes.add_patch(bar)
        if place.is_narrow:
            bar.set_linewidth(0.0)
        bar.set_label(f"_{row.infoset.player} {row.infoset.key} {action}")
        bar_label = _bar_label(action, share, place.width)
        if bar_label and not place.is_narrow and not row.is_unreached:
            colour = styles[action]["facecolor"]
            backdrop = None
            if styles[action]["hatch"]:
                backdrop = {"facecolor": colour, "linewidth": 0.0, "pad": 0.6}
            axes.text(
                edge + part_width / 2,
                place.middle,
                bar_label,
                fontsize=7,
                ha="center",
                va="center",
                color=text_colour(colour),
                bbox=backdrop,
            )
        edge += part_width


def _veil_bar(axes: Axes, row: Row, place: _BarPlace, palette: Theme) -> None:
    """Draw a veil and hatches over the bar of an infoset that is never reached."""
    veil: Any = {"facecolor": palette.paper, "edgecolor": palette.ink, "linewidth": 0.0}
    axes.add_patch(Rectangle(place.corner, place.width, place.height, alpha=0.62, **veil))
    hatching = Rectangle(
        place.corner, place.width, place.height, fill=False, hatch="/////", linewidth=0.0
    )
    hatching.set(edgecolor=palette.muted, label=f"_never {row.infoset.player} {row.infoset.key}")
    axes.add_patch(hatching)


def _bar_label(action: str, share: float, width: float) -> str:
    """Return what there is room for inside a part of a bar: the action and its probability, the action, or nothing."""
    room = share * width / _CHAR - 0.6
    full_label = f"{action} {share:.2f}" if share < 0.995 else action
    if len(full_label) <= room:
        label = full_label
    elif len(action) <= room:
        label = action
    else:
        label = ""
    return plain_text(label)


def _draw_legend(
    figure: Figure, styles: dict[str, dict[str, Any]], table: Table, palette: Theme
) -> None:
    """Add the colours of the actions, where they are few, and the marks, where there are some."""
    handles: list[Any] = []
    if len(styles) <= _LEGEND:
        handles = [
            Patch(label=plain_text(brief(name, 24)), **style) for name, style in styles.items()
        ]
    if table.margin is not None:
        unreached_patch = Patch(
            facecolor=palette.paper,
            edgecolor=palette.muted,
            hatch="/////",
            linewidth=0.0,
            label="never reached",
        )
        indifferent_line = Line2D(
            [], [], linestyle="", marker="$=$", color=palette.ink, markersize=8, label="indifferent"
        )
        handles += [unreached_patch, indifferent_line]
    if handles:
        columns = -(-len(handles) // 2) if len(handles) > 8 else 8
        figure.legend(
            handles=handles, loc="lower left", ncols=columns, handlelength=1.4, columnspacing=1.4
        )
