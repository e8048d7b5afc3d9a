"""The public states of games made of :class:`~equilibrist.game.rules.Rules`, in which chance deals the hands first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .deal import Deal
from .protocol import CHANCE
from .rules import RulesGame, State

HIDDEN = -1
"""What stands in a state for a card or a die that is not public."""


class PublicRules(ABC):
    """A :class:`~equilibrist.PublicGame` made of the rules of a game: who moves, with what, and what comes after.

    Parameters
    ----------
    game : RulesGame
        The game; no rule but for its payoffs and its public chance may look at the hands.
    hands : pair of sequences of str
        What each player may hold.
    prior : Deal, or float64 array of shape (hands of player 0, hands of player 1)
        The probability of each pair of hands.
    private : range
        Where the hands are in a state.
    history : sequence of int
        Where a state holds what only the names of infosets tell: the moves so far.
    """

    def __init__(
        self,
        game: RulesGame,
        *,
        hands: tuple[Sequence[str], Sequence[str]],
        prior: NDArray[np.float64] | Deal,
        private: range,
        history: Sequence[int],
    ) -> None:
        self.game = game
        self.hands = hands
        self._prior = prior
        self._hidden = {**dict.fromkeys(private, HIDDEN), **dict.fromkeys(history, 0)}

    def __str__(self) -> str:
        return str(self.game)

    def __repr__(self) -> str:
        return f"<Public states of {self.game!r}>"

    def prior(self) -> NDArray[np.float64] | Deal:
        return self._prior

    def _public(self, state: State) -> State:
        return tuple(self._hidden.get(place, number) for place, number in enumerate(state))

    def start(self) -> State:
        state = self.game.start()
        while self.game.player(state) == CHANCE:
            state = self.game.next(state, self.game.actions(state)[0])
        return self._public(state)

    def player(self, state: State) -> int:
        return self.game.player(state)

    def actions(self, state: State) -> list[int]:
        return self.game.actions(state)

    def probabilities(self, state: State) -> Sequence[Any]:
        """Return the probability of each outcome of public chance, which few games have."""
        return []

    def next(self, state: State, action: int) -> State:
        return self._public(self.game.next(state, action))

    @abstractmethod
    def payoff(self, state: State) -> Any:
        """Return what player 0 gets from player 1 at an end."""

    def action_label(self, state: State, action: int) -> str:
        return self.game.action_label(state, action)
