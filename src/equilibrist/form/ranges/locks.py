"""Locks of three ranges: at which slots the strategy is fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints

if TYPE_CHECKING:
    from .form import RangeForm


class Locks(NamedTuple):
    """Where the strategy is fixed, and to what.

    Attributes
    ----------
    slots : int64 array, shape (n,)
    probabilities : float64 array, shape (n,)
    """

    slots: Ints
    probabilities: Floats


def place_locks(form: RangeForm) -> Locks | None:
    """Return what the locks of a game fix; None where it has none."""
    if not form.range_game.locks:
        return None
    boards = form.boards
    number_of_node = {decision.node: k for k, decision in enumerate(form.decisions)}
    slots: list[Ints] = [np.zeros(0, np.int64)]
    probabilities: list[Floats] = [np.zeros(0)]
    for lock in form.range_game.locks:
        number = number_of_node[lock.node]
        decision = form.decisions[number]
        for board in boards.boards_of(decision.street).tolist():
            if boards.dealt[board][: len(lock.dealt)] != lock.dealt:
                continue
            held = boards.held[decision.player][board]
            chosen = form.slots_of(number, board)[:, lock.is_locked[held]]
            slots.append(chosen.ravel())
            probabilities.append(np.repeat(lock.shares, chosen.shape[1]))
    return Locks(np.concatenate(slots), np.concatenate(probabilities))
