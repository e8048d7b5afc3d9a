"""Where the numbers of each player's infosets are, by the number of their actions: what kernels over rows read."""

from __future__ import annotations

import numpy as np

from .._util.arrays import Ints, offsets
from ..form.compiled_game import CompiledGame
from .rule_kernels import Seat


def make_seats(form: CompiledGame) -> tuple[Seat, ...]:
    """Return the seat of each player of a form."""
    parent = form.parents(np.arange(form.num_infosets))
    moves = _count_moves(form, parent)
    return tuple(_make_seat(form, player, parent, moves) for player in range(form.players))


def sort_infosets(form: CompiledGame, player: int) -> tuple[Ints, Ints]:
    """Return the infosets of a player by the number of their actions, and these numbers."""
    num_actions = np.asarray(form.infosets.num_actions, np.int64)
    infosets = np.flatnonzero(np.asarray(form.infosets.owner) == player)
    infosets = infosets[np.argsort(num_actions[infosets], kind="stable")]
    return infosets, num_actions[infosets]


def _make_seat(form: CompiledGame, player: int, parent: Ints, moves: Ints) -> Seat:
    """Return where the numbers of a player's infosets are.

    ``parent`` is the action of its player before each infoset, or -1, and ``moves`` how many come
    before it; shape (infosets,) both.
    """
    infosets, num_actions = sort_infosets(form, player)
    slot = np.asarray(form.slot, np.int64)
    first = offsets(num_actions)
    first_action = np.asarray(form.first_action, np.int64)[infosets]
    action = np.repeat(first_action - first[:-1], num_actions) + np.arange(first[-1])
    before = parent[infosets]
    return Seat(
        slots=slot[action],
        first=first,
        parent=np.where(before >= 0, slot[before], form.length),
        order=np.argsort(moves[infosets], kind="stable"),
        strategy=np.zeros(first[-1]),
        values=np.zeros(first[-1]),
    )


def _count_moves(form: CompiledGame, parent: Ints) -> Ints:
    """Return how many moves of its own player come before each infoset, given the last of them."""
    infoset = np.repeat(np.arange(form.num_infosets), form.infosets.num_actions)
    moves = np.zeros(form.num_infosets, np.int64)
    above = parent.copy()
    while (above >= 0).any():
        moves[above >= 0] += 1
        above = np.where(above >= 0, parent[infoset[above]], -1)
    return moves
