"""Thousands of small spots: rivers like m-river, with ``solve`` one by one, ``solve_many`` and ``batch``.

python -m benchmarks.many
python -m benchmarks.many --spots 50 --rounds 1

Each spot has a board of its own and ranges in which each token has a weight of its own; bets, pot and stack are those
of examples/spots/m-river.toml. All are made before; each is solved to 0.5 % of the pot. The ways take turns. ``batch``
reads each spot from its text, compiles it by itself, and makes a row of results of it.
"""

from __future__ import annotations

import random
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import equilibrist as eq

from .machine import Table, arguments, describe, duration, publish, times

SPOT = Path(__file__).parents[1] / "examples" / "spots" / "m-river.toml"
UNTIL = "0.5%"
WEIGHTS = (1.0, 0.75, 0.5)


def rivers(count: int, seed: int = 0) -> list[eq.poker.Holdem]:
    """Return so many rivers, without those on whose board a token has no hand left."""
    rng, game = random.Random(seed), eq.load(SPOT)
    spot = game.settings
    spots: list[eq.poker.Holdem] = []
    while len(spots) < count:
        board = "".join(rng.sample(game.cards, 5))
        oop, ip = (
            ",".join(f"{token}:{rng.choice(WEIGHTS)}" for token in spot[who].split(","))
            for who in ("oop", "ip")
        )
        try:
            spots.append(eq.poker.Holdem(**{**spot, "board": board, "oop": oop, "ip": ip}))
        except eq.GameError:
            continue
    return spots


def ways() -> dict[str, Callable[[list[eq.poker.Holdem]], int]]:
    """Return what solves spots and returns how many iterations that took, by name."""

    def with_solve(spots: list[eq.poker.Holdem]) -> int:
        return sum(eq.solve(spot, until=UNTIL).iterations for spot in spots)

    def with_solve_many(spots: list[eq.poker.Holdem], threads: int) -> int:
        return sum(
            solution.iterations for solution in eq.solve_many(spots, until=UNTIL, threads=threads)
        )

    def with_batch(spots: list[eq.poker.Holdem]) -> int:
        result = eq.batch({"until": UNTIL, "vary": {"game": list(map(str, spots))}})
        return sum(row["iterations"] for row in result.rows())

    many = {
        f"`solve_many`, {threads} thread{'s' * (threads > 1)}": partial(
            with_solve_many, threads=threads
        )
        for threads in (1, 2)
    }
    return {"`solve`, one by one": with_solve, **many, "`batch`, one process": with_batch}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--spots", type=int, default=1000, help="how many rivers (default 1000)")
    parser.add_argument(
        "--rounds",
        type=int,
        default=7,
        help="how often each way solves them all, in turn (default 7)",
    )
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of tokens such as 96s+
    seconds: dict[str, list[float]] = {"making the spots": []}
    iterations: dict[str, int] = {}
    for way in ways().values():
        way(rivers(3, seed=1))  # loads the kernels
    for _ in range(options.rounds):
        for name, way in ways().items():
            began = time.perf_counter()
            spots = rivers(options.spots)
            made = time.perf_counter()
            iterations[name] = way(spots)
            seconds.setdefault(name, []).append(time.perf_counter() - made)
            seconds["making the spots"].append(made - began)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    first = medians[next(iter(ways()))]
    table = Table(
        f"{options.spots:,} rivers like m-river to {UNTIL} of the pot",
        ("what", "time", "a spot", "iterations", "faster"),
        notes=[
            "Time: the median of rounds in which the ways take turns. Faster: than `solve`, one by one."
        ],
    )
    for name, taken in medians.items():
        each = f"{iterations[name] / options.spots:.1f}" if name in iterations else "–"
        faster = times(first / taken) if name in iterations else "–"
        table.rows.append([name, duration(taken), duration(taken / options.spots), each, faster])
    publish(
        [table], options, machine=describe(), results={"seconds": seconds, "iterations": iterations}
    )


if __name__ == "__main__":
    main()
