"""Read damaged and tampered files: each is read, or refused in one sentence; nothing else ever happens.

    python tests/drills/fuzz.py                       a minute, as in .ci/run
    python tests/drills/fuzz.py --seconds 3600 --seed 7
    python tests/drills/fuzz.py --only checkpoints --case 1234    one case again

``efg``, ``csv`` and ``checkpoints`` are files with bytes changed; ``tampered`` are checkpoints whose numbers and texts
are changed and whose digests are right all the same. A checkpoint that can be read is resumed for some iterations as
well. Cases are run in child processes, so that a crash, a hang or a bomb is noticed and told.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist._util.archive import Archive, write_archive

BATCH = 200  # cases in a child process
PATIENCE = 60  # seconds that a case may take
MEMORY = 4 << 30  # bytes beyond what the process has at first
SOME_ITERATIONS = 3

ODD_TEXTS = ["", "0", "-1", "1e999", "nan", "1/0", "9" * 400, '"', "{", "}", "\x00", "é♠", ",", "\n", "=1+1", "inf"]
ODD_VALUES: list[Any] = [None, True, -1, 0, 1, 2**31, 2**63, -(2**63), 1e308, 0.5, "", "x" * 1000, [], {}, [[]], "kuhn"]
ODD_NUMBERS = [0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, float("nan"), float("inf"), 2.0**53]
ODD_WHOLE = [0, 1, -1, 2, 7, 2**31 - 1, 2**31, 2**32 - 1, 2**62, -(2**63), 2**63 - 1]

RUNS: list[dict[str, Any]] = [
    {"game": "kuhn", "algorithm": "cfr", "record": "all"},
    {"game": "kuhn", "algorithm": "hs-dcfr", "precision": "float32"},
    {"game": "kuhn(players=3)", "algorithm": "pcfr+"},
    {"game": "kuhn", "algorithm": "dcfr", "form": "public", "threads": 2},
    {"game": "kuhn", "sampling": "external", "algorithm": "dcfr", "seed": 1},
    {"game": "kuhn", "sampling": "outcome(baseline='history')", "seed": 2},
    {"game": "kuhn", "sampling": "external", "form": "public", "seed": 2},
    {"game": "kuhn", "sampling": "external(tree=False)", "seed": 3, "record": ["J", "Q"]},
]


def damaged(content: bytes, dice: random.Random) -> bytes:
    """Return bytes with some of them changed, removed, doubled, or replaced by what is odd."""
    data = bytearray(content)
    for _ in range(dice.choice((1, 1, 1, 2, 5, 20))):
        place = dice.randrange(len(data) + 1)
        size = dice.choice((1, 1, 2, 4, 16, 100))
        match dice.randrange(6):
            case 0:
                data[place : place + 1] = bytes([dice.randrange(256)])
            case 1:
                del data[place : place + size]
            case 2:
                data[place:place] = data[place : place + size]
            case 3:
                data[place : place + size] = dice.choice(ODD_TEXTS).encode()
            case 4:
                other = dice.randrange(len(data) + 1)
                data[place : place + size] = data[other : other + size]
            case 5 if dice.random() < 0.2:
                del data[place:]
    return bytes(data)


def tampered(path: Path, dice: random.Random) -> None:
    """Write a checkpoint again, some of its values changed, with the digests that these have."""
    with Archive(path) as archive:
        texts = {name: json.loads(archive.text(name)) for name in archive.texts}
        arrays = {name: archive.array(name) for name in archive.arrays}
    for _ in range(dice.choice((1, 1, 2, 3))):
        if dice.random() < 0.5:
            name = dice.choice(list(texts))
            texts[name] = changed(texts[name], dice)
        elif arrays:
            change_array(arrays, dice.choice(list(arrays)), dice)
    with path.open("wb") as file:
        write_archive(file, {name: json.dumps(text) for name, text in texts.items()}, arrays)


def changed(value: Any, dice: random.Random) -> Any:
    """Return plain data with one of its parts changed, removed or added."""
    if not isinstance(value, dict | list) or not value or dice.random() < 0.1:
        return dice.choice(ODD_VALUES)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = dice.choice(keys)
    value = value.copy()
    if dice.random() < 0.1:
        del value[key]
    elif isinstance(value, list) and dice.random() < 0.1:
        value.insert(key, value[dice.randrange(len(value))])
    else:
        value[key] = changed(value[key], dice)
    return value


def change_array(arrays: dict[str, Any], name: str, dice: random.Random) -> None:
    """Change some numbers of an array, its shape, or its type; or leave it out."""
    array = arrays[name].copy()
    flat = array.reshape(-1)
    match dice.randrange(8):
        case 0:
            del arrays[name]
            return
        case 1:
            array = flat[: dice.randrange(len(flat) + 1)]
        case 2:
            array = np.concatenate([flat, flat])
        case 3:
            array = array.astype(dice.choice(["f8", "f4", "i8", "u4", "u1"]))
        case _ if len(flat):
            odd = ODD_NUMBERS if array.dtype.kind == "f" else ODD_WHOLE
            with np.errstate(all="ignore"):
                for _ in range(dice.choice((1, 1, 3, len(flat)))):
                    number = dice.choice(odd)
                    flat[dice.randrange(len(flat))] = np.array(number).astype(array.dtype)
    arrays[name] = array


def read_checkpoint(folder: Path) -> None:
    """Do with a run folder whatever reads it."""
    solution = eq.load_solution(folder)
    repr(solution), solution._repr_html_(), json.dumps(solution.summary(), allow_nan=False)
    repr(solution.recording), repr(solution.trace), solution.trace.to_arrow(), dict(solution.strategy)
    limits = {"limits": eq.Limits(nodes=solution.nodes_touched + 100)}
    if solution.iterations < 100:
        limits = {"iterations": solution.iterations + SOME_ITERATIONS}
    eq.solve(resume=solution, **limits)


class Target:
    """A kind of file, some good ones, and how one case is made and read."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.path = place / "case"

    def run(self, dice: random.Random) -> None:
        """Make a bad file and read it."""
        raise NotImplementedError


class Efg(Target):
    """Games in Gambit's format."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.path = place / "case.efg"
        self.good = []
        for spec in ("kuhn", "matching_pennies", "goofspiel(cards=2)"):
            eq.write_efg(eq.load(spec), self.path)
            self.good.append(self.path.read_bytes())

    def run(self, dice: random.Random) -> None:
        self.path.write_bytes(damaged(dice.choice(self.good), dice))
        eq.compile_game(eq.load(str(self.path)), max_histories=10_000)


class Csv(Target):
    """Strategies as tables."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.good = []
        for spec in ("kuhn", "kuhn(players=3)"):
            eq.solve(spec, iterations=3).strategy.write_csv(self.path)
            self.good.append(self.path.read_bytes())

    def run(self, dice: random.Random) -> None:
        self.path.write_bytes(damaged(dice.choice(self.good), dice))
        eq.evaluate("kuhn", eq.Strategy.read_csv(self.path), missing="uniform")


class Checkpoints(Target):
    """Run folders whose checkpoint has bytes changed: what is read is what was saved."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.path = place / "checkpoint.npz"
        self.good = []
        for options in RUNS:
            eq.solve(iterations=20, save=place, **options)
            self.good.append((self.path.read_bytes(), eq.load_solution(place)))

    def run(self, dice: random.Random) -> None:
        content, solution = dice.choice(self.good)
        self.path.write_bytes(damaged(content, dice))
        found = eq.load_solution(self.place)
        assert found.summary() == solution.summary(), "a damaged checkpoint was believed"
        assert found.strategy.probabilities.tobytes() == solution.strategy.probabilities.tobytes()


class Tampered(Checkpoints):
    """The same with digests that are right: whatever is read can be used."""

    def run(self, dice: random.Random) -> None:
        self.path.write_bytes(dice.choice(self.good)[0])
        tampered(self.path, dice)
        read_checkpoint(self.place)


TARGETS: dict[str, type[Target]] = {"efg": Efg, "csv": Csv, "checkpoints": Checkpoints, "tampered": Tampered}


def attempt(target: Target, name: str, seed: int, case: int) -> str:
    """Run one case; return whether the file was "read" or "refused", or the traceback of anything else."""
    try:
        target.run(random.Random(f"{name} {seed} {case}"))
    except eq.EquilibristError as error:
        return "refused" if "\n" not in str(error) else f"More than one line: {error}"
    except BaseException:
        return traceback.format_exc()
    return "read"


def batch(target: Target, name: str, seed: int, cases: range, sender: Any) -> None:
    """Run cases in this process, and send number and outcome of each."""
    limit_memory()
    for case in cases:
        signal.alarm(PATIENCE)
        sender.send((case, attempt(target, name, seed, case)))
    signal.alarm(0)
    sender.send((cases.stop, "over"))


def limit_memory() -> None:
    """Keep this process from taking much more memory than it has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))


def fuzz(target: Target, name: str, seed: int, first: int, enough: Callable[[int], bool]) -> tuple[dict[str, int], int]:
    """Run cases until it is enough; return how many ended how, and how many failed."""
    counts, failed, case = {"read": 0, "refused": 0}, 0, first
    while not enough(case):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("fork").Process(
            target=batch, args=(target, name, seed, range(case, case + BATCH), sender)
        )
        child.start()
        sender.close()
        try:
            while True:
                number, outcome = receiver.recv()
                if outcome == "over":
                    case = number
                    break
                case = number + 1
                if outcome in counts:
                    counts[outcome] += 1
                else:
                    failed += 1
                    print(f"FAILED: {name} seed {seed} case {number}\n{outcome}", file=sys.stderr)
                if enough(case):
                    child.terminate()
                    break
        except EOFError:  # the child is dead
            child.join()
            failed += 1
            print(f"FAILED: {name} seed {seed} case {case}: exit code {child.exitcode}", file=sys.stderr)
            case += 1
        child.join()
    return counts, failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="for all kinds together")
    parser.add_argument("--cases", type=int, help="of each kind, instead of seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=TARGETS, action="append", help="only this kind; may be repeated")
    parser.add_argument("--case", type=int, help="only this case")
    asked = parser.parse_args()
    names = asked.only or list(TARGETS)
    failures = 0
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            folder = Path(place) / name
            folder.mkdir()
            target = TARGETS[name](folder)
            if asked.case is not None:
                print(attempt(target, name, asked.seed, asked.case))
                continue
            deadline = time.monotonic() + asked.seconds / len(names)

            def enough(case: int, deadline: float = deadline) -> bool:
                return case >= asked.cases if asked.cases is not None else time.monotonic() > deadline

            counts, failed = fuzz(target, name, asked.seed, 0, enough)
            print(f"{name}: {counts['read']:,} read, {counts['refused']:,} refused, {failed:,} failed")
            failures += failed
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
