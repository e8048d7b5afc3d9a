"""What all ways to learn have in common: iterations, a policy, a state; and the one of those that learn regrets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from .memory import Reservoir
from .network import (
    Fitted,
    Network,
    cross_entropy,
    regret_matching,
    softmax_strategy,
    squared_error,
)
from .plays import Step
from .torch_library import import_torch
from .vector_game import Level, VectorGame

SAMPLES, FIT, AVERAGE, FIRST_WEIGHTS = range(4)
"""What random numbers are for: each use of each iteration has a stream of its own."""


class Learner(Protocol):
    """A run: what it has learnt, and how it learns more.

    Attributes
    ----------
    iteration : int
        How many iterations were made.
    histories : int
        How many histories were played.
    """

    iteration: int
    histories: int

    def iterate(self) -> None:
        """Make one iteration."""

    def prepare_policy(self) -> None:
        """Do what is left to do before :meth:`policy` is asked; the run goes on as if nobody had asked."""

    def policy(self, player: int, observation: Ints, legal: NDArray[np.bool_]) -> Floats:
        """Return what a player is to play at infosets, shape (n, columns)."""

    def state_dict(self) -> dict[str, Any]:
        """Return all that decides how the run goes on, as plain values, arrays and tensors."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what :meth:`state_dict` returned."""


def play_at(learner: Learner, level: Level, legal: NDArray[np.bool_]) -> Floats:
    """Return what is played at the states of a level where players decide, shape (n, columns), as ``legal``."""
    probabilities = np.zeros(legal.shape)
    for player in range(level.payoffs.shape[1]):
        decides = level.mover == player
        if decides.any():
            probabilities[decides] = learner.policy(
                player, level.observation[decides], legal[decides]
            )
    return probabilities


class Method(Protocol):
    """A way to learn, with its numbers."""

    name: str

    def learner(self, game: VectorGame, seed: int) -> Learner:
        """Return a run that is about to begin."""


class RegretSettings(Protocol):
    """The numbers of methods that learn regrets."""

    @property
    def steps(self) -> int:
        """Steps in which a network of advantages is fitted."""

    @property
    def average_steps(self) -> int:
        """Steps in which a network of the average strategy is fitted."""

    @property
    def memory(self) -> int:
        """Samples that a reservoir keeps."""

    @property
    def restart(self) -> bool:
        """Whether networks of advantages are fitted from scratch."""

    @property
    def network(self) -> Network:
        """How large networks are."""


class RegretLearner(ABC):
    """Networks of advantages, one a player, and networks of the average strategy, fitted to memories of samples.

    Regrets of iteration t count t times, as in linear CFR.
    """

    def __init__(self, settings: RegretSettings, game: VectorGame, seed: int) -> None:
        self.settings = settings
        self.game = game
        self.seed = seed
        self.iteration = 0
        self.histories = 0
        self._inputs = tuple(
            game.features(player, np.zeros((0, game.observation_length), np.int64)).shape[1]
            for player in range(game.players)
        )
        self._advantages = [self._new_network(player) for player in range(game.players)]
        self._regrets = [self._new_memory() for _ in range(game.players)]
        self._strategies = [self._new_memory() for _ in range(game.players)]
        self._averages: list[Fitted] = []
        self._averaged_at = -1

    def _new_memory(self) -> Reservoir:
        game = self.game
        return Reservoir(self.settings.memory, game.observation_length, game.columns)

    def random(self, use: int, player: int = 0) -> np.random.Generator:
        """Return the random numbers of one use in this iteration."""
        return np.random.default_rng([self.seed, self.iteration, use, player])

    def _new_network(self, player: int) -> Fitted:
        return Fitted(
            self.settings.network,
            self._inputs[player],
            self.game.columns,
            self.random(FIRST_WEIGHTS, player),
        )

    def strategy(self, player: int, observation: Ints, legal: NDArray[np.bool_]) -> Floats:
        """Return the strategy of this iteration, shape (n, columns): uniform before anything was learnt."""
        if not len(self._regrets[player]):
            uniform: Floats = legal / legal.sum(axis=1, keepdims=True)
            return uniform
        advantages = self._advantages[player](self.game.features(player, observation))
        return regret_matching(advantages, legal)

    def iterate(self) -> None:
        self.iteration += 1
        for player in range(self.game.players):
            self.collect(player, self.random(SAMPLES, player))
            if self.settings.restart:
                self._advantages[player] = self._new_network(player)
            self._fit(
                self._advantages[player],
                player,
                self._regrets[player],
                squared_error,
                self.settings.steps,
                self.random(FIT, player),
            )

    @abstractmethod
    def collect(self, traverser: int, random: np.random.Generator) -> None:
        """Play, and add what was seen to the memories."""

    def remember_regrets(
        self, player: int, step: Step, advantages: Floats, random: np.random.Generator
    ) -> None:
        """Add the advantages at a player's infosets of a level to the memory: payoff."""
        decides = step.level.mover == player
        if decides.any():
            self._regrets[player].add(
                step.level.observation[decides],
                step.legal[decides],
                advantages[decides] / self.game.scale,
                self.iteration / step.sampled_reach[decides],
                random,
            )

    def remember_strategies(self, traverser: int, step: Step, random: np.random.Generator) -> None:
        """Add what the others play at a level to their memories."""
        for player in range(self.game.players):
            others = step.level.mover == player
            if player != traverser and others.any():
                self._strategies[player].add(
                    step.level.observation[others],
                    step.legal[others],
                    step.strategy[others],
                    self.iteration / step.sampled_reach[others],
                    random,
                )

    def _fit(
        self,
        fitted: Fitted,
        player: int,
        memory: Reservoir,
        loss: Any,
        steps: int,
        random: np.random.Generator,
    ) -> None:
        """Fit a network to a memory, by steps whose learning rate falls linearly to 0."""
        torch = import_torch()
        network = fitted.network
        if not len(memory):
            return
        for step in range(steps):
            observation, legal, target, weight = memory.draw(network.batch, random)
            fitted.set_learning_rate(network.learning_rate * (1 - step / steps))
            features = torch.from_numpy(self.game.features(player, observation))
            fitted.step(
                loss(
                    fitted.module(features),
                    torch.from_numpy(legal),
                    torch.from_numpy(target),
                    torch.from_numpy(weight / self.iteration),
                )
            )

    def prepare_policy(self) -> None:
        """Fit networks to the strategies of all iterations, from scratch."""
        if self._averaged_at == self.iteration:
            return
        self._averages = [self._new_network(player) for player in range(self.game.players)]
        for player, fitted in enumerate(self._averages):
            self._fit(
                fitted,
                player,
                self._strategies[player],
                cross_entropy,
                self.settings.average_steps,
                self.random(AVERAGE, player),
            )
        self._averaged_at = self.iteration

    def policy(self, player: int, observation: Ints, legal: NDArray[np.bool_]) -> Floats:
        self.prepare_policy()
        return softmax_strategy(
            self._averages[player](self.game.features(player, observation)), legal
        )

    def state_dict(self) -> dict[str, Any]:
        self.prepare_policy()
        return {
            "iteration": self.iteration,
            "histories": self.histories,
            "advantages": [fitted.state_dict() for fitted in self._advantages],
            "averages": [fitted.state_dict() for fitted in self._averages],
            "regrets": [memory.state_dict() for memory in self._regrets],
            "strategies": [memory.state_dict() for memory in self._strategies],
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.iteration = int(state["iteration"])
        self.histories = int(state["histories"])
        self._averages = [self._new_network(player) for player in range(self.game.players)]
        self._averaged_at = self.iteration
        for name, parts in (
            ("advantages", self._advantages),
            ("averages", self._averages),
            ("regrets", self._regrets),
            ("strategies", self._strategies),
        ):
            for part, saved in zip(parts, state[name], strict=True):
                part.load_state_dict(saved)  # type: ignore[attr-defined]
