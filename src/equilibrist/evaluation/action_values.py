"""Action values of a strategy: what a player who is at an infoset can expect from each action.

They are the counterfactual values of the best responses to the strategy, payoff × probability,
divided by the probability with which chance and the others lead to the infoset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._util.arrays import Floats, Ints
from ..form.compiled_game import CompiledGame
from ..form.responses import BestResponses, Values
from ..strategy.by_name import ByAction, Key
from ..strategy.strategy import Strategy
from ..strategy.tables import COLUMNS, Tabular, write_csv

if TYPE_CHECKING:
    import pyarrow


class ActionValues:
    """Action values of a strategy at the slots of a form, q(I, a) = v(I, a) / π(I).

    Each array is computed when it is first asked for; a sequence form needs its tree.
    """

    def __init__(self, form: CompiledGame, strategy: Floats) -> None:
        self.form = form
        self.strategy = strategy

    @cached_property
    def best_responses(self) -> BestResponses:
        return self.form.best_responses(self.strategy)

    @cached_property
    def cf_reach(self) -> Floats:
        """The reach of each infoset by chance and the others, π(I); shape (infosets,)."""
        return self.form.cf_reach(self.strategy)

    @cached_property
    def values(self) -> Floats:
        """The value of each action of each infoset with the best play after it; payoff.

        NaN where chance and the others do not let the infoset be reached. Shape (actions of all
        infosets,).
        """
        return self.per_reach(self.best_responses.best_value[self.form.slot])

    def per_reach(self, cf_values: Floats) -> Floats:
        """Return counterfactual values divided by the reach of chance and the others; NaN where that is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            values: Floats = cf_values / np.repeat(self.cf_reach, self.form.infosets.num_actions)
        values[~np.isfinite(values)] = np.nan
        return values

    @cached_property
    def cf_values(self) -> Floats:
        """The counterfactual value v(I, a) of each action with the strategy followed after it; payoff × probability.

        The values with the best response afterwards, less what the infosets below add to them, are
        those of the ends of the game; going up from the last infosets each adds the value of its
        strategy instead. Shape (actions of all infosets,).
        """
        form = self.form
        first = self.form.first_action[:-1]
        values: Floats = self.best_responses.best_value[form.slot].copy()
        if not len(values):
            return values
        sigma = self.strategy[form.slot]
        (moves, parent) = count_own_moves(form)
        # Which keeps to locks.
        best = np.add.reduceat(self.best_responses.best_response[form.slot] * values, first)
        below = parent >= 0
        np.subtract.at(values, parent[below], best[below])
        for count in range(int(moves.max()), 0, -1):
            last = np.flatnonzero(moves == count)
            mean = np.add.reduceat(sigma * values, first)
            np.add.at(values, parent[last], mean[last])
        return values

    @cached_property
    def index(self) -> dict[Key, int]:
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.form.infosets)}

    @property
    def certificate(self) -> Values:
        return self.best_responses.values

    def at(self, player: int, key: str) -> tuple[float, ...] | None:
        """Return the value of each action at an infoset of a player; None where the others and chance never lead."""
        index = self.index[player, key]
        if self.cf_reach[index] <= 0.0:
            return None
        return tuple(
            self.values[self.form.first_action[index] : self.form.first_action[index + 1]].tolist()
        )


def count_own_moves(form: CompiledGame) -> tuple[Ints, Ints]:
    """Return how many moves of its own player come before each infoset, and the last of them: -1 for none."""
    infoset = np.repeat(np.arange(form.num_infosets), form.infosets.num_actions)
    parent = form.parents(np.arange(form.num_infosets))
    moves = np.zeros(len(parent), np.int64)
    above = parent
    while (above >= 0).any():
        moves[above >= 0] += 1
        above = np.where(above >= 0, parent[infoset[above]], -1)
    return moves, parent


class ActionValue(NamedTuple):
    """What an action is worth to a player at an infoset.

    Attributes
    ----------
    probability : float
        With which the strategy takes it.
    value : float
        The expected payoff of who is there, takes it, and follows the strategy afterwards: q(I, a).
        NaN where chance and the others do not let the infoset be reached.
    cf_value : float
        The counterfactual value v(I, a) = π(I) · q(I, a), with π(I) the reach of chance and the
        others: payoff × probability. Its excess over Σ_a probability · cf_value is the instant
        regret of CFR.
    best_value : float
        As ``value``, with the best response instead of the strategy afterwards; NaN where ``value``
        is.
    """

    probability: float
    value: float
    cf_value: float
    best_value: float


class ActionValueTable(Tabular):
    """The values of all actions at all infosets for a strategy, as ``evaluate(..., action_values=True)`` has them.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    value, cf_value, best_value : float64 arrays, shape (number of (infoset, action) pairs,)
        As in :class:`ActionValue`, in the order of ``strategy.probabilities``.

    Examples
    --------
    >>> import equilibrist as eq
    >>> values = eq.evaluate("kuhn", {}, missing="uniform", action_values=True).action_values
    >>> values["Qb"]["call"].value, values["Kpb"]["fold"].value
    (0.0, -1.0)
    >>> values.to_arrow().column_names
    ['player', 'infoset', 'action', 'probability', 'value', 'cf_value', 'best_value']
    """

    def __init__(
        self, strategy: Strategy, value: Floats, cf_value: Floats, best_value: Floats
    ) -> None:
        self.strategy = strategy
        self.value = value
        self.cf_value = cf_value
        self.best_value = best_value

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<ActionValueTable: {len(self):,} actions at {len(self.strategy):,} infosets>"

    def __getitem__(self, key: Key | str) -> Mapping[str, ActionValue]:
        """Return {action: values} at (player, infoset), or at an infoset that only one player has."""
        index = self.strategy.number(key)
        rows = slice(*self.strategy.infosets.first_action()[index : index + 2].tolist())
        columns = (self.strategy.probabilities, self.value, self.cf_value, self.best_value)
        values = [
            ActionValue(*row)
            for row in zip(*(column[rows].tolist() for column in columns), strict=True)
        ]
        return ByAction(zip(self.strategy.infosets[index].actions, values, strict=True))

    def _sorted_values(self) -> dict[str, Floats]:
        row = self.strategy.row_order()
        return {
            "value": self.value[row],
            "cf_value": self.cf_value[row],
            "best_value": self.best_value[row],
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Iterate over all actions as plain values; NaN is None."""
        columns = zip(*(column.tolist() for column in self._sorted_values().values()), strict=True)
        for (player, infoset, action, probability), numbers in zip(
            self.strategy.rows(), columns, strict=True
        ):
            values = ActionValue(probability, *numbers)._asdict().items()
            plain = {name: None if np.isnan(number) else number for name, number in values}
            yield {"player": player, "infoset": infoset, "action": action, **plain}

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each action; a value that is not known is null."""
        import pyarrow as pa

        table = self.strategy.to_arrow()
        for name, numbers in self._sorted_values().items():
            table = table.append_column(name, pa.array(numbers, mask=np.isnan(numbers)))
        return table

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV, atomically; a value that is not known is an empty cell.

        Raises
        ------
        SolutionError
            The file cannot be written; an older one is left as it was.
        """
        headings = (*COLUMNS, "value", "cf_value", "best_value")
        write_csv(path, headings, (row.values() for row in self.rows()))


def action_value_table(form: CompiledGame, strategy: Floats) -> ActionValueTable:
    """Return the values of all actions for a strategy at the slots of a compiled game."""
    values = ActionValues(form, strategy)
    value = values.per_reach(values.cf_values)
    return ActionValueTable(
        Strategy.from_form(form, strategy), value, values.cf_values, values.values
    )


def infoset_reach(form: CompiledGame, strategy: Floats) -> Floats:
    """Return the reach of each infoset by all players and chance, for a strategy at the slots of a compiled game.

    That is the reach of its player, Σ over its actions, times the reach of the others and chance.
    """
    cf_reach = form.cf_reach(strategy)
    if not len(cf_reach):
        return cf_reach
    return np.add.reduceat(form.reach(strategy)[form.slot], form.first_action[:-1]) * cf_reach


def uniform_strategy(form: CompiledGame) -> Floats:
    """Return the strategy that plays all actions of an infoset equally often, at the slots of a compiled game."""
    return form.average_from_sums(np.zeros(form.length))
