"""What is known of a strategy at each infoset of a game: how probable it is to be there, and what each action is worth.

Values are those of the package's own evaluation, the counterfactual values of the best replies to the strategy. They
are payoff × probability; divided by the probability that chance and the others lead to the infoset they are what a
player who is there can expect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from .._util.arrays import Floats
from ..errors import GameError, LinearProgramError, SolutionError
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits
from ..form.responses import BestResponses
from ..game.protocol import Game, game_name
from ..game.public import PublicGame
from ..game.unfold import unfold
from ..games.load import load
from ..solving.prepare import prepare
from ..solving.solution import Solution, load_solution
from ..solving.solve import exact, solve
from ..strategy.reading import Key
from ..strategy.strategy import Strategy, as_strategy, check_fill, strategy_for

Playing = Strategy | Solution | Mapping[Any, Mapping[str, float]] | str | Path
"""Who can play: a strategy, a solution, a dict, a CSV file, or the folder of a saved run."""

_MOST_BY_PROGRAMME = 20_000  # histories: the linear programme then takes well under a second
_SECONDS, _UNTIL = 10.0, 1e-3  # what an opponent made on the spot gets, or the exploitability it stops at


class PlayableGame(NamedTuple):
    """A game that is ready to be played.

    Attributes
    ----------
    name : str
        Name of the game.
    rules : Game
        The rules, an ordinary game.
    form : SequenceForm, PublicForm or None
        What it was compiled into; a sequence form has its tree. None where it cannot be compiled.
    reason : str
        Why it cannot.
    limits : Limits
        Those of compilation.
    """

    name: str
    rules: Game
    form: CompiledGame | None
    reason: str
    limits: Limits

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.players


def ready(game: str | Game | PublicGame, limits: Limits, say: Callable[[str], None] | None) -> PlayableGame:
    """Return a game that is ready to be played, compiled if it can be.

    Raises
    ------
    GameError
        The game cannot be found.
    """
    if isinstance(game, CompiledGame):
        raise GameError(f"{game.name} is compiled already; playing takes the rules. Give the game.", wrong_use=True)
    rules = load(game)
    form, reason = None, ""
    try:
        form, _ = prepare(rules, limits=limits, say=say, sampled=True)
    except GameError as error:  # too large, or a player forgets: hands can be played all the same
        reason = str(error)
    return PlayableGame(game_name(rules), unfold(rules), form, reason, limits)


def strategy_of(playing: Playing, ground: PlayableGame) -> tuple[Strategy, str]:
    """Return the strategy that somebody plays, and where it comes from, in words.

    Raises
    ------
    SolutionError
        It cannot be read.
    """
    where = str(playing) if isinstance(playing, str | Path) else ""
    if where and Path(where).is_dir():
        playing = load_solution(where, ground.form if ground.form is not None and ground.form.tree is None else None)
        where = f"{where}, a run of {playing.game}"
    if isinstance(playing, Solution):
        return playing.strategy, where or f"The solution of {playing.game}"
    if ground.form is not None:
        return strategy_for(playing, ground.form), where
    return as_strategy(playing, lambda _: range(ground.players)), where


def fitted(playing: Playing, ground: PlayableGame, *, fill: str | None) -> tuple[Strategy, Floats | None]:
    """Return a strategy, and its probabilities at the slots of the game's form where it has one.

    Raises
    ------
    SolutionError
        It cannot be read, or does not fit the game.
    """
    check_fill(fill)
    strategy, where = strategy_of(playing, ground)
    try:
        return strategy, None if ground.form is None else strategy.at_slots(ground.form, fill=fill)
    except SolutionError as error:
        raise SolutionError(f"{where}: {error}" if where else str(error), wrong_use=error.wrong_use) from error


def opponent(ground: PlayableGame, say: Callable[[str], None] | None) -> tuple[Strategy, str]:
    """Return the strategy to play against where none is given, and what it is, in words.

    A two-player zero-sum game that is small enough is solved by linear programme, any other by ten seconds of CFR. What
    cannot be compiled is played uniformly at random.
    """
    form = ground.form
    if form is None:
        return Strategy.from_dict({}), "plays uniformly at random, for the game cannot be solved on the spot"
    small = form.tree is not None and form.histories <= _MOST_BY_PROGRAMME
    if small and form.players == 2 and form.zero_sum:
        with suppress(LinearProgramError):
            return exact(form, on_stage=say).strategy, "plays an equilibrium, found by linear programme"
    solution = solve(form, until=_UNTIL, seconds=_SECONDS, on_stage=say)
    known = f"exploitability {solution.exploitability:.2g}"
    return solution.strategy, f"plays what {solution.algorithm} found in {solution.iterations:,} iterations, {known}"


class Knowledge:
    """All that is known exactly of a strategy.

    Parameters
    ----------
    form : SequenceForm or PublicForm
        The game; a sequence form with its tree.
    slots : float64 array
        The strategy at the slots of the form.
    """

    def __init__(self, form: CompiledGame, slots: Floats) -> None:
        self.form = form
        self.slots = slots

    @cached_property
    def _replies(self) -> BestResponses:
        return self.form.best_responses(self.slots)

    @cached_property
    def _cf_reach(self) -> Floats:
        return self.form.cf_reach(self.slots)

    @cached_property
    def _index(self) -> dict[Key, int]:
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.form.infosets)}

    @property
    def value(self) -> tuple[float, ...]:
        """What each player earns when all follow the strategy; payoff per game."""
        return self._replies.value

    @property
    def best_value(self) -> tuple[float, ...]:
        """What each player earns with the best play against the others' strategies; payoff per game."""
        return self._replies.best_response_value

    def worth(self, player: int, key: str) -> tuple[float, ...] | None:
        """Return what a player at an infoset can expect from each action, with the best play after it.

        That is q(a) / π: the counterfactual value of the action under the best reply, over the probability with which
        chance and the others lead there. None where they never do.
        """
        index = self._index[player, key]
        reach = float(self._cf_reach[index])
        if reach <= 0.0:
            return None
        own = self.form.slot[self.form.first_action[index] : self.form.first_action[index + 1]]
        return tuple((self._replies.best_value[own] / reach).tolist())
