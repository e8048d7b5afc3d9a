"""Hold'em: what an iteration is made of, how far each precision gets, and what rounding does to tables of 16 bits.

    python -m benchmarks.cards                                       # all parts, on small spots: some minutes
    python -m benchmarks.cards --parts passes --spots m-turn,m-flop,qsjh2h
    python -m benchmarks.cards --parts precision --spots river,m-river,full-river,turn,m-turn --iterations 256,1024,4096
    python -m benchmarks.cards --parts rounding --spots m-river --iterations 256,1024

*Passes*: processor seconds of an iteration of one thread, and how many more it takes where one pass is done twice, by
copies of the kernel in which a line stands twice. All of these take turns. A pass that is done again finds its data in
the cache; what is left of an iteration is walking, and waiting for memory. *Precision*: the exploitability in % of the
pot after some iterations of each precision, and its processor seconds. *Rounding*: the same for copies of the kernel
that round to the nearest integer what is stored in 16 and 8 bits. Exploitability is exact, in float64.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import equilibrist as eq
from equilibrist.cfr import card_cfr, card_kernels
from equilibrist.cfr.solver import Solver
from equilibrist.solving.plan import fill_defaults, new_config
from equilibrist.solving.solvers import make_solver

from .holdem import FOLDER, SMALL
from .machine import Table, arguments, describe, duration, publish

PARTS = ("passes", "precision", "rounding")
PRECISIONS = ("float64", "float32", "int16")
PASSES = {
    "reach of lines": ["propagate_reach(game, scratch, span, street, player)"],
    "strategies": [
        "play(game, scratch, street, player, tables.played, rule, tables.played, True)",
        "play(game, scratch, street, 1 - player, tables.played, rule, tables.played, False)",
    ],
    "ends": [
        "clear_values(game, scratch.value, street, player)",
        "terminal_values(game, scratch, street, player, scratch.value)",
    ],
    "update": ["_update(game, tables, scratch, street, player, rule, discount)"],
    "values to lines": ["back_up(game, scratch, span, scratch.value, span.values, street, player)"],
}
_DITHERED = "store_dithered(tables.{0}, slot + i, load({1}, row + i) * {2}, iteration)"
_NEAREST = "store(tables.{0}, slot + i, load({1}, row + i) * ({2} * 2.0**-16))"
_STORED = {
    "regrets": ("regret_sum", "new_regrets", "regret_unit"),
    "averages": ("strategy_sum", "new_sums", "sum_unit"),
}
ROUNDINGS = {
    "evenly, as built": (),
    **{f"{name} to the nearest": (name,) for name in _STORED},
    "both": tuple(_STORED),
}
_SECONDS, _ROUNDS = 0.05, 9  # of a slice, and of slices in turn


def twice(lines: list[str]) -> dict[str, str]:
    """Return what makes the source of the kernels do some lines twice, which follow each other."""
    block = "".join(f"{{indent}}{line}\n" for line in lines)
    return {block: block * 2}


def to_nearest(tables: tuple[str, ...]) -> dict[str, str]:
    """Return what makes the source of the kernels round to the nearest integer what some tables store."""
    return {_DITHERED.format(*_STORED[name]): _NEAREST.format(*_STORED[name]) for name in tables}


def changed_kernel(changes: Mapping[str, str], folder: Path, name: str) -> Any:
    """Return the kernel of iterations from a copy of its source with each text replaced that occurs once there."""
    source = Path(card_kernels.__file__).read_text(encoding="utf-8")
    source = ast.unparse(ast.parse(source))  # a statement a line, however it was broken
    source = re.sub(r"^from \.\.(?=\w)", "from equilibrist.", source, flags=re.MULTILINE)
    source = re.sub(r"^from \.(?=\w)", "from equilibrist.cfr.", source, flags=re.MULTILINE)
    for before, after in changes.items():
        first = before.splitlines()[0].removeprefix("{indent}")
        place = re.search(rf"^( *).*{re.escape(first)}", source, re.MULTILINE)
        text, new = (
            each.replace("{indent}", "" if place is None else place[1]) for each in (before, after)
        )
        if source.count(text) != 1:
            raise SystemExit(
                f"The kernels have changed: {first!r} is there {source.count(text)} times."
            )
        source = source.replace(text, new)
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.iterate


@contextmanager
def iterating_with(kernel: Any) -> Iterator[None]:
    """Let solvers of card games iterate with a kernel."""
    usual = card_cfr.iterate
    card_cfr.iterate = kernel
    try:
        yield
    finally:
        card_cfr.iterate = usual


def solver_of(spot: str | Path, precision: str, threads: int = 1) -> Solver:
    """Return a solver of a spot."""
    form = eq.compile_cards(eq.load(spot))
    return make_solver(form, fill_defaults(new_config(threads=threads, precision=precision), form))


def in_turn(ways: Mapping[str, Callable[[int], object]], rounds: int) -> dict[str, float]:
    """Return the median processor seconds of an iteration of each way; they take turns."""
    counts, seconds = {}, dict[str, list[float]]()
    for name, run in ways.items():
        run(1)
        began = time.process_time()
        run(1)
        counts[name] = 1 + int(_SECONDS / max(time.process_time() - began, 1e-6))
    for _ in range(rounds):
        for name, run in ways.items():
            began = time.process_time()
            run(counts[name])
            seconds.setdefault(name, []).append((time.process_time() - began) / counts[name])
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def with_kernel(solver: Solver, kernel: Any) -> Callable[[int], None]:
    """Return what runs so many iterations of a solver with a kernel."""

    def run(count: int) -> None:
        with iterating_with(kernel):
            solver.run(count)

    return run


def passes_table(spots: list[str], rounds: int, folder: Path) -> Table:
    """Return what passes add to an iteration where they are done twice, with tables in float32."""
    kernels = {
        name: changed_kernel(twice(lines), folder, f"p{k}")
        for k, (name, lines) in enumerate(PASSES.items())
    }
    for kernel in kernels.values():
        with_kernel(solver_of(SMALL, "float32"), kernel)(1)  # compiled
    table = Table(
        "An iteration of one thread, and what a second time of each pass adds",
        ("spot", "iteration", *PASSES, "the rest"),
        notes=[
            "Processor seconds, medians of slices in turn. The rest: the iteration less what the passes add."
        ],
    )
    for spot in spots:
        solver = solver_of(_file(spot), "float32")
        ways = {"": solver.run} | {
            name: with_kernel(solver, kernel) for name, kernel in kernels.items()
        }
        taken = in_turn(ways, rounds)
        whole = taken.pop("")
        added = [each - whole for each in taken.values()]
        cells = [f"{1e3 * each:.3g} ms" for each in (*added, whole - sum(added))]
        table.rows.append([spot, duration(whole), *cells])
    return table


def precision_tables(
    spots: list[str], precisions: list[str], iterations: list[int], rounds: int, threads: int
) -> list[Table]:
    """Return the exploitability after some iterations, and the processor seconds of one, of each precision."""
    far = Table(
        "Exploitability in % of the pot", ("spot", "precision", *map("{:,}".format, iterations))
    )
    fast = Table(
        "Processor seconds of an iteration",
        ("spot", *precisions, *(f"{name} / {precisions[0]}" for name in precisions[1:])),
        notes=["Medians of slices in turn."],
    )
    for spot in spots:
        solvers = {name: solver_of(_file(spot), name, threads) for name in precisions}
        for name, solver in solvers.items():
            far.rows.append([spot, name, *exploitabilities(solver, iterations)])
        taken = in_turn({name: solver.run for name, solver in solvers.items()}, rounds)
        ratios = [f"{taken[name] / taken[precisions[0]]:.2f}" for name in precisions[1:]]
        fast.rows.append(
            [spot, *(f"{1e3 * seconds:.3g} ms" for seconds in taken.values()), *ratios]
        )
    return [far, fast]


def exploitabilities(solver: Solver, iterations: list[int]) -> list[str]:
    """Return the exploitability after so many iterations, in % of the pot, as texts."""
    assert solver.form is not None
    assert solver.form.pot is not None
    cells = []
    for count in iterations:
        solver.run(count - solver.iteration)
        cells.append(f"{100 * solver.values().exploitability / solver.form.pot:.5f}")
        print(f"  {solver.game_name[:40]}… {count:,} iterations: {cells[-1]} %", file=sys.stderr)
    return cells


def rounding_table(spots: list[str], iterations: list[int], folder: Path) -> Table:
    """Return the exploitability after some iterations with tables of integers that are rounded in other ways."""
    table = Table(
        "Exploitability in % of the pot, tables of 16 and 8 bits",
        ("spot", "rounding", *map("{:,}".format, iterations)),
    )
    for number, (name, tables) in enumerate(ROUNDINGS.items()):
        kernel = (
            changed_kernel(to_nearest(tables), folder, f"r{number}") if tables else card_cfr.iterate
        )
        with iterating_with(kernel):
            table.rows += [
                [spot, name, *exploitabilities(solver_of(_file(spot), "int16"), iterations)]
                for spot in spots
            ]
    table.rows.sort(key=lambda row: spots.index(row[0]))
    return table


def _file(spot: str) -> Path:
    """Return the file of a spot: one of the examples by its name, or a file."""
    example = FOLDER / f"{spot}.toml"
    return example if example.exists() else Path(spot)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__)
    names, numbers = (
        (lambda text: text.split(",")),
        (lambda text: [int(part) for part in text.split(",")]),
    )
    parser.add_argument(
        "--parts", type=names, default=list(PARTS), help=f"of {', '.join(PARTS)} (default: all)"
    )
    parser.add_argument(
        "--spots", type=names, default=["m-river", "m-turn"], help="names of spots, or spot files"
    )
    parser.add_argument(
        "--precision",
        type=names,
        default=list(PRECISIONS),
        help="precisions to compare (default all)",
    )
    parser.add_argument(
        "--iterations", type=numbers, default=[64, 256, 1024], help="default 64,256,1024"
    )
    parser.add_argument("--threads", type=int, default=1, help="of the part precision (default 1)")
    parser.add_argument(
        "--rounds", type=int, default=_ROUNDS, help=f"slices of each, in turn (default {_ROUNDS})"
    )
    return parser.parse_args()


def main() -> None:
    options = _options()
    tables: list[Table] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "passes" in options.parts:
            tables.append(passes_table(options.spots, options.rounds, folder))
        if "precision" in options.parts:
            settings = options.precision, options.iterations, options.rounds, options.threads
            tables += precision_tables(options.spots, *settings)
        if "rounding" in options.parts:
            tables.append(rounding_table(options.spots, options.iterations, folder))
    publish(tables, options, machine=describe(), results={})


if __name__ == "__main__":
    main()
