"""A blueprint of heads-up no-limit hold'em: trained in buckets, and how much a local best response takes from it.

    python -m benchmarks.blueprint
    python -m benchmarks.blueprint --iterations 16000 --hands 200 --save blueprint

20 big blinds, two sizes, 100 buckets on each street after the flop: by external sampling without a tree, 256 samples
for each player an iteration. A stage is an eighth, a quarter, a half and all of the iterations. After each, local best
responses to the blueprint play so many hands in both seats; after the last one also against the blueprint that solves
rivers again. Both meet the same deals, so that the difference is told with the standard error of the pairs. In matches
the last blueprint plays those before it, and itself with rivers solved again. All is in thousandths of a big blind a
hand, the same on any machine but for the seconds.
"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import equilibrist as eq
from equilibrist.poker.nlhe.responses import earn

from .machine import Table, arguments, describe, duration, publish

GAME = "nlhe(stack=20, sizes='50%, 100%')"
STAGES = (8, 4, 2, 1)
"""A stage is the iterations divided by this."""
MILLI = 1000.0


def bound(earned: np.ndarray) -> tuple[float, float]:
    """Return the mean of what both responders earn of each deal, and its standard error; big blinds."""
    of_deals = earned.mean(axis=1)
    return float(of_deals.mean()), float(of_deals.std(ddof=1) / np.sqrt(len(of_deals)))


def write_bound(earned: np.ndarray) -> str:
    """Return a bound with its standard error, in thousandths of a big blind."""
    return write_mean(*bound(earned))


def write_mean(mean: float, error: float | None) -> str:
    """Return a mean with its standard error, in thousandths of a big blind."""
    return f"{MILLI * mean:.0f} ± {MILLI * (error or 0):.0f}"


def play_matches(
    players: dict[str, eq.poker.Blueprint], last: eq.poker.Blueprint, hands: int
) -> Table:
    """Return what each player wins of the last blueprint, raw and with luck taken out."""
    table = Table(
        f"Matches against the last blueprint, {hands:,} deals in both seats",
        ["player", "wins", "with luck taken out", "worth in raw hands"],
    )
    for name, player in players.items():
        won = player.play_match(last, hands=hands).overall
        assert won.aivat is not None
        cells = [write_mean(part.mean, part.standard_error) for part in (won, won.aivat)]
        table.rows.append([name, *cells, f"{won.worth or 0:,.0f}"])
    return table


def main() -> None:
    """Print the table."""
    parser = arguments(__doc__)
    parser.add_argument("--game", default=GAME, help=f"[{GAME}]")
    parser.add_argument("--buckets", type=int, default=100, help="a street [100]")
    parser.add_argument("--iterations", type=int, default=200_000, help="[200000]")
    parser.add_argument(
        "--hands", type=int, default=10_000, help="of responders and matches [10000]"
    )
    parser.add_argument("--searched", type=int, default=3000, help="of these against search [3000]")
    parser.add_argument("--threads", type=int, default=2, help="[2]")
    parser.add_argument("--save", type=Path, help="where the run is kept")
    options = parser.parse_args()

    start = time.perf_counter()
    count = options.buckets
    buckets = eq.Buckets(flop=count, turn=count, river=count)
    buckets.prepare(print)
    prepared = time.perf_counter() - start
    game = eq.abstract(options.game, buckets)
    table = Table(
        f"{options.game}, {count} buckets a street: what local best responses earn",
        ["iterations", "training", "thousandths of a big blind a hand"],
    )
    with TemporaryDirectory() as temporary:
        folder = options.save or Path(temporary) / "blueprint"
        trained = 0.0
        players = {}
        for share in STAGES:
            run = eq.solve(
                game,
                "lcfr",
                sampling="external(tree=False, batch=256)",
                iterations=options.iterations // share,
                threads=options.threads,
                resume=folder if folder.exists() else None,
                save=folder,
            )
            trained = run.seconds["solve"]
            blueprint = eq.poker.Blueprint(run, buckets)
            players[f"after {run.iterations:,} iterations"] = blueprint
            earned = earn(blueprint, hands=options.hands)
            table.rows.append([f"{run.iterations:,}", duration(trained), write_bound(earned)])
            print(*table.rows[-1], flush=True)
    few = earned[: options.searched]
    search = eq.poker.RiverSearch(blueprint)
    start = time.perf_counter()
    searched = earn(search, hands=options.searched)
    seconds = (time.perf_counter() - start) / max(len(search.log), 1)
    rivers = Table(
        f"The last blueprint on {options.searched:,} deals",
        ["player", "thousandths of a big blind a hand"],
    )
    rivers.rows += [
        ["blueprint", write_bound(few)],
        ["rivers solved again", write_bound(searched)],
        ["difference", write_bound(searched - few)],
    ]
    players.popitem()  # the last one, against itself
    matches = [
        play_matches(players, blueprint, options.hands),
        play_matches({"rivers solved again": search}, blueprint, options.searched),
    ]
    results = {
        "seconds for the buckets": prepared,
        "seconds of training": trained,
        "seconds a river": seconds,
        "rivers": len(search.log),
        "rivers that were not solved": sum(record.excess is None for record in search.log),
    }
    publish([table, rivers, *matches], options, machine=describe(), results=results)


if __name__ == "__main__":
    main()
