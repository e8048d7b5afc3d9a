"""What strategies show, as blocks: their first infosets, with the probability of each action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..show.blocks import Column, Rest, Table

if TYPE_CHECKING:
    from .strategy import Strategy

_INFOSETS = 24


def first_infosets(strategy: Strategy, count: int = _INFOSETS) -> list[int]:
    """Return the numbers of infosets, player by player, as many of each as fit into a count."""
    owner = strategy.infosets.owner
    players = range(int(owner.max(initial=0)) + 1)
    fit = count // len(players)
    return [
        number
        for player in players
        for number in [i for i in strategy.order if owner[i] == player][:fit]
    ]


def rest_of_infosets(count: int, remedy: str) -> Rest | None:
    """Return that so many infosets are left out; None where none are."""
    if count <= 0:
        return None
    return Rest(f"and {count:,} more infosets", remedy)


def strategy_table(strategy: Strategy, count: int = _INFOSETS) -> Table:
    """Return the first infosets with their probabilities, of which ``count`` fit."""
    if len(strategy) <= count and count > _INFOSETS:
        numbers = list(strategy.order)
    else:
        numbers = first_infosets(strategy, count)
    infosets = [strategy.infosets[number] for number in numbers]
    return Table(
        [
            Column("player", [player for player, _, _ in infosets], "d"),
            Column("infoset", [key for _, key, _ in infosets]),
            Column("probabilities", [strategy.at(number) for number in numbers], ".3f", bars=True),
        ],
        title="Strategy",
        rest=rest_of_infosets(len(strategy) - len(numbers), "--strategy FILE.csv writes them all"),
    )
