"""The independent chip model: what stacks of a tournament are worth in prizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._util.arrays import Floats
from ..._util.text import short_repr
from ..._util.validate import is_number
from ...errors import GameError

MOST_PLAYERS = 10_000
_TOLERANCE = 1e-12
"""Of the integral, in the unit of the largest prize: it is refined until it changes by less."""
_FIRST_STEP = 0.25
_LEAST_STEP = 2.0**-9
_LEAST_TIME = 1e-16
"""Before this time nobody finishes, in the unit in which the mean player finishes at 1."""
_LONGEST_WAIT = 40.0
"""A clock runs longer than so many times its mean with a probability of 4e-18."""
_MOST_NUMBERS = 1 << 22
"""Numbers that are kept at a time."""


def icm(stacks: Sequence[float], prizes: Sequence[float]) -> Floats:
    """Return what each stack is worth in prizes by the independent chip model (Malmuth–Harville).

    The first place goes to each player with the probability of the share of the chips; the second
    one goes to each of the others likewise, and so on. Players without chips share the last places
    evenly.

    Parameters
    ----------
    stacks : sequence of float, shape (players,)
        Chips of each player, 0 or more; at most 10,000 players.
    prizes : sequence of float
        For the first place, the second, …; those that are missing are 0. At most one for each
        player.

    Returns
    -------
    float64 array, shape (players,)
        Expected prizes, in the unit of ``prizes``.

    Raises
    ------
    GameError
        Stacks or prizes are no such numbers, nobody has chips, or there are more prizes than
        players.

    Notes
    -----
    Players finish in the order in which independent exponential clocks ring whose rates are the
    stacks: the first is that of i with probability s_i / Σ_j s_j, and the others go on without a
    memory of it. So a stack is worth

        ∫ s_i e^(−s_i t) Σ_k prize_k · P(k − 1 of the other clocks rang before t) dt,

    an integral over one variable, of which log t is taken in even steps. They are halved until the
    result changes by less than 1e-12 of the largest prize. The cost is steps × players × prizes.

    References
    ----------
    D. A. Harville (1973), "Assigning probabilities to the outcomes of multi-entry competitions",
    JASA 68.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.poker.icm([50, 30, 20], [50, 30, 20]).round(6).tolist()
    [38.392857, 32.75, 28.857143]
    """
    chips = _read_numbers("stacks", stacks)
    money = _read_numbers("prizes", prizes)
    if not 1 <= len(chips) <= MOST_PLAYERS or not chips.any():
        raise GameError(
            f"icm: stacks must be those of 1 to {MOST_PLAYERS:,} players, of whom somebody has "
            f"chips; got {short_repr(stacks)}.",
            wrong_use=True,
        )
    if not 1 <= len(money) <= len(chips):
        raise GameError(
            f"icm: there are {len(money)} prizes for {len(chips)} players; give one, and at most "
            "one for each.",
            wrong_use=True,
        )
    shares, exponent = _scale_prizes(money)
    worth = _integrate_over_time(_scale_stacks(chips), shares)
    bounded = np.minimum(worth, shares.max())  # rounding may lead above the largest prize
    scaled: Floats = np.ldexp(bounded, exponent)
    return scaled


def check_order(name: str, prizes: Sequence[float]) -> None:
    """Refuse prizes that rise from a place to the next: then players gain by losing their chips."""
    for place in range(1, len(prizes)):
        if prizes[place] > prizes[place - 1]:
            raise GameError(
                f"{name}: prizes are those of the first place, the second and so on, and do not rise; "
                f"got {short_repr(list(prizes))}, where place {place + 1} has more than place {place}.",
                wrong_use=True,
            )


def _integrate_over_time(chips: Floats, money: Floats) -> Floats:
    """Return what stacks are worth, by the time at which each player's clock rings."""
    worth = np.zeros(len(chips))
    has_chips = chips > 0
    rates = chips[has_chips] / chips[has_chips].mean()
    if len(money) > len(rates):
        worth[~has_chips] = money[len(rates) :].sum() / (~has_chips).sum()
    prizes = money[: len(rates)]
    first = np.log(_LEAST_TIME / max(1.0, rates.max()))
    last = np.log(_LONGEST_WAIT / rates.min())
    step = _FIRST_STEP
    total = _sum_over_times(rates, prizes, np.arange(first, last, step))
    while step > _LEAST_STEP:
        between = _sum_over_times(rates, prizes, np.arange(first + step / 2, last, step))
        before = total * step
        total = total + between
        step /= 2
        if np.abs(total * step - before).max() <= _TOLERANCE * money.max():
            break
    worth[has_chips] = total * step
    return worth


def _sum_over_times(rates: Floats, prizes: Floats, log_times: Floats) -> Floats:
    """Return the sum of the integrand over points of time, by player; log t is the variable.

    ``before[i]`` has the probabilities that 0, 1, … of the players before i have rung, and
    ``later`` what place k is worth once the players after i may have rung as well: their product is
    what i wins, and both are sums of what is positive.
    """
    players = len(rates)
    total = np.zeros(players)
    chunk = max(1, _MOST_NUMBERS // (players * len(prizes)))
    for begin in range(0, len(log_times), chunk):
        time = np.exp(log_times[begin : begin + chunk])
        before = np.zeros((players, len(prizes), len(time)))
        rung = np.zeros((len(prizes), len(time)))
        rung[0] = 1.0
        for player, rate in enumerate(rates):
            before[player] = rung
            waits = np.exp(-rate * time)
            rings = -np.expm1(-rate * time)
            rung[1:] = waits * rung[1:] + rings * rung[:-1]
            rung[0] *= waits
        later = np.repeat(prizes[:, None], len(time), axis=1)
        for player in reversed(range(players)):
            rate = rates[player]
            waits = np.exp(-rate * time)
            rings = -np.expm1(-rate * time)
            won = (before[player] * later).sum(axis=0)
            total[player] += (rate * time * waits * won).sum()
            later[:-1] = waits * later[:-1] + rings * later[1:]
            later[-1] *= waits
    return total


def _scale_stacks(chips: Floats) -> Floats:
    """Return stacks, of which shares alone count, in a unit in which they can be added up."""
    largest = float(chips.max())
    if largest > np.finfo(np.float64).max / len(chips):
        return chips / len(chips)
    return chips


def _scale_prizes(money: Floats) -> tuple[Floats, int]:
    """Return prizes below 1, which can be added up, and the power of 2 by which they were divided."""
    _, exponent = np.frexp(money.max())
    return np.ldexp(money, -exponent), int(exponent)


def _read_numbers(name: str, values: Sequence[float]) -> Floats:
    if not isinstance(values, list | tuple | np.ndarray) or not all(
        is_number(x) and x >= 0 for x in values
    ):
        raise GameError(
            f"icm: {name} must be a list of numbers, each 0 or more; got {short_repr(values)}.",
            wrong_use=True,
        )
    return np.array(values, np.float64)
