"""Showdowns of hands of four cards without any more betting: what each hand gets of the pot on average."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._util.arrays import Floats
from ...form.cards.build import compile_cards
from ...form.cards.subgame import Subgame
from ...game.card_game import CardGame, ShowdownPayoffs
from ...game.card_subgame import CardSubgame
from ...game.protocol import CHANCE, TERMINAL


class _CheckedDown(CardSubgame):
    """What follows on a board where nobody bets any more; the pot is 1, and a state is the number of streets dealt."""

    def __init__(self, game: CardGame, board: tuple[int, ...]) -> None:
        super().__init__(game, 0, board)

    def player(self, state: int) -> int:
        if state < len(self.streets):
            return CHANCE
        return TERMINAL

    def next(self, state: int, action: Any) -> int:
        return state + 1

    def payoff(self, state: int) -> ShowdownPayoffs:
        return ShowdownPayoffs((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))


def checked_down_shares(
    game: CardGame, board: tuple[int, ...], ranges: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Return, for each hand of each player, the sum of weight × share of the pot over the hands of the other player.

    It is the mean over the cards to come, as the ends of a card form compute it.
    """
    part = compile_cards(_CheckedDown(game, board))
    subgame = Subgame(part, np.zeros(part.length))
    both = []
    for player, rows in enumerate(subgame.values(ranges).value):
        mass = part.blockers.mass_of_others(ranges, player)
        both.append(rows[0] + subgame.shift[player] * mass)
    return both[0], both[1]
