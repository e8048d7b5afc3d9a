"""The infosets of compiled rules that have been met, in a hash table by what their player observes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._jit.hashtable import KEY, KEYS, WORDS, make_table, refill, with_room
from ..._jit.simd import cache_line_zeros
from ..._util.arrays import Floats
from ...game.compiled_rules import CompiledRules
from ...game.rules import RulesGame
from ..infosets import StateInfosets
from ..responses import Values
from .index import Counts, InfosetIndex, MoreRoom, StrategyRows
from .kernels import Entered, Profile
from .slots import longer
from .source_rules import RulesSource
from .strategies import profile_of_strategy
from .walk import PlayersWalk, Say, Walks, choose_machine, uniform_profile, walk_values


class HashedIndex(InfosetIndex):
    """Infosets of a game whose rules compile: a state is kept in each."""

    interpreted = False

    def __init__(self, game: RulesGame, machine: CompiledRules) -> None:
        self.moves = game.max_actions
        self._game = game
        self._machine = machine
        self._states = np.zeros((0, len(machine.start)), np.int64)
        self._slot = np.zeros(0, np.uint32)  # the first one of each infoset
        self._table = make_table(game.max_observation)
        self._used_slots = np.array([game.players], np.int64)
        self._walks: list[PlayersWalk] = []  # of `fill_values`, one for each player

    def __len__(self) -> int:
        return int(self._table.used[KEYS])

    def shape(self) -> tuple[Counts, Counts]:
        first = self._slot[: len(self)]
        return first, np.diff(first, append=self._used_slots[0]).astype(np.uint32)

    def infosets(self) -> StateInfosets:
        states = self._states[: len(self)].copy()
        owner = np.array([self._game.player(tuple(state)) for state in states.tolist()], np.uint32)
        return StateInfosets(self._game, owner, self.shape()[1], states)

    @property
    def nbytes(self) -> int:
        return int(self._states.nbytes) + int(self._slot.nbytes) + self._table.nbytes

    def make_room(self, infosets: int) -> None:
        self._states = longer(self._states, infosets)
        self._slot = longer(self._slot, infosets)
        more = infosets - len(self)
        self._table = with_room(self._table, more, more * (KEY + self._game.max_observation))

    def grow(self) -> None:
        self.make_room(2 * len(self._slot))

    def source(self, old: Any, *, records: int = 0) -> RulesSource:
        if old is not None:
            states = old.states
        else:
            states = np.zeros((records, len(self._machine.start)), np.int64)
        return RulesSource(
            machine=self._machine,
            states=states,
            # threads have scratch of their own
            actions=cache_line_zeros(self._game.max_actions, np.int64),
            observation=cache_line_zeros(self._game.max_observation, np.int64),
            probabilities=cache_line_zeros(self._game.max_actions),
            payoffs=cache_line_zeros(self._game.players),
            table=self._table,
            infoset_states=self._states,
            slot=self._slot,
            slots=self._used_slots,
        )

    def poll_with(self, poll: Callable[[], None]) -> None:
        """Do nothing: a compiled source cannot be left."""

    def state_dict(self) -> dict[str, NDArray[Any]]:
        infosets, words = self._table.used
        return {
            "keys": self._table.words[:words],
            "states": self._states[:infosets],
            "slot": self._slot[:infosets],
        }

    def load_state(
        self, state: dict[str, NDArray[Any]], *, slots: int, grow: Callable[[], None]
    ) -> None:
        players = self._game.players
        used = len(state["slot"])
        counts = np.diff(state["slot"].astype(np.int64), prepend=players, append=slots)
        if (used == 0 and slots != players) or (used and (counts[0] != 0 or counts[1:].min() < 1)):
            raise ValueError("slot")
        if counts.max(initial=0) > self.moves or state["states"].shape != (
            used,
            len(self._machine.start),
        ):
            raise ValueError("infosets of another game")
        while len(self._slot) < used:
            grow()
        self._states[:used] = state["states"]
        self._slot[:used] = state["slot"]
        self._used_slots[0] = slots
        words = len(state["keys"])
        table = make_table(self._game.max_observation)
        table = with_room(table, len(self._slot), max(words, len(self._table.words)))
        table.words[:words] = state["keys"]
        if not refill(table, used, players) or table.used[WORDS] != words:
            raise ValueError("keys")
        self._table = table

    def set_strategy(self, strategy: StrategyRows, bare: Collection[str]) -> Floats:
        profile = profile_of_strategy(self._game, self._machine, strategy, bare)
        players = self._game.players
        self._table = profile.table
        self._slot = (profile.first + players).astype(np.uint32)
        self._states = np.zeros((len(self._slot), len(self._machine.start)), np.int64)
        self._used_slots[0] = players + len(profile.probability)
        return profile.probability

    def enter(
        self,
        player: int,
        parent_slot: NDArray[np.int64],
        *,
        more_room: MoreRoom,
        histories: float = 0.0,
        say: Say | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Walks:
        walk = PlayersWalk(
            self._game,
            choose_machine(self._game, self._machine, histories),
            uniform_profile(self._game),
            player,
            say=say,
            should_stop=should_stop,
            expected=histories,
        )
        return walk.enter(
            self._entered_tables(parent_slot), lambda: self._entered_tables(more_room())
        )

    def _entered_tables(self, parent_slot: NDArray[np.int64]) -> Entered:
        return Entered(self._table, self._states, self._slot, parent_slot, self._used_slots)

    def fill_values(
        self,
        player: int,
        strategy: Floats,
        cf_value: Floats,
        *,
        histories: float,
        threads: int,
        should_stop: Callable[[], bool],
    ) -> None:
        if not self._walks:
            machine = choose_machine(self._game, self._machine, histories)
            profile = self._profile_at_slots(strategy)
            self._walks = [
                PlayersWalk(
                    self._game, machine, profile, walking_player, threads, None, should_stop
                )
                for walking_player in range(self._game.players)
            ]
        self._walks[player].fill_values(cf_value)

    def values(
        self,
        strategy: Floats,
        *,
        histories: float,
        threads: int,
        should_stop: Callable[[], bool],
    ) -> Values:
        return walk_values(
            self._game,
            self._machine,
            self._profile_at_slots(strategy),
            threads=threads,
            histories=histories,
            should_stop=should_stop,
        ).values

    def _profile_at_slots(self, strategy: Floats) -> Profile:
        """Return probabilities at the slots as walks take them; uniform at infosets that were not met."""
        return Profile(self._table, self._slot, strategy, np.zeros(1, np.bool_))
