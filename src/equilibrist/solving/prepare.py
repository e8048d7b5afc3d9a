"""What comes before any work on a game: loading the kernels and compiling the game, with the clock running."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .._jit.cache import can_keep
from ..errors import GameError
from ..form.build import compile_within, to_extensive_form
from ..form.build_public import compile_public_within
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits
from ..form.terminal.payoffs import SHOWDOWN
from ..game.protocol import Game, game_name
from ..game.public import PublicGame, is_public_game, public_game
from ..game.unfold import unfold
from ..games.load import load
from .warm_up import warm_up, warm_up_lazy

_LOADING = "Loading the compiled kernels (the very first time, Numba compiles them: some 10 seconds)"
_COMPILING = "Compiling the kernels (some 10 seconds every time: there is no folder where machine code can be kept)"

MOST_WRITTEN_OUT = 1_000_000
"""Up to so many histories a game that has public states is written out all the same, as its iterations are faster so;
beyond, compiling takes longer than solving (``python -m benchmarks.public``)."""

DEFAULT_LIMITS = Limits()
MOST_UNFOLDED = 20_000
"""The same for a public game in Python, which is unfolded in Python as well, some 30,000 histories a second."""

FORMS = ("auto", "sequence", "public")
Playable = str | Game | PublicGame | CompiledGame
"""What can be solved: a game in any shape."""

Seconds = dict[str, float]
"""Seconds spent, by stage: compile, jit, solve, and certify where certificates are counted apart."""


def prepare(
    game: Playable,
    *,
    form: str = "auto",
    limits: Limits = DEFAULT_LIMITS,
    say: Callable[[str], None] | None = None,
    sampled: bool = False,
    threads: int = 1,
    precision: str = "float64",
) -> tuple[CompiledGame, Seconds]:
    """Return the compiled game, and the seconds that each stage took.

    A game that is compiled already is taken as it is. Else ``form`` decides what it is compiled into: ``"sequence"``,
    ``"public"``, or ``"auto"``, which is the public form of a game that has one and more than
    :data:`MOST_WRITTEN_OUT` histories (a :class:`PublicGame` itself: :data:`MOST_UNFOLDED`), or so many hands that
    showdowns are sorted and an iteration is faster at once. ``limits`` are those of compilation. ``say`` is called with
    a short text when a long stage begins; ``sampled`` says that samples are going to be drawn, by so many ``threads``;
    ``precision`` is that of the tables to come.

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
        with stopwatch(seconds, "compile"):
            told = limits._replace(progress=_counted(say, name, "public states"))
            compiled, rules = _public_form(rules, form, told, sampled=sampled)
    say(_LOADING if can_keep() else _COMPILING)
    with stopwatch(seconds, "jit"):
        if compiled is not None:
            warm_up(compiled.kind, compiled.players, precision=precision, threads=threads, sampled=sampled)
        else:
            warm_up("sequence", getattr(rules, "players", 2), precision=precision, threads=threads, sampled=sampled)
    if compiled is None:
        say(f"Compiling {name}")
        told = limits._replace(progress=_counted(say, name, "histories"), say=say)
        with stopwatch(seconds, "compile"):
            compiled = compile_within(rules, told, keep_tree=sampled)
    return compiled, seconds


def _counted(say: Callable[[str], None], name: str, things: str) -> Callable[[int], None]:
    """Return what tells how far compiling is."""
    return lambda count: say(f"Compiling {name}: {count:,} {things}")


def _public_form(
    rules: Game | PublicGame, form: str, limits: Limits, *, sampled: bool
) -> tuple[CompiledGame | None, Any]:
    """Return the public form of a game, if that is asked for, or suits it better than to be written out.

    Otherwise None, and the rules to write out: those of a public game are checked, and unfolded.
    """
    if form not in FORMS:
        raise GameError(f"form must be one of {', '.join(map(repr, FORMS))}; got {form!r}.", wrong_use=True)
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


def prepare_lazy(game: Playable, *, say: Callable[[str], None] | None = None, threads: int = 1) -> tuple[Game, Seconds]:
    """Return a game that is going to be sampled without a tree, with the kernels loaded; and the seconds it took."""
    if isinstance(game, CompiledGame):
        raise GameError(
            f"{game.name} is compiled already; sampling with tree=False takes the rules instead.", wrong_use=True
        )
    say = say or (lambda text: None)
    rules = to_extensive_form(load(game))
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    say(_LOADING if can_keep() else _COMPILING)
    with stopwatch(seconds, "jit"):
        warm_up_lazy(rules, threads)
    return rules, seconds


@contextmanager
def stopwatch(seconds: Seconds, stage: str) -> Iterator[None]:
    """Add the time spent inside to a stage."""
    began = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - began
