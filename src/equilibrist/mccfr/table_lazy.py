"""Tables of games that are not compiled: infosets are entered when samples meet them, and nothing else is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.hashtable import KEY, KEYS, WORDS, make_table, refill, with_room
from .._jit.simd import cache_line_zeros
from .._util.arrays import Floats, offsets
from ..form.infosets import Infoset, StateInfosets
from ..form.limits import MAX_DEPTH, Limits
from ..form.responses import Values
from ..form.walk.kernels import Profile
from ..form.walk.walk import walk_values, walkable_rules
from ..game.compiled_rules import CompiledRules
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..game.rules import RulesGame
from .records import make_slots
from .source_python import MOST_MOVES, USUAL, PythonSource
from .source_rules import RulesSource
from .table import Counts, InfosetTable, longer
from .update import normalise

_FIRST_SLOTS = 1 << 12
_PLAYS = 20
_LONGEST_PLAY = 200


def lazy_table(
    game: Game, *, max_histories: int | None = None, max_depth: int = MAX_DEPTH
) -> InfosetTable:
    """Return the table of a game that is not compiled; the limits are those of samples of rules in Python."""
    machine = walkable_rules(game)
    if machine is not None and isinstance(game, RulesGame):
        return RulesTable(game, machine)
    return PythonTable(game, Limits.checked(max_histories, max_depth, None))


def fingerprint_of_plays(game: Game) -> str:
    """Return a digest of the name of a game and of some plays of it: the same text most likely means the same game."""
    random = Random(0)
    digest = hashlib.sha256(game_name(game).encode())
    with suppress(Exception, SystemExit):  # rules that fail: sampling is going to say so
        for _ in range(_PLAYS):
            state = game.start()
            for _ in range(_LONGEST_PLAY):
                who = game.player(state)
                if who == TERMINAL:
                    digest.update(repr([float(payoff) for payoff in game.payoffs(state)]).encode())
                    break
                actions = list(game.actions(state))
                facts: Any = (
                    str(game.infoset(state))
                    if who != CHANCE
                    else list(map(float, game.probabilities(state)))
                )
                digest.update(
                    repr(
                        (int(who), facts, [action_label(game, state, a) for a in actions])
                    ).encode()
                )
                likely = [n for n in range(len(actions)) if who != CHANCE or facts[n] > 0]
                state = game.next(state, actions[likely[int(random.random() * len(likely))]])
    return digest.hexdigest()[:16]


class RulesTable(InfosetTable):
    """Table of a built-in game, sampled by its compiled rules."""

    def __init__(self, game: RulesGame, machine: CompiledRules) -> None:
        self.game = game
        self.name = game_name(game)
        self.players = game.players
        self.moves = game.max_actions
        self.fingerprint = fingerprint_of_plays(game)
        self.slots = make_slots(_FIRST_SLOTS)
        self._machine = machine
        self._states = np.zeros((0, len(self._machine.start)), np.int64)
        self._slot = np.zeros(0, np.uint32)
        self._table = make_table(game.max_observation)
        self._used_slots = np.array([game.players], np.int64)
        self._make_room(_FIRST_SLOTS // 2)

    def source(self, old: Any, *, records: int = 0) -> Any:
        if old is not None:
            states = old.states
        else:
            states = np.zeros((records, len(self._machine.start)), np.int64)
        return RulesSource(
            machine=self._machine,
            states=states,
            actions=cache_line_zeros(
                self.game.max_actions, np.int64
            ),  # threads have scratch of their own
            observation=cache_line_zeros(self.game.max_observation, np.int64),
            probabilities=cache_line_zeros(self.game.max_actions),
            payoffs=cache_line_zeros(self.players),
            table=self._table,
            infoset_states=self._states,
            slot=self._slot,
            slots=self._used_slots,
        )

    def set_strategy(self, profile: Profile) -> None:
        """Put the infosets of a strategy in the place of all that is there, of which samples then draw."""
        used = self.players + len(profile.probability)
        self._table, self._slot = profile.table, (profile.first + self.players).astype(np.uint32)
        self._states = np.zeros((len(self._slot), len(self._machine.start)), np.int64)
        self._used_slots[0] = used
        self.slots = make_slots(2 * max(used, _FIRST_SLOTS))
        self.slots.strategy[self.players : used] = profile.probability
        self._make_room(2 * max(len(self._slot), _FIRST_SLOTS))

    def values(self, weights: Floats, *, should_stop: Callable[[], bool]) -> Values:
        probability = np.zeros(len(weights))
        normalise(*self.shape(), weights, probability)
        profile = Profile(self._table, self._slot, probability, np.zeros(1, np.bool_))
        assert self.certificate is not None  # or nobody asks
        histories = self.certificate.histories
        threads = self.certificate.threads
        return walk_values(
            self.game,
            self._machine,
            profile,
            threads=threads,
            histories=histories,
            should_stop=should_stop,
        ).values

    def shape(self) -> tuple[Counts, Counts]:
        first = self._slot[: self._table.used[KEYS]]
        return first, np.diff(first, append=self._used_slots[0]).astype(np.uint32)

    def infosets(self) -> Sequence[Infoset]:
        states = self._states[: self._table.used[KEYS]].copy()
        owner = np.array([self.game.player(tuple(state)) for state in states.tolist()], np.uint32)
        return StateInfosets(self.game, owner, self.shape()[1], states)

    def grow(self) -> None:
        super().grow()
        self._make_room(2 * len(self._slot))

    def _make_room(self, infosets: int) -> None:
        self._states = longer(self._states, infosets)
        self._slot = longer(self._slot, infosets)
        more = infosets - int(self._table.used[KEYS])
        self._table = with_room(self._table, more, more * (KEY + self.game.max_observation))

    @property
    def nbytes(self) -> int:
        return (
            sum(int(array.nbytes) for array in (*self.slots, self._states, self._slot))
            + self._table.nbytes
        )

    def state_dict(self) -> dict[str, NDArray[Any]]:
        infosets, words = self._table.used
        return {
            "keys": self._table.words[:words],
            "states": self._states[:infosets],
            "slot": self._slot[:infosets],
        }

    def load_state(self, state: dict[str, NDArray[Any]], *, slots: int) -> None:
        used = len(state["slot"])
        counts = np.diff(state["slot"].astype(np.int64), prepend=self.players, append=slots)
        if (used == 0 and slots != self.players) or (
            used and (counts[0] != 0 or counts[1:].min() < 1)
        ):
            raise ValueError("slot")
        if counts.max(initial=0) > self.moves or state["states"].shape != (
            used,
            len(self._machine.start),
        ):
            raise ValueError("infosets of another game")
        while len(self.slots.strategy) < slots or len(self._slot) < used:
            self.grow()
        self._states[:used], self._slot[:used] = state["states"], state["slot"]
        self._used_slots[0] = slots
        words = len(state["keys"])
        table = make_table(self.game.max_observation)
        table = with_room(table, len(self._slot), max(words, len(self._table.words)))
        table.words[:words] = state["keys"]
        if not refill(table, used, self.players) or table.used[WORDS] != words:
            raise ValueError("keys")
        self._table = table


class PythonTable(InfosetTable):
    """Table of any game, sampled by its rules in Python."""

    interpreted = True

    def __init__(self, game: Game, limits: Limits = USUAL) -> None:
        self.name = game_name(game)
        self.players = game.players
        self.moves = MOST_MOVES
        self.fingerprint = fingerprint_of_plays(game)
        self.slots = make_slots(_FIRST_SLOTS)
        self._source = PythonSource(game, limits)

    def source(self, old: Any, *, records: int = 0) -> Any:
        return self._source

    def shape(self) -> tuple[Counts, Counts]:
        count = np.array([len(infoset.actions) for infoset in self._source.infosets], np.uint32)
        return (self.players + offsets(count)[:-1]).astype(np.uint32), count

    def infosets(self) -> Sequence[Infoset]:
        return self._source.infosets

    def poll_with(self, poll: Callable[[], None]) -> None:
        self._source.poll = poll

    def state_dict(self) -> dict[str, NDArray[Any]]:
        names = [
            [infoset.player, infoset.key, list(infoset.actions)]
            for infoset in self._source.infosets
        ]
        return {"infosets": np.frombuffer(json.dumps(names).encode(), np.uint8)}

    def load_state(self, state: dict[str, NDArray[Any]], *, slots: int) -> None:
        self._source.set_infosets(_read_infosets(state["infosets"].tobytes(), self.players))
        if slots != self._source.used_slots:
            raise ValueError("infosets")
        while len(self.slots.strategy) < slots:
            self.grow()

    @property
    def nbytes(self) -> int:
        return super().nbytes + self._source.nbytes


def _read_infosets(text: bytes, players: int) -> list[Infoset]:
    try:
        infosets = [
            Infoset(player, key, tuple(actions)) for player, key, actions in json.loads(text)
        ]
        well_formed = all(
            type(infoset.player) is int
            and 0 <= infoset.player < players
            and isinstance(infoset.key, str)
            and 0 < len(infoset.actions) <= MOST_MOVES
            and all(isinstance(action, str) for action in infoset.actions)
            for infoset in infosets
        )
        if not well_formed or len({infoset[:2] for infoset in infosets}) < len(infosets):
            raise ValueError("infosets")
    except (TypeError, ValueError, RecursionError):
        raise ValueError("infosets") from None
    return infosets
