"""The infosets of a player, at which a rule of one's own learns and plays: in NumPy, or compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from .compile_rule import CompiledRule
from .own_rule import OwnRule
from .rule_batch import Batch, flatten
from .rule_batches import BatchedRule
from .rule_kernels import (
    SUM_TOLERANCE,
    Room,
    Seat,
    add_weighted,
    store_columns,
    store_strategy,
    take_actions,
)
from .seats import sort_infosets
from .tabular import RULE_PREFIX


class RuleSeat:
    """A player's infosets, at which a rule is asked in NumPy.

    Attributes
    ----------
    batches : list of Batch
        The infosets, those with as many actions together.
    """

    def __init__(self, asked: BatchedRule, seat: Seat, batches: list[Batch]) -> None:
        self.batches = batches
        self._asked = asked
        self._seat = seat

    def take_values(self, values: Floats, t: int) -> None:
        """Take over the counterfactual values of iteration t, given at the slots."""
        if not take_actions(self._seat.slots, values, self._seat.values):
            self.refuse_values(t)

    def learn(self, t: int) -> None:
        """Learn from iteration t."""
        for batch in self.batches:
            self._asked.learn(batch, t)

    def add_to_average(
        self, t: int, own_reach: Floats, discount: float, strategy_sum: Floats
    ) -> None:
        """Discount the sums of the average, and add iteration t with the weights that the rule gives it, in place.

        ``own_reach`` is how likely the player's own moves led to each slot and took it.
        """
        start = 0
        for batch in self.batches:
            weights = self._asked.weigh(batch, t)
            end = start + batch.strategy.size
            slots = self._seat.slots[start:end].reshape(batch.strategy.shape)
            added = weights[:, None] * own_reach[slots]
            strategy_sum[slots] = discount * strategy_sum[slots] + added
            start = end

    def play(self, t: int, strategy: Floats) -> None:
        """Fill a strategy at the slots, in place, with what iteration t plays."""
        for batch in self.batches:
            self._asked.play(batch, t)
        if not store_strategy(self._seat, strategy):
            self.refuse_strategy(t)

    def refuse_values(self, t: int) -> None:
        """Refuse the first values that are not finite."""
        for batch in self.batches:
            for row in np.flatnonzero(~np.isfinite(batch.values).all(axis=1)):
                self._asked.refuse_values(int(batch.infosets[row]), batch.values[row], t)

    def refuse_strategy(self, t: int) -> NoReturn:
        """Refuse the strategy that is farthest from a distribution."""
        distances = [measure_distance(batch.strategy) for batch in self.batches]
        batch, distance = max(
            zip(self.batches, distances, strict=True), key=lambda pair: pair[1].max()
        )
        row = int(np.argmax(distance))
        self._asked.refuse_strategy(int(batch.infosets[row]), batch.strategy[row], t)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return what the rule knows, by name; a row of numbers each, infoset after infoset."""
        rows: dict[str, list[NDArray[Any]]] = {}
        for batch in self.batches:
            for name, array in batch.state.items():
                rows.setdefault(f"{RULE_PREFIX}{batch.label}_{name}", []).append(flatten(array))
        return {name: np.concatenate(parts) for name, parts in rows.items()}

    def load_state(self, state: dict[str, NDArray[Any]], strategy: Floats) -> None:
        """Take over what :meth:`state_dict` returned, and what is played at the slots."""
        taken = dict.fromkeys(state, 0)
        for batch in self.batches:
            for name, array in batch.state.items():
                label = f"{RULE_PREFIX}{batch.label}_{name}"
                part = state[label][taken[label] : taken[label] + array.size]
                array[...] = part.reshape(array.shape)
                taken[label] += array.size
        self._take_strategy(strategy)

    def _take_strategy(self, strategy: Floats) -> None:
        take_actions(self._seat.slots, strategy, self._seat.strategy)


class CompiledSeat(RuleSeat):
    """A player's infosets, at which a compiled rule is asked.

    Attributes
    ----------
    room : Room
        What the rule is given.
    state : tuple
        What the rule knows.
    """

    def __init__(
        self, asked: BatchedRule, rule: CompiledRule, seat: Seat, batches: list[Batch]
    ) -> None:
        self._rule = rule
        self._blocks = asked.make_blocks(batches)
        super().__init__(asked, seat, self._blocks.batches)
        self.state = self._blocks.state
        self.room = Room(
            slots=self._blocks.sort_actions(seat.slots).astype(np.uint32),
            blocks=self._blocks.table,
            strategy=self._blocks.strategy,
            values=self._blocks.values,
            total=np.zeros(self._blocks.table[:, 0].max(initial=0)),
            weights=np.ones(self._blocks.table[:, 0].sum()),
        )

    def take_values(self, values: Floats, t: int) -> None:
        if not take_actions(self.room.slots, values, self.room.values):
            self.refuse_values(t)

    def learn(self, t: int) -> None:
        self._asked.learn_blocks(self._rule, self._blocks, t)

    def add_to_average(
        self, t: int, own_reach: Floats, discount: float, strategy_sum: Floats
    ) -> None:
        self._asked.weigh_blocks(self._rule, self._blocks, t, self.room.weights)
        if not add_weighted(self.room, own_reach, discount, strategy_sum):
            self.refuse_weights(t)

    def refuse_weights(self, t: int) -> None:
        """Refuse the first weight that is none."""
        self._asked.check_weights(self.batches, self.room.weights, t)

    def play(self, t: int, strategy: Floats) -> None:
        self._asked.play_blocks(self._rule, self._blocks, t)
        if not store_columns(self.room, strategy):
            self.refuse_strategy(t)

    def _take_strategy(self, strategy: Floats) -> None:
        take_actions(self.room.slots, strategy, self.room.strategy)


def are_distributions(strategy: Floats) -> NDArray[np.bool_]:
    """Return of which infosets the probabilities are a distribution; ``strategy`` has shape (infosets, actions)."""
    return np.less_equal(measure_distance(strategy), SUM_TOLERANCE)


def measure_distance(strategy: Floats) -> Floats:
    """Return how far the sum of the probabilities of each infoset is from 1; infinity where one is none."""
    are_probabilities = (strategy >= 0).all(axis=1)
    distance: Floats = np.where(are_probabilities, np.abs(strategy.sum(axis=1) - 1), np.inf)
    return distance


def make_rule_seats(
    form: CompiledGame, asked: BatchedRule, seats: Sequence[Seat]
) -> list[RuleSeat]:
    """Return the seat of each player, where the rule knows what it knows at first."""
    batches = [_make_batches(form, asked.rule, player, seat) for player, seat in enumerate(seats)]
    asked.compile([batch for of_player in batches for batch in of_player])
    if asked.compiled is None:
        return [
            RuleSeat(asked, seat, of_player) for seat, of_player in zip(seats, batches, strict=True)
        ]
    return [
        CompiledSeat(asked, asked.compiled, seat, of_player)
        for seat, of_player in zip(seats, batches, strict=True)
    ]


def _make_batches(form: CompiledGame, rule: OwnRule, player: int, seat: Seat) -> list[Batch]:
    """Return the infosets of a player with as many actions, with what the rule knows at first."""
    infosets, num_actions = sort_infosets(form, player)
    batches = []
    for width in np.unique(num_actions).tolist():
        rows = np.flatnonzero(num_actions == width)
        span = slice(int(seat.first[rows[0]]), int(seat.first[rows[-1] + 1]))
        batches.append(
            Batch(
                label=f"{player}_{width}",
                infosets=infosets[rows],
                strategy=seat.strategy[span].reshape(-1, width),
                values=seat.values[span].reshape(-1, width),
                state=rule.make_state(len(rows), width),
            )
        )
    return batches
