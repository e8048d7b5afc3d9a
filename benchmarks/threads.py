"""Threads: an iteration with one and with several, beside as many solvers of one thread at once.

    python -m benchmarks.threads                      # all games, two threads: some minutes
    python -m benchmarks.threads --games turn "goofspiel(cards=7)" --threads 1 2 4 --rounds 20

Every game is a process of its own, in which one solver runs a slice of iterations, then as many independent solvers as
there are threads at once, then a solver with these threads, and so on in turn. *At once* is what the machine gives to
that many threads that share nothing but its memory and caches: more cannot be asked of threads that share a game.
"""

from __future__ import annotations

import json
import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.game.public import public_game
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.solvers import make_solver

from .holdem import FOLDER, SPOTS
from .machine import (
    Table,
    arguments,
    batch_size,
    describe,
    duration,
    fresh_process,
    publish,
    timed,
    times,
)
from .public import bluff, short

BLUFF = bluff((2, 2), "face")
GAMES = {  # how each is compiled
    "turn": "cards",
    "m-turn": "cards",
    "flop": "cards",
    "m-flop": "cards",
    BLUFF: "public",
    "goofspiel(cards=7)": "sequence",
}
COMPILE: dict[str, Any] = {
    "cards": eq.compile_cards,
    "public": lambda rules: eq.compile_public(public_game(rules)),
    "sequence": partial(eq.compile_game, limits=eq.Limits(histories=10**9)),
}
PRECISION = {"cards": "float32", "public": "float64", "sequence": "float64"}
ALGORITHM = "dcfr+"
_SLICE = 0.1  # seconds: as often `solve` looks for signals


def time_here(*, game: str, form: str, threads: int, rounds: int, began: float) -> dict[str, Any]:
    """Return the seconds of an iteration, round by round: alone, of as many solvers at once, and with threads."""
    rules = eq.load(FOLDER / f"{game}.toml" if game in SPOTS else game)
    compiled = COMPILE[form](rules)
    config = SolveConfig(algorithm=find_algorithm(ALGORITHM), precision=PRECISION[form])
    alone = [make_solver(compiled, config) for _ in range(threads)]
    together = make_solver(compiled, replace(config, threads=threads))
    for solver in alone:
        solver.run(1)
    batch = batch_size(together.run)
    count = max(1, round(_SLICE / timed(together.run, batch)))
    found: dict[str, list[float]] = {"one": [], "at once": [], "together": []}
    with ThreadPoolExecutor(threads) as pool:

        def all_at_once(count: int) -> None:
            list(pool.map(lambda solver: solver.run(count), alone))

        for _ in range(rounds):
            for name, run in (
                ("one", alone[0].run),
                ("at once", all_at_once),
                ("together", together.run),
            ):
                found[name].append(timed(run, count))
    return {"slots": compiled.length, **found}


HERE = {"time": time_here}
elsewhere = partial(fresh_process, "benchmarks.threads")


Results = list[dict[str, Any]]


def table_of(results: Results) -> Table:
    """Return what threads bring on each game."""
    table = Table(
        f"An iteration of {ALGORITHM} with threads",
        (
            "game",
            "form",
            "slots",
            "threads",
            "one",
            "at once",
            "with threads",
            "faster",
            "at best",
            "at once faster",
        ),
        notes=[
            "One: an iteration with one thread. At once: as many solvers of one thread each, all iterating. With "
            "threads: one solver. Medians; faster: of slices next to each other; at best: the fastest slices of either."
        ],
    )
    for found in results:
        threads, slices = found["threads"], [found[kind] for kind in ("one", "at once", "together")]
        one, apart, together = slices
        row = [short(found["game"]) if found["game"] not in SPOTS else found["game"], found["form"]]
        row += [
            f"{found['slots']:,}",
            str(threads),
            *(duration(statistics.median(seconds)) for seconds in slices),
        ]
        faster = statistics.median(a / b for a, b in zip(one, together, strict=True))
        most = statistics.median(threads * a / b for a, b in zip(one, apart, strict=True))
        table.rows.append([*row, times(faster), times(min(one) / min(together)), times(most)])
    return table


def main() -> None:
    """Run the benchmark."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--games", nargs="+", default=list(GAMES), help="spots and games (default: all)"
    )
    parser.add_argument(
        "--threads", nargs="+", type=int, default=[2], help="numbers of threads (default 2)"
    )
    parser.add_argument("--rounds", type=int, default=15, help="slices of each (default 15)")
    parser.add_argument("--here", help="(internal) do one job in this process")
    options = parser.parse_args()
    if options.here:
        told = json.loads(options.here)
        print(json.dumps(HERE[told.pop("job")](**told)))
        return
    results: Results = []
    for game in options.games:
        form = GAMES.get(game, "cards" if Path(game).suffix == ".toml" else "sequence")
        for threads in options.threads:
            what = {"game": game, "form": form, "threads": threads}
            results.append(what | elsewhere("time", **what, rounds=options.rounds))
    publish([table_of(results)], options, machine=describe(), results={"games": results})


if __name__ == "__main__":
    main()
