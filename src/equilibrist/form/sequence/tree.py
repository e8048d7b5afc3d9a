"""The tree of a game: every history in flat arrays, the path to each, and the probabilities of moves and histories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Indices, Ints, offsets
from ...errors import GameError
from ..infosets import Infosets

ROOT = 0
NO_INFOSET = 2**32 - 1
SUM_TOLERANCE = 1e-12
"""Of the payoffs of a leaf: how far their sum may be from that of another."""

_MOVES_SHOWN = 20  # of a history in an error message


class PublicChance(NamedTuple):
    """The moves of chance that everybody sees; all arrays are uint32, and empty where there are none.

    Attributes
    ----------
    history : uint32 array, shape (n,)
        The histories where chance makes such a move, rising.
    group : uint32 array, shape (n,)
        Histories with the same number look the same to somebody who sees only what everybody sees.
    first : uint32 array, shape (n + 1,)
        Where the outcomes of each history begin.
    outcome : uint32 array, shape (first[-1],)
        The number, within its group, of the outcome that leads to each child of each of these
        histories: the same outcome has the same number at all histories of a group.
    """

    history: Indices
    group: Indices
    first: Indices
    outcome: Indices


@dataclass(frozen=True, slots=True)
class GameTree:
    """Every history of a game, flat. The children of a history are consecutive, and come after it.

    Attributes
    ----------
    name : str
        Name of the game.
    players : int
        Number of players, chance not counted.
    player : int8 array, shape (histories,)
        Who moves: a player, ``CHANCE`` or ``TERMINAL``.
    parent : uint32 array, shape (histories,)
        The history before; of the root, itself.
    first_child : uint32 array, shape (histories,)
        Means nothing where ``num_children`` is 0.
    num_children : uint32 array, shape (histories,)
        Number of children.
    probability : float array, shape (histories,)
        Probability with which chance makes the move that leads here; 1 where a player makes it.
    infoset : uint32 array, shape (histories,)
        Index into ``infosets``; ``NO_INFOSET`` where no player moves.
    leaf : uint32 array, shape (leaves,)
        The terminal histories.
    payoffs : float array, shape (leaves, players)
        What each player receives at each leaf.
    infosets : Infosets
        A sequence of :class:`Infoset`, in the order in which a depth-first walk meets them.
    depth : int
        Number of moves, those of chance included, in the longest play.
    public : PublicChance
        The moves of chance that everybody sees, as far as the rules say so.
    """

    name: str
    players: int
    player: NDArray[np.int8]
    parent: Indices
    first_child: Indices
    num_children: Indices
    probability: Floats
    infoset: Indices
    leaf: Indices
    payoffs: Floats
    infosets: Infosets
    depth: int
    public: PublicChance

    @property
    def histories(self) -> int:
        """Number of histories, the empty one and the terminal ones included."""
        return len(self.player)

    @property
    def payoff_sum(self) -> float | None:
        total = self.payoffs.sum(axis=1)
        margin = SUM_TOLERANCE * np.abs(self.payoffs).sum(axis=1)
        surest = int(margin.argmin())
        return common_sum(
            float((total - margin).max()), float((total + margin).min()), float(total[surest])
        )

    @property
    def zero_sum(self) -> bool:
        return self.payoff_sum is not None

    @property
    def largest_payoff(self) -> float:
        return float(np.abs(self.payoffs).max(initial=0.0))


def common_sum(low: float, high: float, surest: float) -> float | None:
    """Return the sum of payoffs that all leaves agree on, or None.

    A leaf whose payoffs sum to s stands for any number from s − margin to s + margin, where the
    margin is
    :data:`SUM_TOLERANCE` of its own payoffs alone: no leaf with large payoffs makes others less exact. ``low`` is the
    largest of the lower ends, ``high`` the smallest of the upper ones, ``surest`` the sum of the
    leaf with the smallest margin.
    """
    if not low <= high:
        return None
    if low <= 0.0 <= high:
        return 0.0
    return min(max(surest, low), high)


def public_chance(
    history: Indices, group: Indices, count: Indices, outcome: Indices
) -> PublicChance:
    """Return public moves of chance in the order of their histories, from those in the order in which they were met."""
    order = np.argsort(history)
    start = offsets(count)
    first = offsets(count[order])
    entry = np.repeat(start[:-1][order] - first[:-1], count[order]) + np.arange(first[-1])
    return PublicChance(history[order], group[order], first.astype(np.uint32), outcome[entry])


def child_numbers(
    parent: Sequence[int] | Indices, first_child: Sequence[int] | Indices, h: int
) -> list[int]:
    """Return which child was taken at each move on the path to a history."""
    numbers: list[int] = []
    while h != ROOT:
        up = int(parent[h])
        numbers.append(h - int(first_child[up]))
        h = up
    return numbers[::-1]


def move_probabilities(tree: GameTree, probabilities: Floats) -> Floats:
    """Return the probability of the move that leads to each history, given those of each action of each infoset."""
    first = tree.infosets.first_action()
    probability = tree.probability.copy()
    h = np.flatnonzero(tree.infoset[tree.parent] != NO_INFOSET)
    h = h[h != ROOT]  # which is its own parent
    up = tree.parent[h]
    probability[h] = probabilities[first[tree.infoset[up]] + h - tree.first_child[up]]
    return probability


def levels(tree: GameTree) -> Iterator[Ints]:
    """Iterate over the histories by their depth: those after one move, those after two, …."""
    level = np.array([ROOT])
    while True:
        level = level[tree.num_children[level] > 0]
        if not len(level):
            return
        count = tree.num_children[level].astype(np.int64)
        begin_of_history = offsets(count)
        number = np.arange(begin_of_history[-1]) - np.repeat(begin_of_history[:-1], count)
        level = np.repeat(tree.first_child[level].astype(np.int64), count) + number
        yield level


def history_reach(tree: GameTree, move_probability: Floats) -> Floats:
    """Return, for each history, the product of the probabilities of the moves that lead there, level by level."""
    reach = move_probability.copy()
    for level in levels(tree):
        reach[level] *= reach[tree.parent[level]]
    return reach


def history_values(tree: GameTree, move_probability: Floats) -> Floats:
    """Return what each player earns on average from each history on, shape (histories, players)."""
    values = np.zeros((tree.histories, tree.players))
    values[tree.leaf] = tree.payoffs
    for level in reversed(list(levels(tree))):
        np.add.at(values, tree.parent[level], move_probability[level, None] * values[level])
    return values


def missing_tree(name: str) -> GameError:
    """Return the error that a sequence form has no tree."""
    return GameError(
        f"{name} was compiled without its tree: give the game, or compile_game(game, "
        "keep_tree=True).",
        wrong_use=True,
    )


def cf_reach_of_infosets(name: str, tree: GameTree | None, probabilities: Floats) -> Floats:
    """Return the reach of each infoset by chance and the others: as if its player went there on purpose."""
    if tree is None:
        raise missing_tree(name)
    moves = move_probabilities(tree, probabilities)
    mover = tree.player[tree.parent]
    cf_reach = np.zeros(len(tree.infosets))
    for player in range(tree.players):
        reach = history_reach(tree, np.where(mover == player, 1.0, moves))
        decisions = np.flatnonzero(tree.player == player)
        cf_reach += np.bincount(tree.infoset[decisions], reach[decisions], minlength=len(cf_reach))
    return cf_reach
