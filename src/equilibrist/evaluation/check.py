"""Check a game: its rules, and that all forms that it has are one game."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from .._util.arrays import Floats
from .._util.callbacks import AnyCallbacks, find_listeners
from ..errors import EquilibristWarning, GameError, SolutionError
from ..form.cards.build import compile_cards_within
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits, compile_budget
from ..form.public.build import compile_public_within
from ..form.sequence.build import compile_sequence
from ..game.card_game import CardGame, is_card_game
from ..game.protocol import Game
from ..game.public import PublicGame, is_public_game
from ..games.compile import FORMS, compile_any
from ..strategy.strategy import Strategy
from .action_values import uniform_strategy
from .merged import MOST_LISTED, unseen_chance

MOST_COMPARED = 10_000
"""The most histories of a game whose forms are compared: they are written out, some 30,000 a second in Python."""

_CLOSE = 1e-6  # of the largest payoff
_RANDOM = 2  # strategies


class UnseenChanceWarning(EquilibristWarning):
    """Payoffs depend on a move of chance that nobody sees: most often the own card is not in the infoset."""


def check_game(
    game: Game | PublicGame | CardGame,
    *,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
) -> CompiledGame:
    """Walk a game and raise an error that names the first thing that is wrong with it; return its compiled form.

    Checked are: actions at every decision, the same ones at every history of an infoset;
    probabilities of chance that are not negative and sum to 1; finite payoffs for every player at
    every end; perfect recall of every player; an end within the limits. Run it on a game of your
    own before you solve it (solving checks the same). Of a public game these are checked for every
    public state, and every pair of hands that can be there; of a card game, the betting.

    A game of up to 10,000 histories that has several forms is compiled into each of them, and
    uniform and random strategies must have the same values and best responses in all: that finds,
    among others, symmetries and public states that are not those of the game.

    A game of up to 100,000 histories is well formed and yet odd where the infosets of a player do
    not depend on chance at all, and chance makes moves that nobody sees and payoffs depend on: most
    often the own card is not in the infoset. Of that an :class:`EquilibristWarning` tells.
    :func:`merged_histories` shows what each infoset merges.

    Parameters
    ----------
    game : Game, PublicGame or CardGame
        The rules.
    limits : Limits, optional
        Where to give up: ``eq.Limits(memory_gb=, histories=, depth=)``; by default at as many
        histories as there is memory for, and at 1,000 moves.
    callbacks : Callbacks, callable or several, optional
        ``on_histories`` (or a callable) is called now and then with the number of histories found so
        far.

    Raises
    ------
    GameError
        The first thing that is wrong, in one sentence, with the histories where it is seen.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.check_game(eq.load("kuhn")).histories
    58
    """
    listeners = find_listeners(callbacks, "check_game", ("on_histories",))
    budget = compile_budget(limits, "check_game")._replace(progress=listeners["on_histories"])
    form: CompiledGame
    if is_card_game(game):
        form = compile_cards_within(game, budget)
        budget.check_nodes(form.name, form.nodes)
    elif is_public_game(game):
        form = compile_public_within(game, budget, check_names=True)
    else:
        form = compile_sequence(game, budget)
    if form.histories <= MOST_COMPARED:
        compare_forms(list(_compile_forms(game, form)), named_alike=is_card_game(game))
    if form.histories <= MOST_LISTED:
        warning = unseen_chance(game)
        if warning:
            warnings.warn(warning, UnseenChanceWarning, stacklevel=2)
    return form


def _compile_forms(
    game: Game | PublicGame | CardGame, form: CompiledGame
) -> Iterator[CompiledGame]:
    """Yield the forms of a game, one of which is compiled: the sequence form first, which takes nothing together."""
    for kind in FORMS[1:]:
        if kind == form.kind:
            yield form
            continue
        try:
            yield compile_any(game, form=kind)
        except GameError as error:
            if not error.wrong_use:  # else the game has no such form
                raise


def compare_forms(forms: list[CompiledGame], *, named_alike: bool) -> None:
    """Refuse forms of a game in which the same strategies have other values or best responses than in the first one.

    Uniform play is compared, and random strategies. A game and the cards that it offers may name
    infosets in different ways: forms that are not ``named_alike`` are compared in uniform play
    alone where they do.
    """
    if len(forms) == 1:
        return
    first = forms[0]
    rng = np.random.default_rng(0)
    unmerged = [form.unmerged() for form in forms]  # a random strategy does not play suits alike
    centred = any(form.zero_sum for form in forms)
    for strategy in (None, *(_random_strategy(first, rng) for _ in range(_RANDOM))):
        expected = _measure_values(first, strategy, centred=centred)
        for form in forms[1:] if strategy is None else unmerged[1:]:
            try:
                values = _measure_values(form, strategy, centred=centred)
            except SolutionError as error:
                if named_alike:
                    raise GameError(
                        f"{first.name}: its {form.title} has other infosets. {error}"
                    ) from error
                continue
            if np.abs(values - expected).max() > _CLOSE * first.largest_payoff:
                if strategy is None:
                    how = "uniform play"
                else:
                    how = "a random strategy"
                raise GameError(
                    f"{first.name}: its {form.title} is not the game that its {first.title} is: "
                    f"in {how} the values of the players and of their best responses are "
                    f"{_join_numbers(values)} there, and {_join_numbers(expected)} here. Cards, strengths, "
                    "symmetries or public states are not those of the rules."
                )


def _random_strategy(form: CompiledGame, rng: np.random.Generator) -> Strategy:
    """Return a strategy whose probabilities are uniform among all."""
    weights = rng.exponential(size=form.num_actions)
    first = form.first_action
    if len(first) > 1:
        totals = np.add.reduceat(weights, first[:-1])
    else:
        totals = weights
    return Strategy(form.infosets, weights / np.repeat(totals, np.diff(first)))


def _measure_values(form: CompiledGame, strategy: Strategy | None, *, centred: bool) -> Floats:
    """Return the values of a strategy, or of uniform play, and of the best responses to it.

    Where they are ``centred``, values sum to 0: the public form of a card game leaves half of the
    pot out.
    """
    if strategy is None:
        slots = uniform_strategy(form)
    else:
        slots = strategy.at_slots(form)
    numbers = np.array(form.values(slots))
    return np.asarray((numbers - centred * numbers[0].mean()).ravel())


def _join_numbers(numbers: Floats) -> str:
    return ", ".join(f"{number:.6g}" for number in numbers.tolist())
