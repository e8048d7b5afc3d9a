"""Floors: the least probability of each action, for those who best respond within them."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from .._jit.compile import by_type, record
from .._jit.simd import LANES, broadcast_like, load, load_like, store
from .._util.arrays import Floats


@record
class NoFloors(NamedTuple):
    """Every action may have probability 0."""

    least: float = 0.0

    def mix(self, shares: Floats, uniform: Floats) -> Floats:
        return shares


@record
class ActionFloors(NamedTuple):
    """Each action keeps a probability ε: σ = ε + (1 − nε) ρ at an infoset of n actions, for any strategy ρ.

    The best response within floors is worth ε Σ_a v(a) + (1 − nε) max_a v(a) at each infoset
    (Farina, Kroer & Sandholm 2017, "Regret minimization in behaviorally-constrained zero-sum
    games").

    Attributes
    ----------
    least : float
        ε, or what the numbers of the table are multiplied by.
    table : float array
        At the slots, 0 elsewhere; or empty: the same everywhere.
    """

    least: float
    table: Floats

    def mix(self, shares: Floats, uniform: Floats) -> Floats:
        """Return the strategy that is played where these shares are what is free: all at the slots."""
        least = self.least * (self.table if len(self.table) else 1.0)
        return least + (1.0 - least / uniform) * shares

    def least_at(self, like, slot):
        if len(self.table) > 0:
            return load_like(like, self.table, slot) * self.least
        return broadcast_like(like, self.least)

    def least_of(self, slot):
        if len(self.table) > 0:
            return self.table[slot] * self.least
        return self.least

    def constrained(self, least, best, sum_values, actions):
        return sum_values * least + best * (least * (-1.0 * actions) + 1.0)


@record
class Payments(NamedTuple):
    """One player also receives an amount for each of their own sequences, whatever the others do.

    Best responses of that player count them, and so does the value of what is played.

    Attributes
    ----------
    payee : int
        Who receives them.
    scale : float
        What the amounts are multiplied by.
    amount : float array
        At the slots: payoff × the probability that chance and somebody come to it.
    """

    payee: int
    scale: float
    amount: Floats

    def mix(self, shares: Floats, uniform: Floats) -> Floats:
        return shares

    def add_payments(self, player, values, at, slot, count):
        if player != self.payee:
            return
        for i in range(0, count, LANES):
            amount = load_like(values, self.amount, slot + i) * self.scale
            store(values, at + i, load(values, at + i) + amount)


@record
class Detached(NamedTuple):
    """Nothing that comes after a player's next decision counts: values are those of each sequence by itself."""

    least: float = 0.0

    def constrained(self, least, best, sum_values, actions):
        return best * 0.0


Terms: TypeAlias = NoFloors | ActionFloors | Payments | Detached
"""What best responses keep to, or count beside the payoffs."""

NO_FLOORS = NoFloors()
DETACHED = Detached()

least_at = by_type("least_at", lambda floors, like, slot: broadcast_like(like, 0.0))
"""The floors of eight infosets, whose slots of an action begin there; ``like`` is an array of the wanted precision."""
least_of = by_type("least_of", lambda floors, slot: 0.0)
"""The floor of one infoset, by a slot of it."""
constrained = by_type("constrained", lambda floors, least, best, sum_values, actions: best)
"""What a best response is worth at an infoset with this floor: the largest of the values, and their sum, say it."""


add_payments = by_type(
    "add_payments", lambda terms, player, values, at, slot, count: None
)
"""Add what a player receives beside the payoffs: at so many slots from ``slot`` on, to the values from ``at`` on."""


def empty_table() -> Floats:
    """Return the table of floors that are the same everywhere."""
    return np.zeros(0)
