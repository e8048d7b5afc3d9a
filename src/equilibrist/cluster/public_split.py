"""A public game split over actors: the top of the tree at the driver, runs of subtrees at the actors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..cfr.algorithms import Algorithm
from ..cfr.public_kernels import update_walk
from ..form.public import PublicForm
from ..form.public_passes import best_response_walk
from ..form.public_tree import END, NATURE, PublicTree
from ..form.public_walker import PublicWalker, bundles, find_cut
from ..strategy.strategy import Strategy
from .parts import Ranges
from .public_part import PublicPart, Values
from .traffic import Exchange

_SUBTREES = 128  # as threads do, actors get subtrees of at most this part of the whole; more actors get smaller ones
_METHODS: dict[Any, tuple[str, int]] = {update_walk: ("update", 3), best_response_walk: ("respond", 1)}


@dataclass(frozen=True, eq=False, repr=False)
class TopForm(PublicForm):
    """A public form whose slots are those above a cut; what is below is walked by whoever its walker asks."""

    new_walker: Callable[[TopForm], PublicWalker]

    def make_walker(self, threads: int) -> PublicWalker:
        """Return a new walker of the top, which has the subtrees walked elsewhere."""
        return self.new_walker(self)


class PublicSplit:
    """A public form, cut into a top and a run of subtrees for each actor.

    Parameters
    ----------
    form : PublicForm
        The game.
    count : int
        Number of actors; fewer are used where there are fewer subtrees.
    most : int, optional
        The most slots of a subtree.

    Attributes
    ----------
    most : int
    ranges : list of pairs of int
        The subtrees of each actor, as (first, last + 1).
    """

    def __init__(self, form: PublicForm, count: int, *, most: int | None = None) -> None:
        self.form = form
        self.most = form.length // max(_SUBTREES, 8 * count) if most is None else most
        self._cut = find_cut(form.public, self.most)
        while most is None and len(self._cut.state) < count and self.most < form.length:  # so small is the game
            self.most = 2 * self.most + 1
            self._cut = find_cut(form.public, self.most)
        sizes = form.public.slots[self._cut.state]
        self.ranges = bundles(sizes, count)
        self._first = offsets(sizes)

    def makers(
        self, algorithm: Algorithm, *, alternating: bool, precision: str, threads: int
    ) -> list[Callable[[], PublicPart]]:
        """Return what makes the part of each actor."""
        return [
            partial(
                PublicPart,
                self.form,
                self._cut.state[first:last],
                int(self._first[first]),
                precision=precision,
                threads=threads,
            )
            for first, last in self.ranges
        ]

    def top(self, exchange: Exchange) -> TopForm:
        """Return the form of the top, whose walks exchange reach and values with the actors."""
        given: dict[str, Any] = {each.name: getattr(self.form, each.name) for each in fields(PublicForm)}
        given["public"] = _above(self.form.public, self.most)
        return TopForm(**given, new_walker=partial(_ClusterWalker, ranges=self.ranges, exchange=exchange))

    @property
    def held(self) -> list[Ranges]:
        """The slots of each actor, numbered below the cut."""
        return [[(int(self._first[first]), int(self._first[last]))] for first, last in self.ranges]

    def strategy(self, weights: NDArray[Any]) -> Strategy:
        """Return the strategy that weights at all slots are."""
        return Strategy.from_form(self.form, self.form.average_from_sums(weights))

    @property
    def lengths(self) -> list[int]:
        """Number of slots of each actor."""
        return [int(self._first[last] - self._first[first]) for first, last in self.ranges]

    def gather(self, top: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return a table of the whole game from that of the top and those of the actors."""
        whole, below = np.empty(self.form.length, top.dtype), self._below()
        whole[~below] = top
        whole[below] = np.concatenate(parts)
        return whole

    def scatter(self, whole: NDArray[Any]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Return the top's and the actors' parts of a table of the whole game."""
        below = self._below()
        return whole[~below], np.split(whole[below], np.cumsum(self.lengths)[:-1])

    def _below(self) -> NDArray[np.bool_]:
        """Return which slots lie below the cut: both numberings go depth first, so that order is kept."""
        below = np.zeros(self.form.length, bool)
        for slot, size in zip(self._cut.slot, np.diff(self._first), strict=True):
            below[slot : slot + size] = True
        return below


class _ClusterWalker(PublicWalker):
    """Walks of the top of a tree, for which actors walk the subtrees."""

    def __init__(self, form: TopForm, *, ranges: list[tuple[int, int]], exchange: Exchange) -> None:
        super().__init__(form, cut=find_cut(form.public, 0))
        self._ranges = ranges
        self._exchange = exchange
        self._sent: Floats | None = None

    def walk_subtrees(self, kernel: Callable[..., None], tables: Any, *options: Any) -> None:
        """Send the actors the reach that has changed, and take the values that they return."""
        width = self.scratch.width
        reach, value = (table.reshape(-1, 2, width)[1:] for table in (self.subtrees.reach, self.subtrees.value))
        best_value = self.subtrees.best_value.reshape(-1, width)[1:]
        sent = self._sent
        changed = [p for p in range(2) if sent is None or not np.array_equal(reach[:, p], sent[:, p])]
        method, taken = _METHODS[kernel]
        answers: list[Values] = self._exchange.call(
            method, [({p: reach[a:b, p] for p in changed}, *options[:taken]) for a, b in self._ranges]
        )
        self._sent = reach.copy()
        for (first, last), answer in zip(self._ranges, answers, strict=True):
            for player, rows in answer.value.items():
                value[first:last, player] = rows
            if len(answer.best_value):
                best_value[first:last] = answer.best_value


def _above(tree: PublicTree, most: int) -> PublicTree:
    """Return the part of a public tree above its states with at most so many slots, where these lead nowhere."""
    below = (tree.slots <= most) & (tree.mover != END)
    moves = np.where(below, 0, np.diff(tree.first_child))
    kept = np.repeat(~below, np.diff(tree.first_child))
    first_child, child = offsets(moves), tree.child[kept]
    slots, child_slot = np.zeros(len(below), np.int64), np.zeros(len(child), np.int64)
    for state, (first, last) in enumerate(pairwise(first_child.tolist())):
        mover = tree.mover[state]
        total = (last - first) * int(tree.width[mover]) if mover < NATURE else 0
        for move in range(first, last):
            child_slot[move] = total
            total += int(slots[child[move]])
        slots[state] = total
    return tree._replace(
        mover=np.where(below, NATURE, tree.mover),
        first_child=first_child,
        child=child,
        child_slot=child_slot,
        slots=slots,
    )
