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
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
from drills.saving import OFTEN, PATIENCE, Met, has_saved, leftovers, newest, tables
from drills.served import SERVED, draw_signal

WALKED = "dict(game='phantom_ttt(rows=2, columns=3)', algorithm='cfr', form='walk', until=0.03)"
RUNS = {
    "full": "dict(game='leduc(ranks=5)', algorithm='cfr', iterations=12000)",
    "sampled": "dict(game='dark_hex(size=2)', sampling='external(tree=False)', seed=2, until=0.0007)",
    "dear": "dict(game='phantom_ttt(rows=2, columns=3)', sampling='external(tree=False)', seed=3, until=0.006)",
    "walked": WALKED,
    "preflop": "dict(game='push_fold(stack=10)', algorithm='cfr', iterations=3000)",
}
"""Keywords of ``solve``: each runs for some seconds."""

HEADER = f"""
import sys
from pathlib import Path
import equilibrist as eq
{OFTEN}
folder = Path(sys.argv[1])
"""
SOLVE = """
options = {options}
if (folder / "checkpoint.npz").exists():
    limits = {{name: options[name] for name in ("iterations", "until") if name in options}}
    solution = eq.solve(resume=folder, save=folder, **limits)
else:
    solution = eq.solve(**options, save=folder)
sys.exit(0 if solution.stop_reason in ("until", "iterations") else 9)
"""
BATCH = """
study = {"game": "leduc(ranks=5)", "iterations": 1500, "vary": {"algorithm": ["cfr", "dcfr", "cfr+"], "seeds": 1}}
result = eq.batch(study, out=folder)
sys.exit(0 if result.finished else 9)
"""
AGGREGATE = """
spot = "holdem(board='2s3h4d6c', oop='AA,QQ,77,T9s', ip='KK,22,JTs,A5s', pot=20, stack=60, bets='50%,100%,a')"
boards = [f"2s3h4d6c{rank}{suit}" for rank in "789TJK" for suit in "sh"]
report = eq.aggregate(spot, boards, out=folder, until="0.0005%")
sys.exit(0 if len({row["board"] for row in report.rows()}) == 12 else 9)
"""
SPLICE = """
blueprint = folder.parent / "blueprint"
if not (blueprint / "checkpoint.npz").exists():
    eq.solve("leduc(ranks=5)", "cfr", iterations=50, save=blueprint)
again = {"resume": folder} if (folder / "checkpoint.npz").exists() else {}
part = eq.resolve(blueprint, "Tr", player=1, iterations=30000, save=folder, **again)
sys.exit(0 if part.stop_reason == "iterations" else 9)
"""
PROGRAMS = {
    **{name: SOLVE.format(options=options) for name, options in RUNS.items()},
    "batch": BATCH,
    "aggregate": AGGREGATE,
    "splice": SPLICE,
}


class Kind(Protocol):
    """A kind of processes that are killed."""

    def whole(self, place: Path) -> Any:
        """Return what an undisturbed one comes to, in an empty folder."""

    def drill(self, goal: Met, dice: random.Random, place: Path, whole: Any) -> Met:
        """Kill a chain of processes in an empty folder until one is left alone; return what met them."""


class Program:
    """A program that saves to a folder, and goes on from what is there when it is started again."""

    def __init__(self, name: str, program: str) -> None:
        self.name = name
        self.program = program

    def start(self, folder: Path) -> subprocess.Popen[bytes]:
        """Start a process, in a group of its own."""
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        command = [sys.executable, "-c", HEADER + self.program, str(folder)]
        return subprocess.Popen(command, start_new_session=True, **quiet)

    def end(self, folder: Path) -> Any:
        """Leave a process alone until it has ended, and return the tables."""
        process = self.start(folder)
        _, told = process.communicate(timeout=10 * PATIENCE)
        assert process.returncode == 0, (self.name, process.returncode, told.decode()[-1000:])
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
            if not has_saved(folder, process, before):
                process.communicate()
                met = met.plus(Met(late=1))
                break  # the chain is over
            sender = draw_signal(met, goal, dice)
            time.sleep(dice.expovariate(8.0))
            if process.poll() is None:
                os.killpg(process.pid, sender)
            _, told = process.communicate(timeout=PATIENCE)
            code = process.returncode
            if code == 0:
                met = met.plus(Met(late=1))
                break
            if sender == signal.SIGKILL:
                assert code == -signal.SIGKILL, (self.name, code, told.decode()[-500:])
                met = met.plus(Met(kills=1))
            else:
                ordered = (9, -signal.SIGINT, -signal.SIGTERM)
                assert code in ordered, (self.name, code, told.decode()[-500:])
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
