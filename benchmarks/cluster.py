"""Several machines: what a call costs on a Ray cluster.

    python -m benchmarks.cluster                    # all parts
    python -m benchmarks.cluster --parts executor --items 40

*executor*: calls that sleep, by an executor on a new cluster on this machine, one by one and all at once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import Executor

import equilibrist as eq

from .machine import Table, describe, duration

PARTS = ("executor",)


def rest(seconds: float) -> float:
    """Sleep for so long, and return it."""
    time.sleep(seconds)
    return seconds


def executor_table(items: int) -> Table:
    """Time calls on a new cluster on this machine."""
    table = Table(
        "Calls by eq.RayExecutor('local')", ["a call sleeps", "one after the other", "all at once, × CPUs / calls"]
    )
    with eq.RayExecutor("local") as executor:
        import ray

        cpus = int(ray.cluster_resources()["CPU"])
        list(executor.map(rest, [0.0] * 4 * cpus))  # starts the processes
        for seconds in (0.0, 0.05, 0.5):
            table.rows.append([duration(seconds), *_timed(executor, seconds, items, cpus)])
    table.notes = [f"{cpus} CPUs, {items} calls"]
    return table


def _timed(executor: Executor, seconds: float, items: int, cpus: int) -> list[str]:
    """Return how long a call takes, one after the other and all at once."""
    start = time.perf_counter()
    for _ in range(items // cpus):
        executor.submit(rest, seconds).result()
    middle = time.perf_counter()
    list(executor.map(rest, [seconds] * items))
    end = time.perf_counter()
    return [duration((middle - start) / (items // cpus)), duration((end - middle) * cpus / items)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument("--items", type=int, default=40, help="calls of the part executor")
    options = parser.parse_args(arguments)
    print(", ".join(f"{name}: {value}" for name, value in describe().items()))
    if "executor" in options.parts:
        executor_table(options.items).show()


if __name__ == "__main__":
    main()
