"""The infosets of a walked game that have been met, by number: what walks and samples have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ..infosets import Infoset, Infosets
from ..responses import Values
from .walk import Say, Walks

Counts = NDArray[np.uint32]
MoreRoom = Callable[[], NDArray[np.int64]]


class StrategyRows(Protocol):
    """What a walk asks a :class:`~equilibrist.strategy.strategy.Strategy`."""

    @property
    def infosets(self) -> Infosets:
        """The infosets that the strategy has."""

    @property
    def probabilities(self) -> Floats:
        """The probabilities of their actions, one infoset after the other."""

    def probabilities_at(
        self, key: tuple[int, str], actions: Sequence[str], game: str
    ) -> list[float] | None:
        """Return the probability of each action of an infoset, or None where the strategy lacks it."""


class InfosetIndex(ABC):
    """Numbers and slots of the infosets of a game that have been met, in the order in which they were.

    An infoset has a slot for each of its actions, one after the other; before all of them comes a
    slot for the empty sequence of each player. Probabilities, sums and values at the slots belong
    to who asks.
    """

    interpreted: ClassVar[bool]
    """Whether the source of samples is one of Python, not of compiled code."""
    moves: int
    """The most moves of a history."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many infosets have a number."""

    @abstractmethod
    def shape(self) -> tuple[Counts, Counts]:
        """Return the first slot and the number of actions of each infoset."""

    @abstractmethod
    def infosets(self) -> Sequence[Infoset]:
        """Return the infosets, by number."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes of what is kept of the infosets."""

    @abstractmethod
    def make_room(self, infosets: int) -> None:
        """Make room for so many infosets in all, before the first."""

    @abstractmethod
    def grow(self) -> None:
        """Double the room for infosets."""

    @abstractmethod
    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source of samples (:mod:`equilibrist.mccfr.source`), with room for so many records.

        Where there is an older one, it has as much room.
        """

    @abstractmethod
    def poll_with(self, poll: Callable[[], None]) -> None:
        """Have rules in Python call ``poll`` at each history of a sample, which it can leave by raising."""

    @abstractmethod
    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that tell the infosets; not copied."""

    @abstractmethod
    def load_state(
        self, state: dict[str, NDArray[Any]], *, slots: int, grow: Callable[[], None]
    ) -> None:
        """Enter the infosets that :meth:`state_dict` returned, which have so many slots.

        ``grow`` makes more room.

        Raises
        ------
        ValueError
            They are not as they were.
        """

    @abstractmethod
    def set_strategy(self, strategy: StrategyRows, bare: Collection[str]) -> Floats:
        """Put the infosets of a strategy in the place of all that is there; return the probabilities of their actions.

        ``bare`` is as for :meth:`~equilibrist.form.walk.form.WalkedGame.values`.
        """

    @abstractmethod
    def enter(
        self,
        player: int,
        parent_slot: NDArray[np.int64],
        *,
        more_room: MoreRoom,
        histories: float = 0.0,
        say: Say | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Walks:
        """Give a number to each infoset of a player, in the order of a walk through all of the game.

        Filled in place at the first slot of each: ``parent_slot``, the slot of the player's action
        before. Where it is too short, ``more_room`` returns the longer one in its place.

        Raises
        ------
        GameError
            The player forgets, or rules in Python make no sense.
        WalkStoppedError
            ``should_stop`` returned True.
        """

    @abstractmethod
    def fill_values(
        self,
        player: int,
        strategy: Floats,
        cf_value: Floats,
        *,
        histories: float,
        threads: int,
        should_stop: Callable[[], bool],
    ) -> None:
        """Fill in, at the slots, the counterfactual values of a player's actions: where the others' play leads.

        All infosets have been entered. ``strategy`` and ``cf_value``, both at the slots, are the
        same arrays in every call.
        """

    @abstractmethod
    def values(
        self,
        strategy: Floats,
        *,
        histories: float,
        threads: int,
        should_stop: Callable[[], bool],
    ) -> Values:
        """Return the value of a strategy at the slots, uniform elsewhere, and those of the best responses to it."""
