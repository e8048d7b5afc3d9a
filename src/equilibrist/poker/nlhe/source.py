"""Samples of the betting with hands known by their buckets alone: no card is looked at while samples are drawn."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import record
from ...game.protocol import CHANCE, TERMINAL
from .betting import BIG_BLIND, FOLDED, SHOWDOWN, STREETS, BettingTree

SIDE = 256
DEALS = SIDE * SIDE
"""How many deals a pool has; a sample draws one by two outcomes of chance, of :data:`SIDE` each."""

_NODE = np.dtype(
    [
        ("fixed", np.float64),  # what player 0 wins there whatever the hands, big blinds
        ("stake", np.float64),  # what player 0 wins at a showdown with the better hand
        ("mover", np.int32),
        ("num_actions", np.uint32),
        ("first_child", np.uint32),
        ("first_slot", np.uint32),  # of the node's first bucket
        ("street", np.uint32),
        ("unused", np.uint32),
    ],
    align=True,
)
_PLACE = np.dtype([("node", np.uint32), ("deal", np.uint32)])


@record
class DealtSource(NamedTuple):
    """A betting tree and a pool of deals (:mod:`equilibrist.mccfr.source`).

    Attributes
    ----------
    nodes : record array, shape (nodes + 2,)
        The betting; the last two are where the deal is drawn, the very last first.
    buckets : uint16 array, shape (deals, 2, 4)
        The bucket of either player's hand on each street.
    won : float64 array, shape (deals,)
        1 where player 0 has the better hand in the end, -1 where player 1 has, 0 for equal ones.
    places : record array, shape (records,)
        The node and the deal of each history of a sample.
    """

    nodes: Any
    buckets: NDArray[np.uint16]
    won: NDArray[np.float64]
    places: Any

    def set_root(self, records, k):
        self.places[k].node = len(self.nodes) - 1
        self.places[k].deal = 0

    def observe(self, records, k, player):
        place = self.places[k]
        node = self.nodes[place.node]
        records[k].mover = node.mover
        records[k].num_actions = node.num_actions
        if node.mover >= 0:
            bucket = np.int64(self.buckets[place.deal, node.mover, node.street])
            records[k].slot = node.first_slot + bucket * node.num_actions
        elif node.mover == TERMINAL:
            value = node.fixed + node.stake * self.won[place.deal]
            records[k].value = value if player == 0 else -value

    def chance_probability(self, records, k, n):
        return 1.0 / SIDE

    def step(self, records, k, n, new):
        place = self.places[k]
        after = self.places[new]
        node = self.nodes[place.node]
        after.deal = place.deal
        if node.mover == CHANCE:
            after.deal = place.deal * SIDE + n
            n = 0
        after.node = node.first_child + n


class Pool(NamedTuple):
    """Deals from which samples are drawn, by the buckets of their hands alone.

    Attributes
    ----------
    number : int
        Pools follow each other; -1 before the first.
    buckets : uint16 array, shape (deals, 2, 4)
        The bucket of either player's hand on each street.
    won : float64 array, shape (deals,)
        1 where player 0 has the better hand in the end, -1 where player 1 has, 0 for equal ones.
    """

    number: int
    buckets: NDArray[np.uint16]
    won: NDArray[np.float64]


class DealtSamples:
    """A betting tree and the pool of deals of now, in this process or in another one, without any table.

    Attributes
    ----------
    pool : Pool
        From which sources draw that were made before, too.
    """

    moves = SIDE

    def __init__(self, nodes: Any) -> None:
        self._nodes = nodes
        self.pool = Pool(-1, np.zeros((DEALS, 2, len(STREETS)), np.uint16), np.zeros(DEALS))

    def __getstate__(self) -> Any:
        """Return the betting: a pool is told by whoever sends it."""
        return self._nodes

    def __setstate__(self, nodes: Any) -> None:
        # Arrays that Ray sends are read-only, for which kernels would be compiled once more.
        self.__init__(nodes.copy())  # type: ignore[misc]

    def take_pool(self, pool: Pool) -> None:
        """Draw from other deals from now on."""
        self.pool.buckets[:] = pool.buckets
        self.pool.won[:] = pool.won
        self.pool = self.pool._replace(number=pool.number)

    def source(self, old: Any, *, records: int = 0) -> DealtSource:
        """Return a source for so many records, or for as many as an older one."""
        if old is not None:
            records = len(old.places)
        return DealtSource(self._nodes, self.pool.buckets, self.pool.won, make_places(records))


def make_nodes(tree: BettingTree, first_slot: NDArray[np.int64]) -> Any:
    """Return the nodes of a source; ``first_slot`` is that of each node of the tree."""
    count = len(tree.mover)
    nodes = np.zeros(count + 2, _NODE).view(np.recarray)
    betting = nodes[:count]
    betting["mover"] = np.where(tree.mover >= 0, tree.mover, TERMINAL)
    betting["num_actions"] = tree.num_actions
    betting["first_child"] = tree.first_child
    betting["first_slot"] = first_slot
    betting["street"] = tree.street
    paid = tree.paid / BIG_BLIND
    loser = tree.mover[tree.parent]
    lost = np.where(loser == 0, -paid[:, 0], paid[:, 1])
    betting["fixed"] = np.where(tree.mover == FOLDED, lost, 0.0)
    betting["stake"] = np.where(tree.mover == SHOWDOWN, paid[:, 0], 0.0)
    nodes["mover"][count:] = CHANCE
    nodes["num_actions"][count:] = SIDE
    nodes["first_child"][count:] = (0, count)
    return nodes


def make_places(records: int) -> Any:
    """Return room for so many histories of a sample."""
    return np.zeros(records, _PLACE).view(np.recarray)
