"""Deep CFR: external sampling, and networks that are fitted to the regrets of all iterations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .checks import check_counts, check_network
from .learner import RegretLearner
from .network import Network
from .plays import back_up_branches, sample_plays
from .vector_game import VectorGame


@dataclass(frozen=True, slots=True)
class DeepCFR:
    """Deep CFR: what is a table of regrets in CFR is a network here, and so is the average strategy.

    An iteration samples traversals for each player by external sampling, adds the advantages that
    were seen to a reservoir, and fits the player's network to it; samples of iteration t count t
    times. What the others play goes to a reservoir of its own, to which the networks of the average
    strategy are fitted when somebody asks for it.

    Parameters
    ----------
    traversals : int
        Of each player in an iteration.
    steps : int
        Of Adam, in which the network of a player is fitted in an iteration.
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
    Brown, Lerer, Gross & Sandholm 2019, "Deep counterfactual regret minimization". Here a player has
    a network of the average strategy of their own, and learning rates fall to 0 in each fit.
    """

    name: ClassVar[str] = "deep-cfr"

    traversals: int = 1000
    steps: int = 200
    average_steps: int = 4000
    memory: int = 1_000_000
    restart: bool = False
    network: Network = field(default_factory=Network)

    def __post_init__(self) -> None:
        check_counts(self, "traversals", "steps", "average_steps", "memory")
        check_network(self.network)

    def learner(self, game: VectorGame, seed: int) -> RegretLearner:
        """Return a run that is about to begin."""
        return DeepCFRLearner(self, game, seed)


class DeepCFRLearner(RegretLearner):
    """A run of Deep CFR."""

    settings: DeepCFR

    def collect(self, traverser: int, random: np.random.Generator) -> None:
        steps = sample_plays(
            self.game,
            self.settings.traversals,
            self.strategy,
            lambda depth, play: random.random(len(play)),
            traverser=traverser,
            exploration=None,
        )
        advantages = back_up_branches(steps, traverser)
        for step, advantage in zip(steps, advantages, strict=True):
            self.histories += len(step.play)
            self.remember_regrets(traverser, step, advantage, random)
            self.remember_strategies(traverser, step, random)
