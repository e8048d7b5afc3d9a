"""What a training returns: networks that answer what they play, with the trace of how they came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._util.arrays import Floats, Ints
from ..errors import SolutionError
from ..evaluation.decisions import Decisions
from ..solving.trace import Trace
from .learner import Learner, Method, play_at
from .torch_library import torch_threads
from .vector_game import VectorGame


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Agent:
    """Networks that were trained: a policy, which :func:`equilibrist.evaluate` and the like ask what it plays.

    Attributes
    ----------
    game : str
        Name of the game.
    method : DeepCFR, DREAM or MMD
        How it was trained.
    seed : int
        Of all random numbers.
    threads : int
        With which PyTorch computes.
    iterations, histories : int
        How many were made, and how many histories were played in all.
    seconds : float
        Processor time of training, certificates on the way left out.
    trace : Trace
        What was measured on the way.
    stop_reason : str
        Why the training ended: "iterations", "seconds", "callback" or "interrupt".
    """

    game: str
    method: Method
    seed: int
    threads: int
    iterations: int
    histories: int
    seconds: float
    trace: Trace
    stop_reason: str
    _vector_game: VectorGame
    _learner: Learner

    def __repr__(self) -> str:
        return (
            f"<Agent of {self.game} by {self.method.name}: {self.iterations:,} iterations, "
            f"{self.seconds:.0f} s of processor time>"
        )

    def __call__(self, decisions: Decisions) -> Floats:
        """Return what the networks play, as a policy of :func:`equilibrist.evaluate` does.

        Raises
        ------
        SolutionError
            They were trained on another game.
        """
        played = self.at_states(decisions.game, np.array(decisions.states, np.int64))
        table = np.zeros(decisions.legal.shape)
        row = np.repeat(np.arange(len(decisions)), [len(columns) for columns in decisions.columns])
        column = np.concatenate([np.array(columns, np.int64) for columns in decisions.columns])
        table[row, column] = played
        return table

    def at_states(self, game: str, states: Ints) -> Floats:
        """Return what the networks play at states of the game, shape (n, integers of a state), where players decide.

        Flat: the probabilities of the actions of each state, in the order of the rules.

        Raises
        ------
        SolutionError
            They were trained on another game.
        """
        if game != self.game:
            raise SolutionError(
                f"The networks were trained on {self.game}, not on {game}.", wrong_use=True
            )
        level = self._vector_game.observe(states)
        legal = self._vector_game.legal(level)
        with torch_threads(self.threads):
            probabilities = play_at(self._learner, level, legal)
        row, position = np.nonzero(level.is_listed)
        played: Floats = probabilities[row, level.actions[row, position]]
        return played

    def summary(self) -> dict[str, Any]:
        """Return what is known of the training, as plain data for JSON."""
        return {
            "game": self.game,
            "method": self.method.name,
            "seed": self.seed,
            "iterations": self.iterations,
            "histories": self.histories,
            "seconds": self.seconds,
            "stop_reason": self.stop_reason,
            **self.trace[-1].measures,
        }
