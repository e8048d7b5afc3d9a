"""Units of chips in spots of hold'em: chips, big blinds, % of the pot, and net of half the pot."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._util.text import short_repr
from ..errors import GameError


class Unit(NamedTuple):
    """How EVs and amounts are told.

    Parameters
    ----------
    name : str
        What it is called in headings.
    size : float
        Chips of one unit.
    of_pot : bool
        Whether EVs are told in % of the pot at their decision, and amounts in chips.
    net : bool
        Whether half of that pot is taken from EVs: those of both players then sum to 0 (less rake).
    """

    name: str
    size: float = 1.0
    of_pot: bool = False
    net: bool = False

    def ev(self, chips: float, pot: float) -> float:
        """Return an EV in this unit, from chips, at a decision with this pot (chips)."""
        if self.of_pot:
            return 100 * chips / pot
        return (chips - pot / 2 * self.net) / self.size

    def change(self, chips: float, pot: float) -> float:
        """Return a difference of EVs, such as a cost, in this unit; likewise."""
        if self.of_pot:
            return 100 * chips / pot
        return chips / self.size

    def text(self, chips: float) -> str:
        """Return an amount of chips, such as a pot, in this unit."""
        if self.size == 1:
            return f"{chips / self.size:g}"
        return f"{chips / self.size:.4g} {self.name}"

    def heading(self, quantity: str = "EV") -> str:
        """Return the heading of a column of EVs or other amounts."""
        if self.name != CHIPS.name:
            return f"{quantity}, {self.name}"
        return quantity


CHIPS = Unit("chips")
UNITS = {
    "chips": CHIPS,
    "bb": Unit("bb"),
    "pot": Unit("% of pot", of_pot=True),
    "net": Unit("net", net=True),
}
"""Units by name; of ``bb`` the size is that of the spot, or is given as in ``bb=2``."""


def find_unit(text: str, game: Any = None) -> Unit:
    """Return the unit of a text: ``chips``, ``bb``, ``bb=2`` (chips of a big blind), ``pot`` or ``net``.

    A big blind is the least bet of the spot, ``min_bet``, where no number is given. Without a game
    the pot is told with each EV, and a big blind needs its number.

    Raises
    ------
    GameError
        There is no such unit, the size of the big blind is not known, or the game is no spot.
    """
    name, _, number = text.partition("=")
    unit = UNITS.get(name)
    if unit is None or (number and name != "bb"):
        raise GameError(
            f"unit must be chips, bb, bb=2, pot or net; got {short_repr(text)}.", wrong_use=True
        )
    if unit is not CHIPS and game is not None and not getattr(game, "in_chips", False):
        raise GameError(
            f"unit {short_repr(text)} is for spots of hold'em that pay chips, and other payoffs "
            "have none; leave it out.",
            wrong_use=True,
        )
    if name != "bb":
        return unit
    settings = {} if game is None else game.settings
    try:
        size = float(number or settings.get("min_bet") or "nan")
    except ValueError:
        size = 0.0
    if not 0 < size < float("inf"):
        raise GameError(
            "unit bb: give the chips of a big blind, a number above 0, as in bb=2; the spot has "
            f"no min_bet, which is used where there is none; got {short_repr(text)}.",
            wrong_use=True,
        )
    return unit._replace(size=size)
