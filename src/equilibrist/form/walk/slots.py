"""What tables have in common that have a slot for each action of the infosets met so far."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

UNKNOWN = 2**32 - 1
"""The slot of an infoset that is not in the table yet."""


def longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return a copy of an array with more rows, all zero."""
    new = np.zeros((length, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new
