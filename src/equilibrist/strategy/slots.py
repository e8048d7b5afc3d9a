"""The strategy of a large game: weights at the slots of its compiled form; all else is made when somebody asks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Ints, offsets
from ..form.infosets import Infosets
from .strategy import Strategy

if TYPE_CHECKING:
    from ..form.compiled_game import CompiledGame


class SlotStrategy(Strategy):
    """A strategy given by weights at the slots of a compiled game, of which each infoset plays its shares.

    Parameters
    ----------
    form : CompiledGame
        The game.
    weights : array of numbers, shape (form.length,)
        Kept as they are: 0 or more.
    """

    def __init__(self, form: CompiledGame, weights: NDArray[Any]) -> None:
        self.form = form
        self.weights = weights

    @cached_property
    def infosets(self) -> Infosets:  # type: ignore[override]
        """Player, key and action names of each infoset."""
        return self.form.infosets

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:  # type: ignore[override]
        """The probability of each action of each infoset."""
        found: NDArray[np.float64] = self.form.average_from_sums(self.weights)[self.form.slot]
        return found

    @cached_property
    def _first(self) -> Ints:  # type: ignore[override]
        return offsets(self.infosets.num_actions)

    @property
    def num_probabilities(self) -> int:
        """Number of probabilities: one for each action of each infoset."""
        return self.form.num_actions

    def __len__(self) -> int:
        return self.form.num_infosets

    def __repr__(self) -> str:
        return f"<Strategy: {len(self):,} infosets, {self.num_probabilities:,} probabilities>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the form and the weights."""
        return SlotStrategy, (self.form, self.weights)

    def at_slots(self, form: CompiledGame, *, fill: str | None = None) -> NDArray[np.float64]:
        """Return the probabilities at the slots of a compiled game, as :meth:`Strategy.at_slots` does."""
        return form.average_from_sums(self.weights) if form is self.form else super().at_slots(form, fill=fill)

    def weights_at(self, form: CompiledGame) -> NDArray[Any]:
        """Return weights at the slots of a compiled game: those that are kept, if it is the same game."""
        return self.weights if form is self.form else super().weights_at(form)
