"""The picture of a decision in a spot of hold'em: the 13 × 13 grid of hands, each coloured by what it plays."""

from __future__ import annotations

from math import isnan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from ..evaluation.spot_node import SIDE, SpotNode, hand_grid, number_text, place_of
from ..evaluation.spots import SolvedSpot
from ..games.holdem.betting_tree import PLAYERS
from ..games.holdem.cards import CLASSES
from ..games.holdem.lines import in_words
from ..solving.charts import GAPS, Charts
from ..solving.sources import AnySource, read_strategy
from .palette import betting_colours
from .style import COLUMN, HATCHES, Theme, blank, legend_below, shown, themed, titled

_NAME = 0.36  # of the height of a cell, for its name
_GAP = 0.04  # between cells, of their width
_COLOURS = 5  # of bets and raises, before they begin again
_NEUTRAL = 7  # the colour of a range without actions


def range_grid(
    spot: AnySource | SolvedSpot | SpotNode,
    line: str = "",
    board: str | None = None,
    *,
    player: int | None = None,
    hand: str | None = None,
    game: Any = None,
    theme: str = "light",
) -> Figure:
    """Return the 13 × 13 grid of hands at a decision of a solved spot of hold'em.

    Each class of hands is a cell: the widths of its colours are what its hands play on average, and their height is the
    part of its hands that is in the range, on this line.

    Parameters
    ----------
    spot : Solution, Strategy, path, SolvedSpot or SpotNode
        What is drawn; a path is the folder of a saved run. A decision is taken as it is.
    line : str
        The actions before, ``"X-B100"``; the first decision by default.
    board : str, optional
        All public cards, once a card was dealt.
    player : {0, 1}, optional
        Whose range is drawn; by default that of who decides.
    hand : str, optional
        A hand of that player, ``"AhKd"``: its cell is framed, and the note says what it earns and plays.
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
    if not isinstance(spot, SolvedSpot | SpotNode):
        spot = SolvedSpot(read_strategy(spot, game), game)
    node = spot.node(line, board) if isinstance(spot, SolvedSpot) else spot
    with themed(theme) as palette:
        return _drawn(node, node.player if player is None else player, hand, palette)


def _drawn(node: SpotNode, player: int, hand: str | None, palette: Theme) -> Figure:
    figure, axes = _blank_grid()
    fills = _fills(node, palette) if player == node.player else [{"facecolor": palette.colour(_NEUTRAL)}]
    for name, row, column, weight, shares in hand_grid(node, player):
        _frame(axes, name, (row, column), palette, held=weight > 0)
        if weight:
            height = weight * (1 - _GAP - _NAME)
            left, top = float(column), row + 1 - _GAP - height
            for share, options in zip(shares, fills, strict=True):
                width = share * (1 - _GAP)
                axes.add_patch(Rectangle((left, top), width, height, linewidth=0, edgecolor=palette.paper, **options))
                left += width
    if player == node.player:
        labels = [f"{in_words(name)} {share:.1%}" for name, share in zip(node.actions, node.frequencies, strict=True)]
        patches = [Patch(**options) for options in fills]
        legend_below(figure, patches, labels)
    note = _note(node)
    if hand is not None:
        number = node.number(hand, player)
        row, column = place_of(hand)
        frame = Rectangle((column, row), 1 - _GAP, 1 - _GAP, facecolor="none", edgecolor=palette.ink, lw=2, zorder=3)
        axes.add_patch(frame)
        note = f"{shown(_hand_note(node, number, player))} {note}"
    titled(figure, f"{PLAYERS[player]} {node.where}, board {node.board}", note, theme=palette)
    return figure


def _blank_grid() -> tuple[Figure, Axes]:
    """Return a figure for the 13 × 13 cells of a grid of hands."""
    figure = blank(COLUMN, COLUMN * 0.82)
    axes = figure.subplots()
    axes.set(xlim=(0, SIDE), ylim=(SIDE, 0))
    axes.axis("off")
    return figure, axes


def _frame(axes: Axes, name: str, place: tuple[int, int], palette: Theme, *, held: bool) -> None:
    """Draw the frame and the name of a cell, which stands back where nothing is held."""
    row, column = place
    axes.add_patch(Rectangle((column, row), 1 - _GAP, 1 - _GAP, facecolor="none", edgecolor=palette.faint, lw=0.6))
    size, colour = (7.5, palette.ink) if held else (6.5, palette.muted)
    axes.text(column + 0.5, row + _NAME / 2 + 0.03, name, ha="center", va="center", color=colour, fontsize=size)


def chart_grid(chart: Charts, action: str | None = None, *, theme: str = "light") -> Figure:
    """Return the 13 × 13 grid of a chart of push or fold: the highest stack at which each hand is pushed or called.

    Parameters
    ----------
    chart : Charts
        What :func:`equilibrist.charts` returns.
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
    >>> figure = eq.plot.chart_grid(eq.charts([5, 10], until=1e-3), "call")
    >>> figure.savefig("call.pdf")  # doctest: +SKIP
    """
    action = action or chart.actions[0]
    highest, last = chart.highest(action), float(chart.stacks[-1])
    with themed(theme) as palette:
        figure, axes = _blank_grid()
        for number, (name, stack) in enumerate(zip(CLASSES, highest.tolist(), strict=True)):
            row, column = divmod(number, SIDE)
            held = not isnan(stack)
            _frame(axes, name, (row, column), palette, held=held)
            if held:
                corner, height = (column, row + _NAME), 1 - _GAP - _NAME
                options = {"facecolor": palette.high, "alpha": 0.15 + 0.6 * stack / last, "linewidth": 0}
                axes.add_patch(Rectangle(corner, 1 - _GAP, height, **options))
                text = f"{stack:g}{GAPS * (len(chart.intervals(action, name)) > 1)}"
                axes.text(column + 0.48, row + 0.66, text, ha="center", va="center", fontsize=7.5)
        note = f"Big blinds, of {chart.stacks[0]:g} to {last:g}; {GAPS}: with gaps below it. Empty: at none."
        titled(figure, f"The highest stack to {action} with", note, theme=palette)
        return figure


def _fills(node: SpotNode, palette: Theme) -> list[dict[str, Any]]:
    """Return the colour of each action, hatched where colours begin again."""
    raises = [action for action in node.actions if action not in "XCF"]
    return [
        {
            "facecolor": palette.colour(colour),
            "hatch": HATCHES[raises.index(action) // _COLOURS % len(HATCHES)] if action in raises else "",
        }
        for action, colour in zip(node.actions, betting_colours(node.actions), strict=True)
    ]


def _hand_note(node: SpotNode, number: int, player: int) -> str:
    text = f"{node.hands[player][number]}: EV {number_text(node.ev[player][number], '.4g')}"
    if player == node.player:
        chosen = zip(node.actions, node.strategy[:, number], node.action_ev[:, number], strict=True)
        text += "; " + ", ".join(
            f"{in_words(name)} {share:.1%} (EV {number_text(ev, '.4g')})" for name, share, ev in chosen
        )
    return f"{text}."


def _note(node: SpotNode) -> str:
    parts = [
        f"{name}: EV {number_text(ev, '.4g')} ({number_text(ev / node.pot, '.1%')} of the pot), "
        f"equity {number_text(equity, '.1%')}"
        for name, ev, equity in zip(PLAYERS, node.evs, node.equities, strict=True)
    ]
    text = f"Pot {node.pot:g}. {'; '.join(parts)}. Height: the part of the hands that is in the range. {node.off_path}"
    return shown(text.rstrip())
