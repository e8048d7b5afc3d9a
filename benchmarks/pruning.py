"""What pruning brings in seconds: full passes over public states, and those that leave out what no hand reaches.

    python -m benchmarks.pruning                    # some minutes
    python -m benchmarks.pruning --game leduc --algorithm cfr,dcfr --iterations 300

Both run the same iterations (the iterates are the same up to rounding), a quarter of them at a time in turn, in one
thread. Seconds are those of the processor that these took; compiling is not counted.
"""

from __future__ import annotations

import time

import equilibrist as eq
from equilibrist.cfr.full_width import FullWidthCFR
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cfr.public_pruned import PrunedCFR

from .machine import Table, arguments, describe, duration, pin_to_one_core, publish, times

BLUFF = "liars_dice(dice={}, wild_biddable=False, order='face')"
GAMES = {"leduc": 1000, "liars_dice": 300, BLUFF.format("(2,1)"): 300, BLUFF.format("(2,2)"): 16}
"""Games, and how many iterations are run on each."""


def seconds_of(game: str, algorithm: str, iterations: int) -> tuple[float, float]:
    """Return the seconds of full and of pruned passes."""
    form = eq.compile_public(eq.load(game).public_states())
    solvers: list[FullWidthCFR | PrunedCFR] = [
        kind(form, eq.ALGORITHMS[algorithm]) for kind in (PublicCFR, PrunedCFR)
    ]
    spent = [0.0, 0.0]
    for solver in solvers:
        solver.run(1)
    for quarter in range(4):
        for number, solver in enumerate(solvers):
            began = time.process_time()
            solver.run(iterations * (quarter + 1) // 4 - iterations * quarter // 4)
            spent[number] += time.process_time() - began
    return spent[0], spent[1]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="a game (several times for several)")
    parser.add_argument(
        "--algorithm", default="cfr,cfr+,dcfr,sapcfr+", help="names, with commas between them"
    )
    parser.add_argument(
        "--iterations", type=int, help="how many; by default as many as take a while"
    )
    options = parser.parse_args()
    table = Table(
        "Full and pruned passes",
        ("game", "algorithm", "iterations", "full", "pruned", "times faster"),
    )
    table.notes = [pin_to_one_core()]
    results = []
    for game in options.game or GAMES:
        iterations = options.iterations or GAMES.get(game, 300)
        for algorithm in options.algorithm.split(","):
            full, pruned = seconds_of(game, algorithm, iterations)
            table.rows.append(
                [
                    game,
                    algorithm,
                    f"{iterations:,}",
                    duration(full),
                    duration(pruned),
                    times(full / pruned),
                ]
            )
            results.append(
                {
                    "game": game,
                    "algorithm": algorithm,
                    "iterations": iterations,
                    "full": full,
                    "pruned": pruned,
                }
            )
    publish([table], options, machine=describe(), results={"games": results})


if __name__ == "__main__":
    main()
