"""The strategy of a large game: weights at the slots of its compiled form; all else is made when somebody asks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Ints, offsets
from ..errors import SolutionError
from ..form.infosets import Infosets
from .reading import check_fill
from .strategy import Strategy

if TYPE_CHECKING:
    from ..form.cards.form import CardForm
    from ..form.compiled_game import CompiledGame


class SlotStrategy(Strategy):
    """A strategy given by weights at the slots of a card form, of which each infoset plays its shares.

    Parameters
    ----------
    form : CardForm
        The game.
    weights : array of numbers, shape (form.length,), or as many as the first streets have slots
        Kept as they are: 0 or more.
    streets : int, optional
        How many streets the strategy has, the first ones; by default all.
    """

    form: CardForm

    def __init__(self, form: CardForm, weights: NDArray[Any], *, streets: int | None = None) -> None:
        self.form = form
        self.weights = weights
        self.streets = form.num_streets if streets is None else streets

    @cached_property
    def _known(self) -> CardForm:
        """The streets that the strategy has, as a form that names their infosets."""
        return self.form if self.whole else self.form.first_streets(self.streets)

    @property
    def whole(self) -> bool:
        """Whether the strategy has all streets."""
        return self.streets == self.form.num_streets

    def first_streets(self, streets: int) -> SlotStrategy:
        """Return the strategy on the first streets; the weights are shared, not copied."""
        length = int(self.form.arrays.first_slot[2 * streets])
        return SlotStrategy(self.form, self.weights[:length], streets=streets)

    @cached_property
    def infosets(self) -> Infosets:  # type: ignore[override]
        """Player, key and action names of each infoset."""
        return self._known.infosets

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:  # type: ignore[override]
        """The probability of each action of each infoset."""
        found: NDArray[np.float64] = self._known.average_from_sums(self.weights)[self._known.slot]
        return found

    @cached_property
    def _first(self) -> Ints:  # type: ignore[override]
        return offsets(self.infosets.num_actions)

    @property
    def num_probabilities(self) -> int:
        """Number of probabilities: one for each action of each infoset."""
        return self._known.num_actions

    def __len__(self) -> int:
        return self._known.num_infosets

    def __repr__(self) -> str:
        return f"<Strategy: {len(self):,} infosets, {self.num_probabilities:,} probabilities>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the form and the weights."""
        return _unpickled, (self.form, self.weights, self.streets)

    def is_on(self, form: CompiledGame) -> bool:
        """Return whether a compiled game is the one whose slots the weights are at."""
        return form is self.form or form.fingerprint == self.form.fingerprint

    def form_for(self, form: CompiledGame) -> CompiledGame:
        """Return the form of a game on which the strategy can be put, as :meth:`Strategy.form_for` does."""
        return form if self.is_on(form) else self._on_all_boards.form_for(form)

    @cached_property
    def _on_all_boards(self) -> Strategy:
        """The strategy with a name and a row for each infoset on each board, those that differ by suits alone too."""
        if not (self.whole and self.form.merged):
            return Strategy(self.infosets, self.probabilities)
        from ..form.cards.subgame import weights_on

        form = self.form.unmerged()
        return Strategy(form.infosets, form.average_from_sums(weights_on(form, self.form, self.weights))[form.slot])

    def at_slots(self, form: CompiledGame, *, fill: str | None = None) -> NDArray[np.float64]:
        """Return the probabilities at the slots of a compiled game, as :meth:`Strategy.at_slots` does."""
        if not self.is_on(form):
            return self._on_all_boards.at_slots(form, fill=fill)
        return form.average_from_sums(self.weights_at(form, fill=fill))

    def weights_at(self, form: CompiledGame, *, fill: str | None = None) -> NDArray[Any]:
        """Return weights at the slots of a compiled game: those that are kept, if it is the same game.

        Raises
        ------
        SolutionError
            The strategy has not all streets, and nobody says what to play on the others.
        """
        if not self.is_on(form):
            return self._on_all_boards.at_slots(form, fill=fill)
        check_fill(fill)
        if self.whole:
            return self.weights
        if fill is None:
            raise SolutionError(
                f"The strategy has the first {self.streets} of the {form.num_streets} streets of {form.name}: solve "
                "the others again (eq.resolve), save all, or complete it with fill='uniform' (--fill uniform)."
            )
        return np.pad(self.weights, (0, form.length - len(self.weights)))


def _unpickled(form: CardForm, weights: NDArray[Any], streets: int) -> SlotStrategy:
    return SlotStrategy(form, weights, streets=streets)
