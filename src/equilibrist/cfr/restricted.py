"""Restricted Nash responses: CFR against an opponent who has to follow a model with some probability.

With x our plan, σ the model of the opponent, u our payoff and p the trust, what is maximised is

    p · u(x, σ) + (1 − p) · min_y u(x, y)

The first part is linear in x alone: u(x, σ) = K + Σ_s c(s) x(s), where c(s) is what our sequence s is paid against σ by
itself, without what follows our later decisions, and K what is paid where we decide nothing. So it is the game that
there was, in which we are also paid p / (1 − p) · c(s) for each of our sequences, times 1 − p: any variant of CFR
solves it on any form, and the best responses of both players certify the answer.

References
----------
Johanson, Zinkevich & Bowling 2007, "Computing robust counter-strategies".
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._jit.compile import record
from .._jit.simd import zeros
from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from ..form.floors import DETACHED, Payments
from ..form.responses import Values
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser
from .regret_matching import REGRET_MATCHING, RegretMatchingRule


@record
class PaidRule(NamedTuple):
    """Regret matching of a game in which a player is also paid for each own sequence.

    Attributes
    ----------
    discount_positive : float or float array
        This and the following as in :class:`RegretMatchingRule`.
    discount_negative : float or float array
    discount_predicted : float or float array
    predict : float
    floor : float
    rounding : float
    payee : int
        Who is paid: this and the following as in :class:`~equilibrist.form.floors.Payments`.
    scale : float
    amount : float array, shape (slots,)
    """

    discount_positive: float | Floats
    discount_negative: float | Floats
    discount_predicted: float | Floats
    predict: float
    floor: float
    rounding: float
    payee: int
    scale: float
    amount: Floats

    def rule_at(self, t):
        positive = float(self.discount_positive[t])
        negative = float(self.discount_negative[t])
        predicted = float(self.discount_predicted[t])
        return PaidRule(
            positive,
            negative,
            predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payee,
            self.scale,
            self.amount,
        )


_SHARED = ("reference_value", "update_regret", "no_shares", "add_share", "next_probability")
for _name in _SHARED:  # only the values differ
    setattr(PaidRule, _name, vars(RegretMatchingRule)[_name])
PaidRule.add_payments = Payments.add_payments  # type: ignore[attr-defined]
PaidRule.by_slot = ("amount",)  # type: ignore[attr-defined]


class ResponseBounds(NamedTuple):
    """What is certified of an answer to a model; payoff per game of the one who answers.

    Attributes
    ----------
    model_value : float
        u(x, σ): what the answer wins from the model.
    worst_case : float
        min_y u(x, y): what it wins from the opponent who knows it.
    lower_bound : float
        p · u(x, σ) + (1 − p) · min_y u(x, y), which is reached by the answer.
    upper_bound : float
        The most that any answer reaches against p · σ + (1 − p) · y, with the average y of the opponent.
    """

    model_value: float
    worst_case: float
    lower_bound: float
    upper_bound: float

    @property
    def gap(self) -> float:
        """How far the answer may be from the best one."""
        return self.upper_bound - self.lower_bound


class ModelPayments:
    """What a player's sequences are paid against a model of the opponent, and the model itself.

    Attributes
    ----------
    table : float array, shape (slots,)
        At the slots of the player the payments c(s), at those of the opponent the probabilities of the model.
    constant : float
        K: what is paid where the player decides nothing.
    """

    def __init__(self, table: Floats, constant: float) -> None:
        self.table = table
        self.constant = constant

    @classmethod
    def of_model(cls, form: CompiledGame, player: int, model: Floats) -> ModelPayments:
        """Return those of a model at the slots of a form, whose probabilities of the player do not count."""
        alone = form.detached_responses(model)
        nothing = zeros(form.length)
        table = form.with_player(nothing, model, 1 - player)
        table = form.with_player(table, alone.best_value, player)
        return cls(table, alone.best_response_value[player])


class RestrictedResponse(LocalMinimiser):
    """Regret matching of a game whose opponent follows a model with probability ``trust``, below 1.

    ``state`` is what a run goes on with: the table of :class:`ModelPayments`, and at its end the constant. It is all 0
    until a model is given or a state is loaded.
    """

    plays_regrets = True

    def __init__(
        self, form: CompiledGame, trust: float, player: int, payments: ModelPayments | None
    ) -> None:
        self.trust = trust
        self.player = player
        self.scale = trust / (1.0 - trust)
        self.state = zeros(form.length + 1)
        self._table = self.state[:-1]
        if payments is not None:
            self._table[:] = payments.table
            self.state[-1] = payments.constant
        self._bounds: tuple[int, ResponseBounds] | None = None

    @property
    def knows_model(self) -> bool:
        """Whether a model has been given or loaded."""
        return bool(self.state.any())

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> PaidRule:
        rule = REGRET_MATCHING.rules(algorithm, steps, rounding)
        return PaidRule(*rule, self.player, self.scale, self._table)

    def floors(self, iteration: int) -> Payments:
        return Payments(self.player, self.scale, self._table)

    def bounds(self, solver: Any) -> ResponseBounds:
        """Return what is certified of what a solver plays on average; computed once for each iteration."""
        if self._bounds is None or self._bounds[0] != solver.iteration:
            self._bounds = solver.iteration, self._certify(solver)
        return self._bounds[1]

    def _certify(self, solver: Any) -> ResponseBounds:
        form = solver.form
        player = self.player
        opponent = 1 - player
        values: Values = solver.values(within_floors=True)
        worst_case = form.payoff_sum - values.best_response_value[opponent]
        without_payments = form.payoff_sum - values.value[opponent]
        if self.trust > 0:
            paid = (values.value[player] - without_payments) / self.scale
            model_value = self.state[-1] + paid
        else:
            profile = form.with_player(solver.average_strategy(), self._table, opponent)
            model_value = form.values(profile, threads=solver.threads).value[player]
        free = 1.0 - self.trust
        return ResponseBounds(
            model_value=float(model_value),
            worst_case=float(worst_case),
            lower_bound=float(self.trust * model_value + free * worst_case),
            upper_bound=float(
                free * values.best_response_value[player] + self.trust * self.state[-1]
            ),
        )
