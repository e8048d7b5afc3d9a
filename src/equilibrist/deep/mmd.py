"""Magnetic mirror descent: a policy gradient in self-play, with a pull to uniform play and to the policy before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from .checks import check_counts, check_numbers, check_shares
from .learner import FIRST_WEIGHTS, FIT, SAMPLES
from .network import Fitted, Network, log_probabilities, softmax_strategy
from .plays import Step, sample_plays
from .torch_library import import_torch
from .vector_game import VectorGame

_CRITIC = 100
"""Added to the number of a player: networks of values have random numbers of their own."""


@dataclass(frozen=True, slots=True)
class MMD:
    """Magnetic mirror descent: self-play whose policy is what was learnt last, no average of iterations.

    An iteration plays games with the policy of all players, estimates how much better each action
    was than expected, and follows the gradient of the expected payoff less ``temperature`` × the
    divergence from uniform play, less the divergence from the policy before / ``step_size``. As the
    temperature falls, the policies approach an equilibrium.

    Parameters
    ----------
    plays : int
        Of an iteration.
    temperature : float
        Of the first iterations, in shares of the largest payoff.
    step_size : float
        Of mirror descent, in the inverse unit.
    half_life : int
        Iterations after which temperature and learning rate are the first ones divided by √2; after
        three times as many, by 2.
    trace_decay : float
        How much of what came later counts in an advantage (λ of generalised advantage estimates),
        above 0; 1 for the payoff of the play alone.
    epochs : int
        How often an iteration goes through its plays.
    network : Network
        How large the networks of policies and values are, the first learning rate, and the
        decisions of a step.

    Raises
    ------
    AlgorithmError
        A number makes no sense.

    References
    ----------
    Sokota, D'Orazio, Kolter, Loizou, Lanctot, Mitliagkas, Brown & Kroer 2023, "A unified approach to
    reinforcement learning, quantal response equilibria, and two-player zero-sum games".
    """

    name: ClassVar[str] = "mmd"

    plays: int = 2000
    temperature: float = 0.1
    step_size: float = 10.0
    half_life: int = 100
    trace_decay: float = 0.95
    epochs: int = 2
    network: Network = field(default_factory=lambda: Network(batch=2048, learning_rate=2e-3))

    def __post_init__(self) -> None:
        check_counts(self, "plays", "half_life", "epochs")
        check_numbers(self, "temperature", "step_size")
        check_shares(self, "trace_decay")

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
    action : int64 array, shape (n,)
        What was played.
    advantage : float array, shape (n,)
        How much better that was than expected, in shares of the largest payoff.
    target : float array, shape (n,)
        What the value of the infoset is estimated at, likewise.
    """

    features: NDArray[np.float32]
    legal: NDArray[np.bool_]
    strategy: Floats
    action: Ints
    advantage: Floats
    target: Floats


class MMDLearner:
    """A run of magnetic mirror descent."""

    def __init__(self, settings: MMD, game: VectorGame, seed: int) -> None:
        self.settings = settings
        self.game = game
        self.seed = seed
        self.iteration = 0
        self.histories = 0
        inputs = [
            game.features(player, np.zeros((0, game.observation_length), np.int64)).shape[1]
            for player in range(game.players)
        ]
        self._policies = [
            Fitted(settings.network, length, game.columns, self._random(FIRST_WEIGHTS, player))
            for player, length in enumerate(inputs)
        ]
        self._critics = [
            Fitted(settings.network, length, 1, self._random(FIRST_WEIGHTS, _CRITIC + player))
            for player, length in enumerate(inputs)
        ]

    def _random(self, use: int, player: int = 0) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.iteration, use, player])

    def iterate(self) -> None:
        random = self._random(SAMPLES)
        self.iteration += 1
        steps = sample_plays(
            self.game,
            self.settings.plays,
            self.policy,
            lambda depth, play: random.random(len(play)),
        )
        self.histories += sum(len(step.play) for step in steps)
        features = self._features_of(steps)
        advantages = self._estimate_advantages(steps, features)
        for player in range(self.game.players):
            decided = self._decisions_of(player, steps, features, advantages)
            if decided is not None:
                self._learn(player, decided)

    def _features_of(self, steps: list[Step]) -> list[dict[int, NDArray[np.float32]]]:
        """Return, for each level, the features of the infosets of each player there."""
        features = []
        for step in steps:
            mover = step.level.mover
            players = np.unique(mover[mover >= 0]).tolist()
            features.append(
                {
                    player: self.game.features(player, step.level.observation[mover == player])
                    for player in players
                }
            )
        return features

    def _estimate_advantages(
        self, steps: list[Step], features: list[dict[int, NDArray[np.float32]]]
    ) -> list[tuple[Floats, Floats]]:
        """Return advantages and targets at each level, in shares of the largest payoff, shape (n,) each."""
        count = self.settings.plays
        players = self.game.players
        next_value = np.zeros((count, players))  # of each play and player, at the next decision
        advantage_after = np.zeros((count, players))
        estimates = []
        for step, features_of in zip(reversed(steps), reversed(features), strict=True):
            mover = step.level.mover
            advantage = np.zeros(len(mover))
            target = np.zeros(len(mover))
            ends = step.level.num_actions == 0
            next_value[step.play[ends]] = step.level.payoffs[ends] / self.game.scale
            for player, rows in features_of.items():
                decides = mover == player
                play = step.play[decides]
                value = self._critics[player](rows)[:, 0]
                error = next_value[play, player] - value
                later = self.settings.trace_decay * advantage_after[play, player]
                advantage[decides] = error + later
                target[decides] = value + advantage[decides]
                next_value[play, player] = value
                advantage_after[play, player] = advantage[decides]
            estimates.append((advantage, target))
        return estimates[::-1]

    def _decisions_of(
        self,
        player: int,
        steps: list[Step],
        features: list[dict[int, NDArray[np.float32]]],
        estimates: list[tuple[Floats, Floats]],
    ) -> Decided | None:
        """Return all decisions of a player, level by level; None where there are none."""
        parts = []
        for depth, step in enumerate(steps):
            if player not in features[depth]:
                continue
            below = steps[depth + 1]  # a decision is no end
            action = np.zeros(len(step.play), np.int64)
            action[below.parent] = below.action
            decides = step.level.mover == player
            advantage, target = estimates[depth]
            parts.append(
                Decided(
                    features[depth][player],
                    step.legal[decides],
                    step.strategy[decides],
                    action[decides],
                    advantage[decides],
                    target[decides],
                )
            )
        if not parts:
            return None
        return Decided(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _learn(self, player: int, decided: Decided) -> None:
        """Follow the gradient of a player's policy, and fit the player's values."""
        torch = import_torch()
        settings = self.settings
        decay = float(np.sqrt(1 + self.iteration / settings.half_life))
        policy = self._policies[player]
        critic = self._critics[player]
        for fitted in (policy, critic):
            fitted.set_learning_rate(settings.network.learning_rate / decay)
        count = len(decided.action)
        row = np.arange(count)
        action_values = np.zeros(decided.legal.shape, np.float32)
        drawn = decided.strategy[row, decided.action]
        action_values[row, decided.action] = decided.advantage / drawn
        features = torch.from_numpy(decided.features)
        legal = torch.from_numpy(decided.legal)
        before = torch.from_numpy(np.log(np.maximum(decided.strategy, 1e-30)).astype(np.float32))
        values = torch.from_numpy(action_values)
        targets = torch.from_numpy(decided.target.astype(np.float32))
        random = self._random(FIT, player)
        for _ in range(settings.epochs):
            order = random.permutation(count)
            for first in range(0, count, settings.network.batch):
                rows = torch.from_numpy(order[first : first + settings.network.batch])
                policy.step(
                    mirror_loss(
                        policy.module(features[rows]),
                        legal[rows],
                        before[rows],
                        values[rows],
                        temperature=settings.temperature / decay,
                        step_size=settings.step_size,
                    )
                )
                error = critic.module(features[rows])[:, 0] - targets[rows]
                critic.step((error * error).mean())

    def prepare_policy(self) -> None:
        """Do nothing: the policy is there."""

    def policy(self, player: int, observation: Ints, legal: NDArray[np.bool_]) -> Floats:
        """Return what a player plays at infosets, shape (n, columns)."""
        return softmax_strategy(
            self._policies[player](self.game.features(player, observation)), legal
        )

    def state_dict(self) -> dict[str, Any]:
        return {
            "iteration": self.iteration,
            "histories": self.histories,
            "policies": [fitted.state_dict() for fitted in self._policies],
            "critics": [fitted.state_dict() for fitted in self._critics],
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.iteration = int(state["iteration"])
        self.histories = int(state["histories"])
        for name, parts in (("policies", self._policies), ("critics", self._critics)):
            for part, saved in zip(parts, state[name], strict=True):
                part.load_state_dict(saved)


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
