"""Iterations, nodes and seconds until the exploitability is at most 1e-2, 1e-3, 1e-4, 1e-6.

Exploitability is nash_conv / players, of the average strategy, exact. There are two parts. The first counts: a run is
looked at whenever its iterations have grown by 5 %, and the iterations so found are the same on every machine, however
busy. An algorithm that is a schedule over a planned number of iterations is run to its end for 10, 30, 100, 300, …
planned iterations, and the first plan whose end is good enough counts. The second part takes the time of an iteration
of each algorithm on each game, the best of three runs of a tenth of a second or more, and multiplies; passes that are
pruned, of which no two cost the same, are run again by the clock. Compiling and certificates are not counted.

    python -m benchmarks.quality --json run.json --page docs/algorithms.md --plot docs/quality.svg      # both parts
    python -m benchmarks.quality --only iterations --json run.json            # the first part alone
    python -m benchmarks.quality --read run.json --page docs/algorithms.md    # the second alone, with what was counted
    python -m benchmarks.quality --game kuhn --game "leduc(ranks=4)" --algorithm dcfr
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import LogLocator

import equilibrist as eq
from equilibrist.plot.style import (
    COLUMN,
    label_sparsely,
    legend_below,
    make_figure,
    use_theme,
    write_picture,
)

from .machine import (
    NONE,
    Table,
    arguments,
    describe,
    duration,
    machine_line,
    mark,
    pin_to_one_core,
    publish,
    times,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THRESHOLDS = (1e-2, 1e-3, 1e-4, 1e-6)
KINDS = {
    "cards": ("kuhn", "kuhn(cards=13)", "leduc", "leduc(merge_suits=False)"),
    "dice": ("liars_dice(faces=4)", "liars_dice(wild_biddable=False, order='face')", "liars_dice"),
    "auctions": ("goofspiel(cards=4)", "goofspiel(cards=5)"),
    "matrices": ("biased_rps", "blotto"),
}
PRUNED_GAMES = ("leduc", "liars_dice", "liars_dice(dice=(2,1), wild_biddable=False, order='face')")
PRUNED_ALGORITHMS = ("cfr", "cfr+", "dcfr", "sapcfr+")
PRUNED_THRESHOLDS = THRESHOLDS[:3]
PRUNED = "full(pruning='zero-reach')"
MOST_ITERATIONS, MOST_NODES = 1_000_000, 2e10  # of a run in full, whichever is less
MOST_PRUNED = 3_000  # iterations of a run on public states, full or pruned
_COLOURS = 7  # before they come again, dashed

Counted = dict[str, Any]
"""``cells``: for each threshold [iterations, nodes touched] or None; ``curve``: [iteration, exploitability], …"""


def main() -> None:
    options = _options()
    saved = json.loads(options.read.read_text())["results"] if options.read else None
    games = options.game or [game for games in KINDS.values() for game in games]
    algorithms = options.algorithm or list(eq.ALGORITHMS)
    if saved is None:
        counted = {
            game: {name: _told(count_full, game, name) for name in algorithms} for game in games
        }
        pruned = {} if options.game else {game: _told(count_pruned, game) for game in PRUNED_GAMES}
    else:
        counted, pruned = saved["counted"], saved["pruned"]
    clock: dict[str, dict[str, float]] = {}
    if options.only != "iterations":
        pin_to_one_core()
        clock = {
            game: {name: _told(seconds_each, game, name) for name in rows}
            for game, rows in counted.items()
        }
        for game, rows in pruned.items():
            for name, cells in rows.items():
                cells["seconds"] = _told(seconds_pruned, game, name)
    parts = {
        "summary": [summary_table(counted, clock)]
        + ([summary_table(counted, {})] if clock else []),
        "pruning": [pruning_table(game, rows) for game, rows in pruned.items()],
        "cells": [cells_table(game, rows, clock.get(game)) for game, rows in counted.items()],
    }
    machine = describe()
    if options.page:
        fill(options.page, parts, machine)
    if options.plot:
        write_picture(partial(plot, counted, clock), options.plot)
    tables = [table for part in parts.values() for table in part]
    publish(
        tables,
        options,
        machine=machine,
        results={"counted": counted, "pruned": pruned, "clock": clock},
    )


def _told(measure: Any, *which: str) -> Any:
    print(measure.__name__, *which, file=sys.stderr)
    return measure(*which)


# --- Counting ---


def count_full(game: str, algorithm: str) -> Counted:
    """Return how many iterations an algorithm takes to each threshold, and the way down."""
    form = eq.compile_game(eq.load(game))
    most = int(min(MOST_ITERATIONS, MOST_NODES / (form.players * form.histories)))
    if eq.ALGORITHMS[algorithm].needs_horizon:
        return _count_planned(form, algorithm, most)
    return _count_down(form, algorithm, THRESHOLDS, most)


def count_pruned(game: str) -> dict[str, dict[str, Counted]]:
    """Return the same on public states, for full and for pruned passes of some algorithms."""
    form = eq.compile_public(eq.load(game).public_states())
    return {
        algorithm: {
            sampling: _count_down(
                form, algorithm, PRUNED_THRESHOLDS, MOST_PRUNED, sampling=sampling
            )
            for sampling in ("full", PRUNED)
        }
        for algorithm in PRUNED_ALGORITHMS
    }


def _count_down(
    form: Any, algorithm: str, thresholds: Any, most: int, *, sampling: str = "full"
) -> Counted:
    cells: list[list[float] | None] = []
    solution: eq.Solution | None = None
    for threshold in thresholds:
        if solution is None or solution.iterations < most:
            given = (
                {"algorithm": algorithm, "sampling": sampling}
                if solution is None
                else {"resume": solution}
            )
            solution = eq.solve(form, until=threshold, iterations=most, **given)
        reached = solution.exploitability <= threshold
        cells.append(
            [solution.iterations, solution.nodes_touched, solution.seconds["solve"]]
            if reached
            else None
        )
    return {
        "cells": cells,
        "curve": _thinned([[point.iteration, point.exploitability] for point in solution.trace]),
    }


def _count_planned(form: Any, algorithm: str, most: int) -> Counted:
    cells: list[list[float] | None] = []
    curve: list[list[float]] = []
    for planned in _plans():
        if planned > most or len(cells) == len(THRESHOLDS):
            return {"cells": cells + [None] * (len(THRESHOLDS) - len(cells)), "curve": curve}
        solution = eq.solve(form, algorithm, iterations=planned)
        curve.append([planned, solution.exploitability])
        while len(cells) < len(THRESHOLDS) and solution.exploitability <= THRESHOLDS[len(cells)]:
            cells.append([planned, solution.nodes_touched, solution.seconds["solve"]])
    raise AssertionError


def _plans() -> Iterator[int]:
    for power in count(1):
        yield 10**power
        yield 3 * 10**power


def _thinned(curve: list[list[float]]) -> list[list[float]]:
    kept = curve[:1]
    for point in curve:
        if point[0] >= 1.25 * kept[-1][0]:
            kept.append(point)
    return kept


# --- The clock ---


def seconds_each(game: str, algorithm: str) -> float:
    """Return the seconds of an iteration."""
    form, iterations = eq.compile_game(eq.load(game)), 64
    while (spent := eq.solve(form, algorithm, iterations=iterations).seconds["solve"]) < 0.1:
        iterations *= 4 if spent < 0.025 else 2
    again = [eq.solve(form, algorithm, iterations=iterations).seconds["solve"] for _ in range(2)]
    return min(spent, *again) / iterations


def seconds_pruned(game: str, algorithm: str) -> dict[str, list[float | None]]:
    """Return the seconds of full and of pruned passes to each threshold."""
    form = eq.compile_public(eq.load(game).public_states())
    found = {}
    for sampling in ("full", PRUNED):
        cells = _count_down(form, algorithm, PRUNED_THRESHOLDS, MOST_PRUNED, sampling=sampling)[
            "cells"
        ]
        found[sampling] = [None if cell is None else cell[2] for cell in cells]
    return found


# --- Tables ---


def cells_table(game: str, rows: dict[str, Counted], clock: dict[str, float] | None) -> Table:
    """Return the table of one game: a row for each algorithm, the fastest of each column bold."""
    body = []
    columns = range(len(THRESHOLDS))
    best = [
        min((cost for cost in _column(rows, clock, c).values() if cost is not None), default=None)
        for c in columns
    ]
    for algorithm, row in rows.items():
        cells = []
        for column in columns:
            cell, cost = row["cells"][column], _column(rows, clock, column)[algorithm]
            if cell is None or cost is None:
                cells.append(NONE)
                continue
            text = f"{cell[0]:,}" if clock is None else f"{cell[0]:,} ({duration(cost)})"
            cells.append(f"**{text}**" if cost == best[column] else text)
        body.append([algorithm, *cells])
    what = "iterations" if clock is None else "iterations (seconds)"
    return Table(
        f"{game}: {what} to an exploitability of", ("", *(f"{one:g}" for one in THRESHOLDS)), body
    )


def _column(
    rows: dict[str, Counted], clock: dict[str, float] | None, column: int
) -> dict[str, float | None]:
    """Return what each algorithm takes to a threshold: seconds, or iterations where no clock was read."""
    cells = {name: row["cells"][column] for name, row in rows.items()}
    each = dict.fromkeys(cells, 1.0) if clock is None else clock
    return {name: None if cell is None else cell[0] * each[name] for name, cell in cells.items()}


def summary_table(
    counted: dict[str, dict[str, Counted]], clock: dict[str, dict[str, float]]
) -> Table:
    """Return how many times what the best of each cell takes each algorithm does: geometric means by kind of game."""
    algorithms = list(next(iter(counted.values())))
    ratios: dict[str, dict[str, list[float]]] = {name: {} for name in algorithms}
    reached, first = dict.fromkeys(algorithms, 0), dict.fromkeys(algorithms, 0)
    cells = 0
    for game, rows in counted.items():
        kind = next((kind for kind, games in KINDS.items() if game in games), "others")
        for column in range(len(THRESHOLDS)):
            costs = _column(rows, clock.get(game), column)
            known = [cost for cost in costs.values() if cost is not None]
            if not known:
                continue
            cells += 1
            for name, cost in costs.items():
                last = rows[name]["curve"][-1][0] * (clock[game][name] if clock else 1.0)
                ratio = (last if cost is None else cost) / min(known)
                ratios[name].setdefault(kind, []).append(ratio)
                reached[name] += cost is not None
                first[name] += cost == min(known)
    kinds = list(next(iter(ratios.values())))
    body = []
    for name in algorithms:
        every = [ratio for found in ratios[name].values() for ratio in found]
        body.append(
            (
                _mean(every),
                [
                    name,
                    times(_mean(every)),
                    *(times(_mean(ratios[name][kind])) for kind in kinds),
                    f"{reached[name]} of {cells}",
                    str(first[name]),
                ],
            )
        )
    what = "seconds" if clock else "iterations"
    return Table(
        f"Times the {what} of the fastest of each cell (geometric means; 1 would be the fastest everywhere)",
        ("", "all games", *kinds, "reached", "fastest in"),
        [row for _, row in sorted(body)],
        [
            "A cell that was not reached counts as if the last iteration had reached it: the true mean is higher."
        ],
    )


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def pruning_table(game: str, rows: dict[str, dict[str, Any]]) -> Table:
    """Return what pruned passes over public states save: nodes, and seconds where they were measured."""
    body = []
    for algorithm, row in rows.items():
        for sampling, name in (("full", algorithm), (PRUNED, f"{algorithm}, pruned")):
            cells = []
            for column in range(len(PRUNED_THRESHOLDS)):
                cell = row[sampling]["cells"][column]
                text = NONE if cell is None else f"{cell[1]:.2g}".replace("e+0", "e")
                spent = row["seconds"][sampling][column] if "seconds" in row else None
                cells.append(text if spent is None else f"{text} ({duration(spent)})")
            body.append([name, *cells])
    what = (
        "nodes touched (seconds)"
        if any("seconds" in row for row in rows.values())
        else "nodes touched"
    )
    title = f"{game}, on public states: {what} to an exploitability of"
    return Table(title, ("", *(f"{one:g}" for one in PRUNED_THRESHOLDS)), body)


def fill(page: Path, parts: dict[str, list[Table]], machine: dict[str, str]) -> None:
    """Write the tables into a page, between the comments that name them."""
    text = page.read_text(encoding="utf-8")
    for part, tables in parts.items():
        body = "\n".join(table.markdown() for table in tables)
        pattern = rf"(<!-- begin {part} -->\n).*?(\n<!-- end {part} -->)"
        text = re.sub(
            pattern, lambda found, body=body: f"{found[1]}\n{body}{found[2]}", text, flags=re.DOTALL
        )
    versions = rf"\1{machine_line(machine)}\n{mark()}\2"
    page.write_text(
        re.sub(
            r"(<!-- begin machine -->\n).*?(\n<!-- end machine -->)",
            versions,
            text,
            flags=re.DOTALL,
        ),
        encoding="utf-8",
    )


# --- The picture ---


def plot(
    counted: dict[str, dict[str, Counted]],
    clock: dict[str, dict[str, float]],
    *,
    theme: str = "light",
) -> Figure:
    """Return exploitability against iterations, or seconds where they were measured: a panel a game."""
    default = eq.solve("kuhn", iterations=1).algorithm
    columns = min(3, len(counted))
    height = math.ceil(len(counted) / columns)
    with use_theme(theme) as look:
        figure = make_figure(COLUMN, 2.0 * height + 0.6)
        axes = figure.subplots(height, columns, sharey=True, squeeze=False)
        for axis in axes.flat[len(counted) :]:
            axis.remove()
        for axis, (game, rows) in zip(axes.flat, counted.items(), strict=False):
            for i, (algorithm, row) in enumerate(rows.items()):
                each = clock[game][algorithm] if clock else 1.0
                planned = eq.ALGORITHMS[algorithm].needs_horizon
                axis.plot(
                    [iteration * each for iteration, _ in row["curve"]],
                    [exploitability for _, exploitability in row["curve"]],
                    ":" if planned else "-" if i < _COLOURS else "--",
                    color=look.colour(i % _COLOURS),
                    label=algorithm,
                    linewidth=2.2 if algorithm == default else 1.1,
                    marker="." if planned else None,
                    markersize=4,
                )
            axis.set(xscale="log", yscale="log", ylim=(3e-7, 3))
            axis.set_title("\n".join(wrap(game, 32)), fontsize=8)
            axis.xaxis.set_major_locator(LogLocator(numticks=5))
            axis.minorticks_off()
            axis.grid(linewidth=0.5)
            label_sparsely(axis)
        for axis in axes[:, 0]:
            axis.set_ylabel("exploitability")
        for axis in axes.flat[max(0, len(counted) - columns) : len(counted)]:
            axis.set_xlabel("seconds of solving, one core" if clock else "iterations")
        legend_below(figure, *axes.flat[0].get_legend_handles_labels())
    return figure


def _options() -> argparse.Namespace:
    parser = arguments(__doc__)
    parser.add_argument(
        "--game", action="append", help="only this game, any that eq.load takes (may be repeated)"
    )
    parser.add_argument(
        "--algorithm",
        choices=eq.ALGORITHMS,
        action="append",
        help="only this one (may be repeated)",
    )
    parser.add_argument("--only", choices=["iterations"], help="count, and leave the clock out")
    parser.add_argument(
        "--read", type=Path, metavar="FILE", help="count nothing, read what --json wrote"
    )
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="write the tables into this page, at its marks"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the curves: .svg, .png or .pdf (Matplotlib)"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
