"""Card games made of :class:`~equilibrist.game.rules.Rules`: one private card each, then public cards one by one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .card_game import Pair, ShowdownPayoffs
from .deal import Deal
from .public import Showdown
from .public_rules import HIDDEN, PublicRules, ShownRules
from .rules import State


class CardRules(ShownRules):
    """A :class:`~equilibrist.game.card_game.CardGame` made of the rules of a game and of its public states.

    Payoffs are those of the game: net of what was paid at the start too, so that both sum to 0. The
    prior of ``public`` is a :class:`Deal` of one card to each player; ``places`` are where a state
    holds cards, private and public; ``symmetries`` are as in a card game; ``streets`` is the number
    of public cards, each a street.
    """

    board: tuple[int, ...] = ()

    def __init__(
        self,
        public: PublicRules,
        *,
        places: Collection[int],
        symmetries: NDArray[np.int64],
        streets: int,
    ) -> None:
        super().__init__(public.game, dict.fromkeys(places, HIDDEN))
        self.deal = cast(Deal, public.prior())
        self.hands = public.hands
        self.cards = public.hands[0]
        self.streets = (1,) * streets
        self.symmetries = symmetries
        self._public = public

    def __repr__(self) -> str:
        return f"<Card game of {self.game!r}>"

    @abstractmethod
    def strengths(
        self, boards: NDArray[np.int64], /
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the strength of each hand of each player on complete boards: greater is stronger."""

    def next(self, state: State, action: Any) -> State:
        return super().next(state, self.game.actions(state)[0] if action is None else action)

    def payoff(self, state: State) -> Pair | ShowdownPayoffs:
        paid = self._public.payoff(state)
        if isinstance(paid, Showdown):
            return ShowdownPayoffs(
                *((float(amount), -float(amount)) for amount in (paid.win, paid.tie, paid.lose))
            )
        return float(paid), -float(paid)
