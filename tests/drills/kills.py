"""Kill processes that save while they run, by SIGKILL, SIGINT or SIGTERM; see that the chain ends as a whole run does.

    python tests/drills/kills.py                                every kind, 10 kills and 2 signals each
    python tests/drills/kills.py --kind walked --kills 30 --signals 6 --seed 7
    python tests/drills/kills.py --every 3 --first 1            a third of the kinds: those of number 1, 4, 7, ...

``kill.py`` drills the points at which files change; this one kills what really runs. A process saves every 20 ms and
is killed at a random moment after its first save: only what met a living process that had saved is counted. The next
one goes on with ``resume=`` **and** ``save=`` (a batch and a report with the same call), so that later kills meet saves
as well. In the end the last one is left alone, and must come to the tables of a run that was never disturbed.

``job``, ``library`` and ``play`` of ``served.py`` are servers: one whose job saves, one whose library is written to,
and one at which hands are played.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, Protocol

import equilibrist as eq

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
from drills.saving import PATIENCE, Met, has_saved, leftovers, newest, save_often, tables
from drills.served import SERVED, draw_signal

FORK = get_context("fork")
RUNS: dict[str, dict[str, Any]] = {
    "full": {"game": "leduc(ranks=5)", "algorithm": "cfr", "iterations": 12000},
    "sampled": {
        "game": "dark_hex(size=2)",
        "sampling": "external(tree=False)",
        "seed": 2,
        "until": 0.0007,
    },
    "dear": {
        "game": "phantom_ttt(rows=2, columns=3)",
        "sampling": "external(tree=False)",
        "seed": 3,
        "until": 0.006,
    },
    "walked": {
        "game": "phantom_ttt(rows=2, columns=3)",
        "algorithm": "cfr",
        "form": "walk",
        "until": 0.03,
    },
    "preflop": {"game": "push_fold(stack=10)", "algorithm": "cfr", "iterations": 3000},
}
"""Keywords of ``solve``: each runs for some seconds."""
STUDY = {
    "game": "leduc(ranks=5)",
    "iterations": 1500,
    "vary": {"algorithm": ["cfr", "dcfr", "cfr+"], "seeds": 1},
}
TURN = (
    "holdem(board='2s3h4d6c', oop='AA,QQ,77,T9s', ip='KK,22,JTs,A5s', "
    "pot=20, stack=60, bets='50%,100%,a')"
)
RIVERS = [f"2s3h4d6c{rank}{suit}" for rank in "789TJK" for suit in "sh"]
BLUEPRINT = "leduc(ranks=5)"


def solve(folder: Path, options: dict[str, Any]) -> bool:
    """Solve a game, or go on with what is saved; return whether the run has come to its end."""
    if (folder / "checkpoint.npz").exists():
        limits = {name: options[name] for name in ("iterations", "until") if name in options}
        solution = eq.solve(resume=folder, save=folder, **limits)
    else:
        solution = eq.solve(**options, save=folder)
    return solution.stop_reason in ("until", "iterations")


def batch(folder: Path) -> bool:
    """Solve a study, or what is left of it."""
    return eq.batch(STUDY, save=folder).finished


def aggregate(folder: Path) -> bool:
    """Solve the rivers of a turn, or those that are left."""
    report = eq.poker.board_report(TURN, RIVERS, save=folder, until="0.0005%")
    return {row["board"] for row in report.rows()} == {*RIVERS}


def splice(folder: Path) -> bool:
    """Solve a part of a game again, into the folder of a run that is made before."""
    blueprint = folder.parent / "blueprint"
    if not (blueprint / "checkpoint.npz").exists():
        eq.solve(BLUEPRINT, "cfr", iterations=50, save=blueprint)
    again = {"resume": folder} if (folder / "checkpoint.npz").exists() else {}
    part = eq.resolve(blueprint, "Tr", player=1, iterations=30000, save=folder, **again)
    return part.stop_reason == "iterations"


PROGRAMS: dict[str, Callable[[Path], bool]] = {
    **{name: partial(solve, options=options) for name, options in RUNS.items()},
    "batch": batch,
    "aggregate": aggregate,
    "splice": splice,
}


class Kind(Protocol):
    """A kind of processes that are killed."""

    def whole(self, place: Path) -> Any:
        """Return what an undisturbed one comes to, in an empty folder."""

    def drill(self, goal: Met, dice: random.Random, place: Path, whole: Any) -> Met:
        """Kill a chain of processes in an empty folder until one is left alone; return what met them."""


UNFINISHED = 9  # the exit code of a program that was asked to end, and has ended in order


class Program:
    """A program that saves to a folder, and goes on from what is there when it is started again."""

    def __init__(self, name: str, program: Callable[[Path], bool]) -> None:
        self.name = name
        self.program = program

    def start(self, folder: Path) -> ForkProcess:
        """Start a process: a copy of this one, which has imported all that it needs."""
        process = FORK.Process(target=self.run, args=(folder,))
        process.start()
        return process

    def run(self, folder: Path) -> None:
        """Carry out the program, in a group of its own; what it tells goes to a file beside the folder."""
        os.setsid()
        file = os.open(folder.with_name("told"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        try:
            finished = self.program(folder)
        except KeyboardInterrupt:  # while nothing is computed that could be kept
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        sys.exit(0 if finished else UNFINISHED)

    def told(self, folder: Path) -> str:
        """Return the end of what the last process has told."""
        return folder.with_name("told").read_text()[-1000:]

    def end(self, folder: Path) -> Any:
        """Leave a process alone until it has ended, and return the tables."""
        process = self.start(folder)
        process.join(10 * PATIENCE)
        assert process.exitcode == 0, (self.name, process.exitcode, self.told(folder))
        return tables(folder)

    def whole(self, place: Path) -> Any:
        return self.end(place / "run")

    def drill(self, goal: Met, dice: random.Random, place: Path, whole: Any) -> Met:
        """Chain killed processes until one is left alone; return what met one that had saved.

        A signal ends a process in order, with all that it has computed; so its exit code says that it was met.
        """
        folder = place / "run"
        met = Met()
        while not met.is_enough(goal):
            before = newest(folder)
            process = self.start(folder)
            if not has_saved(folder, process.is_alive, before):
                process.join()
                met = met.plus(Met(late=1))
                break  # the chain is over
            sender = draw_signal(met, goal, dice)
            time.sleep(dice.expovariate(8.0))
            if process.is_alive():
                os.killpg(process.pid, sender)
            process.join(PATIENCE)
            code = process.exitcode
            if code == 0:
                met = met.plus(Met(late=1))
                break
            if sender == signal.SIGKILL:
                assert code == -signal.SIGKILL, (self.name, code, self.told(folder))
                met = met.plus(Met(kills=1))
            else:
                ordered = (UNFINISHED, -signal.SIGINT, -signal.SIGTERM)
                assert code in ordered, (self.name, code, self.told(folder))
                met = met.plus(Met(signals=1))
        assert self.end(folder) == whole, f"{self.name}: the chain has come to other tables"
        assert not leftovers(folder), leftovers(folder)
        return met


KINDS: dict[str, Kind] = {name: Program(name, program) for name, program in PROGRAMS.items()}
KINDS |= SERVED


def drill_kind(kind: Kind, goal: Met, seconds: float, dice: random.Random, place: Path) -> str:
    """Kill chains of processes until enough have been met; return a sentence with the counts."""
    undisturbed = place / "whole"
    undisturbed.mkdir()
    whole = kind.whole(undisturbed)
    met = Met()
    chains = 0
    end = time.monotonic() + seconds
    while not met.is_enough(goal) and (chains == 0 or time.monotonic() < end):
        chain = place / f"chain {chains}"
        chain.mkdir()
        rest = Met(goal.kills - met.kills, goal.signals - met.signals)
        met = met.plus(kind.drill(rest, dice, chain, whole))
        chains += 1
    return (
        f"{met.kills} kills and {met.signals} signals met a process that had saved, "
        f"in {chains} chains ({met.late} came too late): the same tables"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--kind", choices=KINDS, action="append", help="only this one; may be repeated"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth kind only")
    parser.add_argument(
        "--first", type=int, default=0, metavar="K", help="from kind K on, counted from 0"
    )
    parser.add_argument("--kills", type=int, default=10, help="of each kind")
    parser.add_argument("--signals", type=int, default=2, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds",
        type=float,
        default=float("inf"),
        help="of each kind: after so many no other chain begins",
    )
    asked = parser.parse_args()
    save_often()
    goal = Met(asked.kills, asked.signals)
    failures = 0
    for name in (asked.kind or list(KINDS))[asked.first :: asked.every]:
        dice = random.Random(f"{asked.seed} {name}")
        with tempfile.TemporaryDirectory() as place:
            try:
                counts = drill_kind(KINDS[name], goal, asked.seconds, dice, Path(place))
                print(f"{name}: {counts}", flush=True)
            except AssertionError as error:
                failures += 1
                print(f"FAILED: {name}: {error}", file=sys.stderr, flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
