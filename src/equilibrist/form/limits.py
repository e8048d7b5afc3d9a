"""Where compiling gives up: at a number of histories or moves, or where the memory that there is does not suffice."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import psutil

from .._util.validate import is_whole
from ..errors import GameError, GameTooLargeError
from ..game.protocol import Game
from .projection import project

MAX_DEPTH = 1_000
REPORT_EVERY = 1 << 16
"""Histories between two calls of ``progress``."""
PROCESS_GB = 0.25
"""Gigabytes that a process takes by itself: the interpreter, the libraries and the kernels."""
NEVER = 2**62
"""More histories than any game has."""

_INSTEAD = (
    "Sample it without compiling it (sampling='outcome(tree=False)', --sampling 'outcome(tree=False)'), or choose a "
    "smaller game."
)


def free_memory() -> float:
    """Return the gigabytes that this machine has free."""
    return float(psutil.virtual_memory().available) / 1e9


class Limits(NamedTuple):
    """Limits of compiling, and who is called with its progress.

    Attributes
    ----------
    max_histories : int or None
        The most histories (of a public game: public states); None for as many as there is memory for.
    max_depth : int
        The most moves of a play.
    progress : callable, optional
        Called now and then with the number of histories found so far.
    say : callable, optional
        Called with a short text: the estimated size of a large game.
    memory : float or None
        Gigabytes that compiling may take; None for what the machine has free.
    """

    max_histories: int | None = None
    max_depth: int = MAX_DEPTH
    progress: Callable[[int], None] | None = None
    say: Callable[[str], None] | None = None
    memory: float | None = None

    @classmethod
    def checked(
        cls, max_histories: int | None, max_depth: int, progress: Callable[[int], None] | None = None
    ) -> Limits:
        """Return limits that are whole numbers."""
        if max_histories is not None and not is_whole(max_histories, 1):
            raise GameError(
                f"max_histories must be a whole number, 1 or more, or None for as many as there is memory for; got "
                f"{max_histories!r}.",
                wrong_use=True,
            )
        if not is_whole(max_depth, 1):
            raise GameError(f"max_depth must be a whole number, 1 or more; got {max_depth!r}.", wrong_use=True)
        return cls(None if max_histories is None else int(max_histories), int(max_depth), progress)

    def begin(self) -> Limits:
        """Return the same limits with the memory that is free now, before compiling takes any."""
        return self if self.memory is not None else self._replace(memory=free_memory())

    def too_many(self, name: str, found: int) -> GameTooLargeError:
        """Return the error of a game with more histories than were allowed."""
        return GameTooLargeError(
            f"{name}: more than {self.max_histories:,} histories, {found:,} of them found so far. Raise max_histories "
            "(--max-histories), leave it out to take as many as there is memory for, or choose a smaller game."
        )

    def too_deep(self, name: str, history: str) -> GameError:
        """Return the error of a game that goes on and on."""
        return GameError(
            f"{name}: the game does not end within {self.max_depth} moves: {history}. If it does end, raise max_depth."
        )

    def report(self, name: str, found: int, bytes_each: float, *, things: str = "histories") -> None:
        """Call ``progress`` with the number of histories (or other things); refuse one that takes all memory.

        Raises
        ------
        GameTooLargeError
            They do.
        """
        needed = found * bytes_each / 1e9
        if needed > self._memory:
            raise GameTooLargeError(
                f"{name} is too large to compile: the {found:,} {things} found so far take {rounded(needed)} GB, and "
                f"there are {rounded(self._memory)} GB of memory. {_INSTEAD}"
            )
        if self.progress is not None:
            self.progress(found)

    @property
    def _memory(self) -> float:
        return free_memory() if self.memory is None else self.memory

    def check_projection(self, game: Game, name: str, found: int, bytes_each: float) -> None:
        """Refuse a game that is going to take more memory than there is, or histories than are allowed; else tell.

        Raises
        ------
        GameTooLargeError
            Random plays show that the game has far too many histories.
        """
        projection = project(game, max_depth=self.max_depth)
        if projection is None:
            return
        least, expected = (max(found, count) * bytes_each / 1e9 for count in (projection.least, projection.expected))
        if self.max_histories is not None and projection.least > self.max_histories:
            raise GameTooLargeError(
                f"{name}: more than {self.max_histories:,} histories, about {projection}. Raise max_histories "
                "(--max-histories), leave it out to take as many as there is memory for, or choose a smaller game."
            )
        if least > self._memory:
            raise GameTooLargeError(
                f"{name} is too large to compile: about {projection} histories would take {rounded(expected)} GB, and "
                f"there are {rounded(self._memory)} GB of memory. {_INSTEAD}"
            )
        if self.say is not None:
            self.say(f"Compiling {name}: about {projection} histories, {rounded(expected)} GB")


def rounded(number: float) -> str:
    """Return a number with two digits that count, and no more zeros than needed."""
    return f"{number:.2g}" if not 10 <= number < 1e6 else f"{number:,.0f}"
