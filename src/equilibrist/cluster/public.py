"""A public game split over actors: the top of the tree at the driver, runs of subtrees at the actors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Floats, offsets
from ..cfr.algorithms import Algorithm
from ..cfr.public_kernels import Tables, update_walk
from ..cfr.tabular import STATE, SUM_TOLERANCE
from ..form.floors import NO_FLOORS
from ..form.public.form import PublicForm
from ..form.public.leaves import TopForm, find_leaf_cut, top_form
from ..form.public.passes import best_response_walk, normalise
from ..form.public.walker import Cut, PublicWalker, bundles, find_cut
from ..form.responses import NO_TABLES
from ..strategy.strategy import Strategy
from .parts import Part, Ranges, Split
from .ray_cluster import Actors


class Values(NamedTuple):
    """What comes back from a walk: rows of hands at the roots of the subtrees.

    Attributes
    ----------
    value : dict
        Counterfactual values by player, each of shape (subtrees, width).
    best_value : float array, shape (subtrees, width)
        The same with the best response below; empty where none was sought.
    """

    value: dict[int, Floats]
    best_value: Floats


class PublicPart(Part):
    """The subtrees of a cut that one actor owns, with the tables of their slots, one subtree after the other.

    ``state`` are the public states of the roots; ``first`` slots of subtrees come before these.
    """

    def __init__(
        self, form: PublicForm, state: NDArray[Any], first: int, *, precision: str, threads: int
    ) -> None:
        slot = offsets(form.public.slots[state])
        self.ranges = [(first, first + int(slot[-1]))]
        self._length = int(slot[-1])
        self._new_walker = partial(
            PublicWalker, form.arrays, form.depth, threads=threads, cut=Cut(-1, state, slot[:-1])
        )
        self._certifier = self._new_walker()  # whose arithmetic is always that of float64
        self.store_in(precision)

    def store_in(self, precision: str) -> None:
        self._walker = self._new_walker(precision=precision)
        self._tables = Tables(*(zeros(self._length, precision) for _ in Tables._fields))
        self._normalise(self._tables.regret_sum, self._tables.strategy)  # uniform

    def _normalise(self, sums: NDArray[Any], strategy: NDArray[Any]) -> None:
        """Fill a strategy with each action's share of its infoset's sum."""
        subtrees = self._certifier.subtrees
        tree = self._certifier.game.tree
        for state, slot in zip(subtrees.state[1:], subtrees.slot[1:], strict=True):
            normalise(tree, self._certifier.scratch, state, slot, sums, strategy)

    def plays_probabilities(self) -> bool:
        strategy = self._tables.strategy
        shares = zeros(len(strategy), strategy.dtype)
        self._normalise(strategy, shares)
        return bool((np.abs(shares - strategy) <= SUM_TOLERANCE).all())

    def update(self, reach: dict[int, Floats], *options: Any) -> Values:
        """Carry out turns of players (``options`` of the kernel), from the reach of the roots where it has changed."""
        _take_reach(self._walker, reach)
        self._walker.walk_subtrees(update_walk, self._tables, *options)
        return Values(_copy_values(self._walker, range(*options[0][-1])), np.zeros(0))

    def respond(self, reach: dict[int, Floats], player: int) -> Values:
        """Return the values of the average strategy and of the best response of a player to it."""
        _take_reach(self._certifier, reach)
        self._certifier.walk_subtrees(
            best_response_walk, self._tables.strategy_sum, player, NO_TABLES, NO_FLOORS
        )
        best_value = self._certifier.subtrees.best_value.reshape(-1, self._certifier.scratch.width)[
            1:
        ]
        return Values(_copy_values(self._certifier, [player]), best_value.copy())

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self._tables, name) for name in STATE}


def _subtree_rows(walker: PublicWalker, table: Floats) -> Floats:
    """Return a table of the subtrees of a walker as an array of shape (subtrees, players, width)."""
    return table.reshape(-1, 2, walker.scratch.width)[1:]


def _take_reach(walker: PublicWalker, reach: dict[int, Floats]) -> None:
    """Put the reach of the roots into the subtrees of a walker, rows of shape (subtrees, width) by player."""
    for player, rows in reach.items():
        _subtree_rows(walker, walker.subtrees.reach)[:, player] = rows


def _copy_values(walker: PublicWalker, players: Iterable[int]) -> dict[int, Floats]:
    """Return copies of the values at the roots by player, each of shape (subtrees, width)."""
    return {
        player: _subtree_rows(walker, walker.subtrees.value)[:, player].copy() for player in players
    }


# as threads do, actors get subtrees of at most this part of the whole; more actors get smaller ones
_SUBTREES = 128
_METHODS: dict[Any, tuple[str, int]] = {
    update_walk: ("update", 3),
    best_response_walk: ("respond", 1),
}


class PublicSplit(Split):
    """A public form, cut into a top and a run of subtrees for each of ``count`` actors.

    A subtree has at most ``max_subtree_slots`` slots. Fewer actors are used where there are fewer
    subtrees.
    """

    def __init__(
        self, form: PublicForm, count: int, *, max_subtree_slots: int | None = None
    ) -> None:
        self.form = form
        if max_subtree_slots is None:
            self.max_subtree_slots = form.length // max(_SUBTREES, 8 * count)
        else:
            self.max_subtree_slots = max_subtree_slots
        self._cut = find_leaf_cut(form.public, form.public.slots <= self.max_subtree_slots)
        # So small is the game.
        while (
            max_subtree_slots is None
            and len(self._cut.state) < count
            and self.max_subtree_slots < form.length
        ):
            self.max_subtree_slots = 2 * self.max_subtree_slots + 1
            self._cut = find_leaf_cut(form.public, form.public.slots <= self.max_subtree_slots)
        sizes = form.public.slots[self._cut.state]
        self.ranges = bundles(sizes, count)  # the subtrees of each actor, as (first, last + 1)
        self._first = offsets(sizes)
        subtrees = [
            (slot, slot + size)
            for slot, size in zip(self._cut.slot.tolist(), sizes.tolist(), strict=True)
        ]
        self.slots = [subtrees[first:last] for first, last in self.ranges]

    def makers(
        self, algorithm: Algorithm, *, precision: str, threads: int
    ) -> list[Callable[[], Part]]:
        make = partial(PublicPart, self.form, precision=precision, threads=threads)
        return [
            partial(make, self._cut.state[first:last], int(self._first[first]))
            for first, last in self.ranges
        ]

    def top(self, actors: Actors) -> TopForm:
        new_walker = partial(_ClusterWalker, ranges=self.ranges, actors=actors)
        return top_form(self.form, self.form.public.slots <= self.max_subtree_slots, new_walker)

    @property
    def ranges_in_files(self) -> list[Ranges]:  # numbered below the cut
        return [[(int(self._first[first]), int(self._first[last]))] for first, last in self.ranges]

    def strategy(self, weights: NDArray[Any]) -> Strategy:
        return Strategy.from_form(self.form, self.form.average_from_sums(weights))


class _ClusterWalker(PublicWalker):
    """Walks of the top of a tree, for which actors walk the subtrees."""

    def __init__(
        self,
        form: TopForm,
        *,
        ranges: list[tuple[int, int]],
        actors: Actors,
        precision: str = "float64",
        **_: Any,
    ) -> None:
        super().__init__(form.arrays, form.depth, precision=precision, cut=find_cut(form.public, 0))
        self._ranges = ranges
        self._actors = actors
        self._sent: Floats | None = None

    def walk_subtrees(self, kernel: Callable[..., None], tables: Any, *options: Any) -> None:
        """Send the actors the reach that has changed, and take the values that they return."""
        width = self.scratch.width
        reach, value = (
            _subtree_rows(self, table) for table in (self.subtrees.reach, self.subtrees.value)
        )
        best_value = self.subtrees.best_value.reshape(-1, width)[1:]
        reach_sent = self._sent
        changed_players = [
            p
            for p in range(2)
            if reach_sent is None or not np.array_equal(reach[:, p], reach_sent[:, p])
        ]
        method, num_options = _METHODS[kernel]
        answers: list[Values] = self._actors.call(
            method,
            [
                ({p: reach[a:b, p] for p in changed_players}, *options[:num_options])
                for a, b in self._ranges
            ],
        )
        self._sent = reach.copy()
        for (first, last), answer in zip(self._ranges, answers, strict=True):
            for player, rows in answer.value.items():
                value[first:last, player] = rows
            if len(answer.best_value):
                best_value[first:last] = answer.best_value
