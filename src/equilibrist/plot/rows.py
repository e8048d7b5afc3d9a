"""The rows behind the picture of a strategy: which infosets are shown, how they are grouped, and what is marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..errors import SolutionError
from ..evaluation.action_values import ActionValues, infoset_reach, uniform_strategy
from ..evaluation.off_path import is_rare
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset, Infosets
from ..form.limits import CompileBudget
from ..solving.solution import Solution
from ..solving.sources import AnySource, read_at_slots, read_strategy
from ..strategy.convert import as_strategy
from ..strategy.order import make_name_splitter, reading_order
from .inputs import compile_with_reach, limit_of
from .movement import check_infosets, find_infosets

_IN_PLAY = 1e-2  # an action with less is not in play
_MOST_NAMED = 20_000  # of so many infosets, those reached most often, names are made


class Row(NamedTuple):
    """The strategy at one infoset.

    Attributes
    ----------
    infoset : Infoset
        Player, key and actions.
    hand_name, history : str
        The key in two parts: what the player holds, and what has happened since. Where it cannot be
        split the history is empty.
    probabilities : tuple of float
        Of each action.
    is_unreached : bool or None
        Whether the infoset is never reached; None where the game is not known.
    is_indifferent : bool or None
        Whether its player is indifferent: the best two actions have the same value, and so has
        every action that is played; None where the game is not known.
    """

    infoset: Infoset
    hand_name: str
    history: str
    probabilities: tuple[float, ...]
    is_unreached: bool | None = None
    is_indifferent: bool | None = None


class Table(NamedTuple):
    """The rows of a picture, how many infosets there are in all, and within what values count as the same (or None)."""

    name: str
    rows: list[Row]
    infosets: int
    margin: float | None


def strategy_rows(
    strategy: AnySource,
    game: Any,
    *,
    max_infosets: int,
    tolerance: float,
    keep: Sequence[Any] | None = None,
) -> Table:
    """Return the rows of the picture of a strategy; parameters as of :func:`equilibrist.plot.strategy`."""
    strategy = read_strategy(strategy, game)
    form = _compile_game(strategy, game)
    margin = None
    mark = None
    if form is None:
        source = strategy.strategy if isinstance(strategy, Solution) else strategy
        table = as_strategy(source, lambda _: (0,))
        infosets = table.infosets
        reach = np.ones(len(table))
        first_action = offsets(table.infosets.num_actions)
        probabilities = table.probabilities
        name = "A strategy"
    else:
        sigma = read_at_slots(strategy, form)
        infosets = form.infosets
        reach = infoset_reach(form, sigma)
        first_action = form.first_action
        probabilities = sigma[form.slot]
        name = form.name
        margin = tolerance * form.largest_payoff
        mark = _make_marker(ActionValues(form, sigma), reach, margin)
    name = strategy.game if isinstance(strategy, Solution) else name
    if not len(infosets):
        raise SolutionError(f"{name} has no infosets: there is nothing to draw.")
    choice = _choose_infosets(infosets, reach, max_infosets, keep)
    rows = []
    for index, infoset, hand_name, history in choice:
        actions = slice(first_action[index], first_action[index + 1])
        is_unreached, indifferent = (None, None) if mark is None else mark(index)
        rows.append(
            Row(
                infoset,
                hand_name,
                history,
                tuple(probabilities[actions].tolist()),
                is_unreached,
                indifferent,
            )
        )
    return Table(name, rows, len(infosets), margin)


def _compile_game(strategy: AnySource, game: Any) -> CompiledGame | None:
    """Return the compiled game of a strategy, or None where no game is given."""
    if game is None:
        return None
    if not isinstance(strategy, Solution):
        return compile_with_reach(game)
    return compile_with_reach(
        game,
        CompileBudget(limit_of(strategy)),
        fingerprint=strategy.info.game.fingerprint,
    )


def _make_marker(
    values: ActionValues, reach: Floats, margin: float
) -> Callable[[int], tuple[bool, bool]]:
    """Return what tells of an infoset, by its number, whether it is never reached, and its player indifferent."""
    form = values.form
    sigma, uniform_reach = values.strategy[form.slot], infoset_reach(form, uniform_strategy(form))

    def mark(index: int) -> tuple[bool, bool]:
        actions = slice(form.first_action[index], form.first_action[index + 1])
        value = values.values[actions]
        probabilities = sigma[actions]
        is_unreached = bool(is_rare(reach[index], uniform_reach[index]))
        is_best = value >= np.max(value) - margin  # nowhere true where values are not numbers
        return is_unreached, bool(is_best.sum() >= 2 and is_best[probabilities > _IN_PLAY].all())

    return mark


def _choose_infosets(
    infosets: Infosets, reach: NDArray[np.float64], max_infosets: int, keep: Sequence[Any] | None
) -> list[tuple[int, Infoset, str, str]]:
    """Return number, infoset, hand and history of those to show: those asked for, or the histories reached most."""
    order: Any = range(len(infosets))
    if len(infosets) > _MOST_NAMED:
        order = np.argsort(-reach, kind="stable")[:_MOST_NAMED]
    infoset_of_number = {int(index): infosets[int(index)] for index in order}
    if keep is not None:
        infosets_to_keep = find_infosets(check_infosets(keep), list(infoset_of_number.values()))
        infoset_of_number = {
            index: infoset
            for index, infoset in infoset_of_number.items()
            if infoset in infosets_to_keep
        }
    numbers = list(infoset_of_number)
    candidates = list(infoset_of_number.values())
    split = make_splitter(candidates, is_complete=len(infoset_of_number) == len(infosets))
    items = [
        (
            numbers[i],
            candidates[i],
            *((candidates[i].key, "") if split is None else split(candidates[i].key)),
        )
        for i in reading_order(candidates)
    ]
    groups: dict[tuple[int, str], list[int]] = {}  # all hands after a history, or an infoset alone
    for index, infoset, hand_name, history in items:
        groups.setdefault((infoset.player, hand_name if split is None else history), []).append(
            index
        )
    indices: set[int] = set()
    for group in sorted(groups.values(), key=lambda group: -float(reach[group].sum())):
        if len(indices) + len(group) <= max_infosets or not indices:
            indices.update(group)
    return [item for item in items if item[0] in indices]


def make_splitter(
    infosets: Sequence[Infoset], *, is_complete: bool = True
) -> Callable[[str], tuple[str, str]] | None:
    """Return what splits the name of an infoset into hand and history, or None where that makes no table.

    It makes no table where most histories have one hand, or many of the places are empty, which
    tells nothing where only the most reached infosets are there (not ``is_complete``).
    """
    split = make_name_splitter(infoset.key for infoset in infosets)

    hands = set()
    histories = set()
    for infoset in infosets:
        hand_name, history = split(infoset.key)
        hands.add((infoset.player, hand_name))
        histories.add((infoset.player, history))
    places = sum(
        sum(owner == player for owner, _ in hands) * sum(owner == player for owner, _ in histories)
        for player in {infoset.player for infoset in infosets}
    )
    sparse = is_complete and len(infosets) < 0.6 * places
    if sparse or len(infosets) < 1.5 * len(histories) or len(hands) == len(infosets):
        return None
    return split
