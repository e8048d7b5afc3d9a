"""What a picture needs to know of a strategy: how often each infoset is reached, and what its actions are worth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..errors import SolutionError
from ..form.build import compile_game
from ..form.build_public import compile_public
from ..form.compiled_game import CompiledGame
from ..game.public import public_game
from ..games.load import load
from ..solving.prepare import MOST_WRITTEN_OUT, Playable
from ..solving.solution import Solution, load_solution
from ..strategy.strategy import Strategy, strategy_for

AnyRun = Solution | str | Path
AnyStrategy = Solution | Strategy | Mapping[Any, Mapping[str, float]] | str | Path
"""A path is the folder of a saved run, or a CSV file."""


class Judged(NamedTuple):
    """A strategy judged infoset by infoset, in the order of the infosets of its form.

    Attributes
    ----------
    form : SequenceForm or PublicForm
        The game.
    first : int64 array, shape (infosets + 1,)
        Where the actions of each infoset begin in ``played`` and ``action_value``.
    played : float64 array, shape (actions of all infosets,)
        The probability of each action.
    reach : float64 array, shape (infosets,)
        How probable it is that a play comes to the infoset: all players and chance together.
    usual_reach : float64 array, shape (infosets,)
        The same where everybody plays uniformly: what chance allows.
    action_value : float64 array, shape (actions of all infosets,)
        What each action earns its player, with their best play afterwards, once the infoset is reached; payoff. NaN
        where the others and chance do not let it be reached.
    """

    form: CompiledGame
    first: NDArray[np.int64]
    played: Floats
    reach: Floats
    usual_reach: Floats
    action_value: Floats


def read_run(run: AnyRun, game: Any = None) -> Solution:
    """Return a solution, loaded where a folder is given."""
    if isinstance(run, Solution):
        return run
    if isinstance(run, str | Path):
        return load_solution(run, game)
    raise SolutionError(f"A run is a Solution, or the folder of a saved one; got {run!r}.", wrong_use=True)


def read_strategy(strategy: AnyStrategy, game: Any = None) -> Solution | Strategy | Mapping[Any, Mapping[str, float]]:
    """Return a strategy, read where a path is given."""
    if not isinstance(strategy, str | Path):
        return strategy
    return Strategy.read_csv(strategy) if Path(strategy).is_file() else load_solution(strategy, game)


def compiled(game: Playable, *, public: bool = False, max_histories: int | None = None) -> CompiledGame:
    """Return a compiled game of which the reach of infosets can be told: with its tree, or a public form.

    With ``public``, or where the game has public states and many histories, it is a public form.
    """
    if isinstance(game, CompiledGame):
        return game
    rules = load(game)
    states = public_game(rules)
    if states is not None:
        form = compile_public(states)
        if public or form.histories > MOST_WRITTEN_OUT:
            return form
    return compile_game(rules, keep_tree=True, max_histories=max_histories)


def at_slots(strategy: AnyStrategy, form: CompiledGame, *, fill: str | None = None) -> Floats:
    """Return the probabilities of a strategy at the slots of a form."""
    strategy = read_strategy(strategy)
    if isinstance(strategy, Solution):
        if strategy.fingerprint and strategy.fingerprint == form.fingerprint:  # no need for millions of names
            return form.to_slots(strategy.strategy.probabilities)
        fill = "uniform" if strategy.form == "none" else fill  # of which only a part may have been met
        strategy = strategy.strategy
    return strategy_for(strategy, form).at_slots(form, fill=fill)


def judge(form: CompiledGame, slots: Floats) -> Judged:
    """Return what is known of each infoset under a strategy, given at the slots of the form."""
    first, slot, count = form.first_action, form.slot, form.infosets.num_actions
    found, cf_reach = form.best_responses(slots), form.cf_reach(slots)
    own = np.add.reduceat(found.reach[slot], first[:-1]) if len(cf_reach) else cf_reach
    usual = form.average_from_sums(np.zeros(form.length))
    usual_own = np.add.reduceat(form.reach(usual)[slot], first[:-1]) if len(cf_reach) else cf_reach
    with np.errstate(divide="ignore", invalid="ignore"):
        value = found.best_value[slot] / np.repeat(cf_reach, count)
    value[~np.isfinite(value)] = np.nan
    return Judged(form, first, slots[slot], own * cf_reach, usual_own * form.cf_reach(usual), value)
