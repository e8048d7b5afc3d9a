"""Walkers of the boards of a card game: scratch and threads for whoever runs a kernel over them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..._jit.simd import zeros
from .walk import ABOVE, BELOW, WHOLE, CardArrays, Span, make_scratch

_BUNDLES = 16  # the boards of the second street are handed out one by one where there are few, else in so many bundles


class CardWalker:
    """Walks of all boards, by one thread or several: the result is the same, bit for bit.

    With several, the boards of the second street are walked by whichever thread is free, each with what follows on
    it, and then the first board is left with their results, in their order.

    Parameters
    ----------
    game : CardArrays
        The game.
    threads : int
        How many threads walk.
    below : pair of int, optional
        The boards of the second street, as (first, last + 1), that are walked apart from the first board here; by
        default, all where there are several threads.
    """

    def __init__(self, game: CardArrays, *, threads: int = 1, below: tuple[int, int] | None = None) -> None:
        self.game = game
        first, last = (int(board) for board in game.boards.first_child[:2])
        self.threads = min(threads, max(1, last - first))
        self.cut = self.threads > 1 or below is not None
        self._scratch = [make_scratch(game) for _ in range(self.threads)]
        self.scratch = self._scratch[0]
        lines = int((game.betting.lines[1] * game.boards.width[2:4]).max()) if self.cut else 0
        stored, best = (zeros((last - first) * lines) for _ in range(2))
        self.span = Span(first, last, ABOVE if self.cut else WHOLE, stored, best)
        begin, end = below or (first, last)
        size = max(1, (end - begin) // (_BUNDLES * self.threads))
        self._below = [
            self.span._replace(first=k, last=min(k + size, end), part=BELOW) for k in range(begin, end, size)
        ]
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def walk(self, kernel: Callable[..., None], *options: Any) -> None:
        """Run a kernel over all boards: ``kernel(game, scratch, span, *options)``."""
        if self.cut:
            self.walk_below(kernel, *options)
        kernel(self.game, self.scratch, self.span, *options)

    def walk_below(self, kernel: Callable[..., None], *options: Any) -> None:
        """Run a kernel over the boards of the second street, and those that follow on them."""
        spans = iter(self._below)

        def work(scratch: Any) -> None:
            for span in spans:  # shared: each goes to whoever asks next
                kernel(self.game, scratch, span, *options)

        if self._pool is None:
            work(self.scratch)
            return
        for done in [self._pool.submit(work, scratch) for scratch in self._scratch]:
            done.result()
