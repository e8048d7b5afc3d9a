"""What it costs to look: recording a run, explaining an iteration, playing a match, drawing a page.

python -m benchmarks.seeing
python -m benchmarks.seeing --game kuhn --repeats 3
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import equilibrist as eq

from .machine import Table, arguments, describe, duration, publish

GAME, ITERATIONS, HANDS = "leduc", 2_000, 1_000_000


def seconds_of(work: Callable[[], Any], repeats: int) -> float:
    """Return the median time of some runs, after one that loads and compiles what is needed."""
    work()
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def cases(game: str, folder: Path) -> dict[str, Callable[[], Any]]:
    """Return what is timed, by name."""
    form = eq.compile_game(eq.load(game), keep_tree=True)
    run = eq.solve(form, "cfr", iterations=ITERATIONS, record="all")
    recorded = eq.solve(game, "cfr", iterations=ITERATIONS, record="all")
    recording = eq.solve(
        form, "cfr", iterations=ITERATIONS, record=eq.Record("all", every=1)
    ).recording
    if recording is None:
        raise ValueError("a run that records has a recording")

    def solve(**options: Any) -> Callable[[], Any]:
        return lambda: eq.solve(form, "cfr", iterations=ITERATIONS, **options)

    many = f"{ITERATIONS:,} iterations of cfr"
    return {
        many: solve(),
        f"{many}, all infosets recorded at the checkpoints": solve(record="all"),
        f"{many}, all infosets recorded after each": solve(record=eq.Record("all", every=1)),
        f"that recording ({len(recording.iteration) * len(recording.strategy[0]):,} rows) to Arrow": recording.to_arrow,
        "explaining iteration 100 for the first deal of chance": lambda: explained(game),
        f"a match of {HANDS:,} hands": lambda: eq.play_match(
            game, run, against=run, hands=HANDS, seed=1
        ),
        "a page about the run, with all pictures twice": lambda: eq.write_report(
            recorded, folder / "page.html"
        ),
    }


def explained(game: str) -> eq.learn.Explanation:
    """Return the explanation of a deal that the rules have."""
    rules = eq.load(game)
    state, deal = rules.start(), []
    while rules.player(state) == eq.CHANCE:
        outcome = next(
            a
            for a, p in zip(rules.actions(state), rules.probabilities(state), strict=True)
            if p > 0
        )
        deal.append(rules.action_label(state, outcome))
        state = rules.next(state, outcome)
    return eq.learn.explain(game, iteration=100, deal=deal or None)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", default=GAME, help=f"a game with a tree (default {GAME})")
    parser.add_argument("--repeats", type=int, default=5, help="runs; medians count (default 5)")
    options = parser.parse_args()
    table = Table(f"What looking costs, on {options.game}", ("what", "time"))
    results: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for what, work in cases(options.game, Path(folder)).items():
            results[what] = seconds_of(work, options.repeats)
            table.rows.append([what, duration(results[what])])
    table.notes = ["Time: the median; the first four take a compiled game, the others compile it."]
    publish([table], options, machine=describe(), results={"seconds": results})


if __name__ == "__main__":
    main()
