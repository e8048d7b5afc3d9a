"""Games as pictures take them: the one that is given, compiled where it is not."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..errors import GameError
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.limits import CompileBudget, Limits, compile_budget
from ..form.public.build import compile_public
from ..game.public import is_public_game, public_game
from ..games.compile import MOST_WRITTEN_OUT, Playable, compile_any
from ..games.load import Trust, load
from ..mccfr.sampling import find_sampling
from ..solving.solution import Solution
from ..solving.sources import find_game, read_at_slots
from .pairs import Choice, strongest_interaction

MOST_OF_SAMPLED = 2_000_000
"""Histories written out for pictures of a run that was sampled without a tree."""


class GameOfRun:
    """Game of a run: the one that is given, or what the run names; loaded and compiled once, when it is asked for.

    Parameters are those of :func:`find_game`, and the limits of compilation.
    """

    def __init__(
        self,
        run: Solution,
        game: Any = None,
        *,
        trust: Trust = False,
        limits: Limits | None = None,
    ) -> None:
        self._run = run
        self._game = game
        self._trust = trust
        budget = compile_budget(limits, "GameOfRun")
        if budget.max_histories is None:
            budget = budget._replace(max_histories=limit_of(run))
        self._budget = budget

    @classmethod
    def of(cls, run: Solution, game: Any = None, *, trust: Trust = False) -> GameOfRun:
        """Return the game of a run, with what has been loaded and compiled of it already."""
        if isinstance(game, cls):
            return game
        return cls(run, game, trust=trust)

    @cached_property
    def rules(self) -> Any:
        """The game, loaded."""
        return find_game(self._run, self._game, trust=self._trust)

    @cached_property
    def form(self) -> CompiledGame:
        """The compiled game, which tells the reach of its infosets."""
        return compile_with_reach(
            self.rules, self._budget, fingerprint=self._run.info.game.fingerprint
        )

    @cached_property
    def default_axes(self) -> tuple[Choice, Choice] | None:
        """The two probabilities that interact most in the strategy of the run, of infosets that were recorded."""
        if self._run.recording is None:
            recorded_keys = None
        else:
            recorded_keys = [infoset[:2] for infoset in self._run.recording.infosets]
        return strongest_interaction(self.form, read_at_slots(self._run, self.form), recorded_keys)

    def form_if_known(self) -> CompiledGame | None:
        """Return the compiled game; None where nobody gives one, and none can be loaded."""
        try:
            self.rules  # noqa: B018 (loads it)
        except GameError:
            return None
        return self.form

    def form_of_tables(self) -> CompiledGame | None:
        """Return the compiled game in whose order the tables of the run are; None where they need none, as samples."""
        if find_sampling(self._run.sampling).full_width:
            return self.form_if_known()
        return None


def limit_of(run: Solution) -> int | None:
    """Return how many histories of the game of a run are compiled: one that was sampled need not be small enough."""
    if run.is_complete:
        return None
    return MOST_OF_SAMPLED


def compile_with_reach(
    game: Playable, budget: CompileBudget | None = None, *, fingerprint: str = ""
) -> CompiledGame:
    """Compile a game into a form that tells the reach of its infosets: a sequence form with its tree, or a public form.

    It is a public form where the game has public states and many histories, or where that has the
    ``fingerprint`` of what a run solved. What is compiled already is taken as it is.
    """
    if is_compiled(game):
        return game
    rules = load(game)
    states = public_game(rules)
    if states is not None:
        form = compile_public(states, check_names=is_public_game(rules))
        if form.histories > MOST_WRITTEN_OUT or form.fingerprint == fingerprint:
            return form
    return compile_any(rules, form="sequence", limits=budget, tells_reach=True)
