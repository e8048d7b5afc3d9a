"""Monte Carlo CFR against OpenSpiel's C++ solvers: same game, same scheme, same process, one core.

An iteration is one traversal for either player. First the time of an iteration, the two taking turns; then how good
the average strategy is after the same seconds on the same core.

    python -m benchmarks.sampling
    python -m benchmarks.sampling --game kuhn_poker --scheme outcome --seconds 2
    python -m benchmarks.sampling --batches          # what batches and threads change, on liar's dice
"""

from __future__ import annotations

import contextlib
import statistics
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import equilibrist as eq

from .machine import NONE, Table, arguments, describe, duration, pin_to_one_core, publish, times
from .race import Contender, Stepped, race, ratio

GAMES = ("kuhn_poker", "leduc_poker", "liars_dice")
SCHEMES = ("external", "outcome")
BATCHES = (1, 16, 256, 4096)
_CHECK = 1000  # iterations before anything is timed, so that tables are warm


class Equilibrist:
    """Ours, through the public interface: ``seconds["solve"]`` is the time spent iterating."""

    def __init__(self, game: str, scheme: str, seed: int = 0) -> None:
        self.game = eq.compile_game(eq.load(f"openspiel:{game}"), keep_tree=True)
        self.options: dict[str, Any] = {"algorithm": "cfr", "sampling": scheme, "seed": seed}
        self.solution: eq.Solution | None = None

    def run(self, iterations: int) -> float:
        before = self.solution
        done, spent = (before.iterations, before.seconds["solve"]) if before else (0, 0.0)
        self.solution = eq.solve(
            self.game, iterations=done + iterations, resume=before, **self.options
        )
        return self.solution.seconds["solve"] - spent

    def nash_conv(self) -> float:
        assert self.solution is not None
        assert self.solution.final.is_certified
        return self.solution.nash_conv


class OpenSpiel(Stepped):
    """``ExternalSamplingMCCFRSolver`` and ``OutcomeSamplingMCCFRSolver``, in C++."""

    def __init__(self, game: str, scheme: str) -> None:
        import pyspiel

        self.form = eq.compile_game(eq.load(f"openspiel:{game}"))
        make = {
            "external": pyspiel.ExternalSamplingMCCFRSolver,
            "outcome": pyspiel.OutcomeSamplingMCCFRSolver,
        }[scheme]
        self.solver = make(pyspiel.load_game(game))
        self.step = self.solver.run_iteration

    def nash_conv(self) -> float:
        """Return what our referee says of their average, which is uniform where they have never been."""
        import pyspiel

        policy, table = self.solver.average_policy(), {}
        for player, key, actions in self.form.infosets:
            with contextlib.suppress(pyspiel.SpielError):  # raised for an infoset that was not met
                played = [probability for _, probability in sorted(policy.get_state_policy(key))]
                table[player, key] = dict(zip(actions, played, strict=True))
        return eq.evaluate(self.form, table, missing="uniform").nash_conv


CONTENDERS: dict[str, Callable[[str, str], Contender]] = {
    "Equilibrist": Equilibrist,
    "OpenSpiel": OpenSpiel,
}


def quality(game: str, scheme: str, *, seconds: float, entries: dict[str, Any]) -> dict[str, float]:
    """Return nash_conv of each contender after the same seconds of iterating on the same core."""
    result = {}
    for name, make in CONTENDERS.items():
        if "seconds" in entries[name]:
            print(f"  {name}, for {seconds:g} s", file=sys.stderr)
            contender, spent = make(game, scheme), 0.0
            slice_ = max(1, int(0.05 * seconds / statistics.median(entries[name]["seconds"])))
            while spent < seconds:
                spent += contender.run(slice_)
            result[name] = contender.nash_conv()
    return result


def batches(*, seconds: float) -> Table:
    """Return what batches and threads change: histories a second, and nash_conv after as many histories."""
    form = eq.compile_game(eq.load("liars_dice"), keep_tree=True)
    table = Table(
        "External sampling in batches, liar's dice",
        (
            "batch",
            "threads",
            "histories/s",
            "faster",
            "nash_conv after the same histories",
            "worse",
        ),
    )
    first: eq.Solution | None = None
    for batch in BATCHES:
        for threads in (1, 2) if batch > 1 else (1,):
            options: dict[str, Any] = {"sampling": f"external(batch={batch})", "threads": threads}
            nodes = first.nodes_touched if first is not None else None
            run = eq.solve(
                form,
                "cfr",
                limits=eq.Limits(nodes=nodes),
                seconds=None if nodes else seconds,
                **options,
            )
            first = first or run
            rate, base = (one.nodes_touched / one.seconds["solve"] for one in (run, first))
            assert run.final.is_certified
            assert first.final.is_certified
            table.rows.append(
                [
                    str(batch),
                    str(threads),
                    f"{rate / 1e6:.1f} M",
                    times(rate / base),
                    f"{run.nash_conv:.4f}",
                    times(run.nash_conv / first.nash_conv),
                ]
            )
    return table


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument(
        "--game", choices=GAMES, action="append", help="only this game (may be repeated)"
    )
    parser.add_argument(
        "--scheme", choices=SCHEMES, action="append", help="only this one (may be repeated)"
    )
    parser.add_argument(
        "--rounds", type=int, default=5, help="turns that each contender takes (default 5)"
    )
    parser.add_argument("--slice", type=float, default=0.5, help="seconds of a turn (default 0.5)")
    parser.add_argument(
        "--seconds",
        type=float,
        default=10.0,
        help="seconds before nash_conv is compared (default 10)",
    )
    parser.add_argument(
        "--batches", action="store_true", help="compare batches and threads instead"
    )
    options = parser.parse_args()
    if options.batches:
        publish([batches(seconds=options.seconds)], options, machine=describe(), results={})
        return
    pinned = pin_to_one_core()
    results: dict[tuple[str, str], dict[str, Any]] = {}
    for game in options.game or GAMES:
        for scheme in options.scheme or SCHEMES:
            print(f"{game}, {scheme}", file=sys.stderr)
            makes = {name: partial(make, game, scheme) for name, make in CONTENDERS.items()}
            entries = race(makes, check=_CHECK, rounds=options.rounds, slice_=options.slice)
            reached = quality(game, scheme, seconds=options.seconds, entries=entries)
            results[game, scheme] = {"entries": entries, "nash_conv": reached}
    skipped = {
        entry["skipped"]
        for result in results.values()
        for entry in result["entries"].values()
        if "skipped" in entry
    }
    table = Table(
        f"Time per iteration of both players: median; and nash_conv after {options.seconds:g} s of iterating",
        ("game", "sampling", *CONTENDERS, "faster", *(f"{name}: nash_conv" for name in CONTENDERS)),
        [_row(*key, **result) for key, result in results.items()],
        [f"{options.rounds} rounds, taking turns in one process. {pinned}", *sorted(skipped)],
    )
    publish(
        [table],
        options,
        machine=describe("open_spiel"),
        results={" ".join(key): result for key, result in results.items()},
    )


def _row(
    game: str, scheme: str, *, entries: dict[str, Any], nash_conv: dict[str, float]
) -> list[str]:
    timing = [
        duration(
            statistics.median(entries[name]["seconds"]) if "seconds" in entries[name] else None
        )
        for name in CONTENDERS
    ]
    reached = [f"{nash_conv[name]:.5f}" if name in nash_conv else NONE for name in CONTENDERS]
    return [game, scheme, *timing, times(ratio(entries, "OpenSpiel")), *reached]


if __name__ == "__main__":
    main()
