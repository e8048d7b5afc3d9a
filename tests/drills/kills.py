"""Kill processes that save while they run, by SIGKILL, SIGINT or SIGTERM; see that the chain ends as a whole run does.

    python tests/drills/kills.py                                every kind, 10 kills and 2 signals each
    python tests/drills/kills.py --kind walked --kills 30 --signals 6 --seed 7
    python tests/drills/kills.py --every 3 --first 1            a third of the kinds: those of number 1, 4, 7, ...

``kill.py`` drills the points at which files change; this one kills what really runs. A process saves every 20 ms and
is killed at a random moment after its first save: only what met a living process that had saved is counted. The next
one goes on with ``resume=`` **and** ``save=`` (a batch and a report with the same call), so that later kills meet saves
as well. In the end the last one is left alone, and must come to the tables of a run that was never disturbed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WALKED = "dict(game='phantom_ttt(rows=2, columns=3)', algorithm='cfr', form='walk', until=0.03)"
RUNS = {
    "full": "dict(game='leduc(ranks=5)', algorithm='cfr', iterations=12000)",
    "sampled": "dict(game='dark_hex(size=2)', sampling='external(tree=False)', seed=2, until=0.0007)",
    "dear": "dict(game='phantom_ttt(rows=2, columns=3)', sampling='external(tree=False)', seed=3, until=0.006)",
    "walked": WALKED,
    "preflop": "dict(game='push_fold(stack=10)', algorithm='cfr', iterations=3000)",
}
"""Keywords of ``solve``: each runs for some seconds."""

HEADER = """
import sys
from pathlib import Path
from unittest import mock
import equilibrist as eq
from equilibrist.solving import run
often = mock.patch.multiple(run, _SAVE_FIRST=0.02, _SAVE_EVERY=0.02, _SAVE_SHARE=0.0)
folder = Path(sys.argv[1])
"""
SOLVE = """
options = {options}
with often:
    if (folder / "checkpoint.npz").exists():
        limits = {{name: options[name] for name in ("iterations", "until") if name in options}}
        solution = eq.solve(resume=folder, save=folder, **limits)
    else:
        solution = eq.solve(**options, save=folder)
sys.exit(0 if solution.stop_reason in ("until", "iterations") else 9)
"""
BATCH = """
study = {"game": "leduc(ranks=5)", "iterations": 1500, "vary": {"algorithm": ["cfr", "dcfr", "cfr+"], "seeds": 1}}
with often:
    result = eq.batch(study, out=folder)
sys.exit(0 if result.finished else 9)
"""
AGGREGATE = """
spot = "holdem(board='2s3h4d6c', oop='AA,QQ,77,T9s', ip='KK,22,JTs,A5s', pot=20, stack=60, bets='50%,100%,a')"
boards = [f"2s3h4d6c{rank}{suit}" for rank in "789TJK" for suit in "sh"]
with often:
    report = eq.poker.board_report(spot, boards, out=folder, until="0.0005%")
sys.exit(0 if len({row["board"] for row in report.rows()}) == 12 else 9)
"""
SPLICE = """
blueprint = folder.parent / "blueprint"
if not (blueprint / "checkpoint.npz").exists():
    eq.solve("leduc(ranks=5)", "cfr", iterations=50, save=blueprint)
with often:
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
PATIENCE = 120.0  # seconds for a process to end or to save


def start(program: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start a process of a kind, in a group of its own."""
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", HEADER + program, str(folder)]
    return subprocess.Popen(command, start_new_session=True, **quiet)


def newest(folder: Path) -> int:
    """Return when a file of a folder was last changed, in nanoseconds; 0 where there is none."""
    stamps = [0]
    for path in folder.rglob("*"):
        try:
            if path.is_file() and path.suffix != ".part" and path.name != "lock":
                stamps.append(path.stat().st_mtime_ns)
        except FileNotFoundError:  # replaced just now
            continue
    return max(stamps)


def has_saved(folder: Path, process: subprocess.Popen[bytes], before: int) -> bool:
    """Wait until a process has changed the folder; return False where it ends before."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        if newest(folder) > before:
            return process.poll() is None
        time.sleep(0.002)
    return False


def tables(folder: Path) -> Any:
    """Return what a folder holds, but for identities and times."""
    import equilibrist as eq

    runs = {}
    for path in sorted(folder.rglob("checkpoint.npz")):
        solution = eq.load_solution(path.parent)
        state = {name: array.tobytes() for name, array in solution.state.items()}
        trace = [point._replace(seconds=0.0) for point in solution.trace]
        strategy = solution.strategy.probabilities.tobytes()
        runs[str(path.parent.relative_to(folder))] = solution.iterations, trace, strategy, state
    rows = {}
    for path in sorted(folder.glob("results.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if "name" in record:
                results = {
                    name: value for name, value in record["results"].items() if name != "seconds"
                }
                rows[record["name"]] = json.dumps(results, sort_keys=True)
    return runs, rows


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*.part")]


def drill(
    kind: str, kills: int, signals: int, dice: random.Random, place: Path, whole: Any
) -> tuple[int, int, int]:
    """Chain killed processes until one is left alone; return kills and signals that met a saving one, and late ones.

    A signal ends a process in order, with all that it has computed; so its exit code says that it was met.
    """
    folder = place / "run"
    met, heard, late = 0, 0, 0
    while met < kills or heard < signals:
        kills_now = heard >= signals or (met < kills and dice.random() < 0.5)
        sender = signal.SIGKILL if kills_now else dice.choice((signal.SIGINT, signal.SIGTERM))
        process = start(PROGRAMS[kind], folder)
        if not has_saved(folder, process, newest(folder)):
            process.communicate()
            late += 1
            break  # the chain is over
        time.sleep(dice.expovariate(8.0))
        if process.poll() is None:
            os.killpg(process.pid, sender)
        _, told = process.communicate(timeout=PATIENCE)
        code = process.returncode
        if sender == signal.SIGKILL:
            met += code == -signal.SIGKILL
        else:
            assert code in (0, 9, -signal.SIGINT, -signal.SIGTERM), (
                kind,
                code,
                told.decode()[-500:],
            )
            heard += code in (9, -signal.SIGINT, -signal.SIGTERM)
        late += code == 0
        if code == 0:
            break
    process = start(PROGRAMS[kind], folder)
    _, told = process.communicate(timeout=10 * PATIENCE)
    assert process.returncode == 0, (kind, process.returncode, told.decode()[-1000:])
    assert tables(folder) == whole, f"{kind}: the chain has come to other tables"
    assert not leftovers(folder), leftovers(folder)
    return met, heard, late


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--kind", choices=PROGRAMS, action="append", help="only this one; may be repeated"
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
    failures = 0
    for kind in (asked.kind or list(PROGRAMS))[asked.first :: asked.every]:
        dice = random.Random(f"{asked.seed} {kind}")
        met, heard, late, chains = 0, 0, 0, 0
        end = time.monotonic() + asked.seconds
        with tempfile.TemporaryDirectory() as place:
            whole_folder = Path(place) / "whole" / "run"
            whole_folder.parent.mkdir()
            process = start(PROGRAMS[kind], whole_folder)
            _, told = process.communicate(timeout=10 * PATIENCE)
            assert process.returncode == 0, told.decode()[-1000:]
            whole = tables(whole_folder)
            while (met < asked.kills or heard < asked.signals) and (
                not chains or time.monotonic() < end
            ):
                chain = Path(place) / f"chain {chains}"
                chain.mkdir()
                try:
                    found = drill(
                        kind, asked.kills - met, asked.signals - heard, dice, chain, whole
                    )
                except AssertionError as error:
                    failures += 1
                    print(f"FAILED: {error}", file=sys.stderr)
                    break
                met, heard, late, chains = (
                    met + found[0],
                    heard + found[1],
                    late + found[2],
                    chains + 1,
                )
        print(
            f"{kind}: {met} kills and {heard} signals met a process that had saved, in {chains} chains "
            f"({late} came too late): the same tables",
            flush=True,
        )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
