"""Games that are ready to be played, and the strategies that play them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from .._util.callbacks import Callbacks
from ..errors import GameError, LinearProgramError
from ..evaluation.gaps import gap_words
from ..form.any_form import GameForm
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.limits import CompileBudget
from ..form.offers import has_many_deals
from ..form.walk.build import compile_walk
from ..game.card_game import is_card_game
from ..game.protocol import Game, game_name
from ..game.public import PublicGame, public_game
from ..game.unfold import to_extensive_form
from ..games.compile import compile_any
from ..games.load import load
from ..solving.exact import exact
from ..solving.solve import solve
from ..strategy.strategy import Strategy

_MOST_BY_PROGRAMME = 20_000  # histories: the linear programme then takes well under a second
_SLOTS_UPDATED = 1 << 31
"""Slots that are updated for an opponent made on the spot, some ten seconds: it is always the same."""
_FEWEST_ITERATIONS = 16
# or the exploitability it stops at
_UNTIL = 1e-3
_UNTIL_OF_POT = "0.05%"


class PlayableGame(NamedTuple):
    """A game that is ready to be played.

    Attributes
    ----------
    name : str
    rules : Game
        An ordinary game.
    form : CompiledGame or WalkedGame
        A sequence form with its tree, or a card form; what cannot be compiled is walked.
    limits : Limits
        Those of compilation.
    reason : str
        Why it cannot be compiled; empty where it is.
    public : bool
        Whether all moves of players are public: games told by public states, or by cards.
    """

    name: str
    rules: Game
    form: GameForm
    limits: CompileBudget
    reason: str = ""
    public: bool = False

    @property
    def players(self) -> int:
        return self.rules.players


def compile_playable(
    game: str | Game | PublicGame,
    limits: CompileBudget,
    on_stage: Callable[[str], None] | None,
    form: CompiledGame | None = None,
) -> PlayableGame:
    """Return a game that is ready to be played, compiled if it can be and is not yet; spots are card forms."""
    rules = load(game)
    public = is_card_game(rules) or public_game(rules) is not None
    game_to_play = partial(
        PlayableGame, game_name(rules), to_extensive_form(rules), limits=limits, public=public
    )
    if form is not None:
        return game_to_play(form)
    keep_tree = not has_many_deals(rules)
    try:
        compiled = compile_any(rules, limits=limits, say=on_stage, keep_tree=keep_tree)
    except GameError as error:  # too large, or a player forgets: hands can be played all the same
        return game_to_play(compile_walk(to_extensive_form(rules), limits), reason=str(error))
    return game_to_play(compiled)


def solve_opponent(
    playable: PlayableGame, on_stage: Callable[[str], None] | None
) -> tuple[Strategy, str]:
    """Return the strategy to play against where none is given, and what it is, in words.

    A two-player zero-sum game that is small enough is solved by linear programme, any other by as
    many iterations of CFR as take some ten seconds. What
    cannot be compiled is played uniformly at random.
    """
    form = playable.form
    if not is_compiled(form):
        return Strategy.from_dict(
            {}
        ), "plays uniformly at random, for the game cannot be solved on the spot"
    small = form.tree is not None and form.histories <= _MOST_BY_PROGRAMME
    if small and form.players == 2 and form.zero_sum:
        with suppress(LinearProgramError):
            return exact(
                form, callbacks=on_stage
            ).strategy, "plays an equilibrium, found by linear programme"
    until = _UNTIL if form.pot is None else _UNTIL_OF_POT
    iterations = max(_FEWEST_ITERATIONS, _SLOTS_UPDATED // form.length)
    solution = solve(
        form, until=until, iterations=iterations, callbacks=Callbacks(on_stage=on_stage)
    )
    quality = f"{gap_words(solution.players).gap} {solution.final.gap:.2g}"
    return (
        solution.strategy,
        f"plays what {solution.algorithm} found in {solution.iterations:,} iterations, {quality}",
    )
