"""First-order methods by a rule of one's own for treeplexes: gradients by the passes of the form, the rest in NumPy.

An iteration for a player is

    values ← gradient of what the player is paid while all play x^t
    state ← observe(treeplex, state, x^t, values, t)
    average ← average + t^γ · x^t
    x^(t+1) = plan(treeplex, state, t + 1)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from .algorithms import Algorithm
from .own_rule import OwnRule
from .regret_matching import REGRET_MATCHING
from .rule_batch import flatten
from .tabular import RULE_PREFIX, TabularCFR, refuse_locks
from .treeplex import Placement, Treeplex, make_treeplex
from .treeplex_rule import OwnTreeplexRule

_TOLERANCE = 1e-9  # of the sums of a plan
_CHUNK = 1024  # iterations whose discounts are computed at a time
_OF_CARDS = "cards"


class _Player(NamedTuple):
    """What a player's rule sees and knows.

    Attributes
    ----------
    placement : Placement
        The treeplex, and its slots in the tables.
    plan : float array, shape (sequences,)
        What is played.
    state : dict
        What the rule knows.
    """

    placement: Placement
    plan: Floats
    state: dict[str, NDArray[Any]]

    @property
    def treeplex(self) -> Treeplex:
        return self.placement.treeplex


class TreeplexSolver(TabularCFR):
    """A first-order method by a rule of one's own for treeplexes, that of the algorithm."""

    def __init__(
        self, form: CompiledGame, algorithm: Algorithm, rule: OwnRule, **options: Any
    ) -> None:
        super().__init__(form, algorithm, **options)
        refuse_locks(form)
        if form.kind == _OF_CARDS:
            raise AlgorithmError(
                f"A rule for treeplexes plays on sequence and public forms; {form.name} is compiled "
                "into boards of cards, which are merged. Give form='public' or form='sequence'.",
                field="form",
            )
        self.rule = OwnTreeplexRule(rule.text, rule.rule)
        self.minimiser = REGRET_MATCHING  # whose floors are none
        self._answers = callable(getattr(self.rule.rule, "answer", None))
        self._strategy = np.zeros(form.length)
        self._regret_sum = np.zeros(form.length)
        self._strategy_sum = np.zeros(form.length)
        self._hand_weights = form.hand_weights()
        self._players = [self._seat(player) for player in range(form.players)]
        for player in range(form.players):
            self._play(player, 1)

    def _seat(self, player: int) -> _Player:
        """Return a player with what the rule knows at first."""
        placement = make_treeplex(self.form, player)
        plan = np.zeros(placement.treeplex.num_sequences)
        return _Player(placement, plan, self.rule.init_player(placement.treeplex))

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        tables = {
            "strategy": self._strategy,
            "regret_sum": self._regret_sum,
            "strategy_sum": self._strategy_sum,
        }
        for number, player in enumerate(self._players):
            # Beside what the rule knows, 0, what it plays, 1: names of saved arrays.
            tables[f"{RULE_PREFIX}{number}_1_plan"] = player.plan
            for name, array in player.state.items():
                tables[f"{RULE_PREFIX}{number}_0_{name}"] = flatten(array)
        return tables

    def average_weights(self) -> NDArray[Any]:
        if self._answers:
            return self._answer()
        if self.rule.last_iterate:
            return self._strategy
        return self._strategy_sum

    def _answer(self) -> Floats:
        """Return the plans that the rule answers after the iterations so far, at the slots."""
        weights = np.zeros(self.form.length)
        for player in self._players:
            plan = self.rule.make_plan("answer", player.treeplex, player.state, self._iteration)
            self._check_plan(player.treeplex, plan, "answer", self._iteration)
            weights[player.placement.slots] = plan[1:]
        return weights

    def run(self, iterations: int) -> None:
        iterations = self._iterations_left(iterations)
        while iterations > 0 and not self.should_stop():
            count = min(iterations, _CHUNK)
            steps = self.algorithm.steps(self._iteration + 1, count, horizon=self.horizon)
            for discount in steps.discount_average.tolist():
                self._iterate(self._iteration + 1, discount)
                self._iteration += 1
                if self.should_stop():
                    return
            iterations -= count

    def _iterate(self, t: int, discount: float) -> None:
        """Run iteration t; ``discount`` is that of the sums of the average."""
        players = range(self.form.players)
        if self.alternating:
            for player in players:
                self._update(player, self._gradient(player), discount, t)
                self._play(player, t + 1)
            return
        gradients = [self._gradient(player) for player in players]
        for player in players:
            self._update(player, gradients[player], discount, t)
        for player in players:
            self._play(player, t + 1)

    def _gradient(self, player: int) -> Floats:
        """Return the gradient of what a player is paid in their own plan, shape (sequences,)."""
        paid = np.zeros(self.form.length)
        at_root = self.form.fill_detached(self._strategy, player, paid)
        if len(self._hand_weights):
            paid *= self._hand_weights
        return np.append(at_root, paid[self._players[player].placement.slots])

    def _update(self, number: int, values: Floats, discount: float, t: int) -> None:
        """Learn from an iteration of a player, and add what was played to the average."""
        player = self._players[number]
        treeplex = player.treeplex
        slots = player.placement.slots
        if not math.isfinite(float(values.sum())):
            self._refuse(treeplex, int(np.argmin(np.isfinite(values))), "the values are", values, t)
        behaviour = treeplex.to_behaviour(player.plan)
        worth = treeplex.counterfactual_values(behaviour, values)
        if treeplex.num_infosets:
            expected = np.add.reduceat(behaviour * worth, treeplex.first[:-1])
            self._regret_sum[slots] += worth[1:] - expected[treeplex.infoset_of]
        self._strategy_sum[slots] = discount * self._strategy_sum[slots] + player.plan[1:]
        self.rule.learn_plan(treeplex, player.state, player.plan, values, t)
        for name, array in player.state.items():
            if array.dtype.kind == "f" and np.isnan(array).any():
                raise AlgorithmError(
                    f"The rule {self.rule.text}: {name!r} is nan for player {number} after "
                    f"iteration {t:,} on {self.game_name}. The run ends, and nothing is certified.",
                    wrong_use=False,
                )

    def _play(self, number: int, t: int) -> None:
        """Fill the strategy of a player in place with what iteration t plays."""
        player = self._players[number]
        plan = self.rule.make_plan("plan", player.treeplex, player.state, t)
        self._check_plan(player.treeplex, plan, "plan", t)
        player.plan[:] = plan
        self._strategy[player.placement.slots] = player.treeplex.to_behaviour(player.plan)[1:]

    def _check_plan(self, treeplex: Treeplex, plan: Floats, method: str, t: int) -> None:
        """Refuse a vector that is no plan of a treeplex."""
        if not abs(plan[0] - 1.0) <= _TOLERANCE:
            raise AlgorithmError(
                f"The rule {self.rule.text}: {method}() gives the empty sequence {plan[0]} for player "
                f"{treeplex.player} in iteration {t:,} on {self.game_name}; it must be 1. The run "
                "ends, and nothing is certified.",
                wrong_use=False,
            )
        if not treeplex.num_infosets:
            return
        mass = np.add.reduceat(plan, treeplex.first[:-1])
        is_plan = np.abs(mass - plan[treeplex.parent]) <= _TOLERANCE
        is_plan &= np.minimum.reduceat(plan, treeplex.first[:-1]) >= 0.0
        if not is_plan.all():
            sequence = int(treeplex.first[np.argmin(is_plan)])
            self._refuse(treeplex, sequence, f"{method}() gives", plan, t)

    def _refuse(
        self, treeplex: Treeplex, sequence: int, what: str, numbers: Floats, t: int
    ) -> NoReturn:
        """Refuse numbers at the infoset of a sequence."""
        row = max(0, int(np.searchsorted(treeplex.first, sequence, side="right")) - 1)
        infoset = treeplex.infosets[row]
        wrong_numbers = numbers[treeplex.first[row] : treeplex.first[row + 1]].tolist()
        raise AlgorithmError(
            f"The rule {self.rule.text}: {what} {wrong_numbers} for {', '.join(infoset.actions)} of "
            f"player {infoset.player} at {infoset.key!r} in iteration {t:,} on {self.game_name}: "
            "a plan is 0 or more and sums to the sequence before, which has "
            f"{float(numbers[treeplex.parent[row]])}, and all numbers are finite. The run ends, and "
            "nothing is certified.",
            wrong_use=False,
        )
