"""Several machines: what an item and a call cost beyond their work, and one game whose tables several processes hold.

    python -m benchmarks.cluster                    # all parts: the tables of docs/cluster.md
    python -m benchmarks.cluster --parts items calls --items 40
    python -m benchmarks.cluster --parts game --game "leduc(ranks=13, suits=4)" --cap 0.75
    python -m benchmarks.cluster --parts samples --batches 4096 65536

*items*: a study of short runs, here, in two processes, and on a new Ray cluster on this machine: what an item takes of
a CPU, and how much of that is no iterating. *calls*: calls that sleep, one by one and all at once. *game*: CFR on
Bluff(2,2) and on a flop, on one machine and over 1, 2 and 4 processes, each of which may take no more memory than a
share of what the tables of the whole game take: messages, bytes and seconds of an iteration, and whether the bits are
the same. Last, the parts of 16 machines are walked one after the other, each timed by itself: what an iteration would
take where all walk at once and 25 Gbit/s are between them. *samples*: no-limit hold'em of 20 big blinds in 100 buckets
a street, sampled in one process and over two actors: what an iteration takes of the processor, here and in an actor,
and bytes, by the batch.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import equilibrist as eq
from equilibrist.batches.processes import Processes
from equilibrist.cfr.solvers import CPU, FULL_WIDTH
from equilibrist.cluster.actors import ProcessActors
from equilibrist.cluster.cards import CardSplit
from equilibrist.cluster.cluster_cfr import ClusterCFR
from equilibrist.cluster.public import PublicSplit
from equilibrist.mccfr.sampled_abstraction import BucketedCFR
from equilibrist.mccfr.sampling import find_sampling

from .machine import NONE, Table, describe, duration

PARTS = ("items", "calls", "game", "samples")
GAMES = (
    ("Bluff(2,2), bids by face", "liars_dice(dice=(2,2), wild_biddable=False)", 0.75),
    ("examples/spots/flop.toml", str(Path(__file__).parents[1] / "examples/spots/flop.toml"), 0.9),
)
"""Name, game, and what an actor of several may take, as a share of the tables: machine code takes its part."""
ITERATIONS = 100_000  # of an item: about 50 ms
MACHINES, GIGABITS, LATENCY = 16, 25.0, 100e-6  # between machines: bits and seconds of a message
BLUEPRINT = "nlhe(stack=20, sizes='50%, 100%')"
BUCKETS = 100  # a street
SAMPLERS = 2  # actors that draw samples
_WORKERS = 2
_ROW = eq.ALGORITHMS["dcfr"]


def megabytes(count: float) -> str:
    """Return a number of bytes in words."""
    return f"{count / 1e6:,.3g} MB" if count < 1e9 else f"{count / 1e9:,.3g} GB"


def rest(seconds: float) -> float:
    """Sleep for so long, and return it."""
    time.sleep(seconds)
    return seconds


def executors() -> Iterator[tuple[str, Executor, int]]:
    """Iterate over executors, each open until the next: name, executor, how many calls it carries out at a time."""
    with Processes(_WORKERS) as processes:
        yield f"{_WORKERS} processes", processes, _WORKERS
    with eq.RayExecutor("local") as cluster:
        import ray

        yield "eq.RayExecutor('local')", cluster, int(ray.cluster_resources()["CPU"])


def items_table(items: int) -> Table:
    """Time a study of short runs, one after the other here and side by side elsewhere."""
    columns = [
        "",
        "an item, results alone",
        "of that iterating",
        "an item with its run folder",
        "of that iterating",
    ]
    table = Table(f"Items of eq.batch: kuhn, {ITERATIONS:,} samples each", columns)
    for name, executor, at_once in chain([("here, one after the other", None, 1)], executors()):
        _items(
            executor, 4 * at_once, "runs"
        )  # starts the processes, loads the kernels, imports what draws
        cells: list[str] = []
        for keep in ("results", "runs"):
            wall, iterating = _items(executor, items, keep)
            cells += [duration(wall * at_once / items), duration(iterating / items)]
        table.rows.append([name, *cells])
    table.notes = [
        f"{items} items; of those side by side, seconds of a worker: wall × workers / items."
    ]
    return table


def _items(executor: Executor | None, count: int, keep: str) -> tuple[float, float]:
    """Return how long a batch took, and how long its runs iterated."""
    study = {
        "game": "kuhn",
        "sampling": "external",
        "iterations": ITERATIONS,
        "vary": {"seeds": count},
    }
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        result = eq.batch(study, executor=executor, keep=keep, save=folder)
        return time.perf_counter() - start, sum(row["seconds"] for row in result.rows())


def calls_table(items: int) -> Table:
    """Time calls that sleep."""
    table = Table("Calls that sleep", ["", "one after the other", "all at once, × workers / calls"])
    for name, executor, at_once in executors():
        list(executor.map(rest, [0.0] * 4 * at_once))  # starts the processes
        for seconds in (0.0, 0.05, 0.5):
            table.rows.append(
                [f"{name}: {duration(seconds)}", *_timed(executor, seconds, items, at_once)]
            )
    table.notes = [f"{items} calls"]
    return table


def _timed(executor: Executor, seconds: float, items: int, at_once: int) -> list[str]:
    """Return how long a call takes, one after the other and all at once."""
    start = time.perf_counter()
    for _ in range(items // at_once):
        executor.submit(rest, seconds).result()
    middle = time.perf_counter()
    list(executor.map(rest, [seconds] * items))
    end = time.perf_counter()
    return [
        duration((middle - start) / (items // at_once)),
        duration((end - middle) * at_once / items),
    ]


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


def counted(actors: Any) -> Any:
    """Return actors that count the messages to them, and the bytes of arrays both ways."""
    call = actors.call
    actors.messages = actors.sent = actors.received = 0

    def counting(method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        answers: list[Any] = call(method, arguments)
        actors.messages += len(arguments)
        actors.sent += _bytes(arguments)
        actors.received += _bytes(answers)
        return answers

    actors.call = counting
    return actors


def _bytes(values: Any) -> int:
    """Return the bytes of the arrays in records, however nested."""
    if isinstance(values, np.ndarray):
        return int(values.nbytes)
    if isinstance(values, dict):
        values = values.values()
    return (
        sum(map(_bytes, values))
        if isinstance(values, Iterable) and not isinstance(values, str)
        else 0
    )


class OneByOne:
    """Actors in this process, called one after the other, and how long the slowest of each call took in all."""

    def __init__(self) -> None:
        self.targets: list[Any] = []
        self.slowest, self.all = 0.0, 0.0

    def start(self, makers: Sequence[Callable[[], Any]]) -> None:
        self.targets = [make() for make in makers]

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        answers, seconds = [], []
        for target, own in zip(self.targets, arguments, strict=True):
            start = time.perf_counter()
            answers.append(getattr(target, method)(*own))
            seconds.append(time.perf_counter() - start)
        self.slowest += max(seconds)
        self.all += sum(seconds)
        return answers

    def restart(self, number: int) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.targets = []


class Game:
    """A game compiled once, whose iterations are timed on one machine and over several actors.

    Parameters
    ----------
    name, game : str
        For people, and as :func:`equilibrist.load` takes it.
    iterations : int
        How many are timed.
    """

    def __init__(self, name: str, game: str, iterations: int) -> None:
        built = eq.load(game)
        states = getattr(built, "public_states", None)
        self.form: Any = eq.compile_cards(built) if states is None else eq.compile_public(states())
        self._split: Any = CardSplit if states is None else PublicSplit
        self._precision = self.form.default_precision
        self._iterations = iterations
        alone = FULL_WIDTH[CPU, self.form.kind](self.form, _ROW, precision=self._precision)
        self.bytes = sum(array.nbytes for array in alone.tables.values())
        self.title = f"{name}, tables of {megabytes(self.bytes)}"
        self.seconds = self._seconds(alone)
        self._expected = alone.values()

    def _seconds(self, solver: Any) -> float:
        """Return how long an iteration takes, after the first one."""
        if not solver.iteration:
            solver.run(1)
        start = time.perf_counter()
        solver.run(self._iterations)
        return (time.perf_counter() - start) / self._iterations

    def over(self, count: int, cap: float) -> list[str]:
        """Return the row of so many actors: an iteration, messages, bytes each way, tables of the driver, memory."""
        actors = counted(CappedActors(int(cap * self.bytes)) if count > 1 else ProcessActors())
        with closing(self._cluster(count, actors)) as solver:
            solver.run(1)
            actors.messages = actors.sent = actors.received = 0
            seconds = self._seconds(solver)
            traffic = [actors.sent / self._iterations, actors.received / self._iterations]
            used = [psutil.Process(pid).memory_info().rss for pid in actors.pids]
            own = sum(array.nbytes for array in solver._top.tables.values())
            messages = actors.messages // self._iterations
            assert solver.values() == self._expected, "the bits differ"
        return [
            duration(seconds),
            f"{messages}",
            *(megabytes(number) for number in (*traffic, own, max(used))),
        ]

    def _cluster(self, count: int, actors: Any) -> ClusterCFR:
        return ClusterCFR(
            self._split(self.form, count), _ROW, actors=actors, precision=self._precision
        )

    def projected(self) -> list[str]:
        """Return the row of many machines: the driver, the slowest of them, messages, and how many times as fast."""
        actors = counted(OneByOne())
        with closing(self._cluster(MACHINES, actors)) as solver:
            solver.run(1)
            actors.slowest = actors.all = 0.0
            actors.sent = actors.received = 0
            each = self._seconds(solver)
            walked = actors.slowest / self._iterations
            driver = each - actors.all / self._iterations
            traffic = (actors.sent + actors.received) / self._iterations
        # Each machine has its own line, the driver one for all; a turn of a player is a message there and one back.
        sent = traffic / (GIGABITS / 8 * 1e9) + 4 * LATENCY
        total = driver + walked + sent
        return [
            self.title,
            *map(duration, (self.seconds, driver, walked, sent, total)),
            f"{self.seconds / total:.1f}",
        ]


def game_tables(
    games: Sequence[tuple[str, str, float]],
    *,
    counts: Sequence[int],
    iterations: int,
    cap: float | None,
) -> tuple[Table, Table]:
    """Time CFR on games over several processes, and compare its values with those of one machine."""
    columns = [
        "",
        "",
        "an iteration",
        "messages",
        "to the actors",
        "to the driver",
        "tables of the driver",
    ]
    table = Table("CFR over actors", [*columns, "memory of an actor"])
    parts = [
        "",
        "one machine",
        "driver",
        "slowest machine",
        "messages",
        "together",
        "times as fast",
    ]
    projected = Table(
        f"An iteration on {MACHINES} machines with {GIGABITS:g} Gbit/s between them", parts
    )
    for name, spec, share in games:
        game = Game(name, spec, iterations)
        table.rows.append([game.title, "one machine", duration(game.seconds), *[NONE] * 5])
        for count in counts:
            label = f"{count} actor{'s' * (count > 1)}"
            table.rows.append(["", label, *game.over(count, share if cap is None else cap)])
        projected.rows.append(game.projected())
    table.notes = [
        "At the end values and best responses are the same in all rows of a game, to the last bit."
    ]
    return table, projected


def samples_table(batches: Sequence[int], *, iterations: int) -> Table:
    """Measure what samples of no-limit hold'em take in one process and over actors, by the batch."""
    columns = ["batch", "one process", "driver", "an actor", "to the actors", "to the driver"]
    table = Table(
        f"{BLUEPRINT}, {BUCKETS} buckets a street: processor seconds of an iteration over {SAMPLERS} actors",
        [*columns, "most times as fast"],
    )
    buckets = eq.Buckets(flop=BUCKETS, turn=BUCKETS, river=BUCKETS)
    buckets.prepare(print)
    game: Any = eq.load(BLUEPRINT)
    offer = game.offer_bucket_table(buckets=buckets)
    options: dict[str, Any] = {"abstraction": eq.abstract(game, buckets).abstraction, "seed": 1}
    for batch in batches:
        sampling = find_sampling(f"external(tree=False, batch={batch})")
        settings: list[Any] = [eq.ALGORITHMS["lcfr"], sampling]
        alone = BucketedCFR(offer.make(seed=1, batch=batch), *settings, **options)
        (own,) = _processor_seconds(alone, [], iterations)
        cluster = eq.Cluster(actors=SAMPLERS)
        table_of_driver = offer.make(seed=1, batch=batch)
        with closing(cluster.sampler(table_of_driver, *settings, **options)) as solver:
            actors = counted(solver.actors)
            driver, *of_actors = _processor_seconds(solver, actors.pids, iterations)
            traffic = [actors.sent / iterations, actors.received / iterations]
        cells = [*map(duration, (own, driver, max(of_actors))), *map(megabytes, traffic)]
        table.rows.append([f"{batch:,}", *cells, f"{own / driver:.1f}"])
    table.notes = [
        "The driver adds up and updates strategies while actors wait; that bounds what any number of them gains."
    ]
    return table


def _processor_seconds(solver: Any, pids: Sequence[int], iterations: int) -> list[float]:
    """Return what an iteration takes of a processor here and in some processes, after the first one."""
    solver.run(1)
    if pids:
        solver.actors.sent = solver.actors.received = 0
    processes = [psutil.Process(), *map(psutil.Process, pids)]
    before = [_processor_time(process) for process in processes]
    solver.run(iterations)
    after = [_processor_time(process) for process in processes]
    return [(end - start) / iterations for start, end in zip(before, after, strict=True)]


def _processor_time(process: psutil.Process) -> float:
    """Return the seconds of a processor that a process has taken."""
    times = process.cpu_times()
    return float(times.user + times.system)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cluster", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument("--items", type=int, default=40, help="items and calls of these parts")
    parser.add_argument("--game", help="the game of the part game, instead of those two")
    parser.add_argument("--actors", nargs="+", type=int, default=(1, 2, 4), help="how many actors")
    parser.add_argument("--iterations", type=int, default=3, help="how many iterations are timed")
    parser.add_argument(
        "--batches", nargs="+", type=int, default=(4096, 65_536), help="of the part samples"
    )
    parser.add_argument(
        "--cap",
        type=float,
        help="memory of an actor of several, as a share of the tables [0.75; 0.9]",
    )
    parser.add_argument(
        "--markdown", action="store_true", help="print the tables as docs/cluster.md has them"
    )
    options = parser.parse_args(arguments)
    print(", ".join(f"{name}: {value}" for name, value in describe().items()))
    tables: list[Table] = []
    if "items" in options.parts:
        tables.append(items_table(options.items))
    if "calls" in options.parts:
        tables.append(calls_table(options.items))
    if "game" in options.parts:
        games = GAMES if options.game is None else [(options.game, options.game, 0.75)]
        given = {"counts": options.actors, "iterations": options.iterations, "cap": options.cap}
        tables += game_tables(games, **given)
    if "samples" in options.parts:
        tables.append(samples_table(options.batches, iterations=options.iterations))
    for table in tables:
        if options.markdown:
            print(f"\n{table.markdown()}")
        else:
            table.show()


if __name__ == "__main__":
    main()
