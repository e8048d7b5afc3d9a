"""What equities of ranges show, as blocks: in all, by equity and by made hand."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ...show.blocks import Block, Column, Facts, Table
from .betting_tree import PLAYERS

if TYPE_CHECKING:
    from .equity import Equity

_BINS = 10
_SHARE = ".2%"


def equity_blocks(result: Equity) -> list[Block]:
    """Return what the equity of two ranges shows."""
    blocks: list[Block] = [
        Table(
            [
                Column("", PLAYERS),
                Column("hands", [len(names) for names in result.hands], "d"),
                Column("combos", [float(weights.sum()) for weights in result.ranges], ".6g"),
                Column("equity", result.equities, _SHARE),
            ],
            title=f"Equity on {result.board}",
        ),
        _distribution_table(result),
    ]
    for player, seat in enumerate(PLAYERS):
        made_hands = result.made(player)
        shares = [share for share, _ in made_hands.values()]
        equities = [values[0] for _, values in made_hands.values()]
        blocks += [
            Facts([""]),
            Table(
                [
                    Column("", list(made_hands)),
                    Column("range", shares, _SHARE),
                    Column("equity", equities, _SHARE),
                ],
                title=f"Made hands of {seat}",
            ),
        ]
    return blocks


def _distribution_table(result: Equity) -> Table:
    """Return how much of each range has which equity, with bars up to the largest share."""
    edges = [100 * number // _BINS for number in range(_BINS + 1)]
    names = [f"{start} to {end} %" for start, end in pairwise(edges)]
    columns = [Column("equity", names)]
    for player, seat in enumerate(PLAYERS):
        shares = result.distribution(player, _BINS).tolist()
        columns.append(Column(seat, shares, _SHARE, bars=True, longest=max(shares)))
    title = "How much of each range, OOP and IP, has which equity"
    return Table(columns, title=title, is_small=True)
