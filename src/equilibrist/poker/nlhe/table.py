"""Table of no-limit hold'em in buckets: regrets and averages by place of the betting and bucket of the hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints, offsets
from ...errors import GameError, SolutionError
from ...form.floors import Terms
from ...form.infosets import Infoset, Infosets
from ...form.offers import BucketTableOffer
from ...form.responses import Values
from ...form.walk.build import compile_walk
from ...form.walk.index import Counts
from ...mccfr.records import make_slots
from ...mccfr.table import BYTES_PER_SLOT, MOST_SLOTS, UncompiledTable
from ...mccfr.update import normalise
from .betting import BIG_BLIND
from .deals import HandBuckets, assign_buckets, count_buckets, draw_deals
from .game import NoLimitHoldem
from .source import DEALS, DealtSamples, DealtSource, Pool, make_nodes

_CHECKED = 64
"""Deals whose buckets are saved with a run, by which those of the run that goes on are compared."""
_CHECK_SEED = 2**32 - 1


class BucketInfosets(Infosets):
    """A place of the betting and a bucket each: ``#17 r2.5c/c``; those of a place stand together."""

    def __init__(self, game: NoLimitHoldem, counts: Sequence[int]) -> None:
        tree = game.tree
        self.game = game
        self.nodes = tree.decisions
        self.first_of_place = offsets(np.asarray(counts)[tree.street[self.nodes]])
        sizes = np.diff(self.first_of_place)
        super().__init__(
            np.repeat(tree.mover[self.nodes], sizes).astype(np.uint32),
            np.repeat(tree.num_actions[self.nodes], sizes).astype(np.uint32),
        )

    def make_infoset(self, index: int) -> Infoset:
        place = int(np.searchsorted(self.first_of_place, index, side="right")) - 1
        node = int(self.nodes[place])
        bucket = index - int(self.first_of_place[place])
        return Infoset(int(self.owner[index]), self.key(node, bucket), self.game.labels(node))

    def key(self, node: int, bucket: int) -> str:
        """Return the name of the infoset with a bucket at a node of the betting."""
        return f"#{bucket} {'/'.join(self.game.tree.lines(node))}".rstrip()


class BucketTable(UncompiledTable):
    """Table of no-limit hold'em whose players know the bucket of their hand, not the cards.

    All infosets are known from the start, and so is the memory. Samples are drawn from pools of
    deals, which a seed and the number of an iteration decide.
    """

    moves = DealtSamples.moves
    more_histories = 0
    certifies = False
    samples: DealtSamples

    def __init__(self, game: NoLimitHoldem, buckets: HandBuckets, *, seed: int, batch: int) -> None:
        self.form = compile_walk(game)
        self.game = game
        self.buckets = buckets
        tree = game.tree
        counts = count_buckets(buckets)
        self._infosets = BucketInfosets(game, counts)
        self._first_slot = self.players + self._infosets.first_action()
        slots = int(self._first_slot[-1])
        if slots > MOST_SLOTS:
            raise GameError(
                f"{game} has {slots:,} actions at its infosets with so many buckets; {MOST_SLOTS:,} "
                "can be numbered. Give fewer buckets or sizes.",
                wrong_use=True,
            )
        first_of_node = np.zeros(len(tree.mover), np.int64)
        first_of_node[tree.decisions] = self._first_slot[self._infosets.first_of_place[:-1]]
        self.samples = DealtSamples(make_nodes(tree, first_of_node))
        self.slots = make_slots(slots)
        normalise(*self.shape(), self.slots.strategy_sum, self.slots.strategy)
        self.largest_payoff = game.betting.stack / BIG_BLIND
        self._seed = seed
        self._iterations_of_pool = max(1, DEALS // batch)

    def prepare(self, iteration: int) -> int:
        """Draw the pool of deals of an iteration; return the last iteration that draws from it."""
        pool = (iteration - 1) // self._iterations_of_pool
        if pool != self.samples.pool.number:
            deals = draw_deals(DEALS, np.random.default_rng([self._seed, pool]))
            self.samples.take_pool(Pool(pool, assign_buckets(self.buckets, deals), deals.won()))
        return (pool + 1) * self._iterations_of_pool

    def source(self, old: Any, *, records: int = 0) -> DealtSource:
        return self.samples.source(old, records=records)

    def shape(self) -> tuple[Counts, Counts]:
        return self._first_slot[:-1].astype(np.uint32), self._infosets.num_actions

    def infosets(self) -> Infosets:
        return self._infosets

    @property
    def used(self) -> int:
        return len(self.slots.strategy)

    def grow(self) -> None:
        raise AssertionError("all infosets are known")

    def values(
        self,
        sums: Floats,
        *,
        threads: int,
        floors: Terms,
        should_stop: Callable[[], bool],
    ) -> Values:
        raise ValueError("Nobody certifies no-limit hold'em.")

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return {"bucket": self._buckets_of_some_deals()}

    def load_state(self, state: dict[str, NDArray[Any]], *, slots: int) -> None:
        super().load_state(state, slots=slots)
        if not np.array_equal(state["bucket"], self._buckets_of_some_deals()):
            raise SolutionError(
                f"The buckets {self.buckets} put other hands together than those of the saved run. "
                "Give the buckets that the run began with.",
                wrong_use=True,
            )

    def _buckets_of_some_deals(self) -> Ints:
        """Return the buckets of a few deals, always the same ones."""
        deals = draw_deals(_CHECKED, np.random.default_rng(_CHECK_SEED))
        return assign_buckets(self.buckets, deals).astype(np.int64).reshape(-1)


def offer_table(game: NoLimitHoldem, buckets: Any) -> BucketTableOffer:
    """Return what is known of the table of a game in buckets of hands, before it is made.

    Raises
    ------
    GameError
        These are no buckets of hands.
    """
    if not isinstance(buckets, HandBuckets):
        raise GameError(
            f"{game} is abstracted by buckets of hands, eq.Buckets(…), or another object with "
            f"count(street) and assign(street, hands); got {buckets!r}.",
            wrong_use=True,
        )
    tree = game.tree
    counts = np.array(count_buckets(buckets))
    of_node = counts[tree.street[tree.decisions]]
    slots = int((tree.num_actions[tree.decisions] * of_node).sum())
    return BucketTableOffer(
        infosets=int(of_node.sum()),
        nbytes=slots * BYTES_PER_SLOT,
        make=partial(BucketTable, game, buckets),
    )
