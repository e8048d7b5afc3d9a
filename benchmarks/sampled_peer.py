"""How soon sampled runs are good: ours by option, and donksolver's external sampling, on the same core.

    python -m benchmarks.sampled_peer --games leduc --iterations 262144 --seeds 12   # nash_conv after so many

    python -m benchmarks.sampled_peer                       # the table of docs/sampling.md
    python -m benchmarks.sampled_peer --games leduc --seeds 9

An iteration is one traversal for either player. Each run is stopped after 2^16, 2^17, … iterations until nash_conv is
as small as asked; between the last two stops the curve is a straight line on logarithmic axes. Runs of all contenders
take turns, seed by seed. donksolver (MIT; install it by that name, else its rows are left out) has Leduc, not liar's
dice, and tells nash_conv itself, by exact best responses. Where it cannot run, ``lcfr`` with
``external(one_deal=True)`` stands for it: the same update, by its description, and on Leduc as good after as many
iterations. Seconds are those of the processor, certificates at the stops included.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import equilibrist as eq

from .machine import NONE, Table, arguments, describe, pin_to_one_core, publish

GOALS = {"leduc": 0.01, "liars_dice": 0.02}
"""nash_conv in chips, or in games won."""
CONTENDERS = (
    ("cfr", "external"),
    ("lcfr", "external(one_deal=True)"),
    ("cfr", "external(one_deal=True)"),
    ("cfr", "external(low_discrepancy=True)"),
    ("cfr", "external(low_discrepancy=True, one_deal=True)"),
    ("cfr", "external(baseline='history', low_discrepancy=True)"),
    ("cfr", "external(baseline='history', low_discrepancy=True, one_deal=True)"),
    ("cfr", "chance(pruning='zero-reach', low_discrepancy=True)"),
)
"""Algorithm and sampling of each of our runs."""
PEER_OPTIONS: dict[str, dict[str, Any]] = {
    "average: every iteration": {"p_avg": 1.0},
    "average: every tenth, weighted": {"avg_mode": "weighted", "p_avg": 0.1},
    "average: every iteration, weighted": {
        "avg_mode": "weighted",
        "p_avg": 1.0,
        "weighting": "vanilla",
    },
}
"""How donksolver adds to its average strategy; it does so in every fiftieth iteration by default, which is slower."""
_FIRST = 1 << 16  # iterations
_MOST = 1 << 25


class Run(Protocol):
    """A run that goes on as often as it is asked to."""

    def run_to(self, iterations: int) -> float:
        """Run up to so many iterations in all; return the seconds of the processor that it took."""

    def nodes(self) -> float:
        """Return the histories touched so far; NaN where nobody counts them."""

    def nash_conv(self) -> float:
        """Return how far the average strategy is from an equilibrium."""


class Ours:
    """A run of this library."""

    def __init__(self, game: Any, algorithm: str, sampling: str, seed: int) -> None:
        self.game = game
        self.options = {"algorithm": algorithm, "sampling": sampling, "seed": seed}
        self.solution: eq.Solution | None = None

    def run_to(self, iterations: int) -> float:
        began = time.process_time()
        self.solution = eq.solve(
            self.game, iterations=iterations, resume=self.solution, **self.options
        )
        return time.process_time() - began

    def nodes(self) -> float:
        assert self.solution is not None
        return self.solution.nodes_touched

    def nash_conv(self) -> float:
        assert self.solution is not None
        return float(self.solution.nash_conv)


class Donksolver:
    """External sampling in C++ with linear weights, through its Python interface."""

    def __init__(self, game: str, seed: int, options: dict[str, Any]) -> None:
        from donksolver import Solver, toy

        self.solver = Solver(toy(game, 2, seed=seed + 1, **options))

    def run_to(self, iterations: int) -> float:
        began = time.process_time()
        self.solver.run(iterations - self.solver.iterations)
        return time.process_time() - began

    def nodes(self) -> float:
        return math.nan

    def nash_conv(self) -> float:
        return float(self.solver.exploitability()["nashconv"])


class Reached(NamedTuple):
    """What a run took until nash_conv was as small as asked; infinite if it never was."""

    iterations: float
    nodes: float
    seconds: float


def reach(run: Run, goal: float, most: int) -> Reached:
    """Return what a run takes until nash_conv is as small as ``goal``, within ``most`` iterations."""
    iterations = _FIRST
    seconds = run.run_to(iterations)
    before = Reached(float(iterations), run.nodes(), seconds), run.nash_conv()
    if before[1] <= goal:
        return before[0]
    while iterations < most:
        iterations *= 2
        seconds += run.run_to(iterations)
        after = Reached(float(iterations), run.nodes(), seconds), run.nash_conv()
        if after[1] <= goal:
            share = math.log(before[1] / goal) / math.log(before[1] / after[1])
            pairs = zip(before[0], after[0], strict=True)
            return Reached(*(_between(first, second, share) for first, second in pairs))
        before = after
    return Reached(math.inf, math.inf, math.inf)


def _between(first: float, second: float, share: float) -> float:
    """Return the number that lies so far from the first to the second on a logarithmic axis."""
    return first ** (1 - share) * second**share


def contenders(game: str) -> dict[tuple[str, str, str], Callable[[int], Run]]:
    """Return what makes a run with a seed, by solver, weights and sampling."""
    compiled = eq.compile_game(eq.load(game), form="sequence", keep_tree=True)
    makers: dict[tuple[str, str, str], Callable[[int], Run]] = {}
    for algorithm, sampling in CONTENDERS:
        makers["Equilibrist", algorithm, f"`{sampling}`"] = (
            lambda seed, algorithm=algorithm, sampling=sampling: Ours(
                compiled, algorithm, sampling, seed
            )
        )
    if game == "leduc" and _has_peer():
        for words, options in PEER_OPTIONS.items():
            makers["donksolver", options.get("weighting", "linear"), f"external; {words}"] = (
                lambda seed, options=options: Donksolver(game, seed, options)
            )
    return makers


def _has_peer() -> bool:
    try:
        import donksolver  # noqa: F401
    except ImportError:
        return False
    return True


def measure(game: str, seeds: int, goal: float) -> Table:
    """Return the table of a game: medians over the seeds."""
    makers = contenders(game)
    for make in makers.values():
        make(0).run_to(1000)  # what is compiled is compiled
    results: dict[tuple[str, str, str], list[Reached]] = {key: [] for key in makers}
    for seed in range(seeds):
        for key, make in makers.items():
            results[key].append(reach(make(seed), goal, _MOST))
    rows = []
    for key, runs in results.items():
        medians = Reached(*(statistics.median(column) for column in zip(*runs, strict=True)))
        nodes = NONE if math.isnan(medians.nodes) else f"{medians.nodes / 1e6:,.0f}"
        rows.append([*key, f"{medians.iterations:,.0f}", nodes, f"{medians.seconds:.2f}"])
    return Table(
        f"{game}: until nash_conv is {goal:g}",
        ["solver", "weights", "sampling", "iterations", "million nodes", "processor seconds"],
        rows,
    )


def measure_after(game: str, seeds: int, iterations: int) -> Table:
    """Return nash_conv after so many iterations: the mean over the seeds, and its standard error."""
    rows = []
    for key, make in contenders(game).items():
        reached = []
        for seed in range(seeds):
            run = make(seed)
            run.run_to(iterations)
            reached.append(run.nash_conv())
        error = statistics.stdev(reached) / math.sqrt(seeds)
        rows.append([*key, f"{statistics.mean(reached):.4f} ± {error:.4f}"])
    return Table(
        f"{game}: nash_conv after {iterations:,} iterations",
        ["solver", "weights", "sampling", "nash_conv"],
        rows,
    )


def main() -> None:
    """Measure, and print the tables."""
    parser = arguments(__doc__)
    parser.add_argument("--games", nargs="+", default=list(GOALS), choices=list(GOALS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--iterations", type=int, help="measure nash_conv after so many instead")
    asked = parser.parse_args()
    pin_to_one_core()
    if asked.iterations is None:
        tables = [measure(game, asked.seeds, GOALS[game]) for game in asked.games]
    else:
        tables = [measure_after(game, asked.seeds, asked.iterations) for game in asked.games]
    publish(tables, asked, machine=describe("donksolver"), results={})


if __name__ == "__main__":
    main()
