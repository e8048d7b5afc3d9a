"""Warm-up: load every kernel that a run needs from the cache, or have Numba compile it, on games of a few histories."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.cache_folder import can_keep
from .._jit.compile_lock import LISTENERS
from .._util.processes import python_command, safe_environment
from ..cfr.algorithms import Algorithm
from ..cfr.concepts import LastIterate
from ..cfr.minimiser import LocalMinimiser
from ..cfr.quantal import QuantalResponse
from ..cfr.regret_matching import REGRET_MATCHING, FlooredRegretMatching
from ..cfr.restricted import BiasedResponse, RestrictedResponse
from ..cfr.solvers import CPU, FULL_WIDTH
from ..form.cards.build import compile_cards
from ..form.cards.form import FOLDED_CARDS, MANY_CARDS, CardForm
from ..form.cards.terminal.blockers import FEW_CARDS_HELD, MOST_CARDS_HELD
from ..form.compiled_game import CompiledGame
from ..form.floors import NO_FLOORS
from ..form.public.build import compile_public
from ..form.public.form import PublicForm
from ..form.ranges.form import RangeForm, range_form
from ..form.ranges.game import Pot, RangeGame, RangeNode
from ..form.sequence.build import compile_sequence
from ..form.sequence.form import SequenceForm
from ..form.walk.build import compile_walk
from ..game.card_game import ShowdownPayoffs
from ..game.compiled_rules import compile_rules
from ..game.deal import Deal
from ..game.folded import FoldedHands
from ..game.protocol import CHANCE, TERMINAL, Game
from ..game.rules import RulesGame
from ..games.load import load
from ..mccfr.sampling import External
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table import InfosetTable, make_table
from ..mccfr.table_lazy import LazyTable
from ..mccfr.table_walked import WalkedTable
from ..mccfr.walk_cfr import WalkCFR

# with a floor as card games' own: int16 is stored by it
_ALGORITHM = Algorithm("cfr+", "any will do", floor=True)
_MOST_PLAYERS = 3  # kernels for more are the same ones, and each player doubles the game


class _Coins:
    """A game in which each of n players calls one of two sides."""

    def __init__(self, players: int) -> None:
        self.players = players

    def start(self) -> str:
        return ""

    def player(self, state: str) -> int:
        if len(state) < self.players:
            return len(state)
        return TERMINAL

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


class _HighCard:
    """A card game in which one of two players decides nothing, and the higher cards win.

    Hands have ``held`` cards, and others have folded ``folded`` hands before.
    """

    hands = (("0", "1"), ("0", "1"))
    board = ()
    streets = (1,)

    def __init__(self, held: int, folded: int = 0) -> None:
        deck = range(2 * held + 1 + 2 * folded)
        hands = [deck[:held], deck[held : 2 * held]]
        folded_hands = None
        if folded:
            pairs = np.array([deck[-2:]])
            folded_hands = FoldedHands(
                [pairs], [np.ones(1)], cards=len(deck), board=(), most=2 * held + 1
            )
        self.deal = Deal([hands] * 2, cards=len(deck), folded=folded_hands)
        self.cards = [str(card) for card in deck]
        self.symmetries = np.array([deck])

    def strengths(self, boards: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ranks = np.tile(np.arange(2), (len(boards), 1))
        return ranks, ranks

    def start(self) -> str:
        return "0"

    def player(self, state: str) -> int:
        return {"0": 0, "1": 1, "c": CHANCE}.get(state, TERMINAL)

    def actions(self, state: str) -> list[str]:
        return ["check"]

    def next(self, state: str, action: str | None) -> str:
        return {"0": "1", "1": "c", "c": "e"}[state]

    def payoff(self, state: str) -> ShowdownPayoffs:
        return ShowdownPayoffs((1.0, -1.0), (0.0, 0.0), (-1.0, 1.0))


def _check_around(players: int) -> CompiledGame:
    """Return the form of a game of three ranges in which nobody can do anything but check."""
    return range_form(
        RangeGame(
            name="check",
            pot=1.0,
            cards=tuple("012345"),
            board=(),
            streets=1,
            hand_names=("01", "23", "45"),
            hand_cards=np.arange(6).reshape(3, 2),
            weights=np.ones((3, 3)),
            symmetries=np.arange(6)[None, :],
            strengths=lambda boards: np.zeros((len(boards), 3), np.int64),
            nodes=[
                *(RangeNode(player, 0, "", ("X",), (player + 1,), (0.0,)) for player in range(3)),
                RangeNode(TERMINAL, 0, "", pots=(Pot(1.0, (0, 1, 2)),)),
            ],
            payoff_sum=1.0,
            largest_payoff=1.0,
        )
    )


@cache
def warm_up(
    kind: str, players: int, *, precision: str, sampled: bool, threads: int, concept: str = "nash"
) -> None:
    """Load the kernels of a form (:attr:`~equilibrist.form.compiled_game.CompiledGame.kernels`), those that draw
    samples from it where that is wanted, and those of a concept; once.
    """
    settings = kind, min(players, _MOST_PLAYERS), precision, sampled, threads, concept
    with _start_helper(*map(str, settings)):
        for step in _list_steps(*settings):
            step()


@cache
def warm_up_ahead(kind: str, precision: str) -> None:
    """Load the kernel that iterates and certifies in one call, where solvers of a form have one; once."""
    form = _FORMS[kind](2)
    solver = FULL_WIDTH[CPU, form.kind](form, _ALGORITHM, precision=precision)
    solver.run_until([1], 0.0)


def _list_steps(
    kind: str, players: int, precision: str, sampled: bool, threads: int, concept: str
) -> list[Callable[[], Any]]:
    """Return calls that load or compile kernels, none of which needs another before."""
    form = _FORMS[kind](players)
    minimiser = _MINIMISERS[concept](form)
    solver = FULL_WIDTH[CPU, form.kind](form, _ALGORITHM, precision=precision, minimiser=minimiser)
    steps: list[Callable[[], Any]] = [lambda: solver.run(1)]
    if sampled and form.kind != CardForm.kind:
        steps = [lambda: _draw_once(make_table(form), threads, minimiser)]
    steps.append(solver.values)
    if minimiser.floors(1) is not NO_FLOORS:
        steps.append(lambda: solver.values(within_floors=True))
    return [*steps, solver.average_strategy]


@contextmanager
def _start_helper(*settings: str) -> Iterator[None]:
    """Have a second process take the same steps, the last first, once the first kernel has to be compiled.

    Both keep on disk what they compile, and neither compiles what the other has begun: two
    processors take little more than half of the time. Threads would not help, as Numba compiles
    under one lock.
    """
    helpers: list[subprocess.Popen[bytes]] = []

    def start(change: int) -> None:
        if change > 0 and not helpers and (os.cpu_count() or 1) > 1 and can_keep():
            command = python_command(f"{__package__}.warm_up", *settings)
            nothing = subprocess.DEVNULL
            with suppress(OSError):
                helpers.append(
                    subprocess.Popen(
                        command,
                        env=safe_environment(),
                        stdin=nothing,
                        stdout=nothing,
                        stderr=nothing,
                    )
                )

    LISTENERS.append(start)
    try:
        yield
    finally:
        LISTENERS.remove(start)
        for helper in helpers:
            helper.terminate()
            helper.wait()


def warm_up_lazy(rules: Game, threads: int) -> None:
    """Load the kernels that draw samples from rules without a tree."""
    _draw_once(LazyTable(compile_walk(load("kuhn"))), threads)
    _draw_once(LazyTable(compile_walk(_Coins(min(rules.players, _MOST_PLAYERS)))), threads)
    if isinstance(rules, RulesGame):
        compile_rules(rules)


def warm_up_walk(rules: Game) -> None:
    """Load the kernels of full-width CFR without a tree."""
    if isinstance(rules, RulesGame):
        table = WalkedTable(compile_walk(load("kuhn")))
        table.enter_infosets(threads=1)
        solver = WalkCFR(table, _ALGORITHM)
        solver.run(1)
        solver.values()
        compile_rules(rules)


_FORMS: dict[str, Callable[[int], CompiledGame]] = {
    SequenceForm.kind: lambda players: compile_sequence(_Coins(players), keep_tree=True),
    PublicForm.kind: lambda players: compile_public(load("kuhn").public_states()),
    CardForm.kind: lambda players: compile_cards(_HighCard(1)),
    MANY_CARDS: lambda players: compile_cards(_HighCard(MOST_CARDS_HELD)),
    FOLDED_CARDS: lambda players: compile_cards(_HighCard(FEW_CARDS_HELD, folded=1)),
    RangeForm.kind: _check_around,
}


_MINIMISERS: dict[str, Callable[[CompiledGame], LocalMinimiser]] = {
    "nash": lambda form: REGRET_MATCHING,
    "floors": lambda form: FlooredRegretMatching(0.01),
    "qre": lambda form: QuantalResponse(form, 1.0),
    "dilated": lambda form: QuantalResponse(form, 1.0, dilated=True),
    "bias": lambda form: BiasedResponse(form, 0, None, None),
    "trust": lambda form: RestrictedResponse(form, 0.5, 0, None),
    "last_iterate": lambda form: LastIterate().minimiser(form),
}
"""A minimiser with the rules of each concept."""


def _draw_once(
    table: InfosetTable, threads: int, minimiser: LocalMinimiser = REGRET_MATCHING
) -> None:
    sampling = External(average="lazy", batch=threads, tree=table.form.is_complete)
    solver = MonteCarloCFR(table, _ALGORITHM, sampling, threads=threads, minimiser=minimiser)
    solver.run(1)
    solver.strategy()


if __name__ == "__main__":
    kind, players, precision, sampled, threads, concept = sys.argv[1:]
    for step in reversed(
        _list_steps(kind, int(players), precision, sampled == "True", int(threads), concept)
    ):
        step()
