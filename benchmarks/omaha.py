"""Omaha: all 178,365 hands against all 178,365 hands on a river, timed.

    python -m benchmarks.omaha
    python -m benchmarks.omaha --range "AAxx,KKxxds" --bets "100%; 100%"

*An iteration*: both players updated once, tables in float32, by wall clock and by the time of the processor, the
fastest of several: on a machine with other work the second one says more. *A certificate*: values and best responses
in float64.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.plan import fill_defaults
from equilibrist.solving.solvers import make_solver

from .machine import Table, arguments, describe, duration, memory, publish

BOARD = "Kh9s4d7c2h"


def fastest(call: Callable[[], object], times: int) -> tuple[float, float]:
    """Return the seconds of the fastest of several calls by wall clock, and by the time of the processor."""
    walls, processors = [], []
    for _ in range(times):
        start, busy = time.perf_counter(), time.process_time()
        call()
        walls.append(time.perf_counter() - start)
        processors.append(time.process_time() - busy)
    return min(walls), min(processors)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--range", default="random", help="of both players")
    parser.add_argument("--bets", default="50%, 100%; 100%")
    options = parser.parse_args()
    start = time.perf_counter()
    game = eq.poker.Omaha(
        BOARD, options.range, options.range, pot=100, stack=250, bets=options.bets
    )
    form = eq.compile_cards(game)
    compiling = time.perf_counter() - start
    settings = SolveConfig(algorithm=find_algorithm("auto"), threads=1)
    solver = make_solver(form, fill_defaults(settings, form))
    solver.run(1)
    solver.values()
    iteration, certificate = fastest(lambda: solver.run(1), 20), fastest(solver.values, 5)
    hands = " × ".join(f"{len(names):,}" for names in game.hands)
    table = Table(
        "An Omaha river",
        [
            "hands",
            "ends",
            "compiling",
            "iteration",
            "of the processor",
            "certificate",
            "of the processor",
            "peak",
        ],
        [
            [
                hands,
                str(sum(len(street.ends) for street in form.betting.streets)),
                duration(compiling),
            ]
        ],
    )
    table.rows[0] += [
        *map(duration, (*iteration, *certificate)),
        f"{memory('VmHWM') / 1e6:,.0f} MB",
    ]
    results: dict[str, Any] = {
        "compiling": compiling,
        "iteration": iteration,
        "certificate": certificate,
    }
    publish([table], options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
