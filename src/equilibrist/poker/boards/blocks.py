"""What reports over boards show, as blocks: the weighted means at each line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...evaluation.units import CHIPS, Unit
from ...show.blocks import Block, Column, Facts, Table
from ..spot.betting_tree import PLAYERS
from ..spot.lines import place_in_words
from .board_report import read_frequencies

if TYPE_CHECKING:
    from .board_report import BoardReport

_MEASURES = (("ev", "EV", ".3f"), ("equity", "equity", ".2%"), ("eqr", "EQR", ".2%"))
_LEAVING = {"EQR IP": 1, "EQR OOP": 2, "equity IP": 3, "equity OOP": 4, "boards": 5}
"""In which order columns leave where a page is narrow."""


def board_blocks(report: BoardReport) -> list[Block]:
    """Return what a report over boards shows."""
    return [Facts([report.spot]), *mean_tables(report)]


def mean_tables(report: BoardReport, unit: Unit = CHIPS) -> Iterator[Table]:
    """Yield the weighted means at each line, with EVs in a unit."""
    units = f", EVs in {unit.name}" if unit.name != CHIPS.name else ""
    for mean in report.means():
        place = place_in_words(mean["line"])
        title = f"{mean['player']} {place}: weighted means{units}"
        yield Table(list(_mean_columns(mean, unit)), title=title)


def _mean_columns(mean: Mapping[str, Any], unit: Unit) -> Iterator[Column]:
    yield Column("boards", [mean["boards"]], "d", leaves=_LEAVING["boards"])
    for measure, name, form in _MEASURES:
        for seat in PLAYERS:
            number = mean[f"{measure}_{seat.lower()}"]
            if measure == "ev":
                number = unit.ev(number, mean["pot"])
            heading = f"{name} {seat}"
            yield Column(heading, [number], form, leaves=_LEAVING.get(heading, 0))
    for action, share in read_frequencies(mean).items():
        yield Column(action, [share], ".1%")
