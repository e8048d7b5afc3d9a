"""The best answers to a model of the opponent by linear programme: what is won from the model, and
at which risk.

With x the plan of the player, σ the model, A the player's payoff and F y = f the plans of the
opponent, an answer has two numbers: c · x with c = A σ, what it wins from the model, and the most f
· v with Fᵀ v ≤ Aᵀ x, what it wins from the opponent who knows it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy  # whose parts are loaded where they are first named: half a second

from .._util.arrays import Floats
from ..errors import LinearProgramError
from ..form.sequence.form import SequenceForm
from .linear_program import flow_rows, number_sequences, payoff_matrix

_TOLERANCE = 1e-10  # HiGHS: how far a constraint may be violated; its smallest


class Answer(NamedTuple):
    """An answer to a model.

    Attributes
    ----------
    strategy : float array, shape (slots,)
        The player's probabilities at their slots, and those of the model at the opponent's.
    model_value : float
        What the answer wins from the model; payoff per game, as the two that follow.
    worst_case : float
        What it wins from the opponent who knows it.
    upper_bound : float
        More than can be reached of what was maximised, by the opponent's mixture that the programme
        found.
    """

    strategy: Floats
    model_value: float
    worst_case: float
    upper_bound: float


class ResponseProgram:
    """The linear programmes of a two-player game, a player of it, and a model of the other.

    Parameters
    ----------
    form : SequenceForm
        Of two players; payoffs need not sum to 0: the worst case is the least of the player's own
        payoff.
    player : int
        Who answers.
    model : float array, shape (slots,)
        What the opponent plays, at their slots; elsewhere it does not count.
    """

    def __init__(self, form: SequenceForm, player: int, model: Floats) -> None:
        self._form = form
        self._player = player
        self._model = model
        payoff, self._largest = payoff_matrix(form, player)
        self._largest = self._largest or 1.0
        self._flow = flow_rows(form, player)
        other_flow = flow_rows(form, 1 - player)
        self._plans = self._flow.shape[1]
        self._values = other_flow.shape[0]
        self._responses = scipy.sparse.block_array([[-payoff.T, other_flow.T]], format="csr")
        model_plan = np.append(1.0, form.reach(model)[form.slot])[self._own_sequences(1 - player)]
        self._model_plan = model_plan
        self._model_row = payoff @ model_plan
        self._start = np.eye(1, self._flow.shape[0])[0]
        self._root = np.eye(1, self._values)[0]

    def _own_sequences(self, player: int) -> np.ndarray:
        """Return the sequences of a player, the empty one first, by their number in the whole form."""
        owner = np.repeat(self._form.infosets.owner, self._form.infosets.num_actions)
        return np.append(0, 1 + np.flatnonzero(owner == player))

    def maximise(
        self,
        model_weight: float,
        worst_weight: float,
        *,
        least_worst: float = -math.inf,
        least_model: float = -math.inf,
    ) -> Answer:
        """Return the answer with the most model weight × model value + worst weight × worst case.

        Of those whose worst case and model value are at least so much.

        Raises
        ------
        LinearProgramError
            HiGHS found no optimum: the floors leave nothing, or payoffs lie too far apart.
        """
        form = self._form
        cost = -np.concatenate([model_weight * self._model_row, worst_weight * self._root])
        rows = [self._responses]
        limits = [np.zeros(self._responses.shape[0])]
        if least_worst > -math.inf:
            row = np.concatenate([np.zeros(self._plans), -self._root])
            rows.append(scipy.sparse.csr_array(row[None, :]))
            limits.append(np.array([-least_worst / self._largest]))
        if least_model > -math.inf:
            row = np.concatenate([-self._model_row, np.zeros(self._values)])
            rows.append(scipy.sparse.csr_array(row[None, :]))
            limits.append(np.array([-least_model / self._largest]))
        nothing = scipy.sparse.csr_array((self._flow.shape[0], self._values))
        lower_bound = np.zeros(len(cost))
        lower_bound[self._plans :] = -np.inf
        result = scipy.optimize.linprog(
            cost,
            A_ub=scipy.sparse.block_array([[row] for row in rows], format="csr"),
            b_ub=np.concatenate(limits),
            A_eq=scipy.sparse.block_array([[self._flow, nothing]], format="csr"),
            b_eq=self._start,
            bounds=np.column_stack([lower_bound, np.full(len(cost), np.inf)]),
            method="highs",
            options={
                "primal_feasibility_tolerance": _TOLERANCE,
                "dual_feasibility_tolerance": _TOLERANCE,
            },
        )
        if result.status != 0:
            reason = str(result.message).rstrip(".")
            raise LinearProgramError(
                f"{form.name}: the linear programme found no answer ({reason}). Payoffs × chance "
                f"go up to {self._largest:.3g}; bring payoffs closer together, or give until= or "
                "iterations=, so that CFR answers."
            )
        multipliers = np.maximum(-result.ineqlin.marginals, 0.0)
        responses = self._responses.shape[0]
        reply = multipliers[:responses]
        more = iter(multipliers[responses:])
        of_worst = float(next(more)) if least_worst > -math.inf else 0.0
        of_model = float(next(more)) if least_model > -math.inf else 0.0
        mixed = (model_weight + of_model) * self._model_plan + reply
        upper_bound = float(mixed[0]) * self._best_response_value(mixed)
        if of_worst > 0:
            upper_bound -= of_worst * least_worst
        if of_model > 0:
            upper_bound -= of_model * least_model
        strategy = self._place(self._player, np.maximum(result.x[: self._plans], 0.0))
        return Answer(strategy, *self.numbers_of(strategy), upper_bound)

    def _place(self, player: int, plan: Floats) -> Floats:
        """Return the model at the slots, and in it what one player plays by a plan."""
        form = self._form
        owner = np.repeat(form.infosets.owner, form.infosets.num_actions)
        numbers = number_sequences(form, player)
        sums = np.zeros(form.length)
        sums[form.slot[owner == player]] = plan[numbers[1:][owner == player]]
        return form.with_player(self._model, form.average_from_sums(sums), player)

    def _best_response_value(self, plan: Floats) -> float:
        """Return what the player's best response wins from a plan of the opponent, which may be of
        any sum.
        """
        played = self._place(1 - self._player, plan)
        return self._form.values(played).best_response_value[self._player]

    def numbers_of(self, strategy: Floats) -> tuple[float, float]:
        """Return the model value and the worst case of the player's part of a strategy at the
        slots.
        """
        form = self._form
        profile = form.with_player(strategy, self._model, 1 - self._player)
        model_value = form.values(profile).value[self._player]
        return model_value, worst_case(form, self._player, strategy)


def worst_case(form: SequenceForm, player: int, strategy: Floats) -> float:
    """Return the least that a player's strategy wins from anybody; payoff per game.

    What an opponent wins whose payoff is minus the player's, which it is already in a zero-sum
    game.
    """
    against = form.against(player)
    opponent = 1 - player
    return (against.payoff_sum or 0.0) - against.values(strategy).best_response_value[opponent]
