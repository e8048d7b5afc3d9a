"""Statistics over seeds: the middle of several runs, and the band around it that a picture and a table show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .._util.arrays import Floats
from .._util.names import canonical_name
from .._util.spec import parse_call
from .._util.validate import is_number, is_whole
from ..errors import SolutionError

_MOST_RESAMPLES = 10**6
_BATCH = 1000  # resamples at a time, for memory


class Bounds(NamedTuple):
    """The middle over seeds and the ends of a band, float64 arrays of shape (points,), in the unit of the values."""

    middle: Floats
    low: Floats
    high: Floats


class Interval(ABC):
    """Base of the statistics over seeds.

    Attributes
    ----------
    name : str
        The name by which :func:`find_interval` knows it.
    middle : {"median", "mean"}
        What stands for the seeds.
    headings : tuple of str
        What the ends of the band are called in a table.
    """

    name: ClassVar[str]
    middle: ClassVar[str]
    headings: ClassVar[tuple[str, str]] = ("from", "to")

    @property
    @abstractmethod
    def text(self) -> str:
        """What the band is, in words."""

    @abstractmethod
    def bounds(self, values: Floats) -> Bounds:
        """Return the middle and the band of values, shape (seeds, points).

        Of one seed no confidence interval is known: its ends are NaN.
        """


@dataclass(frozen=True)
class Range(Interval):
    """The median, and from the lowest to the highest seed."""

    name: ClassVar[str] = "range"
    middle: ClassVar[str] = "median"
    headings: ClassVar[tuple[str, str]] = ("lowest", "highest")

    @property
    def text(self) -> str:
        return "from the lowest to the highest"

    def bounds(self, values: Floats) -> Bounds:
        return Bounds(np.median(values, axis=0), values.min(axis=0), values.max(axis=0))


@dataclass(frozen=True)
class Student(Interval):
    """The mean, and its confidence interval by Student's t: mean ± t · s / √n, with n − 1 degrees of freedom."""

    confidence: float = 0.95

    name: ClassVar[str] = "student"
    middle: ClassVar[str] = "mean"

    def __post_init__(self) -> None:
        _check_confidence(self.confidence)

    @property
    def text(self) -> str:
        return f"{100 * self.confidence:g} % confidence interval (Student t)"

    def bounds(self, values: Floats) -> Bounds:
        from scipy.stats import t

        num_seeds = len(values)
        mean = values.mean(axis=0)
        if num_seeds == 1:
            return Bounds(mean, *_no_band(mean))
        standard_error = values.std(axis=0, ddof=1) / np.sqrt(num_seeds)
        quantile = float(t.ppf((1 + self.confidence) / 2, df=num_seeds - 1))
        half_width = quantile * standard_error
        return Bounds(mean, mean - half_width, mean + half_width)


@dataclass(frozen=True)
class Bootstrap(Interval):
    """The mean, and its confidence interval by the percentiles of resamples, which a seed makes reproducible."""

    confidence: float = 0.95
    resamples: int = 10_000
    seed: int = 0

    name: ClassVar[str] = "bootstrap"
    middle: ClassVar[str] = "mean"

    def __post_init__(self) -> None:
        _check_confidence(self.confidence)
        if not is_whole(self.resamples, 100, _MOST_RESAMPLES):
            raise SolutionError(
                f"resamples must be a whole number, 100 to {_MOST_RESAMPLES:,}; got "
                f"{self.resamples!r}.",
                wrong_use=True,
            )
        if not is_whole(self.seed, 0):
            raise SolutionError(
                f"The seed of a bootstrap must be a whole number, 0 or more; got {self.seed!r}.",
                wrong_use=True,
            )

    @property
    def text(self) -> str:
        return (
            f"{100 * self.confidence:g} % confidence interval (percentile bootstrap, "
            f"{self.resamples:,} resamples)"
        )

    def bounds(self, values: Floats) -> Bounds:
        from scipy.stats import bootstrap

        mean = values.mean(axis=0)
        if len(values) == 1:
            return Bounds(mean, *_no_band(mean))
        result = bootstrap(
            (values,),
            np.mean,
            axis=0,
            n_resamples=self.resamples,
            batch=_BATCH,
            confidence_level=self.confidence,
            method="percentile",
            rng=np.random.default_rng(self.seed),
        )
        interval = result.confidence_interval
        return Bounds(mean, np.asarray(interval.low), np.asarray(interval.high))


INTERVALS: Mapping[str, type[Interval]] = MappingProxyType(
    {kind.name: kind for kind in (Range, Student, Bootstrap)}
)
"""The statistics over seeds by name."""
_ALIASES = {
    "min-max": "range",
    "median": "range",
    "t": "student",
    "student-t": "student",
    "boot": "bootstrap",
}


def find_interval(interval: str | Interval) -> Interval:
    """Return the statistic that a text names: ``"range"``, ``"student"``, ``"bootstrap(confidence=0.9)"``."""
    if isinstance(interval, Interval):
        return interval
    name, settings = parse_call(str(interval), SolutionError, example="student(confidence=0.9)")
    name, settings = canonical_name("interval", name, settings, INTERVALS, _ALIASES, SolutionError)
    kind: Any = INTERVALS[name]
    try:
        made: Interval = kind(**settings)
    except TypeError:
        options = ", ".join(field.name for field in fields(kind))
        raise SolutionError(
            f"The interval {name!r} has the settings {options or 'none'}; got {interval!r}.",
            wrong_use=True,
        ) from None
    return made


def _check_confidence(confidence: Any) -> None:
    if not (is_number(confidence) and 0 < confidence < 1):
        raise SolutionError(
            f"confidence must be a number between 0 and 1, such as 0.95; got {confidence!r}.",
            wrong_use=True,
        )


def _no_band(middle: Floats) -> tuple[Floats, Floats]:
    """Return the ends of a band that is not known."""
    return np.full_like(middle, np.nan), np.full_like(middle, np.nan)
