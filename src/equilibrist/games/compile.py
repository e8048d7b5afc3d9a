"""Compile any game: one that is given by name, by its rules, or compiled already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import GameError
from ..form.build import compile_within
from ..form.build_public import compile_public_within
from ..form.cards.build import compile_cards_within
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits
from ..form.terminal.payoffs import SHOWDOWN
from ..game.card_game import CardGame, card_game, is_card_game
from ..game.protocol import Game, game_name
from ..game.public import PublicGame, is_public_game, public_game
from ..game.unfold import unfold
from ..game.unfold_cards import public_game_of
from .load import load

MOST_WRITTEN_OUT = 1_000_000
"""Up to so many histories a game that has public states is written out all the same, as its iterations are faster so;
beyond, compiling takes longer than solving (``python -m benchmarks.public``)."""

MOST_UNFOLDED = 20_000
"""The same for a public game in Python, which is unfolded in Python as well, some 30,000 histories a second."""

FORMS = ("auto", "sequence", "public", "cards")
Playable = str | Game | PublicGame | CardGame | CompiledGame
"""What can be solved: a game in any shape."""


def compile_any(
    game: Playable,
    *,
    form: str = "auto",
    limits: Limits | None = None,
    say: Callable[[str], None] | None = None,
    keep_tree: bool = False,
) -> CompiledGame:
    """Return the compiled form of a game; what is compiled already is taken as it is.

    Parameters
    ----------
    game : str, Game, PublicGame, CardGame or CompiledGame
        As for :func:`equilibrist.load`, or compiled already.
    form : {"auto", "sequence", "public", "cards"}
        As for :func:`equilibrist.solve`.
    limits : Limits, optional
        Those of compilation.
    say : callable, optional
        Called with a short text, to tell how far compiling is.
    keep_tree : bool
        Whether a sequence form keeps the tree of histories.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or exceeds a limit, or has no such form.
    """
    if isinstance(game, CompiledGame):
        return game
    rules, limits, say = load(game), limits or Limits(), say or (lambda text: None)
    name = game_name(rules)
    say(f"Compiling {name}")
    limits = limits._replace(say=say)
    compiled, rules = choose_form(rules, form, limits, sampled=keep_tree)
    return compiled or compile_within(rules, limits, keep_tree=keep_tree)


def choose_form(
    rules: Game | PublicGame | CardGame, form: str, limits: Limits, *, sampled: bool
) -> tuple[CompiledGame | None, Any]:
    """Return the public form or the card form of a game, if asked for, or if it suits it better than to be written out.

    Otherwise None, and the rules to write out: those of a public game are checked, and unfolded.
    """
    if form not in FORMS:
        raise GameError(f"form must be one of {', '.join(map(repr, FORMS))}; got {form!r}.", wrong_use=True)
    if form == "cards" or (form == "auto" and is_card_game(rules) and not sampled):
        return compile_cards_within(_cards_of(rules), limits), None
    if form == "auto" and not sampled and (compiled_cards := _merged_cards(rules, limits)) is not None:
        return compiled_cards, None
    if is_card_game(rules):
        if getattr(rules, "locks", None):
            raise GameError(
                f"{game_name(rules)} has locks, which full-width CFR on the card form alone keeps: leave form and "
                "sampling out, or the locks.",
                wrong_use=True,
            )
        if form != "public":
            return None, unfold(rules)
        rules = public_game_of(rules)
    is_public = is_public_game(rules)
    public = None if form == "sequence" and not is_public else public_game(rules)
    if public is None:
        if form == "public":
            raise GameError(
                f"{game_name(rules)} does not say what is public in it, which form='public' needs (see "
                "equilibrist.PublicGame). Use form='sequence'.",
                wrong_use=True,
            )
        return None, rules
    if form != "public":  # this only tells how large the game is: the limit is on what is written out
        limits = limits._replace(max_histories=None)
    compiled = compile_public_within(public, limits, check_names=is_public)
    most = MOST_UNFOLDED if is_public else MOST_WRITTEN_OUT
    many_hands = not sampled and bool((compiled.terminal_payoffs.kind == SHOWDOWN).any())
    if form == "public" or (form == "auto" and (many_hands or compiled.histories > most)):
        return compiled, None
    return None, unfold(public) if is_public else rules


def _merged_cards(rules: Any, limits: Limits) -> CompiledGame | None:
    """Return the card form of a game that offers its cards, where it is large and merges suits that all else keeps."""
    cards = None if is_card_game(rules) else card_game(rules)
    public = None if cards is None or not cards.streets else public_game(rules)
    if cards is None or public is None or len(public.hands[0]) != len(cards.hands[0]):
        return None
    compiled = compile_cards_within(cards, limits)
    return compiled if compiled.histories > MOST_WRITTEN_OUT else None


def _cards_of(rules: Any) -> CardGame:
    """Return a game as a card game, or refuse it."""
    cards = card_game(rules)
    if cards is None:
        raise GameError(
            f"{game_name(rules)} is not told by its cards, which form='cards' needs (see equilibrist.CardGame). Use "
            "form='auto'.",
            wrong_use=True,
        )
    return cards
