"""What a part was solved with, by which it is safe: what the player does on the way to it, and in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ..._util.arrays import Floats
from ...errors import SolutionError
from ...form.cards.subgame import find_board
from ...game.card_places import line_tokens
from ...game.locks import find_locks
from ...strategy.strategy import Strategy
from ..solution import Solution
from .cards import CardPart, follow_line, range_at
from .part import ResolvedPart

_SAME = 1e-9  # of a probability, by which rows that were written and read may differ
_RANGE = 1e-6  # of a probability: weights of card forms are in single precision
_VALUE = 1e-6  # of the largest value of a hand


class _Place(Protocol):
    """A part, as what the strategy has to be that it is spliced into."""

    def lies_in(self, other: Any) -> bool: ...
    def meets(self, other: Any) -> bool: ...
    def is_reached_alike(self, strategy: Strategy) -> bool: ...
    def is_worth_as_much(self, strategy: Strategy) -> bool: ...


class _Rows:
    """A part of a sequence form, by the rows of the player's strategy."""

    def __init__(self, what: ResolvedPart) -> None:
        self._player = what.players[0]
        self._above = what.above
        self._below = what.below
        self._infosets = {(self._player, key) for key in what.below}

    def lies_in(self, other: _Rows) -> bool:
        return self._infosets <= other._infosets

    def meets(self, other: _Rows) -> bool:
        return bool(self._infosets & other._infosets)

    def is_reached_alike(self, strategy: Strategy) -> bool:
        return self._has(strategy, self._above)

    def is_worth_as_much(self, strategy: Strategy) -> bool:
        """Return whether the player does in the part what was done when it was solved, so that hands get as much."""
        return self._has(strategy, self._below)

    def _has(self, strategy: Strategy, rows: Mapping[str, Mapping[str, float]]) -> bool:
        for key, row in rows.items():
            played = strategy[self._player, key]
            if any(
                abs(played.get(action, 0.0) - probability) > _SAME
                for action, probability in row.items()
            ):
                return False
        return True


class _OnCards:
    """A part of a card form, by the player's range, and by what the opponent's hands get."""

    def __init__(self, part: Solution, what: ResolvedPart, strategy: Strategy) -> None:
        form = (what.continued or part.strategy).form
        assert form is not None
        self._what = what
        self._player = what.players[0]
        self._game = form.game
        self._tokens = line_tokens(what.line)
        self._boards = _boards_on_the_way(strategy, what)

    def lies_in(self, other: _OnCards) -> bool:
        """Return whether the part begins where the other one does, or later on its line and boards."""
        on_line = self._tokens[: len(other._tokens)] == other._tokens
        on_board = self._boards[: len(other._boards)] == other._boards
        return self._player == other._player and on_line and on_board

    def meets(self, other: _OnCards) -> bool:
        return self.lies_in(other) or other.lies_in(self)

    def is_reached_alike(self, strategy: Strategy) -> bool:
        what = self._what
        if strategy is what.solved_with:
            return True
        now: Floats = range_at(strategy, what.line, what.board, self._player)
        before: Floats = self._game.deal.weights[self._player]
        return np.allclose(now, before, rtol=_RANGE, atol=_RANGE)

    def is_worth_as_much(self, strategy: Strategy) -> bool:
        """Return whether no hand of the opponent gets less than it got when the part was solved."""
        what = self._what
        if strategy is what.solved_with:
            return True
        part = CardPart(
            strategy, what.line, what.board, None, self._player, held=find_locks(self._game)
        )
        boundary = part.boundary(gifts=False)
        now = boundary.value[boundary.weight > 0] * part.scale
        before = what.blueprint
        least = before - _VALUE * np.abs(before).max(initial=0.0)
        return len(now) == len(before) and bool((now >= least).all())


def _boards_on_the_way(strategy: Strategy, what: ResolvedPart) -> tuple[tuple[int, int], ...]:
    """Return the boards of a strategy's form that lead to a part, by street and number, the first one first."""
    form = strategy.form
    assert form is not None
    boards = []
    for street in range(1 + follow_line(form, what.line)[2]):
        place = find_board(
            form, what.board[: len(form.game.board) + sum(form.game.streets[:street])]
        )
        boards.append((place.street, place.board))
    return tuple(boards)


def _place_of(part: Solution, what: ResolvedPart, strategy: Strategy) -> _Place:
    """Return a part as what a strategy has to be that it is spliced into: on cards by ranges, else by rows."""
    if part.strategy.slots is None:
        return _Rows(what)
    return _OnCards(part, what, strategy)


class HeldParts:
    """The parts that were spliced so far, each with the strategy before it; those to come must be safe beside them."""

    def __init__(self) -> None:
        self._before: list[tuple[_Place, Strategy]] = []

    def add(self, part: Solution, strategy: Strategy) -> None:
        """Note that a part was spliced into a strategy.

        Raises
        ------
        SolutionError
            It was solved by a safe method with a strategy that plays otherwise on the way to it or
            in it, but for what the parts did that lie in it, which it replaces.
        """
        what = part.part
        # Where both were solved again nobody is promised anything.
        if what is None or not len(what.hands):
            return
        place = _place_of(part, what, strategy)
        if what.method != "unsafe":
            self._check(place, what, strategy)
        self._before.append((place, strategy))

    def _check(self, place: _Place, what: ResolvedPart, strategy: Strategy) -> None:
        player = f"player {what.players[0]}"
        why = f"{player} comes there otherwise than in the strategy"
        if place.is_reached_alike(strategy):
            why = f"{player} plays otherwise there than in the strategy"
            starts = [strategy]
            for other, before in reversed(self._before):
                if other.lies_in(place):
                    # The part replaces the other one, so that it may be solved without it.
                    starts.append(before)
                elif other.meets(place):
                    break
            if any(place.is_worth_as_much(start) for start in starts):
                return
        raise SolutionError(
            f"The part at {what.line!r} is not safe in this strategy: {why} that it was solved "
            "with, as where another part around it was spliced first. Solve it again with that "
            f"strategy, eq.resolve(eq.splice(run, ...), {what.line!r}, ...), or leave the other "
            "part out.",
            wrong_use=True,
        )
