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
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .._util.validate import checked_seed, is_whole
from ..errors import AlgorithmError
from ..evaluation.action_values import ActionValues
from ..form.limits import MAX_DEPTH, Limits
from ..game.protocol import Game
from ..game.public import PublicGame
from ..solving.sources import AnySource
from ..strategy.strategy import Strategy
from .hand import Draw, Hand, Move, Turn, follow_strategy, play_hand, seeded_draw, table_seen_by
from .playable import PlayableGame, compile_playable, played_strategy, solve_opponent, spot_opponent
from .spot_opponent import SpotOpponent


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
    playable : PlayableGame
        The game.
    action_values : ActionValues or None
        Values of all actions against the strategy; None if unknown.
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
        against: AnySource | None = None,
        seat: int | None = None,
        seed: int | None = None,
        fill: str | None = None,
        max_histories: int | None = None,
        max_depth: int = MAX_DEPTH,
        on_stage: Callable[[str], None] | None = None,
    ) -> None:
        self.seed = seed_or_drawn(seed)
        self.playable = compile_playable(game, Limits.checked(max_histories, max_depth, None), on_stage, spots=True)
        check_seat(seat, self.playable)
        self.seat = seat
        self.opponent = ""
        if against is None:
            against, self.opponent = solve_opponent(self.playable, on_stage)
        form = self.playable.form
        self.strategy: Strategy | SpotOpponent
        self.action_values: ActionValues | SpotOpponent | None
        if form is not None and form.kind == "cards":
            self.strategy = self.action_values = spot_opponent(against, self.playable, fill=fill)
        else:
            self.strategy, slots = played_strategy(against, self.playable, fill=fill)
            self.action_values = None if slots is None or form is None else ActionValues(form, slots)
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
        seat = seat_of_hand(number, self.seat, self.playable.players)

        def decide(player: int, infoset: str, actions: tuple[str, ...], state: Any) -> Move:
            if player != seat:
                return follow_strategy(self.strategy, self.playable, player, infoset, actions)
            taken = choose(Turn(number, seat, infoset, actions, table_seen_by(self.playable, state, player)))
            values = None if self.action_values is None else self.action_values.at(player, infoset)
            return Move(player, infoset, actions, taken, action_values=values)

        moves, payoffs = play_hand(self.playable, decide, draw or seeded_draw(self.seed, number))
        best = None if self.action_values is None else self.action_values.best_response_value[seat]
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
        if self.action_values is not None:
            columns["best play"] = [hand.best_response_value or 0.0 for hand in self.hands]
            columns["choices"] = [-(hand.cost or 0.0) for hand in self.hands]
            columns["luck"] = [hand.luck or 0.0 for hand in self.hands]
        return {label: average(numbers) for label, numbers in columns.items()}


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


def check_seat(seat: int | None, playable: PlayableGame) -> None:
    """Refuse a seat that the game does not have.

    Raises
    ------
    AlgorithmError
        There is no such player.
    """
    if seat is not None and not is_whole(seat, 0, playable.players - 1):
        seats = "only the seat 0" if playable.players == 1 else f"the seats 0 to {playable.players - 1}"
        raise AlgorithmError(f"{playable.name} has {seats}; got seat {seat!r}.", wrong_use=True)
