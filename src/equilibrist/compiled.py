"""How Equilibrist's kernels are compiled: one place for Numba's settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

Kernel = Callable[..., Any]


def compiled(*, allocates: bool) -> Callable[[Kernel], Kernel]:
    """Return a decorator: the function is compiled by Numba at its first call, and kept on disk for the next process.

    A kernel that makes no arrays (``allocates=False``) is compiled without Numba's reference counting, which costs some
    ten atomic instructions for each call between kernels: on Kuhn poker, more than a third of an iteration.

    ``error_model="numpy"``: dividing by zero gives infinity as in NumPy, without a branch in every loop. No fastmath:
    sums keep their order, so that results are the same on every machine, and short sums are faster without it.
    """

    def decorate(function: Kernel) -> Kernel:
        options: dict[str, Any] = {"error_model": "numpy", "_nrt": allocates}
        try:
            kernel: Kernel = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # nowhere to keep it: the package is read-only, and there is no home
            kernel = numba.njit(**options)(function)
        return kernel

    return decorate
