"""Decisions that a policy is asked about, many at a time, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Ints
from ..errors import SolutionError


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """Infosets at which a policy is asked what it plays, a row for each.

    Attributes
    ----------
    game : str
        Name of the game.
    player : int array, shape (n,)
        Who decides.
    infosets : tuple of str
        What each player knows, in the words of the game.
    actions : tuple of tuple of str
        The names of the legal actions.
    columns : tuple of tuple of int
        The column of each legal action: its number among all actions of the game, where they are
        numbered, as they are in OpenSpiel; else 0, 1, 2, ….
    legal : bool array, shape (n, number of columns)
        Which columns are legal actions.
    states : tuple
        A state of the rules where the infoset is met; states of ``pyspiel`` for games of OpenSpiel.
    """

    game: str
    player: Ints
    infosets: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    columns: tuple[tuple[int, ...], ...]
    legal: NDArray[np.bool_]
    states: tuple[Any, ...]
    _observe: Callable[[Any], Any] | None
    _observe_raw: Callable[[Any], Any] | None = None

    def __len__(self) -> int:
        return len(self.infosets)

    def take(self, rows: Ints) -> Decisions:
        """Return some of these decisions, by their rows; columns stay what they are."""
        numbers = rows.tolist()
        return replace(
            self,
            player=self.player[rows],
            infosets=tuple(self.infosets[i] for i in numbers),
            actions=tuple(self.actions[i] for i in numbers),
            columns=tuple(self.columns[i] for i in numbers),
            legal=self.legal[rows],
            states=tuple(self.states[i] for i in numbers),
        )

    @property
    def observations(self) -> NDArray[np.float32]:
        """What each player knows, as numbers, shape (n, length): ``observation(state)`` of the rules.

        For games of OpenSpiel it is the information state tensor, or where there is none the
        observation tensor.
        """
        if self._observe is None:
            raise SolutionError(
                f"{self.game} does not tell its infosets as numbers: give its rules a method "
                "observation(state), or ask for decisions.infosets, which are texts.",
                wrong_use=True,
            )
        return np.array([self._observe(state) for state in self.states], np.float32)

    @property
    def raw_observations(self) -> tuple[Any, ...]:
        """What each player knows as the library has it that the rules are of, for its agents; None where it has none.

        It is what a method ``raw_observation(state)`` of the rules returns.
        """
        if self._observe_raw is None:
            return (None,) * len(self.states)
        return tuple(self._observe_raw(state) for state in self.states)


Policy = Callable[[Decisions], Any]
"""A function of :class:`Decisions` that returns probabilities, shape (n, number of columns)."""
