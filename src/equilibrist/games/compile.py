"""Compile any game: one that is given by name, by its rules, or compiled already."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, overload

from .._util.callbacks import AnyCallbacks, find_listeners
from ..errors import GameError
from ..form.any_form import GameForm
from ..form.cards.build import compile_cards_within
from ..form.cards.form import CardForm
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.limits import CompileBudget, Limits, compile_budget
from ..form.offers import offered_form
from ..form.public.build import compile_public_within
from ..form.public.terminal.payoffs import SHOWDOWN
from ..form.sequence.build import check_and_unfold, compile_within
from ..form.sequence.form import SequenceForm
from ..form.walk.build import Rules, compile_walk
from ..form.walk.form import WalkedGame, is_walked
from ..game.card_game import CardGame, card_game, is_card_game
from ..game.protocol import Game, game_name
from ..game.public import PublicGame, is_public_game, is_zero_sum, public_game
from ..game.unfold import to_extensive_form
from ..game.unfold_cards import unfold_boards
from .load import load
from .matrix import Payoffs

MOST_WRITTEN_OUT = 1_000_000
"""Up to so many histories a game that has public states is written out all the same, as its iterations are faster so;
beyond, compiling takes longer than solving (``python -m benchmarks.public``)."""

MOST_UNFOLDED = 20_000
"""The same for a public game in Python, which is unfolded in Python as well, some 30,000 histories a second."""

Playable = str | Game | PublicGame | CardGame | CompiledGame | WalkedGame | Payoffs
"""What can be solved: a game in any shape."""


def compile_any(
    game: Playable,
    *,
    form: str | None = None,
    limits: CompileBudget | None = None,
    say: Callable[[str], None] | None = None,
    keep_tree: bool = False,
    tells_reach: bool = False,
    check: Callable[[CompiledGame | type[CompiledGame], str, int], None] | None = None,
) -> CompiledGame:
    """Return the compiled form of a game; what is compiled already is taken as it is.

    ``form`` is as for :func:`equilibrist.solve`, by default the form that suits the game. ``say``
    is called with a short text, to tell how far compiling is. With ``keep_tree`` a sequence form
    keeps the tree of histories, as sampling needs; then a card form suits no game. With
    ``tells_reach`` it keeps it where it is the form chosen, for other forms tell the reach of
    infosets without.

    ``check`` is called once the form is known with it, the name of the game and the number of
    players. A sequence form is not made yet then, and its class stands for it.
    """
    check = check or (lambda form, name, players: None)
    if is_compiled(game):
        check(game, game.name, game.players)
        return game
    say = say or (lambda text: None)
    limits = (limits or CompileBudget())._replace(on_stage=say)
    rules = load(game)
    name = game_name(rules)
    maker = _FORMS.get(form or "auto")
    if maker is None:
        raise GameError(
            f"form must be one of {', '.join(map(repr, FORMS))}; got {form!r}.", wrong_use=True
        )
    rules = maker(rules, limits, keep_tree)
    if is_compiled(rules):
        check(rules, name, rules.players)
        return rules
    check(SequenceForm, name, getattr(rules, "players", 2))
    say(f"Compiling {name}")
    return compile_within(rules, limits, keep_tree=keep_tree or tells_reach)


@overload
def compile_game(
    game: Rules,
    *,
    form: Literal["sequence"] = "sequence",
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    keep_tree: bool = False,
) -> SequenceForm: ...


@overload
def compile_game(
    game: Rules,
    *,
    form: Literal["walk"],
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    keep_tree: bool = False,
) -> WalkedGame: ...


@overload
def compile_game(
    game: Rules,
    *,
    form: str,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    keep_tree: bool = False,
) -> GameForm: ...


def compile_game(
    game: Rules,
    *,
    form: str = "sequence",
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    keep_tree: bool = False,
) -> GameForm:
    """Return a game in one of its forms, by default the sequence form, having checked all of it on the way.

    Parameters
    ----------
    game : Game, PublicGame or CardGame
        The rules; those of a public game or a card game are unfolded.
    form : {"sequence", "public", "cards", "auto", "walk"}
        What the game is made into, as for :func:`equilibrist.solve`. ``"walk"`` stores nothing and
        checks nothing yet: rules are asked when somebody walks them.
    limits : Limits, optional
        Where to give up: a game that is larger or deeper than ``eq.Limits(memory_gb=, histories=,
        depth=)`` raises :class:`GameError`. By default a game may have as many histories as there
        is memory for, and 1,000 moves.
    callbacks : Callbacks, callable or several, optional
        ``on_histories`` (or a callable) is called now and then with the number of histories found so
        far.
    keep_tree : bool
        Whether the tree of histories is kept, which sampling needs; it takes far more memory than
        the form.

    Raises
    ------
    GameError
        The game is not well formed, has imperfect recall, or exceeds a limit.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.compile_game(eq.load("kuhn"))
    <SequenceForm of kuhn: 12 infosets, 26 slots, 58 histories>
    >>> eq.evaluate(eq.compile_game(eq.load("kuhn"), form="walk"), {}, missing="uniform").histories
    58
    """
    listeners = find_listeners(callbacks, "compile_game", ("on_histories",))
    budget = compile_budget(limits, "compile_game")._replace(progress=listeners["on_histories"])
    if form == SequenceForm.kind:
        return compile_within(check_and_unfold(game), budget, keep_tree=keep_tree)
    if form == WalkedGame.kind:
        return compile_walk(_refuse_locks(game), refuse_size_limits(budget))
    if form not in _FORMS:
        forms = ", ".join(map(repr, (*FORMS, WalkedGame.kind)))
        raise GameError(f"form must be one of {forms}; got {form!r}.", wrong_use=True)
    return compile_any(game, form=form, limits=budget, keep_tree=keep_tree)


def walk_any(game: Playable, limits: CompileBudget) -> WalkedGame:
    """Return a game that is walked, of which nothing is compiled but its rules; what is walked already as it is.

    Raises
    ------
    GameError
        The game cannot be found, or is compiled already; or a limit is not kept.
    """
    if is_walked(game):
        return game
    source: Any = game  # `load` refuses what is compiled
    rules = _refuse_locks(load(source))
    return compile_walk(rules, limits, load_again=partial(load, source))


def refuse_size_limits(budget: CompileBudget) -> CompileBudget:
    """Return limits of a game that is walked, having refused those of what is stored."""
    for name, limit in (("histories", budget.max_histories), ("memory_gb", budget.memory)):
        if limit is not None:
            raise GameError(
                f"A walk stores nothing of the game, so that limits=eq.Limits({name}={limit!r}) "
                f"would do nothing. Leave {name} out, or form='walk'.",
                wrong_use=True,
            )
    return budget


def _offer_ranges(rules: Any, limits: CompileBudget, keep_tree: bool) -> Any:
    offered = offered_form(rules, keep_tree=False)
    if offered is None or not offered.has_three_ranges:
        raise GameError(
            f"{game_name(rules)} has no three ranges, which form='ranges' needs. Use form='auto'.",
            wrong_use=True,
        )
    return offered


def _choose_form(rules: Any, limits: CompileBudget, keep_tree: bool) -> Any:
    """Choose the public form or the card form where it suits a game better than to be written out."""
    if not keep_tree:
        compiled = (
            compile_cards_within(rules, limits)
            if is_card_game(rules)
            else _compile_merged_cards(rules, limits)
        )
        if compiled is not None:
            limits.check_nodes(compiled.name, compiled.nodes)
            return compiled
    if is_card_game(rules):
        return _unfold_rules(rules, limits, keep_tree)
    public = public_game(rules)
    if public is None:
        return _unfold_rules(rules, limits, keep_tree)
    is_public = is_public_game(rules)
    if not is_zero_sum(public):
        return _unfold_rules(rules, limits, keep_tree)
    # This only tells how large the game is: what is written out in its place has limits of its own.
    states = compile_public_within(
        public, limits._replace(max_histories=None), check_names=is_public
    )
    many_hands = not keep_tree and bool((states.terminal_payoffs.kind == SHOWDOWN).any())
    if many_hands or states.histories > (MOST_UNFOLDED if is_public else MOST_WRITTEN_OUT):
        limits.check_nodes(states.name, states.nodes)
        return states
    if is_public:
        return to_extensive_form(public)
    return rules


def _unfold_rules(rules: Any, limits: CompileBudget, keep_tree: bool) -> Any:
    offered = offered_form(rules, keep_tree=keep_tree)
    if offered is not None:
        return offered
    if is_card_game(rules):
        return to_extensive_form(_refuse_locks(rules))
    if is_public_game(rules):  # its states are checked
        compile_public_within(rules, limits._replace(max_histories=None), check_names=True)
        return to_extensive_form(rules)
    return _refuse_locks(rules)


def _compile_public(rules: Any, limits: CompileBudget, keep_tree: bool) -> CompiledGame:
    states = unfold_boards(_refuse_locks(rules)) if is_card_game(rules) else public_game(rules)
    if states is None:
        raise GameError(
            f"{game_name(rules)} does not say what is public in it, which form='public' needs (see "
            "equilibrist.PublicGame). Use form='sequence'.",
            wrong_use=True,
        )
    if not is_zero_sum(states):
        raise GameError(
            f"{game_name(rules)} is not zero-sum, as form='public' needs. Use form='sequence'.",
            wrong_use=True,
        )
    return compile_public_within(
        states, limits, check_names=is_public_game(rules) or is_card_game(rules)
    )


def _compile_cards(rules: Any, limits: CompileBudget, keep_tree: bool) -> CompiledGame:
    cards = card_game(rules)
    if cards is None:
        raise GameError(
            f"{game_name(rules)} is not told by its cards, which form='cards' needs (see "
            "equilibrist.CardGame). Use form='auto'.",
            wrong_use=True,
        )
    compiled = compile_cards_within(cards, limits)
    limits.check_nodes(compiled.name, compiled.nodes)
    return compiled


# What makes each form: it returns the compiled game, or the rules to write out.
_FORMS: dict[str, Callable[[Any, CompileBudget, bool], Any]] = {
    "auto": _choose_form,
    "sequence": _unfold_rules,
    "public": _compile_public,
    "cards": _compile_cards,
    "ranges": _offer_ranges,
}
FORMS = tuple(_FORMS)


def _compile_merged_cards(rules: Any, limits: CompileBudget) -> CardForm | None:
    """Return the card form of a game that offers its cards, where it is large and merges suits that all else keeps."""
    cards = card_game(rules)
    if cards is None or not cards.streets:
        public = None
    else:
        public = public_game(rules)
    if cards is None or public is None or len(public.hands[0]) != len(cards.hands[0]):
        return None
    compiled = compile_cards_within(cards, limits)
    if compiled.histories > MOST_WRITTEN_OUT:
        return compiled
    return None


def _refuse_locks(rules: Any) -> Any:
    """Return a card game, or refuse one whose strategies are locked."""
    if getattr(rules, "locks", None):
        raise GameError(
            f"{game_name(rules)} has locks, which full-width CFR alone keeps, on the card form or "
            "that of three ranges: use form='auto' without sampling, or leave the locks out.",
            wrong_use=True,
        )
    return rules
