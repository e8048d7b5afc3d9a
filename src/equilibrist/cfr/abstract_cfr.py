"""Full-width CFR in an abstraction of a game: it learns by buckets of infosets, and is certified in the real game.

An iteration for a player is

    values of the actions while all play σ^t     by a pass over the real game
    value of a bucket = Σ over its infosets      payoff × probability
    regrets, average, σ^(t+1) of each bucket     by the rule of the algorithm, as of an infoset
    σ^(t+1) of an infoset = that of its bucket

so that all variants of CFR, floors and turns are the data that they are elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Floats, Ints
from ..form.abstract.abstraction import Abstraction
from ..form.abstract.infoset_map import InfosetMap
from ..form.compiled_game import CompiledGame
from ..strategy.strategy import Strategy
from .algorithms import Algorithm
from .bucket_kernels import add_up, gather, iterate_buckets, spread, update_buckets
from .bucket_learner import BucketLearner
from .minimiser import LocalMinimiser
from .regret_matching import REGRET_MATCHING
from .rule_kernels import Seat, fill_own_reach
from .seats import make_seats, sort_infosets
from .tabular import STATE, TabularCFR
from .value_kernels import RULE_OF_VALUES, make_value_kernel

if TYPE_CHECKING:
    from ..form.cards.form import CardForm

_CHUNK = 1024  # iterations whose scalars are computed at a time
_SLOTS = 4_000_000  # about as many are updated in one compiled call, in a fraction of a second
_OPPONENT = "opponent_"
"""What the names of the tables of opponents in the real game begin with."""


class _Profile:
    """What all players play at once: a strategy of the real game, and how each of them learns.

    ``learners`` are those of the players who learn; whoever is missing is given a strategy from
    outside.
    """

    def __init__(
        self,
        form: CompiledGame,
        seats: tuple[Seat, ...],
        learners: dict[int, BucketLearner],
        threads: int,
    ) -> None:
        self._form = form
        self._seats = seats
        self.learners = learners
        self._kernel = make_value_kernel(form, threads=threads)
        self._passes = self._kernel.pass_arguments  # of a sequence form
        self.strategy = self._kernel.tables["strategy"]
        self._reach = np.ones(form.length + 1)
        self._scratch = zeros(form.length)
        self.strategy[:] = form.average_from_sums(np.zeros(form.length))
        for player in range(form.players):
            self._kernel.follow_strategy(player)

    @property
    def runs_compiled(self) -> bool:
        """Whether one compiled call runs many iterations: on a sequence form, where all players learn."""
        return self._passes is not None and len(self.learners) == len(self._seats)

    def iterate(
        self, rules: Any, first: int, average_discounts: Floats, *, alternating: bool
    ) -> None:
        """Run iterations with the rules from ``first`` on, and these discounts of the sums of the average."""
        if self.runs_compiled and self._passes is not None:
            treeplex, payoff, reach, cf_value = self._passes
            tables = (self.strategy, reach, cf_value, self._scratch)
            players = range(len(self._seats))
            learners = tuple(
                (self.learners[player].places, self.learners[player].buckets) for player in players
            )
            iterate_buckets(
                treeplex,
                payoff,
                tables,
                learners,
                rules,
                first,
                average_discounts,
                alternating,
            )
            return
        for t in range(len(average_discounts)):
            discount = float(average_discounts[t])
            if not alternating:
                values = self._kernel.responses(RULE_OF_VALUES)
            for player, learner in self.learners.items():
                if alternating:
                    values = self._kernel.responses(RULE_OF_VALUES)
                self._learn(player, learner, values)
                update_buckets(learner.buckets, rules, first + t, discount)
                if alternating:
                    self.play(player)
            for player in self.learners if not alternating else ():
                self.play(player)

    def _learn(self, player: int, learner: BucketLearner, values: NDArray[Any]) -> None:
        """Add up the values of a player's actions and their own reach."""
        fill_own_reach(self._seats[player], self.strategy, self._reach)
        add_up(learner.places, values, self._reach, learner.buckets)

    def play(self, player: int) -> None:
        """Fill the strategy of a player who learns with what the buckets play."""
        learner = self.learners[player]
        spread(learner.places, learner.buckets.strategy, self.strategy)
        self._kernel.follow_strategy(player)

    def follow(self, strategy: Floats, player: int) -> None:
        """Have a player follow a strategy at the slots."""
        self._form.put_player(self.strategy, strategy, player)
        self._kernel.follow_strategy(player)


class AbstractCFR(TabularCFR):
    """Full-width CFR in an abstraction: tables are by bucket, and are told at the slots of the real game.

    With opponents in the real game there is a profile for each player: that player is in the
    abstraction and the other one is not, and of both profiles the abstract players make the result.
    Where the opponents respond, they learn nothing.
    """

    abstraction: Abstraction

    def __init__(
        self,
        form: CompiledGame,
        algorithm: Algorithm,
        *,
        abstraction: Abstraction,
        minimiser: LocalMinimiser = REGRET_MATCHING,
        **options: Any,
    ) -> None:
        super().__init__(form, algorithm, **options)
        abstraction.check_game(form)
        self.minimiser = minimiser
        self._map = abstraction.make_map(form)
        self.abstraction = abstraction.describe_map(self._map)
        self._profiles = self._make_profiles(self._map)

    def _make_profiles(self, infoset_map: InfosetMap) -> list[_Profile]:
        """Return the profiles of an abstraction, which play uniformly."""
        form = self.form
        seats = make_seats(form)
        infosets = [sort_infosets(form, player)[0] for player in range(form.players)]
        weights = form.hand_weights()
        counts = form.infoset_counts()

        def make_learner(player: int, bucket: Ints) -> BucketLearner:
            seat = seats[player]
            position = np.repeat(np.arange(len(bucket)), np.diff(seat.first))
            copies = counts[infosets[player]][position]
            weight = copies.copy()
            if len(weights):
                weight *= weights[seat.slots]
            return BucketLearner(seat.slots, seat.first, bucket, weight=weight, copies=copies)

        in_map = [
            make_learner(player, infoset_map.bucket[infosets[player]])
            for player in range(form.players)
        ]
        if self.abstraction.binds_opponents:
            return [_Profile(form, seats, dict(enumerate(in_map)), self.threads)]
        profiles = []
        for player in range(form.players):
            learners = {player: in_map[player]}
            opponent = 1 - player
            if not self.abstraction.responds:
                learners[opponent] = make_learner(opponent, infosets[opponent])
            ordered = {seat: learners[seat] for seat in sorted(learners)}
            profiles.append(_Profile(form, seats, ordered, self.threads))
        return profiles

    @staticmethod
    def more_bytes_per_slot(abstraction: Abstraction) -> float:
        """Return how many bytes a solver keeps for each slot beside the kernel that tells values."""
        profiles = 1 if abstraction.binds_opponents else 2
        # Seats and places, then by profile: buckets as many as infosets at worst, reach and scratch.
        return 8.0 * (8 + profiles * (4 + 5 + 2))

    def _profile_of(self, player: int) -> _Profile:
        """Return the profile in which a player is in the abstraction."""
        if self.abstraction.binds_opponents:
            return self._profiles[0]
        return self._profiles[player]

    @property
    def _nodes_per_iteration(self) -> int:
        # In a profile for each player both players are traversed.
        profiles = 1 if self.abstraction.binds_opponents else self.form.players
        return profiles * self.form.players * self.form.histories

    def run(self, iterations: int) -> None:
        iterations = self._iterations_left(iterations)
        whole = all(profile.runs_compiled for profile in self._profiles)
        in_a_call = max(1, _SLOTS // (self.form.length + 1)) if whole else 1
        while iterations > 0 and not self.should_stop():
            count = min(iterations, _CHUNK)
            steps = self.algorithm.steps(self._iteration + 1, count, horizon=self.horizon)
            rules = self.minimiser.rules(self.algorithm, steps, self._regret_rounding)
            for first in range(0, count, in_a_call):
                if first > 0 and self.should_stop():
                    return
                end = min(first + in_a_call, count)
                discounts = steps.discount_average[first:end]
                if self.abstraction.responds:
                    self._respond()
                for profile in self._profiles:
                    profile.iterate(rules, first, discounts, alternating=self.alternating)
                self._iteration += end - first
            iterations -= count

    def _respond(self) -> None:
        """Have the opponents play the best responses to what the abstract players play now."""
        played = self._combine("strategy")
        responses = self.form.best_responses(played).best_response
        for player, profile in enumerate(self._profiles):
            profile.follow(responses, 1 - player)

    def _combine(self, name: str) -> Floats:
        """Return a table of the abstract players at the slots."""
        table = zeros(self.form.length)
        for player in range(self.form.players):
            learner = self._profile_of(player).learners[player]
            spread(learner.places, learner.table(name), table)
        return table

    def _combine_opponents(self, name: str) -> Floats:
        """Return a table of the opponents in the real game at the slots."""
        table = zeros(self.form.length)
        for player, profile in enumerate(self._profiles):
            learner = profile.learners[1 - player]
            spread(learner.places, learner.table(name), table)
        return table

    @property
    def _have_tables_of_opponents(self) -> bool:
        return not (self.abstraction.binds_opponents or self.abstraction.responds)

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        tables = {name: self._combine(name) for name in STATE}
        if self._have_tables_of_opponents:
            tables |= {_OPPONENT + name: self._combine_opponents(name) for name in STATE}
        return tables

    def average_weights(self) -> NDArray[Any]:
        return self._combine("strategy_sum")

    def strategy(self) -> Strategy:
        if self.form.keeps_weights:
            return Strategy.from_weights(cast("CardForm", self.form), self.average_weights())
        return super().strategy()

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return {**super().state_dict(), "bucket": self._map.bucket}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        self.check_state(state)
        self.abstraction.check_saved(self._map, state["bucket"])
        for name in STATE:
            for player in range(self.form.players):
                learner = self._profile_of(player).learners[player]
                gather(learner.places, state[name], learner.table(name))
            for player, profile in enumerate(
                self._profiles if self._have_tables_of_opponents else ()
            ):
                learner = profile.learners[1 - player]
                gather(learner.places, state[_OPPONENT + name], learner.table(name))
        for profile in self._profiles:
            for player in profile.learners:
                profile.play(player)
        self._iteration = int(state["iteration"])
