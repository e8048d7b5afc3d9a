"""What evaluations and solutions in fractions show, as blocks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from ..show.blocks import Block, Column, Fact, Facts, Rest, Table
from .blocks import time_fact
from .rational import fraction_text, round_fraction

if TYPE_CHECKING:
    from .proofs import RationalSolution
    from .rational import RationalEvaluation

_ROWS = 30
_LONGEST = 90  # characters of a fraction in a table
_REMEDY = "--json has all"


def _text(number: Fraction) -> str:
    text = fraction_text(number)
    if len(text) <= _LONGEST:
        return text
    return f"{round_fraction(number)} (a fraction of {len(text):,} characters)"


def _facts(result: RationalEvaluation) -> Iterator[Fact]:
    """Yield value, best responses and exploitability; each as a fraction, and about how much it is."""
    for player, number in enumerate(result.value):
        yield Fact(f"value of player {player}", _text(number), note=round_fraction(number, "+"))
    for player, number in enumerate(result.best_response_value):
        yield Fact(f"best response of player {player}", _text(number))
    yield Fact("exploitability", _text(result.exploitability), leads=True)
    yield Fact("size", f"{result.histories:,} histories, {result.infosets:,} infosets")


def evaluation_blocks(result: RationalEvaluation) -> list[Block]:
    """Return what an evaluation in fractions shows."""
    return [Facts([*_facts(result)], title=result.game, about="in fractions, without rounding")]


def solution_blocks(solution: RationalSolution) -> list[Block]:
    """Return what an equilibrium in fractions shows."""
    rows = [
        (player, key, action, probability)
        for (player, key), row in solution.strategy.items()
        for action, probability in row.items()
    ]
    rest = len(rows) - _ROWS
    table = Table(
        [
            Column("player", [row[0] for row in rows[:_ROWS]], "d", leaves=1),
            Column("infoset", [row[1] for row in rows[:_ROWS]]),
            Column("action", [row[2] for row in rows[:_ROWS]]),
            Column("probability", [_text(row[3]) for row in rows[:_ROWS]]),
        ],
        title="Plans",
        rest=Rest(f"and {rest:,} more rows", _REMEDY) if rest > 0 else None,
    )
    facts = [*_facts(solution.evaluation), time_fact({"solve": 0.0} | solution.seconds)]
    about = "an equilibrium in fractions: both best responses win just the value"
    return [Facts(facts, title=solution.game, about=about), table]
