"""DREAM: plays of one action at each history, and networks of baselines that take variance out of their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from .._util.arrays import Floats
from .baselines import Drawn, HistoryBaselines, collect_drawn
from .checks import check_counts, check_network, check_shares
from .learner import FIRST_WEIGHTS, FIT, RegretLearner
from .memory import Reservoir
from .network import Network
from .plays import Step, back_up_plays, sample_plays
from .vector_game import VectorGame

_BASELINE = 100
"""Added to the number of a player: networks of baselines have random numbers of their own."""


@dataclass(frozen=True, slots=True)
class DREAM:
    """DREAM: Deep CFR whose plays take one action at each history, so that actions may be many.

    What the actions would have been worth that were not taken is guessed by a network that sees
    whole histories. Of these guesses estimates do not depend on average, as those of the action
    taken are corrected by the share with which it was drawn.

    Parameters
    ----------
    plays : int
        Of each player in an iteration.
    exploration : float
        How likely the player whose regrets are learnt is to act uniformly, above 0.
    steps : int
        Of Adam, in which the network of a player is fitted in an iteration.
    baseline_steps : int
        In which the network of a player's baselines is fitted, before that.
    baseline_memory : int
        Newest values that it is fitted to.
    average_steps : int
        In which a network of the average strategy is fitted.
    memory : int
        Samples that a reservoir keeps; of each player two.
    restart : bool
        Whether networks of advantages are fitted from scratch in each iteration.
    network : Network
        How large networks are.

    Raises
    ------
    AlgorithmError
        A number makes no sense.

    References
    ----------
    Steinberger, Lerer & Brown 2020, "DREAM: Deep regret minimization with advantage baselines and
    model-free learning". Here baselines are fitted to the estimates of values themselves, the
    average strategy is a network, and samples count the inverse of the explorer's own reach.
    """

    name: ClassVar[str] = "dream"

    plays: int = 2000
    exploration: float = 0.5
    steps: int = 200
    baseline_steps: int = 100
    baseline_memory: int = 100_000
    average_steps: int = 4000
    memory: int = 1_000_000
    restart: bool = False
    network: Network = field(default_factory=Network)

    def __post_init__(self) -> None:
        check_counts(
            self, "plays", "steps", "baseline_steps", "baseline_memory", "average_steps", "memory"
        )
        check_shares(self, "exploration")
        check_network(self.network)

    def learner(self, game: VectorGame, seed: int) -> RegretLearner:
        """Return a run that is about to begin."""
        return DreamLearner(self, game, seed)


class DreamLearner(RegretLearner):
    """A run of DREAM."""

    settings: DREAM

    def __init__(self, settings: DREAM, game: VectorGame, seed: int) -> None:
        super().__init__(settings, game, seed)
        self._baselines = HistoryBaselines(
            game,
            settings.network,
            lambda player: self.random(FIRST_WEIGHTS, _BASELINE + player),
        )
        self._values = [
            Reservoir(settings.baseline_memory, game.state_length, game.columns)
            for _ in range(game.players)
        ]

    def collect(self, traverser: int, random: np.random.Generator) -> None:
        steps = sample_plays(
            self.game,
            self.settings.plays,
            self.strategy,
            lambda depth, play: random.random(len(play)),
            traverser=traverser,
            exploration=self.settings.exploration,
        )
        baselines = [self._guess_values(traverser, step) for step in steps]
        values, action_values = back_up_plays(steps, traverser, baselines)
        for depth, step in enumerate(steps):
            self.histories += len(step.play)
            advantages = np.where(step.legal, action_values[depth] - values[depth][:, None], 0.0)
            self.remember_regrets(traverser, step, advantages, random)
            self.remember_strategies(traverser, step, random)
            if depth + 1 < len(steps):
                self._remember_values(traverser, step, steps[depth + 1], values[depth + 1])
        self._fit_baseline(traverser)

    def _guess_values(self, traverser: int, step: Step) -> Floats:
        """Return the baselines of a level, payoff, shape (n, columns): 0 where nobody decides."""
        if len(self._values[traverser]):
            return self._baselines.guess(traverser, step)
        return np.zeros(step.legal.shape)

    def _remember_values(self, traverser: int, step: Step, below: Step, values: Floats) -> None:
        """Note what the actions that were drawn at a level turned out to be worth."""
        drawn = collect_drawn(self.game, step, below, values)
        weight = np.ones(len(drawn.states))
        self._values[traverser].push(drawn.states, drawn.is_drawn, drawn.target, weight)

    def _fit_baseline(self, player: int) -> None:
        """Fit the baselines of a player to the newest values, from where they were."""
        random = self.random(FIT, _BASELINE + player)
        memory = self._values[player]
        for _ in range(self.settings.baseline_steps):
            states, is_drawn, target, weight = memory.draw(self.settings.network.batch, random)
            self._baselines.fit(player, Drawn(states, is_drawn, target), weight)

    def state_dict(self) -> dict[str, Any]:
        return {
            **super().state_dict(),
            "baselines": [fitted.state_dict() for fitted in self._baselines.networks],
            "values": [memory.state_dict() for memory in self._values],
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        super().load_state_dict(state)
        for fitted, saved in zip(self._baselines.networks, state["baselines"], strict=True):
            fitted.load_state_dict(saved)
        for memory, saved in zip(self._values, state["values"], strict=True):
            memory.load_state_dict(saved)
