"""A decision of a solved spot of hold'em on a terminal: EV and equity, frequencies, and the 13 × 13 grid of hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..evaluation.units import CHIPS, Unit
from ..plot.palette import COLOURS, betting_colours, text_colour
from ..show.columns import bar, fit_table

if TYPE_CHECKING:
    from ..evaluation.hand_classes import ClassNode
    from ..evaluation.spot_node import Cell, SpotNode
    from ..solving.charts import Charts
    from ..solving.solution import Solution

# characters of a cell, without the blank after it
_LEAST = 5
_MOST = 9
_FULL = 0.995  # weights from here on are all of a class
_COMBO = 10  # characters of the bar of a single hand
_NEUTRAL = 7  # the colour of a range without actions


def spot_report(
    solution: Solution, width: int, *, suits: bool, unit: str = CHIPS.name
) -> Iterator[RenderableType]:
    """Iterate over what is printed of a solved spot: who earns what, and the first decision."""
    from ..evaluation.spots import SolvedSpot
    from ..evaluation.units import find_unit
    from ..games.holdem.locks import lock_text

    spot = SolvedSpot(solution)
    node = spot.node()
    locks = spot.game.locks
    shown_unit = find_unit(unit, spot.game)
    yield earnings_table(node, shown_unit)
    if solution.exploitability is not None:
        share = solution.exploitability / node.pot
        yield f"exploitability {solution.exploitability:.4g} chips, {share:.3%} of the pot (half of nash_conv)"
    if locks:
        yield "The strategy is locked, and best responses keep to it:"
        yield from (f"  {lock_text(lock)}" for lock in locks)
    yield from decision_report(node, width, suits=suits, unit=shown_unit)


def earnings_table(node: SpotNode, unit: Unit = CHIPS) -> Table:
    """Return the table of EV, equity and EQR of both players at a node."""
    from ..evaluation.spot_node import number_text
    from ..games.holdem.betting_tree import PLAYERS

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("", unit.heading(), "% of pot", "equity", "EQR"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, ev, equity, eqr in zip(PLAYERS, node.evs, node.equities, node.eqrs, strict=True):
        shares = (number_text(share, ".2%") for share in (ev / node.pot, equity, eqr))
        table.add_row(name, number_text(unit.ev(ev, node.pot), ".4f"), *shares)
    return table


def decision_report(
    node: SpotNode,
    width: int,
    *,
    player: int | None = None,
    suits: bool = False,
    unit: Unit = CHIPS,
) -> Iterator[RenderableType]:
    """Iterate over the frequencies of a node's actions and the grid of what each class of hands plays."""
    from ..games.holdem.betting_tree import PLAYERS

    player = node.player if player is None else player
    letters = _action_letters(node.actions)
    colours = betting_colours(node.actions)
    yield Text(
        f"\n{PLAYERS[node.player]} {node.where}, board {node.board}, pot {unit.text(node.pot)}",
        "bold",
    )
    yield from _frequency_lines(node, letters, colours)
    if not node.has_grid:
        yield ""
        yield made_hand_table(node, player, width, unit)
    elif player == node.player:
        yield from (
            _hand_lines(node, letters, colours, width)
            if suits
            else _grid_lines(node, player, letters, colours, width)
        )
    else:
        yield Text(f"\nRange of {PLAYERS[player]}", "bold")
        yield from _grid_lines(node, player, ["#"], [_NEUTRAL], width)
    if node.off_path:
        yield node.off_path


def class_report(node: ClassNode, width: int, hand: str | None = None) -> Iterator[RenderableType]:
    """Iterate over what a decision before the flop is printed as: frequencies and the grid, or one class of hands."""
    from ..evaluation.spot_node import number_text
    from ..games.holdem.cards import CLASSES

    letters = _action_letters(node.actions)
    colours = betting_colours(node.actions)
    yield Text(f"{node.name} {node.where}", "bold")
    if hand is None:
        yield from _frequency_lines(node, letters, colours)
        yield from _grid_lines(node, node.player, letters, colours, width)
        return
    number = node.number(hand)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column(CLASSES[number])
    table.add_column("frequency", justify="right")
    table.add_row("in the range", f"{node.weights[number]:.2%}")
    for action, row in zip(node.actions, node.strategy, strict=True):
        table.add_row(action, number_text(row[number], ".2%"))
    yield table


def _frequency_lines(
    node: SpotNode | ClassNode, letters: Sequence[str], colours: Sequence[int]
) -> Iterator[RenderableType]:
    """Yield a line with a bar for each action."""
    from ..games.holdem.lines import action_words

    for action, letter, colour, share in zip(
        node.actions, letters, colours, node.frequencies, strict=True
    ):
        line = Text.assemble(
            "  ",
            (f" {letter} ", _colour_style(colour)),
            f"  {action:<8}{action_words(action):<15}{share:>8.2%}  ",
        )
        yield line.append(bar(float(share), 24), COLOURS[colour])


def _action_letters(actions: Sequence[str]) -> list[str]:
    """Return a letter for each action: X, C, F, A for all-in, and 1, 2, 3 … for bets and raises by size."""
    sizes = [action for action in actions if action[0] in "BR"]
    return [
        str(sizes.index(action) + 1)[-1] if action in sizes else action[0].upper()
        for action in actions
    ]


def _legend_text(node: SpotNode | ClassNode, letters: Sequence[str]) -> Text:
    from ..games.holdem.lines import action_words

    pairs = zip(letters, map(action_words, node.actions), strict=True)
    return Text(f"Letters: {', '.join(f'{letter} {words}' for letter, words in pairs)}.", "dim")


def _colour_style(colour: int) -> str:
    return f"{text_colour(COLOURS[colour])} on {COLOURS[colour]}"


def _grid_lines(
    node: SpotNode | ClassNode,
    player: int,
    letters: Sequence[str],
    colours: Sequence[int],
    width: int,
) -> Iterator[RenderableType]:
    """Yield the grid, two lines a row: names, and a bar of letters below for what the hands of the class play."""
    from ..evaluation.spot_node import SIDE, hand_grid

    cells = hand_grid(node, player)
    size = max(_LEAST, min(_MOST, width // SIDE - 1))

    def cell_bar(cell: Cell) -> Text:
        if player == node.player:
            length = size
        else:
            length = max(1, round(cell.weight * size))
        return _letter_bar(cell.shares, letters, colours, length)

    yield from _cell_lines(cells, size, cell_bar)
    if player == node.player:
        yield _legend_text(node, letters)
    if any(0 < cell.weight < _FULL for cell in cells):
        yield Text("The number after a name is the % of its hands that are in the range.", "dim")


def _cell_lines(
    cells: Sequence[Cell], size: int, second_line: Callable[[Cell], Text]
) -> Iterator[RenderableType]:
    """Yield the lines of a grid of hands: names with the weights of those that are held in part, and what is below."""
    from ..evaluation.spot_node import SIDE

    yield ""
    for first in range(0, len(cells), SIDE):
        names = Text(no_wrap=True)
        bars = Text(no_wrap=True)
        for cell in cells[first : first + SIDE]:
            if 0 < cell.weight < _FULL:
                percent = f"{cell.weight:.0%}"[:-1]
            else:
                percent = ""
            names.append(f"{cell.name:<3}", "bold" if cell.weight else "dim")
            names.append(f"{percent:>{min(size - 3, 3)}}".ljust(size - 2), "dim")
            cell_text = second_line(cell)
            bars.append_text(cell_text).append(" " * (size - len(cell_text) + 1))
        yield names
        yield bars


def chart_lines(chart: Charts, action: str) -> Iterator[RenderableType]:
    """Iterate over the grid of a chart of push or fold: the highest stack below the name of each hand."""
    from ..evaluation.spot_node import SIDE, Cell
    from ..games.holdem.cards import CLASSES
    from ..solving.charts import GAPS

    stacks = chart.highest(action).tolist()
    cells = [
        Cell(name, *divmod(number, SIDE), float(not isnan(stack)), ())
        for number, (name, stack) in enumerate(zip(CLASSES, stacks, strict=True))
    ]

    def stack_text(cell: Cell) -> Text:
        stack = stacks[SIDE * cell.row + cell.column]
        gaps = len(chart.intervals(action, cell.name)) > 1
        text = f"{stack:.4g}{GAPS * gaps}" if cell.weight else "–"
        return Text(text, _colour_style(_NEUTRAL) if cell.weight else "dim")

    yield Text(f"The highest stack to {action} with, big blinds", "bold")
    yield from _cell_lines(cells, _LEAST, stack_text)
    gaps = [name for name in CLASSES if len(chart.intervals(action, name)) > 1]
    if gaps:
        yield ""
        yield f"{GAPS} with gaps: " + "; ".join(
            f"{name} {chart.text(action, name)}" for name in gaps
        )


def _letter_bar(
    shares: Sequence[float], letters: Sequence[str], colours: Sequence[int], length: int
) -> Text:
    """Return a bar of as many letters of each action as its share of the length, the largest remainders rounded up."""
    text = Text()
    total = sum(shares)
    if not total or not length:
        return text
    exact_lengths = [share / total * length for share in shares]
    count = [int(part) for part in exact_lengths]
    by_remainder = sorted(range(len(exact_lengths)), key=lambda k: count[k] - exact_lengths[k])
    for k in by_remainder[: length - sum(count)]:
        count[k] += 1
    for number, letter, colour in zip(count, letters, colours, strict=True):
        text.append(letter * number, _colour_style(colour))
    return text


def _hand_lines(
    node: SpotNode, letters: Sequence[str], colours: Sequence[int], width: int
) -> Iterator[RenderableType]:
    """Yield each hand with its bar, those of a class together, as many beside each other as there is room for."""
    from ..games.holdem.cards import CLASSES

    table = node.columns()
    by_class: dict[str, list[Text]] = {}
    for k, (hand, name) in enumerate(zip(table["hand"], table["class"], strict=True)):
        if table["range"][k] > 0:
            mix = [float(table[action][k]) for action in node.actions]
            piece = Text.assemble(f"{hand} ", _letter_bar(mix, letters, colours, _COMBO), "  ")
            by_class.setdefault(name, []).append(piece)
    beside = max(1, (min(width, 120) - 5) // (_COMBO + 7))
    yield ""
    for name in sorted(by_class, key=CLASSES.index):
        pieces = by_class[name]
        for first in range(0, len(pieces), beside):
            label = (f"{name if first == 0 else '':<5}", "bold")
            yield Text.assemble(label, *pieces[first : first + beside], no_wrap=True)
    yield _legend_text(node, letters)


def made_hand_table(node: SpotNode, player: int, width: int, unit: Unit = CHIPS) -> Table:
    """Return what the made hands of a player are of the range, earn and, of who decides, play."""
    from ..evaluation.spot_node import number_text
    from ..games.holdem.betting_tree import PLAYERS

    made_hands = node.made(player)
    columns = {"": list(made_hands), "range": [f"{share:.2%}" for share, _ in made_hands.values()]}
    forms = {unit.heading(): ".4f", "equity": ".2%"} | dict.fromkeys(
        node.actions if player == node.player else (), ".2%"
    )
    for place, (heading, form) in enumerate(forms.items()):
        numbers = [
            values[place] if place else unit.ev(values[place], node.pot)
            for _, values in made_hands.values()
        ]
        columns[heading] = [number_text(value, form) for value in numbers]
    title = (
        f"Made hands of {PLAYERS[player]} {node.where}, board {node.board}, pot "
        f"{unit.text(node.pot)}"
    )
    return fit_table(title, columns, width, text=("",))


def hand_table(node: SpotNode, hand: str, player: int, unit: Unit = CHIPS) -> Table:
    """Return what a hand earns at a node, and what each of its actions does."""
    from ..evaluation.spot_node import number_text

    number = node.number(hand, player)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in (node.hands[player][number], "frequency", unit.heading(), "% of pot"):
        table.add_column(
            heading, justify="right" if heading.startswith(("f", "E", "%")) else "left"
        )

    def add_row(label: str, share: float, ev: float) -> None:
        table.add_row(
            label,
            f"{share:.2%}",
            number_text(unit.ev(ev, node.pot), ".4f"),
            number_text(ev / node.pot, ".2%"),
        )

    add_row("in the range", float(node.ranges[player][number]), float(node.ev[player][number]))
    if player == node.player:
        for k, action in enumerate(node.actions):
            add_row(action, float(node.strategy[k, number]), float(node.action_ev[k, number]))
    table.add_row("equity", number_text(node.equity[player][number], ".2%"))
    return table
