"""The leaves of a part that is cut, of which a function says what they are worth, given both ranges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._util.arrays import Floats
from ..errors import SolutionError


@dataclass(frozen=True, eq=False, repr=False)
class Leaf:
    """A public state at which a part is cut.

    Attributes
    ----------
    hands : pair of tuples of str
        The hands of both players that can be there: in card forms their cards, in sequence forms
        the infosets that come next or came last.
    chance : float64 array, shape (hands of 0, hands of 1)
        The probability of chance, the deal included, to bring both there.
    line, board : str
        In card forms the actions before, from the start of the game on, and the public cards; else
        empty.
    """

    hands: tuple[tuple[str, ...], tuple[str, ...]]
    chance: Floats
    make_payoffs: Callable[[], Floats]
    line: str = ""
    board: str = ""

    @cached_property
    def payoffs(self) -> Floats:
        """What both get on average where they go on as the blueprint does, shape (2, hands of 0, hands of 1).

        It is computed when somebody asks for it.
        """
        return self.make_payoffs()


LeafFunction = Callable[[Leaf, tuple[Floats, Floats]], tuple[Any, Any]]
"""What leaves are worth: (leaf, ranges) → the counterfactual value of each hand of both players, two arrays of numbers.

A range has for each hand the probability that its player's own moves lead there, up to a factor
that is the same for all of a player's hands. A value is payoff × the probability that chance and
the other, by its range, come there.
"""


def ask(
    function: LeafFunction, leaf: Leaf, ranges: tuple[Floats, Floats], player: int, constant: float
) -> Floats:
    """Return what a function says that the hands of a player are worth at a leaf, less a constant in each payoff.

    Raises
    ------
    SolutionError
        It does not return a finite number for each hand.
    """
    values = np.asarray(function(leaf, ranges)[player], np.float64)
    if values.shape != (len(leaf.hands[player]),) or not np.isfinite(values).all():
        raise SolutionError(
            "leaves: the function must return two arrays of finite numbers, "
            f"{len(leaf.hands[0])} and {len(leaf.hands[1])} long at this leaf, a value for each "
            f"hand; got {values!r} for player {player}.",
            wrong_use=True,
        )
    chance = leaf.chance if player == 0 else leaf.chance.T
    return values - constant * (chance @ ranges[1 - player])
