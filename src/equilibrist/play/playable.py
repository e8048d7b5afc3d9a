"""Games that are ready to be played, and the strategies that play them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from .._util.arrays import Floats
from ..errors import GameError, LinearProgramError, SolutionError
from ..evaluation.spots import SolvedSpot
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits
from ..form.responses import Values
from ..game.card_game import is_card_game
from ..game.protocol import Game, game_name
from ..game.public import PublicGame, public_game
from ..game.unfold import to_extensive_form
from ..games.compile import compile_any
from ..games.holdem.game import Holdem
from ..games.load import load
from ..games.omaha.game import Omaha
from ..solving.callbacks import Callbacks
from ..solving.exact import exact
from ..solving.resolving.searcher import Searcher
from ..solving.solution import Solution
from ..solving.solve import solve
from ..solving.sources import AnySource, read_strategy
from ..strategy.convert import as_strategy, strategy_for
from ..strategy.reading import Key, check_missing
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
    form : CompiledGame or None
        A sequence form with its tree, or a card form; None where it cannot be compiled.
    reason : str
        Why it cannot.
    limits : Limits
        Those of compilation.
    public : bool
        Whether all moves of players are public: games told by public states, or by cards.
    """

    name: str
    rules: Game
    form: CompiledGame | None
    reason: str
    limits: Limits
    public: bool = False

    @property
    def players(self) -> int:
        return self.rules.players


def compile_playable(
    game: str | Game | PublicGame,
    limits: Limits,
    on_stage: Callable[[str], None] | None,
    form: CompiledGame | None = None,
) -> PlayableGame:
    """Return a game that is ready to be played, compiled if it can be and is not yet; spots are card forms."""
    rules = load(game)
    reason = ""
    try:
        if form is None:
            # Too large to be written out.
            merged = isinstance(rules, Holdem | Omaha) or hasattr(rules, "three_hands")
            form = compile_any(rules, limits=limits, say=on_stage, keep_tree=not merged)
    except GameError as error:  # too large, or a player forgets: hands can be played all the same
        reason = str(error)
    public = is_card_game(rules) or public_game(rules) is not None
    return PlayableGame(game_name(rules), to_extensive_form(rules), form, reason, limits, public)


def read_strategy_to_play(source: AnySource, playable: PlayableGame) -> tuple[Strategy, str]:
    """Return a strategy from whatever the user has, and what messages call it."""
    form = playable.form
    is_path = isinstance(source, str | Path)
    strategy = read_strategy(source, form if form is not None and form.tree is None else None)
    if isinstance(strategy, Solution):
        description = f"{source}, a run" if is_path else "The solution"
        return strategy.strategy, f"{description} of {strategy.game}: "
    prefix = f"{source}: " if is_path else ""
    if form is None:
        return as_strategy(strategy, lambda _: range(playable.players)), prefix
    return strategy_for(strategy, form), prefix


def prepare_strategy(
    source: AnySource | Searcher, playable: PlayableGame, *, missing: str | None, whole: bool = True
) -> tuple[Strategy | SpotOpponent | Searcher, Floats | None]:
    """Return a strategy, and its probabilities at the slots of the compiled game where there is one.

    Of a spot of hold'em the numbers are weights, of which each infoset plays its shares. A searcher
    is asked for all infosets of a ``whole`` game that has a tree, else it searches where play
    comes.
    """
    check_missing(missing)
    form = playable.form
    if isinstance(source, Searcher):
        if form is None or form.tree is None or not whole:
            return source, None
        return source, source.strategy().at_slots(form)
    strategy, prefix = read_strategy_to_play(source, playable)
    try:
        if form is not None and form.keeps_weights:
            opponent = SpotOpponent(strategy, form, missing=missing)
            return opponent, opponent.spot.weights
        return strategy, None if form is None else strategy.at_slots(form, missing=missing)
    except SolutionError as error:
        raise SolutionError(f"{prefix}{error}", wrong_use=error.wrong_use) from error


def solve_opponent(
    playable: PlayableGame, on_stage: Callable[[str], None] | None
) -> tuple[Strategy, str]:
    """Return the strategy to play against where none is given, and what it is, in words.

    A two-player zero-sum game that is small enough is solved by linear programme, any other by as
    many iterations of CFR as take some ten seconds. What
    cannot be compiled is played uniformly at random.
    """
    form = playable.form
    if form is None:
        return Strategy.from_dict(
            {}
        ), "plays uniformly at random, for the game cannot be solved on the spot"
    small = form.tree is not None and form.histories <= _MOST_BY_PROGRAMME
    if small and form.players == 2 and form.zero_sum:
        with suppress(LinearProgramError):
            return exact(
                form, on_stage=on_stage
            ).strategy, "plays an equilibrium, found by linear programme"
    until = _UNTIL if form.pot is None else _UNTIL_OF_POT
    iterations = max(_FEWEST_ITERATIONS, _SLOTS_UPDATED // form.length)
    solution = solve(
        form, until=until, iterations=iterations, callbacks=Callbacks(on_stage=on_stage)
    )
    quality = f"exploitability {solution.exploitability:.2g}"
    return (
        solution.strategy,
        f"plays what {solution.algorithm} found in {solution.iterations:,} iterations, {quality}",
    )


class SpotOpponent:
    """What play asks of a strategy and of action values, by the names of infosets, found node by node."""

    def __init__(self, strategy: Any, form: Any, *, missing: str | None = None) -> None:
        self.spot = SolvedSpot(strategy, form.game, missing=missing)

    @cached_property
    def certificate(self) -> Values:
        """The value of the strategy and of the best responses to it; payoff per game."""
        return self.spot.form.values(self.spot.weights, weights=True)

    def probabilities_at(self, key: Key, actions: Sequence[str], game: str) -> list[float]:
        hand, board, line = split_infoset(key[1])
        probabilities: list[float] = self.spot.mix(line, board, hand).tolist()
        return probabilities

    def at(self, player: int, key: str) -> tuple[float, ...] | None:
        """Return the value of each action at an infoset of a player; None where the other never comes there."""
        hand, board, line = split_infoset(key)
        values = self.spot.best_action_values(line, board, hand)
        if values is None:
            return None
        return tuple(values.tolist())


def split_infoset(infoset: str) -> tuple[str, str, str]:
    """Return hand, board and line of the name of an infoset of a spot."""
    hand, _, board_and_line = infoset.partition(" ")
    board, _, line = board_and_line.partition(" ")
    return hand, board, line
