"""Terms of strategies: the least probability of each action, and what is paid beside the payoffs.

One record says all of it, with empty arrays for what is absent, so that a kernel is compiled once
for all terms.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import inline_ir, inlined, record
from .._jit.simd import LANES, broadcast_like, load, load_like, store
from .._util.arrays import Floats

NOBODY_PAID = -1
_EMPTY = np.zeros(0)


@record
class Payments(NamedTuple):
    """What one player receives for each of their own sequences, whatever the others do.

    Attributes
    ----------
    payee : int
        Who receives it; ``NOBODY_PAID`` where nobody does.
    scale : float
        What the amounts are multiplied by.
    amount : float array, shape (slots,)
        Payoff × the probability that chance and somebody come to the slot; empty where nobody is
        paid.
    """

    payee: int
    scale: float
    amount: Floats


NO_PAYMENTS = Payments(NOBODY_PAID, 0.0, _EMPTY)


@record
class Terms(NamedTuple):
    """What strategies keep to at each infoset, σ = pinned + free · ρ for any strategy ρ, and what players are paid.

    The best response on these terms is worth Σ_a pinned(a) v(a) + free · max_a v(a) at each infoset
    (Farina, Kroer & Sandholm 2017, "Regret minimization in behaviorally-constrained zero-sum
    games").

    Attributes
    ----------
    least : float
        The pinned probability of every action, where ``pinned`` is empty.
    pinned : float array, shape (slots,)
        The probability that each action keeps; or empty.
    free : float array, shape (slots,)
        What is left for ρ, the same at all actions of an infoset; or empty: 1 − what is pinned
        there, which is the same for all actions.
    payments : Payments
        Best responses count them, and so does the value of what is played.
    detached : bool
        Whether nothing counts that comes after a player's next decision: values are those of each
        sequence by itself.
    """

    least: float = 0.0
    pinned: Floats = _EMPTY
    free: Floats = _EMPTY
    payments: Payments = NO_PAYMENTS
    detached: bool = False

    @classmethod
    def of_floors(cls, least: float, table: Floats) -> Terms:
        """Return floors: ``least``, × the numbers of ``table`` at the slots where it is not empty."""
        if len(table):
            return cls(pinned=least * table)
        return cls(least)

    @classmethod
    def of_model(cls, pinned: Floats, free: Floats) -> Terms:
        """Return what keeps to a model with probability 1 − ``free``, drawn anew at each infoset: 0 is a lock."""
        return cls(pinned=pinned, free=free)

    @property
    def floors(self) -> Floats | float:
        """The least probability of the actions: at the slots, or one number for all."""
        if len(self.pinned):
            return self.pinned
        return self.least

    def mix(self, shares: Floats, uniform: Floats) -> Floats:
        """Return the strategy that is played where these shares are what is free: all at the slots."""
        if not (self.least or len(self.pinned)):
            return shares
        if len(self.free):
            return self.floors + self.free * shares
        return self.floors + (1.0 - self.floors / uniform) * shares


NO_FLOORS = Terms()
"""Every action may have probability 0, and nobody is paid."""
DETACHED = Terms(detached=True)


def empty_table() -> Floats:
    """Return the table of floors that are the same everywhere."""
    return np.zeros(0)


@inlined
def are_pinned(terms):
    """Return whether actions keep a probability."""
    return terms.least > 0.0 or len(terms.pinned) > 0


@inlined
def pinned_at(terms, like, slot):
    """Return what an action of eight infosets keeps, whose slots begin there, in the precision of ``like``."""
    if len(terms.pinned) > 0:
        return load_like(like, terms.pinned, slot)
    return broadcast_like(like, terms.least)


@inlined
def pinned_of(terms, slot):
    """Return what an action of one infoset keeps."""
    if len(terms.pinned) > 0:
        return terms.pinned[slot]
    return terms.least


@inlined
def free_at(terms, like, slot, actions):
    """Return what is left free by eight infosets, by a slot of theirs."""
    if len(terms.free) > 0:
        return load_like(like, terms.free, slot)
    return pinned_at(terms, like, slot) * (-1.0 * actions) + 1.0


@inlined
def free_of(terms, slot, actions):
    """Return what is left free by one infoset."""
    if len(terms.free) > 0:
        return terms.free[slot]
    return 1.0 - actions * pinned_of(terms, slot)


@inline_ir
def add_payments(payments, player, values, at, slot, count):
    """Add what a player is paid at so many slots from ``slot`` on to the values from ``at`` on."""
    if player == payments.payee:
        for i in range(0, count, LANES):
            amount = load_like(values, payments.amount, slot + i) * payments.scale
            store(values, at + i, load(values, at + i) + amount)
