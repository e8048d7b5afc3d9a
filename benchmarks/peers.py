"""Time per iteration against OpenSpiel (C++) and LiteEFG: same game, same algorithm, same process, one core.

An iteration updates both players, one after the other, and adds to the average strategy. Before anything is timed,
all contenders run the same number of iterations and the nash_conv of their average strategies is compared: equal
numbers mean that the same algorithm is being timed. Then they take turns, a slice of time each, for several rounds.

    python -m benchmarks.peers
    python -m benchmarks.peers --algorithm cfr --game kuhn_poker --rounds 9
"""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import equilibrist as eq

from .machine import NONE, Table, arguments, describe, duration, pin_to_one_core, publish, times
from .race import Contender, Stepped, race, ratio

GAMES = {  # what pyspiel loads, by a short name, and the iterations after which nash_conv is compared
    "kuhn_poker": ("kuhn_poker", 100),
    "leduc_poker": ("leduc_poker", 32),
    "liars_dice": ("liars_dice", 5),
    "goofspiel-4": (
        "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending))",
        50,
    ),
}
ALGORITHMS = ("cfr", "cfr+")
AGREE = 1e-6


class Equilibrist:
    """Ours, through the public interface: ``seconds["solve"]`` is the time spent iterating."""

    def __init__(self, game: str, algorithm: str) -> None:
        self.game = eq.compile_game(eq.load(f"openspiel:{game}"))
        self.algorithm = algorithm
        self.solution: eq.Solution | None = None

    def run(self, iterations: int) -> float:
        before = self.solution
        done, spent = (before.iterations, before.seconds["solve"]) if before else (0, 0.0)
        self.solution = eq.solve(
            self.game, self.algorithm, iterations=done + iterations, resume=before
        )
        return self.solution.seconds["solve"] - spent

    def nash_conv(self) -> float:
        assert self.solution is not None
        return self.solution.nash_conv


class OpenSpiel(Stepped):
    """``CFRSolver`` and ``CFRPlusSolver``, in C++; both alternate, and CFR+ averages linearly."""

    def __init__(self, game: str, algorithm: str) -> None:
        import pyspiel

        self.game = pyspiel.load_game(game)
        make = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}[algorithm]
        self.solver = make(self.game)
        self.step = self.solver.evaluate_and_update_policy

    def nash_conv(self) -> float:
        import pyspiel

        return float(pyspiel.nash_conv(self.game, self.solver.average_policy()))


class LiteEFG(Stepped):
    """The computation graphs of ``LiteEFG.baselines``, driven so that they compute what the others do.

    Their own loops differ in two ways that change the result, not the work: the CFR baseline updates both players
    at once, and ``update_strategy``, which adds to the averages, is called after the update, when the strategy is
    already that of the next iteration. Here players are updated in turn, and the strategy is added before.
    """

    def __init__(self, game: str, algorithm: str) -> None:
        with _quiet(), _home_elsewhere():
            import LiteEFG
            import pyspiel
            from LiteEFG.baselines import CFR, CFRplus

            LiteEFG.set_threads(1)
            self.env = LiteEFG.OpenSpielEnv(pyspiel.load_game(game))
            self.graph = {"cfr": CFR, "cfr+": CFRplus}[algorithm].graph()
            self.env.set_graph(self.graph)
        self.average = {"cfr": "avg-iterate", "cfr+": "linear-avg-iterate"}[algorithm]

    def step(self) -> None:
        strategy = self.graph.strategy
        self.env.update_strategy(strategy)
        self.env.update(strategy, upd_player=1)
        self.env.update(strategy, upd_player=2)

    def nash_conv(self) -> float:
        return float(sum(self.env.exploitability(self.graph.strategy, self.average)))


CONTENDERS: dict[str, Callable[[str, str], Contender]] = {
    "Equilibrist": Equilibrist,
    "OpenSpiel": OpenSpiel,
    "LiteEFG": LiteEFG,
}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Swallow the banners that LiteEFG prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


@contextlib.contextmanager
def _home_elsewhere() -> Iterator[None]:
    """Let LiteEFG write its game files, which go to the home directory, to a temporary one."""
    home = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        try:
            yield
        finally:
            if home is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = home


def compare(game: str, algorithm: str, *, rounds: int, slice_: float) -> dict[str, Any]:
    """Return, for each contender, nash_conv after the same iterations and the seconds of an iteration in each round."""
    spec, check = GAMES[game]
    print(f"{game}, {algorithm}", file=sys.stderr)
    makes = {name: partial(make, spec, algorithm) for name, make in CONTENDERS.items()}
    return race(makes, check=check, rounds=rounds, slice_=slice_)


def _row(game: str, algorithm: str, entries: dict[str, Any]) -> list[str]:
    def timing(name: str) -> str:
        seconds = entries[name].get("seconds")
        return (
            f"{duration(statistics.median(seconds))} ({duration(min(seconds))})"
            if seconds
            else NONE
        )

    ratios = (times(ratio(entries, peer)) for peer in ("OpenSpiel", "LiteEFG"))
    return [game, algorithm, *map(timing, CONTENDERS), *ratios]


def _agreement(game: str, algorithm: str, entries: dict[str, Any]) -> list[str]:
    ours = entries["Equilibrist"]["nash_conv"]
    cells = [game, algorithm, str(entries["Equilibrist"]["check"])]
    for name in CONTENDERS:
        theirs = entries[name].get("nash_conv")
        mark = "" if theirs is None or abs(theirs - ours) <= AGREE else " (differs)"
        cells.append(NONE if theirs is None else f"{theirs:.9f}{mark}")
    return cells


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument(
        "--game", choices=GAMES, action="append", help="only this game (may be repeated)"
    )
    parser.add_argument(
        "--algorithm", choices=ALGORITHMS, action="append", help="only this one (may be repeated)"
    )
    parser.add_argument(
        "--rounds", type=int, default=5, help="turns that each contender takes (default 5)"
    )
    parser.add_argument(
        "--slice",
        type=float,
        default=0.5,
        help="seconds of a turn (default 0.5; two iterations at least)",
    )
    options = parser.parse_args()
    pinned = pin_to_one_core()
    results = {
        (game, algorithm): compare(game, algorithm, rounds=options.rounds, slice_=options.slice)
        for game in options.game or GAMES
        for algorithm in options.algorithm or ALGORITHMS
    }
    skipped = {
        entry["skipped"]
        for entries in results.values()
        for entry in entries.values()
        if "skipped" in entry
    }
    speed = Table(
        "Time per iteration: median (minimum)",
        ("game", "algorithm", *CONTENDERS, "vs OpenSpiel", "vs LiteEFG"),
        [_row(*key, entries) for key, entries in results.items()],
        [
            f"One iteration updates both players, in turn. {options.rounds} rounds, contenders taking turns in one "
            f"process; ratios are of medians. {pinned}",
            *sorted(skipped),
        ],
    )
    agreement = Table(
        f"nash_conv of the average strategy after the same iterations (must agree to {AGREE:g})",
        ("game", "algorithm", "iterations", *CONTENDERS),
        [_agreement(*key, entries) for key, entries in results.items()],
    )
    publish(
        [speed, agreement],
        options,
        machine=describe("open_spiel", "LiteEFG"),
        results={
            " ".join(key): {
                **entries,
                "ratio": {peer: ratio(entries, peer) for peer in ("OpenSpiel", "LiteEFG")},
            }
            for key, entries in results.items()
        },
    )
    if any("(differs)" in cell for row in agreement.rows for cell in row):
        sys.exit("Some average strategies differ: their times are not comparable.")


if __name__ == "__main__":
    main()
