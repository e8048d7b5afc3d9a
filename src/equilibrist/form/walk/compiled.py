"""Walked games whose rules compile: a kernel asks them."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Executor
from typing import Any

import numpy as np

from ...game.compiled_rules import CompiledRules, compile_rules
from ...game.rules import RulesGame
from ..infosets import StateInfosets
from .form import WalkedGame
from .hashed import HashedIndex
from .index import StrategyRows
from .strategies import profile_of_strategy
from .walk import Say, Walked, WalkEstimate, estimate_walk, walk_values, walked_infosets


class WalkedRules(WalkedGame):
    """A game whose compiled rules are walked."""

    lower_bound = "samples"
    is_fast = True
    quick_histories = 1 << 17  # 10 ms

    rules: RulesGame

    def __init__(self, rules: RulesGame, machine: CompiledRules) -> None:
        super().__init__(rules)
        self._machine = machine

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rules, which are compiled again."""
        return _walk_rules, (self.rules,)

    def estimate(self, *, threads: int = 1) -> WalkEstimate:
        return estimate_walk(self.rules, threads=threads)

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
        profile = profile_of_strategy(self.rules, self._machine, strategy, bare)
        return walk_values(
            self.rules,
            self._machine,
            profile._replace(complete=np.array([missing is None])),
            threads=threads,
            histories=histories,
            say=say,
            executor=executor,
        )

    def infosets(self, *, histories: float = 0.0, say: Say | None = None) -> StateInfosets:
        return walked_infosets(self.rules, self._machine, histories=histories, say=say)

    def table(self) -> HashedIndex:
        return HashedIndex(self.rules, self._machine)

    def usable_threads(self, threads: int) -> int:
        return threads


def _walk_rules(rules: RulesGame) -> WalkedRules:
    """Return the walked game of rules that compile."""
    return WalkedRules(rules, compile_rules(rules))
