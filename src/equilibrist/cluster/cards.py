"""A card game split over actors: the first street at the driver, boards of the second street at the actors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from .._util.arrays import Ints
from ..cfr.algorithms import Algorithm
from ..cfr.card_cfr import stores_strategy
from ..cfr.card_kernels import CardTables, iterate
from ..errors import AlgorithmError
from ..form.cards.form import CardForm
from ..form.cards.passes import response_walk
from ..form.cards.walk import CardArrays
from ..form.cards.walker import CardWalker
from ..form.compiled_game import WalkerPool
from ..form.floors import NO_FLOORS
from ..form.responses import NO_TABLES
from ..strategy.strategy import Strategy
from .parts import Part, Ranges, Split
from .ray_cluster import Actors

Values = tuple[NDArray[Any], NDArray[Any]]
"""The values of the lines that lead to each board, and the same with the best response below, or nothing."""


def slot_ranges(game: CardArrays, boards_below: tuple[int, int]) -> Ranges:
    """Return the slots of some boards of the second street and of what follows on them, by street and player."""
    ranges: list[tuple[int, int]] = []
    first, last = boards_below
    for street in range(1, len(game.betting.lines)):
        for q in (2 * street, 2 * street + 1):
            slots_per_board = int(
                (game.betting.rows[q] - game.betting.lines[street]) * game.boards.width[q]
            )
            begin = int(game.first_slot[q] - game.boards.first_board[street] * slots_per_board)
            ranges.append((begin + first * slots_per_board, begin + last * slots_per_board))
        first = int(game.boards.first_child[first])
        last = int(game.boards.first_child[last])
    return ranges


def _shift_ranges(game: CardArrays, ranges: Ranges) -> Ints:
    """Return where the slots of each street and player would begin, if the tables held these ranges alone.

    They come after those of the first street.
    """
    first_slot = game.first_slot.copy()
    length = int(game.first_slot[2])
    for q, (first, last) in enumerate(ranges, 2):
        first_slot[q] += length - first
        length += last - first
    first_slot[-1] = length
    return first_slot


class CardPart(Part):
    """The boards of the second street that one actor owns, with the tables of their slots and of what follows.

    Its tables also hold the slots of the first street, which the driver sends: the strategy there,
    from which the reach of the lines follows that lead to the boards. ``below`` are these, as
    (first, last + 1); ``keeps_strategy`` says whether the current strategy is stored.
    """

    def __init__(
        self,
        game: CardArrays,
        boards_below: tuple[int, int],
        *,
        keeps_strategy: bool,
        alternating: bool,
        precision: str,
        threads: int,
    ) -> None:
        self.ranges = slot_ranges(game, boards_below)
        self._below = boards_below
        self._alternating = alternating
        self._top = [slice(*game.first_slot[player : player + 2]) for player in range(2)]
        self._part = game._replace(first_slot=_shift_ranges(game, self.ranges))
        self._keeps_strategy = keeps_strategy
        self._threads = threads
        # one that certifies, whose arithmetic is always that of float64
        self._certifier = CardWalker(self._part, threads=threads, below=boards_below)
        self.store_in(precision)

    def store_in(self, precision: str) -> None:
        self._walker = CardWalker(self._part, precision, threads=self._threads, below=self._below)
        length = int(self._part.first_slot[-1])
        self._tables = {name: zeros(length, precision) for name in ("regret_sum", "strategy_sum")}
        if self._keeps_strategy:
            self._tables["strategy"] = zeros(length, precision)
        in_place = self._keeps_strategy and self._alternating
        if in_place:
            self._next_strategy = self._tables["strategy"]
        else:
            self._next_strategy = zeros(length * self._keeps_strategy, precision)

    def update(
        self, first_street: dict[int, NDArray[Any]], players: tuple[int, int], *options: Any
    ) -> Values:
        """Carry out the turn of a player; ``first_street`` is what the strategies there follow from, where changed."""
        tables = self._tables
        strategy = tables.get("strategy", tables["regret_sum"])
        self._put_first_street(strategy, first_street)
        kernel_tables = CardTables(
            strategy, tables["regret_sum"], tables["strategy_sum"], self._next_strategy
        )
        self._walker.walk_below(iterate, kernel_tables, players, *options)
        if not self._alternating and players[1] == 2:
            tables["strategy"], self._next_strategy = self._next_strategy, tables["strategy"]
            self._put_first_street(
                tables["strategy"],
                {player: strategy[place] for player, place in enumerate(self._top)},
            )
        return self._copy_values(self._walker, players[0])[0], np.zeros(0)

    def respond(self, first_street: dict[int, NDArray[Any]], player: int) -> Values:
        """Return the values of the average strategy and of the best response of a player to it."""
        weights = self._tables["strategy_sum"]
        self._put_first_street(weights, first_street)
        self._certifier.walk_below(
            response_walk, weights, (player, player + 1), NO_TABLES, NO_FLOORS, np.zeros((2, 4))
        )
        return self._copy_values(self._certifier, player)

    def _put_first_street(self, table: NDArray[Any], first_street: dict[int, NDArray[Any]]) -> None:
        """Put the slots of the first street into a table of the part, by player; filled in place."""
        for player, numbers in first_street.items():
            table[self._top[player]] = numbers

    def _copy_values(self, walker: CardWalker, player: int) -> Values:
        """Return copies of the values of the lines that lead to the boards of the part."""
        rows = line_values(walker, self._below, player)
        return rows[0].copy(), rows[1].copy()

    @property
    def tables(self) -> dict[str, NDArray[Any]]:  # without the first street
        return {name: table[self._top[1].stop :] for name, table in self._tables.items()}


def line_values(walker: CardWalker, boards_below: tuple[int, int], player: int) -> Values:
    """Return views of the values of the lines that lead to some boards of the second street."""
    game = walker.game
    span = walker.span
    length = int(game.betting.lines[1] * game.boards.width[2 + player])
    lines = slice((boards_below[0] - 1) * length, (boards_below[1] - 1) * length)
    return span.values[lines], span.best_values[lines]


@dataclass(frozen=True, eq=False, repr=False)
class TopCardForm(CardForm):
    """The slots of the first street of a card form; what follows is walked by whoever its walker asks."""

    new_walker: Callable[..., CardWalker] = field(kw_only=True)

    @cached_property
    def walkers(self) -> WalkerPool[CardWalker]:
        return WalkerPool(partial(self.new_walker, self))

    @property
    def conditional_walkers(self) -> WalkerPool[CardWalker]:
        return self.walkers  # actors walk by the arrays that they were given


class CardSplit(Split):
    """A card form, cut into its first street and a run of boards of the second street for each of ``count`` actors.

    Fewer are used where there are fewer boards. ``max_subtree_slots`` means nothing here: the cut
    is where the second street begins.
    """

    max_subtree_slots = 0

    def __init__(self, form: CardForm, count: int, *, max_subtree_slots: int | None = None) -> None:
        if len(form.betting.streets) == 1 or form.locks is not None:
            if form.locks is not None:
                obstacle = "has locks"
            else:
                obstacle = "has a single street"
            raise AlgorithmError(
                f"{form.name} {obstacle}; only a game with a turn card and without locks is split "
                "over actors. Solve it on "
                "one machine.",
            )
        self.form = form
        first, last = (int(board) for board in form.arrays.boards.first_child[:2])
        edges = np.unique(np.linspace(first, last, count + 1).round().astype(int)).tolist()
        self.below = list(pairwise(edges))
        self._top_length = int(form.arrays.first_slot[2])
        self.slots = [slot_ranges(form.arrays, boards_below) for boards_below in self.below]

    def makers(
        self, algorithm: Algorithm, *, precision: str, threads: int
    ) -> list[Callable[[], Part]]:
        if np.dtype(precision).kind != "f":
            raise AlgorithmError(
                f"Actors keep their tables in float32 or float64; got precision={precision!r}."
            )
        options: dict[str, Any] = {
            "keeps_strategy": stores_strategy(algorithm),
            "alternating": algorithm.alternating,
            "precision": precision,
            "threads": threads,
        }
        return [
            partial(CardPart, self.form.arrays, boards_below, **options)
            for boards_below in self.below
        ]

    def top(self, actors: Actors) -> TopCardForm:
        form_fields: dict[str, Any] = {
            field.name: getattr(self.form, field.name) for field in fields(CardForm)
        }
        form_fields["arrays"] = self.form.arrays._replace(
            first_slot=np.minimum(self.form.arrays.first_slot, self._top_length)
        )
        return TopCardForm(
            **form_fields, new_walker=partial(_ClusterCardWalker, boards=self.below, actors=actors)
        )

    def strategy(self, weights: NDArray[Any]) -> Strategy:
        return Strategy.from_weights(
            self.form, weights, 1 if len(weights) == self._top_length else None
        )


class _ClusterCardWalker(CardWalker):
    """Walks of the first street, for which actors walk the boards that follow."""

    def __init__(
        self,
        form: TopCardForm,
        *,
        boards: list[tuple[int, int]],
        actors: Actors,
        precision: str = "float64",
        **_: Any,
    ) -> None:
        super().__init__(form.arrays, precision, below=(0, 0))
        self._boards = boards
        self._actors = actors
        self._sent: dict[int, NDArray[Any]] = {}

    def walk_below(self, kernel: Callable[..., None], *options: Any) -> None:
        """Send the actors what the strategies of the first street follow from, and take the values that they return."""
        if kernel is iterate:
            tables, players, *other_options = options
            strategies = self._first_street(tables.played)
            player = players[0]
            strategies_sent = self._sent
            changed_strategies = {
                p: table
                for p, table in strategies.items()
                if p not in strategies_sent or (table != strategies_sent[p]).any()
            }
            self._sent |= {p: table.copy() for p, table in changed_strategies.items()}
            answers = self._actors.call(
                "update", [(changed_strategies, players, *other_options)] * len(self._boards)
            )
        else:
            weights, (player, _), *_ = options
            answers = self._actors.call(
                "respond", [(self._first_street(weights), player)] * len(self._boards)
            )
        for boards_below, answer in zip(self._boards, answers, strict=True):
            for table, numbers in zip(line_values(self, boards_below, player), answer, strict=True):
                if len(numbers):
                    table[:] = numbers

    def _first_street(self, table: NDArray[Any]) -> dict[int, NDArray[Any]]:
        """Return the slots of the first street in a table, by player."""
        first = self.game.first_slot
        return {player: table[first[player] : first[player + 1]] for player in range(2)}
