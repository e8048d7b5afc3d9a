"""Seconds of solving until the exploitability is at most 1e-2, 1e-3, 1e-4, 1e-6: every algorithm on every game.

Exploitability is nash_conv / players, of the average strategy, exact. A run is looked at whenever its iterations have
grown by 5 %; the seconds are those that iterating to the number so found takes in a run without looks (certificates
and compiling not included). An algorithm that is a schedule over a planned number of iterations is run to its end for
10, 30, 100, 300, … planned iterations, and the first plan whose end is good enough counts.
Below a millisecond most of the time is Python's, between the compiled calls: compare the iterations there.

    python -m benchmarks.quality
    python -m benchmarks.quality --game kuhn --game "leduc(ranks=4)" --algorithm dcfr --seconds 5
    python -m benchmarks.quality --json run.json, then --read run.json --plot picture.svg
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import equilibrist as eq

from .machine import NONE, Table, arguments, describe, duration, pin_to_one_core, publish, times

THRESHOLDS = (1e-2, 1e-3, 1e-4, 1e-6)
GAMES = ("kuhn", "leduc", "liars_dice(faces=4)", "liars_dice", "goofspiel(cards=4)", "goofspiel(cards=5)")
MORE_GAMES = (
    "kuhn(cards=13)",
    "leduc(merge_suits=False)",
    "liars_dice(wild_biddable=False)",
    "rps",
    "biased_rps",
    "matching_pennies",
    "blotto",
)
LANDMARKS = {  # known from elsewhere: the game, the exploitability, what is known
    "leduc(merge_suits=False)": (4.65e-4, "OpenSpiel's C++ CFR: 1000 s on its authors' machine"),
    "liars_dice": (1.55e-4, "wanted: under 1 s"),
}


class Cell(NamedTuple):
    """What it took to get down to a threshold."""

    seconds: float
    iterations: int


class Point(NamedTuple):
    """Where a run was at some time."""

    seconds: float
    exploitability: float


class Result(NamedTuple):
    """One algorithm on one game: a cell for each threshold (None: not reached), and the way down."""

    cells: list[Cell | None]
    curve: list[Point]


Results = dict[str, dict[str, Result]]  # game → algorithm → result


def measure(spec: str, algorithm: str, thresholds: Sequence[float], *, seconds: float) -> Result:
    """Return how long an algorithm takes to each threshold on a game, giving up after some seconds."""
    game = eq.compile_game(eq.load(spec))  # once for all runs
    if eq.ALGORITHMS[algorithm].needs_horizon:
        return _measure_planned(game, algorithm, thresholds, seconds=seconds)
    cells: list[Cell | None] = []
    solution: eq.Solution | None = None
    for threshold in thresholds:
        left = seconds - (solution.seconds["solve"] + solution.seconds["certify"] if solution else 0)
        if left > 0:
            solution = eq.solve(game, algorithm, until=threshold, seconds=left, resume=solution)
        reached = solution is not None and solution.exploitability <= threshold
        cells.append(_timed(game, algorithm, solution) if reached else None)
    return Result(cells, [Point(point.seconds, point.exploitability) for point in solution.trace])


def _timed(game: eq.SequenceForm, algorithm: str, solution: eq.Solution) -> Cell:
    """Return the iterations of a solution and the seconds that they take without looks, the best of a few if short."""
    done, spent = solution.iterations, solution.seconds["solve"]
    repeats = 0 if spent > 1 else 5 if spent < 0.1 else 1
    again = [eq.solve(game, algorithm, iterations=done).seconds["solve"] for _ in range(repeats)]
    return Cell(min([spent, *again]), done)


def _measure_planned(game: eq.SequenceForm, algorithm: str, thresholds: Sequence[float], *, seconds: float) -> Result:
    cells: list[Cell | None] = []
    curve: list[Point] = []
    for planned in _plans():
        solution = eq.solve(game, algorithm, iterations=planned)
        spent, end = solution.seconds["solve"], solution.exploitability
        curve.append(Point(spent, end))
        while len(cells) < len(thresholds) and end <= thresholds[len(cells)]:
            cells.append(_timed(game, algorithm, solution))
        if len(cells) == len(thresholds) or 3.3 * spent > seconds:
            return Result(cells + [None] * (len(thresholds) - len(cells)), curve)
    raise AssertionError


def _plans() -> Iterator[int]:
    for power in count(1):
        yield 10**power
        yield 3 * 10**power


def cells_table(game: str, results: dict[str, Result], thresholds: Sequence[float]) -> Table:
    """Return the table of one game: a row for each algorithm, the fastest of each column bold."""
    best = [_best(results, column) for column in range(len(thresholds))]
    rows = []
    for algorithm, result in results.items():
        texts = [
            NONE if cell is None else f"{_bold(duration(cell.seconds), cell.seconds == fastest)} ({cell.iterations:,})"
            for cell, fastest in zip(result.cells, best, strict=True)
        ]
        rows.append([algorithm, *texts])
    columns = ("", *(f"{threshold:g}" for threshold in thresholds))
    return Table(f"{game}: time (iterations) to an exploitability of", columns, rows)


def _best(results: dict[str, Result], column: int) -> float | None:
    reached = [result.cells[column] for result in results.values()]
    return min((cell.seconds for cell in reached if cell is not None), default=None)


def _bold(text: str, yes: bool) -> str:
    return f"**{text}**" if yes else text


def _at_once(results: dict[str, Result], column: int) -> bool:
    """Whether some algorithm is there after one iteration, as where uniform play is the equilibrium: no contest."""
    return any(result.cells[column] is not None and result.cells[column].iterations == 1 for result in results.values())


def summary_table(all_results: Results, *, seconds: float) -> Table:
    """Return how much slower each algorithm is than the best of each cell: geometric means over all cells."""
    rows = []
    algorithms = list(next(iter(all_results.values())))
    for algorithm in algorithms:
        reached, bounds = [], []
        for results in all_results.values():
            for column, cell in enumerate(results[algorithm].cells):
                best = _best(results, column)
                if best is not None and not _at_once(results, column):
                    bounds.append((seconds if cell is None else cell.seconds) / best)
                    reached += [] if cell is None else [cell.seconds / best]
        rows.append((_geometric_mean(bounds), algorithm, reached, len(bounds)))
    rows.sort()
    return Table(
        "Slower than the fastest of each cell by (geometric means; 1 would be the fastest everywhere)",
        ("", "all cells, at least", "cells it reached", "reached", "worst cell", "fastest in"),
        [
            [
                algorithm,
                times(bound),
                times(_geometric_mean(reached)) if reached else NONE,
                f"{len(reached)} of {cells}",
                times(max(reached)) if reached else NONE,
                str(sum(ratio == 1 for ratio in reached)),
            ]
            for bound, algorithm, reached, cells in rows
        ],
        [
            f"A cell not reached counts as the {seconds:g} s after which it was given up: the true mean is higher. "
            "Left out: cells that nothing reached within that time, and games solved by their first iteration."
        ],
    )


def _geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def landmark_table(all_results: Results) -> Table:
    """Return the time of each algorithm to exploitabilities that are known from elsewhere."""
    games = list(all_results)
    columns = [f"{game} to {LANDMARKS[game][0]:g}" for game in games]
    cells = {game: cells_table(game, all_results[game], LANDMARKS[game][:1]).rows for game in games}
    rows = [[row[0], *(cells[game][i][1] for game in games)] for i, row in enumerate(cells[games[0]])]
    notes = [f"{column}: {LANDMARKS[game][1]}." for column, game in zip(columns, games, strict=True)]
    return Table("Landmarks: time (iterations)", ("", *columns), rows, notes)


def plot(all_results: Results, path: Path) -> None:
    """Draw exploitability against seconds, a panel a game and a line an algorithm, the heaviest the default one."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    # Okabe and Ito's colours, told apart by the colour-blind too; dashes where a colour comes again.
    colours = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000")
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    default = eq.solve("kuhn", iterations=1).algorithm
    columns = min(3, len(all_results))
    height = math.ceil(len(all_results) / columns)
    figure, axes = plt.subplots(
        height, columns, figsize=(9.4, 2.7 * height + 0.6), sharey=True, squeeze=False, layout="constrained"
    )
    for axis in axes.flat[len(all_results) :]:
        axis.remove()
    for axis, (game, results) in zip(axes.flat, all_results.items(), strict=False):
        for i, (algorithm, result) in enumerate(results.items()):
            x, y = zip(*result.curve, strict=True)
            planned = eq.ALGORITHMS[algorithm].needs_horizon
            axis.plot(
                x,
                y,
                ":" if planned else "-" if i < len(colours) else "--",
                color=colours[i % len(colours)],
                label=algorithm,
                linewidth=2.6 if algorithm == default else 1.3,
                marker="." if planned else None,
            )
        axis.set(xscale="log", yscale="log", title=game)
        axis.set_ylim(3e-7, 3)
        axis.minorticks_off()
        axis.grid(color="#dddddd", lw=0.5)
    for axis in axes[:, 0]:
        axis.set_ylabel("exploitability")
    for axis in axes.flat[len(all_results) - columns : len(all_results)]:
        axis.set_xlabel("seconds of solving, one core")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels) // 2 + len(labels) % 2, frameon=False)
    figure.savefig(path, dpi=100)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="only this game, any that eq.load takes (may be repeated)")
    parser.add_argument("--all", action="store_true", help="the remaining built-in games as well")
    parser.add_argument("--algorithm", choices=eq.ALGORITHMS, action="append", help="only this one (may be repeated)")
    parser.add_argument("--seconds", type=float, default=20, help="when to give up on an algorithm (default 20)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves: .svg, .png or .pdf (Matplotlib)")
    parser.add_argument("--read", type=Path, metavar="FILE", help="measure nothing, read what --json wrote")
    return parser.parse_args()


def _measure_all(targets: dict[str, Sequence[float]], algorithms: Sequence[str], *, seconds: float) -> Results:
    def row(game: str, algorithm: str) -> Result:
        print(f"{game}, {algorithm}", file=sys.stderr)
        return measure(game, algorithm, targets[game], seconds=seconds)

    return {game: {algorithm: row(game, algorithm) for algorithm in algorithms} for game in targets}


def main() -> None:
    options = _options()
    if options.read:
        saved = json.loads(options.read.read_text())
        machine, seconds = saved["machine"], saved["results"]["seconds"]
        results, landmarks = _parsed(saved["results"]["games"]), _parsed(saved["results"]["landmarks"])
    else:
        pin_to_one_core()
        machine, seconds = describe(), options.seconds
        algorithms = options.algorithm or list(eq.ALGORITHMS)
        games = options.game or [*GAMES, *(MORE_GAMES if options.all else ())]
        results = _measure_all(dict.fromkeys(games, THRESHOLDS), algorithms, seconds=seconds)
        known = {} if options.game else {game: [threshold] for game, (threshold, _) in LANDMARKS.items()}
        landmarks = _measure_all(known, algorithms, seconds=seconds)
    tables = [cells_table(game, rows, THRESHOLDS) for game, rows in results.items()]
    tables.append(summary_table(results, seconds=seconds))
    if landmarks:
        tables.append(landmark_table(landmarks))
    publish(tables, options, machine=machine, results={"seconds": seconds, "games": results, "landmarks": landmarks})
    if options.plot:
        plot({game: results[game] for game in options.game or GAMES}, options.plot)


def _parsed(games: dict[str, dict[str, list[list]]]) -> Results:
    return {
        game: {
            algorithm: Result([cell and Cell(*cell) for cell in cells], [Point(*point) for point in curve])
            for algorithm, (cells, curve) in rows.items()
        }
        for game, rows in games.items()
    }


if __name__ == "__main__":
    main()
