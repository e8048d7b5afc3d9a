"""The infosets of a game by number; their names are made when somebody asks for them."""

from __future__ import annotations

import hashlib
import operator
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Indices, Ints, offsets
from .._util.text import short_repr
from ..errors import SolutionError
from ..game.rules import RulesGame


class Infoset(NamedTuple):
    """What a player knows at a decision, and the names of the actions there."""

    player: int
    key: str
    actions: tuple[str, ...]


class Infosets(Sequence[Infoset]):
    """A sequence of :class:`Infoset` that equals any other with the same items; all of them can be pickled.

    Solving needs only ``owner``, who decides, and ``num_actions``, uint32, shape (infosets,). A
    million names would take seconds and a gigabyte, so the subclasses make them one by one, and do
    not keep them.
    """

    def __init__(self, owner: Indices, num_actions: Indices) -> None:
        self.owner = owner
        self.num_actions = num_actions

    @abstractmethod
    def make_infoset(self, index: int) -> Infoset:
        """Return the infoset of that number, from 0."""

    def first_of_decisions(self) -> Ints | None:
        """Return the number of the first infoset of each decision, where the hands of one stand together; else None."""
        return None

    def digest(self) -> bytes:
        """Return bytes that are the same for the same infosets of the same rules."""
        digest = hashlib.sha256()
        for infoset in self:
            digest.update(repr(tuple(infoset)).encode())
        return digest.digest()

    def first_action(self) -> Ints:
        """Return the number of the first action of each infoset, counted through all of them, and at the end of all
        actions.
        """
        return offsets(self.num_actions)

    def arrays(self) -> list[NDArray[Any]]:
        """Return the arrays that the infosets consist of; names are not among them."""
        return [value for value in vars(self).values() if isinstance(value, np.ndarray)]

    def __len__(self) -> int:
        return len(self.owner)

    @overload
    def __getitem__(self, index: int) -> Infoset: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Infoset, ...]: ...

    def __getitem__(self, index: int | slice) -> Infoset | tuple[Infoset, ...]:
        if isinstance(index, slice):
            return tuple(self.make_infoset(i) for i in range(len(self))[index])
        return self.make_infoset(range(len(self))[index])

    def __iter__(self) -> Iterator[Infoset]:
        return map(self.make_infoset, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(map(operator.eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # as of a list: names may take long to make

    def __repr__(self) -> str:
        return f"<{len(self):,} infosets>"


class NamedInfosets(Infosets):
    """Infosets whose names are there already."""

    def __init__(self, infosets: Sequence[Infoset]) -> None:
        self._items = tuple(infosets)
        owner = np.array([infoset.player for infoset in self._items], np.uint32)
        super().__init__(
            owner, np.array([len(infoset.actions) for infoset in self._items], np.uint32)
        )

    def make_infoset(self, index: int) -> Infoset:
        return self._items[index]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle columns: a third of what a tuple for each infoset takes."""
        number: dict[tuple[str, ...], int] = {}
        actions = np.array(
            [number.setdefault(item.actions, len(number)) for item in self._items], np.uint32
        )
        keys = [item.key for item in self._items]
        return _make_named_infosets, (self.owner.astype(np.uint8), keys, list(number), actions)


def _make_named_infosets(
    owner: NDArray[np.uint8], keys: list[str], actions: list[tuple[str, ...]], number: Indices
) -> NamedInfosets:
    """Return infosets from their columns; ``number`` says which of the different ``actions`` each has."""
    columns = zip(owner.tolist(), keys, number.tolist(), strict=True)
    return NamedInfosets([Infoset(player, key, actions[k]) for player, key, k in columns])


class StateInfosets(Infosets):
    """Infosets that are named by asking the rules, given a state in each: shape (infosets, integers of a state)."""

    def __init__(
        self,
        game: RulesGame,
        owner: Indices,
        num_actions: Indices,
        states: NDArray[np.signedinteger[Any]],
    ) -> None:
        super().__init__(owner, num_actions)
        self.game = game
        self._states = states

    def states_of(self, game: RulesGame) -> NDArray[np.signedinteger[Any]] | None:
        """Return a state in each infoset, or None where they are those of another game."""
        if (type(game), str(game)) == (type(self.game), str(self.game)):
            return self._states
        return None

    def make_infoset(self, index: int) -> Infoset:
        game = self.game
        state = tuple(self._states[index].tolist())
        observation = [0] * game.max_observation
        # Not by game.infoset(), which would keep them all.
        count = game.rules.observe(game.parameters, state, observation)
        labels = tuple(game.action_label(state, action) for action in game.actions(state))
        return Infoset(
            int(self.owner[index]), game.infoset_name(tuple(observation[:count])), labels
        )

    def digest(self) -> bytes:
        """As in the base; makes no names."""
        return _digest(self._states, self.owner, self.num_actions, self._states)


class ObservedInfosets(Infosets):
    """Infosets that are known by the integers that the rules observe: ``observation``, shape (infosets, integers).

    ``length`` says how many of these each has. ``game`` tells names; where it is None there are
    none.
    """

    def __init__(
        self,
        game: RulesGame | None,
        owner: Indices,
        num_actions: Indices,
        observation: NDArray[Any],
        length: Ints,
    ) -> None:
        super().__init__(owner, num_actions)
        self.game = game
        self.observation = observation
        self.length = length

    def make_infoset(self, index: int) -> Infoset:
        game = self.game
        player = int(self.owner[index])
        if game is None:
            raise SolutionError(
                "Infosets by observation have no names without their game: give game='NAME' as "
                "well."
            )
        observed = tuple(self.observation[index, : self.length[index]].tolist())
        try:
            name = game.infoset_name(observed)
            state = game.state_of(player, name)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            # Rules expect what they observe.
            raise SolutionError(
                f"{short_repr(observed)} (row {index}) is no observation of {game}."
            ) from error
        if state is None:
            raise SolutionError(
                f"{game} names no actions by what player {player} observes, as at {name!r}."
            )
        return Infoset(
            player, name, tuple(game.action_label(state, action) for action in game.actions(state))
        )

    def digest(self) -> bytes:
        """As in the base; makes no names."""
        return _digest(
            self.observation, self.owner, self.num_actions, self.observation, self.length
        )


def _digest(like: NDArray[Any], *arrays: NDArray[Any]) -> bytes:
    digest = hashlib.sha256(repr((str(like.dtype), like.shape)).encode())
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
