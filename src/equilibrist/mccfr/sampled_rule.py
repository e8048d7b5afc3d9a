"""A rule of one's own on samples of a game: told of the infosets of each sample, it plays anew there and nowhere else.

A turn draws and adds up samples as for every algorithm. What the kernels then do for regret
matching, a rule does here, in NumPy or compiled, at all infosets of the turn with as many actions
at once:

    values    the sampled counterfactual values of the actions, on average over the batch
    state ← observe(state, strategy, values, t)
    strategy of the infoset ← strategy(state, t + 1)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from ..cfr.algorithms import Algorithm
from ..cfr.own_rule import OwnRule
from ..cfr.rule_batch import Batch, flatten
from ..cfr.rule_batches import BatchedRule
from ..cfr.rule_seats import are_distributions
from ..cfr.tabular import RULE_PREFIX, holds_numbers, refuse_locks
from ..errors import AlgorithmError
from .iterations import Iterations
from .records import Schedule
from .sampling import Sampling
from .solver import MonteCarloCFR
from .table import CompiledTable
from .update import TOUCHED

_VALUE_SUM = "value_sum"  # among the arrays of a saved run


class _RuleIterations(Iterations):
    """Iterations whose strategies a rule makes, turn after turn; set ``book`` before they begin.

    Attributes
    ----------
    book : RuleBook
        What the rule knows of each infoset.
    """

    book: RuleBook

    @property
    def _draws_in_parts(self) -> bool:
        return True  # no compiled loop knows the rule

    def _accumulate(self, schedule: Schedule, player: int, t: int, end: int) -> None:
        super()._accumulate(schedule, player, t, end)
        self.book.add_values(self.workers[0].records[:end], player)

    def _update_strategies(self, schedule: Schedule, t: int) -> None:
        self.book.update(self.pending(), t)
        self.place[TOUCHED] = 0


class RuleBook:
    """What a rule knows of each infoset of a table, and the values that samples have brought since it was told.

    Attributes
    ----------
    batches : list of Batch
        The infosets of each player with as many actions. ``strategy`` and ``values`` are room.
    value_sum : float array, shape (slots,)
        At the first slot of an infoset: the sum of the sampled values of what was played there.
    """

    def __init__(self, table: CompiledTable, rule: OwnRule, batch: int) -> None:
        form = table.form
        self._slots = table.slots
        self._samples = batch
        self.value_sum = np.zeros(len(table.slots.strategy))
        first, num_actions = table.shape()
        owner = np.asarray(form.infosets.owner)
        self._first = np.asarray(first, np.int64)
        self._batch_at = np.full(len(self.value_sum), -1)  # of the infoset whose first slot it is
        self._row_at = np.full(len(self.value_sum), -1)  # its row there
        self.batches: list[Batch] = []
        self._asked = BatchedRule(rule, form, form.name)
        for player in range(form.players):
            for width in np.unique(num_actions[owner == player]).tolist():
                infosets = np.flatnonzero((owner == player) & (num_actions == width))
                self._batch_at[self._first[infosets]] = len(self.batches)
                self._row_at[self._first[infosets]] = np.arange(len(infosets))
                self.batches.append(
                    Batch(
                        label=f"{player}_{width}",
                        infosets=infosets,
                        strategy=np.zeros((len(infosets), width)),
                        values=np.zeros((len(infosets), width)),
                        state=rule.make_state(len(infosets), width),
                    )
                )
        self._asked.compile(self.batches)
        for batch_of_infosets in self.batches:
            self._play(batch_of_infosets, 1)

    def add_values(self, records: Any, player: int) -> None:
        """Add the values of a sample at the infosets of the player whose turn it is."""
        at = records[records.mover == player]
        np.add.at(self.value_sum, at.slot, at.cf_weight * at.value)

    def update(self, touched: Ints, t: int) -> None:
        """Tell the rule of the infosets that were touched in iteration t, and let it play anew there.

        ``touched``, shape (infosets, 2), are first slots and numbers of actions.
        """
        slots = touched[:, 0]
        number = self._batch_at[slots]
        for k in np.unique(number).tolist():
            self._update_batch(self.batches[k], self._row_at[slots[number == k]], t)

    def _update_batch(self, batch: Batch, rows: Ints, t: int) -> None:
        """Tell the rule of some infosets of a batch, by their rows."""
        first = self._first[batch.infosets[rows]]
        slots = first[:, None] + np.arange(batch.strategy.shape[1])
        regrets = self._slots.instant_regret[slots]
        self._slots.regret_sum[slots] += regrets
        values = (regrets + self.value_sum[first][:, None]) / self._samples
        self.value_sum[first] = 0.0
        visited = Batch(
            label=batch.label,
            infosets=batch.infosets[rows],
            strategy=self._slots.strategy[slots],
            values=values,
            state={name: array[rows] for name, array in batch.state.items()},
        )
        self._check(visited.infosets, np.isfinite(values).all(axis=1), values, t, played=False)
        self._asked.learn(visited, t)
        for name, array in batch.state.items():
            array[rows] = visited.state[name]
        self._play(visited, t + 1)

    def _play(self, batch: Batch, t: int) -> None:
        """Store what iteration t plays at the infosets of a batch."""
        self._asked.play(batch, t)
        strategy = batch.strategy
        self._check(batch.infosets, are_distributions(strategy), strategy, t, played=True)
        slots = self._first[batch.infosets][:, None] + np.arange(strategy.shape[1])
        self._slots.strategy[slots] = strategy

    def _check(
        self, infosets: Ints, is_right: NDArray[np.bool_], numbers: Floats, t: int, *, played: bool
    ) -> None:
        """Refuse the numbers of the first infoset where they are not right."""
        if is_right.all():
            return
        row = int(np.flatnonzero(~is_right)[0])
        if played:
            self._asked.refuse_strategy(int(infosets[row]), numbers[row], t)
        self._asked.refuse_values(int(infosets[row]), numbers[row], t)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return what the rule knows, as rows of numbers; not copied."""
        return {
            f"{RULE_PREFIX}{batch.label}_{name}": flatten(array)
            for batch in self.batches
            for name, array in batch.state.items()
        }

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Take over what the rule knew.

        Raises
        ------
        ValueError
            The arrays are not those of such a run.
        """
        for name, array in self.state_dict().items():
            saved = state[name]
            if (saved.shape, saved.dtype) != (array.shape, array.dtype):
                raise ValueError(f"another kind of {name!r}")
            if not holds_numbers(name, saved):
                raise ValueError(f"{name!r} is not finite")
            array[:] = saved


class SampledRule(MonteCarloCFR):
    """Monte Carlo CFR by a rule of one's own, on a compiled game; ``algorithm.rule`` is the rule."""

    def __init__(
        self, table: CompiledTable, algorithm: Algorithm, sampling: Sampling, *, seed: int = 0
    ) -> None:
        refuse_locks(table.form)
        assert algorithm.rule is not None
        if algorithm.rule.has_weights:
            raise AlgorithmError(
                f"The rule {algorithm.rule.text} has weights(), which say how much a full pass "
                "counts at each infoset; samples do not know them. Leave out sampling=.",
                field="sampling",
            )
        super().__init__(table, algorithm, sampling, seed=seed)
        self.rule: OwnRule = algorithm.rule
        self.book = RuleBook(table, self.rule, sampling.batch)
        assert isinstance(self._iterations, _RuleIterations)
        self._iterations.book = self.book

    def _iterations_kind(self) -> type[Iterations]:
        return _RuleIterations

    def average_sums(self) -> Floats:
        if self.rule.last_iterate:
            return self.slots.strategy.copy()
        return super().average_sums()

    def _own_state(self) -> dict[str, NDArray[Any]]:
        pending = len(self._iterations.pending())
        value_sum = self.book.value_sum[: len(self.book.value_sum) if pending else 0]
        return {**self.book.state_dict(), _VALUE_SUM: value_sum}

    def _load_own_state(self, state: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        other_arrays = dict(state)
        names = (*self.book.state_dict(), _VALUE_SUM)
        if not set(names) <= state.keys():
            raise ValueError("other names")
        own_arrays = {name: other_arrays.pop(name) for name in names}
        self.book.load_state(own_arrays)
        value_sum = own_arrays[_VALUE_SUM]
        pending = len(state.get("touched", ()))
        expected = len(self.book.value_sum) if pending else 0
        if value_sum.shape != (expected,) or value_sum.dtype != np.float64:
            raise ValueError(f"another kind of {_VALUE_SUM!r}")
        if not np.isfinite(value_sum).all():
            raise ValueError(f"{_VALUE_SUM!r} is not finite")
        self.book.value_sum[:] = 0.0
        self.book.value_sum[:expected] = value_sum
        return other_arrays
