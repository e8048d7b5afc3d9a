"""Locks of three ranges: at which slots the strategy is fixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from .boards import BoardTree
from .game import RangeGame
from .payments import Decision


class Locks(NamedTuple):
    """Where the strategy is fixed, and to what.

    Attributes
    ----------
    slots : int64 array, shape (n,)
    probabilities : float64 array, shape (n,)
    """

    slots: Ints
    probabilities: Floats


def place_locks(
    game: RangeGame,
    boards: BoardTree,
    decisions: list[Decision],
    slots_of: Callable[[int, int], Ints],
) -> Locks:
    """Return what the locks of a game fix; ``slots_of`` gives the slots of a decision on a board."""
    number_of_node = {decision.node: k for k, decision in enumerate(decisions)}
    slots: list[Ints] = [np.zeros(0, np.int64)]
    probabilities: list[Floats] = [np.zeros(0)]
    for lock in game.locks:
        number = number_of_node[lock.node]
        decision = decisions[number]
        for board in boards.boards_of(decision.street).tolist():
            if boards.dealt[board][: len(lock.dealt)] != lock.dealt:
                continue
            held = boards.held[decision.player][board]
            chosen = slots_of(number, board)[:, lock.is_locked[held]]
            slots.append(chosen.ravel())
            probabilities.append(np.repeat(lock.shares, chosen.shape[1]))
    return Locks(np.concatenate(slots), np.concatenate(probabilities))
