"""How many iterations algorithms take to several precisions on several games, through ``eq.batch``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

import equilibrist as eq
from equilibrist.form.compiled_game import CompiledGame
from equilibrist.games.compile import compile_any

PRECISIONS = (1e-2, 1e-3, 1e-4, 1e-6)
"""Exploitabilities to be reached, as shares of the largest payoff of the game."""

REFERENCE = "sapcfr+"
"""The algorithm that all others are measured by."""

Way = list[tuple[float, float]]
"""Iterations and exploitability after them, on the way down."""


class Goal(NamedTuple):
    """A game, and the most iterations that an algorithm may take on it."""

    name: str
    form: CompiledGame
    most: int

    @property
    def until(self) -> float:
        """The exploitability at which a run ends."""
        return PRECISIONS[-1] * self.form.largest_payoff


class Limit(NamedTuple):
    """The most iterations on a game: so many times those of the reference, and never more than that, or these nodes."""

    times: float
    iterations: int
    nodes: float


def compiled_goals(
    games: Mapping[str, str], limit: Limit, executor: Executor | None
) -> tuple[list[Goal], dict[str, list[float]]]:
    """Return the games, and how many iterations the reference takes to each precision on each."""
    goals = []
    for name, text in games.items():
        form = compile_any(text)
        most = min(limit.iterations, limit.nodes / (form.players * form.histories))
        goals.append(Goal(name, form, max(1, int(most))))
    ways = ways_down([eq.ALGORITHMS[REFERENCE]], goals, executor)
    taken = {goal.name: needed(ways[REFERENCE, goal.name], goal) for goal in goals}
    return [
        goal._replace(most=min(goal.most, math.ceil(limit.times * taken[goal.name][-1])))
        for goal in goals
    ], taken


def ways_down(
    algorithms: Sequence[eq.Algorithm], goals: Sequence[Goal], executor: Executor | None
) -> dict[tuple[str, str], Way]:
    """Return the way down of each algorithm on each game.

    It has two points for each doubling of the iterations. An algorithm that is a schedule over a planned number of
    iterations is run to its end for 1, 2, 4, 8, … planned iterations, and the ends are the points.
    """
    ways: dict[tuple[str, str], Way] = {
        (algorithm.name, goal.name): [] for algorithm in algorithms for goal in goals
    }
    runs = [
        (algorithm, goal, goal.most)
        for algorithm in algorithms
        for goal in goals
        if not algorithm.needs_horizon
    ]
    for (algorithm, goal, _), way in zip(runs, _batch(runs, executor), strict=True):
        ways[algorithm.name, goal.name] = way
    planned = [
        (algorithm, goal) for algorithm in algorithms for goal in goals if algorithm.needs_horizon
    ]
    plan = 1
    while planned:
        runs = [(algorithm, goal, min(plan, goal.most)) for algorithm, goal in planned]
        for (algorithm, goal, _), way in zip(runs, _batch(runs, executor), strict=True):
            ways[algorithm.name, goal.name].append(way[-1])
        planned = [
            (algorithm, goal)
            for algorithm, goal in planned
            if plan < goal.most and ways[algorithm.name, goal.name][-1][1] > goal.until
        ]
        plan *= 2
    return ways


def _batch(runs: Sequence[tuple[eq.Algorithm, Goal, int]], executor: Executor | None) -> list[Way]:
    if not runs:
        return []
    items: list[dict[str, Any]] = []
    for number, (algorithm, goal, iterations) in enumerate(runs):
        until = {} if algorithm.needs_horizon else {"until": goal.until}
        items.append(
            {
                "name": number,
                "game": goal.form,
                "algorithm": algorithm,
                "iterations": iterations,
                **until,
            }
        )
    result = eq.batch({"precision": "float64", "items": items}, measure=way_down, executor=executor)
    for label, reason in result.failed.items():
        raise eq.SolutionError(f"A run of the search failed, {label}: {reason}")
    if not result.finished:
        raise KeyboardInterrupt
    return [[(point[0], point[1]) for point in row["way"]] for row in result.rows()]


def way_down(solution: eq.Solution) -> dict[str, Any]:
    """Return iterations and exploitability of the checkpoints of a run; a measure of ``eq.batch``."""
    return {"way": [[point.iteration, point.exploitability] for point in solution.trace]}


def needed(way: Way, goal: Goal) -> list[float]:
    """Return how many iterations a way down takes to each precision.

    Between two points, both numbers are interpolated by their logarithms. A precision that was not reached counts as
    if the exploitability went on to fall as 1 / iterations from the lowest that there was.
    """
    least = 1e-12 * goal.form.largest_payoff  # of an exploitability: below, it is rounding
    points = [(iterations, max(exploitability, least)) for iterations, exploitability in way]
    return [_crossing(points, precision * goal.form.largest_payoff) for precision in PRECISIONS]


def _crossing(points: Way, threshold: float) -> float:
    before: tuple[float, float] | None = None
    for iterations, exploitability in points:
        if exploitability <= threshold:
            if before is None:
                return iterations
            share = math.log(before[1] / threshold) / math.log(before[1] / exploitability)
            return before[0] * (iterations / before[0]) ** share
        before = iterations, exploitability
    return points[-1][0] * min(exploitability for _, exploitability in points) / threshold


def log_ratio(taken: Sequence[float], reference: Sequence[float]) -> float:
    """Return the mean over the precisions of log(iterations taken / those of the reference)."""
    return sum(math.log(own / other) for own, other in zip(taken, reference, strict=True)) / len(
        PRECISIONS
    )
