"""How many histories a game has, estimated by random plays before all of them are walked."""

from __future__ import annotations

import math
from random import Random
from typing import Any, NamedTuple

from ..game.protocol import TERMINAL
from ..show.numbers import format_estimate

_MOST_MOVES = 1 << 13
"""Moves of all plays together: a tenth of a second of rules in Python, by count, as a clock would decide what is
refused."""
_FEWEST = 64  # plays, where they have fewer moves than that
_GROUPS = 32
_DOUBT = 1e-6  # the probability that `least` is too large
_PRECISION = 0.01  # relative standard error that suffices
_ENOUGH = 1e30  # histories: a play that has shown so many need not go on


class Projection(NamedTuple):
    """Number of histories of a game.

    Attributes
    ----------
    least : float
        A bound from below, wrong with a probability of 1e-6 at most.
    expected : float
        The mean of the estimates, which is right on average.
    """

    least: float
    expected: float

    def __str__(self) -> str:
        if self.expected >= _ENOUGH:
            return f"{_ENOUGH:.0e} or more"
        return format_estimate(self.expected)


def estimate_histories(
    game: Any, *, max_depth: int, limit: float = math.inf, plays: float = math.inf
) -> Projection | None:
    """Return an estimate of the number of histories of a game, or None where its rules fail.

    ``game`` has the methods ``start``, ``player``, ``actions`` and ``next`` of
    :class:`~..game.protocol.Game`.

    A play that chooses among b_0, b_1, … actions at random estimates 1 + b_0 + b_0 b_1 + …, and is
    right on average. The last play is made after so many, or some 8,000 moves, or when the mean is
    precise, or the bound exceeds ``limit``.

    Notes
    -----
    The estimates spread over many orders of magnitude, so that standard errors bound nothing. But
    they are positive: by Markov's inequality the mean of a group of plays exceeds c times the true
    number with a probability of 1 / c at most, and the least mean of k groups does with c^-k at
    most. The bound is that mean divided by c, for c^-k = 1e-6.

    References
    ----------
    Knuth 1975, "Estimating the efficiency of backtrack programs".
    """
    random = Random(0)
    estimates = list[float]()
    moves = 0
    try:
        while len(estimates) < plays and moves < _MOST_MOVES and not _is_enough(estimates, limit):
            estimate, made = _play_once(game, random, max_depth)
            estimates.append(estimate)
            moves += made
    except (Exception, SystemExit):  # the walk is going to say what is wrong
        return None
    return _summarise_estimates(estimates)


def _is_enough(estimates: list[float], limit: float) -> bool:
    """Return whether the bound exceeds a limit, or the mean is precise; looked at after 1, 2, 4, 8, … plays."""
    count = len(estimates)
    if count & (count - 1) or not count:
        return False
    mean = math.fsum(estimates) / count
    error = math.sqrt(math.fsum((estimate / mean - 1.0) ** 2 for estimate in estimates)) / count
    return (count >= _FEWEST and error < _PRECISION) or _summarise_estimates(
        estimates
    ).least > limit


def _summarise_estimates(estimates: list[float]) -> Projection:
    groups = min(len(estimates), _GROUPS)
    least = min(math.fsum(estimates[k::groups]) / len(estimates[k::groups]) for k in range(groups))
    return Projection(least * _DOUBT ** (1 / groups), math.fsum(estimates) / len(estimates))


def _play_once(game: Any, random: Random, max_depth: int) -> tuple[float, int]:
    """Return the number of histories that one random play estimates, and how many moves it has, at least 1."""
    state = game.start()
    total = 1.0
    level = 1.0
    moves = 0
    while moves < max_depth and game.player(state) != TERMINAL and total <= _ENOUGH:
        actions = list(game.actions(state))
        level *= len(actions)
        total += level
        state = game.next(state, actions[random.randrange(len(actions))])
        moves += 1
    return total, max(moves, 1)
