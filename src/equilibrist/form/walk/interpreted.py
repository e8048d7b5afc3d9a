"""Walked games whose rules are in Python, which Python asks: slowly."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Executor
from functools import partial
from typing import Any, NoReturn

from ...errors import GameError
from ...game.protocol import Game
from ..limits import CompileBudget
from ..sequence.build import check_and_unfold
from .form import WalkedGame
from .index import StrategyRows
from .named import NamedIndex
from .python import Part, PythonWalk, estimate_python_walk, run_in_parts
from .strategies import NamedPlay, check_names, strategy_keys
from .walk import Say, Walked, WalkEstimate, combine_walks


class WalkedPython(WalkedGame):
    """A game whose rules in Python are walked.

    ``load_again`` returns the rules in another process.
    """

    lower_bound = "rollouts"
    is_fast = False
    quick_histories = 1 << 7  # 1 ms

    def __init__(self, rules: Game, limits: CompileBudget, load_again: Callable[[], Any]) -> None:
        super().__init__(rules)
        self._limits = limits
        self._load_again = load_again

    def estimate(self, *, threads: int = 1) -> WalkEstimate:
        return estimate_python_walk(self.rules, self._limits)

    def values(
        self,
        strategy: StrategyRows,
        *,
        missing: str | None = None,
        bare: Collection[str] = (),
        threads: int = 1,
        histories: float = 0.0,
        say: Say | None = None,
        executor: Executor | None = None,
    ) -> Walked:
        play = NamedPlay(self.rules, strategy, missing)
        begin_walk = partial(PythonWalk, self.rules, play=play, limits=self._limits)

        def walk(player: int) -> Part:
            if executor is None:
                return begin_walk(player, say=say, expected=histories).run_part()
            work = self._load_again, player, strategy, missing, self._limits
            return run_in_parts(lambda: begin_walk(player), executor, walk_part, *work, say=say)

        parts = [walk(player) for player in range(self.players)]
        if not any(part.is_cut for part in parts):  # else nobody knows what there is beyond
            keys = strategy_keys(strategy)
            entered = {(player, key) for player, part in enumerate(parts) for key in part.entered}
            check_names(self.rules, keys, entered.intersection(keys), bare)
        return combine_walks([part.walks for part in parts])

    def infosets(self, *, histories: float = 0.0, say: Say | None = None) -> NoReturn:
        raise GameError(
            f"The rules of {self.name} are in Python, of which a walk asks no policy: "
            "leave form='walk' out, or give a built-in game.",
            wrong_use=True,
        )

    def table(self) -> NamedIndex:
        return NamedIndex(self.rules, self._limits)

    def usable_threads(self, threads: int) -> int:
        return 1  # Python runs one at a time


def walk_part(
    load_again: Callable[[], Any],
    player: int,
    strategy: StrategyRows,
    missing: str | None,
    limits: CompileBudget,
    split: int,
    part: range,
) -> Part:
    """Walk a part of a game in Python, in a process that may be another: see :meth:`PythonWalk.run_part`."""
    game = check_and_unfold(load_again())
    play = NamedPlay(game, strategy, missing)
    return PythonWalk(game, player, play, limits=limits).run_part(split, part)
