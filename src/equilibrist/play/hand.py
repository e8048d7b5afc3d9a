"""Records of play: what happened at each history of a hand, and what each choice cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from .._util.arrays import Floats
from ..game.protocol import CHANCE

_EQUAL = 1e-9
"""Actions whose values differ by less, relative to their size, are equally good."""

Table = tuple[tuple[str, str], ...]
"""What lies on the table, as rows of label and text."""


class Move(NamedTuple):
    """What happened at one history of a hand.

    Attributes
    ----------
    player : int
        Who moved, or CHANCE.
    infoset : str
        Of the player; empty for chance.
    actions : tuple of str
        Or the outcomes.
    taken : int
        Which of them.
    probabilities : tuple of float or None
        Of each; None where somebody chose freely.
    action_values : tuple of float or None
        Of a free choice: the value of each action with the best play after it, payoff; None if
        unknown.
    unknown : bool
        Whether the strategy does not know the infoset, so that all actions were equally probable.
    mix : tuple of float or None
        Of a free choice: the probability of each action in the strategy that the others play; None
        if unknown.
    table : Table
        What the player saw on the table, if the rules describe it.
    """

    player: int
    infoset: str
    actions: tuple[str, ...]
    taken: int
    probabilities: tuple[float, ...] | None = None
    action_values: tuple[float, ...] | None = None
    unknown: bool = False
    mix: tuple[float, ...] | None = None
    table: Table = ()

    @property
    def action(self) -> str:
        return self.actions[self.taken]

    @property
    def cost(self) -> float | None:
        """What the choice cost in expected payoff: best action − this action, 0 or more; None if unknown."""
        if self.action_values is None:
            return None
        return max(self.action_values) - self.action_values[self.taken]

    @property
    def at_stake(self) -> float | None:
        """What the worst choice would have cost; None if unknown."""
        if self.action_values is None:
            return None
        return max(self.action_values) - min(self.action_values)

    @property
    def best(self) -> tuple[str, ...]:
        """Names of the best actions, all of them where several are; empty if unknown."""
        if self.action_values is None:
            return ()
        least = max(self.action_values) - _EQUAL * max(map(abs, self.action_values))
        return tuple(
            action
            for action, value in zip(self.actions, self.action_values, strict=True)
            if value >= least
        )

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; of chance, what happened and with which probability."""
        if self.player == CHANCE:
            if self.probabilities is None:
                odds = None
            else:
                odds = self.probabilities[self.taken]
            return {"player": self.player, "taken": self.action, "probability": odds}
        more = {
            "taken": self.action,
            "cost": self.cost,
            "at_stake": self.at_stake,
            "best": self.best,
        }
        return {**self._asdict(), **more}


class HandLuck(Protocol):
    """What measures the luck in hands."""

    def of_hand(self, moves: Sequence[Move], payoffs: Sequence[float], *, begun: int = 0) -> Floats:
        """Return what is to be added to the payoffs of a hand from move ``begun`` on, shape (players,)."""
        ...


class Turn(NamedTuple):
    """What a player sees who has to choose: nothing that the infoset does not say.

    Attributes
    ----------
    hand : int
        The number of the hand, the first being 1.
    seat : int
    infoset : str
    actions : tuple of str
    table : Table
    moves : tuple of Move
        What everybody saw so far, where all moves of players are public: these, and those of chance
        after the first.
    """

    hand: int
    seat: int
    infoset: str
    actions: tuple[str, ...]
    table: Table
    moves: tuple[Move, ...] = ()


class Hand(NamedTuple):
    """A hand that was played.

    Attributes
    ----------
    number : int
    seat : int
    moves : tuple of Move
        Those of chance included.
    payoffs : tuple of float
        Of each player, beyond an equal share of the pot at the start if there is one; empty where
        the hand was broken off.
    best_response_value : float or None
        What the best play from this seat earns on average, from the start or from the infoset at
        which the hand was dealt, less the same share; None if unknown.
    begun : int
        How many moves led to the infoset at which the hand was dealt.
    aivat : float or None
        The payoff with luck taken out; None if not asked for, or the hand was broken off.
    """

    number: int
    seat: int
    moves: tuple[Move, ...]
    payoffs: tuple[float, ...]
    best_response_value: float | None
    begun: int = 0
    aivat: float | None = None

    @property
    def payoff(self) -> float | None:
        """What the player received; None where the hand was broken off."""
        if self.payoffs:
            return self.payoffs[self.seat]
        return None

    @property
    def choices(self) -> tuple[Move, ...]:
        return tuple(move for move in self.moves[self.begun :] if move.player == self.seat)

    @property
    def cost(self) -> float | None:
        """What the player's choices cost in expected payoff, together; None if unknown."""
        costs = [move.cost for move in self.choices]
        if self.best_response_value is None:
            return None
        return math.fsum(cost or 0.0 for cost in costs)

    @property
    def luck(self) -> float | None:
        """The rest: payoff − (best value − cost), which is 0 on average; None if unknown."""
        best = self.best_response_value
        cost = self.cost
        payoff = self.payoff
        if best is None or cost is None or payoff is None:
            return None
        return payoff - best + cost

    def summary(self) -> dict[str, Any]:
        names = (
            "seat",
            "payoff",
            "payoffs",
            "best_response_value",
            "cost",
            "luck",
            "begun",
            "aivat",
        )
        numbers = {name: getattr(self, name) for name in names}
        return {"hand": self.number, **numbers, "moves": [move.summary() for move in self.moves]}


class HandNumbers(NamedTuple):
    """The numbers of a hand that totals are made of."""

    payoff: float | None
    best_response_value: float | None
    cost: float | None
    luck: float | None
    aivat: float | None = None


def write_line(moves: Sequence[Move]) -> str:
    """Return the actions of the players as a line, ``X-B120-C | B200``: a bar where chance moved after the first."""
    line = ""
    for move in moves:
        if move.player == CHANCE:
            line += " |" if line and not line.endswith("|") else ""
        else:
            line += f"{' ' if line.endswith('|') else '-' if line else ''}{move.action}"
    return line


def public_moves(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the moves that everybody saw in a game whose players move in public: all since the first player's move."""
    first = next((number for number, move in enumerate(moves) if move.player != CHANCE), len(moves))
    return tuple(moves[first:])
