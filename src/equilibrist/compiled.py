"""How Equilibrist's kernels are compiled: one place for Numba's settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

Kernel = Callable[..., Any]


def compiled(function: Kernel) -> Kernel:
    """Return the function compiled by Numba at its first call, and kept on disk for the next process.

    ``error_model="numpy"``: dividing by zero gives infinity as in NumPy, without a branch in every loop. No fastmath:
    sums keep their order, so that results are the same on every machine, and short sums are faster without it.
    """
    kernel: Kernel = numba.njit(cache=True, error_model="numpy")(function)
    return kernel
