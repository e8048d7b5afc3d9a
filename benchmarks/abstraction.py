"""Abstractions: what each costs for good, by linear programmes, and how far runs come.

    python -m benchmarks.abstraction
    python -m benchmarks.abstraction --iterations 10000 --algorithm dcfr

*First, second*: what a player loses for good who is bound to the abstraction, against an opponent who is not; payoff
per game. *Least*: their mean, the least exploitability of a strategy of the abstraction. The other columns are the
exploitability that runs end with, by whom players learn against. All numbers are exact and the same on any machine.

A second table has what an iteration takes, in those of the game itself in the same form and precision: by the time of
the processor, the least of five batches.
"""

from __future__ import annotations

import time

import equilibrist as eq
from equilibrist.cfr.abstract_cfr import AbstractCFR
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.solver import Solver
from equilibrist.cfr.solvers import CPU, FULL_WIDTH
from equilibrist.form.abstract.infoset_map import make_infoset_map
from equilibrist.form.compiled_game import CompiledGame
from equilibrist.games.compile import compile_any

from .abstraction_lp import floors
from .machine import Table, arguments, describe, publish

FILE = "examples/abstractions/buckets.py"
RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA,KK,JJ,88,A5s,54s', ip='QJs,QTs,T9s,99,AQo,KQs', pot=100, "
    "stack=200, bets='100%; a')"
)
ABSTRACTIONS = (
    ("kuhn(cards=12)", "halves"),
    ("kuhn(cards=12)", "thirds"),
    ("kuhn(cards=12)", "quarters"),
    ("leduc", "jack_is_queen"),
    (RIVER, "hand_class"),
)
WIDE = (
    "holdem(board='Td9d6hQc2s', oop='22+,A2s+,ATo+,K2s+,KTo+,QTo+,AKs-54s', "
    "ip='22+,A2s+,ATo+,K2s+,KTo+,QTo+,AKs-54s', pot=100, stack=500, bets='33%, 75%, a; 60%, a')"
)
"""A river that is timed alone: one whose linear programme would take long."""
BATCH = 0.1  # seconds
OPPONENTS = ("abstracted", "unabstracted", "best_response")


def measure(game: str, name: str, *, algorithm: str, iterations: int) -> list[object]:
    """Return the row of an abstraction."""
    form = eq.compile_game(eq.load(game))
    games = {
        opponent: eq.abstract(form, f"{FILE}:{name}", opponent=opponent) for opponent in OPPONENTS
    }
    infoset_map = make_infoset_map(form, games["abstracted"].abstraction.source)
    buckets = infoset_map.bucket.tolist()
    number = {infoset[:2]: bucket for infoset, bucket in zip(form.infosets, buckets, strict=True)}
    lost = floors(form, lambda infoset: number[infoset[:2]])
    ends = [
        eq.solve(games[opponent], algorithm, iterations=iterations).exploitability
        for opponent in OPPONENTS
    ]
    title = game.partition("(")[0]
    sizes = f"{infoset_map.num_buckets} of {len(buckets)}"
    return [title, name, sizes, *lost, sum(lost) / 2, *ends]


def time_iteration(solver: Solver) -> float:
    """Return the seconds of the processor that an iteration takes."""
    solver.run(1)
    count = 1
    seconds = 0.0
    while seconds < BATCH:
        count *= 2
        before = time.process_time()
        solver.run(count)
        seconds = time.process_time() - before
    batches = [seconds]
    for _ in range(4):
        before = time.process_time()
        solver.run(count)
        batches.append(time.process_time() - before)
    return min(batches) / count


def measure_speed(form: CompiledGame, name: str, *, algorithm: str) -> list[float]:
    """Return what an iteration takes by whom players learn against, in those of the game itself."""
    chosen = find_algorithm(algorithm)
    plain = time_iteration(FULL_WIDTH[CPU, form.kind](form, chosen))
    ratios = []
    for opponent in OPPONENTS:
        abstraction = eq.abstract(form, f"{FILE}:{name}", opponent=opponent).abstraction
        solver = AbstractCFR(form, chosen, abstraction=abstraction)
        ratios.append(time_iteration(solver) / plain)
    return ratios


def main() -> None:
    """Print the table."""
    parser = arguments(__doc__)
    parser.add_argument("--iterations", type=int, default=3000, help="of each run [3000]")
    parser.add_argument("--algorithm", default="dcfr", help="of each run [dcfr]")
    parser.add_argument("--game", help="only abstractions of games whose name begins so")
    options = parser.parse_args()
    table = Table(
        f"What abstractions cost, and {options.iterations:,} iterations of {options.algorithm}",
        ["game", "map", "buckets", "first", "second", "least", *OPPONENTS],
    )
    speeds = Table(
        f"An iteration of {options.algorithm}, in those of the game itself",
        ["game", "map", "form", *OPPONENTS],
    )
    results: dict[str, list[object]] = {}
    for game, name in ABSTRACTIONS:
        if options.game is not None and not game.startswith(options.game):
            continue
        row = measure(game, name, algorithm=options.algorithm, iterations=options.iterations)
        results[name] = row
        table.rows.append([f"{cell:.9f}" if isinstance(cell, float) else str(cell) for cell in row])
    for game, name in (*ABSTRACTIONS, (WIDE, "hand_class")):
        if options.game is not None and not game.startswith(options.game):
            continue
        form = compile_any(game)
        ratios = measure_speed(form, name, algorithm=options.algorithm)
        title = f"{game.partition('(')[0]}, {form.num_infosets:,} infosets"
        speeds.rows.append([title, name, form.kind, *(f"{ratio:.1f}" for ratio in ratios)])
        results[f"{title}, {name}"] = [*ratios]
    publish([table, speeds], options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
