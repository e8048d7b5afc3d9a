"""Values in fractions: how long they take, and how long Gambit's linear programme in fractions takes.

    python -m benchmarks.proofs                                    # the table of docs/proofs.md
    python -m benchmarks.proofs --games leduc "kuhn(cards=12)" --limit 60

Gambit (the extra ``gambit``; without it the column says so) gets the same game as a file, in a process of its own, and
is stopped after so many seconds. Larger games than one on which it was stopped are not tried.
"""

from __future__ import annotations

import importlib.util
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import equilibrist as eq

from .machine import Table, arguments, describe, duration, publish

GAMES = (
    "kuhn",
    "kuhn(cards=5)",
    "kuhn(cards=12)",
    "liars_dice(faces=2)",
    "liars_dice(faces=3)",
    "leduc",
    "liars_dice(faces=4)",
    "liars_dice(faces=5)",
    "goofspiel(cards=5)",
    "liars_dice",
    "goofspiel(cards=6)",
)
_GAMBIT = """
import sys, time
import pygambit
game = pygambit.read_efg(sys.argv[1])
began = time.perf_counter()
profile = pygambit.nash.lp_solve(game, rational=True).equilibria[0]
took = time.perf_counter() - began
print(took, profile.payoff(next(iter(game.players))))
"""
_STOPPED = "more than"
_LONGEST = 24  # characters of a fraction


def gambit_seconds(game: str, value: Fraction, limit: float) -> tuple[str, float | None]:
    """Return how long Gambit takes, in words and in seconds, and check that it finds the value."""
    if importlib.util.find_spec("pygambit") is None:
        return "not installed", None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        eq.write_efg(eq.load(game), path)
        command = [sys.executable, "-c", _GAMBIT, str(path)]
        try:
            ran = subprocess.run(
                command, capture_output=True, text=True, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            return f"{_STOPPED} {duration(limit)}", None
    if ran.returncode:
        return f"fails: {ran.stderr.strip().splitlines()[-1][:60]}", None
    seconds, gambit_value = ran.stdout.split()
    if Fraction(gambit_value) != value:
        raise ValueError(f"{game}: Gambit finds {gambit_value}, and we {value}")
    return duration(float(seconds)), float(seconds)


def rows(games: Sequence[str], limit: float) -> list[list[str]]:
    """Return of each game its value, and how long it takes from its rules, and Gambit from the game in memory."""
    table = []
    largest = math.inf  # histories of the smallest game on which Gambit was stopped
    for game in games:
        began = time.perf_counter()
        solution = eq.exact(game, rational=True)
        took = time.perf_counter() - began
        histories = solution.evaluation.histories
        value = solution.value[0]
        if histories < largest:
            peer, seconds = gambit_seconds(game, value, limit)
        else:
            peer, seconds = "not tried", None
        if peer.startswith(_STOPPED):
            largest = min(largest, histories)
        ratio = ""
        if seconds is not None:
            ratio = f"{seconds / took:.3g}"
        table.append([game, f"{histories:,}", _write(value), duration(took), peer, ratio])
    return table


def _write(value: Fraction) -> str:
    """Return a fraction as text, and one of many digits as a decimal."""
    text = str(value)
    if len(text) > _LONGEST:
        return f"{float(value):.10f}…"
    return text


def main() -> None:
    """Measure, and print the table."""
    parser = arguments(__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for Gambit")
    asked = parser.parse_args()
    eq.exact("rps", rational=True)  # what is compiled is compiled
    table = Table(
        "Values in fractions",
        ["game", "histories", "value to player 0", "Equilibrist", "Gambit", "ratio"],
        rows(asked.games, asked.limit),
    )
    publish([table], asked, machine=describe(), results={})


if __name__ == "__main__":
    main()
