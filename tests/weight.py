"""What each quick test costs, and what it alone reaches: ``python tests/weight.py`` runs them, and asserts nothing.

    python tests/weight.py                    # all of them, on two processes, which takes ten minutes
    python tests/weight.py tests/form -n 4    # what else pytest is told

The README's test command is meant to fit a coffee break. Two lists say what could leave it for the slow part: tests
that take long and reach no branch of the package that no other one reaches, and kernels that take long to compile,
each with the test that met it first. Neither is a verdict: what holds a kernel against a reference stays, as does what
guards files of strangers. A test that leaves takes its branches with it, so that the first list shrinks as it is read
from the top: each of its tests may leave with all those above it.

It needs pytest-cov. Kernels are compiled anew, in a cache of its own, and count for the test that met them first.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from support.weights import FOLDER

ROOT = Path(__file__).resolve().parent.parent
LONG = 0.2  # seconds of a test that is worth a look
SHOWN = 40  # kernels

Branches = dict[str, NDArray[np.int64]]


def run_tests(folder: Path, told: list[str]) -> int:
    """Run the quick tests with the branches of each written down, and return how pytest ended."""
    settings = folder / "coverage.ini"
    settings.write_text(
        f"[run]\nbranch = True\nsource = equilibrist\ndata_file = {folder / 'branches'}\n"
    )
    command = [
        *(sys.executable, "-m", "pytest", "-n", "2", "-p", "support.weights"),
        *("--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="),
        *told,
    ]
    environment = {
        **os.environ,
        FOLDER: str(folder),
        "EQUILIBRIST_CACHE": str(folder / "kernels"),
        "PYTHONPATH": str(ROOT / "tests"),
    }
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def read_branches(path: Path) -> tuple[Branches, int]:
    """Return the numbers of the branches that each test reaches, and how many there are in all.

    What is reached while modules are imported has no test, and belongs to the empty name.
    """
    with sqlite3.connect(path) as data:
        contexts = dict(data.execute("select id, context from context"))
        rows = np.array(
            data.execute("select context_id, file_id, fromno, tono from arc").fetchall(), np.int64
        )
    _, branch = np.unique(rows[:, 1:], axis=0, return_inverse=True)
    reached = defaultdict(list)
    for context in np.unique(rows[:, 0]).tolist():
        test = contexts[context].rpartition("|")[0]  # after which it is setup, run or teardown
        reached[test].append(branch[rows[:, 0] == context])
    by_test = {test: np.unique(np.concatenate(parts)) for test, parts in reached.items()}
    return by_test, int(branch.max()) + 1


def read_lines(folder: Path) -> tuple[dict[str, float], dict[str, list[tuple[float, str]]]]:
    """Return the seconds of each test, and of each kernel how long it took to compile and for which test."""
    tests, kernels = {}, defaultdict(list)
    for path in folder.glob("*.jsonl"):
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if "kernel" in line:
                kernels[line["kernel"]].append((line["seconds"], line["test"]))
            else:
                tests[line["test"]] = line["seconds"]
    return tests, kernels


def list_replaceable(
    tests: dict[str, float], branches: Branches, number: int
) -> list[tuple[float, str]]:
    """Return the long tests that may leave, one after the other, without a branch that nothing reaches any more."""
    reached_by = np.zeros(number, np.int64)
    for reached in branches.values():
        reached_by[reached] += 1
    replaceable = []
    for test, seconds in sorted(tests.items(), key=lambda pair: -pair[1]):
        reached = branches.get(test)
        if seconds < LONG or reached is None or (reached_by[reached] < 2).any():
            continue
        reached_by[reached] -= 1
        replaceable.append((seconds, test))
    return replaceable


def main(told: list[str]) -> int:
    if find_spec("pytest_cov") is None:
        print("pytest-cov is not installed: pip install pytest-cov", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        code = run_tests(folder, told)
        if not (folder / "branches").exists():
            return code or 1
        tests, kernels = read_lines(folder)
        branches, number = read_branches(folder / "branches")
    compiling = sum(seconds for met in kernels.values() for seconds, _ in met)
    print(
        f"\n{len(tests):,} tests take {sum(tests.values()):.0f} s of the processor under a tracer,"
    )
    print(f"of which kernels {compiling:.0f} s, and reach {number:,} branches.")
    print("\nLong tests that reach no branch that no other one reaches, without those above:")
    for seconds, test in list_replaceable(tests, branches, number):
        print(f"{seconds:6.2f} s  {test}")
    print("\nKernels that take longest to compile, how often, and for which test first:")
    weights = {kernel: sum(seconds for seconds, _ in met) for kernel, met in kernels.items()}
    for kernel in sorted(weights, key=weights.__getitem__, reverse=True)[:SHOWN]:
        met = kernels[kernel]
        print(f"{weights[kernel]:6.2f} s  {len(met):3}  {kernel}  {met[0][1]}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
