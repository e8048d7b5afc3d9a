"""What reports over boards show, as blocks: the weighted means at each line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..._util.spec import parse_call
from ...evaluation.units import CHIPS, Unit
from ...show.blocks import Block, Column, Facts, Table
from ..cards.ranges import Range
from ..spot.betting_tree import PLAYER_KEYS, PLAYERS
from ..spot.lines import place_in_words
from ..spot.settings import find_deck
from .board_report import read_frequencies

if TYPE_CHECKING:
    from .board_report import BoardReport

_MEASURES = (("ev", "EV", ".3f"), ("equity", "equity", ".2%"), ("eqr", "EQR", ".2%"))
_FLOP = 6  # letters of a board before whose cards nothing is played
_LEAVING = {"EQR IP": 1, "EQR OOP": 2, "equity IP": 3, "equity OOP": 4, "boards": 5}
"""In which order columns leave where a page is narrow."""


def board_blocks(report: BoardReport) -> list[Block]:
    """Return what a report over boards shows."""
    terms = describe_terms(report.spot, [board for board, _ in report.weights])
    return [Facts([report.spot, terms]), *mean_tables(report)]


def describe_terms(spot: str, boards: Sequence[str]) -> str:
    """Return in a sentence with which pot, stacks and ranges each board of a report is solved.

    Of later boards than flops it says that these are not the ranges that get there, as readers may expect.
    """
    settings = parse_call(spot)[1]
    deck = find_deck(settings)
    ranges = []
    for name, key in zip(PLAYERS, PLAYER_KEYS, strict=True):
        setting = settings[key]
        text = setting["range"] if isinstance(setting, Mapping) else setting
        combos = Range(text, name=key, deck=deck).combos
        ranges.append(f"{name} {combos:.6g} combos")
    sentence = (
        f"Each board is solved by itself, with the pot of {settings['pot']}, the stacks of "
        f"{settings['stack']} and the ranges of the spot ({', '.join(ranges)})"
    )
    if max(map(len, boards)) > _FLOP:
        return f"{sentence}, not with those that get there: 'equilibrist runouts' shows these."
    return f"{sentence}."


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
