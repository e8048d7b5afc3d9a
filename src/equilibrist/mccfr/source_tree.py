"""Samples drawn from a compiled tree."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import record
from .._jit.rng import choose
from .._jit.simd import prefetch
from .._util.arrays import offsets
from ..form.sequence.tree import ROOT, GameTree
from ..game.protocol import TERMINAL

_HISTORY = np.dtype(
    [
        ("mover", np.int32),
        ("num_actions", np.uint32),
        ("first_child", np.uint32),
        ("index", np.uint32),
    ]
)
_NOT_PUBLIC = 2**32 - 1
_LARGE = 1 << 16  # bytes of histories
_AHEAD = 8  # records between the one observed and the one whose strategy or payoff is prefetched


@record
class TreeSource(NamedTuple):
    """A tree, with what a traversal needs of a history in one record.

    Attributes
    ----------
    histories : record array, shape (histories,)
        ``mover``; ``num_actions``; ``first_child``; and the ``index`` of what the mover needs: the
        slot of the first action of a player, the number of a public chance node (of another,
        ``_NOT_PUBLIC``), the row in ``payoffs`` of an end.
    probability : float64 array, shape (histories,)
        Of the outcome of chance that leads to each history.
    payoffs : float64 array, shape (leaves, players)
    node_group : uint32 array
        Of each public chance node: its group.
    node_first : uint32 array
        Of each public chance node: where its outcomes begin.
    outcome : uint32 array
        The numbers of these outcomes in the group.
    group_first : uint32 array
        Of each group: where its outcomes begin.
    group_probability : float64 array
        The probability with which a group draws each of its outcomes.
    drawn : int64 array, shape (groups,)
        The outcome that a group drew last.
    drawn_at : int64 array, shape (groups,)
        The traversal in which it did.
    """

    histories: Any
    probability: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    node_group: NDArray[np.uint32]
    node_first: NDArray[np.uint32]
    outcome: NDArray[np.uint32]
    group_first: NDArray[np.uint32]
    group_probability: NDArray[np.float64]
    drawn: NDArray[np.int64]
    drawn_at: NDArray[np.int64]

    def set_root(self, records, k):
        records[k].history = ROOT

    def observe(self, records, k, player):
        history = self.histories[records[k].history]
        records[k].mover = history.mover
        records[k].num_actions = history.num_actions
        records[k].slot = history.index  # a slot where a player moves
        if history.mover == TERMINAL:
            records[k].value = self.payoffs[history.index, player]

    def chance_probability(self, records, k, n):
        return self.probability[self.histories[records[k].history].first_child + n]

    def step(self, records, k, n, new):
        records[new].history = self.histories[records[k].history].first_child + n

    def child(self, records, k, n):
        return np.int64(self.histories[records[k].history].first_child) + n

    def is_public_chance(self, records, k):
        return self.histories[records[k].history].index != _NOT_PUBLIC

    def public_outcome(self, records, k, u, traversal):
        node = np.int64(self.histories[records[k].history].index)
        group = self.node_group[node]
        first = np.int64(self.group_first[group])
        end = np.int64(self.group_first[group + 1])
        if self.drawn_at[group] != traversal:
            self.drawn_at[group] = traversal
            self.drawn[group] = choose(self.group_probability, first, end - first, u)
        probability = self.group_probability[first + self.drawn[group]]
        for o in range(self.node_first[node], self.node_first[node + 1]):
            if self.outcome[o] == self.drawn[group]:
                return np.int64(o) - np.int64(self.node_first[node]), probability
        return np.int64(-1), probability  # this history cannot have the outcome: it counts nothing


@record
class LargeTreeSource(TreeSource):
    """A tree that is larger than the cache next to the processor, so that a sample would wait for what it reads."""

    def prefetch(self, array, index):
        prefetch(array, index)

    def prefetch_next(self, slots, records, k, end):
        first_child = np.int64(self.histories[records[k].history].first_child)
        prefetch(self.histories, first_child)
        prefetch(self.histories, first_child + 4)  # of 16 bytes each: two lines of the cache
        if k + _AHEAD < end:
            history = self.histories[records[k + _AHEAD].history]
            if history.mover == TERMINAL:
                prefetch(self.payoffs, np.int64(history.index) * self.payoffs.shape[1])
            else:
                prefetch(slots.strategy, np.int64(history.index))


def tree_source(tree: GameTree, first_slot: NDArray[np.uint32]) -> TreeSource:
    """Return the source that draws from a tree; ``first_slot`` is that of each infoset."""
    histories = np.zeros(tree.histories, _HISTORY).view(np.recarray)
    histories["mover"] = tree.player
    histories["num_actions"] = tree.num_children
    histories["first_child"] = tree.first_child
    histories["index"] = _NOT_PUBLIC
    histories["index"][tree.leaf] = np.arange(len(tree.leaf))
    decisions = np.flatnonzero(tree.player >= 0)
    histories["index"][decisions] = first_slot[tree.infoset[decisions]]
    public = tree.public
    histories["index"][public.history] = np.arange(len(public.history))
    nodes = (public.group, public.first, public.outcome)
    groups = _mean_outcomes(tree)
    drawn_at = np.full(len(groups[0]) - 1, -1, np.int64)
    source = LargeTreeSource if histories.nbytes > _LARGE else TreeSource
    return source(
        histories,
        tree.probability,
        tree.payoffs,
        *nodes,
        *groups,
        np.zeros_like(drawn_at),
        drawn_at,
    )


def _mean_outcomes(tree: GameTree) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Return the mean probability of each outcome of each public group, which is what the group draws from."""
    public = tree.public
    if len(public.history) == 0:
        return np.zeros(1, np.uint32), np.zeros(0)
    count = np.diff(public.first)
    group = np.repeat(public.group, count)
    number = np.arange(len(public.outcome)) - np.repeat(public.first[:-1], count)
    child = np.repeat(tree.first_child[public.history], count) + number
    outcomes = np.zeros(int(public.group.max()) + 1, np.int64)
    np.maximum.at(outcomes, group, public.outcome + 1)
    first = offsets(outcomes)
    probability = np.bincount(
        first[group] + public.outcome, tree.probability[child], minlength=int(first[-1])
    )
    return first.astype(np.uint32), probability / np.repeat(np.bincount(public.group), outcomes)
