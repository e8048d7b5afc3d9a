"""Tables of all infosets of a game, and walks through it that fill in counterfactual values; nothing else is kept."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..errors import AlgorithmError, GameTooLargeError
from ..form.limits import free_memory, rounded
from ..form.sequence.tree import SUM_TOLERANCE
from ..form.walk.kernels import Entered, Profile
from ..form.walk.walk import PlayersWalk, WalkEstimate, estimate_walk, machine_for, uniform_profile, walkable_rules
from ..game.compiled_rules import CompiledRules
from ..game.protocol import Game
from ..game.rules import RulesGame
from .table import InfosetTable
from .table_lazy import RulesTable
from .update import normalise


class Sizes(NamedTuple):
    """What a walk through all of a game has counted."""

    histories: int
    zero_sum: bool
    largest_payoff: float


class WalkedTable(InfosetTable):
    """Table of all infosets of a game, which is walked again and again: those of one player after those of another."""

    sizes: Sizes
    last_infoset: list[int]  # of each player, where the infosets end; before it are those of players before

    @abstractmethod
    def estimate(self, threads: int) -> WalkEstimate:
        """Return how long an iteration takes, by random plays."""

    @abstractmethod
    def enter_infosets(self, *, threads: int, memory_gb: float | None = None) -> None:
        """Give a number to each infoset of the game, and play it uniformly; passes are going to have so many threads.

        Raises
        ------
        GameError
            A player forgets, or rules in Python make no sense.
        GameTooLargeError
            The tables take more memory than there is, or than is allowed.
        """

    @abstractmethod
    def fill_values(self, player: int, *, threads: int, should_stop: Callable[[], bool]) -> None:
        """Fill in the values of the player's actions, in ``slots.instant_regret``."""


class RulesWalkedTable(RulesTable, WalkedTable):
    """Such a table of a built-in game, whose compiled rules are walked."""

    def __init__(self, game: RulesGame, machine: CompiledRules) -> None:
        super().__init__(game, machine)
        self._walks: list[PlayersWalk] = []

    def estimate(self, threads: int) -> WalkEstimate:
        return estimate_walk(self.game, threads=threads)

    def enter_infosets(self, *, threads: int, memory_gb: float | None = None) -> None:
        began, found = time.perf_counter(), []
        self.last_infoset = []

        def more_room() -> Entered:
            self._check_memory(memory_gb)
            self.grow()
            return self._entered

        for player in range(self.players):
            walk = PlayersWalk(self.game, self._machine, uniform_profile(self.game), player)
            found.append(walk.enter(self._entered, more_room))
            self.last_infoset.append(len(self.shape()[0]))
        lowest, highest, largest = zip(*(each.sums for each in found), strict=True)
        self.sizes = Sizes(found[0].histories, max(highest) - min(lowest) <= SUM_TOLERANCE, max(largest))
        normalise(*self.shape(), self.slots.strategy_sum, self.slots.strategy)
        self.certificate = WalkEstimate(self.sizes.histories, (time.perf_counter() - began) / threads)

    @property
    def _entered(self) -> Entered:
        return Entered(self._table, self._states, self._slot, self.slots.parent_slot, self._used_slots)

    def fill_values(self, player: int, *, threads: int, should_stop: Callable[[], bool]) -> None:
        if not self._walks:
            machine = machine_for(self.game, self._machine, self.sizes.histories)
            profile = Profile(self._table, self._slot, self.slots.strategy, np.zeros(1, np.bool_))
            self._walks = [
                PlayersWalk(self.game, machine, profile, each, threads, None, should_stop)
                for each in range(self.players)
            ]
        self._walks[player].fill_values(self.slots.instant_regret)

    def _check_memory(self, memory_gb: float | None) -> None:
        """Refuse to grow, while the old tables and the double are there, beyond what there is or is allowed."""
        needed, allowed = 3 * self.nbytes / 1e9, free_memory() + self.nbytes / 1e9
        if needed > min(allowed, memory_gb or allowed):
            raise GameTooLargeError(
                f"{self.name} is too large to walk: tables of more than {self.used:,} actions take "
                f"{rounded(needed)} GB, of which there are {rounded(min(allowed, memory_gb or allowed))}. Allow more "
                "(Limits(memory_gb=), --max-memory-gb), or sample it (sampling='external(tree=False)')."
            )


def walked_table(game: Game) -> WalkedTable:
    """Return the table of a game that is walked, before any infoset is entered."""
    machine = walkable_rules(game)
    if machine is not None and isinstance(game, RulesGame):
        return RulesWalkedTable(game, machine)
    raise AlgorithmError("not yet")
