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
    """Each action keeps a probability ε: σ = ε + (1 − nε) ρ at an infoset of n actions, for any
    strategy ρ.

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

    def free_at(self, like, slot, actions):
        return least_at(self, like, slot) * (-1.0 * actions) + 1.0

    def free_of(self, slot, actions):
        return 1.0 - actions * least_of(self, slot)

    def constrained(self, pinned, free, best):
        return pinned + best * free


@record
class ModelFloors(NamedTuple):
    """Each infoset keeps to a model with a probability p: σ = p · model + (1 − p) · ρ, for any
    strategy ρ.

    The choice is drawn anew at each infoset. With p = 1 an infoset is locked.

    Attributes
    ----------
    pinned : float array, shape (slots,)
        p × the probability of the model.
    free : float array, shape (slots,)
        1 − p, the same at all actions of an infoset; 1 where nothing is pinned.
    """

    pinned: Floats
    free: Floats

    def mix(self, shares: Floats, uniform: Floats) -> Floats:
        return self.pinned + self.free * shares

    def least_at(self, like, slot):
        return load_like(like, self.pinned, slot)

    def least_of(self, slot):
        return self.pinned[slot]

    def free_at(self, like, slot, actions):
        return load_like(like, self.free, slot)

    def free_of(self, slot, actions):
        return self.free[slot]

    def constrained(self, pinned, free, best):
        return pinned + best * free


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
    """Nothing that comes after a player's next decision counts: values are those of each sequence
    by itself.
    """

    least: float = 0.0

    def constrained(self, pinned, free, best):
        return best * 0.0


PlayTerms: TypeAlias = NoFloors | ActionFloors | ModelFloors | Payments
"""What players keep to, or receive beside the payoffs."""
Terms: TypeAlias = PlayTerms | Detached
"""What best responses keep to, or count."""

NO_FLOORS = NoFloors()
DETACHED = Detached()

least_at = by_type("least_at", lambda terms, like, slot: broadcast_like(like, 0.0))
"""The floors of an action of eight infosets, whose slots begin there; ``like`` is an array of the
wanted precision."""
least_of = by_type("least_of", lambda terms, slot: 0.0)
"""The floor of an action of one infoset, by its slot."""
free_at = by_type("free_at", lambda terms, like, slot, actions: broadcast_like(like, 1.0))
"""What the floors of eight infosets leave free, by a slot of theirs."""
free_of = by_type("free_of", lambda terms, slot, actions: 1.0)
"""The same of one infoset."""
constrained = by_type("constrained", lambda terms, pinned, free, best: best)
"""What a best response is worth at an infoset: of what is kept, Σ floor · value, of what is free,
and the largest value."""
add_payments = by_type("add_payments", lambda terms, player, values, at, slot, count: None)
"""Add what a player receives beside the payoffs: at so many slots from ``slot`` on, to the values
from ``at`` on."""


def empty_table() -> Floats:
    """Return the table of floors that are the same everywhere."""
    return np.zeros(0)
