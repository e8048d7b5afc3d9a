"""Full-width CFR by a rule of one's own, on every compiled game: values by the kernels of its form, the rest in NumPy.

An iteration for a player is, as in every paper:

    values of the actions while all play σ^t     by the kernel of an iteration, which is made to tell them
    state ← observe(state, σ^t, values, t)       at all infosets
    average ← average + t^γ · own reach · σ^t
    σ^(t+1) = strategy(state, t + 1)
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import record
from .._util.arrays import Floats, Ints
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..form.sequence.form import SequenceForm
from .algorithms import Algorithm, Steps
from .minimiser import LocalMinimiser
from .own_rule import OwnRule, find_improper
from .regret_matching import REGRET_MATCHING
from .solver import promises_correlated
from .solvers import CPU, FULL_WIDTH
from .tabular import TabularCFR

_CHUNK = 1024  # iterations whose discounts are computed at a time
_PREFIX = "rule_"
"""What the names of a rule's arrays begin with where a run is saved."""


@record
class _ValueRule(NamedTuple):
    """What makes an iteration of a kernel tell the values of the actions: in the place of the next strategy.

    Attributes
    ----------
    nothing : float array, shape (iterations,)
        Zeros.
    rounding : float
        0.
    """

    nothing: float | Floats
    rounding: float

    def rule_at(self, t):
        return _ValueRule(float(self.nothing[t]), self.rounding)

    def averages(self):
        return False

    def reference_value(self, value, sum_values, uniform):
        return value * 0.0

    def update_regret(self, regret_sum, instant_regret):
        """Return the regret sum as it is, and the value, compared with 0."""
        return regret_sum, instant_regret

    def no_shares(self, zero):
        return zero

    def add_share(self, total, share):
        return total

    def next_probability(self, share, total, uniform):
        return share


class _Values(LocalMinimiser):
    """Plays nothing: the kernels answer with the values of the actions."""

    def rules(self, algorithm: Algorithm, steps: Steps, rounding: float) -> _ValueRule:
        return _ValueRule(np.zeros(len(steps.iteration)), 0.0)


_VALUES = _Values()
_AT_ONCE = Algorithm("values", "of all players at once", alternating=False)


class _Level(NamedTuple):
    """Infosets of a player with as many actions, after as many moves of that player.

    Attributes
    ----------
    slots : int array, shape (infosets, actions)
    parent : int array, shape (infosets,)
        The slot of the player's action before.
    """

    slots: Ints
    parent: Ints


class _Batch(NamedTuple):
    """All infosets of a player with as many actions: what a rule sees at once.

    Attributes
    ----------
    player : int
    infosets : int array, shape (infosets,)
        Their numbers.
    slots : int array, shape (infosets, actions)
    state : dict
        What the rule knows of them.
    """

    player: int
    infosets: Ints
    slots: Ints
    state: dict[str, NDArray[Any]]

    @property
    def label(self) -> str:
        return f"{self.player}_{self.slots.shape[1]}"


class RuleCFR(TabularCFR):
    """Full-width CFR by a rule of one's own; ``algorithm.rule`` is the rule."""

    def __init__(self, form: CompiledGame, algorithm: Algorithm, **options: Any) -> None:
        super().__init__(form, algorithm, **options)
        if len(form.locked_slots):
            raise AlgorithmError(
                f"{form.name} has locks, which a rule of one's own does not know. Leave one of "
                "them out.",
                field="rule",
            )
        assert algorithm.rule is not None
        self.rule: OwnRule = algorithm.rule
        self.minimiser = REGRET_MATCHING  # whose floors are none
        self.tracks_play = isinstance(form, SequenceForm) and promises_correlated(
            form.players, zero_sum=form.zero_sum
        )
        self._root = form.length  # one more slot: the empty sequence of whoever moves
        self._kernel = FULL_WIDTH[CPU, form.kind](
            form, _AT_ONCE, minimiser=_VALUES, threads=options.get("threads", 1)
        )
        self._values_rule = _VALUES.rules(_AT_ONCE, _AT_ONCE.steps(1, 1), 0.0)
        self._strategy = np.zeros(form.length)
        self._regret_sum = np.zeros(form.length)
        self._strategy_sum = np.zeros(form.length)
        # At the slots, at each player's empty sequence, and the sum of the weights.
        tracked = form.length + form.players + 1 if self.tracks_play else 0
        self._deviation_sum = np.zeros(tracked)
        self._levels = [_list_levels(form, player) for player in range(form.players)]
        self._batches = _list_batches(form, self.rule)
        for player in range(form.players):
            self._play(player, 1)

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        tables = {
            "strategy": self._strategy,
            "regret_sum": self._regret_sum,
            "strategy_sum": self._strategy_sum,
        }
        if self.tracks_play:
            tables["deviation_sum"] = self._deviation_sum
        for batch in self._batches:
            for name, array in batch.state.items():
                tables[f"{_PREFIX}{batch.label}_{name}"] = _flatten(array)
        return tables

    def average_weights(self) -> NDArray[Any]:
        if self.rule.last_iterate:
            return self._strategy
        return self._strategy_sum

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
        if self.tracks_play:
            self._add_to_deviations(discount)
        values = self._action_values()
        for player in players:
            if player > 0 and self.alternating:
                values = self._action_values()
            self._update(player, values, discount, t)
            if self.alternating:
                self._play(player, t + 1)
        for player in players if not self.alternating else ():
            self._play(player, t + 1)

    def _action_values(self) -> Floats:
        """Return the counterfactual value of each action of all players, at the slots."""
        self._kernel.play(self._strategy)
        return self._kernel.responses(self._values_rule)

    def _update(self, player: int, values: Floats, discount: float, t: int) -> None:
        """Learn from an iteration at all infosets of a player, and add what was played to the average."""
        reach = self._own_reach(player)
        for batch in self._batches:
            if batch.player != player:
                continue
            slots = batch.slots
            strategy = self._strategy[slots]
            action_values = values[slots]
            value = (strategy * action_values).sum(axis=1, keepdims=True)
            self._check_values(batch, action_values, t)
            self._strategy_sum[slots] = discount * self._strategy_sum[slots] + reach[slots]
            self._regret_sum[slots] += action_values - value
            self.rule.learn(batch.state, strategy, action_values, t)

    def _own_reach(self, player: int) -> Floats:
        """Return how likely a player's own moves lead to each slot of theirs and take it."""
        reach = np.zeros(self.form.length + 1)
        reach[self._root] = 1.0
        for level in self._levels[player]:
            reach[level.slots] = reach[level.parent][:, None] * self._strategy[level.slots]
        return reach

    def _play(self, player: int, t: int) -> None:
        """Fill the strategy of a player in place with what iteration t plays."""
        for batch in self._batches:
            if batch.player != player:
                continue
            strategy = self.rule.play(batch.state, t, batch.slots.shape)
            row = find_improper(strategy)
            if row is not None:
                self._refuse(batch, row, f"strategy() gives {strategy[row].tolist()}", t)
            self._strategy[batch.slots] = strategy

    def _check_values(self, batch: _Batch, values: Floats, t: int) -> None:
        """Refuse values that are not finite."""
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            self._refuse(batch, row, f"the values are {values[row].tolist()}", t)

    def _refuse(self, batch: _Batch, row: int, what: str, t: int) -> None:
        infoset = self.form.infosets[int(batch.infosets[row])]
        raise AlgorithmError(
            f"The rule {self.rule.text}: {what} for {', '.join(infoset.actions)} of player "
            f"{infoset.player} at {infoset.key!r} in iteration {t:,} on {self.game_name}: no "
            "probabilities that sum to 1. The run ends, and nothing is certified.",
            wrong_use=False,
        )

    def _add_to_deviations(self, discount: float) -> None:
        """Add what each sequence is paid against the play, less the value of the player's own play."""
        sums = self._deviation_sum
        sums *= discount
        sums[-1] += 1.0
        for player in range(self.form.players):
            paid = np.zeros(self.form.length + 1)
            at_slots = paid[: self.form.length]
            paid[self._root] = self.form.fill_detached(self._strategy, player, at_slots)
            own_value = float((self._own_reach(player) * paid).sum())
            sums[: self.form.length] += at_slots
            sums[self.form.length + player] += paid[self._root] - own_value

    def plan_regrets(self) -> tuple[float, ...]:
        if not self.tracks_play:
            raise ValueError("The play is not tracked.")
        weight = self._deviation_sum[-1]
        regrets = []
        for player in range(self.form.players):
            best = np.append(self._deviation_sum[: self.form.length], 0.0)
            best[self._root] = self._deviation_sum[self.form.length + player]
            for level in reversed(self._levels[player]):
                largest = best[level.slots].max(axis=1)
                best += np.bincount(level.parent, weights=largest, minlength=len(best))
            regrets.append(float(best[self._root] / weight))
        return tuple(regrets)


def _flatten(array: NDArray[Any]) -> NDArray[Any]:
    """Return the same memory as a row of numbers, as runs are saved; booleans are 0 and 1."""
    row = array.reshape(-1)
    if row.dtype.kind == "b":
        return row.view(np.uint8)
    return row


def _list_levels(form: CompiledGame, player: int) -> list[_Level]:
    """Return the infosets of a player, those after fewer moves of theirs first."""
    owner = np.asarray(form.infosets.owner)
    num_actions = np.asarray(form.infosets.num_actions, np.int64)
    slot = np.asarray(form.slot, np.int64)
    first_action = form.first_action
    parent = form.parents(np.arange(form.num_infosets))
    infoset_of_action = np.repeat(np.arange(form.num_infosets), num_actions)
    moves = np.zeros(form.num_infosets, np.int64)
    above = parent.copy()
    while (above >= 0).any():
        moves[above >= 0] += 1
        above = np.where(above >= 0, parent[infoset_of_action[above]], -1)
    levels = []
    own = np.flatnonzero(owner == player)
    for count in np.unique(moves[own]):
        for width in np.unique(num_actions[own]):
            members = own[(moves[own] == count) & (num_actions[own] == width)]
            if len(members):
                slots = slot[first_action[members][:, None] + np.arange(width)]
                before = np.where(parent[members] >= 0, slot[parent[members]], form.length)
                levels.append(_Level(slots, before))
    return levels


def _list_batches(form: CompiledGame, rule: OwnRule) -> list[_Batch]:
    """Return all infosets by player and number of actions, with what the rule knows at first."""
    owner = np.asarray(form.infosets.owner)
    num_actions = np.asarray(form.infosets.num_actions, np.int64)
    slot = np.asarray(form.slot, np.int64)
    batches = []
    for player in range(form.players):
        for width in np.unique(num_actions[owner == player]):
            members = np.flatnonzero((owner == player) & (num_actions == width))
            slots = slot[form.first_action[members][:, None] + np.arange(width)]
            state = rule.make_state(len(members), int(width))
            batches.append(_Batch(player, members, slots, state))
    return batches
