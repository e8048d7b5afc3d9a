"""What Equilibrist raises: each error says what was wrong, the value received, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class EquilibristError(Exception):
    """The base of every error that Equilibrist raises on purpose.

    ``wrong_use`` tells the command which exit code to give: 2 for wrong use (a misspelt name, an
    impossible value, a file that is not there) and 1 for a failure (a broken file, a game that is
    not well formed).

    Attributes
    ----------
    field : str or None
        The setting at fault, by name, where it is known: forms show the message beside it.
    span : pair of int or None
        Where in the text of that setting: first character, counted from 0, and length.
    allowed : tuple or None
        What the setting may be: the least and the largest number (None for no such limit), or
        words.
    """

    span: tuple[int, int] | None = None

    def __init__(
        self,
        message: str,
        *,
        wrong_use: bool = False,
        field: str | None = None,
        allowed: tuple[Any, ...] | None = None,
    ) -> None:
        super().__init__(message)
        self.wrong_use = wrong_use
        self.field = field
        self.allowed = allowed


@contextmanager
def in_field(field: str) -> Iterator[None]:
    """Name the setting at fault in every error that is raised within, unless one is named."""
    try:
        yield
    except EquilibristError as error:
        error.field = error.field or field
        raise


class GameError(EquilibristError):
    """A game cannot be found, is not well formed, or is too large."""


class GameTooLargeError(GameError):
    """A game has more histories than are allowed, or than there is memory for."""


class UntrustedGameError(GameError):
    """A saved run names a Python file as its game, and nobody has said that it may be run."""


class AlgorithmError(EquilibristError):
    """An algorithm, its options, or their combination make no sense: wrong use, where nothing else is said."""

    def __init__(self, message: str, *, wrong_use: bool = True, **more: Any) -> None:
        super().__init__(message, wrong_use=wrong_use, **more)


class SolutionError(EquilibristError):
    """A strategy or a saved solution cannot be read, written, or does not fit the game.

    Attributes
    ----------
    solution : Solution or None
        The solution that :func:`equilibrist.solve` has computed, where only saving it failed:
        nothing is lost.
    """

    solution: Any = None  # no import goes up from here


class LinearProgramError(SolutionError):
    """The linear programme has found no equilibrium, as payoffs differ by too many orders of magnitude."""


class EquilibristWarning(UserWarning):
    """The base of every warning of Equilibrist: one sentence, which the command prints as such."""


class EquilibristDeprecationWarning(EquilibristWarning, DeprecationWarning):
    """A public name or keyword is going to go: the sentence says what to use instead, and until which version it works.

    As every ``DeprecationWarning`` it is shown where the program that is run uses the old name, and
    in tests; ``python -W error::DeprecationWarning`` makes it an error.
    """


_MOST_NAMES = 40
"""In a list of names of an error."""


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return " Did you mean 'kuhn'?" for a misspelt name, or what there is where nothing is near."""
    names = sorted(candidates)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f" Did you mean {' or '.join(repr(near) for near in close)}?"
    if len(names) > _MOST_NAMES:
        more = f", … and {len(names) - _MOST_NAMES:,} more"
    else:
        more = ""
    return f" Known: {', '.join(names[:_MOST_NAMES])}{more}."
