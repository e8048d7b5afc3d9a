"""Compiling a game: histories a second, bytes a history at the peak of memory, and what an iteration then takes.

Each game is compiled in a fresh process, after a small game has loaded all kernels. The peak is how far the resident
memory of the process rises above where it stood, the compiled game included (Linux says it exactly; elsewhere it is
the rise of the highest peak so far, which may be too low).

    python -m benchmarks.compiling
    python -m benchmarks.compiling --game "kuhn(cards=60)"
    python -m benchmarks.compiling --large

``--large`` takes goofspiel with seven cards (47,506,635 histories), which takes half a minute and 2 GB.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import Any

from .machine import Table, arguments, describe, duration, forget_peak, memory, publish

_OPENSPIEL_GOOFSPIEL = (
    "openspiel:turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=5,"
    "points_order=descending))"
)
GAMES = (
    "leduc",
    "leduc(merge_suits=False)",
    "liars_dice",
    "goofspiel(cards=5)",
    "goofspiel(cards=6)",
    "openspiel:leduc_poker",
    "openspiel:liars_dice",
    _OPENSPIEL_GOOFSPIEL,
)
LARGE = "goofspiel(cards=7)"
SHORT = {_OPENSPIEL_GOOFSPIEL: "openspiel: goofspiel-5"}
WANTED_COMPILED, WANTED_HISTORIES, WANTED_BYTES = 5_000_000, 100_000, 200
_FEW_HISTORIES = 100_000  # where fixed costs count for more
_ITERATING = 1.0  # seconds


def compile_here(spec: str) -> dict[str, Any]:
    """Compile a game in this process; return what it took."""
    import equilibrist as eq

    eq.compile_game(eq.load("kuhn"))
    game = eq.load(spec)
    forget_peak()
    before = memory("VmRSS")
    began = time.perf_counter()
    form = eq.compile_game(game, limits=eq.Limits(histories=10**9))
    seconds = time.perf_counter() - began
    return {
        "histories": form.histories,
        "infosets": len(form.infosets),
        "seconds": seconds,
        "bytes": memory("VmHWM") - before,
        "iteration": _iteration(form),
    }


def _iteration(form: Any) -> float:
    """Return the seconds that an iteration of `cfr+` takes, both players updated in turn: the median of many."""
    import equilibrist as eq
    from equilibrist.cfr.sequence_cfr import SequenceCFR

    solver = SequenceCFR(form, eq.ALGORITHMS["cfr+"])
    solver.run(1)
    count = max(1, round(1e-3 / (form.slots * 2e-9)))  # about a millisecond
    times = []
    end = time.perf_counter() + _ITERATING
    while len(times) < 3 or time.perf_counter() < end:
        began = time.perf_counter()
        solver.run(count)
        times.append((time.perf_counter() - began) / count)
    return statistics.median(times)


def measure(spec: str, *, repeats: int) -> dict[str, Any]:
    """Return the medians over several fresh processes."""
    print(SHORT.get(spec, spec), file=sys.stderr)
    command = [sys.executable, "-m", "benchmarks.compiling", "--here", spec]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for _ in range(repeats)
    ]
    return {
        **runs[0],
        **{
            name: statistics.median(run[name] for run in runs)
            for name in ("seconds", "bytes", "iteration")
        },
    }


def _row(spec: str, found: dict[str, Any]) -> list[str]:
    rate, size = found["histories"] / found["seconds"], found["bytes"] / found["histories"]
    large = found["histories"] >= _FEW_HISTORIES
    wanted = WANTED_COMPILED if large and not spec.startswith("openspiel:") else WANTED_HISTORIES
    return [
        SHORT.get(spec, spec),
        f"{found['histories']:,}",
        f"{found['infosets']:,}",
        duration(found["seconds"]),
        f"{rate:,.0f}" + ("" if rate >= wanted else " (!)"),
        f"{found['bytes'] / 2**20:.1f} MiB",
        f"{size:,.0f}" + ("" if size <= WANTED_BYTES or not large else " (!)"),
        duration(found["iteration"]),
    ]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument(
        "--game", action="append", help="only this game, any that eq.load takes (may be repeated)"
    )
    parser.add_argument(
        "--repeats", type=int, default=3, help="fresh processes a game; medians count (default 3)"
    )
    parser.add_argument(
        "--here", metavar="GAME", help="compile in this very process and print one JSON object"
    )
    parser.add_argument(
        "--large", action="store_true", help=f"only {LARGE}, unless other games are given too"
    )
    options = parser.parse_args()
    if options.here:
        print(json.dumps(compile_here(options.here)))
        return
    games = [*(options.game or []), *([LARGE] if options.large else [])] or GAMES
    results = {spec: measure(spec, repeats=options.repeats) for spec in games}
    table = Table(
        "Compiling a game",
        (
            "game",
            "histories",
            "infosets",
            "time",
            "histories/s",
            "peak",
            "bytes/history",
            "cfr+ iteration",
        ),
        [_row(spec, found) for spec, found in results.items()],
        [
            f"Median of {options.repeats} fresh processes. (!) marks less than {WANTED_HISTORIES:,} histories/s, or in "
            f"games of {_FEW_HISTORIES:,} or more, where fixed costs do not count: less than {WANTED_COMPILED:,} with "
            f"compiled rules, or more than {WANTED_BYTES} bytes a history."
        ],
    )
    publish([table], options, machine=describe("open_spiel"), results=results)


if __name__ == "__main__":
    main()
