"""The infosets of rules in Python that have been met, by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, offsets
from ...errors import AlgorithmError
from ...game.checked import CheckedGame
from ...game.protocol import Game, game_name
from ..infosets import Infoset
from ..limits import CompileBudget
from ..responses import Values
from .index import Counts, InfosetIndex, MoreRoom, StrategyRows
from .python import PythonWalk, uniform_play
from .slots import UNKNOWN
from .source_python import MOST_MOVES, InfosetNames, PythonSource
from .walk import Say, Walks


class NamedIndex(InfosetIndex):
    """Infosets of a game whose rules are in Python."""

    interpreted = True
    moves = MOST_MOVES

    def __init__(self, game: Game, limits: CompileBudget) -> None:
        self._game = game
        self._limits = limits
        self._names = InfosetNames(game.players)
        self._source = PythonSource(game, limits, self._names)
        self._ask = CheckedGame(game, game.players, lambda _: "some moves")

    def __len__(self) -> int:
        return len(self._names.infosets)

    def shape(self) -> tuple[Counts, Counts]:
        count = np.array([len(infoset.actions) for infoset in self._names.infosets], np.uint32)
        return (self._game.players + offsets(count)[:-1]).astype(np.uint32), count

    def infosets(self) -> Sequence[Infoset]:
        return self._names.infosets

    @property
    def nbytes(self) -> int:
        return self._names.nbytes

    def make_room(self, infosets: int) -> None:
        """Do nothing: a dictionary has room."""

    def grow(self) -> None:
        """Do nothing: a dictionary has room."""

    def source(self, old: Any, *, records: int = 0) -> PythonSource:
        return self._source

    def poll_with(self, poll: Callable[[], None]) -> None:
        self._source.poll = poll

    def state_dict(self) -> dict[str, NDArray[Any]]:
        names = [
            [infoset.player, infoset.key, list(infoset.actions)] for infoset in self._names.infosets
        ]
        return {"infosets": np.frombuffer(json.dumps(names).encode(), np.uint8)}

    def load_state(
        self, state: dict[str, NDArray[Any]], *, slots: int, grow: Callable[[], None]
    ) -> None:
        infosets = _read_infosets(state["infosets"].tobytes(), self._game.players)
        self._names.clear()
        self._source.forget()
        for infoset in infosets:
            self._names.add(infoset)
        if slots != self._names.used_slots:
            raise ValueError("infosets")

    def set_strategy(self, strategy: StrategyRows, bare: Collection[str]) -> NoReturn:
        raise AlgorithmError(
            "samples is for games whose rules compile, as built-in ones do; "
            f"{game_name(self._game)} has rules in Python. Leave it out, or use rollouts."
        )

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
        def enter(key: str, state: Any, actions: tuple[Hashable, ...], slot_before: int) -> int:
            nonlocal parent_slot
            labels = self._ask.labels(0, state, actions, key)
            while self._names.used_slots + len(actions) > len(parent_slot):
                parent_slot = more_room()
            slot = self._names.add(Infoset(player, key, labels))
            parent_slot[slot] = slot_before
            return slot

        return PythonWalk(
            self._game,
            player,
            uniform_play,
            limits=self._limits,
            enter=enter,
            should_stop=should_stop,
            say=say,
            expected=histories,
        ).run()

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
        self._walk(player, strategy, should_stop, cf_value)

    def values(
        self,
        strategy: Floats,
        *,
        histories: float,
        threads: int,
        should_stop: Callable[[], bool],
    ) -> Values:
        ends = [self._walk(player, strategy, should_stop) for player in range(self._game.players)]
        return Values(tuple(end.value for end in ends), tuple(end.best for end in ends))

    def _walk(
        self,
        player: int,
        strategy: Floats,
        should_stop: Callable[[], bool],
        cf_value: Floats | None = None,
    ) -> Walks:
        names = self._names

        def play(
            mover: int, key: str, state: Any, actions: tuple[Hashable, ...]
        ) -> Sequence[float]:
            slot = names.slot(mover, key)
            if slot == UNKNOWN:
                return uniform_play(mover, key, state, actions)
            row: list[float] = strategy[slot : slot + len(actions)].tolist()
            return row

        def enter(key: str, state: Any, actions: tuple[Hashable, ...], slot_before: int) -> int:
            return names.slot(player, key)

        return PythonWalk(
            self._game,
            player,
            play,
            limits=self._limits,
            enter=enter,
            cf_value=cf_value,
            should_stop=should_stop,
        ).run()


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
