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


class ShownRules(ABC):
    """The rules of a game over states in which ``hidden`` says what stands in some places instead of what is there."""

    def __init__(self, game: RulesGame, hidden: dict[int, int]) -> None:
        self.game = game
        self._hidden = hidden

    def __str__(self) -> str:
        return str(self.game)

    def _deal_cards_shown(self, state: State) -> State:
        return tuple(self._hidden.get(place, number) for place, number in enumerate(state))

    def start(self) -> State:
        """Return the state after the deal."""
        state = self.game.start()
        while self.game.player(state) == CHANCE:
            state = self.game.next(state, self.game.actions(state)[0])
        return self._deal_cards_shown(state)

    def player(self, state: State) -> int:
        return self.game.player(state)

    def actions(self, state: State) -> list[int]:
        return self.game.actions(state)

    def next(self, state: State, action: Any) -> State:
        return self._deal_cards_shown(self.game.next(state, action))

    def action_label(self, state: State, action: int) -> str:
        return self.game.action_label(state, action)

    @abstractmethod
    def payoff(self, state: State) -> Any:
        """Return what is paid at an end."""


class PublicRules(ShownRules):
    """A :class:`~equilibrist.PublicGame` made of the rules of a game: who moves, with what, and what comes after.

    No rule of the game but for its payoffs and its public chance may look at the hands. ``private``
    says where the hands are in a state, ``history`` where it holds what only the names of infosets
    tell: the moves so far.
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
        super().__init__(game, {**dict.fromkeys(private, HIDDEN), **dict.fromkeys(history, 0)})
        self.hands = hands
        self._prior = prior

    def __repr__(self) -> str:
        return f"<Public states of {self.game!r}>"

    def prior(self) -> NDArray[np.float64] | Deal:
        return self._prior

    def probabilities(self, state: State) -> Sequence[Any]:
        """Return the probability of each outcome of public chance, which few games have."""
        return []
