"""CFR by a walk through the histories of a game, with any one thing done wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...form.sequence.build import compile_sequence
from ...game.protocol import CHANCE, TERMINAL, Game
from .random_game import normalise

Table = dict[Any, Any]
"""A list of numbers for each infoset: by player and name, or those of one player by name."""


def random_strategy(game: Game, seed: int, *, pure: bool = False) -> Table:
    """Return a strategy in which every action may be played; of a pure one, about half of the infosets play but one."""
    dice = random.Random(f"strategy {seed}")
    table = {}
    for infoset in compile_sequence(game).infosets:
        row = [dice.uniform(0.1, 1) for _ in infoset.actions]
        if pure and dice.random() < 0.5:
            row = [float(w == max(row)) for w in row]
        table[infoset.player, infoset.key] = normalise(row)
    return table


def match_regrets(regrets: Any) -> Any:
    """Return the strategy of regret matching."""
    positive = np.maximum(regrets, 0.0)
    if positive.sum() > 0:
        return positive / positive.sum()
    return np.full(len(positive), 1 / len(positive))


class Visit(NamedTuple):
    """A history at which a player moves: reach by chance, by the player, by the other; what is played; its values."""

    key: tuple[int, str]
    chance: float
    reach: float
    others: float
    sigma: Any
    values: Any

    def product(self, names: str) -> Any:
        """Return the product of some of these, of the regrets, and of the sign by which player 1's payoffs differ."""
        regrets = self.values - self.sigma @ self.values
        other_factors = {"regrets": regrets, "sign": 1 - 2 * self.key[0]}
        return prod((self._asdict() | other_factors)[name] for name in names.split())


def walk(
    game: Game, sigma: Table, on_visit: Callable[[Visit], Any], observer: int | None = None
) -> Any:
    """Return what each wins; hand on every history where a player moves, those after it first.

    The player ``seeing`` sees the other's card, and does at every history what is best there.
    """

    def go(state: Any, chance: float, reach: tuple[float, float]) -> Any:
        mover = game.player(state)
        if mover == TERMINAL:
            return np.array(game.payoffs(state), float)
        children = [game.next(state, action) for action in game.actions(state)]
        if mover == CHANCE:
            chances = game.probabilities(state)
            return sum(
                p * go(child, chance * p, reach) for child, p in zip(children, chances, strict=True)
            )
        key = mover, str(game.infoset(state))
        row = np.array(sigma[key])
        reach_of_children = [
            (reach[0] * p, reach[1]) if mover == 0 else (reach[0], reach[1] * p) for p in row
        ]
        values = np.array(
            [go(child, chance, r) for child, r in zip(children, reach_of_children, strict=True)]
        )
        on_visit(Visit(key, chance, reach[mover], reach[1 - mover], row, values[:, mover]))
        if mover == observer:
            return values[values[:, mover].argmax()]
        return row @ values

    return go(game.start(), 1.0, (1.0, 1.0))


def sum_products(names: str, game: Game, sigma: Table, player: int | None = None) -> Table:
    """Return the sum of a product over the histories of each infoset, of all players or by name of one."""
    sums: Table = {}

    def add_product(visit: Visit) -> None:
        if player in (None, visit.key[0]):
            key = visit.key if player is None else visit.key[1]
            sums[key] = sums.get(key, 0) + visit.product(names)

    walk(game, sigma, add_product)
    return sums


def normalise_sums(sums: Table) -> Table:
    """Return strategy sums divided by their totals; uniform where the total is 0."""
    return {key: match_regrets(row) for key, row in sums.items()}


def cfr(
    game: Game,
    iterations: int,
    *,
    term: str = "chance others regrets",
    step: Callable[[Any, Any, int], Any] = lambda old, new, t: old + new,
    share: str = "reach sigma",
    weight: Callable[[int], float] = lambda t: 1,
    in_turn: bool = False,
    each: bool = False,
    at_once: bool = False,
    changing: bool = False,
    last: bool = False,
) -> tuple[Table, Table]:
    """Return regret sums and strategy sums of CFR: histories add ``term`` to regrets and ``share`` to strategy sums.

    Mistakes: ``each`` takes a step at each history, and ``at_once`` changes the strategy there as
    well; ``changing`` changes it there, and takes the step after the walk; ``last`` keeps the term
    of the last history alone.
    """
    regrets: Table = {key: np.zeros(len(row)) for key, row in random_strategy(game, 0).items()}
    sums, sigma, new = dict(regrets), normalise_sums(regrets), dict(regrets)

    def update_infoset(visit: Visit) -> None:
        key = visit.key
        if key[0] != player:
            return
        if last:
            new[key] = visit.product(term)
        else:
            new[key] = new[key] + visit.product(term)
        sums[key] = sums[key] + weight(t) * visit.product(share)
        if each or at_once:
            regrets[key], new[key] = step(regrets[key], new[key], t), 0 * new[key]
            sigma[key] = match_regrets(regrets[key]) if at_once else sigma[key]
        elif changing:
            sigma[key] = match_regrets(regrets[key] + new[key])

    for t in range(1, iterations + 1):
        for player in (0, 1):
            if in_turn or player == 0:
                sigma = normalise_sums(regrets)
            walk(game, sigma, update_infoset)
            if not (each or at_once):
                regrets |= {
                    key: np.asarray(step(regrets[key], new[key], t))
                    for key in new
                    if key[0] == player
                }
            new = {key: 0 * row for key, row in regrets.items()}
    return regrets, sums
