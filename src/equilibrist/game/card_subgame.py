"""Parts of card games: what follows on a line and a board."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .card_game import CardGame, Pair, ShowdownPayoffs
from .deal import Deal
from .protocol import action_label


class CardSubgame:
    """The part of a card game that follows on a betting state, on a board, with all hands that the board leaves.

    No symmetry of the suits is used: the strategies that reach the board need not have any.
    ``board`` are all cards that are public there.
    """

    def __init__(self, game: CardGame, state: Hashable, board: Sequence[int]) -> None:
        self.game = game
        self.state = state
        self.hands = game.hands
        self.cards = game.cards
        self.board = tuple(board)
        num_public = np.cumsum([len(game.board), *game.streets])
        self.streets = game.streets[int(np.searchsorted(num_public, len(board))) :]
        self.symmetries: NDArray[np.int64] = np.arange(game.deal.cards)[None, :]

    def __str__(self) -> str:
        return str(self.game)

    @property
    def deal(self) -> Deal:
        return self.game.deal

    def strengths(self, boards: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        return self.game.strengths(boards)

    def start(self) -> Hashable:
        return self.state

    def player(self, state: Any) -> int:
        return self.game.player(state)

    def actions(self, state: Any) -> Sequence[Hashable]:
        return self.game.actions(state)

    def next(self, state: Any, action: Any) -> Hashable:
        return self.game.next(state, action)

    def action_label(self, state: Any, action: Any) -> str:
        return action_label(self.game, state, action)

    def payoff(self, state: Any) -> Pair | ShowdownPayoffs:
        return self.game.payoff(state)
