"""Probabilities over the histories of a game: of the moves that lead to them, and of whole plays."""

from __future__ import annotations

import numpy as np

from ..._util.arrays import Floats, offsets
from ...errors import GameError
from .tree import NO_INFOSET, ROOT, GameTree


def move_probabilities(tree: GameTree, probabilities: Floats) -> Floats:
    """Return the probability of the move that leads to each history, given those of each action of each infoset."""
    first = tree.infosets.first_action()
    probability = tree.probability.copy()
    h = np.flatnonzero(tree.infoset[tree.parent] != NO_INFOSET)
    h = h[h != ROOT]  # which is its own parent
    up = tree.parent[h]
    probability[h] = probabilities[first[tree.infoset[up]] + h - tree.first_child[up]]
    return probability


def history_reach(tree: GameTree, move_probability: Floats) -> Floats:
    """Return, for each history, the product of the probabilities of the moves that lead there, level by level."""
    reach = move_probability.copy()
    level = np.array([ROOT])
    while len(level):
        level = level[tree.num_children[level] > 0]
        count = tree.num_children[level].astype(np.int64)
        before = offsets(count)
        number = np.arange(before[-1]) - np.repeat(before[:-1], count)
        children = np.repeat(tree.first_child[level].astype(np.int64), count) + number
        reach[children] *= np.repeat(reach[level], count)
        level = children
    return reach


def cf_reach_of_infosets(name: str, tree: GameTree | None, probabilities: Floats) -> Floats:
    """Return the reach of each infoset by chance and the others: as if its player went there on purpose."""
    if tree is None:
        raise GameError(
            f"{name} was compiled without its tree: give the game, or compile_game(game, keep_tree=True).",
            wrong_use=True,
        )
    moves = move_probabilities(tree, probabilities)
    mover = tree.player[tree.parent]
    cf_reach = np.zeros(len(tree.infosets))
    for player in range(tree.players):
        reach = history_reach(tree, np.where(mover == player, 1.0, moves))
        decisions = np.flatnonzero(tree.player == player)
        cf_reach += np.bincount(tree.infoset[decisions], reach[decisions], minlength=len(cf_reach))
    return cf_reach
