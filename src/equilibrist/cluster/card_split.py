"""A card game split over actors: the first street at the driver, boards of the second street at the actors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cfr.algorithms import Algorithm
from ..cfr.card_cfr import stores_strategy
from ..cfr.card_kernels import iterate
from ..errors import AlgorithmError
from ..form.cards.form import CardForm
from ..form.cards.walker import CardWalker
from ..form.compiled_game import WalkerPool
from ..strategy.strategy import Strategy
from .card_part import CardPart, line_values, ranges_of
from .parts import Part, Ranges
from .split import Split
from .traffic import Exchange


@dataclass(frozen=True, eq=False, repr=False)
class TopCardForm(CardForm):
    """The slots of the first street of a card form; what follows is walked by whoever its walker asks."""

    new_walker: Callable[[TopCardForm], CardWalker] = field(kw_only=True)

    @cached_property
    def walkers(self) -> WalkerPool[CardWalker]:
        return WalkerPool(lambda threads: self.new_walker(self))


class CardSplit(Split):
    """A card form, cut into its first street and a run of boards of the second street for each actor.

    Parameters
    ----------
    form : CardForm
        The game.
    count : int
        Number of actors; fewer are used where there are fewer boards.
    most : int, optional
        Means nothing here: all cuts are alike.

    Raises
    ------
    AlgorithmError
        The game has a single street, or locked strategies.
    """

    most = 0  # the cut is where the second street begins

    def __init__(self, form: CardForm, count: int, *, most: int | None = None) -> None:
        if len(form.betting.streets) == 1 or form.locks is not None:
            what = "has locks" if form.locks is not None else "has a single street"
            raise AlgorithmError(
                f"{form.name} {what}; only a game with a turn card and without locks is split over actors. Solve it on "
                "one machine.",
                wrong_use=True,
            )
        self.form = form
        first, last = (int(board) for board in form.arrays.boards.first_child[:2])
        edges = np.unique(np.linspace(first, last, count + 1).round().astype(int)).tolist()
        self.below = list(pairwise(edges))
        self._top_length = int(form.arrays.first_slot[2])
        self.slots = [ranges_of(form.arrays, below) for below in self.below]

    def makers(self, algorithm: Algorithm, *, precision: str, threads: int) -> list[Callable[[], Part]]:
        if np.dtype(precision).kind != "f":
            raise AlgorithmError(
                f"Actors keep their tables in float32 or float64; got precision={precision!r}.", wrong_use=True
            )
        options: dict[str, Any] = {"alternating": algorithm.alternating, "precision": precision, "threads": threads}
        options["keeps"] = stores_strategy(algorithm)
        return [partial(CardPart, self.form.arrays, below, **options) for below in self.below]

    def top(self, exchange: Exchange) -> TopCardForm:
        parts: dict[str, Any] = {each.name: getattr(self.form, each.name) for each in fields(CardForm)}
        parts["arrays"] = self.form.arrays._replace(
            first_slot=np.minimum(self.form.arrays.first_slot, self._top_length)
        )
        return TopCardForm(**parts, new_walker=partial(_ClusterCardWalker, boards=self.below, exchange=exchange))

    @property
    def held(self) -> list[Ranges]:
        return self.slots

    def strategy(self, weights: NDArray[Any]) -> Strategy:
        return Strategy.from_weights(self.form, weights, 1 if len(weights) == self._top_length else None)


class _ClusterCardWalker(CardWalker):
    """Walks of the first street, for which actors walk the boards that follow."""

    def __init__(self, form: TopCardForm, *, boards: list[tuple[int, int]], exchange: Exchange) -> None:
        super().__init__(form.arrays, below=(0, 0))
        self._boards = boards
        self._exchange = exchange
        self._sent: dict[int, NDArray[Any]] = {}

    def walk_below(self, kernel: Callable[..., None], *options: Any) -> None:
        """Send the actors what the strategies of the first street follow from, and take the values that they return."""
        if kernel is iterate:
            tables, players, *rest = options
            played, player = self._first_street(tables.played), players[0]
            sent = self._sent
            changed = {p: table for p, table in played.items() if p not in sent or (table != sent[p]).any()}
            self._sent |= {p: table.copy() for p, table in changed.items()}
            answers = self._exchange.call("update", [(changed, players, *rest)] * len(self._boards))
        else:
            weights, player, _ = options
            answers = self._exchange.call("respond", [(self._first_street(weights), player)] * len(self._boards))
        for below, answer in zip(self._boards, answers, strict=True):
            for table, numbers in zip(line_values(self, below, player), answer, strict=True):
                if len(numbers):
                    table[:] = numbers

    def _first_street(self, table: NDArray[Any]) -> dict[int, NDArray[Any]]:
        first = self.game.first_slot
        return {player: table[first[player] : first[player + 1]] for player in range(2)}
