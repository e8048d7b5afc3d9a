"""What is told of how far a strategy is from an equilibrium, by the number of players.

With two players or one it is the exploitability. With three or more no theorem brings it to 0, nor
says what it is worth: there it is what each player gains by deviating alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

GapT = TypeVar("GapT", float, float | None)
"""A number that says how far, or None where it is not known."""


class GapWords(NamedTuple):
    """What numbers are called.

    Attributes
    ----------
    gap : str
        The number that says how far: the exploitability, or the largest gain of a player.
    mean : str
        nash_conv / players.
    total : str
        nash_conv, the sum of what the players gain by deviating alone.
    meaning : str
        What the first of them is.
    """

    gap: str
    mean: str
    total: str
    meaning: str


_OF_TWO = GapWords(
    gap="exploitability",
    mean="exploitability",
    total="nash_conv",
    meaning="nash_conv / players, payoff per game",
)
_OF_MORE = GapWords(
    gap="largest gain",
    mean="mean gain",
    total="sum of gains",
    meaning="of a player who deviates alone, payoff per game",
)


def tells_gains(players: int) -> bool:
    """Return whether so many players are told what each gains, in the place of an exploitability."""
    return players > 2


def gap_words(players: int) -> GapWords:
    """Return what the numbers of a game of so many players are called."""
    if tells_gains(players):
        return _OF_MORE
    return _OF_TWO


def gap_heading(players: Iterable[int]) -> str:
    """Return what stands above the numbers that say how far, of games of so many players each.

    >>> gap_heading([2, 1]), gap_heading([3]), gap_heading([2, 3])
    ('exploitability', 'largest gain', 'exploitability / largest gain')
    """
    kinds = {tells_gains(number) for number in players}
    if len(kinds) > 1:
        return f"{_OF_TWO.gap} / {_OF_MORE.gap}"
    if kinds == {True}:
        return _OF_MORE.gap
    return _OF_TWO.gap


def name_measures(text: str, players: int) -> str:
    """Return a text about exploitability or nash_conv with what these are called with so many players.

    >>> name_measures("exploitability, payoff per game", 3)
    'mean gain, payoff per game'
    """
    words = gap_words(players)
    return text.replace("exploitability", words.mean).replace("nash_conv", words.total)


def find_gap(exploitability: GapT, gains: Sequence[float]) -> GapT:
    """Return the number that says how far: the largest gain of three or more, else the exploitability.

    >>> find_gap(0.1, (0.1, 0.1)), find_gap(0.1, (0.0, 0.1, 0.2))
    (0.1, 0.2)
    """
    if tells_gains(len(gains)):
        return max(gains)
    return exploitability


def find_gap_percent(percent: float, exploitability: float, gains: Sequence[float]) -> float:
    """Return the same in % of the pot, given the exploitability in % of the pot.

    >>> find_gap_percent(5.0, 0.1, (0.0, 0.1, 0.2))
    10.0
    """
    if not tells_gains(len(gains)) or not exploitability > 0 or math.isnan(percent):
        return percent
    return percent * max(gains) / exploitability
