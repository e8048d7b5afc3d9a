"""Memories of samples: all that were ever seen are as likely to be kept, or the newest are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints


class Reservoir:
    """Samples of infosets: of all that were added, each is kept with the same probability (Vitter 1985).

    Parameters
    ----------
    capacity : int
        How many are kept.
    length : int
        Integers of an observation.
    columns : int
        Columns of a target.
    """

    def __init__(self, capacity: int, length: int, columns: int) -> None:
        self.capacity = capacity
        self.seen = 0
        self._observation = np.zeros((0, length), np.int64)
        self._legal = np.zeros((0, columns), np.bool_)
        self._target = np.zeros((0, columns), np.float32)
        self._weight = np.zeros(0, np.float32)

    def __len__(self) -> int:
        return min(self.seen, self.capacity)

    def add(
        self,
        observation: Ints,
        legal: NDArray[np.bool_],
        target: Floats,
        weight: Floats,
        random: np.random.Generator,
    ) -> None:
        """Add samples: observations, legal columns, targets, and how much each counts, shape (n,)."""
        number = self.seen + np.arange(len(observation))
        place = number.copy()
        late = number >= self.capacity
        place[late] = (random.random(int(late.sum())) * (number[late] + 1)).astype(np.int64)
        stored = np.flatnonzero(place < self.capacity)
        self.seen += len(observation)
        self._make_room(len(self))
        # of several samples for one place the last stays, as if they came one by one
        self._observation[place[stored]] = observation[stored]
        self._legal[place[stored]] = legal[stored]
        self._target[place[stored]] = target[stored]
        self._weight[place[stored]] = weight[stored]

    def push(
        self,
        observation: Ints,
        legal: NDArray[np.bool_],
        target: Floats | NDArray[np.float32],
        weight: Floats,
    ) -> None:
        """Add samples as :meth:`add` does, but in the place of the oldest ones: the newest are kept."""
        place = (self.seen + np.arange(len(observation))) % self.capacity
        self.seen += len(observation)
        self._make_room(len(self))
        self._observation[place] = observation
        self._legal[place] = legal
        self._target[place] = target
        self._weight[place] = weight

    def _make_room(self, count: int) -> None:
        """Double the arrays until they have room for so many samples."""
        if count <= len(self._weight):
            return
        room = min(self.capacity, max(2 * len(self._weight), count))
        for name in ("_observation", "_legal", "_target", "_weight"):
            old = getattr(self, name)
            new = np.zeros((room, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)

    def draw(
        self, count: int, random: np.random.Generator
    ) -> tuple[Ints, NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]:
        """Return observations, legal columns, targets and weights of samples, drawn with replacement."""
        index = random.integers(0, len(self), count)
        return (
            self._observation[index],
            self._legal[index],
            self._target[index],
            self._weight[index],
        )

    def all(
        self,
    ) -> tuple[Ints, NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]:
        """Return all samples that are kept, as :meth:`draw` returns some."""
        filled = slice(0, len(self))
        return (
            self._observation[filled],
            self._legal[filled],
            self._target[filled],
            self._weight[filled],
        )

    def state_dict(self) -> dict[str, Any]:
        """Return what :meth:`load_state_dict` takes: how many samples were seen, and those that are kept."""
        observation, legal, target, weight = self.all()
        return {
            "seen": self.seen,
            "observation": observation,
            "legal": legal,
            "target": target,
            "weight": weight,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Put the samples of a saved memory in the place of all that is there."""
        self.seen = int(state["seen"])
        self._observation = np.asarray(state["observation"]).copy()
        self._legal = np.asarray(state["legal"]).copy()
        self._target = np.asarray(state["target"]).copy()
        self._weight = np.asarray(state["weight"]).copy()
