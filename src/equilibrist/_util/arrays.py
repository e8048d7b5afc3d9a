"""Array types of one dimension or more, and the offsets of consecutive runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Indices = NDArray[np.uint32]


def offsets(counts: Sequence[int] | NDArray[Any]) -> Ints:
    """Return where each of several consecutive runs begins, and where the last ends: 0, c0, c0 + c1, and so on."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
