"""Walkers of a public tree: scratch and threads, which a form lends to whoever runs a kernel over its tree."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.simd import zeros
from ..._jit.thread_team import ThreadTeam
from ..._util.arrays import Ints
from .terminal.payoffs import convert_precision
from .tree import END, PublicTree
from .walk import FRAME, PublicGame, Scratch, Span, Subtrees, descend

# subtrees of at most this part of the whole are walked independently, with any number of threads
_SUBTREES = 128
_BUNDLES = 64  # they are handed out in about so many bundles


class Cut(NamedTuple):
    """Subtrees that are walked apart, in the order of the tree.

    Attributes
    ----------
    most : int
        They are those with at most so many slots; -1 where the walk is not cut.
    state : int array, shape (subtrees,)
        Public state of the root of each.
    slot : int array, shape (subtrees,)
        First slot of the root of each.
    """

    most: int
    state: Ints
    slot: Ints


WHOLE = Cut(-1, np.zeros(0, np.int64), np.zeros(0, np.int64))
"""No subtree: the tree is walked as a whole."""


def _make_scratch(tree: PublicTree, depth: int, precision: str) -> Scratch:
    width = int(tree.width.max())
    depths = depth + 1
    actions = int(np.diff(tree.first_child).max(initial=1))
    return Scratch(
        width=width,
        actions=actions,
        frames=np.zeros(depths, FRAME).view(np.recarray),
        reach=zeros(depths * 2 * width, precision),
        value=zeros(depths * 2 * width, precision),
        sigma=zeros(depths * actions * width, precision),
        action_value=zeros(depths * actions * width, precision),
        best_value=zeros(depths * width, precision),
        best_action_value=zeros(depths * actions * width, precision),
        sums=zeros(width + 1),
    )


def _make_subtrees(tree: PublicTree, cut: Cut, precision: str) -> Subtrees:
    """Return room for the subtrees of a cut besides the whole tree, which every hand reaches with 1."""
    width = int(tree.width.max())
    count = 1 + len(cut.state)
    reach, value, best_value = (zeros(count * rows * width, precision) for rows in (2, 2, 1))
    reach[: 2 * width] = 1.0
    return Subtrees(
        np.append(len(tree.mover) - 1, cut.state), np.append(0, cut.slot), reach, value, best_value
    )


class PublicWalker:
    """Walks of a public tree, by one thread or several: the result is the same, bit for bit.

    With several, the tree is cut: what is above the cut is walked down to it, the subtrees below
    are walked by whichever thread is free, and then the upper part is walked with their results.
    Threads and scratch live as long as this, and the form keeps it for the next who needs one.
    ``depth`` is the number of moves in the longest play. The subtrees of a ``cut`` are walked apart
    from the root; then a kernel walks no more than once in a call (``apart``).
    """

    def __init__(
        self,
        game: PublicGame,
        depth: int,
        *,
        precision: str = "float64",
        threads: int = 1,
        cut: Cut | None = None,
    ) -> None:
        self.game = game._replace(payoffs=convert_precision(game.payoffs, precision))
        self.apart = cut is not None
        tree = game.tree
        if cut is None:
            if threads > 1:
                cut = find_cut(tree, int(tree.slots[-1]) // _SUBTREES)
            else:
                cut = WHOLE
        ends = bundles(tree.slots[cut.state], _BUNDLES)
        if len(ends) < 2 and not self.apart:  # there is no work for a second thread
            cut = WHOLE
            ends = []
        self.subtrees = _make_subtrees(tree, cut, precision)
        first = np.array([1, *(1 + end for _, end in ends)], np.int64)
        threads = min(threads, max(1, len(ends)))
        self._team = ThreadTeam(threads, len(ends))
        self._scratch = [_make_scratch(tree, depth, precision) for _ in range(threads)]
        self._shared = threads > 1 and not self.apart
        teams = self._team.members
        self._root = Span(
            below=self._shared, above=True, cut=cut.most, bundles=first, team=teams[0]
        )
        self._below = [
            self._root._replace(below=True, above=self._shared, team=team) for team in teams
        ]

    @property
    def scratch(self) -> Scratch:
        return self._scratch[0]

    def walk(
        self, kernel: Callable[..., None], tables: Any, strategy: NDArray[Any], *options: Any
    ) -> None:
        """Run a kernel over the whole tree: ``kernel(game, tables, scratch, subtrees, span, *options)``.

        ``strategy`` is the one of its tables that holds the strategy: probabilities where
        ``tables`` are several, and weights, of which each infoset plays its shares, where it is the
        only one.
        """
        if self._root.cut >= 0:
            descend(
                self.game.tree,
                strategy,
                self.scratch,
                self.subtrees,
                self._root.cut,
                tables is strategy,
            )
            self.walk_subtrees(kernel, tables, *options)
        if not self._shared:
            kernel(self.game, tables, self.scratch, self.subtrees, self._root, *options)

    def walk_subtrees(self, kernel: Callable[..., None], tables: Any, *options: Any) -> None:
        """Run a kernel over the subtrees below the cut, and where threads share a tree, over the rest of it."""
        self._team.run(
            lambda k: kernel(
                self.game, tables, self._scratch[k], self.subtrees, self._below[k], *options
            )
        )


def find_cut(tree: PublicTree, most_slots: int) -> Cut:
    """Return the subtrees with at most so many slots that hang below nodes with more."""
    mover = tree.mover.tolist()
    slots = tree.slots.tolist()
    first = tree.first_child.tolist()
    child = tree.child.tolist()
    child_slot = tree.child_slot.tolist()
    subtrees: list[tuple[int, int]] = []
    waiting = [(len(mover) - 1, 0)]
    while waiting:
        state, slot = waiting.pop()
        if slots[state] <= most_slots:
            subtrees.append((state, slot))
        else:  # the first move is looked at next
            moves = range(first[state + 1] - 1, first[state] - 1, -1)
            waiting += [
                (child[move], slot + child_slot[move])
                for move in moves
                if mover[child[move]] != END
            ]
    states, begins = np.array(subtrees, np.int64).reshape(-1, 2).T.copy()
    return Cut(most_slots, states, begins)


def bundles(sizes: Ints, count: int) -> list[tuple[int, int]]:
    """Return runs of subtrees of about the same size together, as (first, last + 1): so many, or fewer."""
    together = np.cumsum(sizes)
    ends = np.searchsorted(together, np.arange(1, count) * (together[-1:].sum() / count))
    return list(pairwise(np.unique([0, *ends, len(sizes)]).tolist()))
