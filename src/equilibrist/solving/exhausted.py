"""Whether a run has come to where rounding in float64 decides, so that more iterations do not bring it nearer."""

from __future__ import annotations

from collections.abc import Sequence

from ..cfr.criteria import CRITERIA, Criterion, QREGap
from .trace import Checkpoint

_FIRST = 4_096
_GROWTH = 4  # of the iterations, between two looks
# of the largest value or measure: errors of float64, added up over a game, stay below
_ROUNDING = 2.0**-30
# the least that a run that converges gets to between two looks: 1 / 4, or 1 / 2 where it is slow
_FALL = 0.5


def next_check(iteration: int) -> int:
    """Return the next iteration after this one at which :func:`is_exhausted` looks: 4,096, 16,384, and so on."""
    look = _FIRST
    while look <= iteration:
        look *= _GROWTH
    return look


def is_exhausted(trace: Sequence[Checkpoint], until: Sequence[Criterion]) -> bool:
    """Return whether no criterion gets any better.

    All are at rounding, and while the iterations grew by four, none has fallen to half of the best
    before. It depends on the checkpoints of the trace alone, which are the same however the run is
    followed, cut and resumed.
    """
    now = trace[-1].iteration
    if not until or now < _FIRST or next_check(now - 1) != now:
        return False
    return all(_is_settled(trace, criterion, now) for criterion in until)


def _is_settled(trace: Sequence[Checkpoint], criterion: Criterion, now: int) -> bool:
    if type(criterion) not in CRITERIA.values():
        return False  # what it measures, and how exactly, is not known here
    points = [point for point in trace if criterion.name in point.measures]
    measures_before = [
        point.measures[criterion.name] for point in points if point.iteration <= now // _GROWTH
    ]
    measures_since = [
        point.measures[criterion.name] for point in points if point.iteration > now // _GROWTH
    ]
    if not measures_before or not measures_since:
        return False
    if type(criterion) is QREGap:
        sizes = [1.0]  # a gap of probabilities
    else:
        sizes = [abs(value) for value in trace[-1].value]  # large where every payoff is
    is_rounding = min(measures_before) <= _ROUNDING * max(*measures_before, *measures_since, *sizes)
    return is_rounding and min(measures_since) > _FALL * min(measures_before)
