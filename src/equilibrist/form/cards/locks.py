"""Locks of a card game: at which slots the strategy is fixed, and for which hands of which nodes."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ..._util.validate import is_number
from ...errors import GameError
from ...game.card_places import line_tokens, split_by_street
from ...game.locks import (
    Lock,
    check_overlaps,
    find_locks,
    hand_names,
    lock_board,
    lock_place,
    locked_hands,
)
from ...game.protocol import game_name
from .betting import Node

_TOLERANCE = 1e-9


class Locks(NamedTuple):
    """Where the strategy is fixed, and to what.

    Attributes
    ----------
    slots : int array, shape (n,)
    probabilities : float array, shape (n,)
    weights : float array, shape (n,)
        Whole numbers of 16 bits whose shares are the probabilities (:func:`whole_weights`).
    """

    slots: Ints
    probabilities: Floats
    weights: Floats


@lru_cache(maxsize=1024)  # of many locks, most are the same: pure ones
def whole_weights(probabilities: tuple[float, ...]) -> Floats:
    """Return whole numbers from 0 to 32,767 whose shares are nearest to some probabilities.

    Those of four decimals are met exactly, as all with a common denominator up to 32,767; others to
    some 1e-8 of two actions, and some 1e-6 of more.

    Examples
    --------
    >>> whole_weights((0.3254, 0.6746))
    array([1627., 3373.])
    """
    totals = np.arange(1, np.iinfo(np.int16).max / max(probabilities) + 1)[:, None]
    weights = np.rint(totals * probabilities)
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)
    nearest: Floats = weights[np.abs(shares - probabilities).max(axis=1).argmin()]
    return nearest


def place_locks(form: Any) -> tuple[Any, Floats, Locks]:
    """Return the nodes of a card form with their locks, whether each hand there is locked, and what is fixed."""
    nodes = form.arrays.betting.nodes.copy()
    masks: dict[int, Floats] = {}  # by number of the node
    slots: list[Ints] = [np.zeros(0, np.int64)]
    fixed = [np.zeros((2, 0))]
    length = 0
    placed: list[tuple[Lock, int]] = []
    for lock in find_locks(form.game):
        node = _find_node(form, lock)
        strategy = _read_strategy(form, lock, node)
        both = np.array([strategy, whole_weights(tuple(strategy.tolist()))])
        chosen = locked_hands(form.game, lock, node.player)
        placed.append((lock, node.player))
        begins = lock_board(form.game, lock)
        if len(begins) > node.street + 1:
            why = (
                f"the board {lock.board!r} has a street more than the line; give the cards that "
                "are public there."
            )
            raise _lock_error(form, lock, why)
        q = 2 * node.street + node.player
        width = int(form.arrays.boards.width[q])
        boards = len(form.boards.streets[node.street])
        index = int(form.arrays.betting.first_node[q]) + node.number
        if index not in masks:
            nodes[index]["lock"] = length
            masks[index] = np.zeros(boards * width)
            length += boards * width
        mask = masks[index]
        for board in range(boards):
            if (
                split_by_street(form.game, form.boards.streets[node.street][board].cards)[
                    : len(begins)
                ]
                != begins
            ):
                continue
            held = np.flatnonzero(chosen[form.hands_on(node.street, board, node.player)])
            mask[board * width + held] = 1.0
            slots.append(form.slots_of(node, board)[:, held].ravel())
            fixed.append(np.repeat(both, len(held), axis=1))
    check_overlaps(form.game, placed)
    return (
        nodes,
        np.concatenate(list(masks.values())),
        Locks(np.concatenate(slots), *np.hstack(fixed)),
    )


def _lock_error(form: Any, lock: Lock, why: str) -> GameError:
    return GameError(f"{game_name(form.game)}: {lock_place(lock)} {why}", wrong_use=True)


def _find_node(form: Any, lock: Lock) -> Node:
    actions = line_tokens(lock.line)
    nodes: dict[tuple[str, ...], Node] = {
        line_tokens(node.line): node for node in form.betting.nodes
    }
    for size in range(len(actions), -1, -1):
        node = nodes.get(actions[:size])
        if node is not None and size == len(actions):
            return node
        if node is not None:
            hint = f"after {node.line or 'the deal'} there are {', '.join(node.actions)}"
            raise _lock_error(form, lock, f"nobody decides there; {hint}.")
    raise _lock_error(form, lock, "nobody decides there.")


def _read_strategy(form: Any, lock: Lock, node: Node) -> Floats:
    """Return the probability of each action of a node that a lock gives; actions that it leaves out have none."""
    unknown_actions = [action for action in lock.strategy if action not in node.actions]
    if unknown_actions:
        raise _lock_error(
            form,
            lock,
            f"the actions there are {', '.join(node.actions)}; got {unknown_actions[0]!r}.",
        )
    shares = [lock.strategy.get(action, 0.0) for action in node.actions]
    if (
        not all(is_number(share) and share >= 0 for share in shares)
        or abs(math.fsum(shares) - 1) > _TOLERANCE
    ):
        raise _lock_error(
            form, lock, f"the strategy must be probabilities of sum 1; got {dict(lock.strategy)!r}."
        )
    names = hand_names(lock) or ()
    named_hands = frozenset(form.game.hands[node.player]) if names else frozenset()
    unknown_hands = [name for name in names if name not in named_hands]
    if unknown_hands:
        example = form.game.hands[node.player][0]
        why = f"player {node.player} has no hand {unknown_hands[0]!r}; hands are named like {example!r}."
        raise _lock_error(form, lock, why)
    return np.array(shares, np.float64)
