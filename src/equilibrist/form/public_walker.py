"""Walkers of a public tree: scratch and threads, which a form lends to whoever runs a kernel over its tree."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Ints
from .idle import Lender
from .public_tree import END, PublicTree
from .public_walk import FRAME, PublicGame, Scratch, Span, Subtrees, descend
from .terminal.payoffs import TerminalPayoffs

_SUBTREES = 128  # subtrees of at most this part of the whole are walked independently, with any number of threads
_BUNDLES = 64  # they are handed out in about so many bundles


class WalkedForm(Lender["PublicWalker"], Protocol):
    """What walks read of a public form."""

    @property
    def public(self) -> PublicTree:
        """The public states."""

    @property
    def terminal_payoffs(self) -> TerminalPayoffs:
        """The payoffs at terminal public states."""

    @property
    def hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What each player may hold."""

    @property
    def length(self) -> int:
        """Length of arrays at the slots."""

    @property
    def root(self) -> int:
        """The public state in which the game begins."""

    @property
    def depth(self) -> int:
        """Number of moves in the longest play."""


def _make_scratch(form: WalkedForm) -> Scratch:
    """Return scratch for walks of a game."""
    tree = form.public
    width, depths = int(tree.width.max()), form.depth + 1
    actions = int(np.diff(tree.first_child).max(initial=1))
    return Scratch(
        width=width,
        actions=actions,
        frames=np.zeros(depths, FRAME).view(np.recarray),
        reach=zeros(depths * 2 * width),
        value=zeros(depths * 2 * width),
        sigma=zeros(depths * actions * width),
        action_value=zeros(depths * actions * width),
        best_value=zeros(depths * width),
        best_action_value=zeros(depths * actions * width),
        sums=zeros(width + 1),
    )


def _make_subtrees(form: WalkedForm, count: int) -> Subtrees:
    """Return room for so many subtrees besides the whole tree, which every hand reaches with 1."""
    width = int(form.public.width.max())
    state, slot = np.zeros(1 + count, np.int64), np.zeros(1 + count, np.int64)
    reach, value, best_value = (zeros((1 + count) * rows * width) for rows in (2, 2, 1))
    state[0], reach[: 2 * width] = form.root, 1.0
    return Subtrees(state, slot, reach, value, best_value)


class PublicWalker:
    """Walks of a public tree, by one thread or several: the result is the same, bit for bit.

    With several, the tree is cut: what is above the cut is walked down to it, the subtrees below are walked by
    whichever thread is free, and then the upper part is walked with their results. Threads and scratch live as long as
    this, and the form keeps it for the next who needs one (:func:`~.idle.borrowed_walker`).
    """

    def __init__(self, form: WalkedForm, *, threads: int = 1) -> None:
        self.form = form
        self.game = PublicGame(form.public, form.terminal_payoffs)
        self._scratch = [_make_scratch(form) for _ in range(threads)]
        self._cut = form.length // _SUBTREES
        self.subtrees = _make_subtrees(form, 0 if threads == 1 else _count_subtrees(form, self._cut))
        self._pool = None if threads == 1 else ThreadPoolExecutor(threads)
        self._bundles: list[tuple[int, int]] | None = None

    @property
    def scratch(self) -> Scratch:
        """Scratch of the calling thread."""
        return self._scratch[0]

    def walk(self, kernel: Callable[..., None], tables: Any, strategy: NDArray[Any], *options: Any) -> None:
        """Run a kernel over the whole tree: ``kernel(game, tables, scratch, subtrees, span, *options)``.

        ``strategy`` is the one of its tables that holds the strategy: probabilities where ``tables`` are several, and
        weights, of which each infoset plays its shares, where it is the only one.
        """
        game, subtrees = self.game, self.subtrees

        def part(scratch: Scratch, first: int, last: int, cut: int) -> None:
            kernel(game, tables, scratch, subtrees, Span(first, last, cut), *options)

        if self._pool is None:
            part(self._scratch[0], 0, 1, -1)
            return
        descend(game.tree, strategy, self._scratch[0], subtrees, self._cut, tables is strategy)
        if self._bundles is None:
            self._bundles = _bundles(game.tree.slots[subtrees.state[1:]])
        bundles = iter(self._bundles)

        def work(scratch: Scratch) -> None:
            for first, last in bundles:  # shared: each bundle goes to whoever asks next
                part(scratch, 1 + first, 1 + last, -1)

        for done in [self._pool.submit(work, scratch) for scratch in self._scratch]:
            done.result()
        part(self._scratch[0], 0, 1, self._cut)


def _count_subtrees(form: WalkedForm, cut: int) -> int:
    """Return how many subtrees with at most ``cut`` slots hang below nodes with more."""
    tree = form.public
    count: list[int] = []
    mover, slots, child = tree.mover.tolist(), tree.slots.tolist(), tree.child.tolist()
    first = tree.first_child.tolist()
    for state in range(len(mover)):
        below = sum(count[child[action]] for action in range(first[state], first[state + 1]))
        count.append(0 if mover[state] == END else 1 if slots[state] <= cut else below)
    return count[-1]


def _bundles(sizes: Ints) -> list[tuple[int, int]]:
    """Return runs of subtrees of about the same size together, as (first, last + 1)."""
    together = np.cumsum(sizes)
    ends = np.searchsorted(together, np.arange(1, _BUNDLES) * (together[-1:].sum() / _BUNDLES))
    return list(pairwise(np.unique([0, *ends, len(sizes)]).tolist()))
