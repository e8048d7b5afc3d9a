"""Games in fractions: their rules walked once, and strategies evaluated without rounding.

The rules are walked by their seven methods, and nothing of the compiled game is used: so what is found here also judges
the certificates in floating point.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .._util.display import Display
from ..errors import (
    EquilibristError,
    EquilibristWarning,
    GameError,
    GameTooLargeError,
    SolutionError,
)
from ..form.infosets import Infoset, NamedInfosets
from ..form.limits import MAX_DEPTH, CompileBudget
from ..form.projection import estimate_histories
from ..game.checked import CheckedGame, check_players
from ..game.plays import check_repeatable, name_moves
from ..game.protocol import CHANCE, TERMINAL, Game, game_name
from ..show.numbers import format_duration
from ..strategy.by_name import ByAction, ByInfoset
from ..strategy.strategy import Strategy

MOST_HISTORIES = 2_000_000
"""Of a game that is walked in fractions, unless the user allows more: minutes, and some gigabytes."""
_FIRST_REPORT = 2_000  # histories
_REPORT_EVERY = 50_000
_LARGEST_POWER = 64  # of 2: ratios with denominators up to that are looked for
_SHORT = 40  # characters of a fraction
_NO_LIMITS = CompileBudget()


class RationalInfoset(NamedTuple):
    """An infoset of a game in fractions.

    Attributes
    ----------
    player : int
    key : str
        What the player knows.
    actions : tuple of str
    parent : int
        The player's sequence before it; players' empty sequences are 0, 1, ….
    first : int
        The sequence of the first action; those of the others follow.
    happens : bool
        Whether players can bring play there: not where an outcome of chance that leads there has
        probability 0.
    """

    player: int
    key: str
    actions: tuple[str, ...]
    parent: int
    first: int
    happens: bool

    @property
    def end(self) -> int:
        """One more than the sequence of the last action."""
        return self.first + len(self.actions)


class RationalEnd(NamedTuple):
    """An end of a game in fractions.

    Attributes
    ----------
    sequences : tuple of int
        The last sequence of each player.
    weights : tuple of Fraction
        Payoff of each player × probability of chance.
    """

    sequences: tuple[int, ...]
    weights: tuple[Fraction, ...]


class RationalGame(NamedTuple):
    """A game by its sequences, in fractions.

    Attributes
    ----------
    name : str
    players, histories : int
    infosets : list of RationalInfoset
        In the order of a depth-first walk: what leads to one comes before it.
    ends : list of RationalEnd
    sequences : int
        How many there are of all players together, the empty ones included.
    is_zero_sum : bool
        Whether payoffs sum to 0 at each end of play.
    """

    name: str
    players: int
    histories: int
    infosets: list[RationalInfoset]
    ends: list[RationalEnd]
    sequences: int
    is_zero_sum: bool


@dataclass(frozen=True, slots=True, repr=False)
class RationalEvaluation(Display):
    """The certificate of a strategy in fractions.

    Attributes
    ----------
    game : str
        Name of the game.
    players, histories, infosets : int
        Sizes of the game.
    value, best_response_value : tuple of Fraction
        What each player receives when all follow the strategy, and with the best response to the
        others; payoff per game.
    """

    game: str
    players: int
    histories: int
    infosets: int
    value: tuple[Fraction, ...]
    best_response_value: tuple[Fraction, ...]

    def __repr__(self) -> str:
        value = ", ".join(map(short_fraction, self.value))
        return (
            f"<RationalEvaluation of a strategy of {self.game}: value ({value}), exploitability "
            f"{short_fraction(self.exploitability)}>"
        )

    @property
    def nash_conv(self) -> Fraction:
        """Σ over players of (best-response value − value)."""
        pairs = zip(self.best_response_value, self.value, strict=True)
        return sum((best - value for best, value in pairs), Fraction(0))

    @property
    def exploitability(self) -> Fraction:
        """nash_conv / number of players."""
        return self.nash_conv / self.players

    def summary(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON: fractions as texts, ``"-1/18"``."""
        return {
            "game": self.game,
            "players": self.players,
            "histories": self.histories,
            "infosets": self.infosets,
            "value": list(map(fraction_text, self.value)),
            "best_response_value": list(map(fraction_text, self.best_response_value)),
            "nash_conv": fraction_text(self.nash_conv),
            "exploitability": fraction_text(self.exploitability),
        }


def fraction_text(number: Fraction) -> str:
    """Return a fraction as text, ``"-1/18"``, all digits of it.

    Those of a strategy of some hundred infosets are thousands, of which ``str`` of a whole number
    writes 4,300 at most.
    """
    numerator = f"{Decimal(number.numerator):f}"
    if number.denominator == 1:
        return numerator
    return f"{numerator}/{Decimal(number.denominator):f}"


def short_fraction(number: Fraction) -> str:
    """Return a fraction as text, or about how much it is where it is long."""
    text = fraction_text(number)
    if len(text) <= _SHORT:
        return text
    return f"≈ {round_fraction(number)}"


def round_fraction(number: Fraction, sign: str = "") -> str:
    """Return about how much a fraction is, to twelve digits, however large or small; ``sign`` is that of a format."""
    with suppress(OverflowError):
        nearest = float(number)
        if nearest or not number:
            return f"{nearest:{sign}.12g}"
    quotient = Decimal(number.numerator) / Decimal(number.denominator)
    return f"{quotient:{sign}.12g}"


def exact_ratio(number: Any) -> Fraction:
    """Return a number as a fraction: itself, or of a float a ratio with a small denominator that is
    rounded to this float.

    So 1/6 in floating point is 1/6, and 0.1 is 1/10, as the rules mean it.

    Raises
    ------
    GameError
        It is no finite number.
    """
    if isinstance(number, Fraction):
        return number
    if isinstance(number, Rational):  # NumPy's whole numbers have 64 bits, Python's have no end
        return Fraction(int(number.numerator), int(number.denominator))
    value = float(number)
    if not math.isfinite(value):
        raise GameError(f"A payoff or probability must be a finite number; got {number!r}.")
    exact = Fraction(value)
    for power in range(_LARGEST_POWER):
        ratio = exact.limit_denominator(2**power)
        if float(ratio) == value:
            return ratio
    return exact


class _Progress:
    """Tells before and during a walk how long it takes, and refuses one that is too long."""

    def __init__(self, name: str, rules: Game, say: Callable[[str], object], most: int) -> None:
        self._name = name
        self._say = say
        self._most = most
        self._started = time.perf_counter()
        self._projection = estimate_histories(rules, max_depth=MAX_DEPTH, limit=most)
        if self._projection is not None and self._projection.least > most:
            self._refuse(f"about {self._projection} histories")

    def count(self, histories: int) -> None:
        """Take the number of histories that are walked."""
        if histories > self._most:
            self._refuse(f"more than {self._most:,} histories")
        if histories == _FIRST_REPORT or histories % _REPORT_EVERY == 0:
            self._say(
                f"Walking {self._name} in fractions: {histories:,} histories{self._rest(histories)}"
            )

    def _rest(self, histories: int) -> str:
        """Return how many there are and how long the rest takes, in words."""
        if self._projection is None or self._projection.expected <= histories:
            return ""
        elapsed = time.perf_counter() - self._started
        seconds = elapsed * (self._projection.expected / histories - 1)
        return f" of about {self._projection}, {format_duration(seconds)} to go"

    def _refuse(self, size: str) -> NoReturn:
        raise GameTooLargeError(
            f"{self._name} has {size}; fractions take {self._most:,} at most. Allow more "
            "(Limits(histories=), --max-histories) where you have the time, or take floating point."
        )


class _Place(NamedTuple):
    """A history that is to be walked.

    Attributes
    ----------
    state : object
    chance : Fraction
        The reach of chance.
    sequence : tuple of int
        Each player's last sequence.
    parent, move : int
        The number of the history before it, and that of the move from there.
    depth : int
        How many moves lead there.
    """

    state: Any
    chance: Fraction
    sequence: tuple[int, ...]
    parent: int
    move: int
    depth: int


def walk_in_fractions(
    rules: Game,
    say: Callable[[str], object] = lambda text: None,
    most: int = MOST_HISTORIES,
    limits: CompileBudget = _NO_LIMITS,
) -> RationalGame:
    """Return a game by its sequences, with payoffs and probabilities of chance as ratios.

    Rules with a method ``in_fractions`` (those of Gambit's files) have others that return fractions.
    What they answer is checked, as it is where a game is compiled.

    Raises
    ------
    GameTooLargeError
        The game has more than ``most`` histories.
    GameError
        It is not well formed, or has imperfect recall; or probabilities of chance do not sum to 1
        as ratios.
    """
    name = game_name(rules)
    rules = getattr(rules, "in_fractions", lambda: rules)()
    check_players(rules)
    check_repeatable(rules)
    walk = _Walk(rules, name, _Progress(name, rules, say, most), limits)
    return walk.run()


class _Walk:
    """A walk of all histories of a game, each of which is checked."""

    def __init__(self, rules: Game, name: str, progress: _Progress, limits: CompileBudget) -> None:
        self.rules = rules
        self.name = name
        self.players = rules.players
        self.ask = CheckedGame(rules, self.players, self.history)
        self.progress = progress
        self.limits = limits
        self.parent = array("q")  # of each history
        self.move = array("q")  # the number of the move that leads there
        self.numbers: list[dict[Hashable, int]] = [{} for _ in range(self.players)]
        self.infosets: list[RationalInfoset] = []
        self.actions: list[tuple[Hashable, ...]] = []  # of each infoset, as the rules gave them
        self.first_met: list[int] = []  # of each infoset: a history in it
        self.ends: dict[tuple[int, ...], list[Fraction]] = {}
        self.sequences = self.players
        self.zero_sum = True

    def run(self) -> RationalGame:
        """Walk all histories, and return the game."""
        try:
            self._walk()
        except (EquilibristError, EquilibristWarning, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise self.ask.rule_error(len(self.parent) - 1, error) from error
        names = {(infoset.player, infoset.key) for infoset in self.infosets}
        if len(names) < len(self.infosets):
            raise GameError(
                f"{self.name}: two infosets of a player have the same text; let infoset() return "
                "strings."
            )
        return RationalGame(
            name=self.name,
            players=self.players,
            histories=len(self.parent),
            infosets=self.infosets,
            ends=[RationalEnd(key, tuple(weights)) for key, weights in self.ends.items()],
            sequences=self.sequences,
            is_zero_sum=self.zero_sum,
        )

    def _walk(self) -> None:
        empty = tuple(range(self.players))
        waiting = [_Place(self.rules.start(), Fraction(1), empty, parent=-1, move=-1, depth=0)]
        while waiting:
            place = waiting.pop()
            history = len(self.parent)
            self.parent.append(place.parent)
            self.move.append(place.move)
            self.progress.count(history + 1)
            mover = self.ask.mover(history, place.state)
            if mover == TERMINAL:
                self._add_end(history, place)
                continue
            actions = self.ask.actions(history, place.state)
            if place.depth == self.limits.max_depth:
                raise self.limits.too_deep(self.name, self.history(history))
            if mover == CHANCE:
                chances = self._find_chances(history, place, len(actions))
                sequences = [place.sequence] * len(actions)
            else:
                infoset = self._find_infoset(history, mover, place, actions)
                chances = [place.chance] * len(actions)
                sequences = _follow(place.sequence, infoset)
            for move in reversed(range(len(actions))):
                state = self.ask.next(history, place.state, actions[move])
                waiting.append(
                    _Place(state, chances[move], sequences[move], history, move, place.depth + 1)
                )

    def _add_end(self, history: int, place: _Place) -> None:
        """Add what is paid at an end, times the reach of chance."""
        payoffs = list(map(exact_ratio, self.ask.payoffs(history, place.state)))
        self.zero_sum = self.zero_sum and sum(payoffs) == 0
        weights = self.ends.setdefault(place.sequence, [Fraction(0)] * self.players)
        for player, payoff in enumerate(payoffs):
            weights[player] += place.chance * payoff

    def _find_chances(self, history: int, place: _Place, count: int) -> list[Fraction]:
        """Return the reach of chance after each outcome."""
        probabilities = [
            exact_ratio(p) for p in self.ask.probabilities(history, place.state, count)
        ]
        excess = sum(probabilities) - 1
        if excess != 0:
            raise GameError(
                f"The probabilities of chance at a state of {self.name} miss the sum 1 by "
                f"{float(excess):.3g} as ratios. Give them as fractions: rules may return "
                "fractions.Fraction, and a file may say 1/3."
            )
        return [place.chance * probability for probability in probabilities]

    def _find_infoset(
        self, history: int, mover: int, place: _Place, actions: tuple[Hashable, ...]
    ) -> RationalInfoset:
        """Return the infoset of a decision, new or known: a known one has these actions, after the same decision."""
        key = self.rules.infoset(place.state)
        number = self.numbers[mover].get(key)
        if number is None:
            number = len(self.infosets)
            labels = self.ask.labels(history, place.state, actions, str(key))
            self.numbers[mover][key] = number
            self.infosets.append(
                RationalInfoset(
                    mover, str(key), labels, place.sequence[mover], self.sequences, happens=False
                )
            )
            self.actions.append(actions)
            self.first_met.append(history)
            self.sequences += len(actions)
        infoset = self.infosets[number]
        other = self.first_met[number]
        if actions != self.actions[number]:
            raise GameError(
                f"{self.name}: player {mover} cannot tell {self.history(other)} from "
                f"{self.history(history)} (infoset {key!r}), yet the actions differ: "
                f"{list(self.actions[number])!r} against {list(actions)!r}."
            )
        if infoset.parent != place.sequence[mover]:
            raise GameError(
                f"{self.name}: player {mover} has imperfect recall: infoset {infoset.key!r} holds "
                f"both {self.history(other)} and {self.history(history)}, which come after "
                "different decisions of this player. Put what the player knew and did into the "
                "infoset."
            )
        if place.chance and not infoset.happens:
            infoset = infoset._replace(happens=True)
            self.infosets[number] = infoset
        return infoset

    def history(self, history: int) -> str:
        """Return the moves that lead to a history, for error messages."""
        moves = []
        while self.parent[history] >= 0:
            moves.append(self.move[history])
            history = self.parent[history]
        return name_moves(self.rules, moves[::-1])


def _follow(sequences: tuple[int, ...], infoset: RationalInfoset) -> list[tuple[int, ...]]:
    """Return each player's last sequence after each action at an infoset."""
    player = infoset.player
    before = sequences[:player]
    after = sequences[player + 1 :]
    return [(*before, sequence, *after) for sequence in range(infoset.first, infoset.end)]


RationalStrategy = Mapping[tuple[int, str], Mapping[str, Fraction]]
"""The probability of each action at each infoset, in fractions."""


def share_out(actions: Sequence[str], weights: Sequence[Fraction]) -> ByAction[Fraction]:
    """Return the probability of each action, its share of the weights; where all are 0, all actions are alike."""
    total = sum(weights, Fraction(0))
    if total == 0:
        shares = [Fraction(1, len(actions))] * len(actions)
    else:
        shares = [weight / total for weight in weights]
    return ByAction(zip(actions, shares, strict=True))


def strategy_in_floats(strategy: RationalStrategy) -> Strategy:
    """Return a strategy in floating point, which is evaluated, played and written like any other."""
    infosets = [Infoset(player, key, tuple(row)) for (player, key), row in strategy.items()]
    numbers = [float(p) for row in strategy.values() for p in row.values()]
    return Strategy(NamedInfosets(infosets), np.array(numbers, dtype=np.float64))


def list_rows(strategy: RationalStrategy) -> list[dict[str, Any]]:
    """Return the rows of a strategy as plain data for JSON; fractions are texts."""
    return [
        {
            "player": player,
            "infoset": key,
            "probabilities": {action: fraction_text(p) for action, p in row.items()},
        }
        for (player, key), row in strategy.items()
    ]


def strategy_in_fractions(
    game: RationalGame, strategy: Strategy, *, missing: str | None = None
) -> dict[tuple[int, str], dict[str, Fraction]]:
    """Return a strategy in fractions: its floats are the binary fractions that they are, divided by
    their sum.

    Raises
    ------
    SolutionError
        The strategy lacks an infoset.
    """
    table = ByInfoset[dict[str, Fraction]]()
    for infoset in game.infosets:
        key = (infoset.player, infoset.key)
        sigma = strategy.probabilities_at(key, infoset.actions, game.name)
        if sigma is None and missing is None:
            raise SolutionError(
                f"The strategy lacks the infoset {infoset.key!r} of player {infoset.player}. Add "
                "it, or complete it with missing='uniform' (--missing uniform)."
            )
        if sigma is None:
            weights = [Fraction(0)] * len(infoset.actions)
        else:
            weights = [Fraction(float(p)) for p in sigma]
        table[key] = share_out(infoset.actions, weights)
    return table


def evaluate_in_fractions(game: RationalGame, strategy: RationalStrategy) -> RationalEvaluation:
    """Return the value of a strategy and of the best responses to it, in fractions."""
    reach = [Fraction(1)] * game.sequences
    for infoset in game.infosets:
        row = strategy[infoset.player, infoset.key]
        for number, action in enumerate(infoset.actions):
            reach[infoset.first + number] = reach[infoset.parent] * row[action]
    value = [Fraction(0)] * game.players
    cf_value = [Fraction(0)] * game.sequences
    for end in game.ends:
        for player, weight in enumerate(end.weights):
            others_reach = Fraction(1)
            for other, sequence in enumerate(end.sequences):
                if other != player:
                    others_reach *= reach[sequence]
            sequence_of_player = end.sequences[player]
            cf_value[sequence_of_player] += weight * others_reach
            value[player] += weight * others_reach * reach[sequence_of_player]
    for infoset in reversed(game.infosets):
        cf_value[infoset.parent] += max(cf_value[infoset.first : infoset.end])
    return RationalEvaluation(
        game=game.name,
        players=game.players,
        histories=game.histories,
        infosets=len(game.infosets),
        value=tuple(value),
        best_response_value=tuple(cf_value[: game.players]),
    )
