"""What decisions of hold'em show, as blocks: EV and equity, frequencies, and the 13 × 13 grid of hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..._util.arrays import Floats
from ...evaluation.units import CHIPS, Unit
from ...show.blocks import Block, Cell, Column, Facts, Figure, Grid, Key, Table
from ...show.numbers import format_value
from ...show.palette import betting_colours
from ..cards.cards import CLASSES
from ..spot.lines import action_words
from .spot_node import SIDE, hand_grid

if TYPE_CHECKING:
    from .hand_classes import ClassNode
    from .spot_node import InClasses, SpotNode

_SHARE = ".2%"
_EV = ".4f"
_IN_PRIZES = "EV, prizes"
_NOTE = "The number after a name is the % of its hands that are in the range."


class HasFrequencies(Protocol):
    """A decision that tells how often each action is played."""

    @property
    def actions(self) -> tuple[str, ...]: ...

    @property
    def frequencies(self) -> Floats: ...


def node_blocks(node: SpotNode, unit: Unit = CHIPS, *, suits: bool = False) -> list[Block]:
    """Return what a decision shows: where it is, who earns what, and what is played."""
    title, *other_blocks = decision_blocks(node, suits=suits, unit=unit)
    folded: list[Block] = [Facts([folded_text(node)])] if node.folded else []
    only: list[Block] = [Facts([node.only])] if node.only else []
    return [title, earnings_table(node, unit), *folded, *only, *other_blocks]


def folded_text(node: SpotNode) -> str:
    """Return what hands were folded before the board of a node was dealt, as a sentence."""
    return f"dealt with {node.folded}"


def earnings_table(node: SpotNode, unit: Unit = CHIPS) -> Table:
    """Return EV, equity and EQR of the players at a node."""
    equity = Column("equity", node.equities, _SHARE)
    if not node.in_chips:
        worth = Column(_IN_PRIZES, node.evs, _EV)
        return Table([Column("", node.names), worth, equity], is_small=True)
    return Table(
        [
            Column("", node.names),
            Column(unit.heading(), [unit.ev(ev, node.pot) for ev in node.evs], _EV),
            Column("% of pot", [ev / node.pot for ev in node.evs], _SHARE),
            equity,
            Column("EQR", node.eqrs, _SHARE),
        ],
        is_small=True,
    )


def decision_blocks(
    node: SpotNode, *, player: int | None = None, suits: bool = False, unit: Unit = CHIPS
) -> list[Block]:
    """Return what is played at a node, and by which hands of a player, by default of who decides.

    With ``suits`` each hand stands by itself.
    """
    holder = node.player if player is None else player
    name = node.names[node.player]
    title = f"{name} {node.where}, board {node.board}, pot {unit.text(node.pot)}"
    blocks: list[Block] = [Facts(title=title)]
    keys = action_keys(node)
    picture = Figure("range", node, f"what each hand plays: {title}")
    if not node.has_grid:
        blocks += [Grid(keys, picture=picture), Facts([""]), made_hand_table(node, holder, unit)]
    elif holder == node.player and suits:
        blocks.append(Grid(keys, _hand_cells(node), picture=picture))
    elif holder == node.player:
        blocks.append(_class_grid(node, holder, keys, picture))
    else:
        picture_of_range = picture._replace(options={"player": holder})
        blocks += [
            Grid(keys),
            Facts(title=f"Range of {node.names[holder]}"),
            _class_grid(node, holder, [], picture_of_range),
        ]
    if node.off_path:
        blocks.append(Facts([node.off_path]))
    return blocks


def class_blocks(node: ClassNode, hand: str | None = None) -> list[Block]:
    """Return what a decision before the flop shows: frequencies and the grid, or one class of hands."""
    title = f"{node.name} {node.where}"
    if hand is None:
        picture = Figure("range", node, f"what each hand plays: {title}")
        return [Facts(title=title), _class_grid(node, node.player, action_keys(node), picture)]
    number = node.number(hand)
    shares = [node.weights[number], *(row[number] for row in node.strategy)]
    frequencies = Table(
        [
            Column(CLASSES[number], ["in the range", *node.actions]),
            Column("frequency", shares, _SHARE),
        ],
        is_small=True,
    )
    return [Facts(title=title), frequencies]


def action_keys(node: HasFrequencies) -> list[Key]:
    """Return the actions with their frequencies.

    Their letters are X, C, F, A for all-in, and 1, 2, 3 … for bets and raises by size.
    """
    sizes = [action for action in node.actions if action[0] in "BR"]
    colours = betting_colours(node.actions)
    shares = node.frequencies.tolist()
    keys = []
    for action, colour, share in zip(node.actions, colours, shares, strict=True):
        letter = action[0].upper()
        if action in sizes:
            letter = str(sizes.index(action) + 1)[-1]
        keys.append(Key(action, action_words(action), letter, colour, share))
    return keys


def _class_grid(node: InClasses, player: int, keys: Sequence[Key], picture: Figure) -> Grid:
    cells = [Cell(cell.name, cell.weight, cell.shares) for cell in hand_grid(node, player)]
    return Grid(keys, cells, SIDE, _NOTE, picture)


def _hand_cells(node: SpotNode) -> list[Cell]:
    """Return the hands in the range of who decides, class by class."""
    table = node.columns()
    cells = []
    for k, (hand, name) in enumerate(zip(table["hand"], table["class"], strict=True)):
        weight = float(table["range"][k])
        if weight > 0:
            mix = [float(table[action][k]) for action in node.actions]
            cells.append(Cell(hand, weight, mix, group=name))
    return sorted(cells, key=lambda cell: CLASSES.index(cell.group))


def made_hand_table(node: SpotNode, player: int, unit: Unit = CHIPS) -> Table:
    """Return what the made hands of a player are of the range, earn and, of who decides, play."""
    made_hands = node.made(player)
    shares = [share for share, _ in made_hands.values()]
    numbers = [values for _, values in made_hands.values()]
    columns = [
        Column("", list(made_hands)),
        Column("range", shares, _SHARE),
        Column(_heading(node, unit), [unit.ev(values[0], node.pot) for values in numbers], _EV),
        Column("equity", [values[1] for values in numbers], _SHARE),
    ]
    if player == node.player:
        for place, action in enumerate(node.actions, 2):
            columns.append(Column(action, [values[place] for values in numbers], _SHARE))
    title = (
        f"Made hands of {node.names[player]} {node.where}, board {node.board}, pot "
        f"{unit.text(node.pot)}"
    )
    return Table(columns, title=title)


def hand_table(node: SpotNode, hand: str, player: int, unit: Unit = CHIPS) -> Table:
    """Return what a hand earns at a node, and what each of its actions does."""
    number = node.number(hand, player)
    names = ["in the range"]
    shares = [float(node.ranges[player][number])]
    evs = [float(node.ev[player][number])]
    if player == node.player:
        names += node.actions
        shares += node.strategy[:, number].tolist()
        evs += node.action_ev[:, number].tolist()
    evs_in_unit = [unit.ev(ev, node.pot) for ev in evs]
    columns = [
        Column(node.hands[player][number], [*names, "equity"]),
        Column("frequency", [*shares, float(node.equity[player][number])], _SHARE),
        Column(_heading(node, unit), [*evs_in_unit, ""], _number_or_nothing(_EV)),
    ]
    if node.in_chips:
        parts_of_pot = [ev / node.pot for ev in evs]
        columns.append(Column("% of pot", [*parts_of_pot, ""], _number_or_nothing(_SHARE)))
    return Table(columns, is_small=True)


def _heading(node: SpotNode, unit: Unit) -> str:
    """Return the heading of EVs at a node: prizes have no unit that they could be told in."""
    if node.in_chips:
        return unit.heading()
    return _IN_PRIZES


def _number_or_nothing(form: str) -> Callable[[Any], str]:
    """Return what writes numbers in a form, and nothing where there is no number."""

    def write(value: Any) -> str:
        return "" if value == "" else format_value(value, form)

    return write
