"""Who wins when all chips are in before the flop: exact counts for the 169 classes of hands."""

from __future__ import annotations

import hashlib
from functools import cache
from io import BytesIO
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ...errors import GameError
from ..cards.cards import CLASS_OF_HAND, CLASSES, HANDS

FILE = Path(__file__).with_name("all_in.npy")
"""The wins of each class against each other; ``python -m benchmarks.all_in`` makes it."""

_DIGEST = "67e410a482ba5bb74f64a1787bf39d8b2d60446874d194602f381d5ba3150182"
BOARDS = comb(48, 5)
"""Boards that two hands leave."""


class AllIn(NamedTuple):
    """What comes of each two classes of hands, summed over all pairs of their hands and all boards: shape (169, 169).

    ``wins[i, j] + wins[j, i] + ties[i, j]`` is ``pairs[i, j]`` × :data:`BOARDS`.

    Attributes
    ----------
    pairs : int array
        Pairs of hands that share no card.
    wins : int array
        Wins of class i against class j.
    ties : int array
        Ties of class i and class j.
    """

    pairs: Ints
    wins: Ints
    ties: Ints

    @property
    def equity(self) -> Floats:
        """The share of the pot that class i gets against class j, on average over their pairs."""
        return (self.wins + 0.5 * self.ties) / (self.pairs * BOARDS)


@cache
def pairs_of_classes() -> Ints:
    """Return how many pairs of hands of each two classes share no card, shape (169, 169)."""
    # In float64, which multiplies matrices a hundred times as fast as whole numbers.
    member = (np.arange(len(CLASSES))[:, None] == CLASS_OF_HAND).astype(np.float64)
    holds = (HANDS[:, :, None] == np.arange(52)).any(axis=1).astype(np.float64)
    shared = holds @ holds.T
    pairs: Floats = member @ (shared == 0).astype(np.float64) @ member.T
    return pairs.astype(np.int64)


def total_all_in() -> Ints:
    """Return how many pairs of hands and boards each two classes have, shape (169, 169)."""
    return pairs_of_classes() * BOARDS


def packaged_table(file: Path, digest: str, content_text: str) -> BytesIO:
    """Return the content of a table that comes with the package, checked by its SHA-256.

    Raises
    ------
    GameError
        The file is missing or is not what it was.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise GameError(
            f"The table of {content_text} cannot be read: {error}; install Equilibrist anew."
        ) from error
    found_digest = hashlib.sha256(content).hexdigest()
    if found_digest != digest:
        raise GameError(
            f"The table of {content_text}, '{file}', is damaged: its SHA-256 is {found_digest}, not {digest}; "
            "install Equilibrist anew."
        )
    return BytesIO(content)


@cache
def load_all_in() -> AllIn:
    """Return the table of wins and ties.

    Raises
    ------
    GameError
        The file of the table is missing or is not what it was.

    Examples
    --------
    >>> from equilibrist.poker.cards.cards import CLASSES
    >>> print(f"{load_all_in().equity[CLASSES.index('AA'), CLASSES.index('KK')]:.9f}")
    0.819460505
    """
    wins = np.load(packaged_table(FILE, _DIGEST, "all-in wins")).astype(np.int64)
    return AllIn(pairs_of_classes(), wins, total_all_in() - wins - wins.T)
