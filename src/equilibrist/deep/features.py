"""What networks are given: the integers of an observation or of a state, as zeros and ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Ints
from .._util.text import short_repr
from ..errors import GameError

MOST_ONE_HOT = 32
"""Values of an integer up to which each has a feature of its own."""

Features = Callable[[Ints, Ints], Any]
"""A function of who observes, shape (n,), and of what, shape (n, integers): features, shape (n, length)."""


@dataclass(frozen=True, slots=True)
class BitFeatures:
    """Features of integers: one of each value where there are few, the binary digits where there are many.

    Attributes
    ----------
    name : str
        Name of the game, for messages.
    code_bits : int or None
        Where each integer consists of codes of so many bits, the lowest first, how many these are.
    low, high : tuple of int
        The smallest and the largest value of each code in random plays.
    """

    name: str
    code_bits: int | None
    low: tuple[int, ...]
    high: tuple[int, ...]

    @classmethod
    def fit(cls, name: str, values: Ints, code_bits: int | None = None) -> BitFeatures:
        """Return the features of integers as they are in random plays, shape (n, integers)."""
        codes = _split_codes(values, code_bits)
        low = codes.min(axis=0)
        high = codes.max(axis=0)
        if code_bits is not None:  # all codes are of one kind: the last ones are met rarely
            low[:] = low.min()
            high[:] = high.max()
        many = high - low >= MOST_ONE_HOT
        low[many] = np.minimum(low[many], 0)  # so that digits are those of the integer itself
        return cls(name, code_bits, tuple(low.tolist()), tuple(high.tolist()))

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of features of each code."""
        widths = []
        for low, high in zip(self.low, self.high, strict=True):
            count = high - low + 1
            if count <= MOST_ONE_HOT:
                widths.append(count)
            else:
                widths.append((high - low).bit_length())
        return tuple(widths)

    @property
    def length(self) -> int:
        """The number of features."""
        return sum(self.widths)

    def __call__(self, values: Ints) -> NDArray[np.float32]:
        """Return the features of integers, shape (n, integers), as an array of shape (n, length).

        Raises
        ------
        GameError
            An integer is outside of what random plays have met.
        """
        codes = _split_codes(values, self.code_bits)
        features = np.zeros((len(codes), self.length), np.float32)
        first = 0
        for code, low, high, width in zip(codes.T, self.low, self.high, self.widths, strict=True):
            if len(code) and (code.min() < low or code.max() > high + _room(low, high, width)):
                raise GameError(
                    f"{self.name} has integers that 4,096 random plays never met: {code.max()}, "
                    f"where the largest was {high}. Give features= of your own."
                )
            offset = code - low
            if high - low + 1 <= MOST_ONE_HOT:
                features[np.arange(len(code)), first + offset] = 1.0
            else:
                digits = (offset[:, None] >> np.arange(width)) & 1
                features[:, first : first + width] = digits
            first += width
        return features


def _room(low: int, high: int, width: int) -> int:
    """Return how far an integer may be above the largest that was met: where digits are features, what they can say."""
    if high - low + 1 <= MOST_ONE_HOT:
        return 0
    return low + (1 << width) - 1 - high


def _split_codes(values: Ints, code_bits: int | None) -> Ints:
    """Return the codes of which integers consist, shape (n, codes)."""
    if code_bits is None:
        return values
    shifts = np.arange(0, 63 - code_bits, code_bits)
    codes = (values[:, :, None] >> shifts) & ((1 << code_bits) - 1)
    return codes.reshape(len(values), codes.shape[1] * codes.shape[2])


def one_row_each(rows: Sequence[Any], length: int, name: str) -> NDArray[np.float32]:
    """Return what a function of features answered, as an array of shape (n, length); refuse what is none.

    Raises
    ------
    GameError
        It has another shape, or not numbers alone that are finite.
    """
    try:
        array = np.asarray(rows, np.float32)
    except (ValueError, TypeError) as error:
        raise GameError(
            f"features of {name} return an array of numbers; got {short_repr(rows)}.",
            wrong_use=True,
        ) from error
    if array.ndim != 2 or len(array) != length:
        raise GameError(
            f"features of {name} return an array with a row for each of {length} infosets; got "
            f"shape {array.shape}.",
            wrong_use=True,
        )
    is_finite = np.isfinite(array).all(axis=1)
    if not is_finite.all():
        row = int(np.argmin(is_finite))
        raise GameError(
            f"features of {name} return finite numbers of float32; got {array[row].tolist()}.",
            wrong_use=True,
        )
    return array
