"""Hands played against a strategy, and what each choice cost; luck and skill told apart.

A player at an infoset I who takes action a, and then goes on with the best play, can expect q(I, a). The *cost* of the
choice is max q(I, ·) − q(I, a) ≥ 0. Over a hand, with V what the best play from this seat earns on average,

    payoff = V − Σ costs + luck,

which defines luck. Its mean is 0 whatever the player does: E[payoff] = V − E[Σ costs] is the lemma of the performance
difference (Kakade & Langford 2002), taken at the infosets of one player. So V − Σ costs is an unbiased estimate of what
the player earns from which most of the chance is gone; AIVAT (Burch et al. 2018) takes more of it away in the same way.
"""

from __future__ import annotations

import math
import random
import secrets
from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from .._util.validate import checked_seed, is_whole
from ..errors import AlgorithmError, GameError
from ..evaluation.action_values import Knowledge, PlayableGame, Playing, fitted, opponent, ready
from ..form.build_python import MAX_DEPTH, MAX_HISTORIES, Limits
from ..game.checked import CheckedGame
from ..game.protocol import CHANCE, TERMINAL, Game, action_label
from ..game.public import PublicGame

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
    worth : tuple of float or None
        Of a free choice: what its player could expect from each action with the best play after it; None if unknown.
    strange : bool
        Whether the strategy does not know the infoset, so that all actions were equally probable.
    """

    player: int
    infoset: str
    actions: tuple[str, ...]
    taken: int
    probabilities: tuple[float, ...] | None = None
    worth: tuple[float, ...] | None = None
    strange: bool = False

    @property
    def action(self) -> str:
        """Name of the action that was taken."""
        return self.actions[self.taken]

    @property
    def cost(self) -> float | None:
        """What the choice cost in expected payoff: best action − this action, 0 or more; None if unknown."""
        return None if self.worth is None else max(self.worth) - self.worth[self.taken]

    @property
    def best(self) -> tuple[str, ...]:
        """Names of the best actions, all of them where several are; empty if unknown."""
        if self.worth is None:
            return ()
        least = max(self.worth) - _EQUAL * max(1.0, *map(abs, self.worth))
        return tuple(action for action, worth in zip(self.actions, self.worth, strict=True) if worth >= least)


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
    best_value : float or None
        What the best play from this seat earns on average; None if unknown.
    """

    number: int
    seat: int
    moves: tuple[Move, ...]
    payoffs: tuple[float, ...]
    best_value: float | None

    @property
    def payoff(self) -> float:
        """What the player received."""
        return self.payoffs[self.seat]

    @property
    def cost(self) -> float | None:
        """What the player's choices cost in expected payoff, together; None if unknown."""
        costs = [move.cost for move in self.moves if move.player == self.seat]
        return None if self.best_value is None else math.fsum(cost or 0.0 for cost in costs)

    @property
    def luck(self) -> float | None:
        """The rest: payoff − (best value − cost), which is 0 on average; None if unknown."""
        return None if self.best_value is None or self.cost is None else self.payoff - self.best_value + self.cost


class Average(NamedTuple):
    """A sum over hands, its mean, and the standard error of the mean (None for fewer than two hands)."""

    total: float
    mean: float
    error: float | None


def average(numbers: Sequence[float]) -> Average:
    """Return the sum, the mean and its standard error, √(Σ (x − mean)² / (n − 1) / n)."""
    n = len(numbers)
    total = math.fsum(numbers)
    mean = total / n
    spread = math.fsum((number - mean) ** 2 for number in numbers)
    return Average(total, mean, math.sqrt(spread / (n - 1) / n) if n > 1 else None)


class Session:
    """Hands played one after the other against a strategy.

    Parameters
    ----------
    game : str, Game or PublicGame
        As for :func:`equilibrist.load`.
    against : Strategy, Solution, mapping, path or None
        What all other players play; None for an equilibrium, or the best that ten seconds find.
    seat : int, optional
        The player who chooses; by default every player in turn, player 0 in the first hand.
    seed : int, optional
        Decides what chance and the others do: hand by hand, so that other choices in one hand leave the deal of the
        next as it was. By default it is drawn, and can be read off afterwards.
    fill : {None, "uniform"}
        Whether infosets that the strategy lacks are an error or played uniformly. Where the game cannot be compiled,
        they are played uniformly in any case.
    max_histories, max_depth : int
        Limits of compilation; beyond, hands are played all the same but costs are unknown.
    on_stage : callable, optional
        Called with a short text when a long stage begins.

    Attributes
    ----------
    ground : Ground
        The game.
    opponent : str
        What the others play, in words; empty where it was given.
    hands : list of Hand
        Those played so far.

    Raises
    ------
    GameError
        The game cannot be found.
    SolutionError
        The strategy cannot be read or does not fit the game.
    AlgorithmError
        There is no such seat or seed.
    """

    def __init__(
        self,
        game: str | Game | PublicGame,
        *,
        against: Playing | None = None,
        seat: int | None = None,
        seed: int | None = None,
        fill: str | None = None,
        max_histories: int = MAX_HISTORIES,
        max_depth: int = MAX_DEPTH,
        on_stage: Callable[[str], None] | None = None,
    ) -> None:
        self.seed = seed_or_drawn(seed)
        self.ground = ready(game, Limits.checked(max_histories, max_depth, None), on_stage)
        check_seat(seat, self.ground)
        self.seat = seat
        self.opponent = ""
        if against is None:
            against, self.opponent = opponent(self.ground, on_stage)
        self.strategy, slots = fitted(against, self.ground, fill=fill)
        self.known = None if slots is None or self.ground.form is None else Knowledge(self.ground.form, slots)
        self.hands: list[Hand] = []

    def play(self, choose: Callable[[Turn], int], *, draw: Draw | None = None) -> Hand:
        """Play one hand, add it to ``hands`` and return it.

        Parameters
        ----------
        choose : callable
            Given a :class:`Turn`, returns the number of the action to take.
        draw : callable, optional
            Given the probabilities of what may happen next, returns the number of what does; by default the seed
            decides.
        """
        number = len(self.hands) + 1
        seat = seat_of_hand(number, self.seat, self.ground.players)

        def decide(player: int, infoset: str, actions: tuple[str, ...], state: Any) -> Move:
            if player != seat:
                return follow(self.strategy, self.ground, player, infoset, actions)
            taken = choose(Turn(number, seat, infoset, actions, seen_on_table(self.ground, state, player)))
            worth = None if self.known is None else self.known.worth(player, infoset)
            return Move(player, infoset, actions, taken, worth=worth)

        moves, payoffs = deal(self.ground, decide, draw or drawing(self.seed, number))
        best = None if self.known is None else self.known.best_value[seat]
        hand = Hand(number, seat, moves, payoffs, best)
        self.hands.append(hand)
        return hand

    def totals(self) -> dict[str, Average]:
        """Return payoff, best play, choices and luck over the hands so far; the first is the sum of the others.

        Only the payoff where costs are unknown, and nothing before the first hand.
        """
        if not self.hands:
            return {}
        columns = {"payoff": [hand.payoff for hand in self.hands]}
        if self.known is not None:
            columns["best play"] = [hand.best_value or 0.0 for hand in self.hands]
            columns["choices"] = [-(hand.cost or 0.0) for hand in self.hands]
            columns["luck"] = [hand.luck or 0.0 for hand in self.hands]
        return {label: average(numbers) for label, numbers in columns.items()}


def deal(ground: PlayableGame, decide: Decide, draw: Draw) -> tuple[tuple[Move, ...], tuple[float, ...]]:
    """Play one hand by the rules; return what happened, and what each player received.

    Where ``decide`` returns a move with probabilities and a negative ``taken``, it is drawn as chance is.
    """
    moves: list[Move] = []
    ask = CheckedGame(ground.rules, ground.players, lambda _: f"{[move.action for move in moves]}")
    game, state = ground.rules, ground.rules.start()
    while True:
        with ask.asking(0):
            who = ask.mover(0, state)
            if who == TERMINAL:
                return tuple(moves), tuple(float(payoff) for payoff in ask.payoffs(0, state))
            actions = ask.actions(0, state)
            if who == CHANCE:
                odds = tuple(ask.probabilities(0, state, len(actions)))
                labels = tuple(action_label(game, state, action) for action in actions)
                move = Move(CHANCE, "", labels, -1, odds)
            else:
                key = str(game.infoset(state))
                labels = ask.labels(0, state, actions, key)
        if len(moves) >= ground.limits.max_depth:
            raise ground.limits.too_deep(ground.name, ask.told(0))
        if who != CHANCE:
            move = decide(who, key, labels, state)
        if move.taken < 0 and move.probabilities is not None:
            move = move._replace(taken=draw(move.probabilities))
        moves.append(move)
        with ask.asking(0):
            state = ask.next(0, state, actions[move.taken])


def seen_on_table(ground: PlayableGame, state: Any, player: int) -> tuple[tuple[str, str], ...]:
    """Return what the rules say that a player sees on the table; nothing where they have no word for it."""
    table = getattr(ground.rules, "table", None)
    if not callable(table):
        return ()
    try:
        return tuple((str(label), str(text)) for label, text in table(state, player))
    except Exception as error:
        raise GameError(f"{ground.name}: its table() failed with {type(error).__name__}: {error}.") from error


def follow(strategy: Any, ground: PlayableGame, player: int, infoset: str, actions: tuple[str, ...]) -> Move:
    """Return the move of somebody who follows a strategy, still to be drawn; uniform where it lacks the infoset."""
    played = strategy.probabilities_at((player, infoset), actions, ground.name)
    odds = [1.0 / len(actions)] * len(actions) if played is None else played
    return Move(player, infoset, actions, -1, tuple(odds), strange=played is None)


def drawing(seed: int, hand: int) -> Draw:
    """Return what decides the moves of chance and of strategies in one hand."""
    source = random.Random(f"{seed} {hand}")

    def draw(probabilities: Sequence[float]) -> int:
        below = list(accumulate(probabilities))
        return bisect(below, source.random() * below[-1], hi=len(below) - 1)

    return draw


def seat_of_hand(number: int, seat: int | None, players: int) -> int:
    """Return the seat of a hand: the one given, or every player in turn."""
    return (number - 1) % players if seat is None else seat


def seed_or_drawn(seed: int | None) -> int:
    """Return a seed, drawn where none is given.

    Raises
    ------
    AlgorithmError
        It is no whole number.
    """
    return secrets.randbelow(2**31) if seed is None else checked_seed(seed)


def check_seat(seat: int | None, ground: PlayableGame) -> None:
    """Refuse a seat that the game does not have.

    Raises
    ------
    AlgorithmError
        There is no such player.
    """
    if seat is not None and not is_whole(seat, 0, ground.players - 1):
        seats = "only the seat 0" if ground.players == 1 else f"the seats 0 to {ground.players - 1}"
        raise AlgorithmError(f"{ground.name} has {seats}; got seat {seat!r}.", wrong_use=True)
