"""Hands of a game: what happened at each history, what each choice cost, and hands played by the rules."""

from __future__ import annotations

import math
import random
from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from ..errors import GameError
from ..game.checked import CheckedGame
from ..game.protocol import CHANCE, TERMINAL, action_label
from .playable import PlayableGame

_EQUAL = 1e-9
"""Actions whose values differ by less, relative to their size, are equally good."""


class Move(NamedTuple):
    """What happened at one history of a hand.

    Attributes
    ----------
    player : int
        Who moved, or CHANCE.
    infoset : str
        Of the player; empty for chance.
    actions : tuple of str
        The names of the legal actions, or of the outcomes.
    taken : int
        Which of them.
    probabilities : tuple of float or None
        With which each was going to be taken; None where somebody chose freely.
    action_values : tuple of float or None
        Of a free choice: the value of each action with the best play after it; payoff. None if unknown.
    unknown : bool
        Whether the strategy does not know the infoset, so that all actions were equally probable.
    """

    player: int
    infoset: str
    actions: tuple[str, ...]
    taken: int
    probabilities: tuple[float, ...] | None = None
    action_values: tuple[float, ...] | None = None
    unknown: bool = False

    @property
    def action(self) -> str:
        """Name of the action that was taken."""
        return self.actions[self.taken]

    @property
    def cost(self) -> float | None:
        """What the choice cost in expected payoff: best action − this action, 0 or more; None if unknown."""
        return None if self.action_values is None else max(self.action_values) - self.action_values[self.taken]

    @property
    def best(self) -> tuple[str, ...]:
        """Names of the best actions, all of them where several are; empty if unknown."""
        if self.action_values is None:
            return ()
        least = max(self.action_values) - _EQUAL * max(1.0, *map(abs, self.action_values))
        return tuple(action for action, value in zip(self.actions, self.action_values, strict=True) if value >= least)


Draw = Callable[[Sequence[float]], int]
"""Given probabilities, decides which happens."""

Decide = Callable[[int, str, tuple[str, ...], Any], Move]
"""Given player, infoset, names of the actions and state, returns what the player does."""


class Turn(NamedTuple):
    """What a player sees who has to choose: nothing that the infoset does not say.

    Attributes
    ----------
    hand, seat : int
        Number of the hand, the first being 1, and of the player.
    infoset : str
        What the player knows.
    actions : tuple of str
        The names of the legal actions.
    table : tuple of (str, str)
        What lies on the table, if the rules describe it (``table(state, player)``).
    """

    hand: int
    seat: int
    infoset: str
    actions: tuple[str, ...]
    table: tuple[tuple[str, str], ...]


class Hand(NamedTuple):
    """A hand that was played to its end.

    Attributes
    ----------
    number, seat : int
        As in :class:`Turn`.
    moves : tuple of Move
        Everything that happened, the moves of chance included.
    payoffs : tuple of float
        What each player received.
    best_response_value : float or None
        What the best play from this seat earns on average; None if unknown.
    """

    number: int
    seat: int
    moves: tuple[Move, ...]
    payoffs: tuple[float, ...]
    best_response_value: float | None

    @property
    def payoff(self) -> float:
        """What the player received."""
        return self.payoffs[self.seat]

    @property
    def cost(self) -> float | None:
        """What the player's choices cost in expected payoff, together; None if unknown."""
        costs = [move.cost for move in self.moves if move.player == self.seat]
        return None if self.best_response_value is None else math.fsum(cost or 0.0 for cost in costs)

    @property
    def luck(self) -> float | None:
        """The rest: payoff − (best value − cost), which is 0 on average; None if unknown."""
        best, cost = self.best_response_value, self.cost
        return None if best is None or cost is None else self.payoff - best + cost


def play_hand(playable: PlayableGame, decide: Decide, draw: Draw) -> tuple[tuple[Move, ...], tuple[float, ...]]:
    """Play one hand by the rules; return what happened, and what each player received.

    Where ``decide`` returns a move with probabilities and a negative ``taken``, it is drawn as chance is.
    """
    moves: list[Move] = []
    ask = CheckedGame(playable.rules, playable.players, lambda _: f"{[move.action for move in moves]}")
    game, state = playable.rules, playable.rules.start()
    while True:
        with ask.rule_errors(0):
            who = ask.mover(0, state)
            if who == TERMINAL:
                return tuple(moves), tuple(float(payoff) for payoff in ask.payoffs(0, state))
            actions = ask.actions(0, state)
            if who == CHANCE:
                probabilities = tuple(ask.probabilities(0, state, len(actions)))
                labels = tuple(action_label(game, state, action) for action in actions)
                move = Move(CHANCE, "", labels, -1, probabilities)
            else:
                key = str(game.infoset(state))
                labels = ask.labels(0, state, actions, key)
        if len(moves) >= playable.limits.max_depth:
            raise playable.limits.too_deep(playable.name, ask.history(0))
        if who != CHANCE:
            move = decide(who, key, labels, state)
        if move.taken < 0 and move.probabilities is not None:
            move = move._replace(taken=draw(move.probabilities))
        moves.append(move)
        with ask.rule_errors(0):
            state = ask.next(0, state, actions[move.taken])


def table_seen_by(playable: PlayableGame, state: Any, player: int) -> tuple[tuple[str, str], ...]:
    """Return what the rules say that a player sees on the table; nothing where they have no word for it."""
    table = getattr(playable.rules, "table", None)
    if not callable(table):
        return ()
    try:
        return tuple((str(label), str(text)) for label, text in table(state, player))
    except Exception as error:
        raise GameError(f"{playable.name}: its table() failed with {type(error).__name__}: {error}.") from error


def follow_strategy(strategy: Any, playable: PlayableGame, player: int, infoset: str, actions: tuple[str, ...]) -> Move:
    """Return the move of somebody who follows a strategy, still to be drawn; uniform where it lacks the infoset."""
    played = strategy.probabilities_at((player, infoset), actions, playable.name)
    probabilities = [1.0 / len(actions)] * len(actions) if played is None else played
    return Move(player, infoset, actions, -1, tuple(probabilities), unknown=played is None)


def seeded_draw(seed: int, hand: int) -> Draw:
    """Return what decides the moves of chance and of strategies in one hand."""
    source = random.Random(f"{seed} {hand}")

    def draw(probabilities: Sequence[float]) -> int:
        below = list(accumulate(probabilities))
        return bisect(below, source.random() * below[-1], hi=len(below) - 1)

    return draw
