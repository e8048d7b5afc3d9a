"""Restricted Nash responses: CFR against an opponent who has to follow a model with some
probability.

With x our plan, σ the model of the opponent, u our payoff and p the trust, what is maximised is

    p · u(x, σ) + (1 − p) · min_y u(x, y)

The first part is linear in x alone: u(x, σ) = K + Σ_s c(s) x(s), where c(s) is what our sequence s
is paid against σ by itself, without what follows our later decisions, and K what is paid where we
decide nothing. So it is the game that there was, in which we are also paid p / (1 − p) · c(s) for
each of our sequences, times 1 − p: any variant of CFR solves it on any form, and the best responses
of both players certify the answer.

References
----------
Johanson, Zinkevich & Bowling 2007, "Computing robust counter-strategies".
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import record
from .._jit.simd import load_like, where_positive, zeros
from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame
from ..form.floors import Payments, Terms
from ..form.responses import Values
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser
from .regret_matching import REGRET_MATCHING, RegretMatchingRule


@record
class BiasedRule(NamedTuple):
    """Regret matching where an infoset keeps to a model with a probability: σ = p · model + (1 − p)
    ρ, with ρ matching regrets.

    The regrets are those of ρ: r(a) = v(a) − Σ_b ρ(b) v(b), where Σ ρ v is (Σ σ v − Σ p · model ·
    v) ÷ (1 − p). Where p is 1 there is no ρ, and regrets mean nothing.

    Attributes
    ----------
    discount_positive : float or float array
        This and the following as in :class:`RegretMatchingRule`.
    discount_negative : float or float array
    discount_predicted : float or float array
    predict : float
    floor : float
    rounding : float
    payments : Payments
    left : float or float array
        1 − p of eight infosets; 1 before they are known.
    pinned : float array, shape (slots,)
        p × model: this and the following as in :class:`~equilibrist.form.floors.Terms`.
    free : float array, shape (slots,)
    """

    discount_positive: float | Floats
    discount_negative: float | Floats
    discount_predicted: float | Floats
    predict: float
    floor: float
    rounding: float
    payments: Payments
    left: float | Floats
    pinned: Floats
    free: Floats

    def rule_at(self, t):
        positive = float(self.discount_positive[t])
        negative = float(self.discount_negative[t])
        predicted = float(self.discount_predicted[t])
        return BiasedRule(
            positive,
            negative,
            predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
            1.0,
            self.pinned,
            self.free,
        )

    def rule_at_slot(self, like, slot, actions):
        return BiasedRule(
            self.discount_positive,
            self.discount_negative,
            self.discount_predicted,
            self.predict,
            self.floor,
            self.rounding,
            self.payments,
            load_like(like, self.free, slot),
            self.pinned,
            self.free,
        )

    def pinned_value(self, like, slot, value):
        return value * load_like(like, self.pinned, slot)

    def reference_value(self, value, sum_values, uniform):
        return where_positive(self.left, (value - sum_values) / self.left, value)

    def placed(self, like, slot, probability):
        return load_like(like, self.pinned, slot) + probability * load_like(like, self.free, slot)

    def mixed(self, share, actions, like, slot):
        return load_like(like, self.pinned, slot) + share * load_like(like, self.free, slot)


for _name in ("pay_at", "update_regret", "no_shares", "add_share", "next_probability"):
    setattr(BiasedRule, _name, vars(RegretMatchingRule)[_name])
BiasedRule.by_slot = ("pinned", "free")  # type: ignore[attr-defined]


class ResponseBounds(NamedTuple):
    """What is certified of an answer to a model; payoff per game of the one who answers.

    Attributes
    ----------
    model_value : float
        u(x, σ): what the answer wins from the model.
    worst_case : float
        min_y u(x, y): what it wins from the opponent who knows it.
    lower_bound : float
        What the answer reaches of what is maximised: p · u(x, σ) + (1 − p) · min_y u(x, y), or the
        least that it wins from an opponent who keeps to the model as said.
    upper_bound : float
        The most that any answer reaches against the average play of that opponent.
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
    state : float array, shape (slots + 1,)
        At the slots of the player the payments c(s), at those of the opponent the probabilities of
        the model; at the end K, what is paid where the player decides nothing.
    """

    def __init__(self, state: Floats) -> None:
        self.state = state

    @classmethod
    def of_model(cls, form: CompiledGame, player: int, model: NDArray[Any]) -> ModelPayments:
        """Return those of a model at the slots of a form; what it says of the player does not
        count.
        """
        state = zeros(form.length + 1)
        state[-1] = form.fill_detached(model, player, state[:-1])
        form.put_player(state[:-1], model, 1 - player)
        return cls(state)


class _Response(LocalMinimiser):
    """What answers to models have in common: bounds, computed once for each iteration."""

    plays_regrets = True
    _bounds: tuple[int, ResponseBounds] | None = None

    @property
    def knows_model(self) -> bool:
        """Whether a model has been given or loaded."""
        return bool(self.state.any())

    def bounds(self, solver: Any) -> ResponseBounds:
        """Return what is certified of what a solver plays on average."""
        if self._bounds is None or self._bounds[0] != solver.iteration:
            self._bounds = solver.iteration, self._certify(solver)
        return self._bounds[1]

    @abstractmethod
    def _certify(self, solver: Any) -> ResponseBounds: ...


class RestrictedResponse(_Response):
    """Regret matching of a game whose opponent follows a model with probability ``trust``, below 1.

    ``state`` is what a run goes on with: the table of :class:`ModelPayments`, and at its end the
    constant. It is all 0 until a model is given or a state is loaded.
    """

    plays_regrets = True

    def __init__(
        self, form: CompiledGame, trust: float, player: int, payments: ModelPayments | None
    ) -> None:
        self.trust = trust
        self.player = player
        self.scale = trust / (1.0 - trust)
        self.state = zeros(form.length + 1) if payments is None else payments.state
        self._table = self.state[:-1]
        self._payments = Payments(player, self.scale, self._table)

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> RegretMatchingRule:
        rule = REGRET_MATCHING.rules(algorithm, steps, rounding)
        return rule._replace(payments=self._payments)

    def floors(self, iteration: int) -> Terms:
        return Terms(payments=self._payments)

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


class BiasedResponse(_Response):
    """Regret matching of a game whose opponent keeps to a model with a probability of its own at
    each infoset.

    ``state`` is what a run goes on with: the probabilities of the model and those with which it is
    kept to, both at the opponent's slots.

    References
    ----------
    Johanson & Bowling 2009, "Data biased robust counter strategies".
    """

    def __init__(
        self, form: CompiledGame, player: int, model: Floats | None, bias: Floats | None
    ) -> None:
        self.player = player
        opponent = 1 - player
        self.state = zeros(2 * form.length)
        self._model = self.state[: form.length]
        self._bias = self.state[form.length :]
        self._pinned = zeros(form.length)
        self._free = zeros(form.length)
        self._is_placed = False
        if model is not None and bias is not None:
            nothing = zeros(form.length)
            self._model[:] = form.with_player(nothing, model, opponent)
            self._bias[:] = form.with_player(nothing, bias, opponent)

    def _place(self) -> None:
        """Fill what rules read, once the state is there."""
        if not self._is_placed:
            self._pinned[:] = self._model * self._bias
            self._free[:] = 1.0 - self._bias
            self._is_placed = True

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> BiasedRule:
        self._place()
        rule = REGRET_MATCHING.rules(algorithm, steps, rounding)
        return BiasedRule(*rule, 1.0, self._pinned, self._free)

    def floors(self, iteration: int) -> Terms:
        self._place()
        return Terms.of_model(self._pinned, self._free)

    def _certify(self, solver: Any) -> ResponseBounds:
        form = solver.form
        player = self.player
        opponent = 1 - player
        average = solver.average_strategy()
        terms = self.floors(solver.iteration)
        # What is stored in few digits may miss what is pinned: of the average only what is free counts.
        free = form.average_from_sums(np.maximum(average - self._pinned, 0.0))
        within = form.values(terms.mix(free, free), threads=solver.threads, floors=terms)
        anybody: Values = solver.values()
        profile = form.with_player(average, self._model, opponent)
        model_value = form.values(profile, threads=solver.threads).value[player]
        return ResponseBounds(
            model_value=float(model_value),
            worst_case=float(form.payoff_sum - anybody.best_response_value[opponent]),
            lower_bound=float(form.payoff_sum - within.best_response_value[opponent]),
            upper_bound=float(within.best_response_value[player]),
        )
