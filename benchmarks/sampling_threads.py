"""Sampling in threads: a batch drawn by one thread and by several, beside as many solvers of one thread at once.

    python -m benchmarks.sampling_threads
    python -m benchmarks.sampling_threads --games leduc --sampling external outcome --batches 64 256 --threads 2 4

A solver of one thread runs a slice, then as many independent ones as there are threads at once, then one with these
threads, and so on in turn. *At once* is what the machine gives to that many threads that share nothing but its memory
and caches: more cannot be asked of threads that share a game.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from statistics import median

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.form.compiled_game import CompiledGame
from equilibrist.form.walk.build import compile_walk
from equilibrist.game.protocol import Game
from equilibrist.mccfr.sampling import Sampling, find_sampling
from equilibrist.mccfr.table_lazy import LazyTable
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.solvers import make_solver

from .machine import Table, arguments, batch_size, describe, publish, timed, times

GAMES = ("leduc", "liars_dice", "leduc(ranks=13, suits=4)")
SAMPLINGS = ("external", "chance", "outcome", "average-strategy", "external(tree=False)")
BATCHES = (16, 64, 256, 1024, 4096)


def gain(
    rules: Game, form: CompiledGame, sampling: Sampling, *, threads: int, rounds: int
) -> tuple[float, float]:
    """Return how many times faster threads are than one, and how much more as many solvers do at once."""
    config = SolveConfig(algorithm=find_algorithm("cfr"), sampling=sampling, seed=0)
    games = [form if sampling.tree else LazyTable(compile_walk(rules)) for _ in range(threads + 1)]
    alone = [make_solver(game, config) for game in games[:-1]]
    together = make_solver(games[-1], replace(config, threads=threads))
    count = max(batch_size(solver.run) for solver in (*alone, together))
    faster, most = list[float](), list[float]()
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(rounds):
            one = timed(alone[0].run, count)
            apart = timed(
                lambda count: list(pool.map(lambda solver: solver.run(count), alone)), count
            )
            faster.append(one / timed(together.run, count))
            most.append(threads * one / apart)
    return median(faster), median(most)


def main() -> None:
    """Run the benchmark."""
    parser = arguments(__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES, help="games (default: three)")
    parser.add_argument(
        "--sampling", nargs="+", default=SAMPLINGS, help="samplings without a batch"
    )
    parser.add_argument("--batches", nargs="+", type=int, default=BATCHES, help="batches")
    parser.add_argument(
        "--threads", nargs="+", type=int, default=[2], help="numbers of threads (default 2)"
    )
    parser.add_argument("--rounds", type=int, default=7, help="slices of each (default 7)")
    options = parser.parse_args()
    table = Table(
        "Samples of a batch in threads: how many times faster than in one, of what is possible",
        ("game", "sampling", "threads", *(f"batch {batch:,}" for batch in options.batches)),
        notes=[
            "Medians of ratios of slices next to each other; possible: what as many independent solvers do at once."
        ],
    )
    for game in options.games:
        rules = eq.load(game)
        form = eq.compile_game(rules, keep_tree=True)
        for scheme in options.sampling:
            for threads in options.threads:
                row = [game, scheme, str(threads)]
                for batch in options.batches:
                    sampling = replace(find_sampling(scheme), batch=batch)
                    ratio, bound = gain(
                        rules, form, sampling, threads=threads, rounds=options.rounds
                    )
                    row.append(f"{times(ratio)} of {times(bound)}")
                table.rows.append(row)
                print(*row, sep="  ", file=sys.stderr)
    publish([table], options, machine=describe(), results={})


if __name__ == "__main__":
    main()
