"""A rule of one's own, asked about batches of infosets, in NumPy or compiled; what it answers wrongly is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from .compile_rule import CompiledRule, compile_rule
from .own_rule import OwnRule


class Batch(NamedTuple):
    """Infosets of a player with as many actions: what a rule sees at once.

    Attributes
    ----------
    label : str
        The player and the number of actions, in names of saved arrays.
    infosets : int array, shape (infosets,)
        Their numbers.
    strategy, values : float array, shape (infosets, actions)
        What is played, and the counterfactual values.
    state : dict
        What the rule knows of them.
    """

    label: str
    infosets: Ints
    strategy: Floats
    values: Floats
    state: dict[str, NDArray[Any]]

    @property
    def state_arrays(self) -> tuple[NDArray[Any], ...]:
        return tuple(self.state.values())


class BatchedRule:
    """A rule, and the game of whose infosets it is asked."""

    def __init__(self, rule: OwnRule, form: CompiledGame, game_name: str) -> None:
        self.rule = rule
        self._form = form
        self._game_name = game_name
        self.compiled: CompiledRule | None = None

    def compile(self, batches: Sequence[Batch]) -> None:
        """Compile the rule for batches, if its class is marked for that."""
        if self.rule.is_compiled and batches:
            self.compiled = compile_rule(self.rule, batches[0].state)

    def learn(self, batch: Batch, t: int) -> None:
        """Learn from iteration t at the infosets of a batch."""
        if self.compiled is None:
            self.rule.learn(batch.state, batch.strategy, batch.values, t)
            self._refuse_nan(batch, t)
            return
        try:
            answer = self.compiled.learn(
                self.compiled.settings, batch.state_arrays, batch.strategy, batch.values, t
            )
        except Exception as error:  # of the user's method
            self.rule.refuse_raised("observe", error)
        if answer != 0:
            self.refuse_answer(batch, answer, t)

    def play(self, batch: Batch, t: int) -> None:
        """Fill the strategy of the infosets of a batch in place with what iteration t plays."""
        if self.compiled is None:
            batch.strategy[:] = self.rule.play(batch.state, t, batch.strategy.shape)
            return
        try:
            fits = self.compiled.play(self.compiled.settings, batch.state_arrays, t, batch.strategy)
        except Exception as error:  # of the user's method
            self.rule.refuse_raised("strategy", error)
        if not fits:
            self.refuse_shape()

    def refuse_shape(self) -> NoReturn:
        """Refuse a strategy of another shape."""
        raise AlgorithmError(
            f"The rule {self.rule.text}: strategy() must return probabilities of shape (infosets, "
            "actions); got another shape.",
            wrong_use=False,
        )

    def refuse_answer(self, batch: Batch, answer: int, t: int) -> NoReturn:
        """Refuse what a compiled rule knows after an iteration: a nan, or an array of another shape."""
        if answer < 0:
            self._refuse_nan(batch, t)
        self.rule.refuse_state(batch.state)

    def refuse_values(self, infoset: int, values: Floats, t: int) -> NoReturn:
        """Refuse values of an infoset that are not finite."""
        self._refuse(infoset, "the values are", values, t, "not finite")

    def refuse_strategy(self, infoset: int, strategy: Floats, t: int) -> NoReturn:
        """Refuse what is played at an infoset and is no distribution."""
        why = "no probabilities that sum to 1"
        self._refuse(infoset, "strategy() gives", strategy, t, why)

    def _refuse(self, infoset: int, what: str, numbers: Floats, t: int, why: str) -> NoReturn:
        at = self._name(infoset)
        raise AlgorithmError(
            f"The rule {self.rule.text}: {what} {numbers.tolist()} for {', '.join(at.actions)} of "
            f"player {at.player} at {at.key!r} in iteration {t:,} on {self._game_name}: {why}. "
            "The run ends, and nothing is certified.",
            wrong_use=False,
        )

    def _refuse_nan(self, batch: Batch, t: int) -> None:
        """Refuse what a rule knows where it is no number, as a comparison with it may play uniformly."""
        for name, array in batch.state.items():
            # A sum of squares is nan where one of them is: no infinities of both signs meet.
            if array.dtype.kind == "f" and math.isnan(np.vdot(array, array)):
                row = int(np.argwhere(np.isnan(array))[0, 0])
                at = self._name(int(batch.infosets[row]))
                raise AlgorithmError(
                    f"The rule {self.rule.text}: {name!r} is nan for player {at.player} at "
                    f"{at.key!r} after iteration {t:,} on {self._game_name}. The run ends, and "
                    "nothing is certified.",
                    wrong_use=False,
                )

    def _name(self, infoset: int) -> Infoset:
        return self._form.infosets[infoset]


def flatten(array: NDArray[Any]) -> NDArray[Any]:
    """Return the same memory as a row of numbers, as runs are saved; booleans are 0 and 1."""
    row = array.reshape(-1)
    if row.dtype.kind == "b":
        return row.view(np.uint8)
    return row
