"""How good the policy of a run is, on the way: exact certificates of games that are walked in a moment."""

from __future__ import annotations

import numpy as np

from ..form.walk.build import compile_walk
from ..form.walk.walk import estimate_walk
from ..solving.trace import Checkpoint
from ..strategy.strategy import Strategy
from .learner import Learner, play_at
from .vector_game import VectorGame

MOST_HISTORIES = 1 << 20
"""Histories up to which a game is walked at each checkpoint where nobody says so: a tenth of a second."""


def is_walked_quickly(game: VectorGame) -> bool:
    """Return whether a walk of all histories takes a moment."""
    return estimate_walk(game.rules).histories <= MOST_HISTORIES


class Certifier:
    """All infosets of a game, at which a policy is asked, and the walk that says how good its answers are.

    ``wanted`` says whether there are certificates at all.
    """

    def __init__(self, game: VectorGame, *, wanted: bool) -> None:
        self._wanted = wanted
        if not wanted:
            return
        self._walked = compile_walk(game.rules)
        self._infosets = self._walked.infosets()
        states = self._infosets.states_of(game.rules)
        assert states is not None
        self._level = game.observe(np.ascontiguousarray(states, np.int64))
        self._legal = game.legal(self._level)

    def checkpoint(self, learner: Learner, seconds: float) -> Checkpoint:
        """Return where a run stands after so many seconds: with the exploitability of its policy, if wanted."""
        facts = (learner.iteration, learner.histories, seconds)
        if not self._wanted:
            return Checkpoint(*facts, (), (), {})
        probabilities = play_at(learner, self._level, self._legal)
        strategy = Strategy(self._infosets, probabilities[self._legal])
        values = self._walked.values(strategy).values
        pairs = zip(values.best_response_value, values.value, strict=True)
        gains = tuple(best - value for best, value in pairs)
        measures = {"nash_conv": sum(gains), "exploitability": sum(gains) / len(gains)}
        return Checkpoint(*facts, values.value, gains, measures)
