"""Samples drawn from rules in Python, with no tree: slower, and for any game."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from sys import getsizeof
from typing import Any

from ...errors import GameError
from ...game.checked import CheckedGame
from ...game.plays import name_moves
from ...game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..infosets import Infoset
from ..limits import CompileBudget
from .slots import UNKNOWN

MOST_MOVES = 4096
"""Of one history: the rules cannot say beforehand."""

MOST_RECORDS = 10_000_000
"""Of a sample, unless more or fewer are allowed."""

_BYTES_OF_AN_INFOSET = 800  # in the dictionaries and lists here, texts not counted


class InfosetNames:
    """The infosets met so far, by player and name."""

    def __init__(self, players: int) -> None:
        self._players = players
        self.clear()

    def clear(self) -> None:
        """Forget all infosets."""
        self.index: dict[tuple[int, str], int] = {}
        self.infosets: list[Infoset] = []
        self.first_slot: list[int] = []
        # Slots in use: an empty sequence for each player comes first.
        self.used_slots = self._players
        self.nbytes = 0  # of all this, roughly

    def slot(self, player: int, key: str) -> int:
        """Return the first slot of an infoset."""
        number = self.index.get((player, key))
        if number is None:
            return UNKNOWN
        return self.first_slot[number]

    def add(self, infoset: Infoset) -> int:
        """Give slots to an infoset; return the first of them."""
        slot = self.used_slots
        self.index[infoset.player, infoset.key] = len(self.infosets)
        self.infosets.append(infoset)
        self.first_slot.append(slot)
        self.used_slots += len(infoset.actions)
        self.nbytes += _BYTES_OF_AN_INFOSET + sum(map(getsizeof, (infoset.key, *infoset.actions)))
        return slot


class PythonSource:
    """Any :class:`~equilibrist.game.protocol.Game`, and the infosets met so far.

    The kernels are run by Python itself here, and put the questions of
    :mod:`equilibrist.mccfr.source` to the methods of the same names. What is met is checked as when
    a game is compiled: a game that is not well formed is refused as soon as a sample shows it.
    """

    def __init__(self, game: Game, limits: CompileBudget, names: InfosetNames) -> None:
        self.game = game
        self.name = game_name(game)
        self.limits = limits
        self._names = names
        # Called at each history; what it raises leaves the sample.
        self.poll: Callable[[], None] = lambda: None
        self._ask = CheckedGame(game, game.players, self._moves_text)
        self._records: Any = None  # the records of the sample
        # Of each infoset met: what the rules call it, its actions, and what its player did last.
        self._met: dict[tuple[int, str], tuple[Any, tuple[Hashable, ...], Any]] = {}
        # Of each record of a sample: the state, how deep it is, and what each player did last.
        self._states: dict[int, Any] = {}
        self._depth: dict[int, int] = {}
        self._did: dict[int, tuple[Any, ...]] = {}
        self._key = (
            ""  # of the history looked at last: its infoset, its actions, their probabilities
        )
        self._actions: tuple[Hashable, ...] = ()
        self._probabilities: Sequence[float] = ()

    def set_root(self, records: Any, k: int) -> None:
        self._did[k] = (None,) * self.game.players
        self._depth[k] = 0
        self._records = records
        with self._ask.rule_errors(k):
            self._states[k] = self.game.start()

    def observe(self, records: Any, k: int, player: int) -> None:
        self.poll()
        with self._ask.rule_errors(k):
            self._observe(records[k], k, player)

    def _observe(self, record: Any, k: int, player: int) -> None:
        ask = self._ask
        state = self._states[k]
        mover = ask.mover(k, state)
        record.mover = mover
        record.num_actions = 0
        if mover == TERMINAL:
            record.value = ask.payoffs(k, state)[player]
            return
        self._actions = ask.actions(k, state)
        record.num_actions = len(self._actions)
        if record.num_actions > MOST_MOVES:
            raise GameError(
                f"{self.name}: sampling without a tree allows {MOST_MOVES:,} moves at a history; "
                f"got {record.num_actions:,} after {self._moves_text(k)}."
            )
        if self._depth[k] == self.limits.max_depth:
            raise self.limits.too_deep(self.name, self._moves_text(k))
        if mover == CHANCE:
            self._probabilities = ask.probabilities(k, state, len(self._actions))
        else:
            record.slot = self._find_slot(k, int(mover), state)

    def _find_slot(self, k: int, mover: int, state: Any) -> int:
        """Return the slot of an infoset, having seen that it is the same as at other histories."""
        infoset = self.game.infoset(state)
        previous_move = self._did[k][mover]
        key = self._key = str(infoset)
        first_seen = self._met.get((mover, key))
        if first_seen is None:
            number = self._names.index.get((mover, key))
            if number is None or self._action_labels(state) == self._names.infosets[number].actions:
                self._met[mover, key] = first_seen = infoset, self._actions, previous_move
            else:
                first_seen = infoset, self._names.infosets[number].actions, previous_move
        if infoset != first_seen[0]:
            raise GameError(
                f"{self.name}: two infosets of a player have the same text; let infoset() return "
                "strings."
            )
        if self._actions != first_seen[1]:
            raise GameError(
                f"{self.name}: player {mover} cannot tell {self._moves_text(k)} from another "
                f"history (infoset {key!r}), yet the actions differ: {list(self._actions)!r} "
                f"against {list(first_seen[1])!r}."
            )
        if previous_move != first_seen[2]:
            raise GameError(
                f"{self.name}: player {mover} has imperfect recall: infoset {key!r} holds "
                f"{self._moves_text(k)} and another history, which come after different decisions "
                "of this player. Put what the player knew and did into the infoset."
            )
        return self._names.slot(mover, key)

    def chance_probability(self, records: Any, k: int, n: int) -> float:
        return float(self._probabilities[n])

    def step(self, records: Any, k: int, n: int, new: int) -> None:
        state = self._states[k]
        mover = int(records[k].mover)
        with self._ask.rule_errors(k):
            self._states[new] = self._ask.next(k, state, self._actions[n])
        if new >= (self.limits.max_histories or MOST_RECORDS):
            limits = self.limits._replace(max_histories=self.limits.max_histories or MOST_RECORDS)
            raise limits.too_many(f"A sample of {self.name}", f"{new:,} of them found so far")
        self._depth[new] = self._depth[k] + 1
        did = self._did[k]
        if mover == CHANCE:
            self._did[new] = did
        else:
            self._did[new] = (*did[:mover], (self._key, n), *did[mover + 1 :])

    def insert_infoset(self, records: Any, k: int) -> int:
        state = self._states[k]
        mover = int(records[k].mover)
        with self._ask.rule_errors(k):
            key = str(self.game.infoset(state))
            if self._names.slot(mover, key) == UNKNOWN:
                labels = self._ask.labels(k, state, self._ask.actions(k, state), key)
                self._names.add(Infoset(mover, key, labels))
        return self._names.slot(mover, key)

    def _action_labels(self, state: Any) -> tuple[str, ...]:
        return tuple(action_label(self.game, state, action) for action in self._actions)

    def forget(self) -> None:
        """Forget what was seen of the infosets met so far."""
        self._met = {}

    def new_infosets(self, records: Any, slots: Any, span: tuple[int, int]) -> int:
        drawn = [records[k] for k in range(*span)]
        new = [
            int(record.num_actions)
            for record in drawn
            if record.mover >= 0 and record.slot == UNKNOWN
        ]
        if self._names.used_slots + sum(new) <= len(slots.strategy):
            return len(new)
        return -1

    def _moves_text(self, k: int) -> str:
        """Return the moves that lead to a record, for error messages."""
        numbers: list[int] = []
        while self._records[k].parent != k:
            numbers.append(int(self._records[k].action))
            k = int(self._records[k].parent)
        return name_moves(self.game, numbers[::-1])
