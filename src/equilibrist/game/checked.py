"""Checks of what rules in Python answer: what makes no sense is refused, with the moves that lead there."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from numbers import Real
from typing import Any

import numpy as np

from .._util.validate import is_whole
from ..errors import EquilibristError, GameError
from .protocol import CHANCE, TERMINAL, Game, action_label, game_name
from .public import PublicGame

MAX_PLAYERS = 100

# The usual types come first, as they are looked up faster than abstract ones.
_SEQUENCES = (list, tuple, np.ndarray, Sequence)
_NUMBERS = (float, int, Real)

PROBABILITY_TOLERANCE = 1e-9
"""How far the probabilities of chance may be from summing to 1."""


LARGEST_PAYOFF = 1e300
"""In size: sums of larger ones are no numbers any more."""


def payoff_error(where: str, payoff: float) -> GameError:
    """Return the error that a payoff is so large that sums overflow; ``where`` begins the sentence."""
    return GameError(
        f"{where}: payoffs may be up to {LARGEST_PAYOFF:g} in size, so that they can be added "
        f"up; got {payoff!r}. Take another unit of payoffs.",
        wrong_use=True,
    )


def check_players(game: Game) -> int:
    """Return the number of players of a game."""
    players = game.players
    if not is_whole(players, 1, MAX_PLAYERS):
        raise GameError(
            f"{game_name(game)}: players must be a whole number, 1 to {MAX_PLAYERS}; got "
            f"{players!r}."
        )
    return int(players)


class CheckedGame:
    """Rules whose answers are checked; ``history`` returns the moves that lead to a history of a number, for errors."""

    def __init__(
        self, game: Game | PublicGame, players: int, history: Callable[[int], str]
    ) -> None:
        self.game: Any = game  # each kind of game is asked only what it answers
        self.name = game_name(game)
        self.players = players
        self.history = history
        self._movers = frozenset((CHANCE, TERMINAL, *range(players)))

    def _wrong(self, h: int, problem: str) -> GameError:
        return GameError(f"{self.name}: {problem} after {self.history(h)}.")

    @contextmanager
    def rule_errors(self, h: int) -> Iterator[None]:
        """Turn what the rules raise inside into a :class:`GameError` that says where they failed."""
        try:
            yield
        except (EquilibristError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise self.rule_error(h, error) from error

    def rule_error(self, h: int, error: BaseException) -> GameError:
        """Return the error for rules that raised one at history h."""
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return GameError(
            f"{self.name}: the rules failed after {self.history(h)} with {type(error).__name__}: "
            f"{error} ({frame.filename}, line {frame.lineno})."
        )

    def mover(self, h: int, state: Any) -> int:
        player: int = self.game.player(state)
        if player not in self._movers:
            raise self._wrong(
                h,
                f"player() must return 0 to {self.players - 1}, CHANCE or TERMINAL; got {player!r}",
            )
        return player

    def actions(self, h: int, state: Any) -> tuple[Hashable, ...]:
        """Return the actions, or the outcomes of chance; at least one."""
        actions = tuple(self.game.actions(state))
        if not actions:
            raise GameError(
                f"{self.name}: nobody can move after {self.history(h)}, but the game is not over "
                "there."
            )
        return actions

    def probabilities(self, h: int, state: Any, count: int) -> Sequence[float]:
        probabilities: Sequence[float] = self.game.probabilities(state)
        if not isinstance(probabilities, _SEQUENCES):
            raise self._wrong(
                h, f"probabilities() must return a sequence of numbers; got {probabilities!r}"
            )
        if len(probabilities) != count:
            raise self._wrong(
                h, f"chance has {count} outcomes but {len(probabilities)} probabilities"
            )
        # `not (… <= …)` also catches NaN.
        if not (
            min(probabilities) >= 0.0
            and abs(math.fsum(probabilities) - 1.0) <= PROBABILITY_TOLERANCE
        ):
            raise self._wrong(
                h,
                "the probabilities of chance must be 0 or more and sum to 1; got "
                f"{list(probabilities)!r} (sum {math.fsum(probabilities)!r})",
            )
        return probabilities

    def payoffs(self, h: int, state: Any) -> Sequence[float]:
        return self.check_payoffs(h, self.game.payoffs(state))

    def check_payoffs(self, h: int, payoffs: Sequence[float]) -> Sequence[float]:
        """Return what the rules say that the players receive at an end, if it makes sense."""
        if not isinstance(payoffs, _SEQUENCES) or len(payoffs) != self.players:
            raise GameError(
                f"{self.name}: payoffs for {self.players} players are needed after "
                f"{self.history(h)}; got {payoffs!r}."
            )
        for payoff in payoffs:
            if not (isinstance(payoff, _NUMBERS) and math.isfinite(payoff)):
                raise self._wrong(h, f"payoffs must be finite numbers; got {payoffs!r}")
            if abs(payoff) > LARGEST_PAYOFF:
                raise payoff_error(self.name, float(payoff))
        return payoffs

    def next(self, h: int, state: Any, action: Hashable) -> Any:
        next_state = self.game.next(state, action)
        if next_state is state:
            raise GameError(
                f"{self.name}: next() must return a new state and leave the old one as it was; "
                f"after {self.history(h)} it returned the very state that it was given."
            )
        return next_state

    def labels(self, h: int, state: Any, actions: Sequence[Hashable], key: str) -> tuple[str, ...]:
        """Return the names of the actions at an infoset, which a file must be able to hold, as it must its own."""
        labels = tuple(action_label(self.game, state, action) for action in actions)
        for text in (key, *labels):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                problem = f"names of infosets and actions must be Unicode text; got {text!r}"
                raise self._wrong(h, problem) from error
        if len(set(labels)) < len(labels):
            raise GameError(
                f"{self.name}: two actions have the same name after {self.history(h)}: {labels!r}."
            )
        return labels
