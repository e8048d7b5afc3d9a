"""The infosets of a game by number; their names are made when somebody asks for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..game.rules import RulesGame


class Infoset(NamedTuple):
    """What a player knows at a decision, and the names of the actions there."""

    player: int
    key: str
    actions: tuple[str, ...]


class Infosets(Sequence[Infoset]):
    """A sequence of :class:`Infoset` that equals any other with the same items.

    Solving needs only the numbers in ``owner`` and ``num_actions``. A million names would take seconds and a gigabyte,
    so they are made one by one, and not kept.

    Attributes
    ----------
    owner, num_actions : uint32 array, shape (infosets,)
        Who decides, and among how many actions.
    """

    def __init__(
        self,
        owner: NDArray[np.uint32],
        num_actions: NDArray[np.uint32],
        name: Callable[[int], Infoset],
        digest: Callable[[], bytes],
    ) -> None:
        self.owner = owner
        self.num_actions = num_actions
        self._name = name
        self._digest = digest

    @classmethod
    def named(cls, infosets: Sequence[Infoset]) -> Infosets:
        """Return infosets whose names are there already."""
        items = tuple(infosets)
        owner = np.array([infoset.player for infoset in items], np.uint32)
        num_actions = np.array([len(infoset.actions) for infoset in items], np.uint32)

        def digest() -> bytes:
            whole = hashlib.sha256()
            for item in items:
                whole.update(repr(tuple(item)).encode())
            return whole.digest()

        return cls(owner, num_actions, items.__getitem__, digest)

    @classmethod
    def of_states(
        cls,
        game: RulesGame,
        owner: NDArray[np.uint32],
        num_actions: NDArray[np.uint32],
        states: NDArray[np.signedinteger[Any]],
    ) -> Infosets:
        """Return infosets that are named by asking the game, given a state in each: shape (infosets, integers)."""
        observation = [0] * game.max_observation

        def name(index: int) -> Infoset:
            state = tuple(states[index].tolist())
            # Not by game.infoset(), which would keep them all.
            count = game.rules.observe(game.parameters, state, observation)
            labels = tuple(game.action_label(state, action) for action in game.actions(state))
            return Infoset(int(owner[index]), game.infoset_name(tuple(observation[:count])), labels)

        def digest() -> bytes:
            whole = hashlib.sha256(repr((str(states.dtype), states.shape)).encode())
            for array in (owner, num_actions, states):
                whole.update(np.ascontiguousarray(array).data)
            return whole.digest()

        return cls(owner, num_actions, name, digest)

    def digest(self) -> bytes:
        """Return bytes that are the same for the same infosets of the same rules; makes no names that are not there."""
        return self._digest()

    def __len__(self) -> int:
        return len(self.owner)

    @overload
    def __getitem__(self, index: int) -> Infoset: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Infoset, ...]: ...

    def __getitem__(self, index: int | slice) -> Infoset | tuple[Infoset, ...]:
        if isinstance(index, slice):
            return tuple(self._name(i) for i in range(len(self))[index])
        return self._name(range(len(self))[index])

    def __iter__(self) -> Iterator[Infoset]:
        return map(self._name, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as of a list: names may take long to make

    def __repr__(self) -> str:
        return f"<{len(self):,} infosets>"
