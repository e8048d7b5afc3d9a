"""What is at stake before the flop: stacks, blinds and antes of all seats, and how the pots of a hand are shared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ..._util.text import short_repr
from ..._util.validate import is_number
from ...errors import GameError
from ..spot.bet_sizes import MOST_CHIPS
from ..spot.icm import icm

BLINDS = (0.5, 1.0)
POSITIONS = ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN", "SB", "BB")
"""What nine players are called, in the order in which they act before the flop; fewer are the last ones."""
USUAL_STACK = 10.0


class Stakes(NamedTuple):
    """What the players have and put in before the cards, in the order of the players of the game; all in big blinds.

    Players act in this order, but for two seats with a straddle, where the second one, the big
    blind, begins.

    Attributes
    ----------
    names : tuple of str
    stacks : tuple of float
        Before antes and blinds.
    antes : tuple of float
    blinds : tuple of float
        What each has bet before the cards, a straddle included.
    dead : float
        Chips in the pot of players who are not in the game.
    """

    names: tuple[str, ...]
    stacks: tuple[float, ...]
    antes: tuple[float, ...]
    blinds: tuple[float, ...]
    dead: float

    @property
    def behind(self) -> tuple[float, ...]:
        """What each player may bet, the blinds included, once antes are paid."""
        return tuple(stack - ante for stack, ante in zip(self.stacks, self.antes, strict=True))


def seat_names(seats: int, *, straddle: bool = False) -> tuple[str, ...]:
    """Return what the players are called, in their order in the game.

    Who straddles acts last: of three and more seats the one after the big blind.

    >>> seat_names(4), seat_names(4, straddle=True), seat_names(2, straddle=True)
    (('CO', 'BTN', 'SB', 'BB'), ('BTN', 'SB', 'BB', 'CO'), ('SB', 'BB'))
    """
    names = POSITIONS[-seats:]
    if straddle and seats > 2:
        return (*names[1:], names[0])
    return names


def read_stakes(
    game: str,
    *,
    seats: int,
    stack: object,
    stacks: object = None,
    ante: object = 0,
    bb_ante: object = 0,
    straddle: object = 0,
    dead: object = 0,
) -> Stakes:
    """Return the stakes that settings say, or refuse them."""
    straddle_bet = read_straddle(game, straddle)
    names = seat_names(seats, straddle=straddle_bet > 0)
    big_blind = names.index("BB")
    blinds = [0.0] * seats
    blinds[names.index("SB")] = BLINDS[0]
    blinds[big_blind] = BLINDS[1]
    if straddle_bet:
        blinds[0 if seats == 2 else seats - 1] = straddle_bet
    antes = [read_chips(game, "ante", ante)] * seats
    antes[big_blind] += read_chips(game, "bb_ante", bb_ante)
    least_bet = max(blinds)
    if stacks is None:
        whole_stack = read_chips(game, "stack", stack, least=max(antes) + least_bet)
        whole_stacks = [whole_stack] * seats
    else:
        whole_stacks = _read_stacks(
            game, stack, stacks, names, [ante_paid + least_bet for ante_paid in antes]
        )
    dead_chips = read_chips(game, "dead", dead)
    return Stakes(names, tuple(whole_stacks), tuple(antes), tuple(blinds), dead_chips)


def _read_stacks(
    game: str, stack: object, stacks: object, names: Sequence[str], least: Sequence[float]
) -> list[float]:
    if not isinstance(stacks, list | tuple) or len(stacks) != len(names):
        raise GameError(
            f"{game}: stacks must be {len(names)} numbers of big blinds, those of "
            f"{', '.join(names)}; got {short_repr(stacks)}.",
            wrong_use=True,
        )
    if stack != USUAL_STACK:
        raise GameError(
            f"{game}: give stack, which all have, or stacks, one for each; got stack="
            f"{short_repr(stack)} and stacks={short_repr(stacks)}.",
            wrong_use=True,
        )
    return [
        read_chips(game, f"the stack of {name}", chips, least=floor)
        for name, chips, floor in zip(names, stacks, least, strict=True)
    ]


def read_chips(
    game: str, name: str, value: object, *, above: float = -math.inf, least: float = 0.0
) -> float:
    """Return a number of big blinds, or refuse it."""
    if not is_number(value, above=above) or float(value) < least:  # type: ignore[arg-type]
        if above >= least:
            span = f"above {above:g}"
        else:
            span = f"{least:g} or more"
        raise GameError(
            f"{game}: {name} must be a number of big blinds, {span}; got {short_repr(value)}.",
            wrong_use=True,
        )
    if float(value) > MOST_CHIPS:  # type: ignore[arg-type]
        raise GameError(
            f"{game}: {name} must be at most {MOST_CHIPS:g} big blinds; got {short_repr(value)}.",
            wrong_use=True,
        )
    return float(value)  # type: ignore[arg-type]


def read_straddle(game: str, straddle: object) -> float:
    """Return a straddle in big blinds, more than one; 0 is none."""
    bet = read_chips(game, "straddle", straddle)
    if 0 < bet <= BLINDS[1]:
        raise GameError(
            f"{game}: straddle must be more than the big blind, such as 2, or 0 for none; got "
            f"{short_repr(straddle)}.",
            wrong_use=True,
        )
    return bet


def share_pots(stakes: Stakes, ranking: Sequence[Sequence[int]]) -> Floats:
    """Return what each player wins at the end of a hand, net.

    Parameters
    ----------
    stakes : Stakes
        Of the table.
    ranking : sequence of sequences of int
        Those who are all-in, the best hands first; hands in one group tie. Who is in no group has
        folded, and has bet the blind. A single player takes all.

    Returns
    -------
    float64 array, shape (seats,)
        Chips; they sum to the dead money.

    Notes
    -----
    What nobody can call is given back. The bets up to the shortest all-in, with antes and dead
    money, are the main pot; what lies between two all-ins is a side pot of those who have put it
    in. Each goes to the best hands among them.
    """
    shown = [player for group in ranking for player in group]
    bets = np.array(stakes.blinds)
    bets[shown] = np.array(stakes.behind)[shown]
    bets = np.minimum(bets, np.sort(bets)[-2])
    won: Floats = -bets - np.array(stakes.antes)
    pot = math.fsum(stakes.antes) + stakes.dead
    below = 0.0
    for level in sorted({float(bets[player]) for player in shown}):
        pot += float((np.minimum(bets, level) - np.minimum(bets, below)).sum())
        for group in ranking:
            winners = [player for player in group if bets[player] >= level]
            if winners:
                won[winners] += pot / len(winners)
                break
        pot = 0.0
        below = level
    return won


def value_chips(stakes: Stakes, gains: Floats, prizes: Sequence[float] | None) -> Floats:
    """Return what players earn who have won so many chips; payoffs of all sum to 0.

    Without prizes chips, less an equal share of the dead money; with prizes the change of what
    stacks are worth.
    """
    if prizes is None:
        return gains - stakes.dead / len(gains)
    stacks_left = np.maximum(np.array(stakes.stacks) + gains, 0.0).tolist()
    return icm(stacks_left, prizes) - icm(stakes.stacks, prizes)
