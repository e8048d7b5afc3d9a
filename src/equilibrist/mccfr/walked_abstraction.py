"""Full-width CFR without a tree in an abstraction: walks tell the values of infosets, and buckets learn from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Ints, offsets
from ..cfr.algorithms import Algorithm
from ..cfr.bucket_kernels import add_up, fill_reach_of_table, gather, spread, update_buckets
from ..cfr.bucket_learner import BucketLearner
from ..cfr.tabular import STATE
from ..errors import SolutionError
from ..form.abstract.abstraction import Abstraction
from ..form.infosets import NamedInfosets
from .table_walked import WalkedTable
from .walk_cfr import WalkCFR

_BUCKET = "bucket"


class _TableInfosets:
    """The infosets of a table, as a map is made of them."""

    def __init__(self, table: WalkedTable) -> None:
        self.name = table.name
        self.infosets = NamedInfosets(table.infosets())
        self._players = table.players
        self._first_slot = np.asarray(table.shape()[0], np.int64)
        self._parent_slot = table.slots.parent_slot

    @property
    def num_infosets(self) -> int:
        return len(self.infosets)

    @property
    def first_action(self) -> Ints:
        return offsets(self.infosets.num_actions)

    def parents(self, infosets: Ints) -> Ints:
        """Return the number of the same player's action before each infoset, or -1 for none."""
        slots = self._parent_slot[self._first_slot[infosets]]
        return np.where(slots < self._players, -1, slots - self._players)


class WalkedAbstraction(WalkCFR):
    """CFR by walks through a game whose players forget; parameters are those of :class:`WalkCFR`.

    The table holds at each infoset what its bucket has.
    """

    abstraction: Abstraction

    def __init__(
        self,
        table: WalkedTable,
        algorithm: Algorithm,
        *,
        abstraction: Abstraction,
        **options: Any,
    ) -> None:
        abstraction.check_bound("form", table.form.kind)
        super().__init__(table, algorithm, **options)
        self._map = abstraction.make_map(_TableInfosets(table))
        self.abstraction = abstraction.describe_map(self._map)
        self._learners = [self._make_learner(player) for player in range(self.players)]

    def _make_learner(self, player: int) -> BucketLearner:
        """Return what a player learns by; slots of a player stand together."""
        ends = [0, *self.table.last_infoset]
        infosets = slice(ends[player], ends[player + 1])
        first_slot, count, _ = self._infosets[player]
        first = offsets(count)
        begin = int(first_slot[0]) if len(first_slot) else 0
        ones = np.ones(int(first[-1]))
        return BucketLearner(
            begin + np.arange(len(ones)),
            first,
            self._map.bucket[infosets],
            weight=ones,
            copies=ones,
        )

    def _update(self, player: int, rules: Any, discount: float) -> None:
        slots = self.table.slots
        learner = self._learners[player]
        reach = slots.parent_sum  # which is scratch
        fill_reach_of_table(self._infosets[player], player, slots.strategy, reach)
        add_up(learner.places, slots.instant_regret, reach, learner.buckets)
        update_buckets(learner.buckets, rules, 0, discount)
        for name in STATE:
            spread(learner.places, learner.table(name), getattr(slots, name))

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return {**super().state_dict(), _BUCKET: self._map.bucket}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        other_arrays = dict(state)
        bucket = other_arrays.pop(_BUCKET, None)
        if bucket is None:
            raise SolutionError(f"The saved run on {self.game_name} has no buckets. Start afresh.")
        self.abstraction.check_saved(self._map, bucket)
        super().load_state(other_arrays)
        for learner in self._learners:
            for name in STATE:
                gather(learner.places, getattr(self.table.slots, name), learner.table(name))
