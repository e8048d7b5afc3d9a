"""The part of a card game that one actor owns: the tables of some boards of the second street, and of what follows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Ints
from ..cfr.card_kernels import CardTables, iterate
from ..form.cards.passes import response_walk
from ..form.cards.walk import CardArrays
from ..form.cards.walker import CardWalker
from ..form.responses import NO_TABLES
from .parts import Part, Ranges

Values = tuple[NDArray[Any], NDArray[Any]]
"""The values of the lines that lead to each board, and the same with the best response below, or nothing."""


def ranges_of(game: CardArrays, below: tuple[int, int]) -> Ranges:
    """Return the slots of some boards of the second street and of what follows on them, by street and player."""
    ranges: list[tuple[int, int]] = []
    first, last = below
    for street in range(1, len(game.betting.lines)):
        for q in (2 * street, 2 * street + 1):
            each = int((game.betting.rows[q] - game.betting.lines[street]) * game.boards.width[q])
            begin = int(game.first_slot[q] - game.boards.first_board[street] * each)
            ranges.append((begin + first * each, begin + last * each))
        first, last = int(game.boards.first_child[first]), int(game.boards.first_child[last])
    return ranges


def _moved(game: CardArrays, ranges: Ranges) -> Ints:
    """Return where the slots of each street and player would begin, if the tables held these ranges alone.

    They come after those of the first street.
    """
    first_slot, length = game.first_slot.copy(), int(game.first_slot[2])
    for q, (first, last) in enumerate(ranges, 2):
        first_slot[q] += length - first
        length += last - first
    first_slot[-1] = length
    return first_slot


class CardPart(Part):
    """The boards of the second street that one actor owns, with the tables of their slots and of what follows.

    Its tables also hold the slots of the first street, which the driver sends: the strategy there, from which the reach
    of the lines follows that lead to the boards.

    Parameters
    ----------
    game : CardArrays
        The game.
    below : pair of int
        The boards, as (first, last + 1).
    keeps : bool
        Whether the current strategy is stored.
    alternating : bool
        Whether the players update in turn.
    precision : {"float64", "float32"}
        How the tables are stored.
    threads : int
        How many threads walk.
    """

    def __init__(
        self, game: CardArrays, below: tuple[int, int], *, keeps: bool, alternating: bool, precision: str, threads: int
    ) -> None:
        self.ranges = ranges_of(game, below)
        self._below, self._alternating = below, alternating
        self._top = [slice(*game.first_slot[player : player + 2]) for player in range(2)]
        part = game._replace(first_slot=_moved(game, self.ranges))
        self._walker = CardWalker(part, threads=threads, below=below)
        length = int(part.first_slot[-1])
        self._tables = {name: zeros(length, precision) for name in ("regret_sum", "strategy_sum")}
        if keeps:
            self._tables["strategy"] = zeros(length, precision)
        self._following = self._tables["strategy"] if keeps and alternating else zeros(length * keeps, precision)

    def reset(self) -> None:
        for table in (*self._tables.values(), self._following):
            table[:] = 0

    def update(self, first_street: dict[int, NDArray[Any]], players: tuple[int, int], *options: Any) -> Values:
        """Carry out the turn of a player; ``first_street`` is what the strategies there follow from, where changed."""
        tables = self._tables
        played = tables.get("strategy", tables["regret_sum"])
        self._take(played, first_street)
        kernel_tables = CardTables(played, tables["regret_sum"], tables["strategy_sum"], self._following)
        self._walker.walk_below(iterate, kernel_tables, players, *options)
        if not self._alternating and players[1] == 2:
            tables["strategy"], self._following = self._following, tables["strategy"]
            self._take(tables["strategy"], {player: played[place] for player, place in enumerate(self._top)})
        return self._values(players[0])[0], np.zeros(0)

    def respond(self, first_street: dict[int, NDArray[Any]], player: int) -> Values:
        """Return the values of the average strategy and of the best response of a player to it."""
        weights = self._tables["strategy_sum"]
        self._take(weights, first_street)
        self._walker.walk_below(response_walk, weights, player, NO_TABLES)
        return self._values(player)

    def _take(self, table: NDArray[Any], first_street: dict[int, NDArray[Any]]) -> None:
        for player, numbers in first_street.items():
            table[self._top[player]] = numbers

    def _values(self, player: int) -> Values:
        rows = line_values(self._walker, self._below, player)
        return rows[0].copy(), rows[1].copy()

    @property
    def tables(self) -> dict[str, NDArray[Any]]:  # without the first street
        return {name: table[self._top[1].stop :] for name, table in self._tables.items()}


def line_values(walker: CardWalker, below: tuple[int, int], player: int) -> Values:
    """Return views of the values of the lines that lead to some boards of the second street."""
    game, span = walker.game, walker.span
    length = int(game.betting.lines[1] * game.boards.width[2 + player])
    lines = slice((below[0] - 1) * length, (below[1] - 1) * length)
    return span.values[lines], span.best_values[lines]
