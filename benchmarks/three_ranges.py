"""Three ranges: a river and a turn, until no player gains more than a share of the pot by deviating.

    python -m benchmarks.three_ranges
    python -m benchmarks.three_ranges --spots river --range "22+,A2s+,KTs+"

All three ranges are the same, by default all hands; there is one size of bets, 60 % of the pot, and one raise. *To the
gains*: iterations, and their seconds with the certificates on the way (at 20, 40, 60 iterations and so on), by wall
clock and by the time of the processor, of all threads: on a machine with other work the second one says more.
*Gains*: what each player gains by deviating alone, as a share of the pot. *To the coarse correlated equilibrium*: how
far the play of all iterations is from one, as a share of the pot. *Of two*: the seconds of an iteration on the same
board with two ranges of the same hands, in the card form in float64, by the time of the processor.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist._util.processes import cores
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.solver import Solver
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.plan import fill_defaults
from equilibrist.solving.solvers import make_solver

from .machine import Table, arguments, describe, duration, memory, publish

SPOTS = {"river": "QsJh2h8d3c", "turn": "QsJh2h8d"}
POT = 30
STACK = 95
BETS = "60%; 60%"
STEP = 20
"""Iterations between two certificates."""


def open_solver(spot: Any, algorithm: str, threads: int) -> Solver:
    """Return a solver of a spot in float64, whose kernels are compiled."""
    form = eq.compile_game(spot, form="auto")
    settings = SolveConfig(
        algorithm=find_algorithm(algorithm), threads=threads, precision="float64"
    )
    return make_solver(form, fill_defaults(settings, form))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--spots", nargs="+", default=list(SPOTS), choices=SPOTS)
    parser.add_argument("--range", default=None, help="of all players; by default all hands")
    parser.add_argument("--algorithm", default="auto")
    parser.add_argument("--percent", type=float, default=0.5, help="of the pot, the largest gain")
    parser.add_argument("--most", type=int, default=400, help="iterations at which to give up")
    parser.add_argument("--threads", type=int, default=cores())
    options = parser.parse_args()
    held = np.ones(1326) if options.range is None else options.range
    table = Table(
        f"Three ranges, until no gain is above {options.percent:g} % of the pot",
        [
            "spot",
            "infosets",
            "compiling",
            "iterations",
            "seconds",
            "of the processor",
            "gains, %",
            "to the coarse correlated equilibrium, %",
            "an iteration, of the processor",
            "of two",
            "peak",
        ],
    )
    results: dict[str, Any] = {}
    for name in options.spots:
        # The kernels are compiled, or read, before anything is timed.
        small = eq.poker.Holdem(SPOTS["river"], ranges=["AA", "KK", "TT"], pot=2, stacks=1)
        open_solver(small, options.algorithm, options.threads).run(1)
        begun = time.perf_counter()
        spot = eq.poker.Holdem(
            SPOTS[name], ranges=[held] * 3, pot=POT, stacks=STACK, bets=BETS, max_raises=1
        )
        solver = open_solver(spot, options.algorithm, options.threads)
        compiling = time.perf_counter() - begun
        solver.values()
        begun = time.perf_counter()
        busy = time.process_time()
        iterating = 0.0
        gains = (np.inf,)
        while max(gains) > options.percent / 100 * POT and solver.iteration < options.most:
            before = time.process_time()
            solver.run(STEP)
            iterating += time.process_time() - before
            gains = solver.values().deviation_gains
        seconds = time.perf_counter() - begun
        processor = time.process_time() - busy
        distance = max(solver.plan_regrets())
        iteration = iterating / solver.iteration
        shares = [100 * gain / POT for gain in gains]
        two = eq.poker.Holdem(
            SPOTS[name], held, held, pot=POT, stack=STACK, bets=BETS, max_raises=1
        )
        solver_of_two = open_solver(two, options.algorithm, 1)
        solver_of_two.run(1)
        before = time.process_time()
        solver_of_two.run(STEP)
        iteration_of_two = (time.process_time() - before) / STEP
        table.rows.append(
            [
                name,
                f"{solver.form.num_infosets:,}",
                duration(compiling),
                str(solver.iteration),
                duration(seconds),
                duration(processor),
                " / ".join(f"{share:.2f}" for share in shares),
                f"{100 * distance / POT:.2f}",
                duration(iteration),
                duration(iteration_of_two),
                f"{memory('VmHWM') / 1e6:,.0f} MB",
            ]
        )
        results[name] = {
            "iterations": solver.iteration,
            "seconds": seconds,
            "processor": processor,
            "gains_percent": shares,
            "iteration": iteration,
            "iteration_of_two": iteration_of_two,
        }
    publish([table], options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
