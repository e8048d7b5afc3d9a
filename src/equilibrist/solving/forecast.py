"""How long a run takes to a goal, told before it starts: by a trial of some tenths of a second, or by its size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..form.compiled_game import CompiledGame

_TRIAL = 0.4  # seconds of iterating
_MOST_TRIED = 1 << 21  # slots: an iteration of more takes too long
_SLOPE_OVER = 6  # checkpoints by which the exploitability to come is estimated
_SETTLED = 3  # iterations before which it goes up and down
_SLOPES = (0.4, 2.5)  # that are believed
_WIDTH = 1.4  # by which the slope of the rest may differ from that of the beginning
LOOKS = 1.3
"""By how much certificates on the way, and the look after the goal, may make the time longer."""
# iterations of spots, in the tables of docs/holdem
_SPOT_AT_1_PERCENT = (28.0, 69.0)
_SPOT_SLOPE = 0.6


class Forecast(NamedTuple):
    """About how long a run takes to its goal.

    Attributes
    ----------
    iterations : pair of float
        From, to.
    seconds : pair of float
        From, to, without compiling.
    measured : bool
        Whether the first iterations were carried out; if not, it is what other spots took.
    """

    iterations: tuple[float, float]
    seconds: tuple[float, float]
    measured: bool


def is_default_algorithm(keywords: Mapping[str, Any]) -> bool:
    """Return whether a run with these keywords of :func:`equilibrist.solve` has the default algorithm."""
    from ..cfr.algorithms import AUTO, find_algorithm

    return find_algorithm(keywords.get("algorithm", AUTO)) == AUTO


def iterations_to(
    points: Sequence[tuple[float, float]], goal: float, *, slope_times: float = 1.0
) -> float | None:
    """Return about how many iterations lead to an exploitability, by the power law that the last checkpoints follow.

    ``points`` are iterations and exploitability, in the order of the run; the law is taken to be
    ``slope_times`` as steep as it was.
    """
    logs = [
        (math.log(done), math.log(gap)) for done, gap in points if gap > 0 and done >= _SETTLED
    ][-_SLOPE_OVER:]
    if len(logs) < 3 or not goal > 0:
        return None
    middle, height = (sum(column) / len(logs) for column in zip(*logs, strict=True))
    spread = sum((x - middle) ** 2 for x, _ in logs)
    slope = -sum((x - middle) * (y - height) for x, y in logs) / spread
    last, gap = logs[-1]
    return math.exp(
        last
        + max(gap - math.log(goal), 0.0) / (min(max(slope, _SLOPES[0]), _SLOPES[1]) * slope_times)
    )


def iterations_between(
    points: Sequence[tuple[float, float]], goal: float, *, percent: float | None = None
) -> tuple[float, float] | None:
    """Return from, to how many iterations lead to a goal; None where nothing is known of it.

    It is by the power law of :func:`iterations_to`, with the s of the last checkpoints × or ÷ 1.4.
    With ``percent``, the goal in % of the pot of a spot of hold'em that is solved with the default
    algorithm, it is by what others took, until the run has gone on for as long as the fastest of
    these: its first checkpoints tell little.
    """
    if percent is None:
        usual = None
    else:
        usual = [at / percent**_SPOT_SLOPE for at in _SPOT_AT_1_PERCENT]
    if usual is not None and (not points or points[-1][0] < usual[0]):
        return usual[0], usual[1]
    few, many = (iterations_to(points, goal, slope_times=times) for times in (_WIDTH, 1 / _WIDTH))
    if few is None or many is None:
        return None
    return (few, many)


def forecast(
    form: CompiledGame, *, seconds: float | None = None, **options: Any
) -> Forecast | None:
    """Return about how long a run on a compiled game takes to ``until``; None where nothing is known of it.

    ``seconds`` are about what an iteration takes, for games that are too large to be tried;
    ``options`` are those of
    :func:`equilibrist.solve`, without any limit but ``until``.

    A small game is solved for 0.4 s, and the rest follows a power law, exploitability ∝
    iterations^-s, with the s of the last checkpoints × or ÷ 1.4. A larger spot of hold'em takes
    about as many iterations as others with the default algorithm: 28 to 69 to 1 % of the pot, and
    that / p^0.6 to p %. ``python -m benchmarks.serve --parts goals`` compares both with what runs
    took.
    """
    from ..cfr.criteria import Exploitability, find_criteria

    goal = next(
        (
            criterion
            for criterion in find_criteria(options["until"])
            if isinstance(criterion, Exploitability)
        ),
        None,
    )
    if goal is None:
        return None
    if form.length <= _MOST_TRIED:
        # The first time, kernels may have taken the time.
        return _try_run(form, **options) or _try_run(form, **options)
    if form.pot is None or seconds is None or not is_default_algorithm(options):
        return None
    percent = goal.percent or 100 * goal.threshold / form.pot
    few, many = iterations_between([], 0.0, percent=percent) or (0.0, 0.0)
    return Forecast((few, many), (few * seconds, many * seconds * LOOKS), measured=False)


def _try_run(form: CompiledGame, **options: Any) -> Forecast | None:
    from .solve import solve

    solution = solve(form, seconds=_TRIAL, **options)
    iterations = solution.iterations
    seconds = solution.seconds["solve"]
    if solution.stop_reason == "until":
        return Forecast((iterations, iterations), (seconds, seconds * LOOKS), measured=True)
    assert solution.config is not None  # solve made one
    (goal,) = (
        criterion.threshold
        for criterion in solution.config.stop.until
        if criterion.name == "exploitability"
    )
    points = [
        (point.iteration, point.exploitability) for point in solution.trace if point.is_certified
    ]
    forecast_iterations = iterations_between(points, goal)
    if forecast_iterations is None:
        return None
    fewest, most_iterations = forecast_iterations
    return Forecast(
        forecast_iterations,
        (fewest * seconds / iterations, most_iterations * seconds / iterations * LOOKS),
        measured=True,
    )
