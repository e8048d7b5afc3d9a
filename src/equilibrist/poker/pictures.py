"""The picture of a decision: the 13 × 13 grid of hands, each coloured by what it plays; of Omaha by made hand."""

from __future__ import annotations

from math import isnan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from ..errors import GameError
from ..plot.style import (
    COLUMN,
    HATCHES,
    Theme,
    legend_below,
    make_figure,
    plain_text,
    use_theme,
    write_title,
)
from ..show.numbers import format_rounded
from ..show.palette import betting_colours
from ..solving.solution import Solution
from ..solving.sources import AnySource, read_strategy
from .cards.cards import CLASSES
from .preflop.charts import GAPS, Charts
from .solved.hand_classes import ClassNode, HandClasses
from .solved.spot_node import SIDE, InClasses, SpotNode, find_grid_place, hand_grid
from .solved.spots import SolvedSpot
from .spot.lines import action_words

_NAME = 0.36  # of the height of a cell, for its name
_GAP = 0.04  # between cells, of their width
_COLOURS = 5  # of bets and raises, before they begin again
_NEUTRAL = 7  # the colour of a range without actions
_BETWEEN = 0.015  # bars of made hands, of the height of all
_TWO_LINES = 0.09  # of the range: above, a label has a second line


def range_grid(
    spot: AnySource | SolvedSpot | SpotNode | ClassNode,
    line: str = "",
    board: str | None = None,
    *,
    player: int | str | None = None,
    hand: str | None = None,
    game: Any = None,
    theme: str = "light",
) -> Figure:
    """Return the 13 × 13 grid of hands at a decision of a solved spot of hold'em, or before the flop.

    Each class of hands is a cell: the widths of its colours are what its hands play on average, and
    their height is the part of its hands that is in the range, on this line. Hands of Omaha have no
    such grid: there a bar for each made hand has the widths of what it plays, and its height is the
    share of the range.

    Parameters
    ----------
    spot : Solution, Strategy, path, SolvedSpot or SpotNode
        What is drawn; a path is the folder of a saved run, also one of ``push_fold`` or
        ``preflop``. A decision is taken as it is.
    line : str
        The actions before, ``"X-B100"``; the first decision by default.
    board : str, optional
        All public cards, once a card was dealt.
    player : int or str, optional
        Whose range is drawn, by number or by name, ``"IP"``; by default that of who decides.
    hand : str, optional
        A hand of that player, ``"AhKd"``: its cell is framed, and the note says what it earns and
        plays.
    game : optional
        The spot, where a strategy does not know it.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    GameError
        It is no spot of hold'em, or there is no such line or board.
    SolutionError
        The run cannot be read, or there is no such theme.

    Examples
    --------
    >>> import equilibrist as eq
    >>> spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    >>> figure = eq.plot.range_grid(eq.solve(spot, until=1e-3), "A10")
    >>> figure.savefig("range.pdf")  # doctest: +SKIP
    """
    if isinstance(spot, SpotNode | ClassNode):
        node = spot
    else:
        node = decision_of(spot, line, board, game=game)
    with use_theme(theme) as palette:
        if isinstance(node, ClassNode):
            return _draw_classes(node, player, hand, palette)
        holder = node.find_player(player)
        if node.has_grid:
            return _draw_hands(node, holder, hand, palette)
        return _draw_made_hands(node, holder, hand, palette)


def decision_of(
    spot: AnySource | SolvedSpot, line: str, board: str | None, *, game: Any = None
) -> SpotNode | ClassNode:
    """Return the decision after a line of whatever has decisions that are drawn."""
    if isinstance(spot, SolvedSpot):
        return spot.node(line, board)
    source = read_strategy(spot, game)
    if isinstance(source, Solution):
        classes = HandClasses.of(source)
    else:
        classes = None
    if classes is None:
        return SolvedSpot(source, game).node(line, board)
    if board is not None:
        raise GameError(
            f"board: no card is public before the flop; leave it out; got {board!r}.",
            wrong_use=True,
        )
    return classes.node(line)


def _draw_classes(
    node: ClassNode, player: int | str | None, hand: str | None, palette: Theme
) -> Figure:
    """Return the grid of a decision before the flop."""
    if player not in (None, node.player):
        raise GameError(
            f"player: {node.name}, player {node.player}, decides {node.where}; leave it out; got "
            f"{player!r}.",
            wrong_use=True,
        )
    figure, axes = _draw_cells(node, node.player, _fills(node, palette), palette)
    _draw_legend(figure, node, palette)
    if (node.weights == 1).all():
        note = ""
    else:
        note = "Height: how often the player's own actions lead there."
    if hand is not None:
        number = node.number(hand)
        _frame_hand(axes, divmod(number, SIDE), palette)
        mix = ", ".join(
            f"{action} {format_rounded(p, '.1%')}"
            for action, p in zip(node.actions, node.strategy[:, number], strict=True)
        )
        note = f"{CLASSES[number]}: {mix}. {note}".rstrip()
    write_title(figure, f"{node.name} {node.where}", plain_text(note), theme=palette)
    return figure


def _draw_made_hands(node: SpotNode, player: int, hand: str | None, palette: Theme) -> Figure:
    """Return the bars of a range that has no grid: a row a made hand, as tall as its share of the range."""
    made_hands = node.made(player)
    is_mover = player == node.player
    figure = make_figure(COLUMN, COLUMN * 0.62)
    axes = figure.subplots()
    axes.set(
        xlim=(0, 1),
        ylim=(1 + _BETWEEN * len(made_hands), 0),
        xlabel="what the hands play" if is_mover else "",
    )
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25%", "50%", "75%", "100%"])
    if is_mover:
        fills = _fills(node, palette)
    else:
        fills = [{"facecolor": palette.colour(_NEUTRAL)}]
    top = 0.0
    middles = list[float]()
    for share, (_, _, *mix) in made_hands.values():
        edge = 0.0
        for part, options in zip(mix if is_mover else [1.0], fills, strict=True):
            axes.add_artist(
                Rectangle((edge, top), part, share, linewidth=0, edgecolor=palette.paper, **options)
            )
            edge += part
        middles.append(top + share / 2)
        top += share + _BETWEEN
    names = [
        f"{name} {share:.1%}\nEV {format_rounded(ev, '.4g')}"
        if share > _TWO_LINES
        else f"{name} {share:.1%}"
        for name, (share, (ev, *_)) in made_hands.items()
    ]
    axes.set_yticks(middles, names)
    axes.tick_params(length=0)
    if is_mover:
        _draw_legend(figure, node, palette)
    note = _wrap_note(node, "Height: the share of the range.")
    if hand is not None:
        note = f"{plain_text(_hand_note(node, node.number(hand, player), player))} {note}"
    write_title(
        figure, f"{node.names[player]} {node.where}, board {node.board}", note, theme=palette
    )
    return figure


def _draw_hands(node: SpotNode, player: int, hand: str | None, palette: Theme) -> Figure:
    if player == node.player:
        fills = _fills(node, palette)
    else:
        fills = [{"facecolor": palette.colour(_NEUTRAL)}]
    figure, axes = _draw_cells(node, player, fills, palette)
    if player == node.player:
        _draw_legend(figure, node, palette)
    note = _wrap_note(node)
    if hand is not None:
        number = node.number(hand, player)
        _frame_hand(axes, find_grid_place(hand), palette)
        note = f"{plain_text(_hand_note(node, number, player))} {note}"
    write_title(
        figure, f"{node.names[player]} {node.where}, board {node.board}", note, theme=palette
    )
    return figure


def _draw_cells(
    node: InClasses, player: int, fills: list[dict[str, Any]], palette: Theme
) -> tuple[Figure, Axes]:
    """Return the grid of what a player's hands play, or of the range with one fill."""
    figure, axes = _blank_grid()
    for name, row, column, weight, shares in hand_grid(node, player):
        _frame(axes, name, (row, column), palette, is_held=weight > 0)
        if weight:
            height = weight * (1 - _GAP - _NAME)
            edge = float(column)
            top = row + 1 - _GAP - height
            for share, options in zip(shares, fills, strict=True):
                width = share * (1 - _GAP)
                axes.add_artist(
                    Rectangle(
                        (edge, top), width, height, linewidth=0, edgecolor=palette.paper, **options
                    )
                )
                edge += width
    return figure, axes


def _frame_hand(axes: Axes, place: tuple[int, int], palette: Theme) -> None:
    """Frame a cell."""
    row, column = place
    frame = Rectangle(
        (column, row), 1 - _GAP, 1 - _GAP, facecolor="none", edgecolor=palette.ink, lw=2, zorder=3
    )
    axes.add_artist(frame)


def _draw_legend(figure: Figure, node: SpotNode | ClassNode, palette: Theme) -> None:
    labels = [
        f"{action_words(name)} {share:.1%}"
        for name, share in zip(node.actions, node.frequencies, strict=True)
    ]
    legend_below(figure, [Patch(**options) for options in _fills(node, palette)], labels)


def _blank_grid() -> tuple[Figure, Axes]:
    """Return a figure for the 13 × 13 cells of a grid of hands."""
    figure = make_figure(COLUMN, COLUMN * 0.82)
    axes = figure.subplots()
    axes.set(xlim=(0, SIDE), ylim=(SIDE, 0))
    axes.axis("off")
    return figure, axes


def _frame(axes: Axes, name: str, place: tuple[int, int], palette: Theme, *, is_held: bool) -> None:
    """Draw the frame and the name of a cell, which stands back where nothing is held."""
    row, column = place
    axes.add_artist(
        Rectangle(
            (column, row), 1 - _GAP, 1 - _GAP, facecolor="none", edgecolor=palette.faint, lw=0.6
        )
    )
    size, colour = (7.5, palette.ink) if is_held else (6.5, palette.muted)
    axes.text(
        column + 0.5,
        row + _NAME / 2 + 0.03,
        name,
        ha="center",
        va="center",
        color=colour,
        fontsize=size,
        in_layout=False,  # it lies within its cell: measuring 169 names takes as long as drawing them
    )


def chart_grid(chart: Charts, action: str | None = None, *, theme: str = "light") -> Figure:
    """Return the 13 × 13 grid of a chart of push or fold: the highest stack at which each hand is pushed or called.

    Parameters
    ----------
    chart : Charts
        What :func:`equilibrist.poker.push_fold_charts` returns.
    action : str
        One of ``chart.actions``, by default the first.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    GameError
        There is no such action.
    SolutionError
        There is no such theme.

    Examples
    --------
    >>> import equilibrist as eq
    >>> figure = eq.plot.chart_grid(eq.poker.push_fold_charts([5, 10], until=1e-3), "call")
    >>> figure.savefig("call.pdf")  # doctest: +SKIP
    """
    action = action or chart.actions[0]
    max_stacks = chart.highest(action)
    last = float(chart.stacks[-1])
    with use_theme(theme) as palette:
        figure, axes = _blank_grid()
        for number, (name, stack) in enumerate(zip(CLASSES, max_stacks.tolist(), strict=True)):
            row, column = divmod(number, SIDE)
            is_held = not isnan(stack)
            _frame(axes, name, (row, column), palette, is_held=is_held)
            if is_held:
                corner = (column, row + _NAME)
                height = 1 - _GAP - _NAME
                options = {
                    "facecolor": palette.high,
                    "alpha": 0.15 + 0.6 * stack / last,
                    "linewidth": 0,
                }
                axes.add_artist(Rectangle(corner, 1 - _GAP, height, **options))
                text = f"{stack:g}{GAPS * (len(chart.intervals(action, name)) > 1)}"
                axes.text(
                    column + 0.48,
                    row + 0.66,
                    text,
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    in_layout=False,
                )
        note = (
            f"Big blinds, of {chart.stacks[0]:g} to {last:g}; {GAPS}: with gaps below it. Empty: "
            "at none."
        )
        write_title(figure, f"The highest stack to {action} with", note, theme=palette)
        return figure


def _fills(node: SpotNode | ClassNode, palette: Theme) -> list[dict[str, Any]]:
    """Return the colour of each action, hatched where colours begin again."""
    raises = [action for action in node.actions if action not in ("X", "C", "F", "call", "fold")]
    return [
        {
            "facecolor": palette.colour(colour),
            "hatch": HATCHES[raises.index(action) // _COLOURS % len(HATCHES)]
            if action in raises
            else "",
        }
        for action, colour in zip(node.actions, betting_colours(node.actions), strict=True)
    ]


def _hand_note(node: SpotNode, number: int, player: int) -> str:
    text = f"{node.hands[player][number]}: EV {format_rounded(node.ev[player][number], '.4g')}"
    if player == node.player:
        actions = zip(
            node.actions, node.strategy[:, number], node.action_ev[:, number], strict=True
        )
        text += "; " + ", ".join(
            f"{action_words(name)} {share:.1%} (EV {format_rounded(ev, '.4g')})"
            for name, share, ev in actions
        )
    return f"{text}."


def _wrap_note(
    node: SpotNode, height: str = "Height: the part of the hands that is in the range."
) -> str:
    parts = []
    for name, ev, equity in zip(node.names, node.evs, node.equities, strict=True):
        if node.in_chips:
            share = f"{format_rounded(ev / node.pot, '.1%')} of the pot"
        else:
            share = "prizes"
        parts.append(
            f"{name}: EV {format_rounded(ev, '.4g')} ({share}), "
            f"equity {format_rounded(equity, '.1%')}"
        )
    text = f"Pot {node.pot:g}. {'; '.join(parts)}. {height} {node.off_path}"
    return plain_text(text.rstrip())
