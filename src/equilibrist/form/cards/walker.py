"""Walkers of the boards of a card game: scratch and threads for whoever runs a kernel over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._jit.prepared import Prepared
from ..._jit.simd import zeros
from ..._jit.thread_team import ThreadTeam
from .walk import ABOVE, BELOW, SHARED, WHOLE, CardArrays, Span, make_scratch

_ALONE = -1  # the thread that walks no boards of the second street with others


class CardWalker:
    """Walks of all boards, by one thread or several: the result is the same, bit for bit.

    With several, the boards of the second street are walked by whichever thread is free, each with what follows on it,
    and then one of them leaves the first board with their results, in their order. The boards of the second street in
    ``below``, (first, last + 1), are walked apart from the first board; then a kernel walks no more than once in a call
    (``apart``).
    """

    def __init__(
        self,
        game: CardArrays,
        precision: str = "float64",
        *,
        threads: int = 1,
        below: tuple[int, int] | None = None,
    ) -> None:
        self.game = game
        self.apart = below is not None
        first, last = (int(board) for board in game.boards.first_child[:2])
        begin, end = below or (first, last)
        self.threads = min(threads, max(1, end - begin))
        self._team = ThreadTeam(self.threads, end - begin)
        self._scratch = [make_scratch(game, precision) for _ in range(self.threads)]
        self.stores = (
            self.apart or self.threads > 1
        )  # values of boards of the second street, of one player at a time
        if self.stores:
            lines = int((game.betting.lines[1] * game.boards.width[2:4]).max())
        else:
            lines = 0
        rows = [zeros((last - first) * lines, precision) for _ in range(2)]
        part = ABOVE if self.apart else SHARED if self.stores else WHOLE
        self.span = Span(first, last, part, self._team.members[0], *rows)
        if self.apart:
            below_span = self.span._replace(first=begin, last=end, part=BELOW)
        else:
            below_span = self.span
        self._below = [below_span._replace(team=member) for member in self._team.members]
        self._calls: dict[tuple[Callable[..., None], int], Prepared] = {}

    @property
    def scratch(self) -> Any:
        """Scratch of the thread that left the first board."""
        return self._scratch[self._team.last]

    def walk(self, kernel: Callable[..., None], *options: Any) -> None:
        """Run a kernel over all boards: ``kernel(game, scratch, span, *options)``."""
        if self.threads > 1 or self.apart:
            self.walk_below(kernel, *options)
        if self.apart or self.threads == 1:
            self._call(kernel, _ALONE)(*options)

    def walk_below(self, kernel: Callable[..., None], *options: Any) -> None:
        """Run a kernel over the boards of the second street, and those that follow on them."""
        self._team.run(lambda k: self._call(kernel, k)(*options))

    def _call(self, kernel: Callable[..., None], thread: int) -> Prepared:
        """Return a kernel that is called with the scratch and the part of the boards of a thread."""
        call = self._calls.get((kernel, thread))
        if call is None:
            span = self.span if thread == _ALONE else self._below[thread]
            call = self._calls[kernel, thread] = Prepared(
                kernel, self.game, self._scratch[max(thread, 0)], span
            )
        return call
