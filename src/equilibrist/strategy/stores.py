"""Where a strategy has its probabilities: infoset by infoset, or as weights at the slots of a form of cards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.places import import_place
from ..errors import SolutionError
from ..form.infosets import Infosets

if TYPE_CHECKING:
    from ..form.compiled_game import CompiledGame


_LIFTS = {
    "cards": "form.cards.subgame:part_weights_of",
    "ranges": "form.ranges.form:lift_weights",
}
"""For each form that takes suits for one, what gives weights at the slots of the one that does not."""


@dataclass(frozen=True, eq=False)
class NamedProbabilities:
    """The probability of each action of each infoset."""

    infosets: Infosets
    probabilities: Floats

    @property
    def num_infosets(self) -> int:
        return len(self.infosets)

    @property
    def num_probabilities(self) -> int:
        return len(self.probabilities)

    def is_on(self, form: CompiledGame) -> bool:
        """Return whether a compiled game has these infosets in this order, so that no name is needed."""
        return self.infosets is form.infosets

    def weights_at(self, form: CompiledGame, *, missing: str | None = None) -> NDArray[Any]:
        """Return weights at the slots of a game on which the store is; each infoset plays its shares of them."""
        return form.to_slots(self.probabilities)

    at_slots = weights_at


@dataclass(frozen=True, eq=False)
class SlotWeights:
    """Weights at the slots of a form that keeps them, of which each infoset plays its shares; names are made when
    asked for.

    Attributes
    ----------
    form : CardForm or RangeForm
        The game.
    weights : array of numbers, shape (form.length,), or as many as the first streets have slots
        Kept as they are: 0 or more.
    streets : int
        How many streets there are weights of, the first ones.
    """

    form: Any  # what is asked of it, both have
    weights: NDArray[Any]
    streets: int

    @cached_property
    def first_form(self) -> Any:
        """The streets that there are weights of, as a form that names their infosets."""
        if self.is_whole:
            return self.form
        return self.form.first_streets(self.streets)

    @property
    def is_whole(self) -> bool:
        return bool(self.streets == self.form.num_streets)

    @property
    def infosets(self) -> Infosets:
        infosets: Infosets = self.first_form.infosets
        return infosets

    @cached_property
    def probabilities(self) -> Floats:
        form = self.first_form
        return np.asarray(form.average_from_sums(self.weights)[form.slot])

    @property
    def num_infosets(self) -> int:
        return int(self.first_form.num_infosets)

    @property
    def num_probabilities(self) -> int:
        return int(self.first_form.num_actions)

    def is_on(self, form: CompiledGame) -> bool:
        """Return whether a compiled game is the one whose slots the weights are at."""
        return form is self.form or form.fingerprint == self.form.fingerprint

    def weights_at(self, form: CompiledGame, *, missing: str | None = None) -> NDArray[Any]:
        """Return the weights, with 0 on the streets that they lack."""
        if self.is_whole:
            return self.weights
        if missing is None:
            raise SolutionError(
                f"The strategy has the first {self.streets} of the {form.num_streets} streets of "
                f"{form.name}: solve the others again (eq.resolve), save all, or complete it "
                "with missing='uniform' (--missing uniform)."
            )
        return np.pad(self.weights, (0, form.length - len(self.weights)))

    def at_slots(self, form: CompiledGame, *, missing: str | None = None) -> Floats:
        return form.average_from_sums(self.weights_at(form, missing=missing))

    def on_all_boards(self) -> tuple[Infosets, Floats]:
        """Return each infoset on each board, those that differ by suits alone too, and the probabilities there."""
        if not (self.is_whole and self.form.merged):
            return self.infosets, self.probabilities
        form = self.form.unmerged()
        weights = import_place(_LIFTS[form.kind])(form, self.form, self.weights)
        return form.infosets, form.average_from_sums(weights)[form.slot]


Store: TypeAlias = NamedProbabilities | SlotWeights
