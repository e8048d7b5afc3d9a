"""What comes before any work on a game: loading the kernels and compiling the game, with the clock running."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .certificate import certify
from .cfr.algorithms import Algorithm
from .cfr.full import FullWidth
from .cfr.ground import Ground, Tree
from .cfr.sampled import Sampled
from .cfr.sampling import Sampling
from .cfr.unwritten import unwritten
from .errors import GameError
from .form import MAX_DEPTH, MAX_HISTORIES, compile_game
from .form.machine import machine
from .form.sequence import SequenceForm
from .game import TERMINAL, Game, game_name
from .games.rules import RulesGame
from .loading import load

_LOADING = "Loading the compiled kernels (the very first time, Numba compiles them: some 10 seconds)"

Seconds = dict[str, float]
"""Seconds spent, by stage: compile, jit, solve, and certify where certificates are counted apart."""


def prepare(
    game: str | Game | SequenceForm,
    *,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    say: Callable[[str], None] | None = None,
    sampled: bool = False,
    threads: int = 1,
) -> tuple[SequenceForm, Seconds]:
    """Return the compiled game, and the seconds that each stage took.

    A game that is compiled already is taken as it is. ``say`` is called with a short text when a long stage begins;
    ``sampled`` says that samples are going to be drawn from the tree, by so many ``threads``; the others are the limits
    of compilation.
    """
    say = say or (lambda text: None)
    rules = game if isinstance(game, SequenceForm) else load(game)
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    say(_LOADING)
    with stopwatch(seconds, "jit"):
        _warm_up(rules.players)
        if sampled:
            _warm_up_sampling(Tree(compile_game(_Coins(rules.players), keep_tree=True)), threads)
    if isinstance(rules, SequenceForm):
        return rules, seconds
    name = game_name(rules)
    say(f"Compiling {name}")
    with stopwatch(seconds, "compile"):
        form = compile_game(
            rules,
            max_histories=max_histories,
            max_depth=max_depth,
            progress=lambda found: say(f"Compiling {name}: {found:,} histories"),
            keep_tree=sampled,
        )
    return form, seconds


def prepare_unwritten(
    game: str | Game | SequenceForm, *, say: Callable[[str], None] | None = None, threads: int = 1
) -> tuple[Game, Seconds]:
    """Return a game that is going to be sampled without a tree, with the kernels loaded; and the seconds it took."""
    if isinstance(game, SequenceForm):
        raise GameError(
            f"{game.name} is compiled already; sampling with tree=False takes the rules instead.", wrong_use=True
        )
    say = say or (lambda text: None)
    rules = load(game)
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    say(_LOADING)
    with stopwatch(seconds, "jit"):
        _warm_up_sampling(unwritten(load("kuhn")), threads)
        _warm_up_sampling(unwritten(_Coins(rules.players)), threads)
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


def _warm_up(players: int) -> None:
    """Load every kernel from the cache, or have Numba compile it, by solving a tiny game."""
    form = compile_game(_Coins(players))
    solver = FullWidth(form, Algorithm("cfr", "any row will do"))
    solver.run(1)
    certify(form, solver.average_strategy())


def _warm_up_sampling(ground: Ground, threads: int) -> None:
    """Do the same for the kernels that draw; several threads put other ones together."""
    baseline = None if threads == 1 else "infoset"
    way = Sampling("external", average="lazy", baseline=baseline, batch=threads, tree=ground.form is not None)
    solver = Sampled(ground, Algorithm("cfr", "any row will do"), way, threads=threads)
    solver.run(1)
    solver.strategy()
