"""Public states: the games they bring within reach, what an iteration costs in either form, and how payoffs are made.

    python -m benchmarks.public                       # all parts; --long also goes to a nash_conv of 0.001
    python -m benchmarks.public --parts reach --dice 2 1 --algorithm dcfr+
    python -m benchmarks.public --parts forms --game "kuhn(cards=300)"
    python -m benchmarks.public --picture docs/kuhn-continuous.svg

*reach*: Bluff(2,2), Kuhn poker with 1,000 cards and Leduc with 52, each solved in a process of its own. *values*: the
same iterations in both forms, next to known values. *forms*: compile and iterate in both forms. *endings*: a showdown
by matrix and by sorted hands. *quantal*: iterations of quantal responses. *precision*: float64 beside float32. With
``--picture`` alone nothing is timed: it draws the value of Kuhn poker against the size of the deck.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import equilibrist as eq
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cfr.quantal import QuantalResponse
from equilibrist.cfr.regret_matching import REGRET_MATCHING
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.form.public.form import PublicForm
from equilibrist.form.public.terminal import payoffs as terminal_payoffs
from equilibrist.game.public import public_game

from .machine import (
    NONE,
    Table,
    arguments,
    batch_size,
    batches,
    describe,
    duration,
    fresh_process,
    memory,
    pin_to_one_core,
    publish,
    timed,
    times,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = ("reach", "values", "forms", "endings", "quantal", "precision")
ORDERS = ("face", "quantity")
LANDMARKS = (  # what is solved besides Bluff: the game, and the nash_convs to get down to
    ("kuhn(cards=1000)", (1e-6,)),
    ("leduc(ranks=13, suits=4)", (2e-4, 1e-4)),
    ("leduc(ranks=13, suits=4, merge_suits=False)", (2e-4,)),
)
VALUES = (  # the game, and its value as far as it is known
    ("liars_dice(wild_biddable=False)", Fraction(-7, 327)),
    ("liars_dice(wild_biddable=False, order='face')", Fraction(0)),
    ("liars_dice(dice=(2, 1), wild_biddable=False)", None),
    ("liars_dice(dice=(2, 1), wild_biddable=False, order='face')", None),
)
GAMES = (
    "kuhn",
    "kuhn(cards=13)",
    "kuhn(cards=100)",
    "kuhn(cards=300)",
    "kuhn(cards=600)",
    "leduc",
    "leduc(merge_suits=False)",
    "leduc(ranks=13, suits=4)",
    "leduc(ranks=13, suits=4, merge_suits=False)",
    "liars_dice",
    "liars_dice(dice=(2, 1), wild_biddable=False, order='face')",
)
HANDS = (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 200)
SHOWDOWNS = (
    *(f"kuhn(cards={hands})" for hands in HANDS),
    "leduc(ranks=13, suits=2, merge_suits=False)",
    "leduc(ranks=13, suits=4, merge_suits=False)",
)
QUANTAL = (
    "leduc",
    "leduc(ranks=13, suits=4, merge_suits=False)",
    "liars_dice",
    "liars_dice(dice=(2, 1), wild_biddable=False, order='face')",
    "kuhn(cards=100)",
    "kuhn(cards=1000)",
)
PRECISION = (  # the game, and the iterations after which its certificate is computed
    ("liars_dice", (256, 1024, 4096)),
    ("leduc(ranks=13, suits=4, merge_suits=False)", (256, 1024, 4096)),
    ("kuhn(cards=1000)", (256, 1024, 4096)),
    ("liars_dice(dice=(2, 1), wild_biddable=False, order='face')", (64, 256, 1024)),
)
CONTINUOUS = -1 / 18  # derived in docs/public-states.md
_ROUNDS = 21


def solve_here(
    *,
    game: str,
    nash_conv: float | None,
    iterations: int | None,
    began: float,
    save: bool,
    **options: Any,
) -> dict[str, Any]:
    """Solve in this process; return what it took since the process was started at ``began``."""
    until = None if nash_conv is None else nash_conv / 2
    solution = eq.solve(
        game, until=until, iterations=iterations, limits=eq.Limits(histories=10**8), **options
    )
    result = {
        "wall": time.time() - began,
        "solve": solution.seconds["solve"],
        "certify": solution.seconds["certify"],
        "peak": memory("VmHWM"),
        "iterations": solution.iterations,
        "value": solution.value[0],
        "nash_conv": solution.nash_conv,
    }
    if save:
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            solution.save(folder)
            result["save"] = time.perf_counter() - start
            result["saved"] = sum(file.stat().st_size for file in Path(folder).iterdir())
    return result


def iterate_here(
    *, game: str, form: str, algorithm: str, threads: int, precision: str, pinned: bool, **_: Any
) -> dict[str, Any]:
    """Compile and iterate in this process; return what both take, kernels loaded before."""
    if pinned:
        pin_to_one_core()
    eq.solve("kuhn", iterations=1, form=form, precision=precision)
    rules = eq.load(game)
    row = eq.ALGORITHMS[algorithm]
    start = time.perf_counter()
    if form == "public":
        compiled = eq.compile_public(public_game(rules), check_names=False)
        build = time.perf_counter() - start
        solver: Any = PublicCFR(compiled, row, threads=threads, precision=precision)
    else:
        compiled = eq.compile_game(rules, limits=eq.Limits(histories=10**8))
        build = time.perf_counter() - start
        solver = SequenceCFR(compiled, row, precision=precision)
    each = statistics.median(batches(solver.run))
    return {"build": build, "each": each, "peak": memory("VmHWM"), "histories": compiled.histories}


HERE = {"solve": solve_here, "iterate": iterate_here}
elsewhere = partial(fresh_process, "benchmarks.public")


def short(spec: str) -> str:
    """Return a name that fits into a table."""
    if "wild_biddable=False" in spec:
        game = eq.load(spec)
        dice, order = game.settings["dice"], game.settings["order"]
        return f"Bluff({dice[0]},{dice[1]}) by {order}"
    return spec.replace("merge_suits=False", "unmerged")


def bluff(dice: Sequence[int], order: str) -> str:
    """Return the game: the highest face is wild and cannot be bid."""
    return f"liars_dice(dice=({dice[0]}, {dice[1]}), wild_biddable=False, order='{order}')"


def iterations_table(options: argparse.Namespace, results: dict[str, Any]) -> Table:
    """Return what it takes to build Bluff and to iterate once."""
    columns = [
        "game",
        "bids by",
        "tables",
        "built in",
        *(f"{n} thread{'s'[: n > 1]}" for n in options.threads),
    ]
    table = Table(
        f"An iteration of {options.algorithm} on public states, both players updated in turn",
        (*columns, "faster", "peak"),
        notes=[
            "Peak: of the whole process, with one thread. Faster: most threads against the fewest."
        ],
    )
    for order in ORDERS:
        for precision in PublicForm.precisions:
            found = [
                elsewhere(
                    "iterate",
                    game=bluff(options.dice, order),
                    form="public",
                    algorithm=options.algorithm,
                    threads=threads,
                    precision=precision,
                    pinned=False,
                )
                for threads in options.threads
            ]
            results[f"iteration {order} {precision}"] = dict(
                zip(options.threads, found, strict=True)
            )
            table.rows.append(
                [
                    f"Bluff({options.dice[0]},{options.dice[1]})",
                    order,
                    precision,
                    duration(statistics.median(one["build"] for one in found)),
                    *(duration(one["each"]) for one in found),
                    times(found[0]["each"] / found[-1]["each"]) if len(found) > 1 else NONE,
                    _gigabytes(found[0]["peak"]),
                ]
            )
    return table


def reach_table(options: argparse.Namespace, results: dict[str, Any]) -> Table:
    """Return what it takes from the start of the process to an answer, and to save it."""
    threads = max(options.threads)
    goals = (6e-2, 1e-2, *([1e-3] if options.long else []))
    targets = [
        (bluff(options.dice, order), goal, options.algorithm, threads)
        for order in ORDERS
        for goal in goals
    ]
    targets += [
        (game, goal, algorithm, 1)
        for game, goals in LANDMARKS
        for goal in goals
        for algorithm in _rows(options)
    ]
    table = Table(
        "From nothing to a nash_conv",
        (
            "game",
            "algorithm",
            "nash_conv",
            "iterations",
            "wall",
            "iterating",
            "certificates",
            "peak",
            "saved in",
            "size",
            "value",
        ),
        notes=[
            "Wall: the whole process, interpreter and kernels included, up to the strategy. Tables are "
            f"{options.precision}; Bluff is walked by {threads} threads, the others by one. nash_conv is in chips, or "
            "games won less games lost; the two antes of Leduc are 2 chips, so that 2e-4 is 1e-4 of that pot."
        ],
    )
    for game, goal, algorithm, count in targets:
        found = elsewhere(
            "solve",
            game=game,
            algorithm=algorithm,
            nash_conv=goal,
            iterations=None,
            form="public",
            threads=count,
            precision=options.precision,
            save=True,
        )
        results[f"{game} {algorithm} {goal:g}"] = found
        table.rows.append(
            [
                short(game),
                algorithm,
                f"{goal:g}",
                f"{found['iterations']:,}",
                duration(found["wall"]),
                duration(found["solve"]),
                duration(found["certify"]),
                _gigabytes(found["peak"]),
                duration(found["save"]),
                f"{found['saved'] / 1e6:,.3g} MB",
                f"{found['value']:.6f}",
            ]
        )
    return table


def _rows(options: argparse.Namespace) -> list[str]:
    """Return the algorithms that small games are solved with: the one asked for, and the default."""
    return list(dict.fromkeys([options.algorithm, "auto"]))


def values_table(options: argparse.Namespace, results: dict[str, Any]) -> Table:
    """Return values after the same iterations in both forms."""
    table = Table(
        f"Value to player 0 by {options.algorithm}, the same iterations in both forms",
        ("game", "iterations", "nash_conv", "public states", "sequence form", "apart", "known"),
    )
    for game, known in VALUES:
        job = {"game": game, "algorithm": options.algorithm, "save": False}
        public = elsewhere("solve", **job, form="public", nash_conv=1e-5, iterations=None)
        other = elsewhere(
            "solve", **job, form="sequence", nash_conv=None, iterations=public["iterations"]
        )
        results[game] = {"public": public, "sequence": other}
        table.rows.append(
            [
                short(game),
                f"{public['iterations']:,}",
                f"{public['nash_conv']:.2e}",
                f"{public['value']:.9f}",
                f"{other['value']:.9f}",
                f"{abs(public['value'] - other['value']):.1e}",
                NONE
                if known is None
                else str(known)
                if known.denominator == 1
                else f"{known} = {float(known):.9f}",
            ]
        )
    return table


def forms_table(options: argparse.Namespace, results: dict[str, Any]) -> Table:
    """Return what compiling and an iteration take in both forms, and when compiling every history pays."""
    table = Table(
        f"Both forms: compiled, and an iteration of {options.algorithm}",
        (
            "game",
            "histories",
            "compiled: sequence",
            "public",
            "iteration: sequence",
            "public",
            "public faster",
            "sequence ahead after",
        ),
        notes=[
            "One core. Sequence ahead after: so many iterations, or seconds of them, pay for the longer compilation."
        ],
    )
    for game in options.game or GAMES:
        found = {
            form: elsewhere(
                "iterate",
                game=game,
                form=form,
                algorithm=options.algorithm,
                threads=1,
                precision="float64",
                pinned=True,
            )
            for form in ("sequence", "public")
        }
        results[game] = found
        sequence, public = found["sequence"], found["public"]
        table.rows.append(
            [
                short(game),
                f"{sequence['histories']:,}",
                duration(sequence["build"]),
                duration(public["build"]),
                duration(sequence["each"]),
                duration(public["each"]),
                times(sequence["each"] / public["each"]),
                _ahead(sequence, public),
            ]
        )
    return table


def _ahead(sequence: dict[str, Any], public: dict[str, Any]) -> str:
    """Return the iterations after which the sequence form, compilation included, has taken less time."""
    gained, paid = public["each"] - sequence["each"], sequence["build"] - public["build"]
    if gained <= 0:
        return "never"
    if paid <= 0:
        return "at once"
    count = paid / gained
    return f"{math.ceil(count):,} ({duration(count * sequence['each'])})"


def endings_table(options: argparse.Namespace, results: dict[str, Any]) -> Table:
    """Return what an iteration takes with a showdown by matrix and by sorted hands, the two taking turns."""
    table = Table(
        f"An iteration of {options.algorithm} on public states, showdowns by matrix or by sorted hands",
        ("game", "hands of a player", "pairs", "matrix", "sorted", "sorted faster"),
        notes=[
            "Medians, one core, the two taking turns. "
            f"The library changes over at {terminal_payoffs._FEW_PAIRS:,} pairs."
        ],
    )
    kept = terminal_payoffs._FEW_PAIRS
    for game in options.game or SHOWDOWNS:
        runs: dict[str, Callable[[int], None]] = {}
        for name, few_pairs in (("matrix", 10**9), ("sorted", 0)):
            terminal_payoffs._FEW_PAIRS = few_pairs
            form = eq.compile_public(public_game(eq.load(game)), check_names=False)
            runs[name] = PublicCFR(form, eq.ALGORITHMS[options.algorithm]).run
        terminal_payoffs._FEW_PAIRS = kept
        hands = len(form.hands[0])
        results[game] = seconds = _in_turns(runs)
        matrix, by_rank = (statistics.median(seconds[name]) for name in runs)
        cells = [duration(matrix), duration(by_rank), times(matrix / by_rank)]
        table.rows.append([short(game), str(hands), f"{hands * len(form.hands[1]):,}", *cells])
    return table


def quantal_table(options: argparse.Namespace, results: dict[str, Any]) -> Table:
    """Return what an iteration of quantal responses takes beside one of the algorithm, all taking turns."""
    table = Table(
        f"An iteration on public states: {options.algorithm}, and quantal responses of both kinds",
        (
            "game",
            "hands of a player",
            options.algorithm,
            "qre",
            "dilated",
            "qre slower",
            "dilated slower",
        ),
        notes=[
            f"Time of the processor, one core, float64, the fastest of {_ROUNDS} rounds in which the three take turns."
        ],
    )
    for game in options.game or QUANTAL:
        form = eq.compile_public(public_game(eq.load(game)), check_names=False)
        responses = (QuantalResponse(form, 0.1, dilated=dilated) for dilated in (False, True))
        runs = {
            name: PublicCFR(form, eq.ALGORITHMS[options.algorithm], minimiser=minimiser).run
            for name, minimiser in zip(
                ("cfr", "qre", "dilated"), (REGRET_MATCHING, *responses), strict=True
            )
        }
        results[game] = seconds = _in_turns(runs, time.process_time)
        cfr, *slower = map(min, seconds.values())
        cells = [*map(duration, (cfr, *slower)), *(times(each / cfr) for each in slower)]
        table.rows.append([short(game), str(len(form.hands[0])), *cells])
    return table


def precision_table(options: argparse.Namespace, results: dict[str, Any]) -> Table:
    """Return what an iteration takes in either precision, in turn, and how far the exploitability falls."""
    table = Table(
        f"An iteration of {options.algorithm} on public states in float64 and in float32",
        ("game", "precision", "an iteration", "of float64", "nash_conv after iterations"),
        notes=[
            f"Time of the processor, one core, the fastest of {_ROUNDS} rounds in which the two take turns."
        ],
    )
    for game, marks in PRECISION:
        form = eq.compile_public(public_game(eq.load(game)), check_names=False)
        solvers = {
            kind: PublicCFR(form, eq.ALGORITHMS[options.algorithm], precision=kind)
            for kind in form.precisions
        }
        seconds = _in_turns(
            {kind: solver.run for kind, solver in solvers.items()}, time.process_time
        )
        results[game] = seconds
        for kind in solvers:
            solver, reached = PublicCFR(form, eq.ALGORITHMS[options.algorithm], precision=kind), []
            for mark in marks:
                solver.run(mark - solver.iteration)
                reached.append(f"{mark:,}: {solver.values().nash_conv:.2g}")
            fastest = min(seconds[kind])
            share = f"{fastest / min(seconds['float64']):.2f}"
            table.rows.append([short(game), kind, duration(fastest), share, ", ".join(reached)])
    return table


def _in_turns(
    runs: dict[str, Callable[[int], None]], clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Return seconds an iteration of several solvers that take turns."""
    counts = {name: batch_size(run) for name, run in runs.items()}
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(_ROUNDS):
        for name, run in runs.items():
            seconds[name].append(timed(run, counts[name], clock))
    return seconds


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:.2f} GB"


def draw(path: Path) -> None:
    """Draw the value of Kuhn poker against the number of cards, and that of the continuous game."""
    from equilibrist.plot.style import write_picture

    decks = sorted({*range(3, 31), *(round(10 ** (k / 14)) for k in range(21, 46)), 1000, 2000})
    values = []
    for cards in decks:
        solution = eq.solve(f"kuhn(cards={cards})", form="public", until=5e-7, seconds=60)
        values.append(solution.value[0])
        print(f"{cards:5,} cards: {values[-1]:.7f}, nash_conv {solution.nash_conv:.1e}")
    write_picture(partial(_values_of_decks, decks, values), path)


def _values_of_decks(decks: Sequence[int], values: Sequence[float], *, theme: str) -> Figure:
    from equilibrist.plot.style import COLUMN, make_figure, use_theme, write_title

    with use_theme(theme) as look:
        figure = make_figure(COLUMN, 3.9)
        axes = figure.subplots()
        axes.axhline(CONTINUOUS, color=look.colour(1), linewidth=1.8, zorder=1)
        axes.plot(decks, values, "o", color=look.colour(0), markersize=4, zorder=2)
        axes.plot(decks, values, color=look.colour(0), linewidth=0.7, alpha=0.45, zorder=1.5)
        axes.set_xscale("log")
        shown = (3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
        axes.set_xticks(shown, [f"{cards:,}" for cards in shown])
        axes.set_xticks([], minor=True)
        axes.set(xlabel="cards in the deck", ylabel="value to player 0, in antes")
        axes.grid(True, linewidth=0.7)
        axes.set_axisbelow(True)
        above: Any = {
            "textcoords": "offset points",
            "xytext": (0, 6),
            "ha": "right",
            "color": look.colour(1),
        }
        axes.annotate("hands uniform on [0, 1]: −1/18", (2000, CONTINUOUS), **above)
        axes.annotate("kuhn(cards=n)", (40, -0.0602), ha="left", va="top", color=look.colour(0))
        write_title(figure, "Kuhn poker with n cards", "", theme=look)
    return figure


TABLES: dict[str, Sequence[Callable[[argparse.Namespace, dict[str, Any]], Table]]] = {
    "reach": (iterations_table, reach_table),
    "values": (values_table,),
    "forms": (forms_table,),
    "endings": (endings_table,),
    "quantal": (quantal_table,),
    "precision": (precision_table,),
}


def _options() -> argparse.Namespace:
    rows = [name for name, row in eq.ALGORITHMS.items() if not row.needs_horizon]
    parser = arguments(__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, help="only these")
    parser.add_argument("--algorithm", choices=rows, default="dcfr", help="the row (default dcfr)")
    parser.add_argument(
        "--dice", nargs=2, type=int, default=(2, 2), help="the dice in Bluff (default 2 2)"
    )
    parser.add_argument(
        "--threads", nargs="+", type=int, default=(1, 2), help="numbers of threads (default 1 2)"
    )
    parser.add_argument(
        "--precision", choices=PublicForm.precisions, default="float64", help="of what is solved"
    )
    parser.add_argument(
        "--game",
        action="append",
        help="for forms, endings and quantal, only this game (may be repeated)",
    )
    parser.add_argument(
        "--long", action="store_true", help="Bluff down to a nash_conv of 0.001 as well"
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw values of Kuhn poker: .svg or .png"
    )
    parser.add_argument(
        "--here", metavar="JOB", help="do one job in this very process and print one JSON object"
    )
    return parser.parse_args()


def main() -> None:
    options = _options()
    if options.here:
        job = json.loads(options.here)
        print(json.dumps(HERE[job.pop("job")](**job)))
        return
    if options.picture:
        draw(options.picture)
    parts = options.parts or ([] if options.picture else PARTS)
    tables, results = [], {part: dict[str, Any]() for part in parts}
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    for precision in PublicForm.precisions if parts else ():
        eq.solve(
            "kuhn", form="public", precision=precision, iterations=1
        )  # Numba's cache is filled
    for part in parts:
        print(part, file=sys.stderr)
        if part in ("endings", "quantal", "precision"):
            pin_to_one_core()
        tables += [make(options, results[part]) for make in TABLES[part]]
        if cores is not None:
            os.sched_setaffinity(0, cores)
    if tables:
        publish(tables, options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
