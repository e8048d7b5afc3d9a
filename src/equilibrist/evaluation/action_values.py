"""Action values of a strategy: what a player who is at an infoset can expect from each action.

They are the counterfactual values of the best responses to the strategy, payoff × probability, divided by the
probability with which chance and the others lead to the infoset.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from ..form.responses import BestResponses
from ..strategy.reading import Key


class ActionValues:
    """Action values of a strategy, q(I, a) = v(I, a) / π(I); each array is computed when it is first asked for.

    Parameters
    ----------
    form : CompiledGame
        The game; a sequence form with its tree.
    strategy : float64 array, shape (form.length,)
        The strategy at the slots of the form.
    """

    def __init__(self, form: CompiledGame, strategy: Floats) -> None:
        self.form = form
        self.strategy = strategy

    @cached_property
    def best_responses(self) -> BestResponses:
        """Values and best responses of the strategy."""
        return self.form.best_responses(self.strategy)

    @cached_property
    def cf_reach(self) -> Floats:
        """The reach of each infoset by chance and the others, π(I); shape (infosets,)."""
        return self.form.cf_reach(self.strategy)

    @cached_property
    def values(self) -> Floats:
        """The value of each action of each infoset with the best play after it; payoff.

        NaN where chance and the others do not let the infoset be reached. Shape (actions of all infosets,).
        """
        best_value = self.best_responses.best_value[self.form.slot]
        with np.errstate(divide="ignore", invalid="ignore"):
            values: Floats = best_value / np.repeat(self.cf_reach, self.form.infosets.num_actions)
        values[~np.isfinite(values)] = np.nan
        return values

    @cached_property
    def _index(self) -> dict[Key, int]:
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.form.infosets)}

    @property
    def value(self) -> tuple[float, ...]:
        """What each player receives when all follow the strategy; payoff per game."""
        return self.best_responses.value

    @property
    def best_response_value(self) -> tuple[float, ...]:
        """What each player receives with the best response to the others' strategies; payoff per game."""
        return self.best_responses.best_response_value

    def at(self, player: int, key: str) -> tuple[float, ...] | None:
        """Return the value of each action at an infoset of a player; None where the others and chance never lead."""
        index = self._index[player, key]
        if self.cf_reach[index] <= 0.0:
            return None
        return tuple(self.values[self.form.first_action[index] : self.form.first_action[index + 1]].tolist())
