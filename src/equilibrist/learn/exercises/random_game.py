"""Games to try programs on: random, and the same in every process."""

from __future__ import annotations

import random
from typing import Any

from ...game.protocol import CHANCE, TERMINAL


class RandomGame:
    """A random zero-sum game for two: a card each, then three moves in turn, which both see; a seed makes it.

    A state is the deal and the moves.
    """

    players = 2

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __str__(self) -> str:
        return f"random game {self.seed}"

    def _make_random(self, *what: Any) -> random.Random:
        return random.Random(f"{self.seed} {what}")

    def start(self) -> tuple[str, ...]:
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        if len(state) > 3:
            return TERMINAL
        if not state:
            return CHANCE
        return 1 - len(state) % 2

    def actions(self, state: tuple[str, ...]) -> list[str]:
        if not state:
            return ["xy", "xz", "yx", "zx"]
        return list("abc"[: self._make_random(state[1:]).randint(2, 3)])

    def probabilities(self, state: tuple[str, ...]) -> list[float]:
        return normalise([self._make_random(deal).uniform(0.2, 1) for deal in self.actions(state)])

    def next(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def payoffs(self, state: tuple[str, ...]) -> list[float]:
        won = round(self._make_random(state).uniform(-3, 3), 2)
        return [won, -won]

    def infoset(self, state: tuple[str, ...]) -> str:
        return " ".join([state[0][self.player(state)], *state[1:]])


def normalise(weights: list[float]) -> list[float]:
    """Return weights divided by their sum."""
    return [weight / sum(weights) for weight in weights]
