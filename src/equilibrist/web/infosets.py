"""The infosets of a run as a table that is read part by part: order, groups, and numbers of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints, offsets
from .._util.places import import_place
from ..errors import EquilibristError
from ..evaluation.action_values import ActionValues, infoset_reach, uniform_strategy
from ..evaluation.off_path import is_rare, off_path_note
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from ..plot.rows import make_splitter
from ..solving.sources import read_at_slots
from ..strategy.order import MOST_IN_ORDER, reading_order
from .answers import HistoryHeading, InfosetDetails, InfosetRow, RecordedInfoset
from .respond import RequestError

if TYPE_CHECKING:
    from .workspace import OpenRun

CARD_READER = "poker.cards.cards:parse_cards"
"""What reads the names of cards that stand in names of infosets."""
ORDERS = ("game", "reach", "loss", "regret")
"""How rows may be sorted: as tables and files are, or by a number, the largest first."""

_MOST_SEARCHED = 500_000  # infosets, whose names are made for it


class InfosetTable:
    """Infosets of a run, with reach, values and regrets where the game can be compiled; ``lacking`` says why not."""

    def __init__(self, run: OpenRun) -> None:
        self.solution = run.solution
        self.form: CompiledGame | None = None
        self.lacking: EquilibristError | None = None
        try:
            self.form = run.form
            self._sigma = read_at_slots(self.solution, self.form)
            self._values = ActionValues(self.form, self._sigma)
            self.reach: Floats | None = infoset_reach(self.form, self._sigma)
        except EquilibristError as error:
            self.form = None
            self.reach = None
            self.lacking = error
        strategy = self.solution.strategy
        if self.form is None:
            self.infosets = strategy.infosets
        else:
            self.infosets = self.form.infosets
        if self.form is None:
            self.probabilities = strategy.probabilities
        else:
            self.probabilities = self._sigma[self.form.slot]
        self.first: Ints = offsets(self.infosets.num_actions)

    def __len__(self) -> int:
        return len(self.infosets)

    @cached_property
    def names(self) -> list[Infoset]:
        return list(self.infosets)

    @cached_property
    def order(self) -> Ints:
        """Numbers of the infosets in the order of tables and files."""
        return np.asarray(
            reading_order(self.names if len(self) <= MOST_IN_ORDER else self.infosets), np.int64
        )

    @cached_property
    def _parts(self) -> list[tuple[str, str]] | None:
        """Holding and history of each infoset, where names can be split so and are not too many."""
        if len(self) <= MOST_IN_ORDER:
            split = make_splitter(self.names)
        else:
            split = None
        if split is None:
            return None
        return [split(infoset.key) for infoset in self.names]

    @cached_property
    def _has_cards(self) -> bool:
        """Whether all hands of a decision stand together: names are hand, board and line."""
        return self.infosets.first_of_decisions() is not None

    @cached_property
    def decision(self) -> Ints | None:
        """The decision of each infoset, shape (infosets,): one number for all hands of a player after a history.

        None where nothing is known of hands and histories.
        """
        first = self.infosets.first_of_decisions()
        if first is not None:
            return np.searchsorted(first, np.arange(len(self)), side="right") - 1
        if self._parts is None:
            return None
        numbers: dict[tuple[int, str], int] = {}
        histories = [
            (infoset.player, part[1]) for infoset, part in zip(self.names, self._parts, strict=True)
        ]
        return np.array(
            [numbers.setdefault(history, len(numbers)) for history in histories], np.int64
        )

    def _split(self, number: int, key: str) -> tuple[str, str]:
        """Return holding and history of an infoset; the whole name and nothing where it cannot be split."""
        if self._has_cards:
            holding, _, history = key.partition(" ")
            return holding, history
        if self._parts is None:
            return (key, "")
        return self._parts[number]

    def _made_hand(self, holding: str, history: str) -> str:
        """Return what a hand makes of the board, where the game has a word for it."""
        if self._has_cards:
            describe = getattr(getattr(self.form, "game", None), "describe", None)
        else:
            describe = None
        if describe is None:
            return ""
        parse_cards = import_place(CARD_READER)
        _, description = describe(holding, parse_cards(history.partition(" ")[0]))
        return str(description)

    @cached_property
    def rare(self) -> NDArray[np.bool_]:
        """Whether play does not come to an infoset; nowhere, where nobody knows."""
        if self.form is None or self.reach is None:
            return np.zeros(len(self), bool)
        return is_rare(self.reach, infoset_reach(self.form, uniform_strategy(self.form)))

    @cached_property
    def action_value(self) -> Floats | None:
        """The value of each action with the strategy followed afterwards; NaN where nobody leads there."""
        if self.form is None:
            return None
        return self._values.per_reach(self._values.cf_values)

    @cached_property
    def value(self) -> Floats | None:
        if self.action_value is None:
            return None
        return self._sum(self.probabilities * self.action_value)

    @cached_property
    def regret(self) -> Floats | None:
        """The largest regret of each infoset: how much better its best action is than the strategy, payoff."""
        if self.action_value is None or self.value is None:
            return None
        if len(self):
            return np.maximum.reduceat(self.action_value, self.first[:-1]) - self.value
        return self.value

    @cached_property
    def loss(self) -> Floats | None:
        """What each infoset gives away, payoff per game: reach × (best action − the strategy), with best play below.

        A locked one gives nothing away, because best responses keep to it.
        """
        if self.form is None or self.reach is None:
            return None
        values = np.nan_to_num(self._values.values)
        if len(self):
            best_value = np.maximum.reduceat(values, self.first[:-1])
        else:
            best_value = values
        loss = np.asarray(self.reach * (best_value - self._sum(self.probabilities * values)))
        loss[self.form.locked_infosets] = 0.0
        return loss

    def _sum(self, values: Floats) -> Floats:
        if len(self):
            return np.asarray(np.add.reduceat(values, self.first[:-1]))
        return np.zeros(0)

    @cached_property
    def regret_sum(self) -> Floats | None:
        """The regret sums of the algorithm by action, where the run has kept them in the order of the form."""
        sums = self.solution.state.get("regret_sum")
        if self.form is None or sums is None or sums.shape != (self.form.length,):
            return None
        return np.asarray(sums[self.form.slot], np.float64)

    def slots(self, number: int) -> slice:
        return slice(int(self.first[number]), int(self.first[number + 1]))

    def number(self, player: int, key: str) -> int:
        number = self.find(player, key)
        if number is None:
            raise RequestError(
                f"infoset: player {player} has no infoset {key!r}.", field="infoset", status=404
            )
        return number

    def find(self, player: int, key: str) -> int | None:
        """Return the number of an infoset, or None where there is none of this name."""
        return self._index.get((player, key))

    @cached_property
    def _index(self) -> dict[tuple[int, str], int]:
        return {(infoset.player, infoset.key): number for number, infoset in enumerate(self.names)}

    def choose_infosets(self, *, player: int | None, search: str, order: str) -> Ints:
        """Return the numbers of infosets of a player that have a text in their names, in an order."""
        numbers = self.order
        if player is not None:
            numbers = numbers[np.asarray(self.infosets.owner)[numbers] == player]
        if search:
            if len(self) > _MOST_SEARCHED:
                raise RequestError(
                    f"search: more than {_MOST_SEARCHED:,} infosets are not searched.",
                    field="search",
                )
            words = search.lower().split()
            numbers = np.asarray(
                [
                    n
                    for n in numbers.tolist()
                    if all(word in self.names[n].key.lower() for word in words)
                ],
                np.int64,
            )
        if order == "game":
            return numbers
        by = {"reach": self.reach, "loss": self.loss, "regret": self.regret}[order]
        if by is None:
            raise RequestError(
                f"order: nothing is known to sort by {order}: {self.lacking}", field="order"
            )
        return np.asarray(
            numbers[np.argsort(-np.nan_to_num(by[numbers], nan=-np.inf), kind="stable")]
        )

    def lines(self, numbers: Ints, *, grouped: bool) -> Sequence[int]:
        """Return the lines that are shown: numbers of infosets, and −1 − number before the first of a history."""
        if not grouped or self.decision is None or not len(numbers):
            return numbers.tolist()  # type: ignore[no-any-return]
        decision = self.decision[numbers]
        decision_starts = np.flatnonzero(
            np.diff(decision, prepend=-1)
        )  # of a decision after another one
        return np.insert(numbers, decision_starts, -1 - numbers[decision_starts]).tolist()

    def line(self, number: int) -> InfosetRow | HistoryHeading:
        """Return a line as plain data: the heading of a history, or an infoset."""
        if number < 0:
            first_row = self.row(-1 - number)
            return {"group": first_row["history"], "player": first_row["player"]}
        return self.row(number)

    def row(self, number: int) -> InfosetRow:
        infoset = self.infosets[number]
        holding, history = self._split(number, infoset.key)
        return {
            "player": infoset.player,
            "infoset": infoset.key,
            "holding": holding,
            "history": history,
            "made": self._made_hand(holding, history),
            "actions": list(infoset.actions),
            "probabilities": self.probabilities[self.slots(number)].tolist(),
            "reach": _number_at(self.reach, number),
            "value": _number_at(self.value, number),
            "regret": _number_at(self.regret, number),
            "loss": _number_at(self.loss, number),
            "off_path": off_path_note(self.solution.off_path) if self.rare[number] else "",
        }

    def details(self, number: int) -> InfosetDetails:
        """Return a row with the numbers of each action, and what was recorded of it on the way."""
        row = self.row(number)
        slots = self.slots(number)
        value = row["value"]
        best_values = None if self.form is None else self._values.values[slots]
        action_values = None
        regrets = None
        if self.action_value is not None:
            action_values = self.action_value[slots]
            if value is not None:
                regrets = (action_values - value).tolist()
        return {
            **row,
            "cf_reach": None if self.form is None else float(self._values.cf_reach[number]),
            "action_values": None if action_values is None else action_values.tolist(),
            "regrets": regrets,
            "best_values": None if best_values is None else best_values.tolist(),
            "regret_sums": None if self.regret_sum is None else self.regret_sum[slots].tolist(),
            "recorded": self._recorded_arrays(row),
            "decision": None,
        }

    def _recorded_arrays(self, row: InfosetRow) -> RecordedInfoset | None:
        recording = self.solution.recording
        if recording is None:
            return None
        try:
            recorded = recording.at((row["player"], row["infoset"]))
        except EquilibristError:
            return None
        return {
            "iteration": recorded.iteration.tolist(),
            "strategy": recorded.strategy.tolist(),
            "average_strategy": recorded.average_strategy.tolist(),
            "regret_sum": recorded.regret_sum.tolist(),
        }


def _number_at(values: Floats | None, number: int) -> float | None:
    if values is None:
        return None
    return float(values[number])


_tables: WeakKeyDictionary[OpenRun, InfosetTable] = WeakKeyDictionary()


def infoset_table(run: OpenRun) -> InfosetTable:
    """Return the table of infosets of a run, made once; hold its lock."""
    if run.subject.has_lines:
        raise RequestError(
            "A spot of hold'em has lines and hands in the place of infosets: it is looked at by "
            "its lines.",
            status=422,
        )
    if run not in _tables:
        _tables[run] = InfosetTable(run)
    return _tables[run]
