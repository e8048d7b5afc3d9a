"""What a rule in NumPy, and the same rule compiled, cost beside the same algorithm that is built in.

    python -m benchmarks.rules                     # the table of docs/rules.md

Each iteration plays the same. They run in turn, three times; the least seconds of each count.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import equilibrist as eq

from .machine import Table, arguments, describe, publish

RULES = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "rules.py"))["BUILT_IN"]
GAMES = ("kuhn", "leduc", "liars_dice(faces=4)", "liars_dice")
ALGORITHMS = ("cfr", "dcfr", "pdcfr+")
ROUNDS = 3


def seconds_each(game: Any, iterations: int, **how: Any) -> float:
    """Return the seconds of an iteration."""
    return eq.solve(game, iterations=iterations, **how).seconds["solve"] / iterations


def microseconds(seconds: float) -> str:
    """Return a time in microseconds, with one decimal where it is short."""
    time = 1e6 * seconds
    decimals = 1 if time < 10 else 0
    return f"{time:,.{decimals}f}"


def row(game: str, algorithm: str, iterations: int) -> list[str]:
    """Return the microseconds of an iteration built in, as a rule, and as a compiled rule, and their ratios."""
    compiled = eq.compile_game(eq.load(game))
    kind = RULES[algorithm]
    compiled_kind = eq.compiled_rule(type(kind.__name__, (kind,), {}))
    seconds_each(compiled, 1, rule=compiled_kind())  # the compiler's
    built_in = []
    ruled = []
    machine_code = []
    for _ in range(ROUNDS):
        built_in.append(seconds_each(compiled, iterations, algorithm=algorithm))
        ruled.append(seconds_each(compiled, iterations, rule=kind()))
        machine_code.append(seconds_each(compiled, iterations, rule=compiled_kind()))
    return [
        game,
        algorithm,
        microseconds(min(built_in)),
        microseconds(min(ruled)),
        f"{min(ruled) / min(built_in):.1f}",
        microseconds(min(machine_code)),
        f"{min(machine_code) / min(built_in):.1f}",
    ]


def main() -> None:
    """Measure, and print the table."""
    parser = arguments(__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--algorithms", nargs="+", default=ALGORITHMS)
    parser.add_argument("--iterations", type=int, default=10_000)
    asked = parser.parse_args()
    table = Table(
        "A rule in NumPy, and compiled",
        [
            "game",
            "algorithm",
            "built in, µs an iteration",
            "rule, µs",
            "ratio",
            "compiled, µs",
            "ratio",
        ],
        [
            row(game, algorithm, asked.iterations)
            for game in asked.games
            for algorithm in asked.algorithms
        ],
    )
    publish([table], asked, machine=describe(), results={})


if __name__ == "__main__":
    main()
