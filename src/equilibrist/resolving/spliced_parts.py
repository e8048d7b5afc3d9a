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

    def __init__(self, part: ResolvedPart) -> None:
        self._player = part.players[0]
        self._above = part.above
        self._below = part.below
        self._infosets = {(self._player, key) for key in part.below}

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

    def __init__(self, solution: Solution, part: ResolvedPart, strategy: Strategy) -> None:
        form = (part.continued or solution.strategy).form
        assert form is not None
        self._part = part
        self._player = part.players[0]
        self._game = form.game
        self._tokens = line_tokens(part.line)
        self._boards = _boards_on_the_way(strategy, part)

    def lies_in(self, other: _CardPlace) -> bool:
        """Return whether the part begins where the other one does, or later on its line and boards."""
        on_line = self._tokens[: len(other._tokens)] == other._tokens
        on_board = self._boards[: len(other._boards)] == other._boards
        return self._player == other._player and on_line and on_board

    def meets(self, other: _CardPlace) -> bool:
        return self.lies_in(other) or other.lies_in(self)

    def is_reached_alike(self, strategy: Strategy) -> bool:
        part = self._part
        if strategy is part.solved_with:
            return True
        range_now: Floats = range_at(strategy, part.line, part.board, self._player)
        range_before: Floats = self._game.deal.weights[self._player]
        return np.allclose(range_now, range_before, rtol=_RANGE, atol=_RANGE)

    def is_worth_as_much(self, strategy: Strategy) -> bool:
        """Return whether no hand of the opponent gets less than it got when the part was solved."""
        part = self._part
        if strategy is part.solved_with:
            return True
        card_part = CardPart(
            strategy,
            part.line,
            part.board,
            None,
            self._player,
            locks_of_part=find_locks(self._game),
        )
        boundary = card_part.boundary(gifts=False)
        value_now = boundary.value[boundary.weight > 0] * card_part.scale
        value_before = part.blueprint
        least_value = value_before - _VALUE * np.abs(value_before).max(initial=0.0)
        return len(value_now) == len(value_before) and bool((value_now >= least_value).all())


def _boards_on_the_way(strategy: Strategy, part: ResolvedPart) -> tuple[tuple[int, int], ...]:
    """Return the boards of a strategy's form that lead to a part, by street and number, the first one first."""
    form = strategy.form
    assert form is not None
    boards = []
    for street in range(1 + follow_line(form, part.line)[2]):
        place = find_board(
            form, part.board[: len(form.game.board) + sum(form.game.streets[:street])]
        )
        boards.append((place.street, place.board))
    return tuple(boards)


def _make_place(solution: Solution, part: ResolvedPart, strategy: Strategy) -> _Place:
    """Return a part as what a strategy has to be that it is spliced into: on cards by ranges, else by rows."""
    if solution.strategy.slots is None:
        return _RowsPlace(part)
    return _CardPlace(solution, part, strategy)


class SplicedParts:
    """The parts that were spliced so far, each with the strategy before it; those to come must be safe beside them."""

    def __init__(self) -> None:
        self._earlier: list[tuple[_Place, Strategy]] = []

    def add(self, solution: Solution, strategy: Strategy) -> None:
        """Note that a part was spliced into a strategy.

        Raises
        ------
        SolutionError
            It was solved by a safe method with a strategy that plays otherwise on the way to it or
            in it, but for what the parts did that lie in it, which it replaces.
        """
        part = solution.part
        # Where both were solved again nobody is promised anything.
        if part is None or not len(part.hands):
            return
        place = _make_place(solution, part, strategy)
        if part.method != "unsafe":
            self._check(place, part, strategy)
        self._earlier.append((place, strategy))

    def _check(self, place: _Place, part: ResolvedPart, strategy: Strategy) -> None:
        player = f"player {part.players[0]}"
        reason = f"{player} comes there otherwise than in the strategy"
        if place.is_reached_alike(strategy):
            reason = f"{player} plays otherwise there than in the strategy"
            starts = [strategy]
            for earlier_place, earlier_strategy in reversed(self._earlier):
                if earlier_place.lies_in(place):
                    # The part replaces the other one, so that it may be solved without it.
                    starts.append(earlier_strategy)
                elif earlier_place.meets(place):
                    break
            if any(place.is_worth_as_much(start) for start in starts):
                return
        raise SolutionError(
            f"The part at {part.line!r} is not safe in this strategy: {reason} that it was solved "
            "with, as where another part around it was spliced first. Solve it again with that "
            f"strategy, eq.resolve(eq.splice(run, ...), {part.line!r}, ...), or leave the other "
            "part out.",
            wrong_use=True,
        )
