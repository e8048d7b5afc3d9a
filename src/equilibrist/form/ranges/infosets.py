"""The infosets of three ranges: by decision and board, named when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._util.arrays import Ints, offsets
from ..infosets import Infoset, Infosets
from .boards import BoardTree
from .game import RangeGame
from .payments import Decision


class RangeInfosets(Infosets):
    """Infosets in the order of decisions, boards and hands: a block for each decision on each board.

    Attributes
    ----------
    decision, board : int64 array, shape (blocks,)
        The decision of each block, and its board.
    first : int64 array, shape (blocks + 1,)
        Number of the first infoset of each block.
    """

    def __init__(self, game: RangeGame, boards: BoardTree, decisions: list[Decision]) -> None:
        numbers = [boards.boards_of(decision.street) for decision in decisions]
        sizes = [len(boards_of_decision) for boards_of_decision in numbers]
        self.decision: Ints = np.repeat(np.arange(len(decisions)), sizes)
        self.board: Ints = np.concatenate([np.zeros(0, np.int64), *numbers])
        player = np.array([decision.player for decision in decisions], np.int64)[self.decision]
        actions = np.array([decision.actions for decision in decisions], np.int64)[self.decision]
        counts = boards.counts[player, self.board]
        self.first: Ints = offsets(counts)
        super().__init__(
            np.repeat(player.astype(np.uint32), counts),
            np.repeat(actions.astype(np.uint32), counts),
        )
        self._game = game
        self._boards = boards
        self._decisions = decisions

    def make_infoset(self, index: int) -> Infoset:
        block = int(np.searchsorted(self.first, index, side="right")) - 1
        return next(self._infosets_of(block, index - int(self.first[block])))

    def first_of_decisions(self) -> Ints:
        return self.first[:-1]

    def __iter__(self) -> Iterator[Infoset]:
        for block in range(len(self.decision)):
            yield from self._infosets_of(block, 0)

    def _infosets_of(self, block: int, begin: int) -> Iterator[Infoset]:
        """Iterate over the infosets of a block, from a hand on."""
        decision = self._decisions[int(self.decision[block])]
        board = int(self.board[block])
        node = self._game.nodes[decision.node]
        cards = "".join(self._game.cards[card] for card in self._boards.dealt[board])
        rest = [part for part in (cards, node.line) if part]
        for hand in self._boards.held[decision.player][board][begin:].tolist():
            key = " ".join([self._game.hand_names[hand], *rest])
            yield Infoset(decision.player, key, node.actions)
