"""Tables of all infosets of a game, and walks through it that fill in counterfactual values; nothing else is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GameTooLargeError
from ..form.limits import free_memory
from ..form.walk.walk import Say, WalkEstimate, Walks, has_common_sum
from ..show.numbers import format_two_digits
from .table_lazy import LazyTable
from .update import normalise


class Sizes(NamedTuple):
    """What a walk through all of a game has counted."""

    histories: int
    zero_sum: bool


class WalkedTable(LazyTable):
    """Table of all infosets of a game, which is walked again and again: those of one player after those of another."""

    sizes: Sizes
    # of each player, where the infosets end; before it are those of players before
    last_infoset: list[int]

    def enter_infosets(
        self,
        *,
        threads: int = 1,
        memory_gb: float | None = None,
        histories: float = 0.0,
        say: Say | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Give a number to each infoset of the game, and play it uniformly; passes are going to have so many threads.

        ``histories`` is about how many there are, where that is known, and ``say`` is told how far
        this is.

        Raises
        ------
        GameError
            A player forgets, or rules in Python make no sense.
        GameTooLargeError
            The tables take more memory than there is, or than is allowed.
        WalkStoppedError
            ``should_stop`` returned True.
        """

        def more_room() -> NDArray[np.int64]:
            self._check_memory(memory_gb)
            self.grow()
            return self.slots.parent_slot

        began = time.perf_counter()
        ends = []
        self.last_infoset = []
        for player in range(self.players):
            end = self.index.enter(
                player,
                self.slots.parent_slot,
                more_room=more_room,
                histories=histories,
                say=say,
                should_stop=should_stop,
            )
            ends.append(end)
            self.last_infoset.append(len(self.index))
        seconds = time.perf_counter() - began
        self._set_sizes(ends, seconds, self.form.usable_threads(threads))

    def _set_sizes(self, ends: list[Walks], seconds: float, threads: int) -> None:
        """Note what walks through all of the game have come to, and play uniformly."""
        self.largest_payoff = max(end.sums[2] for end in ends)
        self.sizes = Sizes(ends[0].histories, has_common_sum(ends))
        self.certificate = WalkEstimate(self.sizes.histories, seconds / threads, threads=threads)
        normalise(*self.shape(), self.slots.strategy_sum, self.slots.strategy)

    def describe_game(self) -> dict[str, Any]:
        return super().describe_game() | {
            "histories": self.sizes.histories,
            "zero_sum": self.sizes.zero_sum,
            "form": self.form.kind,
        }

    def fill_values(self, player: int, *, threads: int, should_stop: Callable[[], bool]) -> None:
        """Fill in the values of the player's actions, in ``slots.instant_regret``."""
        self.index.fill_values(
            player,
            self.slots.strategy,
            self.slots.instant_regret,
            histories=self.sizes.histories,
            threads=threads,
            should_stop=should_stop,
        )

    def _check_memory(self, memory_gb: float | None) -> None:
        """Refuse to grow, while the old tables and the double are there, beyond what there is or is allowed."""
        needed = 3 * self.nbytes / 1e9
        allowed = free_memory() + self.nbytes / 1e9
        if memory_gb is not None:
            allowed = min(allowed, memory_gb)
        if needed > allowed:
            raise GameTooLargeError(
                f"{self.name} is too large to walk: tables of more than {self.used:,} actions "
                f"take {format_two_digits(needed)} GB, of which there are {format_two_digits(allowed)}. "
                "Allow more (Limits(memory_gb=), --max-memory-gb), or sample it "
                "(sampling='external(tree=False)')."
            )
