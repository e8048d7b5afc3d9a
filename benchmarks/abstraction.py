"""Abstractions: what each costs for good, by linear programmes, and how far runs come.

    python -m benchmarks.abstraction
    python -m benchmarks.abstraction --iterations 10000 --algorithm dcfr

*First, second*: what a player loses for good who is bound to the abstraction, against an opponent who is not; payoff
per game. *Least*: their mean, the least exploitability of a strategy of the abstraction. The other columns are the
exploitability that runs end with, by whom players learn against. All numbers are exact and the same on any machine.
"""

from __future__ import annotations

import equilibrist as eq
from equilibrist.form.abstract.infoset_map import make_infoset_map

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
    results: dict[str, list[object]] = {}
    for game, name in ABSTRACTIONS:
        if options.game is not None and not game.startswith(options.game):
            continue
        row = measure(game, name, algorithm=options.algorithm, iterations=options.iterations)
        results[name] = row
        table.rows.append([f"{cell:.9f}" if isinstance(cell, float) else str(cell) for cell in row])
    publish([table], options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
