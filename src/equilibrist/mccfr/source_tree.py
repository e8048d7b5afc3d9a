"""Samples drawn from a compiled tree."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.rng import choose
from .._util.arrays import offsets
from ..form.game_tree import ROOT, GameTree
from ..game.protocol import TERMINAL
from .source import ALL_KNOWN, SOURCES

_HISTORY = np.dtype([("mover", np.int32), ("count", np.uint32), ("first", np.uint32), ("slot", np.uint32)])


class TreeSource(NamedTuple):
    """A tree, with what a traversal needs of a history in one record.

    Attributes
    ----------
    histories : record array, shape (histories,)
        ``mover``; ``count`` of moves; ``first`` child, or the row in ``payoffs`` at an end; ``slot`` of the first
        action, or 1 + the number of a public chance node.
    probability : float64 array, shape (histories,)
        Of the outcome of chance that leads to each history.
    payoffs : float64 array, shape (leaves, players)
    node_group, node_first, outcome : uint32 arrays
        Of the public chance nodes: their group, where their outcomes begin, and the outcomes' numbers in the group.
    group_first : uint32 array; group_probability : float64 array
        The probability with which a group draws each of its outcomes, and where those of each group begin.
    agreed, agreed_at : int64 arrays, shape (groups,)
        The outcome that a group drew last, and the traversal in which it did.
    """

    histories: Any
    probability: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    node_group: NDArray[np.uint32]
    node_first: NDArray[np.uint32]
    outcome: NDArray[np.uint32]
    group_first: NDArray[np.uint32]
    group_probability: NDArray[np.float64]
    agreed: NDArray[np.int64]
    agreed_at: NDArray[np.int64]


def tree_source(tree: GameTree, first_slot: NDArray[np.uint32]) -> TreeSource:
    """Return the source that draws from a tree; ``first_slot`` is that of each infoset."""
    histories = np.zeros(tree.histories, _HISTORY).view(np.recarray)
    histories["mover"] = tree.player
    histories["count"] = tree.num_children
    histories["first"] = tree.first_child
    histories["first"][tree.leaf] = np.arange(len(tree.leaf))
    decisions = np.flatnonzero(tree.player >= 0)
    histories["slot"][decisions] = first_slot[tree.infoset[decisions]]
    public = tree.public
    histories["slot"][public.history] = 1 + np.arange(len(public.history))
    group_first, group_probability = _mean_outcomes(tree)
    groups = len(group_first) - 1
    return TreeSource(
        histories,
        tree.probability,
        tree.payoffs,
        public.group,
        public.first,
        public.outcome,
        group_first,
        group_probability,
        np.zeros(groups, np.int64),
        np.full(groups, -1, np.int64),
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
    probability = np.bincount(first[group] + public.outcome, tree.probability[child], minlength=int(first[-1]))
    return first.astype(np.uint32), probability / np.repeat(np.bincount(public.group), outcomes)


def _set_out(source, drawn, k):
    drawn[k].at = ROOT


def _look(source, drawn, k, player):
    here = source.histories[drawn[k].at]
    drawn[k].mover = here.mover
    drawn[k].count = here.count
    drawn[k].slot = here.slot
    if here.mover == TERMINAL:
        drawn[k].value = source.payoffs[here.first, player]


def _chance(source, drawn, k, n):
    return source.probability[source.histories[drawn[k].at].first + n]


def _step(source, drawn, k, n, new):
    drawn[new].at = source.histories[drawn[k].at].first + n


def _child(source, drawn, k, n):
    return np.int64(source.histories[drawn[k].at].first) + n


def _agree(source, drawn, k, u, number):
    node = np.int64(drawn[k].slot) - 1
    group = source.node_group[node]
    first, end = np.int64(source.group_first[group]), np.int64(source.group_first[group + 1])
    if source.agreed_at[group] != number:
        source.agreed_at[group] = number
        source.agreed[group] = choose(source.group_probability, first, end - first, u)
    probability = source.group_probability[first + source.agreed[group]]
    for o in range(source.node_first[node], source.node_first[node + 1]):
        if source.outcome[o] == source.agreed[group]:
            return np.int64(o) - np.int64(source.node_first[node]), probability
    return np.int64(-1), probability  # this history cannot have the outcome: it counts nothing


SOURCES[TreeSource] = {
    "set_out": _set_out,
    "look": _look,
    "chance": _chance,
    "step": _step,
    "child": _child,
    "agree": _agree,
    **ALL_KNOWN,
}
