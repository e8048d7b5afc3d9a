"""Hold'em: seven spots, from a flop to a river, timed and solved to shares of the pot.

    python -m benchmarks.holdem                       # all spots, one and two threads: some minutes
    python -m benchmarks.holdem --spots m-river,turn --algorithm auto,dcfr --threads 1
    python -m benchmarks.holdem --spots my.toml --json figures.json
    python -m benchmarks.holdem --spots qsjh2h --goals 0.29
    python -m benchmarks.holdem --peer ./their-program

Every spot, algorithm and number of threads is a process of its own, with tables in float32. *An iteration*: the median
of several slices, and what it moves against a plain copy of arrays larger than the cache. *To a share of the pot*:
until the exploitability is 1, 0.5 and 0.1 % of the pot (0.5 % from a flop on, without ``--long``) or ``--goals``,
looked at as often as ``solve`` looks. *Ends*: what the plays that end on a river board cost.

With ``--peer`` a program of others solves each spot as well: ours and theirs in turn, ``--rounds`` times (three by
default), medians of both. ``benchmarks/holdem_peer.py`` says what it reads and prints. Times of two programs are
compared only so: in the same minutes on the same machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist._jit.compile import compiled
from equilibrist._jit.simd import LANES
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.form.cards.form import CardForm
from equilibrist.form.cards.terminal.values import terminal_values
from equilibrist.form.cards.walk import CardArrays, make_scratch
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.plan import fill_defaults
from equilibrist.solving.run import next_certificate
from equilibrist.solving.solvers import certify, make_solver

from .holdem_peer import ask, median_answer, question
from .machine import (
    NONE,
    Table,
    arguments,
    batches,
    describe,
    duration,
    fresh_process,
    memory,
    publish,
    times,
)

FOLDER = Path(__file__).parents[1] / "examples" / "spots"
SPOTS = ("river", "m-river", "full-river", "turn", "m-turn", "flop", "m-flop")
SMALL = FOLDER / "clairvoyance.toml"  # loads the kernels
GOALS = (1.0, 0.5, 0.1)  # % of the pot
GOALS_OF_A_FLOP = (1.0, 0.5)
PRECISION = "float32"
MOVED = {
    "strategy": 3,
    "regret_sum": 4,
    "strategy_sum": 2,
}  # how often an iteration reads or writes each table
STORED = 2  # of these for regrets where the strategy is stored: it is read instead, in the turn of either player
_COPIED = 2**28  # bytes of an array that is copied
_SLICES = 5
_LEAST_ENDS = 0.02  # seconds


def solve_here(
    *,
    spot: str,
    algorithm: str,
    threads: int,
    goals: Sequence[float],
    limit: float,
    ends: bool,
    began: float,
) -> dict[str, Any]:
    """Solve and time a spot in this process."""
    settings = SolveConfig(
        algorithm=find_algorithm(algorithm), precision=PRECISION, threads=threads
    )
    small = eq.compile_cards(eq.load(SMALL))
    settings = fill_defaults(settings, small)
    warm = make_solver(small, settings)
    warm.run(1)
    certify(warm, {"solve": 0.0, "certify": 0.0})
    game, start = eq.load(spot), time.perf_counter()
    form = eq.compile_cards(game)
    found = {
        "compile": time.perf_counter() - start,
        "algorithm": settings.algorithm.name,
        "goals": {},
    }
    solver, seconds, left = make_solver(form, settings), {"solve": 0.0, "certify": 0.0}, list(goals)
    while left and sum(seconds.values()) < limit:
        start = time.perf_counter()
        solver.run(next_certificate(solver.iteration, solver.form) - solver.iteration)
        seconds["solve"] += time.perf_counter() - start
        point = certify(solver, seconds)
        found["percent"] = 100 * point.exploitability / game.tree.rules.pot
        for goal in [goal for goal in left if found["percent"] <= goal]:
            found["goals"][f"{goal:g}"] = {"iterations": solver.iteration, **seconds}
            left.remove(goal)
    found |= {"peak": memory("VmHWM"), "value": point.value, "wall": time.time() - began}
    found |= _sizes(form) | {"slices": batches(solver.run, least=_SLICES)}
    stored = "strategy" in solver.tables
    passes = {**MOVED, "regret_sum": STORED} if stored else MOVED
    found["tables"] = sum(table.nbytes for table in solver.tables.values())
    found["moved"] = sum(passes[name] * table.nbytes for name, table in solver.tables.items())
    del solver
    if ends:
        found["ends"] = _ends(form)
    return found | {"copy": copy_rate(threads)}


def _sizes(form: CardForm) -> dict[str, Any]:
    """Return how large a game is."""
    return {
        "hands": [len(own) for own in form.boards.streets[0][0].hands],
        "boards": [len(street) for street in form.boards.streets],
        "nodes": form.nodes,
        "infosets": form.num_infosets,
    }


def copy_rate(threads: int) -> float:
    """Return the bytes a second that so many threads read and write together, copying arrays larger than the cache."""
    source, target = (np.ones(_COPIED, np.uint8) for _ in range(2))
    parts = list(zip(np.array_split(target, threads), np.array_split(source, threads), strict=True))
    seconds = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(_SLICES):
            start = time.perf_counter()
            list(pool.map(lambda part: np.copyto(*part), parts))
            seconds.append(time.perf_counter() - start)
    return 2 * _COPIED / statistics.median(seconds)


@compiled(allocates=False)
def add_ends(game, scratch, street, player, count):  # type: ignore[no-untyped-def]
    """Add the values of the plays that end on the open board of a street so many times."""
    for _ in range(count):
        terminal_values(game, scratch, street, player, scratch.value)


def _ends(form: CardForm) -> dict[str, float]:
    """Return the seconds that the ends of the first board of the last street take, the turns of both players."""
    arrays, street = form.arrays, len(form.betting.streets) - 1
    scratch = make_scratch(arrays, PRECISION)
    scratch.open_board[street] = arrays.boards.first_board[street]
    scratch.reach[:] = np.random.default_rng(0).random(len(scratch.reach))

    def seconds(changed: Callable[[int], CardArrays]) -> float:
        total = 0.0
        for player in range(2):
            game = changed(2 * street + player)
            total += statistics.median(
                batches(partial(add_ends, game, scratch, street, player), least=_SLICES)
            )
        return total

    def one_group(shown: int, q: int) -> CardArrays:
        terminal = arrays.terminal
        first, count = terminal.first_lane.copy(), terminal.num_shown.copy()
        first[q + 1], count[q] = first[q] + LANES, shown
        return arrays._replace(terminal=terminal._replace(first_lane=first, num_shown=count))

    return {
        "number": len(form.betting.streets[street].ends),
        "all": seconds(lambda _: arrays),
        "shown": seconds(partial(one_group, LANES)),
        "folded": seconds(partial(one_group, 0)),
    }


HERE: dict[str, Callable[..., dict[str, Any]]] = {"solve": solve_here}
elsewhere = partial(fresh_process, "benchmarks.holdem")

Runs = dict[tuple[str, str, int], dict[str, Any]]


def solve_all(options: argparse.Namespace) -> Runs:
    """Return what was found by spot, algorithm and threads: medians of rounds, in each ours and then theirs."""
    runs: Runs = {}
    for spot in options.spots:
        game = eq.load(_file(spot))
        goals = options.goals or (
            GOALS_OF_A_FLOP if len(game.streets) == 2 and not options.long else GOALS
        )
        for algorithm in options.algorithm:
            for threads in options.threads:
                ours, theirs = [], []
                for number in range(options.rounds):
                    job: dict[str, Any] = {
                        "spot": str(_file(spot)),
                        "algorithm": algorithm,
                        "threads": threads,
                    }
                    ends = (
                        number == 0
                        and threads == options.threads[0]
                        and algorithm == options.algorithm[0]
                    )
                    ours.append(
                        elsewhere("solve", **job, goals=goals, limit=options.seconds, ends=ends)
                    )
                    if options.peer:
                        told = question(game, threads=threads, goals=goals, seconds=options.seconds)
                        theirs.append(ask(options.peer, told))
                runs[spot, algorithm, threads] = _median_run(ours)
                if theirs:
                    runs[spot, algorithm, threads]["peer"] = median_answer(theirs)
    return runs


def _median_run(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return several runs of the same job as one: medians of times, which are all that differs."""
    goals = {
        goal: {
            name: statistics.median(found["goals"][goal][name] for found in rounds) for name in at
        }
        for goal, at in rounds[0]["goals"].items()
        if all(goal in found["goals"] for found in rounds)
    }
    slices = [seconds for found in rounds for seconds in found["slices"]]
    medians = {
        name: statistics.median(found[name] for found in rounds)
        for name in ("compile", "copy", "peak", "wall")
    }
    return rounds[0] | medians | {"goals": goals, "slices": slices}


def _file(spot: str) -> Path:
    """Return the file of a spot: one of the examples by its name, or a file."""
    example = FOLDER / f"{spot}.toml"
    return example if example.exists() else Path(spot)


def iterations_table(runs: Runs) -> Table:
    """Return what it takes to compile a spot and to iterate once."""
    table = Table(
        "An iteration, both players updated in turn",
        (
            "spot",
            "algorithm",
            "threads",
            "hands",
            "boards",
            "infosets",
            "compiled in",
            "iteration",
            "tables",
            "moved",
            "rate",
            "plain copy",
            "of it",
        ),
        notes=[
            "Iteration: the median of slices after the run. Moved: what an iteration reads and writes of tables. Plain "
            "copy: bytes read and written by as many threads, arrays larger than the cache, in the same process. Of "
            "it: the rate as a share of that of the plain copy."
        ],
    )
    for (spot, _, threads), found in runs.items():
        each = statistics.median(found["slices"])
        rate = found["moved"] / each
        table.rows.append(
            [
                spot,
                found["algorithm"],
                str(threads),
                " × ".join(f"{hands:,}" for hands in found["hands"]),
                " + ".join(f"{boards:,}" for boards in found["boards"]),
                f"{found['infosets']:,}",
                duration(found["compile"]),
                duration(each),
                megabytes(found["tables"]),
                megabytes(found["moved"]),
                *(f"{number / 1e9:.3g} GB/s" for number in (rate, found["copy"])),
                f"{rate / found['copy']:.0%}",
            ]
        )
    return table


def goals_table(runs: Runs, goals: Sequence[float] = GOALS) -> Table:
    """Return the iterations and seconds to shares of the pot, which are columns."""
    shares = [f"{goal:g}" for goal in goals]
    table = Table(
        "To a share of the pot",
        (
            "spot",
            "algorithm",
            "threads",
            *(heading for share in shares for heading in (f"{share} %", "in all")),
            "EV OOP",
            "EV IP",
            "peak",
        ),
        notes=[
            f"{' %, '.join(shares)} %: iterations until the exploitability is at most that share of the pot. In all: "
            "iterating and certificates, without compiling. EV: chips, at the last goal or where it was given up. "
            "Peak: resident memory of the whole process, interpreter and kernels included."
        ],
    )
    for (spot, _, threads), found in runs.items():
        cells = []
        for share in shares:
            at = found["goals"].get(share)
            if at is None:
                cells += [NONE] * 2
            else:
                cells += [f"{at['iterations']:,.0f}", duration(at["solve"] + at["certify"])]
        evs = [f"{value:.4f}" for value in found["value"]]
        table.rows.append(
            [spot, found["algorithm"], str(threads), *cells, *evs, megabytes(found["peak"])]
        )
    return table


def ends_table(runs: Runs) -> Table:
    """Return what the ends of a river board cost."""
    table = Table(
        "The ends of one board of the last street, for all hands of both players",
        ("spot", "hands", "ends", "all", "an end", "eight showdowns and folds", "eight folds"),
        notes=[
            "Ends are computed eight at a time, in lanes: a group takes the same time however many are used."
        ],
    )
    for (spot, *_), found in runs.items():
        ends = found.get("ends")
        if ends is not None:
            hands = " × ".join(f"{hands:,}" for hands in found["hands"])
            shown = (ends["all"], ends["all"] / ends["number"], ends["shown"], ends["folded"])
            table.rows.append([spot, hands, str(ends["number"]), *map(duration, shown)])
    return table


def peer_tables(runs: Runs, goals: Sequence[float] = GOALS) -> list[Table]:
    """Return our figures beside those of another program, where one was run: to the last two goals, at most."""
    beside = {key: found for key, found in runs.items() if "peer" in found}
    if not beside:
        return []
    name = next(iter(beside.values()))["peer"]["name"]
    near, last = (f"{goal:g}" for goal in (goals[-2:][0], goals[-1]))
    first = Table(
        f"Beside {name}, in turn on one machine",
        (
            "spot",
            "algorithm",
            "threads",
            "iteration",
            "theirs",
            "faster",
            f"to {near} %",
            "theirs",
            "faster",
        ),
        notes=[
            f"Iteration: both players updated once. To {near} % of the pot: iterating and looking at the "
            "exploitability, without building the game, and in brackets the iterations. Faster: theirs / ours; below 1 "
            "ours is slower."
        ],
    )
    second = Table(
        f"Beside {name}: {last} % of the pot, value and memory",
        (
            "spot",
            "algorithm",
            "threads",
            f"to {last} %",
            "theirs",
            "faster",
            "EV OOP",
            "theirs",
            "tables",
            "theirs",
        ),
    )
    for (spot, _, threads), found in beside.items():
        peer = found["peer"]
        each, theirs = statistics.median(found["slices"]), peer["ms_per_iteration"] / 1e3
        head = [spot, found["algorithm"], str(threads)]
        first.rows.append(
            [*head, duration(each), duration(theirs), times(theirs / each), *_to(found, near)]
        )
        ev = NONE if peer.get("ev") is None else f"{peer['ev']:.4f}"
        size = NONE if peer.get("megabytes") is None else f"{peer['megabytes']:g} MB"
        values = [f"{found['value'][0]:.4f}", ev, megabytes(found["tables"]), size]
        second.rows.append([*head, *_to(found, last), *values])
    return [first, second]


def _to(found: dict[str, Any], goal: str) -> list[str]:
    """Return the times to a share of the pot, ours and theirs, and how much faster ours is."""
    at, their = found["goals"].get(goal), found["peer"]["goals"].get(goal)
    ours = None if at is None else at["solve"] + at["certify"]
    theirs = None if their is None else their["ms"] / 1e3
    cells = [
        NONE if one is None or taken is None else f"{duration(taken)} ({one['iterations']:,.0f})"
        for one, taken in ((at, ours), (their, theirs))
    ]
    return [*cells, times(None if ours is None or theirs is None else theirs / ours)]


def without_algorithm(table: Table) -> Table:
    """Return a table without the column of the algorithm where that is the same in all rows: it is told below."""
    columns = list(table.columns)
    if (
        "algorithm" not in columns
        or len({row[columns.index("algorithm")] for row in table.rows}) != 1
    ):
        return table
    at = columns.index("algorithm")
    note = f"All with {table.rows[0][at]}, tables in {PRECISION}."
    rows = [row[:at] + row[at + 1 :] for row in table.rows]
    return Table(table.title, [*columns[:at], *columns[at + 1 :]], rows, [*table.notes, note])


def all_tables(runs: Runs, goals: Sequence[float] = GOALS) -> list[Table]:
    """Return the tables; docs/holdem.md has the first beside another program, and that of shares of the pot."""
    made = (
        *peer_tables(runs, goals),
        goals_table(runs, goals),
        iterations_table(runs),
        ends_table(runs),
    )
    return [without_algorithm(table) for table in made]


def megabytes(size: float) -> str:
    """Return a number of bytes in MB."""
    return f"{size / 1e6:,.3g} MB" if size < 1e8 else f"{size / 1e6:,.0f} MB"


def _options() -> argparse.Namespace:
    parser = arguments(__doc__)
    names, numbers = (
        (lambda text: text.split(",")),
        (lambda text: [int(part) for part in text.split(",")]),
    )
    parser.add_argument(
        "--spots",
        type=names,
        default=SPOTS,
        help="names of spots, or spot files (default: all seven)",
    )
    parser.add_argument(
        "--goals",
        type=lambda text: [float(part) for part in text.split(",")],
        help="%% of the pot, such as 1,0.29, on each spot (default 1,0.5,0.1)",
    )
    parser.add_argument(
        "--algorithm", type=names, default=["auto"], help="rows, such as auto,dcfr (default auto)"
    )
    parser.add_argument(
        "--threads", type=numbers, default=[1, 2], help="numbers of threads (default 1,2)"
    )
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="give up on a run after so many (default 120)"
    )
    parser.add_argument(
        "--peer", metavar="COMMAND", help="a program of others (benchmarks/holdem_peer.py)"
    )
    parser.add_argument(
        "--rounds", type=int, help="how often each run is made (default 1; with --peer 3, in turn)"
    )
    parser.add_argument("--long", action="store_true", help="flops down to 0.1 %% as well")
    parser.add_argument(
        "--here", metavar="JOB", help="do one job in this very process and print one JSON object"
    )
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.peer else 1)
    return options


def main() -> None:
    options = _options()
    if options.here:
        job = json.loads(options.here)
        print(json.dumps(HERE[job.pop("job")](**job)))
        return
    for algorithm in options.algorithm:
        eq.solve(SMALL, algorithm, precision=PRECISION, iterations=1)  # Numba's cache is filled
    runs = solve_all(options)
    results = {" ".join(map(str, key)): found for key, found in runs.items()}
    publish(all_tables(runs, options.goals or GOALS), options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
