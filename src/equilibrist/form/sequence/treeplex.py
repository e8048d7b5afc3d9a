"""The decisions of all players, numbered so that kernels run over contiguous memory, eight infosets at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._jit.compile import compiled, record
from ..._jit.simd import LANES
from ..._util.arrays import Indices, offsets
from ..infosets import Infosets


@record
class Treeplex(NamedTuple):
    """What the kernels know of the decisions; arrays of uint32.

    A *slot* is one action at one infoset, or a player's empty sequence. Infosets of one player with
    the same depth and the same number of actions form a *bucket*; its slots are laid out
    ``[action][infoset]``:

        slot of (infoset i, action a) = bucket_slot[b] + a * bucket_size[b] + (i -
        bucket_infoset[b])

    Buckets are filled up to multiples of eight with infosets that nothing leads to and that pay
    nothing, and the empty sequence stands alone among eight slots: so every loop takes eight at a
    time and none has a remainder. The buckets of a player go from shallow to deep: walking them
    forwards is top-down, and backwards bottom-up.

    Attributes
    ----------
    first_slot : uint32 array, shape (players + 1,)
        The slots of player p are ``first_slot[p] … first_slot[p + 1] - 1``; the first of them is
        the empty sequence.
    first_bucket : uint32 array, shape (players + 1,)
        The buckets of player p are ``first_bucket[p] … first_bucket[p + 1] - 1``.
    bucket_slot : uint32 array, shape (buckets,)
        First slot.
    bucket_infoset : uint32 array, shape (buckets,)
        First infoset.
    bucket_size : uint32 array, shape (buckets,)
        Number of infosets, a multiple of eight.
    bucket_actions : uint32 array, shape (buckets,)
        Number of actions of each infoset.
    parent_slot : uint32 array, shape (infosets, those that fill up included,)
        The slot that leads to each infoset, numbered in the order of the buckets.
    """

    first_slot: Indices
    first_bucket: Indices
    bucket_slot: Indices
    bucket_infoset: Indices
    bucket_size: Indices
    bucket_actions: Indices
    parent_slot: Indices


def layout(
    infosets: Infosets, parent_sequence: Indices, group: Indices, players: int
) -> tuple[Treeplex, Indices]:
    """Return the treeplex and the slot of each sequence (that of sequence 0, which every player has, means nothing).

    ``parent_sequence`` is that of the canonical form; infosets with the same number in ``group``
    share their place in public play, as far as it can be seen. Inside a bucket, those of the same
    group and with the same actions behind them stand side by side: they differ only in what their
    player holds (cards, dice), meet the same slots of the others, and so make dense payoff blocks.
    """
    owner = infosets.owner
    actions = infosets.num_actions
    count = len(infosets)
    first_sequence = (1 + infosets.first_action()[:-1]).astype(np.uint32)
    infoset_of_sequence = np.repeat(np.arange(count, dtype=np.uint32), actions)
    level = np.zeros(count, np.uint32)
    path = np.zeros(count, np.int64)
    _trace_own_decisions(parent_sequence, infoset_of_sequence, first_sequence, level, path)
    order = np.lexsort((np.arange(count), path, group, actions, level, owner))

    kind = np.stack([owner, level, actions])[:, order]
    starts_bucket = np.ones(count, bool)
    starts_bucket[1:] = (kind[:, 1:] != kind[:, :-1]).any(axis=0)
    bucket_start = np.flatnonzero(starts_bucket)  # in `order`, which has no filling
    bucket_owner, _, bucket_actions = kind[:, bucket_start].astype(np.int64)
    real_size = np.diff(bucket_start, append=count)
    bucket_size = -(-real_size // LANES) * LANES

    begin_of_bucket = offsets(bucket_size * bucket_actions)
    first_bucket = np.searchsorted(bucket_owner, np.arange(players + 1))
    first_slot = begin_of_bucket[first_bucket] + LANES * np.arange(players + 1)
    bucket_slot = begin_of_bucket[:-1] + LANES * (bucket_owner + 1)
    bucket_infoset = offsets(bucket_size)[:-1]

    bucket = np.repeat(np.arange(len(bucket_start)), real_size)
    place = np.arange(count) - bucket_start[bucket]  # of each infoset within its bucket, in `order`
    slot = np.empty(count, np.int64)
    stride = np.empty(count, np.int64)
    slot[order] = bucket_slot[bucket] + place
    stride[order] = bucket_size[bucket]
    number = np.arange(1, 1 + len(infoset_of_sequence)) - first_sequence[infoset_of_sequence]
    slot_of_sequence = np.zeros(1 + len(infoset_of_sequence), np.uint32)
    slot_of_sequence[1:] = slot[infoset_of_sequence] + number * stride[infoset_of_sequence]

    # What fills up hangs below the unused slots next to the empty sequence, in turn: kernels add to
    # these one after the other, and adding eight times to the same slot would have to wait each
    # time.
    parent_slot = (
        np.repeat(first_slot[bucket_owner], bucket_size)
        + 1
        + np.arange(bucket_size.sum()) % (LANES - 1)
    )
    parent = np.where(parent_sequence == 0, first_slot[owner], slot_of_sequence[parent_sequence])
    parent_slot[bucket_infoset[bucket] + place] = parent[order]
    arrays = (
        first_slot,
        first_bucket,
        bucket_slot,
        bucket_infoset,
        bucket_size,
        bucket_actions,
        parent_slot,
    )
    return Treeplex(*(np.ascontiguousarray(array, np.uint32) for array in arrays)), slot_of_sequence


@compiled(allocates=False)
def _trace_own_decisions(parent_sequence, infoset_of_sequence, first_sequence, level, path):  # type: ignore[no-untyped-def]
    """Fill in place, for each infoset: how many own decisions come before it, and a number made of the actions taken.

    Different actions may by chance give the same number; it only decides who stands next to whom.
    """
    for i in range(len(level)):
        sequence = parent_sequence[i]
        if sequence > 0:
            parent = infoset_of_sequence[sequence - 1]
            level[i] = level[parent] + 1
            path[i] = path[parent] * 31 + (sequence - first_sequence[parent]) + 1
