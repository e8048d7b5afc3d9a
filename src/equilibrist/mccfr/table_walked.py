"""Tables of all infosets of a game, and walks through it that fill in counterfactual values; nothing else is kept."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._util.arrays import Floats
from ..errors import GameTooLargeError
from ..form.infosets import Infoset
from ..form.limits import MAX_DEPTH, Limits, free_memory, rounded
from ..form.responses import Values
from ..form.sequence.tree import SUM_TOLERANCE
from ..form.walk.kernels import Entered, Profile
from ..form.walk.python import PythonWalk, estimate_python_walk, uniform_play
from ..form.walk.walk import (
    PlayersWalk,
    Say,
    WalkEstimate,
    Walks,
    estimate_walk,
    machine_for,
    uniform_profile,
    walkable_rules,
)
from ..game.checked import CheckedGame
from ..game.compiled_rules import CompiledRules
from ..game.protocol import Game
from ..game.rules import RulesGame
from .table import InfosetTable
from .table_lazy import PythonTable, RulesTable
from .update import normalise


class Sizes(NamedTuple):
    """What a walk through all of a game has counted."""

    histories: int
    zero_sum: bool
    largest_payoff: float


class WalkedTable(InfosetTable):
    """Table of all infosets of a game, which is walked again and again: those of one player after those of another."""

    sizes: Sizes
    last_infoset: list[
        int
    ]  # of each player, where the infosets end; before it are those of players before

    @abstractmethod
    def estimate(self, threads: int) -> WalkEstimate:
        """Return how long an iteration takes, by random plays."""

    @abstractmethod
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

        ``histories`` is about how many there are, where that is known, and ``say`` is told how far this is.

        Raises
        ------
        GameError
            A player forgets, or rules in Python make no sense.
        GameTooLargeError
            The tables take more memory than there is, or than is allowed.
        WalkStoppedError
            ``should_stop`` returned True.
        """

    @abstractmethod
    def fill_values(self, player: int, *, threads: int, should_stop: Callable[[], bool]) -> None:
        """Fill in the values of the player's actions, in ``slots.instant_regret``."""

    def _set_sizes(self, ends: list[Walks], seconds: float, threads: int = 1) -> None:
        """Note what walks through all of the game have come to, and play uniformly."""
        lowest, highest, largest = zip(*(each.sums for each in ends), strict=True)
        tolerance = SUM_TOLERANCE * max(1.0, self.players * max(largest))
        self.sizes = Sizes(ends[0].histories, max(highest) - min(lowest) <= tolerance, max(largest))
        self.certificate = WalkEstimate(self.sizes.histories, seconds / threads, threads=threads)
        normalise(*self.shape(), self.slots.strategy_sum, self.slots.strategy)


class RulesWalkedTable(RulesTable, WalkedTable):
    """Such a table of a built-in game, whose compiled rules are walked."""

    def __init__(self, game: RulesGame, machine: CompiledRules) -> None:
        super().__init__(game, machine)
        self._walks: list[PlayersWalk] = []

    def estimate(self, threads: int) -> WalkEstimate:
        return estimate_walk(self.game, threads=threads)

    def enter_infosets(
        self,
        *,
        threads: int = 1,
        memory_gb: float | None = None,
        histories: float = 0.0,
        say: Say | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        machine = machine_for(self.game, self._machine, histories)
        began = time.perf_counter()
        ends = []
        self.last_infoset = []

        def more_room() -> Entered:
            self._check_memory(memory_gb)
            self.grow()
            return self._entered

        for player in range(self.players):
            profile = uniform_profile(self.game)
            walk = PlayersWalk(
                self.game, machine, profile, player, 1, say, should_stop, expected=histories
            )
            ends.append(walk.enter(self._entered, more_room))
            self.last_infoset.append(len(self.shape()[0]))
        self._set_sizes(ends, time.perf_counter() - began, threads)

    @property
    def _entered(self) -> Entered:
        return Entered(
            self._table, self._states, self._slot, self.slots.parent_slot, self._used_slots
        )

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
        needed = 3 * self.nbytes / 1e9
        allowed = free_memory() + self.nbytes / 1e9
        if needed > min(allowed, memory_gb or allowed):
            raise GameTooLargeError(
                f"{self.name} is too large to walk: tables of more than {self.used:,} actions take "
                f"{rounded(needed)} GB, of which there are {rounded(min(allowed, memory_gb or allowed))}. Allow more "
                "(Limits(memory_gb=), --max-memory-gb), or sample it (sampling='external(tree=False)')."
            )


class PythonWalkedTable(PythonTable, WalkedTable):
    """Such a table of any game, whose rules in Python are walked: slowly."""

    def __init__(self, game: Game, limits: Limits) -> None:
        super().__init__(game, limits)
        self.game = game
        self.limits = limits
        self._asked = CheckedGame(game, game.players, lambda _: "some moves")

    def estimate(self, threads: int) -> WalkEstimate:
        return estimate_python_walk(self.game, self.limits)

    def enter_infosets(
        self,
        *,
        threads: int = 1,
        memory_gb: float | None = None,
        histories: float = 0.0,
        say: Say | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        source, began, ends = self._source, time.perf_counter(), []
        self.last_infoset = []

        def enter(key: str, state: Any, actions: tuple[Hashable, ...], before: int) -> int:
            labels = self._asked.labels(0, state, actions, key)
            while source.used_slots + len(actions) > len(self.slots.strategy):
                self.grow()
            slot = source.used_slots
            source.add(Infoset(player, key, labels))
            self.slots.parent_slot[slot] = before
            return slot

        for player in range(self.players):
            heard: dict[str, Any] = {"say": say, "expected": histories, "should_stop": should_stop}
            walk = PythonWalk(
                self.game, player, uniform_play, limits=self.limits, enter=enter, **heard
            )
            ends.append(walk.run())
            self.last_infoset.append(len(source.infosets))
        self._set_sizes(ends, time.perf_counter() - began)

    def fill_values(self, player: int, *, threads: int, should_stop: Callable[[], bool]) -> None:
        self._walk(player, self.slots.strategy, should_stop, self.slots.instant_regret)

    def values(self, weights: Floats, *, should_stop: Callable[[], bool]) -> Values:
        probability = np.zeros(len(weights))
        normalise(*self.shape(), weights, probability)
        ends = [self._walk(player, probability, should_stop) for player in range(self.players)]
        return Values(tuple(each.value for each in ends), tuple(each.best for each in ends))

    def _walk(
        self,
        player: int,
        probability: Floats,
        should_stop: Callable[[], bool],
        cf_value: Floats | None = None,
    ) -> Walks:
        index = self._source.index
        first_slot = self._source.first_slot

        def play(
            mover: int, key: str, state: Any, actions: tuple[Hashable, ...]
        ) -> Sequence[float]:
            slot = first_slot[index[mover, key]]
            row: list[float] = probability[slot : slot + len(actions)].tolist()
            return row

        def enter(key: str, state: Any, actions: tuple[Hashable, ...], before: int) -> int:
            return first_slot[index[player, key]]

        options: dict[str, Any] = {"limits": self.limits, "should_stop": should_stop}
        return PythonWalk(self.game, player, play, enter=enter, cf_value=cf_value, **options).run()


def walked_table(game: Game, *, max_depth: int = MAX_DEPTH) -> WalkedTable:
    """Return the table of a game that is walked, with no infoset yet; the limit is that of rules in Python."""
    machine = walkable_rules(game)
    if machine is not None and isinstance(game, RulesGame):
        return RulesWalkedTable(game, machine)
    return PythonWalkedTable(game, Limits.checked(None, max_depth))
