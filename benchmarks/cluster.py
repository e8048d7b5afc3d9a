"""Several machines: what a call costs on a Ray cluster, and one game whose tables several processes hold.

    python -m benchmarks.cluster                    # all parts
    python -m benchmarks.cluster --parts executor --items 40
    python -m benchmarks.cluster --parts game --cap 0.75 --game "liars_dice(dice=(2,2), wild_biddable=False)"

*executor*: calls that sleep, by an executor on a new cluster on this machine, one by one and all at once. *game*: CFR
on one game on one machine and over 1, 2 and 4 processes, each of which may take no more memory than ``--cap`` of what
the tables of the whole game take: messages, bytes and seconds of an iteration, and whether the bits are the same.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

import psutil

import equilibrist as eq
from equilibrist.cfr.solvers import FULL_WIDTH
from equilibrist.cluster.actors import ProcessActors
from equilibrist.cluster.card_split import CardSplit
from equilibrist.cluster.cluster_cfr import ClusterCFR
from equilibrist.cluster.public_split import PublicSplit

from .machine import NONE, Table, describe, duration

PARTS = ("executor", "game")


def megabytes(count: float) -> str:
    """Return a number of bytes in words."""
    return f"{count / 1e6:,.3g} MB" if count < 1e9 else f"{count / 1e9:,.3g} GB"


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


class Capped:
    """Makes what an actor holds in a process that may take so many bytes beyond what it takes now."""

    def __init__(self, make: Callable[[], Any], most: int) -> None:
        self.make, self.most = make, most

    def __call__(self) -> Any:
        limit = psutil.Process().memory_info().data + self.most
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        return self.make()


class CappedActors(ProcessActors):
    """Actors in processes with a cap on their memory."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def start(self, makers: Sequence[Callable[[], Any]]) -> None:
        super().start([Capped(make, self.most) for make in makers])


def game_table(game: str, *, counts: Sequence[int], iterations: int, cap: float) -> Table:
    """Time CFR on a game over several processes, and compare its value with that of one machine."""
    table = Table(
        f"CFR on {game}",
        ["", "an iteration", "messages", "to the actors", "to the driver", "at the driver", "memory of an actor"],
    )
    built = eq.load(game)
    states = getattr(built, "public_states", None)
    form: Any = eq.compile_cards(built) if states is None else eq.compile_public(states())
    alone = FULL_WIDTH[form.kind](form, eq.ALGORITHMS["dcfr"], precision=form.default_precision)
    whole = sum(array.nbytes for array in alone.tables.values())
    alone.run(1)
    start = time.perf_counter()
    alone.run(iterations)
    table.rows.append(["one machine", duration((time.perf_counter() - start) / iterations), *[NONE] * 5])
    expected = alone.values()
    del alone
    for count in counts:
        actors = CappedActors(int(cap * whole)) if count > 1 else ProcessActors()
        split: Any = (CardSplit if states is None else PublicSplit)(form, count)
        solver = ClusterCFR(split, eq.ALGORITHMS["dcfr"], actors=actors, precision=form.default_precision)
        with solver:
            solver.run(1)
            exchange = solver.exchange
            exchange.messages = exchange.sent = exchange.received = 0
            start = time.perf_counter()
            solver.run(iterations)
            seconds = (time.perf_counter() - start) / iterations
            traffic = [exchange.sent / iterations, exchange.received / iterations]
            messages = exchange.messages // iterations
            used = [psutil.Process(pid).memory_info().rss for pid in actors.pids]
            own = sum(array.nbytes for array in solver.top_tables.values())
            assert solver.values() == expected, "the bits differ"
        cells = [megabytes(number) for number in (*traffic, own, max(used))]
        table.rows.append([f"{count} actors", duration(seconds), f"{messages}", *cells])
    table.notes = [
        f"The tables take {megabytes(whole)}; an actor of several may take {megabytes(cap * whole)} more.",
        "At the end values and best responses are the same in all rows, to the last bit.",
    ]
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument("--items", type=int, default=40, help="calls of the part executor")
    parser.add_argument("--game", default="leduc(ranks=13, suits=4)", help="the game of the part game")
    parser.add_argument("--actors", nargs="+", type=int, default=(1, 2, 4), help="how many actors")
    parser.add_argument("--iterations", type=int, default=3, help="how many iterations are timed")
    parser.add_argument("--cap", type=float, default=0.75, help="memory of an actor, as a share of the tables")
    options = parser.parse_args(arguments)
    print(", ".join(f"{name}: {value}" for name, value in describe().items()))
    if "executor" in options.parts:
        executor_table(options.items).show()
    if "game" in options.parts:
        game_table(options.game, counts=options.actors, iterations=options.iterations, cap=options.cap).show()


if __name__ == "__main__":
    main()
