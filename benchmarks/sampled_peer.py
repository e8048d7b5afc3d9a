"""How soon sampled runs are good: ours by option, and donksolver's external sampling, on the same core.

    python -m benchmarks.sampled_peer                       # the table of docs/sampling.md
    python -m benchmarks.sampled_peer --games leduc --seeds 9

An iteration is one traversal for either player. Each run is stopped after 2^16, 2^17, … iterations until nash_conv is
as small as asked; between the last two stops the curve is a straight line on logarithmic axes. Runs of all contenders
take turns, seed by seed. donksolver (MIT; install it by that name, else its rows are left out) has Leduc, not liar's
dice, and tells nash_conv itself, by exact best responses.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from typing import Any, Protocol

import equilibrist as eq

from .machine import NONE, Table, arguments, describe, pin_to_one_core, publish

GOALS = {"leduc": 0.01, "liars_dice": 0.02}
"""nash_conv in chips, or in games won."""
SAMPLING = (
    "external",
    "external(baseline='history')",
    "external(low_discrepancy=True)",
    "external(baseline='history', low_discrepancy=True)",
)
PEER_OPTIONS: dict[str, dict[str, Any]] = {
    "every iteration": {"p_avg": 1.0},
    "every tenth, weighted": {"avg_mode": "weighted", "p_avg": 0.1},
    "every iteration, weighted": {"avg_mode": "weighted", "p_avg": 1.0},
}
"""How donksolver adds to its average strategy; it does so in every fiftieth iteration by default, which is slower."""
_FIRST = 1 << 16  # iterations
_MOST = 1 << 25


class Run(Protocol):
    """A run that goes on as often as it is asked to."""

    def run_to(self, iterations: int) -> float:
        """Run up to so many iterations in all; return the seconds that it took."""

    def nash_conv(self) -> float:
        """Return how far the average strategy is from an equilibrium."""


class Ours:
    """A run of this library; ``seconds["solve"]`` is the time spent iterating."""

    def __init__(self, game: Any, algorithm: str, sampling: str, seed: int) -> None:
        self.game = game
        self.options = {"algorithm": algorithm, "sampling": sampling, "seed": seed}
        self.solution: eq.Solution | None = None

    def run_to(self, iterations: int) -> float:
        before = 0.0
        if self.solution is not None:
            before = self.solution.seconds["solve"]
        self.solution = eq.solve(
            self.game, iterations=iterations, resume=self.solution, **self.options
        )
        return self.solution.seconds["solve"] - before

    def nash_conv(self) -> float:
        assert self.solution is not None
        return float(self.solution.nash_conv)


class Donksolver:
    """External sampling in C++ with linear weights, through its Python interface."""

    def __init__(self, game: str, seed: int, options: dict[str, Any]) -> None:
        from donksolver import Solver, toy

        self.solver = Solver(toy(game, 2, seed=seed + 1, **options))

    def run_to(self, iterations: int) -> float:
        began = time.perf_counter()
        self.solver.run(iterations - self.solver.iterations)
        return time.perf_counter() - began

    def nash_conv(self) -> float:
        return float(self.solver.exploitability()["nashconv"])


def reach(run: Run, goal: float) -> tuple[float, float]:
    """Return the iterations and the seconds until nash_conv is as small as ``goal``; infinite if it never is."""
    iterations = _FIRST
    seconds = run.run_to(iterations)
    before = (float(iterations), seconds, run.nash_conv())
    if before[2] <= goal:
        return before[:2]
    while iterations < _MOST:
        iterations *= 2
        seconds += run.run_to(iterations)
        after = (float(iterations), seconds, run.nash_conv())
        if after[2] <= goal:
            share = math.log(before[2] / goal) / math.log(before[2] / after[2])
            return _between(before[0], after[0], share), _between(before[1], after[1], share)
        before = after
    return math.inf, math.inf


def _between(first: float, second: float, share: float) -> float:
    """Return the number that lies so far from the first to the second on a logarithmic axis."""
    return first ** (1 - share) * second**share


def contenders(
    game: str, algorithms: list[str]
) -> dict[tuple[str, str, str], Callable[[int], Run]]:
    """Return what makes a run with a seed, by solver, weights and sampling."""
    compiled = eq.compile_game(eq.load(game), form="sequence", keep_tree=True)
    makers: dict[tuple[str, str, str], Callable[[int], Run]] = {}
    for algorithm in algorithms:
        for sampling in SAMPLING:
            makers["Equilibrist", algorithm, f"`{sampling}`"] = (
                lambda seed, algorithm=algorithm, sampling=sampling: Ours(
                    compiled, algorithm, sampling, seed
                )
            )
    if game == "leduc" and _has_peer():
        for words, options in PEER_OPTIONS.items():
            makers["donksolver", "linear", f"external; average: {words}"] = (
                lambda seed, options=options: Donksolver(game, seed, options)
            )
    return makers


def _has_peer() -> bool:
    try:
        import donksolver  # noqa: F401
    except ImportError:
        return False
    return True


def measure(game: str, algorithms: list[str], seeds: int) -> Table:
    """Return the table of a game: medians over the seeds, the best of the peer being 1."""
    goal = GOALS[game]
    makers = contenders(game, algorithms)
    for make in makers.values():
        make(0).run_to(1000)  # what is compiled is compiled
    results: dict[tuple[str, str, str], list[tuple[float, float]]] = {key: [] for key in makers}
    for seed in range(seeds):
        for key, make in makers.items():
            results[key].append(reach(make(seed), goal))
    medians = {
        key: tuple(statistics.median(column) for column in zip(*runs, strict=True))
        for key, runs in results.items()
    }
    peers = [seconds for key, (_, seconds) in medians.items() if key[0] == "donksolver"]
    rows = []
    for key, (iterations, seconds) in medians.items():
        compared = NONE
        if peers:
            compared = f"{seconds / min(peers):.2f}"
        rows.append([*key, f"{iterations:,.0f}", f"{seconds:.2f}", compared])
    return Table(
        f"{game}: until nash_conv is {goal:g}",
        ["solver", "weights", "sampling", "iterations", "seconds", "÷ donksolver's best"],
        rows,
    )


def main() -> None:
    """Measure, and print the tables."""
    parser = arguments(__doc__)
    parser.add_argument("--games", nargs="+", default=list(GOALS), choices=list(GOALS))
    parser.add_argument("--algorithms", nargs="+", default=["cfr", "lcfr"])
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    pin_to_one_core()
    tables = [measure(game, asked.algorithms, asked.seeds) for game in asked.games]
    publish(tables, asked, machine=describe("donksolver"), results={})


if __name__ == "__main__":
    main()
