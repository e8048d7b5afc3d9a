"""Local best responses whose actions are chosen from samples, where infosets have too many histories to be looked at.

A traversal of external sampling draws what chance and the others do and follows all actions of the
responder (:mod:`equilibrist.mccfr.draw`), so that it estimates the counterfactual values of the
actions without bias. Some traversals choose the actions, others value them: these are drawn twice,
once with the actions chosen and once with the strategy. As only the responder's probabilities
differ, both see the same cards and the same moves of the others, and the mean difference is an
unbiased estimate of what a strategy gains that was chosen without them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._util.arrays import Floats, Ints
from ..cfr.algorithms import find_algorithm
from ..form.walk.build import compile_walk
from ..mccfr.sampling import External
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table_lazy import LazyTable
from ..strategy.convert import AnyStrategy, as_strategy, bare_names

_BATCH = 4_096  # traversals that are looked at together


class SampledResponder:
    """Local best responses to a strategy in a game of compiled rules, chosen and valued by samples."""

    def __init__(self, game: Any, strategy: AnyStrategy, seed: int) -> None:
        self._table = LazyTable(compile_walk(game))
        rows = as_strategy(strategy, lambda _: range(game.players))
        self._table.set_strategy(rows, bare_names(strategy))
        self._slots_of_strategy = self._table.used
        sampling = External(tree=False, average="lazy", batch=_BATCH)
        self._solver = MonteCarloCFR(self._table, find_algorithm("cfr"), sampling, seed=seed)

    @property
    def lacking(self) -> int:
        """How many infosets of the responders were met that the strategy lacks."""
        first, _ = self._table.shape()
        return int((first >= self._slots_of_strategy).sum())

    def respond(
        self, player: int, *, samples: int, hands: int, on_stage: Callable[[str], None] | None
    ) -> tuple[Floats, Floats]:
        """Return what the response of a player earns in each of some hands, and what it gains on the strategy."""
        choosing, valuing = (math.ceil(number / _BATCH) for number in (samples, hands))
        say = on_stage or (lambda text: None)
        values = np.zeros(0)
        num_actions = np.zeros(0, np.int64)
        for turn in range(1, choosing + 1):
            say(f"Player {player} chooses: {turn:,} of {choosing:,} batches of {_BATCH:,} samples")
            records = self._solver.sample(player, turn=turn, insert=True)
            values, num_actions = self._add_values(records, player, values, num_actions)
        at, response = _best_actions(values, num_actions)
        strategy = self._table.slots.strategy
        strategy_before = strategy[at]
        earned = list[Floats]()
        followed = list[Floats]()
        for turn in range(choosing + 1, choosing + valuing + 1):
            say(
                f"Player {player} responds: {turn - choosing:,} of {valuing:,} batches of "
                f"{_BATCH:,} hands"
            )
            for probabilities, payoffs in ((response, earned), (strategy_before, followed)):
                strategy[at] = probabilities
                payoffs.append(_root_values(self._solver.sample(player, turn=turn)))
        paid = np.concatenate(earned)[:hands]
        return paid, paid - np.concatenate(followed)[:hands]

    def _add_values(
        self, records: Any, player: int, values: Floats, num_actions: Ints
    ) -> tuple[Floats, Ints]:
        """Return the sums of the values of the responder's actions, and the number of actions by first slot."""
        slots = self._table.used
        num_new = slots - len(values)  # infosets met for the first time
        values = np.pad(values, (0, num_new))
        num_actions = np.pad(num_actions, (0, num_new))
        moves = records[records["mover"] == player]
        num_actions[moves["slot"]] = moves["num_actions"]
        for n in range(int(moves["num_actions"].max(initial=0))):
            moves_with_action = moves[moves["num_actions"] > n]
            value = (
                moves_with_action["cf_weight"]
                * records["value"][moves_with_action["first_child"] + n]
            )
            values += np.bincount(moves_with_action["slot"] + n, value, slots)
        return values, num_actions


def _best_actions(values: Floats, num_actions: Ints) -> tuple[Ints, Floats]:
    """Return the slots of all infosets that were met, and the probabilities there: 1 for the first best action."""
    best_slots = list[Ints]()
    probabilities = list[Floats]()
    for first in np.flatnonzero(num_actions).tolist():
        slots = np.arange(first, first + num_actions[first])
        best_slots.append(slots)
        probabilities.append((slots == first + np.argmax(values[slots])).astype(np.float64))
    return np.concatenate([np.zeros(0, np.int64), *best_slots]), np.concatenate(
        [np.zeros(0), *probabilities]
    )


def _root_values(records: Any) -> Floats:
    """Return the value of each traversal, that of its first record."""
    is_root = records["parent"] == np.arange(len(records))
    return np.array(records["value"][is_root])
