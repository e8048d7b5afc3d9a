"""Solve, certify, sample, walk and save for as long as one likes: memory, files and threads must not grow.

    python tests/drills/soak.py                 30 minutes, as before a release
    python tests/drills/soak.py --minutes 5

Each round does the same things once. The first rounds fill caches; from then on the memory of the process (unique set
size), its open files and its threads are compared with the least of the rounds after the first quarter.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psutil

import equilibrist as eq

WARM_ROUNDS = 5  # in which caches may grow
MOST_MEGABYTES = 30.0  # that the process may have grown by at the end
MOST_FILES, MOST_THREADS = 2, 2

RIVER = (
    "holdem(board='2s3h4d6c7c', oop='AA,QQ,T9s', ip='KK,22,JTs', pot=20, stack=60, bets='50%,a')"
)
SAMPLED = "external(tree=False)"
WORK: dict[str, Callable[[Path], Any]] = {
    "sequence form": lambda _: eq.solve("leduc", "cfr+", until=0.01),
    "public form, two threads": lambda _: eq.solve(
        "leduc", form="public", iterations=200, threads=2
    ),
    "cards": lambda _: eq.solve(RIVER, until="1%"),
    "sampled, certified": lambda _: eq.solve(
        "dark_hex(size=2)", sampling=SAMPLED, seed=1, until=0.02
    ),
    "sampled by threads": lambda _: eq.solve(
        "leduc", sampling="outcome(batch=512)", iterations=100, threads=2
    ),
    "walked": lambda _: eq.solve("dark_hex(size=2)", form="walk", iterations=20, threads=2),
    "quantal response": lambda _: eq.solve("kuhn", concept="qre(1.0)", until=1e-6),
    "linear programme": lambda _: eq.exact("leduc"),
    "correlated": lambda _: eq.correlated_equilibrium(
        "matrix(payoffs=[[0, 7], [2, 6]], payoffs2=[[0, 2], [7, 6]])"
    ),
    "many": lambda _: eq.solve_many(["kuhn", "leduc"], iterations=50),
    "saved and resumed": lambda folder: save_and_resume(folder),  # noqa: PLW0108 (defined below)
    "solved again": lambda _: eq.resolve(eq.solve("leduc", iterations=10), "Qr", player=1),
    "refused": lambda _: refuse(),
}


def save_and_resume(folder: Path) -> None:
    """Save a run, load it and go on."""
    eq.solve("leduc", iterations=20, save=folder, record="all")
    eq.solve(resume=folder, save=folder, iterations=40)
    eq.load_solution(folder)


def refuse() -> None:
    """Ask for what is refused, so that what errors hold on to is let go."""
    for spec in ("no_such_game", "kuhn(cards=1)", "holdem(board='AsAs')"):
        try:
            eq.solve(spec)
        except eq.EquilibristError:
            continue


class Usage(NamedTuple):
    """What the process holds."""

    megabytes: float
    files: int
    threads: int

    @classmethod
    def now(cls) -> Usage:
        gc.collect()
        process = psutil.Process()
        return cls(process.memory_full_info().uss / 1e6, process.num_fds(), process.num_threads())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    asked = parser.parse_args()
    end = time.monotonic() + 60 * asked.minutes
    usages: list[Usage] = []
    while time.monotonic() < end or len(usages) < 2 * WARM_ROUNDS:
        with tempfile.TemporaryDirectory() as place:
            for call in WORK.values():
                call(Path(place) / "run")
        usages.append(Usage.now())
        if len(usages) & (len(usages) - 1) == 0:
            print(f"round {len(usages)}: {usages[-1]}", flush=True)
    settled = usages[max(WARM_ROUNDS, len(usages) // 4) :]
    least = Usage(*(min(numbers) for numbers in zip(*settled, strict=True)))
    last = Usage(
        *(min(numbers) for numbers in zip(*usages[-3:], strict=True))
    )  # a round may end amid a collection
    print(f"{len(usages)} rounds of {len(WORK)} kinds; least {least}, at the end {last}")
    grown = [
        name
        for name, before, after, most in zip(
            Usage._fields, least, last, (MOST_MEGABYTES, MOST_FILES, MOST_THREADS), strict=True
        )
        if after - before > most
    ]
    if grown:
        print(f"FAILED: what the process holds has grown: {', '.join(grown)}", file=sys.stderr)
    sys.exit(1 if grown else 0)


if __name__ == "__main__":
    main()
