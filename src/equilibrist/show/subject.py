"""What is shown of runs of games that have more to show than a table of infosets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from .blocks import Block


class Part(NamedTuple):
    """A part of the report of a run.

    Parameters
    ----------
    title : str
        Its heading.
    make : callable
        Returns the blocks below the heading; called when the report is written, so that what fails is left out.
    """

    title: str
    make: Callable[[], Sequence[Block]]


class Subject(Protocol):
    """What is shown of the runs of some games, in the place of their table of infosets.

    ``SUBJECTS`` in :mod:`equilibrist.show.registry` names the subject of each type of game.
    """

    pictures: tuple[str, ...]
    """The kinds of pictures that suit a run, the usual one first."""

    def strategy_blocks(self, strategy: Any) -> Sequence[Block]:
        """Return what a strategy shows."""
        ...

    def solution_blocks(self, solution: Any, *, suits: bool, unit: str) -> Iterable[Block]:
        """Return what a solution shows after its certificate.

        ``suits`` says whether each hand stands by itself; ``unit`` is that of EVs.
        """
        ...

    def report_parts(self, solution: Any) -> Iterable[Part]:
        """Return the parts of the report of a solution between its convergence and its trace."""
        ...
