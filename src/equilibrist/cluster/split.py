"""What a game that is cut for actors offers, whatever its form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from numpy.typing import NDArray

from ..cfr.algorithms import Algorithm
from ..strategy.strategy import Strategy
from .parts import Ranges
from .traffic import Exchange


class Split(Protocol):
    """A game cut into a top, which the driver walks, and a part for each actor."""

    form: Any
    most: int

    @property
    def lengths(self) -> list[int]:
        """Number of slots of each actor."""

    @property
    def held(self) -> list[Ranges]:
        """The slots of each actor, as its files have them."""

    def makers(
        self, algorithm: Algorithm, *, alternating: bool, precision: str, threads: int
    ) -> list[Callable[[], Any]]:
        """Return what makes the part of each actor."""

    def top(self, exchange: Exchange) -> Any:
        """Return the form of the top, whose walks exchange reach and values with the actors."""

    def gather(self, top: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return a table of the whole game."""

    def scatter(self, whole: NDArray[Any]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Return the top's and the actors' parts of a table."""

    def strategy(self, weights: NDArray[Any]) -> Strategy:
        """Return the strategy that weights at all slots are, or those of the top alone."""
