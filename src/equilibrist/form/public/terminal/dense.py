"""The dense terminal payoff: a matrix between the hands, chance · payoff; any payoff can be stored so.

cf_value[i] = scale · Σ_j matrix[i, j] · reach[j]
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import numpy as np

from ...._jit.compile import inline_ir
from ...._jit.simd import LANES, broadcast_like, broadcast_load, load_like, padded, store
from ...._util.arrays import Floats, Ints


def encode(chance: Floats, payoff: Floats, player: int) -> tuple[Floats, Ints]:
    """Return the numbers and the indices of one player: the matrix column by column, each padded to whole lanes."""
    matrix = chance * payoff if player == 0 else -(chance * payoff).T
    columns = np.zeros((matrix.shape[1], padded(matrix.shape[0])))
    columns[:, : matrix.shape[0]] = matrix.T
    return columns.reshape(-1), np.zeros(0, np.int64)


@inline_ir
def dense_values(payoffs, terminal, reach, start, value, begin, sums):
    """Fill ``value[begin : begin + width]``: counterfactual values of a player's hands against ``reach[start:]``."""
    numbers = payoffs.numbers
    first = terminal.first_number
    width = terminal.width
    others = terminal.others
    scale = terminal.scale
    triples = width // (3 * LANES) * (3 * LANES)
    for i in range(0, triples, 3 * LANES):  # side by side, as each sum has to wait for itself
        sum_1 = broadcast_like(reach, 0.0)
        sum_2 = broadcast_like(reach, 0.0)
        sum_3 = broadcast_like(reach, 0.0)
        place = first + i
        for j in range(others):
            other_reach = broadcast_load(reach, start + j)
            sum_1 = sum_1 + load_like(reach, numbers, place) * other_reach
            sum_2 = sum_2 + load_like(reach, numbers, place + LANES) * other_reach
            sum_3 = sum_3 + load_like(reach, numbers, place + 2 * LANES) * other_reach
            place += width
        store(value, begin + i, sum_1 * scale)
        store(value, begin + i + LANES, sum_2 * scale)
        store(value, begin + i + 2 * LANES, sum_3 * scale)
    for i in range(triples, width, LANES):
        total = broadcast_like(reach, 0.0)
        place = first + i
        for j in range(others):
            total = total + load_like(reach, numbers, place) * broadcast_load(reach, start + j)
            place += width
        store(value, begin + i, total * scale)
