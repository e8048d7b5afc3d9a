"""Magnetic mirror descent: a policy gradient in self-play, with a pull to uniform play and to the policy before.

Three things make it settle, where it circled without them: a small step size, as mirror descent
with tables needs, too; values of all actions, of which baselines of histories know most; and the
mean of the weights of the last iterations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from .baselines import Drawn, HistoryBaselines, collect_drawn
from .checks import check_counts, check_network, check_numbers
from .learner import FIRST_WEIGHTS, FIT, SAMPLES
from .network import Fitted, Network, log_probabilities, softmax_strategy
from .plays import Step, back_up_plays, sample_plays
from .torch_library import import_torch
from .vector_game import VectorGame

_BASELINE = 100
"""Added to the number of a player: networks of baselines have random numbers of their own."""

_RECENT = 8
"""After T iterations the mean of the weights is about that of the last T / 8 of them."""


@dataclass(frozen=True, slots=True)
class MMD:
    """Magnetic mirror descent: self-play whose policy follows the gradient of the payoff; no memory of samples.

    An iteration plays games with the policy of all players and estimates what each action would
    have been worth. It then follows the gradient of the expected payoff less ``temperature`` × the
    divergence from uniform play, less the divergence from the policy before / ``step_size``. As both
    fall, policies approach an equilibrium. What is answered is the network whose weights are the
    mean of those of the last iterations.

    Parameters
    ----------
    plays : int
        Of an iteration.
    temperature : float
        Of the first iterations, in shares of the largest payoff.
    step_size : float
        Of mirror descent at first, in the inverse unit. Above some 2 iterates circle.
    half_life : int
        Iterations after which temperature, step size and learning rate are half the first ones;
        after five times as many, a quarter.
    baseline_steps : int
        In which the network that guesses what actions are worth is fitted, in an iteration.
    epochs : int
        How often an iteration goes through its plays.
    network : Network
        How large the networks of policies and guesses are, the first learning rate, and the
        decisions of a step.

    Raises
    ------
    AlgorithmError
        A number makes no sense.

    References
    ----------
    Sokota, D'Orazio, Kolter, Loizou, Lanctot, Mitliagkas, Brown & Kroer 2023, "A unified approach to
    reinforcement learning, quantal response equilibria, and two-player zero-sum games". Here values
    of actions are those of DREAM's baselines, of histories, and weights are averaged.
    """

    name: ClassVar[str] = "mmd"

    plays: int = 2000
    temperature: float = 0.1
    step_size: float = 1.0
    half_life: int = 60
    baseline_steps: int = 10
    epochs: int = 2
    network: Network = field(default_factory=lambda: Network(learning_rate=2e-3))

    def __post_init__(self) -> None:
        check_counts(self, "plays", "half_life", "baseline_steps", "epochs")
        check_numbers(self, "temperature", "step_size")
        check_network(self.network)

    def learner(self, game: VectorGame, seed: int) -> MMDLearner:
        """Return a run that is about to begin."""
        return MMDLearner(self, game, seed)


class Decided(NamedTuple):
    """Decisions of a player in the plays of an iteration: n of them.

    Attributes
    ----------
    features : float32 array, shape (n, features)
    legal : bool array, shape (n, columns)
    strategy : float array, shape (n, columns)
        The policy before.
    advantage : float array, shape (n, columns)
        Estimates of how much better each action is than the policy, in shares of the largest payoff.
    """

    features: NDArray[np.float32]
    legal: NDArray[np.bool_]
    strategy: Floats
    advantage: Floats


class MMDLearner:
    """A run of magnetic mirror descent."""

    def __init__(self, settings: MMD, game: VectorGame, seed: int) -> None:
        self.settings = settings
        self.game = game
        self.seed = seed
        self.iteration = 0
        self.histories = 0
        players = range(game.players)
        self._policies = [self._new_policy(player) for player in players]
        self._averages = [self._new_policy(player) for player in players]
        self._baselines = HistoryBaselines(
            game,
            settings.network,
            lambda player: self._random(FIRST_WEIGHTS, _BASELINE + player),
        )

    def _new_policy(self, player: int) -> Fitted:
        nothing = np.zeros((0, self.game.observation_length), np.int64)
        inputs = self.game.features(player, nothing).shape[1]
        random = self._random(FIRST_WEIGHTS, player)
        return Fitted(self.settings.network, inputs, self.game.columns, random)

    def _random(self, use: int, player: int = 0) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.iteration, use, player])

    def iterate(self) -> None:
        random = self._random(SAMPLES)
        self.iteration += 1
        steps = sample_plays(
            self.game,
            self.settings.plays,
            self._strategy,
            lambda depth, play: random.random(len(play)),
        )
        self.histories += sum(len(step.play) for step in steps)
        for player in range(self.game.players):
            baselines = [self._baselines.guess(player, step) for step in steps]
            values, action_values = back_up_plays(steps, player, baselines)
            self._fit_baselines(player, steps, values)
            decided = self._decisions_of(player, steps, action_values)
            if decided is not None:
                self._learn(player, decided)
                share = min(1.0, _RECENT / (self.iteration + _RECENT))
                self._averages[player].move_towards(self._policies[player], share)

    def _fit_baselines(self, player: int, steps: list[Step], values: list[Floats]) -> None:
        """Fit the guesses of a player to what the actions of these plays turned out to be worth."""
        levels = [
            collect_drawn(self.game, step, below, values_below)
            for step, below, values_below in zip(steps[:-1], steps[1:], values[1:], strict=True)
        ]
        drawn = Drawn(
            np.concatenate([level.states for level in levels]),
            np.concatenate([level.is_drawn for level in levels]),
            np.concatenate([level.target for level in levels]),
        )
        random = self._random(FIT, _BASELINE + player)
        count = len(drawn.states)
        for _ in range(self.settings.baseline_steps):
            rows = random.integers(0, count, min(self.settings.network.batch, count))
            part = Drawn(drawn.states[rows], drawn.is_drawn[rows], drawn.target[rows])
            self._baselines.fit(player, part)

    def _decisions_of(
        self, player: int, steps: list[Step], action_values: list[Floats]
    ) -> Decided | None:
        """Return all decisions of a player, level by level; None where there are none."""
        parts = []
        for step, values in zip(steps, action_values, strict=True):
            decides = step.level.mover == player
            if not decides.any():
                continue
            strategy = step.strategy[decides]
            shares = values[decides] / self.game.scale
            mean = (strategy * shares).sum(axis=1, keepdims=True)
            parts.append(
                Decided(
                    self.game.features(player, step.level.observation[decides]),
                    step.legal[decides],
                    strategy,
                    shares - mean,
                )
            )
        if not parts:
            return None
        return Decided(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _learn(self, player: int, decided: Decided) -> None:
        """Follow the gradient of a player's policy."""
        torch = import_torch()
        settings = self.settings
        decay = float(np.sqrt(1 + 3 * self.iteration / settings.half_life))
        policy = self._policies[player]
        policy.set_learning_rate(settings.network.learning_rate / decay)
        features = torch.from_numpy(decided.features)
        legal = torch.from_numpy(decided.legal)
        before = torch.from_numpy(np.log(np.maximum(decided.strategy, 1e-30)).astype(np.float32))
        advantages = torch.from_numpy(decided.advantage.astype(np.float32))
        random = self._random(FIT, player)
        count = len(decided.features)
        for _ in range(settings.epochs):
            order = random.permutation(count)
            for first in range(0, count, settings.network.batch):
                rows = torch.from_numpy(order[first : first + settings.network.batch])
                loss = mirror_loss(
                    policy.module(features[rows]),
                    legal[rows],
                    before[rows],
                    advantages[rows],
                    temperature=settings.temperature / decay,
                    step_size=settings.step_size / decay,
                )
                policy.step(loss)

    def prepare_policy(self) -> None:
        """Do nothing: the policy is there."""

    def _strategy(self, player: int, observation: Ints, legal: NDArray[np.bool_]) -> Floats:
        """Return what a player plays in the next iteration."""
        return self._ask(self._policies[player], player, observation, legal)

    def policy(self, player: int, observation: Ints, legal: NDArray[np.bool_]) -> Floats:
        """Return what a player plays at infosets, shape (n, columns)."""
        return self._ask(self._averages[player], player, observation, legal)

    def _ask(
        self, network: Fitted, player: int, observation: Ints, legal: NDArray[np.bool_]
    ) -> Floats:
        return softmax_strategy(network(self.game.features(player, observation)), legal)

    def state_dict(self) -> dict[str, Any]:
        return {
            "iteration": self.iteration,
            "histories": self.histories,
            **{
                name: [fitted.state_dict() for fitted in networks]
                for name, networks in self._networks().items()
            },
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.iteration = int(state["iteration"])
        self.histories = int(state["histories"])
        for name, networks in self._networks().items():
            for fitted, saved in zip(networks, state[name], strict=True):
                fitted.load_state_dict(saved)

    def _networks(self) -> dict[str, list[Fitted]]:
        return {
            "policies": self._policies,
            "averages": self._averages,
            "baselines": self._baselines.networks,
        }


def mirror_loss(
    logits: Any,
    legal: Any,
    before: Any,
    action_values: Any,
    *,
    temperature: float,
    step_size: float,
) -> Any:
    """Return what mirror descent with a uniform magnet minimises, on average over infosets.

    Parameters
    ----------
    logits : tensor, shape (n, columns)
        Of the policy that is looked for.
    legal : bool tensor, shape (n, columns)
        Which columns are legal actions.
    before : tensor, shape (n, columns)
        The logarithm of the policy before.
    action_values : tensor, shape (n, columns)
        Estimates of the values of actions, up to a constant of each infoset.
    temperature, step_size : float
        In the unit of the values, and in its inverse.

    Returns
    -------
    tensor
        −Σ π q + temperature · KL(π, uniform) + KL(π, before) / step_size, up to a constant.
    """
    torch = import_torch()
    logarithm = log_probabilities(logits, legal)
    probability = torch.where(legal, logarithm.exp(), torch.zeros_like(logarithm))
    legal_logarithm = torch.where(legal, logarithm, torch.zeros_like(logarithm))
    old = torch.where(legal, before, torch.zeros_like(before))
    gain = probability * action_values
    entropy_cost = temperature * probability * legal_logarithm
    distance = probability * (legal_logarithm - old) / step_size
    return (entropy_cost + distance - gain).sum(dim=1).mean()
