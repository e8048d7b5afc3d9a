"""What a picture needs to know of a strategy: how often each infoset is reached, and what its actions are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cfr.algorithms import Floats
from ..errors import GameError, SolutionError
from ..form.build import compile_game
from ..form.build_public import compile_public
from ..form.build_python import MAX_HISTORIES, offsets
from ..form.public import PublicForm
from ..form.sequence import SequenceForm, sequence_form
from ..game.public import PublicGame, public_game
from ..games.load import load
from ..solving.prepare import MOST_WRITTEN_OUT, Form, Playable
from ..solving.solution import Solution, load_solution
from ..strategy.strategy import Strategy, strategy_for
from .evaluate import best_responses_to

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

    form: Form
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


def compiled(game: Playable, *, public: bool = False, max_histories: int = MAX_HISTORIES) -> tuple[Form, Form]:
    """Return the form of a game, and that of the same game in which player 0 gets 1 at every end.

    What an infoset earns in the second is how probable the others and chance make it. With ``public``, or where the
    game has public states and many histories, both are public forms.
    """
    if isinstance(game, SequenceForm):
        if game.tree is None:
            raise GameError(
                f"{game.name} was compiled without its tree: give the game, or keep_tree=True.", wrong_use=True
            )
        return game, _counting(game)
    if isinstance(game, PublicForm):
        raise GameError(f"{game.name} is compiled already; a picture takes the rules: give the game.", wrong_use=True)
    rules = load(game)
    states = public_game(rules)
    if states is not None:
        form = compile_public(states, max_histories=MAX_HISTORIES)
        if public or form.histories > MOST_WRITTEN_OUT:
            return form, compile_public(_Counting(states), max_histories=MAX_HISTORIES, check_names=False)
    written = compile_game(rules, keep_tree=True, max_histories=max_histories)
    return written, _counting(written)


def _counting(form: SequenceForm) -> SequenceForm:
    if form.tree is None:  # it is kept by whoever calls
        raise GameError(f"{form.name} was compiled without its tree.")
    return sequence_form(replace(form.tree, payoffs=np.ones_like(form.tree.payoffs)))


class _Counting:
    """A public game in which player 0 gets 1 at every end, whatever happens."""

    def __init__(self, game: PublicGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def payoff(self, state: Any) -> float:
        """Return 1."""
        return 1.0


def at_slots(strategy: AnyStrategy, form: Form, *, fill: str | None = None) -> Floats:
    """Return the probabilities of a strategy at the slots of a form."""
    strategy = read_strategy(strategy)
    if isinstance(strategy, Solution):
        if strategy.fingerprint and strategy.fingerprint == form.fingerprint:  # no need for millions of names
            slots = np.ones(form.length)
            slots[form.slot] = strategy.strategy.probabilities
            return slots
        fill = "uniform" if strategy.form == "none" else fill  # of which only a part may have been met
        strategy = strategy.strategy
    return strategy_for(strategy, form).at_slots(form, fill=fill)


def largest_payoff(form: Form) -> float:
    """Return the largest payoff of a game, without its sign."""
    if isinstance(form, PublicForm):
        return float(form.public.scale.max(initial=0.0))  # what ends pay is kept as parts of it
    return 0.0 if form.tree is None else float(np.abs(form.tree.payoffs).max(initial=0.0))


def judge(form: Form, counting: Form, slots: Floats) -> Judged:
    """Return what is known of each infoset under a strategy; the forms are those of :func:`compiled`."""
    count, slot = form.infosets.num_actions, form.slot
    first = offsets(count)
    cf_reach, reach = _reaches(counting, slots, first)
    uniform = np.ones(form.length)
    uniform[slot] = np.repeat(1.0 / count, count)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = best_responses_to(form, slots).best_value[slot] / np.repeat(cf_reach, count)
    value[~np.isfinite(value)] = np.nan
    return Judged(form, first, slots[slot], reach, _reaches(counting, uniform, first)[1], value)


def _reaches(counting: Form, slots: Floats, first: Any) -> tuple[Floats, Floats]:
    """Return how probable the others and chance make each infoset, and how probable it is in all."""
    found = best_responses_to(counting, slots)
    slot = counting.slot
    # Everything is worth the same here, so that any action tells; in a public form player 1 gets -1.
    others = np.abs(found.best_value[slot[first[:-1]]])
    own = np.add.reduceat(found.reach[slot], first[:-1]) if len(others) else others
    return others, own * others
