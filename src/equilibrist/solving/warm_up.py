"""Warm-up: load every kernel that a run needs from the cache, or have Numba compile it, on games of a few histories."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..cfr.algorithms import Algorithm
from ..cfr.solvers import FULL_WIDTH
from ..evaluation.certificate import certify
from ..form.build import compile_game
from ..form.build_public import compile_public
from ..form.cards.build import compile_cards
from ..form.cards.form import CardForm
from ..form.compiled_game import CompiledGame
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from ..game.card_game import ShowdownPayoffs
from ..game.compiled_rules import compile_rules
from ..game.deal import Deal
from ..game.protocol import CHANCE, TERMINAL, Game
from ..game.rules import RulesGame
from ..games.load import load
from ..mccfr.sampling import Sampling
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table import InfosetTable, table_of
from ..mccfr.table_lazy import lazy_table
from ..strategy.strategy import Strategy

_ALGORITHM = Algorithm("cfr", "any row will do")
_MOST_PLAYERS = 3  # kernels for more are the same ones, and each player doubles the game


class _Coins:
    """A game in which each of n players calls one of two sides."""

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


class _HighCard:
    """A card game in which one of two players decides nothing, and the higher card wins."""

    deal = Deal([[(0,), (1,)], [(0,), (1,)]], cards=3)
    hands = (("0", "1"), ("0", "1"))
    cards = ("0", "1", "2")
    board = ()
    streets = (1,)
    symmetries = np.arange(3)[None]

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


def warm_up(kind: str, players: int, *, precision: str, sampled: bool, threads: int) -> None:
    """Load the kernels for a form of that kind, and those that draw samples from it where that is wanted."""
    table = _TABLES[kind](min(players, _MOST_PLAYERS), precision)
    if sampled and table is not None:
        _sample(table, threads)


def warm_up_lazy(rules: Game, threads: int) -> None:
    """Load the kernels that draw samples from rules without a tree."""
    _sample(lazy_table(load("kuhn")), threads)
    _sample(lazy_table(_Coins(min(rules.players, _MOST_PLAYERS))), threads)
    if isinstance(rules, RulesGame):
        compile_rules(rules)


def _sequence(players: int, precision: str) -> InfosetTable:
    form = compile_game(_Coins(players), keep_tree=True)
    _solve(form, precision)
    return table_of(form)


def _public(players: int, precision: str) -> InfosetTable:
    form = compile_public(load("kuhn").public_states())
    Strategy.from_form(form, _solve(form, precision))
    return table_of(form)


def _cards(players: int, precision: str) -> None:
    _solve(compile_cards(_HighCard()), precision)


def _solve(form: CompiledGame, precision: str) -> Floats:
    """Run an iteration and certify it; return the average strategy."""
    solver = FULL_WIDTH[form.kind](form, _ALGORITHM, precision=precision)
    solver.run(1)
    certify(form, solver.average_weights(), weights=True)
    return solver.average_strategy()


_TABLES: dict[str, Callable[[int, str], InfosetTable | None]] = {
    SequenceForm.kind: _sequence,
    PublicForm.kind: _public,
    CardForm.kind: _cards,
}


def _sample(table: InfosetTable, threads: int) -> None:
    sampling = Sampling("external", average="lazy", batch=threads, tree=table.form is not None)
    solver = MonteCarloCFR(table, _ALGORITHM, sampling, threads=threads)
    solver.run(1)
    solver.strategy()
