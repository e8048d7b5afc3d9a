"""Curves of sampled runs on a game too large to be stored, with exact certificates by the walk.

    python -m benchmarks.learning --sampling outcome --iterations 50000000 --threads 2    # abrupt dark hex on 3 × 3
    python -m benchmarks.learning --game "phantom_ttt(rows=2, columns=3)" --seconds 30 --plot curve.svg

Each run samples without a tree and is certified as often as a quarter of its time allows; on 3 × 3 a certificate takes
minutes. Exploitability is nash_conv / 2, in payoff per game.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import equilibrist as eq
from equilibrist.plot.style import write_picture

from .machine import NONE, Table, arguments, describe, duration, publish

GAME, GOAL = "dark_hex(abrupt=True)", 0.05
SCHEMES = ("external", "outcome", "average-strategy")


def solved(game: str, scheme: str, algorithm: str, **limits: Any) -> eq.Solution:
    """Return a run within limits, or less where it reaches the goal."""
    print(f"  {scheme}", file=sys.stderr)
    return eq.solve(game, algorithm, sampling=f"{scheme}(tree=False)", until=GOAL, seed=1, **limits)


def certified(final: eq.types.Checkpoint) -> list[str]:
    """Return the value to player 0, the best responses of all players, and the exploitability at a checkpoint."""
    best = [value + gain for value, gain in zip(final.value, final.deviation_gains, strict=True)]
    return [
        f"{final.value[0]:.6f}",
        ", ".join(f"{value:.6f}" for value in best),
        f"{final.exploitability:.6f}",
    ]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", default=GAME, help=f"a game of compiled rules [{GAME}]")
    parser.add_argument("--sampling", action="append", help="a scheme (several times for several)")
    parser.add_argument("--algorithm", default="cfr", help="of all runs [cfr]")
    parser.add_argument("--seconds", type=float, default=3600, help="of each run [3600]")
    parser.add_argument("--iterations", type=int, help="of each run, at most")
    parser.add_argument("--threads", type=int, default=1, help="how many threads sample [1]")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves")
    options = parser.parse_args()
    columns = (
        "sampling",
        "seconds",
        "iterations",
        "infosets",
        "value",
        "best responses",
        "exploitability",
    )
    ends = Table(f"{options.game}, {options.algorithm}", columns)
    table = Table(
        "The way down", ("sampling", "seconds", "iterations", "nash_conv", "exploitability")
    )
    runs, curves = dict[str, eq.Solution](), {}
    limits = {
        "seconds": options.seconds,
        "iterations": options.iterations,
        "threads": options.threads,
    }
    for scheme in options.sampling or SCHEMES:
        solution = runs[scheme] = solved(options.game, scheme, options.algorithm, **limits)
        points = [point for point in solution.trace if point.is_certified]
        for p in points:
            cells = [
                duration(p.seconds),
                f"{p.iteration:,}",
                f"{p.nash_conv:.6f}",
                f"{p.exploitability:.6f}",
            ]
            table.rows.append([scheme, *cells])
        curves[scheme] = [[p.iteration, p.seconds, p.exploitability] for p in points]
        cells = [
            duration(solution.trace[-1].seconds),
            f"{solution.iterations:,}",
            f"{len(solution.strategy):,}",
        ]
        ends.rows.append(
            [scheme, *cells, *(certified(solution.final) if solution.final.value else [NONE] * 3)]
        )
    if options.plot:
        write_picture(partial(eq.plot.convergence, runs), options.plot)
    publish(
        [table, ends], options, machine=describe(), results={"game": options.game, "curves": curves}
    )


if __name__ == "__main__":
    main()
