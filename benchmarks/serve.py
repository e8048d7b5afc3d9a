"""The server of the browser's page: how soon it answers, and how fast while many read and one run solves.

    python -m benchmarks.serve                          # all parts: two minutes
    python -m benchmarks.serve --parts start --rounds 5
    python -m benchmarks.serve --parts nodes --clients 50 --seconds 10

*start*: from the start of the process to the first byte of the page, and to the library of 100 runs. *nodes*: a river
with all hands is studied over HTTP, node by node; each client clicks a second after the last answer (``--pause``), or
at once. Once while nothing else happens, and once while a worker solves a turn. *goals*: the time to a goal that the
page tells before a run starts, and what the run took.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.games.compile import compile_any
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.estimate import estimate_run
from equilibrist.solving.forecast import forecast

from .machine import Table, describe, duration

PARTS = ("start", "nodes", "goals")
SPOTS = Path(__file__).parents[1] / "examples" / "spots"
STUDIED, SOLVED = "full-river", "turn"
ITERATIONS = 30  # of the spot that is studied
RUNS = 100  # in the library
ADDRESS = re.compile(r"http://\S+\?token=\S+")


class Server:
    """``equilibrist serve`` in a process of its own, and when it was started."""

    def __init__(self, folder: Path) -> None:
        self.began = time.perf_counter()
        code = "from equilibrist.cli import main; main()"
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                code,
                "serve",
                "--folder",
                str(folder),
                "--port",
                "0",
                "--no-browser",
            ],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        line = next(filter(None, map(ADDRESS.search, self.process.stdout)))
        self.address = line[0]
        address = urlsplit(self.address)
        self.port, self.token = address.port, address.query.removeprefix("token=")

    def connect(self) -> Client:
        """Return a client of the server."""
        return Client(self)

    def stop(self) -> None:
        """End the server and what it solves."""
        self.process.terminate()
        self.process.wait(60)


class Client:
    """A connection that stays open, as a browser's does."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
        self._headers = {"Authorization": f"Bearer {server.token}"}

    def ask(self, path: str, *, method: str = "GET", body: object = None) -> bytes:
        """Return the body of an answer."""
        content = None if body is None else json.dumps(body)
        self._connection.request(method, path, content, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.decode()}")
        return answer


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        yield server
    finally:
        server.stop()


def start_table(rounds: int) -> Table:
    """Time the start of the server."""
    table = Table("The start of equilibrist serve", ["", "median", "slowest"])
    first, library = [], []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        runs = Path(folder, "runs")
        eq.solve("kuhn", iterations=100, save=runs / "kuhn-0")
        for number in range(1, RUNS):
            shutil.copytree(runs / "kuhn-0", runs / f"kuhn-{number}")
        for _ in range(rounds):
            shutil.rmtree(runs / ".equilibrist", ignore_errors=True)  # the index is made anew
            with serving(runs) as server:
                server.connect().ask("/")
                first.append(time.perf_counter() - server.began)
                before = time.perf_counter()
                server.connect().ask("/api/runs")
                library.append(time.perf_counter() - before)
    for name, times in (
        ("to the first byte of the page", first),
        (f"library of {RUNS} runs, no index yet", library),
    ):
        table.rows.append([name, duration(statistics.median(times)), duration(max(times))])
    return table


def decisions(client: Client, run: str, most: int = 60) -> list[str]:
    """Return the lines of decisions of a run, found by walking."""
    found, waiting = [], [""]
    while waiting and len(found) < most:
        line = waiting.pop(0)
        told = json.loads(client.ask(node_path(run, line)))
        if told["kind"] == "decision":
            found.append(line)
            waiting += [f"{line}-{action}" if line else action for action in told["actions"]]
    return found


def node_path(run: str, line: str) -> str:
    return f"/api/runs/{run}/spot/node?{urlencode({'line': line})}"


def read(
    server: Server, paths: Sequence[str], clients: int, seconds: float, pause: float
) -> tuple[list[float], float]:
    """Let clients read nodes for some seconds; return how long each answer took, and the rate of answers."""
    times: list[float] = []
    end = time.perf_counter() + seconds

    def click(seed: int) -> None:
        rng, client = random.Random(seed), server.connect()
        time.sleep(rng.random() * pause)
        while time.perf_counter() < end:
            before = time.perf_counter()
            client.ask(rng.choice(paths))
            times.append(time.perf_counter() - before)
            time.sleep(pause)

    threads = [threading.Thread(target=click, args=(number,)) for number in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, len(times) / (time.perf_counter() - began)


def nodes_table(clients: int, seconds: float, pause: float) -> Table:
    """Time what clients wait for, alone and beside a run that is being solved."""
    headings = ["clients", "each clicks", "beside", "median", "95 %", "99 %", "answers a second"]
    table = Table(f"Nodes of the spot {STUDIED} over HTTP", headings)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        eq.solve(SPOTS / f"{STUDIED}.toml", iterations=ITERATIONS, save=Path(folder, "river"))
        shutil.copy(SPOTS / f"{SOLVED}.toml", folder)
        with serving(Path(folder)) as server:
            client = server.connect()
            lines = decisions(client, "river")
            paths = [node_path("river", line) for line in lines]
            size = len(client.ask(paths[0]))
            for solving in (False, True):
                if solving:
                    begin_run(server.connect())
                for number, wait in ((1, 0.0), (clients, pause), (clients, 0.0)):
                    times, rate = read(server, paths, number, seconds, wait)
                    marks = statistics.quantiles(times, n=100)
                    table.rows.append(
                        [
                            str(number),
                            f"{wait:g} s after the last" if wait else "at once",
                            "a run being solved" if solving else "nothing",
                            *(duration(marks[place - 1]) for place in (50, 95, 99)),
                            f"{rate:.0f}",
                        ]
                    )
    table.notes = [f"{len(paths)} decisions, {size / 1000:.0f} kB of JSON each"]
    return table


def begin_run(client: Client) -> None:
    """Begin to solve a spot, and wait until it iterates."""
    settings = eq.load(str(SPOTS / f"{SOLVED}.toml")).settings
    job = json.loads(
        client.ask(
            "/api/jobs", method="POST", body={"spot": settings, "name": "turn", "seconds": 3600}
        )
    )
    while json.loads(client.ask(f"/api/jobs/{job['id']}"))["state"] != "running":
        time.sleep(0.2)


def two_digits(number: float) -> str:
    """Return a number with two digits, the others zeros: 1234 → 1,200."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:g}"


def goals_table() -> Table:
    """Compare the forecast of the time to a goal with what the run takes."""
    table = Table(
        "Time to a goal",
        ["game", "goal", "iterations", "forecast", "seconds", "forecast", "inside"],
    )
    for name, goals in GOALS.items():
        form = compile_any(
            eq.load(str(SPOTS / f"{name}.toml") if (SPOTS / f"{name}.toml").exists() else name)
        )
        seconds = estimate_run(form, SolveConfig(algorithm=find_algorithm("dcfr"))).seconds
        for goal in goals:
            told = forecast(form, seconds=seconds, until=goal)
            run = eq.solve(form, until=goal)
            spent = run.seconds["solve"] + run.seconds["certify"]
            cells = ["none", "none", ""]
            if told is not None:
                inside = (
                    told.seconds[0] <= spent <= told.seconds[1] or max(*told.seconds, spent) < 1
                )
                words = (" to ".join(dict.fromkeys(map(two_digits, pair))) for pair in told[:2])
                cells = [*words, "yes" if inside else "no"]
            row = [
                name,
                str(goal),
                f"{run.iterations:,}",
                cells[0],
                two_digits(spent),
                cells[1],
                cells[2],
            ]
            table.rows.append(row)
    table.notes = [
        "inside: the time is, or both are under a second, which is all that the page says then"
    ]
    return table


GOALS: dict[str, tuple[str | float, ...]] = {
    "river": ("1%", "0.1%", "0.01%"),
    "full-river": ("1%", "0.1%", "0.01%"),
    "turn": ("1%", "0.5%", "0.1%"),
    "m-turn": ("1%", "0.5%", "0.1%"),
    "m-flop": ("1%",),
    "kuhn": (1e-3, 1e-6),
    "leduc": (1e-2, 1e-3, 1e-4),
    "liars_dice": (1e-2, 1e-3, 1e-4),
    "leduc(ranks=20)": (1e-2, 1e-3),
    "liars_dice(faces=5)": (1e-2, 1e-3),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.serve", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument("--rounds", type=int, default=5, help="starts of the part start")
    parser.add_argument("--clients", type=int, default=50, help="clients of the part nodes")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long they read")
    parser.add_argument(
        "--pause", type=float, default=1.0, help="seconds between an answer and the next click"
    )
    options = parser.parse_args(arguments)
    print(", ".join(f"{name}: {value}" for name, value in describe().items()))
    if "start" in options.parts:
        start_table(options.rounds).show()
    if "nodes" in options.parts:
        nodes_table(options.clients, options.seconds, options.pause).show()
    if "goals" in options.parts:
        goals_table().show()


if __name__ == "__main__":
    main()
