"""The part of a public game that one actor owns: the tables of some subtrees, and the walks of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Floats, offsets
from ..cfr.public_kernels import Tables, update_walk
from ..cfr.tabular import STATE, SUM_TOLERANCE
from ..form.public.form import PublicForm
from ..form.public.passes import best_response_walk, normalise
from ..form.public.walker import Cut, PublicWalker
from ..form.responses import NO_TABLES
from .parts import Part


class Values(NamedTuple):
    """What comes back from a walk: rows of hands at the roots of the subtrees."""

    value: dict[int, Floats]  # counterfactual values by player, each of shape (subtrees, width)
    best_value: Floats  # shape (subtrees, width): the same with the best response below; empty where none was sought


class PublicPart(Part):
    """The subtrees of a cut that one actor owns, with the tables of their slots, one subtree after the other.

    Parameters
    ----------
    form : PublicForm
        The game.
    state : int64 array
        The public states of the roots.
    first : int
        How many slots of subtrees come before these.
    precision : {"float64", "float32"}
        How the tables are stored.
    threads : int
        How many threads walk them.
    """

    def __init__(self, form: PublicForm, state: NDArray[Any], first: int, *, precision: str, threads: int) -> None:
        slot = offsets(form.public.slots[state])
        self.ranges = [(first, first + int(slot[-1]))]
        self._walker = PublicWalker(form.arrays, form.depth, threads=threads, cut=Cut(-1, state, slot[:-1]))
        self._tables = Tables(*(zeros(int(slot[-1]), precision) for _ in Tables._fields))
        self.reset()

    def reset(self) -> None:
        for table in self._tables:
            table[:] = 0
        self._normalise(self._tables.regret_sum, self._tables.strategy)  # uniform

    def _normalise(self, sums: NDArray[Any], strategy: NDArray[Any]) -> None:
        """Fill a strategy with each action's share of its infoset's sum."""
        subtrees, tree = self._walker.subtrees, self._walker.game.tree
        for state, slot in zip(subtrees.state[1:], subtrees.slot[1:], strict=True):
            normalise(tree, self._walker.scratch, state, slot, sums, strategy)

    def plays_probabilities(self) -> bool:
        strategy = self._tables.strategy
        shares = zeros(len(strategy), strategy.dtype)
        self._normalise(strategy, shares)
        return bool((np.abs(shares - strategy) <= SUM_TOLERANCE).all())

    def update(self, reach: dict[int, Floats], *options: Any) -> Values:
        """Carry out turns of players (``options`` of the kernel), from the reach of the roots where it has changed."""
        self._take(reach)
        self._walker.walk_subtrees(update_walk, self._tables, *options)
        return Values(self._values(range(*options[0][-1])), np.zeros(0))

    def respond(self, reach: dict[int, Floats], player: int) -> Values:
        """Return the values of the average strategy and of the best response of a player to it."""
        self._take(reach)
        self._walker.walk_subtrees(best_response_walk, self._tables.strategy_sum, player, NO_TABLES)
        best = self._walker.subtrees.best_value.reshape(-1, self._walker.scratch.width)[1:]
        return Values(self._values([player]), best.copy())

    def _rows(self, table: Floats) -> Floats:
        """Return a table of the subtrees as an array of shape (subtrees, players, width)."""
        return table.reshape(-1, 2, self._walker.scratch.width)[1:]

    def _take(self, reach: dict[int, Floats]) -> None:
        for player, rows in reach.items():
            self._rows(self._walker.subtrees.reach)[:, player] = rows

    def _values(self, players: Iterable[int]) -> dict[int, Floats]:
        return {player: self._rows(self._walker.subtrees.value)[:, player].copy() for player in players}

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self._tables, name) for name in STATE}
