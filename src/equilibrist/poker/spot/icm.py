"""The independent chip model: what stacks of a tournament are worth in prizes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ..._util.arrays import Floats
from ..._util.validate import is_number
from ...errors import GameError

MOST_PLAYERS = 16


def icm(stacks: Sequence[float], prizes: Sequence[float]) -> Floats:
    """Return what each stack is worth in prizes by the independent chip model (Malmuth–Harville).

    The first place goes to each player with the probability of the share of the chips; the second
    one goes to each of the others likewise, and so on. Players without chips share the last places
    evenly.

    Parameters
    ----------
    stacks : sequence of float, shape (players,)
        Chips of each player, 0 or more; at most 16 players.
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
    The probability that a set S of players takes the first |S| places is P(S) = Σ_{i∈S} P(S∖i) ·
    s_i / Σ_{j∉S∖i} s_j: 2^players sets at most, as far as there are prizes.

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
            f"icm: stacks must be those of 1 to {MOST_PLAYERS} players, of whom somebody has "
            f"chips; got {stacks!r}.",
            wrong_use=True,
        )
    if not 1 <= len(money) <= len(chips):
        raise GameError(
            f"icm: there are {len(money)} prizes for {len(chips)} players; give one, and at most "
            "one for each.",
            wrong_use=True,
        )
    chips = _scale_stacks(chips)
    players = range(len(chips))
    worth = np.zeros(len(chips))
    # By set of players: the probability that they take the first places.
    first = {frozenset[int](): 1.0}
    for place, prize in enumerate(money.tolist()):
        next_places: dict[frozenset[int], float] = {}
        for players_out in map(frozenset, combinations(players, place)):
            probability = first.get(players_out, 0.0)
            players_left = [player for player in players if player not in players_out]
            if not probability:
                continue
            # Anew, so that nothing is left of what is taken out.
            remaining = float(chips[players_left].sum())
            for player in players_left:
                if remaining > 0:
                    share = chips[player] / remaining
                else:
                    share = 1.0 / len(players_left)
                worth[player] += probability * share * prize
                players_out_next = players_out | {player}
                next_places[players_out_next] = next_places.get(
                    players_out_next, 0.0
                ) + probability * float(share)
        first = next_places
    return worth


def _scale_stacks(chips: Floats) -> Floats:
    """Return stacks, of which shares alone count, in a unit in which they can be added up."""
    largest = float(chips.max())
    if largest > np.finfo(np.float64).max / len(chips):
        return chips / len(chips)
    return chips


def _read_numbers(name: str, values: Sequence[float]) -> Floats:
    if not isinstance(values, list | tuple | np.ndarray) or not all(
        is_number(x) and x >= 0 for x in values
    ):
        raise GameError(
            f"icm: {name} must be a list of numbers, each 0 or more; got {values!r}.",
            wrong_use=True,
        )
    return np.array(values, np.float64)
