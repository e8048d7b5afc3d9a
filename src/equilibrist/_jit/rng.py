"""Random numbers for sampling: the same on every machine, from nothing but a seed and the number of a traversal.

In all kernels ``u`` is a float64 in [0, 1), ``probability`` a float64 array, and ``first`` and
``count`` are integers.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compile import compiled, record
from .simd import cache_line_zeros

FIRST_DRAWS = 8
"""Outcomes of chance of a traversal that may come from a low-discrepancy sequence."""

_GOLDEN = 0x9E3779B97F4A7C15
_DEALS = 1 << 63  # between the seeds of traversals and those of deals


@record
class Rng(NamedTuple):
    """A stream of random numbers."""

    # shape (2,): of SplitMix64 (Steele, Lea & Flood 2014), seeded afresh for each traversal from
    # its number; and what the user's seed adds to that
    state: NDArray[np.uint64]
    number: NDArray[
        np.int64
    ]  # shape (2,): the traversal's number, and how many outcomes of chance it has drawn
    # `shift`, `stride`: shape (FIRST_DRAWS,): the n-th outcome of chance in traversal t may be
    # drawn with the fraction of shift + t · stride
    shift: NDArray[np.float64]
    stride: NDArray[np.float64]
    # `probability`, `mixed`: shape (most moves of a history,): scratch: the probability of each
    # move, and that with which it is drawn
    probability: NDArray[np.float64]
    mixed: NDArray[np.float64]


def make_rng(seed: int, moves: int) -> Rng:
    """Return a stream for a seed, with room for so many moves of a history."""
    # Threads have streams of their own, beside each other in memory.
    state = cache_line_zeros(2, np.uint64)
    number = cache_line_zeros(2, np.int64)
    scratch = cache_line_zeros(moves), cache_line_zeros(moves)
    rng = Rng(state, number, np.zeros(FIRST_DRAWS), _strides(), *scratch)
    rng.state[1] = splitmix64(np.uint64((seed + _GOLDEN) % 2**64))
    begin(rng, -1)
    rng.shift[:] = [uniform(rng) for _ in range(FIRST_DRAWS)]
    return rng


def _strides() -> NDArray[np.float64]:
    """Return the powers of 1/x where x^(d+1) = x + 1: what the golden ratio is in one dimension (Roberts 2018)."""
    x = 1.5
    for _ in range(64):  # a contraction: the same bits everywhere, for it uses square roots only
        x = math.sqrt(math.sqrt(math.sqrt((1.0 + x) / x)))
    return np.cumprod(np.full(FIRST_DRAWS, 1.0 / x))


@compiled(allocates=False, inline=True)
def splitmix64(x):
    """Return 64 bits, each of which depends on every bit of x."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled(allocates=False, inline=True)
def begin(rng, number):
    """Seed the random numbers of a traversal."""
    rng.state[0] = splitmix64(rng.state[1] + np.uint64(np.int64(number)))
    rng.number[0] = number
    rng.number[1] = 0


@compiled(allocates=False, inline=True)
def uniform(rng):
    """Return a random number in [0, 1), a multiple of 2^-53."""
    rng.state[0] += np.uint64(_GOLDEN)
    return np.int64(splitmix64(rng.state[0]) >> np.uint64(11)) * 2.0**-53


@compiled(allocates=False, inline=True)
def evenly(rng):
    """Return the next of the low-discrepancy numbers of a traversal, or a random one when there are no more."""
    n = rng.number[1]
    rng.number[1] += 1
    if n >= FIRST_DRAWS:
        return uniform(rng)
    u = rng.shift[n] + rng.number[0] * rng.stride[n]
    return u - math.floor(u)


@compiled(allocates=False, inline=True)
def of_deal(rng, deal, n, even):
    """Return the number that decides the n-th outcome of chance of a deal, whoever asks, and how often.

    With ``even`` the first come from the low-discrepancy sequence.
    """
    if even and n < FIRST_DRAWS:
        u = rng.shift[n] + deal * rng.stride[n]
        return u - math.floor(u)
    seed = splitmix64(rng.state[1] + np.uint64(_DEALS) + np.uint64(np.int64(deal)))
    bits = splitmix64(seed + np.uint64(_GOLDEN) * np.uint64(np.int64(n) + 1))
    return np.int64(bits >> np.uint64(11)) * 2.0**-53


@compiled(allocates=False, inline=True)
def choose(probability, first, count, u):
    """Return the n < count in whose share of [0, 1) u falls; its probability is at first + n, and never 0."""
    chosen = 0
    for n in range(count):
        p = probability[first + n]
        if p > 0.0:
            chosen = n
            if u < p:
                break
            u -= p
    return chosen


@compiled(allocates=False, inline=True)
def bernoulli(probability, u):
    """Return whether something of this probability happens."""
    return u < probability
