"""What a part was solved with, by which it is safe: what the player does on the way to it, and in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from .._util.arrays import Floats
from ..errors import SolutionError
from ..form.cards.ranged_subgame import follow_line
from ..form.cards.subgame import find_board
from ..game.card_places import line_tokens
from ..game.locks import find_locks
from ..solving.resolved_part import ResolvedPart
from ..solving.solution import Solution
from ..strategy.strategy import Strategy
from .cards import CardPart, range_at

_SAME = 1e-9  # of a probability, by which rows that were written and read may differ
_RANGE = 1e-6  # of a probability: weights of card forms are in single precision
_VALUE = 1e-6  # of the largest value of a hand


class _Place(Protocol):
    """A part, as what the strategy has to be that it is spliced into."""

    def lies_in(self, other: Any) -> bool: ...
    def meets(self, other: Any) -> bool: ...
    def is_reached_alike(self, strategy: Strategy) -> bool: ...
    def is_worth_as_much(self, strategy: Strategy) -> bool: ...


class _RowsPlace:
    """A part of a sequence form, by the rows of the player's strategy."""

    def __init__(self, resolved: ResolvedPart) -> None:
        self._player = resolved.players[0]
        self._above = resolved.above
        self._below = resolved.below
        self._infosets = {(self._player, key) for key in resolved.below}

    def lies_in(self, other: _RowsPlace) -> bool:
        return self._infosets <= other._infosets

    def meets(self, other: _RowsPlace) -> bool:
        return bool(self._infosets & other._infosets)

    def is_reached_alike(self, strategy: Strategy) -> bool:
        return self._plays_rows(strategy, self._above)

    def is_worth_as_much(self, strategy: Strategy) -> bool:
        """Return whether the player does in the part what was done when it was solved, so that hands get as much."""
        return self._plays_rows(strategy, self._below)

    def _plays_rows(self, strategy: Strategy, rows: Mapping[str, Mapping[str, float]]) -> bool:
        for key, row in rows.items():
            probabilities = strategy[self._player, key]
            if any(
                abs(probabilities.get(action, 0.0) - probability) > _SAME
                for action, probability in row.items()
            ):
                return False
        return True


class _CardPlace:
    """A part of a card form, by the player's range, and by what the opponent's hands get."""

    def __init__(self, part: Solution, resolved: ResolvedPart, strategy: Strategy) -> None:
        form = (resolved.continued or part.strategy).form
        assert form is not None
        self._resolved = resolved
        self._player = resolved.players[0]
        self._game = form.game
        self._tokens = line_tokens(resolved.line)
        self._boards = _boards_on_the_way(strategy, resolved)

    def lies_in(self, other: _CardPlace) -> bool:
        """Return whether the part begins where the other one does, or later on its line and boards."""
        on_line = self._tokens[: len(other._tokens)] == other._tokens
        on_board = self._boards[: len(other._boards)] == other._boards
        return self._player == other._player and on_line and on_board

    def meets(self, other: _CardPlace) -> bool:
        return self.lies_in(other) or other.lies_in(self)

    def is_reached_alike(self, strategy: Strategy) -> bool:
        resolved = self._resolved
        if strategy is resolved.solved_with:
            return True
        range_now: Floats = range_at(strategy, resolved.line, resolved.board, self._player)
        range_before: Floats = self._game.deal.weights[self._player]
        return np.allclose(range_now, range_before, rtol=_RANGE, atol=_RANGE)

    def is_worth_as_much(self, strategy: Strategy) -> bool:
        """Return whether no hand of the opponent gets less than it got when the part was solved."""
        resolved = self._resolved
        if strategy is resolved.solved_with:
            return True
        part = CardPart(
            strategy, resolved.line, resolved.board, None, self._player, held=find_locks(self._game)
        )
        boundary = part.boundary(gifts=False)
        value_now = boundary.value[boundary.weight > 0] * part.scale
        value_before = resolved.blueprint
        least_value = value_before - _VALUE * np.abs(value_before).max(initial=0.0)
        return len(value_now) == len(value_before) and bool((value_now >= least_value).all())


def _boards_on_the_way(strategy: Strategy, resolved: ResolvedPart) -> tuple[tuple[int, int], ...]:
    """Return the boards of a strategy's form that lead to a part, by street and number, the first one first."""
    form = strategy.form
    assert form is not None
    boards = []
    for street in range(1 + follow_line(form, resolved.line)[2]):
        place = find_board(
            form, resolved.board[: len(form.game.board) + sum(form.game.streets[:street])]
        )
        boards.append((place.street, place.board))
    return tuple(boards)


def _make_place(part: Solution, resolved: ResolvedPart, strategy: Strategy) -> _Place:
    """Return a part as what a strategy has to be that it is spliced into: on cards by ranges, else by rows."""
    if part.strategy.slots is None:
        return _RowsPlace(resolved)
    return _CardPlace(part, resolved, strategy)


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
        resolved = part.part
        # Where both were solved again nobody is promised anything.
        if resolved is None or not len(resolved.hands):
            return
        place = _make_place(part, resolved, strategy)
        if resolved.method != "unsafe":
            self._check(place, resolved, strategy)
        self._before.append((place, strategy))

    def _check(self, place: _Place, resolved: ResolvedPart, strategy: Strategy) -> None:
        player = f"player {resolved.players[0]}"
        reason = f"{player} comes there otherwise than in the strategy"
        if place.is_reached_alike(strategy):
            reason = f"{player} plays otherwise there than in the strategy"
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
            f"The part at {resolved.line!r} is not safe in this strategy: {reason} that it was solved "
            "with, as where another part around it was spliced first. Solve it again with that "
            f"strategy, eq.resolve(eq.splice(run, ...), {resolved.line!r}, ...), or leave the other "
            "part out.",
            wrong_use=True,
        )
