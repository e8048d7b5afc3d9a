"""The rows behind the picture of a strategy: which infosets are shown, how they are grouped, and what is marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..errors import SolutionError
from ..evaluation.action_values import ActionValues
from ..evaluation.reach import infoset_reach, uniform_strategy
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset, Infosets
from ..solving.solution import Solution
from ..solving.sources import AnySource, at_slots, read_strategy
from ..strategy.order import shown_order, splitter
from ..strategy.strategy import Strategy
from .inputs import MOST_OF_SAMPLED, compile_with_reach
from .movement import asked, found

NEVER = 1e-3
"""An infoset counts as never reached where a play comes to it less than a thousandth as often as under uniform play."""

_IN_PLAY = 1e-2  # an action with less is not in play
_MOST_NAMED = 20_000  # of so many infosets, those reached most often, names are made


class Row(NamedTuple):
    """The strategy at one infoset.

    Attributes
    ----------
    infoset : Infoset
        Player, key and actions.
    holding, history : str
        The key in two parts: what the player holds, and what has happened since. Where it cannot be split the history
        is empty.
    played : tuple of float
        The probability of each action.
    never, indifferent : bool or None
        Whether the infoset is never reached, and whether its player is indifferent: the best two actions have the same
        value, and so has every action that is played; None where the game is not known.
    """

    infoset: Infoset
    holding: str
    history: str
    played: tuple[float, ...]
    never: bool | None = None
    indifferent: bool | None = None


class Table(NamedTuple):
    """The rows of a picture, how many infosets there are in all, and within what values count as the same (or None)."""

    name: str
    rows: list[Row]
    infosets: int
    margin: float | None


def strategy_rows(
    strategy: AnySource, game: Any, *, most: int, tolerance: float, keep: Sequence[Any] | None = None
) -> Table:
    """Return the rows of the picture of a strategy; parameters as of :func:`equilibrist.plot.strategy`."""
    strategy = read_strategy(strategy, game)
    form = _compiled(strategy, game)
    margin, mark = None, None
    if form is None:
        plain = strategy.strategy if isinstance(strategy, Solution) else strategy
        table = plain if isinstance(plain, Strategy) else Strategy.from_dict(plain)
        infosets, reach, first = table.infosets, np.ones(len(table)), offsets(table.infosets.num_actions)
        played, name = table.probabilities, "A strategy"
    else:
        sigma = at_slots(strategy, form)
        infosets, reach, first = form.infosets, infoset_reach(form, sigma), form.first_action
        played, name = sigma[form.slot], form.name
        margin = tolerance * form.largest_payoff
        mark = _marker(ActionValues(form, sigma), reach, margin)
    name = strategy.game if isinstance(strategy, Solution) else name
    if not len(infosets):
        raise SolutionError(f"{name} has no infosets: there is nothing to draw.")
    chosen = _chosen(infosets, reach, most, keep)
    rows = []
    for index, infoset, holding, history in chosen:
        own = slice(first[index], first[index + 1])
        never, indifferent = (None, None) if mark is None else mark(index)
        rows.append(Row(infoset, holding, history, tuple(played[own].tolist()), never, indifferent))
    return Table(name, rows, len(infosets), margin)


def _compiled(strategy: AnySource, game: Any) -> CompiledGame | None:
    """Return the compiled game of a strategy, or None where no game is given."""
    if game is None:
        return None
    kind = strategy.info.game.form if isinstance(strategy, Solution) else ""
    limit = MOST_OF_SAMPLED if kind == "none" else None  # a game that need not be small enough to compile
    return compile_with_reach(game, public=kind == "public", max_histories=limit)


def _marker(values: ActionValues, reach: Floats, margin: float) -> Callable[[int], tuple[bool, bool]]:
    """Return what tells of an infoset, by its number, whether it is never reached, and its player indifferent."""
    form = values.form
    sigma, uniform_reach = values.strategy[form.slot], infoset_reach(form, uniform_strategy(form))

    def mark(index: int) -> tuple[bool, bool]:
        own = slice(form.first_action[index], form.first_action[index + 1])
        value, played = values.values[own], sigma[own]
        never = bool(reach[index] <= NEVER * uniform_reach[index])
        best = value >= np.max(value) - margin  # nowhere true where values are not numbers
        return never, bool(best.sum() >= 2 and best[played > _IN_PLAY].all())

    return mark


def _chosen(
    infosets: Infosets, reach: NDArray[np.float64], most: int, keep: Sequence[Any] | None
) -> list[tuple[int, Infoset, str, str]]:
    """Return number, infoset, holding and history of those to show: those asked for, or the histories reached most."""
    order = np.argsort(-reach, kind="stable")[:_MOST_NAMED] if len(infosets) > _MOST_NAMED else range(len(infosets))
    named = {int(index): infosets[int(index)] for index in order}
    if keep is not None:
        wanted = found(asked(keep), list(named.values()))
        named = {index: infoset for index, infoset in named.items() if infoset in wanted}
    numbers, known = list(named), list(named.values())
    parts = holding_and_history(known, whole=len(named) == len(infosets))
    items = [
        (numbers[i], known[i], *((known[i].key, "") if parts is None else parts(known[i].key)))
        for i in shown_order(known)
    ]
    groups: dict[tuple[int, str], list[int]] = {}  # all holdings after a history, or an infoset alone
    for index, infoset, holding, history in items:
        groups.setdefault((infoset.player, holding if parts is None else history), []).append(index)
    shown: set[int] = set()
    for group in sorted(groups.values(), key=lambda group: -float(reach[group].sum())):
        if len(shown) + len(group) <= most or not shown:
            shown.update(group)
    return [item for item in items if item[0] in shown]


def holding_and_history(infosets: Sequence[Infoset], *, whole: bool = True) -> Callable[[str], tuple[str, str]] | None:
    """Return what splits the name of an infoset into holding and history, or None where that makes no table.

    It makes no table where most histories have one holding, or many of the places are empty, which tells nothing where
    only the most reached infosets are there (not ``whole``).
    """
    parts = splitter(infoset.key for infoset in infosets)

    holdings, histories = set(), set()
    for infoset in infosets:
        holding, history = parts(infoset.key)
        holdings.add((infoset.player, holding))
        histories.add((infoset.player, history))
    places = sum(
        sum(owner == player for owner, _ in holdings) * sum(owner == player for owner, _ in histories)
        for player in {infoset.player for infoset in infosets}
    )
    sparse = whole and len(infosets) < 0.6 * places
    return None if sparse or len(infosets) < 1.5 * len(histories) or len(holdings) == len(infosets) else parts
