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
    """

    def __init__(self, game: CardArrays, *, threads: int = 1) -> None:
        self.game = game
        first, last = (int(board) for board in game.boards.first_child[:2])
        self.threads = min(threads, max(1, last - first))
        self._scratch = [make_scratch(game) for _ in range(self.threads)]
        self.scratch = self._scratch[0]
        several = self.threads > 1
        lines = int((game.betting.lines[1] * game.boards.width[2:4]).max()) if several else 0
        stored, best = (zeros((last - first) * lines) for _ in range(2))
        self._whole = Span(first, last, WHOLE, stored, best)
        self._above = self._whole._replace(part=ABOVE)
        size = max(1, (last - first) // (_BUNDLES * self.threads))
        self._below = [Span(k, min(k + size, last), BELOW, stored, best) for k in range(first, last, size) if several]
        self._pool = ThreadPoolExecutor(self.threads) if several else None

    def walk(self, kernel: Callable[..., None], *options: Any) -> None:
        """Run a kernel over all boards: ``kernel(game, scratch, span, *options)``."""
        if self._pool is None:
            kernel(self.game, self.scratch, self._whole, *options)
            return
        spans = iter(self._below)

        def work(scratch: Any) -> None:
            for span in spans:  # shared: each goes to whoever asks next
                kernel(self.game, scratch, span, *options)

        for done in [self._pool.submit(work, scratch) for scratch in self._scratch]:
            done.result()
        kernel(self.game, self.scratch, self._above, *options)
