"""A rule of one's own, asked about batches of infosets, in NumPy or compiled; what it answers wrongly is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from .._util.arrays import Floats
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from .compile_rule import CompiledRule, compile_rule
from .own_rule import MOST_WEIGHT, OwnRule
from .rule_batch import Batch
from .rule_blocks import RuleBlocks, StateArray
from .rule_kernels import SUM_TOLERANCE

_ANSWERS = {
    "strategy": "probabilities of shape (infosets, actions)",
    "weights": "a number for each infoset",
}


class BatchedRule:
    """A rule, and the game of whose infosets it is asked."""

    def __init__(self, rule: OwnRule, form: CompiledGame, game_name: str) -> None:
        self.rule = rule
        self._form = form
        self._game_name = game_name
        self._kinds: dict[str, StateArray] = {}
        self.compiled: CompiledRule | None = None

    def compile(self, batches: Sequence[Batch]) -> None:
        """Compile the rule for batches, if its class is marked for that."""
        if not (self.rule.is_compiled and batches):
            return
        kinds = [_describe_state(batch) for batch in batches]
        for batch, kind in zip(batches, kinds, strict=True):
            if kind != kinds[0]:
                self._refuse_other_state(batches[0], batch)
        self._kinds = kinds[0]
        self.compiled = compile_rule(self.rule, self._kinds)

    def make_blocks(self, batches: Sequence[Batch]) -> RuleBlocks:
        """Return what the compiled rule is given of some batches."""
        return RuleBlocks(batches, self._kinds)

    def learn(self, batch: Batch, t: int) -> None:
        """Learn from iteration t at the infosets of a batch."""
        if self.compiled is not None:
            blocks = self.make_blocks([batch])
            self.learn_blocks(self.compiled, blocks, t)
            blocks.copy_to([batch])
        else:
            self.rule.learn(batch.state, batch.strategy, batch.values, t)
            self._refuse_nan(batch, t)

    def play(self, batch: Batch, t: int) -> None:
        """Fill the strategy of the infosets of a batch in place with what iteration t plays."""
        if self.compiled is not None:
            blocks = self.make_blocks([batch])
            self.play_blocks(self.compiled, blocks, t)
            blocks.copy_to([batch])
        else:
            batch.strategy[:] = self.rule.play(batch.state, t, batch.strategy.shape)

    def weigh(self, batch: Batch, t: int) -> Floats:
        """Return how much iteration t counts in the average at the infosets of a batch."""
        weights = self.rule.weigh(batch.state, t, len(batch.infosets))
        self.check_weights([batch], weights, t)
        return weights

    def learn_blocks(self, compiled: CompiledRule, blocks: RuleBlocks, t: int) -> None:
        """Learn from iteration t at the infosets of some blocks."""
        try:
            b, answer = compiled.learn(
                compiled.settings, blocks.state, blocks.table, blocks.strategy, blocks.values, t
            )
        except Exception as error:  # of the user's method
            self.rule.refuse_raised("observe()", error)
        if b >= 0:
            self.refuse_answer(blocks.batches[b], answer, t)

    def play_blocks(self, compiled: CompiledRule, blocks: RuleBlocks, t: int) -> None:
        """Fill the strategy of the infosets of some blocks in place with what iteration t plays."""
        try:
            b = compiled.play(compiled.settings, blocks.state, blocks.table, t, blocks.strategy)
        except Exception as error:  # of the user's method
            self.rule.refuse_raised("strategy()", error)
        if b >= 0:
            self.refuse_shape("strategy")

    def weigh_blocks(
        self, compiled: CompiledRule, blocks: RuleBlocks, t: int, weights: Floats
    ) -> None:
        """Fill ``weights`` in place with how much iteration t counts at the infosets of some blocks."""
        try:
            b = compiled.weigh(compiled.settings, blocks.state, blocks.table, t, weights)
        except Exception as error:  # of the user's method
            self.rule.refuse_raised("weights()", error)
        if b >= 0:
            self.refuse_shape("weights")

    def check_weights(self, batches: Sequence[Batch], weights: Floats, t: int) -> None:
        """Refuse weights, batch after batch, that are below 0, too large or no numbers."""
        is_wrong = ~((weights >= 0) & (weights <= MOST_WEIGHT))
        if not is_wrong.any():
            return
        row = int(np.argmax(is_wrong))
        infosets = np.concatenate([batch.infosets for batch in batches])
        at = self._name(int(infosets[row]))
        raise AlgorithmError(
            f"The rule {self.rule.text}: weights() gives {weights[row]} for player {at.player} at "
            f"{at.key!r} in iteration {t:,} on {self._game_name}; a weight is a number from 0 to "
            f"{MOST_WEIGHT:g}. The run ends, and nothing is certified.",
            wrong_use=False,
        )

    def refuse_shape(self, method: str) -> NoReturn:
        """Refuse what ``strategy`` or ``weights`` of a compiled rule returns in another shape."""
        raise AlgorithmError(
            f"The rule {self.rule.text}: {method}() must return {_ANSWERS[method]}; got another "
            "shape.",
            wrong_use=False,
        )

    def refuse_answer(self, batch: Batch, answer: int, t: int) -> NoReturn:
        """Refuse what a compiled rule knows after an iteration: a nan, or an array of another shape."""
        if answer < 0:
            self._refuse_nan(batch, t)
        self.rule.refuse_state(batch.state)

    def _refuse_other_state(self, first: Batch, other: Batch) -> NoReturn:
        """Refuse a compiled rule that knows other arrays where there are more or fewer actions."""
        counts = first.strategy.shape[1], other.strategy.shape[1]
        raise AlgorithmError(
            f"The rule {self.rule.text}: init() of a compiled rule returns the same names, types "
            f"and numbers of dimensions for each number of actions; for {counts[0]} and "
            f"{counts[1]} actions they differ.",
            wrong_use=False,
        )

    def refuse_values(self, infoset: int, values: Floats, t: int) -> NoReturn:
        """Refuse values of an infoset that are not finite."""
        self._refuse(infoset, "the values are", values, t, "not finite")

    def refuse_strategy(self, infoset: int, strategy: Floats, t: int) -> NoReturn:
        """Refuse what is played at an infoset and is no distribution."""
        why = "no probabilities that sum to 1"
        if (strategy >= 0).all() and math.isfinite(strategy.sum()):
            why += f" (to {SUM_TOLERANCE}); their sum is {strategy.sum()}"
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


def _describe_state(batch: Batch) -> dict[str, StateArray]:
    """Return how a compiled rule keeps what it knows of a batch."""
    return {name: StateArray(array.ndim - 1, array.dtype) for name, array in batch.state.items()}
