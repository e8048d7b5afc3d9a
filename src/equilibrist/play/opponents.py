"""Who plays by a strategy, and what play asks of them, whatever the strategy is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from .._util.arrays import Floats
from .._util.places import find_by_type
from ..errors import SolutionError
from ..evaluation.action_values import ActionValues
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.responses import Values
from ..resolving.searcher import Search, Searcher
from ..solving.solution import Solution
from ..solving.sources import AnySource, read_strategy
from ..strategy.by_name import Key
from ..strategy.convert import as_strategy, strategy_for
from ..strategy.reading import check_missing
from ..strategy.strategy import Strategy
from .hand import HandLuck
from .lines import ANY, AnyLine, InfosetLine, Line
from .playable import PlayableGame

OPPONENTS: dict[str, str] = {
    "poker.spot.betting_of_spot:Spot": "poker.solved.opponent:SpotOpponent",
    "poker.spot.three_ranges:ThreeRanges": "poker.solved.opponent:ThreeOpponent",
}
"""For each type of game whose strategies are weights of a form, the opponent that plays them."""


class KnownValues(Protocol):
    """What actions are worth against an opponent, and the decisions at which hands are dealt against it."""

    @property
    def has_boards(self) -> bool:
        """Whether decisions are those of a spot, which have a board and hands of cards."""

    @property
    def certificate(self) -> Values:
        """The value of the strategy and of the best responses to it; payoff per game."""

    def at(self, player: int, key: str, /) -> tuple[float, ...] | None:
        """Return the value of each action at an infoset of a player; None where the other never comes there."""

    def find_line(
        self, name: str, *, seat: int | None, board: str | None, hands: str | None
    ) -> Line:
        """Return where hands are dealt that begin at a decision, or at any that fits a pattern.

        ``hands`` is the range that is dealt to who decides, as ``board`` of spots alone.
        """

    def line_of(self, seat: int | None, infoset: str) -> Line:
        """Return where hands are dealt that begin at one infoset."""


class Opponent(ABC):
    """Somebody who plays by a strategy.

    Attributes
    ----------
    slots : float64 array, shape (length,), optional
        The strategy at the slots of the compiled game: probabilities, or weights where the form
        keeps those. None where it is known by the names of infosets alone.
    action_values : KnownValues, optional
        What actions are worth against it. None where that is unknown, for the reason ``unknown``.
    is_searching : bool
        Whether it solves parts of the game again where play comes.
    log : sequence of Search
        What it has solved again so far.
    """

    slots: Floats | None = None
    action_values: KnownValues | None = None
    unknown: str = ""
    is_searching: ClassVar[bool] = False
    log: Sequence[Search] = ()

    @abstractmethod
    def probabilities_at(
        self, key: Key, actions: Sequence[str], game: str
    ) -> Sequence[float] | None:
        """Return the probability of each action at an infoset; None where the strategy lacks it."""

    def mix_at(self, key: Key, actions: Sequence[str], game: str) -> Sequence[float] | None:
        """Return what it would do in another's seat; None where it is not asked, or lacks the infoset."""
        return self.probabilities_at(key, actions, game)

    def measure_luck(
        self, is_known: Sequence[bool], *, beside: Opponent | None = None, seat: int | None = None
    ) -> HandLuck | None:
        """Return the luck in hands of a game that is too large to be written out; None where it cannot tell.

        Its own strategy is the baseline, with that of who plays ``beside`` it in a seat.
        """
        return None


class StrategyOpponent(Opponent):
    """An opponent whose strategy has the names of its infosets."""

    def __init__(
        self, strategy: Strategy, *, values: InfosetValues | None = None, unknown: str = ""
    ) -> None:
        self.strategy = strategy
        self.action_values = values
        self.slots = None if values is None else values.strategy
        self.unknown = unknown

    def probabilities_at(
        self, key: Key, actions: Sequence[str], game: str
    ) -> Sequence[float] | None:
        return self.strategy.probabilities_at(key, actions, game)


class InfosetValues(ActionValues):
    """Action values of a compiled game, and lines at its infosets."""

    has_boards = False

    def __init__(self, playable: PlayableGame, form: CompiledGame, slots: Floats) -> None:
        super().__init__(form, slots)
        self._playable = playable

    def find_line(
        self, name: str, *, seat: int | None, board: str | None, hands: str | None
    ) -> Line:
        if name != ANY or seat is not None:
            return InfosetLine(self._playable, self, name, seat=seat)
        seats = [[str(player)] for player in range(self._playable.players)]
        return AnyLine(
            seats,
            lambda player: InfosetLine(self._playable, self, ANY, seat=int(player)),
            "any infoset",
            often="of each player equally often, as often as a play comes there",
        )

    def line_of(self, seat: int | None, infoset: str) -> Line:
        return InfosetLine(self._playable, self, infoset, seat=seat)


class SearchingOpponent(Opponent):
    """An opponent who solves again where play comes, so that what actions are worth against it is unknown."""

    is_searching = True
    unknown = "the opponent searches, and only where play comes."

    def __init__(self, searcher: Searcher, slots: Floats | None) -> None:
        self.searcher = searcher
        self.slots = slots
        self.log = searcher.log

    def probabilities_at(self, key: Key, actions: Sequence[str], game: str) -> list[float]:
        return self.searcher.probabilities_at(key, actions, game)

    def mix_at(self, key: Key, actions: Sequence[str], game: str) -> None:
        """Return None: in another's seat it is not asked, for that takes its time."""


def make_opponent(
    source: AnySource | Searcher, playable: PlayableGame, *, missing: str | None, whole: bool = True
) -> Opponent:
    """Return who plays by whatever the user has: the one place that asks what it is.

    A searcher is asked for all infosets of a ``whole`` game that has a tree, else it searches where
    play comes.
    """
    check_missing(missing)
    form = playable.form
    if isinstance(source, Searcher):
        if not whole or not is_compiled(form) or form.tree is None:
            return SearchingOpponent(source, None)
        return SearchingOpponent(source, source.strategy().at_slots(form))
    strategy, where = _read_strategy(source, playable)
    try:
        return opponent_of(strategy, playable, missing=missing)
    except SolutionError as error:
        raise SolutionError(f"{where}{error}", wrong_use=error.wrong_use) from error


def opponent_of(strategy: Strategy, playable: PlayableGame, *, missing: str | None) -> Opponent:
    """Return who plays by a strategy of a game."""
    form = playable.form
    if form.keeps_weights:
        return make_node_opponent(strategy, form, missing=missing)
    if is_compiled(form):
        slots = strategy.at_slots(form, missing=missing)
        return StrategyOpponent(strategy, values=InfosetValues(playable, form, slots))
    reason = f"the game is played without being compiled: {playable.reason}"
    return StrategyOpponent(strategy, unknown=reason)


def make_node_opponent(strategy: Strategy, form: Any, *, missing: str | None = None) -> Opponent:
    """Return who plays a strategy that is known as weights of a form, node by node."""
    make = find_by_type(OPPONENTS, form.game)
    opponent: Opponent = make(strategy, form, missing=missing)
    return opponent


def _read_strategy(source: AnySource, playable: PlayableGame) -> tuple[Strategy, str]:
    """Return a strategy from whatever the user has, and what messages call it."""
    form = playable.form
    is_path = isinstance(source, str | Path)
    has_no_tree = is_compiled(form) and form.tree is None
    strategy = read_strategy(source, form if has_no_tree else None)
    if isinstance(strategy, Solution):
        what = f"{source}, a run" if is_path else "The solution"
        return strategy.strategy, f"{what} of {strategy.game}: "
    where = f"{source}: " if is_path else ""
    if is_compiled(form):
        return strategy_for(strategy, form), where
    return as_strategy(strategy, lambda _: range(playable.players)), where
