"""What comes before any work on a game: loading the kernels and compiling the game, with the clock running."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._util.stopwatch import Seconds, stopwatch
from ..errors import AlgorithmError, GameError
from ..form.build import compile_within, to_extensive_form
from ..form.compiled_game import CompiledGame
from ..form.compiling import tell_compiling
from ..form.limits import Limits
from ..form.sequence import SequenceForm
from ..game.protocol import Game, game_name
from ..games.compile import FORMS, Playable, choose_form
from ..games.load import load
from .warm_up import warm_up, warm_up_lazy

__all__ = ("DEFAULT_LIMITS", "FORMS", "Playable", "Seconds", "prepare", "prepare_lazy", "stopwatch")

_LOADING = "Loading the kernels"

DEFAULT_LIMITS = Limits()


def prepare(
    game: Playable,
    *,
    form: str = "auto",
    limits: Limits = DEFAULT_LIMITS,
    say: Callable[[str], None] | None = None,
    sampled: bool = False,
    threads: int = 1,
    precision: str = "auto",
    accept: Callable[[CompiledGame | type[SequenceForm], str], None] | None = None,
) -> tuple[CompiledGame, Seconds]:
    """Return the compiled game, and the seconds that each stage took.

    A game that is compiled already is taken as it is. Else ``form`` decides what it is compiled into: ``"sequence"``,
    ``"public"``, or ``"auto"``, which is the public form of a game that has one and more than ``MOST_WRITTEN_OUT``
    histories (a :class:`PublicGame` itself: ``MOST_UNFOLDED``, both of :mod:`equilibrist.games.compile`), or so many
    hands that showdowns are sorted and an iteration is faster at once; a :class:`CardGame` becomes a card form.
    ``limits`` are those of compilation. ``say`` is called with a short text when a long stage begins; ``sampled`` says
    that samples are going to be drawn, by so many ``threads``; ``precision`` is that of the tables to come.
    ``accept`` is called with the form and the name of the game before kernels are loaded, and raises what is against
    them; a sequence form is not made yet then, and its class stands for it.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or exceeds a limit, or has no such form.
    """
    say = say or (lambda text: None)
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    rules: Any
    compiled: CompiledGame | None
    if isinstance(game, CompiledGame):
        rules, compiled, name = None, game, game.name
    else:
        rules = load(game)
        name = game_name(rules)
        with stopwatch(seconds, "compile"), tell_compiling(say):
            compiled, rules = choose_form(rules, form, limits._replace(say=say), sampled=sampled)
    kind = compiled or SequenceForm
    if precision == "auto":
        precision = kind.default_precision
    if precision not in kind.precisions and not sampled:
        raise AlgorithmError(
            f"precision={precision!r} is for card games in the card form (form='cards'), not for {name} in the "
            f"{kind.title}: give one of {', '.join(map(repr, kind.precisions))}.",
            wrong_use=True,
        )
    if accept is not None:
        accept(kind, name)
    say(_LOADING)
    with stopwatch(seconds, "jit"), tell_compiling(say):
        if compiled is not None:
            warm_up(compiled.kind, compiled.players, precision=precision, threads=threads, sampled=sampled)
        else:
            warm_up("sequence", getattr(rules, "players", 2), precision=precision, threads=threads, sampled=sampled)
    if compiled is None:
        say(f"Compiling {name}")
        with stopwatch(seconds, "compile"), tell_compiling(say):
            compiled = compile_within(rules, limits._replace(say=say), keep_tree=sampled)
    return compiled, seconds


def prepare_lazy(game: Playable, *, say: Callable[[str], None] | None = None, threads: int = 1) -> tuple[Game, Seconds]:
    """Return a game that is going to be sampled without a tree, with the kernels loaded; and the seconds it took."""
    if isinstance(game, CompiledGame):
        raise GameError(
            f"{game.name} is compiled already; sampling with tree=False takes the rules instead.", wrong_use=True
        )
    say = say or (lambda text: None)
    rules = to_extensive_form(load(game))
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    say(_LOADING)
    with stopwatch(seconds, "jit"), tell_compiling(say):
        warm_up_lazy(rules, threads)
    return rules, seconds
