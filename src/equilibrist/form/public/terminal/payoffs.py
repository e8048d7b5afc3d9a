"""Terminal payoffs of a public form: the record that kernels read, and which kind stores which payoff."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit.compile import inline_ir, record
from ...._jit.simd import LANES, aligned
from ...._util.arrays import Floats, Ints
from ....game.public import Showdown
from . import dense, showdown
from .dense import dense_values
from .showdown import showdown_values

DENSE, SHOWDOWN = range(2)
"""The kinds of terminal payoff, each a file of this folder."""

KINDS = ("by matrix", "by sorted hands")
"""What each kind is called in summaries."""

_FEW_PAIRS = 3_500
"""Up to so many pairs of hands a matrix is faster than sorted hands, measured by ``python -m benchmarks.public``."""


@record
class TerminalPayoffs(NamedTuple):
    """Payoffs that terminal public states refer to by number, each state with a scale of its own.

    The terminal counterfactual values of player p are

        cf_value[i] = scale · Σ_j chance(i, j) · payoff_p(i, j) · reach[j]        for each hand i, over the other's j

    where chance(i, j) is the probability of the deal and of all public chance before. How chance ·
    payoff is stored is the business of the kind: :mod:`.dense`, :mod:`.showdown`.

    Attributes
    ----------
    kind : int array, shape (payoffs,)
        :data:`DENSE` or :data:`SHOWDOWN`.
    first_number : int array, shape (payoffs, 2)
        Where the numbers for each player begin in ``numbers``.
    first_index : int array, shape (payoffs, 2)
        Where the indices for each player begin in ``indices``.
    numbers : array
        In the precision in which a walk computes.
    indices : int array
        The arrays of all payoffs and players one after the other, each padded to whole lanes.
    """

    kind: Ints
    first_number: Ints
    first_index: Ints
    numbers: NDArray[Any]
    indices: Ints


@record
class Terminal(NamedTuple):
    """What the kernel of a kind needs of one terminal state and player.

    ``first_number`` and ``first_index`` say where the player's arrays begin, ``width`` is the
    number of own hands padded to whole lanes, ``others`` the number of the other's hands, ``scale``
    what the payoff is multiplied by.
    """

    first_number: int
    first_index: int
    width: int
    others: int
    scale: float


def make_terminal_payoffs(payoffs: list[tuple[Floats, Floats | Showdown]]) -> TerminalPayoffs:
    """Return the record of payoffs that are given as (chance, payoff to player 0), each a matrix of the hands."""
    kinds = []
    numbers = []
    indices = []
    for chance, payoff in payoffs:
        kind, encoded = _encode_fastest(chance, payoff)
        kinds.append(kind)
        for own_numbers, own_indices in encoded:
            numbers.append(own_numbers)
            indices.append(own_indices)
    return TerminalPayoffs(
        kind=np.array(kinds, np.int64),
        first_number=_part_starts(numbers),
        first_index=_part_starts(indices),
        numbers=aligned(np.concatenate([*numbers, np.zeros(LANES)])),
        indices=np.concatenate([*indices, np.zeros(1, np.int64)]),
    )


def convert_precision(payoffs: TerminalPayoffs, precision: str) -> TerminalPayoffs:
    """Return the record with numbers in a precision, for kernels that compute in it."""
    if payoffs.numbers.dtype == precision:
        return payoffs
    return payoffs._replace(numbers=aligned(payoffs.numbers.astype(precision)))


def _encode_fastest(
    chance: Floats, payoff: Floats | Showdown
) -> tuple[int, list[tuple[Floats, Ints]]]:
    """Return the kind that stores a payoff fastest, and the numbers and indices of both players."""
    if isinstance(payoff, Showdown):
        if chance.size > _FEW_PAIRS:
            factors = showdown.factorise(chance)
        else:
            factors = None
        if factors is not None:
            return SHOWDOWN, [showdown.encode(factors, payoff, player) for player in range(2)]
        payoff = payoff.matrix()
    return DENSE, [dense.encode(chance, payoff, player) for player in range(2)]


def _part_starts(parts: list[NDArray[Any]]) -> Ints:
    """Return where each part begins once all are joined: a row for each payoff, a column for each player."""
    return np.cumsum([0, *map(len, parts)])[:-1].reshape(-1, 2)


@inline_ir
def terminal_values(game, state, player, reach, start, value, begin, sums):
    """Fill ``value[begin : begin + width]``: terminal counterfactual values of a player against ``reach[start:]``."""
    tree = game.tree
    payoffs = game.payoffs
    payoff = tree.terminal[state]
    terminal = Terminal(
        payoffs.first_number[payoff, player],
        payoffs.first_index[payoff, player],
        tree.width[player],
        tree.hands[1 - player],
        tree.scale[state],
    )
    if payoffs.kind[payoff] == DENSE:
        dense_values(payoffs, terminal, reach, start, value, begin, sums)
    else:
        showdown_values(payoffs, terminal, reach, start, value, begin, sums)
