"""What a player learns by in an abstraction: tables by bucket, and where the infosets of each bucket are."""

from __future__ import annotations

import numpy as np

from .._util.arrays import Floats, Ints, offsets
from ..form.abstract.infoset_map import number_actions
from .bucket_kernels import Buckets, Places


class BucketLearner:
    """The buckets of a player, which play uniformly at first.

    Parameters
    ----------
    slots : int array, shape (actions,)
        The slot of each action of each infoset of the player.
    first : int array, shape (infosets + 1,)
        Where the actions of each infoset begin.
    bucket : int array, shape (infosets,)
        The bucket of each infoset, any numbers.
    weight : float array, shape (actions,)
        What the value of an action is multiplied by, so that it is payoff × probability.
    copies : float array, shape (actions,)
        How many infosets of the game the infoset of an action stands for.
    """

    def __init__(
        self, slots: Ints, first: Ints, bucket: Ints, *, weight: Floats, copies: Floats
    ) -> None:
        _, first_infoset, number = np.unique(bucket, return_index=True, return_inverse=True)
        num_actions = np.diff(first)
        of_bucket = num_actions[first_infoset]
        self.places = Places(slots, number_actions(number, num_actions), weight, copies)
        length = int(of_bucket.sum())
        self.buckets = Buckets(
            first=offsets(of_bucket),
            strategy=1.0 / np.repeat(of_bucket, of_bucket),
            regret_sum=np.zeros(length),
            strategy_sum=np.zeros(length),
            value=np.zeros(length),
            reach=np.zeros(length),
        )

    def table(self, name: str) -> Floats:
        """Return a table of the buckets by its name among those of :data:`~.tabular.STATE`."""
        table: Floats = getattr(self.buckets, name)
        return table
