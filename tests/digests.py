"""Digests of what some runs compute, to the last bit: they must be the same on every machine.

python tests/digests.py                  # compare with tests/data/digests.json
python tests/digests.py --everywhere     # the same with a cold cache, on a plain processor, without NumPy's kernels
python tests/digests.py --everywhere --python ~/other/bin/python     # and with other Pythons that have the package
python tests/digests.py --record         # write the file, after a change that changes bits on purpose
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STORED = Path(__file__).parent / "data" / "digests.json"
RUNS: dict[str, dict[str, Any]] = {
    **{
        f"{name} on a sequence form": {"game": "leduc", "algorithm": name, "iterations": 150}
        for name in (
            "cfr",
            "cfr+",
            "lcfr",
            "dcfr",
            "dcfr+",
            "pcfr+",
            "sapcfr+",
            "pdcfr+",
            "hs-dcfr",
            "hs-pcfr+",
        )
    },
    "simultaneous": {"game": "leduc", "algorithm": "dcfr(alternating=False)", "iterations": 100},
    "three players": {"game": "kuhn(players=3)", "algorithm": "pdcfr+", "iterations": 100},
    "float32": {
        "game": "goofspiel(cards=4)",
        "algorithm": "dcfr+",
        "iterations": 50,
        "precision": "float32",
    },
    "dense payoffs": {
        "game": "liars_dice(faces=3)",
        "algorithm": "dcfr+",
        "iterations": 50,
        "form": "public",
    },
    "sorted hands": {
        "game": "kuhn(cards=100)",
        "algorithm": "pcfr+",
        "iterations": 50,
        "form": "public",
    },
    "threads": {
        "game": "leduc",
        "algorithm": "pdcfr+",
        "iterations": 20,
        "form": "public",
        "threads": 2,
    },
    "chance sampling": {
        "game": "leduc",
        "algorithm": "cfr",
        "iterations": 300,
        "sampling": "chance",
    },
    "external sampling": {
        "game": "leduc",
        "algorithm": "lcfr",
        "iterations": 500,
        "sampling": "external",
    },
    "outcome sampling": {
        "game": "leduc",
        "algorithm": "dcfr",
        "iterations": 500,
        "sampling": "outcome",
    },
    "without a tree": {
        "game": "kuhn",
        "algorithm": "cfr",
        "iterations": 500,
        "sampling": "external(tree=False)",
    },
}


def digest(options: dict[str, Any]) -> dict[str, Any]:
    """Return what a run computes: a digest of the strategy, and the certificate in hexadecimal."""
    import numpy as np

    import equilibrist as eq

    solution = eq.solve(**options)
    rows, end = [], 0
    probabilities = np.asarray(solution.strategy.probabilities, np.float64)
    for player, key, actions in solution.strategy.infosets:
        end += len(actions)
        own = probabilities[end - len(actions) : end]
        rows.append((player, key, tuple(float(p).hex() for p in own)))
    numbers = [*solution.value, solution.nash_conv]
    return {
        "strategy": hashlib.sha256(repr(sorted(rows)).encode()).hexdigest()[:16],
        "certificate": [None if math.isnan(number) else float(number).hex() for number in numbers],
    }


def differences() -> Iterator[str]:
    """Yield what differs from what is stored."""
    stored = json.loads(STORED.read_text())
    if sorted(stored) != sorted(RUNS):
        yield "tests/data/digests.json is of other runs: python tests/digests.py --record"
    for name in sorted(set(stored) & set(RUNS)):
        found = digest(RUNS[name])
        for part, expected in stored[name].items():
            if found[part] != expected:
                yield f"{name}: {part} is {found[part]}, stored is {expected}"


def _surroundings(pythons: list[str]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the name, the interpreter and the environment of each check."""
    dispatched = "from numpy._core._multiarray_umath import __cpu_dispatch__ as names; print(' '.join(names))"
    features = subprocess.run(
        [sys.executable, "-c", dispatched], check=True, capture_output=True, text=True
    ).stdout
    yield "as it is", sys.executable, {}
    yield "plain NumPy", sys.executable, {"NPY_DISABLE_CPU_FEATURES": features.strip()}
    yield "plain processor", sys.executable, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    for python in pythons:
        yield python, python, {}


def everywhere(pythons: list[str]) -> int:
    """Compare in processes of their own, each with a cold cache of machine code; return how many differ."""
    failed = 0
    for name, python, variables in _surroundings(pythons):
        with tempfile.TemporaryDirectory() as cache:
            environment = os.environ | variables | {"EQUILIBRIST_CACHE": cache}
            ran = subprocess.run([python, __file__], env=environment, check=False)
        print(f"{name}: {'the same' if ran.returncode == 0 else 'DIFFERS'}", flush=True)
        failed += ran.returncode != 0
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", action="store_true", help="write tests/data/digests.json")
    parser.add_argument(
        "--everywhere", action="store_true", help="check in several surroundings, with cold caches"
    )
    parser.add_argument(
        "--python", action="append", default=[], help="another interpreter that has the package"
    )
    options = parser.parse_args()
    if options.record:
        STORED.write_text(
            json.dumps({name: digest(run) for name, run in RUNS.items()}, indent=1) + "\n"
        )
        return
    if options.everywhere:
        sys.exit(everywhere(options.python))
    found = list(differences())
    print("\n".join(found), end="\n" * bool(found))
    sys.exit(len(found) > 0)


if __name__ == "__main__":
    main()
