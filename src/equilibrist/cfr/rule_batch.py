"""Infosets at which a rule of one's own is asked at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints


class Batch(NamedTuple):
    """Infosets of a player with as many actions: what a rule sees at once.

    Attributes
    ----------
    label : str
        The player and the number of actions, in names of saved arrays.
    infosets : int array, shape (infosets,)
        Their numbers.
    strategy, values : float array, shape (infosets, actions)
        What is played, and the counterfactual values.
    state : dict
        What the rule knows of them.
    """

    label: str
    infosets: Ints
    strategy: Floats
    values: Floats
    state: dict[str, NDArray[Any]]


def flatten(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array as a row of numbers, infoset after infoset, as runs are saved; booleans are 0 and 1.

    Where its numbers stand in that order it is the same memory, else a copy.
    """
    row = array.reshape(-1)
    if row.dtype.kind == "b":
        return row.view(np.uint8)
    return row
