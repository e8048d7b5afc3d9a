"""What charts of push or fold show, as blocks: the highest stack of each hand, and the stacks with gaps between; and
equities before the flop, in all and by class of hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING

from ..._util.text import count_text
from ...show.blocks import Block, Cell, Column, Facts, Figure, Grid, Table
from ...show.numbers import UNKNOWN
from ..cards.cards import CLASSES
from .charts import GAPS

if TYPE_CHECKING:
    from .charts import Charts
    from .equity import PreflopEquity

_SIDE = 13
_SHARE = ".2%"


def chart_blocks(chart: Charts) -> list[Block]:
    """Return what a chart shows: a grid for each action, and the stacks of each hand."""
    blocks: list[Block] = []
    for action in chart.actions:
        blocks += _action_blocks(chart, action)
    columns = [
        Column(action, [chart.text(action, hand) for hand in CLASSES]) for action in chart.actions
    ]
    stacks = count_text(len(chart.stacks), "stack")
    bound = f"Exploitability at most {chart.exploitability.max():.3g} bb a hand, over {stacks}"
    return [
        *blocks,
        Table(
            [Column("hand", CLASSES), *columns],
            title="big blinds, from … to, with the gaps between",
            is_long=True,
        ),
        Facts(["", bound]),
    ]


def _action_blocks(chart: Charts, action: str) -> Iterator[Block]:
    stacks = chart.highest(action).tolist()
    names_with_gaps = [name for name in CLASSES if len(chart.intervals(action, name)) > 1]
    cells = []
    for name, stack in zip(CLASSES, stacks, strict=True):
        mark = GAPS if name in names_with_gaps else ""
        text = UNKNOWN if isnan(stack) else f"{stack:.4g}{mark}"
        cells.append(Cell(name, float(not isnan(stack)), (), text=text))
    picture = Figure("chart", chart, f"the highest stacks to {action}", {"action": action})
    yield Facts(title=f"The highest stack to {action} with, big blinds")
    yield Grid(cells=cells, side=_SIDE, picture=picture)
    if names_with_gaps:
        texts = [f"{name} {chart.text(action, name)}" for name in names_with_gaps]
        yield Facts(["", f"{GAPS} with gaps: " + "; ".join(texts)])


def equity_blocks(result: PreflopEquity) -> list[Block]:
    """Return what the equity of two ranges before the flop shows."""
    blocks: list[Block] = [
        Table(
            [
                Column("", result.names),
                Column("combos", [player_range.combos for player_range in result.ranges], ".6g"),
                Column("equity", result.equities, _SHARE),
                Column("win", result.wins, _SHARE),
                Column("tie", [result.tie] * 2, _SHARE),
            ],
            title="Equity before the flop",
        )
    ]
    for player, name in enumerate(result.names):
        table = result.columns(player)
        if len(table["hand"]) == 1:
            continue
        columns = [
            Column("", table["hand"]),
            Column("combos", table["combos"], ".6g"),
            *(Column(key, table[key], _SHARE) for key in ("equity", "win", "tie")),
        ]
        blocks += [Facts([""]), Table(columns, title=f"Hands of {name}")]
    return blocks
