"""How many histories a game has, estimated by random plays before all of them are walked."""

from __future__ import annotations

import math
import time
from random import Random
from typing import NamedTuple

from ..game.protocol import TERMINAL, Game

_PLAYS = 64
_FEWEST = 16  # plays, for an estimate to be of use
_SECONDS = 2.0
_ENOUGH = 1e30  # histories: a play that has shown so many need not go on


class Projection(NamedTuple):
    """Number of histories of a game.

    Attributes
    ----------
    least : float
        A careful estimate from below: random plays of a game with fewer histories hardly ever look like these.
    expected : float
        The mean of the estimates, which is right on average.
    """

    least: float
    expected: float

    def __str__(self) -> str:
        if self.expected >= _ENOUGH:
            return f"{_ENOUGH:.0e} or more"
        return f"{self.expected:,.0f}" if self.expected < 1e12 else f"{self.expected:.0e}"


def project(game: Game, *, max_depth: int) -> Projection | None:
    """Return an estimate of the number of histories of a game, or None where its rules fail.

    A play that chooses among b_0, b_1, … actions at random estimates 1 + b_0 + b_0 b_1 + …, and is right on average.
    By Jensen's inequality the mean of the logarithms is at most the logarithm of the true number, so that three
    standard errors below it is a safe bound.

    References
    ----------
    Knuth 1975, "Estimating the efficiency of backtrack programs".
    """
    random, estimates = Random(0), list[float]()
    began = time.perf_counter()
    try:
        while len(estimates) < _PLAYS and (len(estimates) < _FEWEST or time.perf_counter() - began < _SECONDS):
            estimates.append(_one_play(game, random, max_depth))
            if len(estimates) == 1 and time.perf_counter() - began > _SECONDS:
                break
    except (Exception, SystemExit):  # the walk is going to say what is wrong
        return None
    if len(estimates) < _FEWEST:
        return None
    logarithms = [math.log(estimate) for estimate in estimates]
    mean = math.fsum(logarithms) / len(logarithms)
    variance = math.fsum((number - mean) ** 2 for number in logarithms) / (len(logarithms) - 1)
    return Projection(math.exp(mean - 3 * math.sqrt(variance / len(logarithms))), math.fsum(estimates) / len(estimates))


def _one_play(game: Game, random: Random, max_depth: int) -> float:
    """Return the number of histories that one random play estimates."""
    state, total, level = game.start(), 1.0, 1.0
    for _ in range(max_depth):
        if game.player(state) == TERMINAL or total > _ENOUGH:
            break
        actions = list(game.actions(state))
        level *= len(actions)
        total += level
        state = game.next(state, actions[random.randrange(len(actions))])
    return total
