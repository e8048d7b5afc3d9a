"""Who plays a solved spot: strategy, action values and lines are found node by node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ...errors import AlgorithmError, GameError
from ...form.responses import Values
from ...play.lines import FEW_TRIES, AnyLine, Line
from ...play.opponents import Opponent
from ...strategy.by_name import Key
from ...strategy.strategy import Strategy
from .infoset_names import split_infoset, split_infoset_of_three
from .lines import SpotLine, lines_of_spot
from .luck import SpotLuck
from .spots import SolvedSpot


class SpotOpponent(Opponent):
    """An opponent who plays a spot of hold'em or Omaha: strategy and action values are found node by node."""

    has_boards = True
    split = staticmethod(split_infoset)

    def __init__(self, strategy: Any, form: Any, *, missing: str | None = None) -> None:
        self.spot: Any = SolvedSpot(strategy, form.game, missing=missing)
        self.slots = self.spot.weights
        self.action_values = self

    @cached_property
    def certificate(self) -> Values:
        """The value of the strategy and of the best responses to it; payoff per game."""
        values: Values = self.spot.form.values(self.spot.weights, weights=True)
        return values

    def probabilities_at(self, key: Key, actions: Sequence[str], game: str) -> list[float]:
        hand, board, line = self.split(key[1])
        probabilities: list[float] = self.spot.mix(line, board, hand).tolist()
        return probabilities

    def at(self, player: int, key: str) -> tuple[float, ...] | None:
        """Return the value of each action at an infoset of a player; None where the other never comes there."""
        hand, board, line = self.split(key)
        values = self.spot.best_action_values(line, board, hand)
        if values is None:
            return None
        return tuple(values.tolist())

    def find_line(
        self, name: str, *, seat: int | None, board: str | None, hands: str | None
    ) -> Line:
        """Return where hands are dealt that begin at a decision, or at any that fits a pattern."""
        if not any(sign in name for sign in "*?"):
            return SpotLine(self.spot, name, board=board, hands=hands)
        if board is not None:
            raise AlgorithmError(
                f"A board belongs to one line; give it without {name!r}, or leave it out."
            )
        return AnyLine(
            lines_of_spot(self.spot, name),
            lambda line: SpotLine(self.spot, line, hands=hands, tries=FEW_TRIES),
            f"any line {name}",
            often="at each street equally often, and there at each line",
        )

    def line_of(self, seat: int | None, infoset: str) -> Line:
        """Return where hands are dealt that begin at one infoset."""
        hand, board, line = self.split(infoset)
        return SpotLine(self.spot, line, board=board, hands=hand)

    def measure_luck(
        self, is_known: Sequence[bool], *, beside: Opponent | None = None, seat: int | None = None
    ) -> SpotLuck | None:
        if seat is None or not isinstance(beside, SpotOpponent):
            return SpotLuck(self.spot, is_known)
        form = self.spot.form
        weights = form.with_player(self.spot.weights, beside.spot.weights, seat)
        return SpotLuck(SolvedSpot(Strategy.from_weights(form, weights)), is_known)


class ThreeOpponent(SpotOpponent):
    """An opponent who plays a spot of three ranges; hands are dealt from the start."""

    split = staticmethod(split_infoset_of_three)

    def find_line(
        self, name: str, *, seat: int | None, board: str | None, hands: str | None
    ) -> Line:
        raise GameError(
            "Hands of three ranges are dealt from the start: leave the line, board and hands out.",
            wrong_use=True,
        )

    def line_of(self, seat: int | None, infoset: str) -> Line:
        return self.find_line(infoset, seat=seat, board=None, hands=None)

    def measure_luck(
        self, is_known: Sequence[bool], *, beside: Opponent | None = None, seat: int | None = None
    ) -> None:
        """Return None: luck in hands is measured of two players."""
