"""Local best response to a blueprint: how much is surely lost against somebody who knows it.

The responder knows what the blueprint does with every hand, and so how likely it holds each of the
1,326. At each decision the responder takes the action that is best if it is followed by checks and
calls to the end, and if a raise is folded to as the blueprint says, else called.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ..._util.validate import check_seed, is_whole
from ...errors import AlgorithmError
from ...play.local_best_response import Gain, LocalBestResponse
from ..cards.cards import HANDS, NUM_CARDS
from ..cards.hand_ranks import strengths
from .betting import BIG_BLIND, BOARD_CARDS, CALL, FOLD, FOLDED
from .blueprint import Blueprint

_RUNOUTS = 24
"""Boards that are drawn to the end where an action is weighed before the river."""
_HOLDS: NDArray[np.bool_] = (HANDS[:, :, None] == np.arange(NUM_CARDS)).any(axis=1)
"""Whether a hand holds a card, shape (1326, 52)."""


def respond(blueprint: Blueprint, *, hands: int = 1000, seed: int = 0) -> LocalBestResponse:
    """Return the local best responses to a blueprint; see :meth:`Blueprint.local_best_response`."""
    if not is_whole(hands, 2):
        raise AlgorithmError(f"hands must be a whole number, 2 or more; got {hands!r}.")
    check_seed(seed)
    earned = earn(blueprint, hands=hands, seed=seed)
    means = earned.mean(axis=0)
    errors = earned.std(axis=0, ddof=1) / np.sqrt(hands)
    half = float(means.sum()) / 2
    gains = {
        player: Gain(float(means[player]), float(errors[player]), half, float(errors[player]))
        for player in range(2)
    }
    return LocalBestResponse(str(blueprint.game), 2, hands, seed, gains)


def earn(blueprint: Blueprint, *, hands: int, seed: int = 0) -> Floats:
    """Return what the local best response wins of each hand in either seat, shape (hands, 2); big blinds.

    The seed decides the same deals for all blueprints, as far as these lead to the same streets.
    """
    earned = np.zeros((hands, 2))
    for number in range(hands):
        for player in range(2):
            random = np.random.default_rng([seed, number, player])
            earned[number, player] = _Hand(blueprint, player, random).play()
    return earned


class _Weighed(NamedTuple):
    """What is known of showdowns on a board: for each hand of the other, the responder's chance and if it counts."""

    equity: Floats
    possible: NDArray[np.bool_]


class _Hand:
    """One hand of the responder against a blueprint's range.

    ``reach``, shape (1326,), is how likely the blueprint holds each hand, but for a factor.
    """

    def __init__(self, blueprint: Blueprint, player: int, random: np.random.Generator) -> None:
        self.blueprint = blueprint
        self.tree = blueprint.game.tree
        self.player = player
        self.random = random
        self.hand = int(random.integers(len(HANDS)))
        self.board: list[int] = []
        self.reach = np.ones(len(HANDS))
        self.reach[_HOLDS[:, HANDS[self.hand]].any(axis=1)] = 0.0

    def play(self) -> float:
        """Return what the responder wins, on average over the range; big blinds."""
        node = 0
        while self.tree.mover[node] >= 0:
            self._deal(BOARD_CARDS[self.tree.street[node]])
            if self.tree.mover[node] == self.player:
                number = self._choose(node)
            else:
                number = self._draw(node)
            node = int(self.tree.first_child[node]) + number
        if self.tree.mover[node] == FOLDED:
            return self.tree.won_by_fold(node)[self.player]
        paid = self.tree.paid[node] / BIG_BLIND
        self._deal(BOARD_CARDS[-1])
        return float(paid[0]) * (2 * self._share(self._weigh(), self.reach) - 1)

    def _deal(self, count: int) -> None:
        """Deal public cards until there are so many, each as likely as the range leaves it."""
        while len(self.board) < count:
            likely = self.reach.sum() - self.reach @ _HOLDS
            likely[[*HANDS[self.hand], *self.board]] = 0.0
            likely = np.maximum(likely, 0.0)
            card = int(self.random.choice(NUM_CARDS, p=likely / likely.sum()))
            self.board.append(card)
            self.reach[_HOLDS[:, card]] = 0.0

    def _rows(self, node: int) -> Floats:
        """Return what the blueprint does at a node with each hand, shape (1326, actions)."""
        return self.blueprint.hand_rows(node, tuple(self.board))

    def _draw(self, node: int) -> int:
        """Draw an action of the blueprint's range, and keep what it tells of the hand."""
        rows = self._rows(node)
        likely = self.reach @ rows
        number = int(self.random.choice(len(likely), p=likely / likely.sum()))
        self.reach = self.reach * rows[:, number]
        return number

    def _choose(self, node: int) -> int:
        """Return the action that is best if it is followed by checks and calls."""
        paid = self.tree.paid[node] / BIG_BLIND
        others_paid = float(paid[1 - self.player])
        weighed = self._weigh()
        values = []
        for number, action in enumerate(self.tree.actions[node]):
            stake = action.paid / BIG_BLIND
            if action.kind == FOLD:
                values.append(-stake)
            elif action.kind == CALL:
                values.append(stake * (2 * self._share(weighed, self.reach) - 1))
            else:
                child = int(self.tree.first_child[node]) + number
                folds = self._rows(child)[:, 0]
                likely = float(self.reach @ folds) / float(self.reach.sum())
                called = self._share(weighed, self.reach * (1 - folds))
                values.append(likely * others_paid + (1 - likely) * stake * (2 * called - 1))
        return int(np.argmax(values))

    def _weigh(self) -> _Weighed:
        """Return the responder's share of the pot at showdown against each hand, on average over boards."""
        left = np.setdiff1d(np.arange(NUM_CARDS), [*HANDS[self.hand], *self.board])
        missing = BOARD_CARDS[-1] - len(self.board)
        count = _RUNOUTS if missing else 1
        boards = np.array(
            [[*self.board, *self.random.choice(left, missing, replace=False)] for _ in range(count)]
        )
        strength = strengths(boards, HANDS).astype(np.int64)
        strength_held = strength[:, self.hand, None]
        share = (strength_held > strength) + 0.5 * (strength_held == strength)
        counts = ~_HOLDS[:, boards].any(axis=2).T
        total = counts.sum(axis=0)
        equity = (share * counts).sum(axis=0) / np.maximum(total, 1)
        return _Weighed(equity, total > 0)

    def _share(self, weighed: _Weighed, reach: Floats) -> float:
        """Return the share of the pot against a range."""
        counted = reach * weighed.possible
        total = float(counted.sum())
        if total == 0.0:
            return 0.5
        return float(counted @ weighed.equity) / total
