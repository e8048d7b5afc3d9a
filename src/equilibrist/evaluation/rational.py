"""Games in fractions: their rules walked once, and strategies evaluated without rounding.

The rules are walked by their seven methods, and nothing of the compiled game is used: so what is found here also judges
the certificates in floating point.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

from .._util.display import Display
from ..errors import GameError, GameTooLargeError, SolutionError
from ..form.limits import MAX_DEPTH
from ..form.projection import estimate_histories
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..show.numbers import format_duration
from ..strategy.by_name import ByAction, ByInfoset
from ..strategy.strategy import Strategy

MOST_HISTORIES = 2_000_000
"""Of a game that is walked in fractions, unless the user allows more: minutes, and some gigabytes."""
_FIRST_REPORT = 2_000  # histories
_REPORT_EVERY = 50_000
_LARGEST_POWER = 64  # of 2: ratios with denominators up to that are looked for
_SHORT = 40  # characters of a fraction


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
    """

    player: int
    key: str
    actions: tuple[str, ...]
    parent: int
    first: int

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
    """

    name: str
    players: int
    histories: int
    infosets: list[RationalInfoset]
    ends: list[RationalEnd]
    sequences: int


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
            "value": list(map(str, self.value)),
            "best_response_value": list(map(str, self.best_response_value)),
            "nash_conv": str(self.nash_conv),
            "exploitability": str(self.exploitability),
        }


def short_fraction(number: Fraction) -> str:
    """Return a fraction as text, or about how much it is where it is long."""
    text = str(number)
    if len(text) <= _SHORT:
        return text
    return f"≈ {float(number):.12g}"


def exact_ratio(number: Any) -> Fraction:
    """Return a number as a fraction: itself, or of a float the ratio with the least denominator
    that is this float.

    So 1/6 in floating point is 1/6, and 0.1 is 1/10, as the rules mean it.

    Raises
    ------
    GameError
        It is no finite number.
    """
    if isinstance(number, Fraction | int):
        return Fraction(number)
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
            "(Limits(histories=), --max-histories) where you have the time, or leave rational out."
        )


class _Place(NamedTuple):
    """A history on the way: its state, the reach of chance, and each player's last sequence."""

    state: Any
    chance: Fraction
    sequence: tuple[int, ...]


def walk_in_fractions(
    rules: Game, say: Callable[[str], object] = lambda text: None, most: int = MOST_HISTORIES
) -> RationalGame:
    """Return a game by its sequences, with payoffs and probabilities of chance as ratios.

    Rules with a method ``in_fractions`` (those of Gambit's files) have others that return fractions.

    Raises
    ------
    GameTooLargeError
        The game has more than ``most`` histories.
    GameError
        Probabilities of chance do not sum to 1 as ratios.
    """
    name = game_name(rules)
    rules = getattr(rules, "in_fractions", lambda: rules)()
    players = rules.players
    progress = _Progress(name, rules, say, most)
    numbers: dict[tuple[int, str], int] = {}
    infosets: list[RationalInfoset] = []
    ends: dict[tuple[int, ...], list[Fraction]] = {}
    sequences = players
    histories = 0
    waiting = [_Place(rules.start(), Fraction(1), tuple(range(players)))]
    while waiting:
        place = waiting.pop()
        histories += 1
        progress.count(histories)
        mover = rules.player(place.state)
        if mover == TERMINAL:
            weights = ends.setdefault(place.sequence, [Fraction(0)] * players)
            for player, payoff in enumerate(rules.payoffs(place.state)):
                weights[player] += place.chance * exact_ratio(payoff)
            continue
        if mover == CHANCE:
            waiting += reversed(_follow_chance(rules, place, name))
            continue
        key = (mover, str(rules.infoset(place.state)))
        actions = list(rules.actions(place.state))
        if key not in numbers:
            numbers[key] = len(infosets)
            labels = tuple(action_label(rules, place.state, action) for action in actions)
            infosets.append(RationalInfoset(*key, labels, place.sequence[mover], sequences))
            sequences += len(actions)
        infoset = infosets[numbers[key]]
        for number in reversed(range(len(actions))):
            sequence = list(place.sequence)
            sequence[mover] = infoset.first + number
            state = rules.next(place.state, actions[number])
            waiting.append(_Place(state, place.chance, tuple(sequence)))
    listed = [RationalEnd(key, tuple(weights)) for key, weights in ends.items()]
    return RationalGame(name, players, histories, infosets, listed, sequences)


def _follow_chance(rules: Game, place: _Place, name: str) -> list[_Place]:
    """Return the histories after each outcome of chance that may be."""
    outcomes = rules.actions(place.state)
    probabilities = [exact_ratio(p) for p in rules.probabilities(place.state)]
    excess = sum(probabilities) - 1
    if excess != 0:
        raise GameError(
            f"The probabilities of chance at a state of {name} miss the sum 1 by {float(excess):.3g} "
            "as ratios. Give them as fractions: rules may return fractions.Fraction, and a file may "
            "say 1/3."
        )
    return [
        place._replace(state=rules.next(place.state, outcome), chance=place.chance * probability)
        for outcome, probability in zip(outcomes, probabilities, strict=True)
        if probability
    ]


RationalStrategy = Mapping[tuple[int, str], Mapping[str, Fraction]]
"""The probability of each action at each infoset, in fractions."""


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
        floats = [1.0] * len(infoset.actions) if sigma is None else sigma
        numbers = [Fraction(float(p)) for p in floats]
        total = sum(numbers, Fraction(0))
        shares = [number / total for number in numbers]
        table[key] = ByAction(zip(infoset.actions, shares, strict=True))
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
