"""Card games made of :class:`~equilibrist.game.rules.Rules`: one private card each, then public cards one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .card_game import Pair, ShowdownPayoffs
from .deal import Deal
from .protocol import CHANCE
from .public import Showdown
from .public_rules import HIDDEN, PublicRules
from .rules import State


class CardRules(ABC):
    """A :class:`~equilibrist.game.card_game.CardGame` made of the rules of a game and of its public states.

    Payoffs are those of the game: net of what was paid at the start too, so that both sum to 0. The prior of ``public``
    is a :class:`Deal` of one card to each player; ``places`` are where a state holds cards, private and public;
    ``symmetries`` are as in a card game; ``streets`` is the number of public cards, each a street.
    """

    board: tuple[int, ...] = ()

    def __init__(
        self, public: PublicRules, *, places: Collection[int], symmetries: NDArray[np.int64], streets: int
    ) -> None:
        self.game = public.game
        self.deal = cast(Deal, public.prior())
        self.hands = public.hands
        self.cards = public.hands[0]
        self.streets = (1,) * streets
        self.symmetries = symmetries
        self._public = public
        self._places = places

    def __str__(self) -> str:
        return str(self.game)

    def __repr__(self) -> str:
        return f"<Card game of {self.game!r}>"

    def _betting(self, state: State) -> State:
        return tuple(HIDDEN if place in self._places else number for place, number in enumerate(state))

    @abstractmethod
    def strengths(self, boards: NDArray[np.int64], /) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the strength of each hand of each player on complete boards: greater is stronger."""

    def start(self) -> State:
        state = self.game.start()
        while self.game.player(state) == CHANCE:
            state = self.game.next(state, self.game.actions(state)[0])
        return self._betting(state)

    def player(self, state: State) -> int:
        return self.game.player(state)

    def actions(self, state: State) -> Sequence[int]:
        return self.game.actions(state)

    def next(self, state: State, action: Any) -> State:
        return self._betting(self.game.next(state, self.game.actions(state)[0] if action is None else action))

    def payoff(self, state: State) -> Pair | ShowdownPayoffs:
        paid = self._public.payoff(state)
        if isinstance(paid, Showdown):
            return ShowdownPayoffs(*((float(won), -float(won)) for won in (paid.win, paid.tie, paid.lose)))
        return float(paid), -float(paid)

    def action_label(self, state: State, action: int) -> str:
        return self.game.action_label(state, action)
