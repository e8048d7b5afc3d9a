"""Hands played against a strategy, and what each choice cost; luck and skill told apart.

A player at an infoset I who takes action a, and then goes on with the best play, can expect q(I,
a). The *cost* of the choice is max q(I, ·) − q(I, a) ≥ 0. Over a hand, with V what the best play
from this seat earns on average,

    payoff = V − Σ costs + luck,

which defines luck. Its mean is 0 whatever the player does: E[payoff] = V − E[Σ costs] is the lemma
of the performance difference (Kakade & Langford 2002), taken at the infosets of one player. So V −
Σ costs is an unbiased estimate of what the player earns from which most of the chance is gone;
AIVAT (Burch et al. 2018) takes more of it away in the same way.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.validate import check_seed, is_whole
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits, compile_budget
from ..game.protocol import Game
from ..game.public import PublicGame
from ..resolving.searcher import Searcher
from ..solving.sources import AnySource
from .dealing import Draw, HandInPlay, follow_strategy, make_draw
from .hand import Hand, HandNumbers, Move, Turn, public_moves
from .lines import (
    Costs,
    Line,
    MistakesLine,
    Start,
    read_graded_costs,
)
from .opponents import make_opponent
from .playable import (
    PlayableGame,
    compile_playable,
    solve_opponent,
)
from .score import PLAYED, Grading, cost_unit
from .variance import AIVAT, Luck, find_variance


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

    ``game``, ``against``, ``seat``, ``missing`` and the limits of compilation are as for
    :func:`equilibrist.play_match`, and ``form`` is what the game was compiled into, where that is known. The ``seed``
    decides what chance and the others do hand by hand, so that other choices in one hand leave the
    deal of the next as it was.

    ``line`` deals each hand at this decision instead of from the start: the name of an infoset (or
    a pattern, ``"?pb"``), or in a spot of hold'em a line, ``"X-B120"``, whose hands come from the
    ranges that play so; there ``board`` has the public cards, by default dealt as well, and
    ``dealt`` is the range of the player's hands. A pattern of lines deals at any of them, and
    ``"*"`` at any decision of the game. Or it is the path of a table of
    :class:`equilibrist.poker.Grades`, or costs by player and infoset, whose mistakes are dealt. Each
    hand is broken off after so many ``answers`` of the player, by default never.

    ``variance`` is as for :func:`equilibrist.play_match`: hands then have ``aivat``, their payoff
    less the luck of chance and of the others after the beginning of the hand.

    ``strategy`` is the :class:`~equilibrist.play.opponents.Opponent` that plays the other seats. A
    searcher solves again where play comes, and the costs of choices are unknown. ``opponent`` says
    in words what the others play where nothing was given; ``action_values`` is None where costs are
    unknown; ``before`` is how many hands were played before, where a session is taken up again: the
    seed goes on after them.
    """

    def __init__(
        self,
        game: str | Game | PublicGame,
        *,
        against: AnySource | Searcher | None = None,
        seat: int | None = None,
        seed: int | None = None,
        line: str | Path | Costs | None = None,
        board: str | None = None,
        dealt: str | None = None,
        answers: int | None = None,
        variance: str | AIVAT | None = None,
        form: CompiledGame | None = None,
        missing: str | None = None,
        limits: Limits | None = None,
        callbacks: AnyCallbacks = None,
    ) -> None:
        on_stage = stage_listener(callbacks, "Session")
        aivat = find_variance(variance)
        self.seed = choose_seed(seed)
        self.playable = compile_playable(game, compile_budget(limits, "Session"), on_stage, form)
        check_seat(seat, self.playable)
        self.seat = seat
        self.answers = answers
        self.opponent = ""
        if against is None:
            against, self.opponent = solve_opponent(self.playable, on_stage)
        self.strategy = make_opponent(against, self.playable, missing=missing, whole=False)
        self.action_values = self.strategy.action_values
        self._luck = None
        if aivat is not None:
            everybody = self.strategy  # whoever sits where, nothing is known of the person
            self._luck = Luck.of_match(aivat, self.playable, everybody, everybody, None, on_stage)
        if line is None:
            self.line = None
        else:
            self.line = self._find_line(line, board, dealt)
        self.hands: list[Hand] = []
        self.before = 0
        self._hand: HandInPlay | None = None
        self._start = Start(0, ())

    def _find_line(self, line: str | Path | Costs, board: str | None, dealt: str | None) -> Line:
        values = self.action_values
        if values is None:
            raise AlgorithmError(
                f"Hands of {self.playable.name} cannot be dealt at {line!r}, for {self.unknown}"
            )
        names_place = board is not None or dealt is not None
        if isinstance(line, Path) and (not values.has_boards or names_place):
            raise AlgorithmError(
                f"The mistakes in {line} are those of a spot of hold'em, with boards and hands "
                "of their own; play the run that graded them, without board and dealt."
            )
        if names_place and not values.has_boards:
            raise AlgorithmError("board and dealt belong to spots of hold'em; leave them out.")
        if isinstance(line, Path):
            remedy = "give what 'equilibrist grade' wrote with --csv or --parquet for this run"
            return MistakesLine(read_graded_costs(line), values.line_of, str(line), remedy)
        if not isinstance(line, str):
            return MistakesLine(
                line, values.line_of, "the history", "play some hands of this run first"
            )
        return values.find_line(line, seat=self.seat, board=board, hands=dealt)

    @property
    def unknown(self) -> str:
        """Why costs are unknown, where ``action_values`` is None."""
        return self.strategy.unknown

    @cached_property
    def grading(self) -> Grading:
        """What choices are graded by: the pot or the largest payoff, and how exact the strategy is."""
        if self.action_values is None:
            certificate = None
        else:
            certificate = self.action_values.certificate
        return Grading(
            cost_unit(self.playable.form),
            0.0 if certificate is None else certificate.exploitability,
            self.playable.players,
        )

    @property
    def _pot_share(self) -> float:
        """What of the pot at the start is each player's: payoffs of a spot are won and lost beyond that."""
        pot = self.playable.form.pot
        if pot is None:
            return 0.0
        return pot / self.playable.players

    @property
    def number(self) -> int:
        """Number of the hand that is being played, or of the next one; the first is 1."""
        return self.before + len(self.hands) + 1

    @property
    def turn(self) -> Turn | None:
        """What the player sees who has to choose; None between hands."""
        if self._hand is None or self._hand.choice is None:
            return None
        choice = self._hand.choice
        if self.playable.public:
            seen = public_moves(self._hand.moves)
        else:
            seen = ()
        return Turn(self.number, choice.player, choice.infoset, choice.actions, choice.table, seen)

    @property
    def moves(self) -> tuple[Move, ...]:
        if self._hand is None:
            return ()
        return tuple(self._hand.moves)

    def deal(self, *, draw: Draw | None = None) -> Hand | None:
        """Begin the next hand; return it if it is over already, as nobody was asked.

        Given the probabilities of what may happen next, ``draw`` returns the number of what does;
        by default the seed decides.
        """
        if self.line is not None:
            start = self.line.deal(random.Random(f"{self.seed} {self.number} line"))
        else:
            start = Start(
                (self.number - 1) % self.playable.players if self.seat is None else self.seat, ()
            )
        self._start = start

        def decide(player: int, infoset: str, actions: tuple[str, ...]) -> Move | None:
            if player == start.seat:
                return None
            return follow_strategy(self.strategy, self.playable, player, infoset, actions)

        draw = draw or make_draw(self.seed, self.number)
        self._hand = HandInPlay(self.playable, decide, draw, begin=start.begin, tables=True)
        return self._end_hand()

    def take(self, action: int) -> Hand | None:
        """Take an action by its number; return the hand if it is over."""
        if self._hand is None or self._hand.choice is None:
            raise AlgorithmError("No hand is being played; deal one first.")
        choice = self._hand.choice
        if not is_whole(action, 0, len(choice.actions) - 1):
            raise AlgorithmError(f"action must be 0 to {len(choice.actions) - 1}; got {action!r}.")
        if self.action_values is None:
            values = None
        else:
            values = self.action_values.at(choice.player, choice.infoset)
        mix = self.strategy.mix_at(
            (choice.player, choice.infoset), choice.actions, self.playable.name
        )
        move = choice._replace(
            taken=action, action_values=values, mix=None if mix is None else tuple(mix)
        )
        answered = (
            sum(
                move.player == self._start.seat
                for move in self._hand.moves[len(self._start.begin) :]
            )
            + 1
        )
        if answered == self.answers:
            self._hand.moves.append(move)
            return self._end_hand(broken_off=True)
        self._hand.take(move)
        return self._end_hand()

    def _end_hand(self, *, broken_off: bool = False) -> Hand | None:
        """Return the hand that is being played and add it to ``hands``, if it is over."""
        hand_in_play = self._hand
        start = self._start
        if hand_in_play is None or (hand_in_play.choice is not None and not broken_off):
            return None
        moves = tuple(hand_in_play.moves)
        first_move = len(start.begin)
        if self.action_values is None:
            best = None
        else:
            best = self.action_values.certificate.best_response_value[start.seat]
        if self.line is not None:
            values = moves[first_move].action_values
            best = None if values is None else max(values)
        share = self._pot_share
        payoffs = tuple(payoff - share for payoff in hand_in_play.payoffs)
        best = None if best is None else best - share
        hand = Hand(self.number, start.seat, moves, payoffs, best, first_move)
        if self._luck is not None and hand.payoff is not None:
            hand = hand._replace(
                aivat=hand.payoff
                + float(
                    self._luck.of_hand(moves, hand_in_play.payoffs, begun=first_move)[start.seat]
                )
            )
        self._hand = None
        self.hands.append(hand)
        return hand

    def preferred(self, actions: Sequence[int]) -> int:
        """Return the one of some actions of this turn that the strategy plays most, else the most valuable.

        The latter where it plays none of them by what :class:`~equilibrist.play.score.Grading`
        calls its own choice.
        """
        choice = None if self._hand is None else self._hand.choice
        if choice is None or len(actions) == 1:
            return actions[0]
        mix = self.strategy.probabilities_at(
            (choice.player, choice.infoset), choice.actions, self.playable.name
        )
        if mix is None:
            most_played = None
        else:
            most_played = max(actions, key=lambda action: mix[action])
        if mix is not None and most_played is not None and mix[most_played] >= PLAYED:
            return most_played
        if self.action_values is None:
            values = None
        else:
            values = self.action_values.at(choice.player, choice.infoset)
        if values is not None:
            return max(actions, key=lambda action: values[action])
        if most_played is None:
            return actions[0]
        return most_played

    def play(self, choose: Callable[[Turn], int], *, draw: Draw | None = None) -> Hand:
        """Play one hand, whose actions ``choose`` takes by their numbers; add it to ``hands`` and return it."""
        self.deal(draw=draw)
        while (turn := self.turn) is not None:
            self.take(choose(turn))
        return self.hands[-1]

    def totals(self) -> dict[str, Average]:
        return totals(self.hands)

    def summary(self) -> dict[str, Any]:
        table: dict[str, Any] = {
            "players": self.playable.players,
            "seed": self.seed,
            "hands": len(self.hands),
            "totals": {label: numbers._asdict() for label, numbers in self.totals().items()},
            "played": [hand.summary() for hand in self.hands],
        }
        if self.strategy.is_searching:
            table["searches"] = [record._asdict() for record in self.strategy.log]
        return table


def totals(hands: Sequence[Hand | HandNumbers]) -> dict[str, Average]:
    """Return payoff, best play, choices and luck over hands, the first the sum of the others; and the payoff by AIVAT.

    Only the payoff where costs are unknown, only the choices where hands were broken off, and
    nothing without hands.
    """
    columns: dict[str, list[float | None]] = {
        "payoff": [hand.payoff for hand in hands],
        "best play": [hand.best_response_value for hand in hands],
        "choices": [None if hand.cost is None else -hand.cost for hand in hands],
        "luck": [hand.luck for hand in hands],
        "aivat": [hand.aivat for hand in hands],
    }
    numbers_of = {
        label: [number for number in numbers if number is not None]
        for label, numbers in columns.items()
    }
    if len(numbers_of["payoff"]) < len(hands):
        numbers_of.pop("payoff"), numbers_of.pop("luck")
    return {
        label: average(numbers)
        for label, numbers in numbers_of.items()
        if hands and len(numbers) == len(hands)
    }


def choose_seed(seed: int | None) -> int:
    """Return a seed, drawn where none is given."""
    if seed is None:
        return secrets.randbelow(2**31)
    return check_seed(seed)


def check_seat(seat: int | None, playable: PlayableGame) -> None:
    """Refuse a seat that the game does not have."""
    if seat is not None and not is_whole(seat, 0, playable.players - 1):
        if playable.players == 1:
            seats = "only the seat 0"
        else:
            seats = f"the seats 0 to {playable.players - 1}"
        raise AlgorithmError(f"{playable.name} has {seats}; got seat {seat!r}.")
