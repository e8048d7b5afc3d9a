"""What comes before any work on a game: loading the kernels and compiling the game, with the clock running."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .._jit.cache import can_keep
from ..cfr.algorithms import Algorithm
from ..cfr.public_cfr import PublicCFR
from ..cfr.sequence_cfr import SequenceCFR
from ..errors import GameError
from ..evaluation.certificate import certify
from ..form.build import compile_game, to_extensive_form
from ..form.build_public import compile_public
from ..form.build_python import MAX_DEPTH, MAX_HISTORIES, Limits
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from ..form.terminal.payoffs import SHOWDOWN
from ..game.compiled_rules import machine
from ..game.protocol import TERMINAL, Game, game_name
from ..game.public import PublicGame, public_game
from ..game.rules import RulesGame
from ..games.load import load
from ..mccfr.sampling import Sampling
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table import Hands, InfosetTable, Tree
from ..mccfr.table_lazy import lazy_table
from ..strategy.strategy import Strategy

_LOADING = "Loading the compiled kernels (the very first time, Numba compiles them: some 10 seconds)"
_COMPILING = "Compiling the kernels (some 10 seconds every time: there is no folder where machine code can be kept)"

MOST_WRITTEN_OUT = 1_000_000
"""Up to so many histories a game that has public states is written out all the same, as its iterations are faster so;
beyond, compiling takes longer than solving (``python -m benchmarks.public``)."""

DEFAULT_LIMITS = Limits(MAX_HISTORIES, MAX_DEPTH, None)
MOST_UNFOLDED = 20_000
"""The same for a public game in Python, which is unfolded in Python as well, some 30,000 histories a second."""

FORMS = ("auto", "sequence", "public")
Form = SequenceForm | PublicForm
Playable = str | Game | PublicGame | SequenceForm | PublicForm
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
) -> tuple[Form, Seconds]:
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
    compiled: Form | None
    if isinstance(game, SequenceForm | PublicForm):
        rules, compiled, name = None, game, game.name
    else:
        rules = load(game)
        name = game_name(rules)
        with stopwatch(seconds, "compile"):
            told = limits._replace(progress=_counted(say, name, "public states"))
            compiled = _public_form(rules, form, told, sampled=sampled)
    say(_LOADING if can_keep() else _COMPILING)
    with stopwatch(seconds, "jit"):
        if isinstance(compiled, PublicForm):
            small = _warm_up_public(precision)
            if sampled:
                _warm_up_sampling(Hands(small), threads)
        else:
            players = getattr(rules, "players", 2) if compiled is None else compiled.players
            _warm_up(players, precision)
            if sampled:
                _warm_up_sampling(Tree(compile_game(_Coins(players), keep_tree=True)), threads)
    if compiled is None:
        say(f"Compiling {name}")
        told = limits._replace(progress=_counted(say, name, "histories"))
        with stopwatch(seconds, "compile"):
            compiled = compile_game(rules, **told._asdict(), keep_tree=sampled)
    return compiled, seconds


def _counted(say: Callable[[str], None], name: str, things: str) -> Callable[[int], None]:
    """Return what tells how far compiling is."""
    return lambda count: say(f"Compiling {name}: {count:,} {things}")


def _public_form(rules: Game | PublicGame, form: str, limits: Limits, *, sampled: bool) -> PublicForm | None:
    """Return the public form of a game, if that is asked for, or suits it better than to be written out."""
    if form not in FORMS:
        raise GameError(f"form must be one of {', '.join(map(repr, FORMS))}; got {form!r}.", wrong_use=True)
    public = None if form == "sequence" else public_game(rules)
    if public is None:
        if form == "public":
            raise GameError(
                f"{game_name(rules)} does not say what is public in it, which form='public' needs (see "
                "equilibrist.PublicGame). Use form='sequence'.",
                wrong_use=True,
            )
        return None
    if form == "auto":  # this only tells how large the game is: the limit is on what is written out
        limits = limits._replace(max_histories=MAX_HISTORIES)
    compiled = compile_public(public, **limits._asdict(), check_names=public is rules)
    most = MOST_UNFOLDED if public is rules else MOST_WRITTEN_OUT
    many_hands = not sampled and bool((compiled.terminal_payoffs.kind == SHOWDOWN).any())
    return compiled if form == "public" or many_hands or compiled.histories > most else None


def prepare_lazy(game: Playable, *, say: Callable[[str], None] | None = None, threads: int = 1) -> tuple[Game, Seconds]:
    """Return a game that is going to be sampled without a tree, with the kernels loaded; and the seconds it took."""
    if isinstance(game, SequenceForm | PublicForm):
        raise GameError(
            f"{game.name} is compiled already; sampling with tree=False takes the rules instead.", wrong_use=True
        )
    say = say or (lambda text: None)
    rules = to_extensive_form(load(game))
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    say(_LOADING if can_keep() else _COMPILING)
    with stopwatch(seconds, "jit"):
        _warm_up_sampling(lazy_table(load("kuhn")), threads)
        _warm_up_sampling(lazy_table(_Coins(rules.players)), threads)
        if isinstance(rules, RulesGame):
            machine(rules)
    return rules, seconds


@contextmanager
def stopwatch(seconds: Seconds, stage: str) -> Iterator[None]:
    """Add the time spent inside to a stage."""
    began = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - began


class _Coins:
    """The smallest game with n players, each calling one of two sides, to load the kernels with."""

    def __init__(self, players: int) -> None:
        self.players = players

    def start(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return len(state) if len(state) < self.players else TERMINAL

    def actions(self, state: str) -> str:
        return "ht"

    def probabilities(self, state: str) -> list[float]:
        return []

    def next(self, state: str, action: str) -> str:
        return state + action

    def payoffs(self, state: str) -> list[float]:
        return [1.0] * self.players

    def infoset(self, state: str) -> str:
        return "call"


def _warm_up(players: int, precision: str) -> None:
    """Load every kernel from the cache, or have Numba compile it, by solving a tiny game."""
    solver = SequenceCFR(compile_game(_Coins(players)), Algorithm("cfr", "any row will do"), precision=precision)
    solver.run(1)
    certify(solver.form, solver.average_weights(), weights=True)


def _warm_up_public(precision: str) -> PublicForm:
    """Do the same for the kernels that walk public states; return the form of the game it was done with."""
    form = compile_public(load("kuhn").public_states())
    solver = PublicCFR(form, Algorithm("cfr", "any row will do"), precision=precision)
    solver.run(1)
    certify(form, solver.average_weights(), weights=True)
    Strategy.from_form(form, solver.average_strategy())
    return form


def _warm_up_sampling(ground: InfosetTable, threads: int) -> None:
    """Do the same for the kernels that draw; several threads put other ones together."""
    baseline = None if threads == 1 else "infoset"
    way = Sampling("external", average="lazy", baseline=baseline, batch=threads, tree=ground.form is not None)
    solver = MonteCarloCFR(ground, Algorithm("cfr", "any row will do"), way, threads=threads)
    solver.run(1)
    solver.strategy()
