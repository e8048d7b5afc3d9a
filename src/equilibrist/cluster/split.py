"""What a game that is cut for actors offers, whatever its form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cfr.algorithms import Algorithm
from ..strategy.strategy import Strategy
from .actors import Exchange
from .parts import Part, Ranges


class Split(ABC):
    """A game cut into a top, which the driver walks, and a part for each actor."""

    form: Any  # the compiled game
    most: int  # the most slots of a subtree where the game is cut; 0 where all cuts are alike
    slots: list[Ranges]  # of each actor, numbered as those of the form, in the order in which its tables have them

    @property
    @abstractmethod
    def held(self) -> list[Ranges]:
        """The slots of each actor, as its files have them."""

    @abstractmethod
    def makers(self, algorithm: Algorithm, *, precision: str, threads: int) -> list[Callable[[], Part]]:
        """Return what makes the part of each actor."""

    @abstractmethod
    def top(self, exchange: Exchange) -> Any:
        """Return the form of the top, whose walks exchange reach and values with the actors."""

    @abstractmethod
    def strategy(self, weights: NDArray[Any]) -> Strategy:
        """Return the strategy that weights at all slots are, or those of the top alone."""

    @property
    def lengths(self) -> list[int]:
        return [sum(last - first for first, last in ranges) for ranges in self.slots]

    def gather(self, top: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return a table of the whole game from that of the top and those of the actors."""
        whole = np.empty(self.form.length, top.dtype)
        whole[self._in_top()] = top
        for actor, part in enumerate(parts):
            for place, rows in self._pairs(actor):
                whole[place] = part[rows]
        return whole

    def scatter(self, whole: NDArray[Any]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Return the top's and the actors' parts of a table of the whole game."""
        parts = [np.concatenate([whole[place] for place, _ in self._pairs(actor)]) for actor in range(len(self.slots))]
        return whole[self._in_top()], parts

    def _pairs(self, actor: int) -> Iterator[tuple[slice, slice]]:
        """Yield the ranges of an actor, in a table of the whole game and in its own."""
        begin = 0
        for first, last in self.slots[actor]:
            yield slice(first, last), slice(begin, begin + last - first)
            begin += last - first

    def _in_top(self) -> NDArray[np.bool_]:
        in_top = np.ones(self.form.length, bool)
        for ranges in self.slots:
            for first, last in ranges:
                in_top[first:last] = False
        return in_top
