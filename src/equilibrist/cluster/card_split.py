"""A card game split over actors: the first street at the driver, boards of the second street at the actors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cfr.algorithms import Algorithm
from ..cfr.card_cfr import keeps_strategy
from ..cfr.card_kernels import iterate
from ..errors import AlgorithmError
from ..form.cards.form import CardForm
from ..form.cards.walker import CardWalker
from ..strategy.slots import SlotStrategy
from ..strategy.strategy import Strategy
from .card_part import CardPart, line_values, ranges_of
from .parts import Ranges
from .traffic import Exchange


@dataclass(frozen=True, eq=False, repr=False)
class TopCardForm(CardForm):
    """The slots of the first street of a card form; what follows is walked by whoever its walker asks."""

    new_walker: Callable[[TopCardForm], CardWalker] = field(kw_only=True)

    def make_walker(self, threads: int) -> CardWalker:
        """Return a new walker of the first street, which has the boards walked elsewhere."""
        return self.new_walker(self)


class CardSplit:
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
        self._ranges = [ranges_of(form.arrays, below) for below in self.below]

    def makers(
        self, algorithm: Algorithm, *, alternating: bool, precision: str, threads: int
    ) -> list[Callable[[], CardPart]]:
        """Return what makes the part of each actor."""
        if precision == "int16":
            raise AlgorithmError(
                "Actors keep their tables in float32 or float64; got precision='int16'.", wrong_use=True
            )
        options: dict[str, Any] = {"alternating": alternating, "precision": precision, "threads": threads}
        options["keeps"] = keeps_strategy(algorithm, alternating)
        return [partial(CardPart, self.form.arrays, below, **options) for below in self.below]

    def top(self, exchange: Exchange) -> TopCardForm:
        """Return the form of the first street, whose walks exchange strategies and values with the actors."""
        given: dict[str, Any] = {each.name: getattr(self.form, each.name) for each in fields(CardForm)}
        given["arrays"] = self.form.arrays._replace(
            first_slot=np.minimum(self.form.arrays.first_slot, self._top_length)
        )
        return TopCardForm(**given, new_walker=partial(_ClusterCardWalker, boards=self.below, exchange=exchange))

    @property
    def held(self) -> list[Ranges]:
        """The slots of each actor, numbered as those of the form."""
        return self._ranges

    def strategy(self, weights: NDArray[Any]) -> Strategy:
        """Return the strategy that weights at all slots are, or those of the first street."""
        return SlotStrategy(self.form, weights, streets=1 if len(weights) == self._top_length else None)

    @property
    def lengths(self) -> list[int]:
        """Number of slots of each actor."""
        return [sum(last - first for first, last in ranges) for ranges in self._ranges]

    def gather(self, top: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return a table of the whole game from that of the first street and those of the actors."""
        whole = np.empty(self.form.length, top.dtype)
        whole[: self._top_length] = top
        for ranges, part in zip(self._ranges, parts, strict=True):
            start = 0
            for first, last in ranges:
                whole[first:last] = part[start : start + last - first]
                start += last - first
        return whole

    def scatter(self, whole: NDArray[Any]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Return the first street's and the actors' parts of a table of the whole game."""
        parts = [np.concatenate([whole[first:last] for first, last in ranges]) for ranges in self._ranges]
        return whole[: self._top_length], parts


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
            played, player = self._own(tables.played), players[0]
            changed = {p: own for p, own in played.items() if p not in self._sent or (own != self._sent[p]).any()}
            self._sent |= {p: own.copy() for p, own in changed.items()}
            answers = self._exchange.call("update", [(changed, players, *rest)] * len(self._boards))
        else:
            weights, player, _ = options
            answers = self._exchange.call("respond", [(self._own(weights), player)] * len(self._boards))
        for below, answer in zip(self._boards, answers, strict=True):
            for table, numbers in zip(line_values(self, below, player), answer, strict=True):
                if len(numbers):
                    table[:] = numbers

    def _own(self, table: NDArray[Any]) -> dict[int, NDArray[Any]]:
        """Return the slots of each player on the first street."""
        first = self.game.first_slot
        return {player: table[first[player] : first[player + 1]] for player in range(2)}
