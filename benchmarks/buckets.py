"""What buckets cost: exploitability in the real game, by features, number of buckets, and whom players learn against.

    python -m benchmarks.buckets
    python -m benchmarks.buckets --game turns --boards 2 --buckets 5 20
    python -m benchmarks.buckets --game rhode_island --buckets 20

Ten rivers and ten turns of hold'em, and a Rhode Island hold'em with a smaller deck; where it is asked for, also the
whole game, of 52 cards and three raises, with fewer iterations, as one takes about a second. All hands of a player on
all boards of a street share so many buckets. All numbers are exact and the same on any machine: a mean over boards, in
% of the pot at the start (of the antes). *Both*: both players learn in the abstraction; *least*: each learns against an
opponent in the real game, which leads to the least exploitable strategy. The last table counts the boards, and numbers
of buckets, at which one of two is less exploitable than the other.
"""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import equilibrist as eq
from equilibrist.games.compile import compile_any

from .machine import Table, arguments, describe, publish

BOARDS = (
    "Td9d6hQc2s",
    "AsKd7h4c9d",
    "8h8c3sJdKs",
    "Qs9s4s2h7d",
    "7c6d5h2sTc",
    "KhTd3c3hAd",
    "Js8d2c5hQh",
    "AcTc5d8c2h",
    "9h7h6c4dAs",
    "6s4h2dKc8s",
)
"""Rivers; turns are their first four cards. Dry and wet, paired and suited."""
WIDE = "22+,A2s+,ATo+,K9s+,KTo+,QTo+,JTo,T9s,98s,87s,76s,65s,54s"
NARROW = "TT-77,AQs-ATs,A5s,A4s,KQs,KJs,QJs,JTs,T9s,98s,87s"
ISLAND = "rhode_island(ranks=5, raises=1)"
WHOLE_ISLAND = "rhode_island"
ISLAND_ANTES = 10.0  # chips
FEATURES = ("equity", "histogram", "potential", "ochs")
OPPONENTS = {"both": "abstracted", "least": "unabstracted"}
BUCKETS = (5, 20)
KINDS = ("rivers", "turns", "island")


class Spots(NamedTuple):
    """Games that are measured together: their texts, the features that differ there, iterations of a run."""

    games: Sequence[str]
    features: Sequence[str]
    iterations: int


def choose_spots(kind: str, boards: int) -> Spots:
    """Return the games of a kind; on a river the equity is all that a distribution over run-outs says."""
    if kind == "rivers":
        games = [_river(board) for board in BOARDS[:boards]]
        return Spots(games, ("equity", "ochs"), 500)
    if kind == "turns":
        games = [_turn(board[:8]) for board in BOARDS[:boards]]
        return Spots(games, FEATURES, 100)
    if kind == WHOLE_ISLAND:
        return Spots([WHOLE_ISLAND], FEATURES, 50)
    return Spots([ISLAND], FEATURES, 200)


def _river(board: str) -> str:
    return (
        f"holdem(board='{board}', oop='{WIDE}', ip='{WIDE}', pot=100, stack=200, bets='75%, a; a')"
    )


def _turn(board: str) -> str:
    return (
        f"holdem(board='{board}', oop='{NARROW}', ip='{NARROW}', pot=100, stack=200, bets='75%; a')"
    )


Cells = dict[tuple[str, int, str], list[float]]
"""Exploitability, % of the pot, by features, buckets and opponents: a number for each game."""


def measure(
    spots: Spots, counts: Sequence[int], *, algorithm: str, kind: str, processes: int
) -> Cells:
    """Return the exploitability of each abstraction of each game, the games in processes side by side."""
    measure_here = partial(_measure_game, spots=spots, counts=counts, algorithm=algorithm)
    cells: Cells = {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        for number, of_game in enumerate(pool.map(measure_here, spots.games)):
            for key, value in of_game.items():
                cells.setdefault(key, []).append(value)
            print(f"{kind}: {number + 1} of {len(spots.games)}", flush=True)
    return cells


def _measure_game(
    game: str, *, spots: Spots, counts: Sequence[int], algorithm: str
) -> dict[tuple[str, int, str], float]:
    """Return the exploitability of each abstraction of a game."""
    form = compile_any(game)
    pot = form.pot or ISLAND_ANTES
    ends = {}
    for features, count, (title, opponent) in itertools.product(
        spots.features, counts, OPPONENTS.items()
    ):
        buckets = eq.Buckets(count, count, count, count, features=features)
        abstract = eq.abstract(form, buckets, opponent=opponent)
        run = eq.solve(abstract, algorithm, iterations=spots.iterations)
        ends[features, count, title] = 100 * run.exploitability / pot
        print(
            f"{game}: {features}, {count}, {title}: {ends[features, count, title]:.2f}", flush=True
        )
    return ends


def tabulate(kind: str, spots: Spots, counts: Sequence[int], cells: Cells) -> Table:
    """Return the table of means over games."""
    columns = [f"{count}, {title}" for count in counts for title in OPPONENTS]
    table = Table(f"{kind}, {len(spots.games)} of them: exploitability, %", ["features", *columns])
    for features in spots.features:
        means = [
            sum(cells[features, count, title]) / len(cells[features, count, title])
            for count in counts
            for title in OPPONENTS
        ]
        table.rows.append([features, *(f"{mean:.2f}" for mean in means)])
    return table


def compare(kind: str, spots: Spots, counts: Sequence[int], cells: Cells) -> list[list[str]]:
    """Return rows that say on how many games and numbers of buckets one of two is less exploitable."""
    rows = []
    for features in spots.features[1:]:
        for title in OPPONENTS:
            pairs = [
                pair
                for count in counts
                for pair in zip(
                    cells[features, count, title], cells["equity", count, title], strict=True
                )
            ]
            rows.append([kind, f"{features} below equity, {title}", _count_lower(pairs)])
    pairs = [
        pair
        for features in spots.features
        for count in counts
        for pair in zip(
            cells[features, count, "least"], cells[features, count, "both"], strict=True
        )
    ]
    rows.append([kind, "least below both", _count_lower(pairs)])
    return rows


def _count_lower(pairs: list[tuple[float, float]]) -> str:
    lower = sum(first < second for first, second in pairs)
    return f"{lower} of {len(pairs)}"


def main() -> None:
    """Print the tables."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--game", choices=(*KINDS, WHOLE_ISLAND), help=f"one kind alone [{', '.join(KINDS)}]"
    )
    parser.add_argument("--boards", type=int, default=len(BOARDS), help="rivers and turns [10]")
    parser.add_argument("--buckets", type=int, nargs="+", default=BUCKETS, help="a street [5 20]")
    parser.add_argument("--algorithm", default="dcfr", help="of each run [dcfr]")
    parser.add_argument("--processes", type=int, default=2, help="side by side [2]")
    options = parser.parse_args()
    kinds = KINDS if options.game is None else (options.game,)
    tables = []
    results: dict[str, object] = {}
    orders = Table("Which is less exploitable", ["games", "order", "holds"])
    for kind in kinds:
        spots = choose_spots(kind, options.boards)
        cells = measure(
            spots,
            options.buckets,
            algorithm=options.algorithm,
            kind=kind,
            processes=options.processes,
        )
        tables.append(tabulate(kind, spots, options.buckets, cells))
        orders.rows += compare(kind, spots, options.buckets, cells)
        results[kind] = {", ".join(map(str, key)): values for key, values in cells.items()}
    publish([*tables, orders], options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
