"""Seconds until the command answers, start of the interpreter included: warm, and the first time ever.

Warm means that Numba's cache holds the kernels. The first time is simulated with an empty cache folder; the files of
Python and its packages are in the memory of the system both times.

    python -m benchmarks.startup
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .machine import ROOT, Table, arguments, describe, duration, publish

SOLVE = ("solve", "kuhn", "--until", "1e-9")
CASES = (  # what is run, whether with an empty cache, and the seconds that it may take
    (("--help",), False, 0.5),
    (SOLVE, False, 0.6),
    (SOLVE, True, 5.0),
    (
        ("solve", "kuhn", "--sampling", "external", "--iterations", "10000", "--seed", "1"),
        True,
        7.7,
    ),
    (("solve", "examples/spots/m-river.toml", "--until", "1%"), True, 4.6),
)


def run(arguments: tuple[str, ...], cache: str | None = None) -> float:
    """Run the command once; return its seconds."""
    command = [str(Path(sys.executable).with_name("equilibrist")), *arguments]
    environment = os.environ | ({"EQUILIBRIST_CACHE": cache} if cache else {})
    environment.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # Python keeps what it has compiled, as it does for users
    began = time.perf_counter()
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    took = time.perf_counter() - began
    if done.returncode:
        sys.exit(
            f"equilibrist {' '.join(arguments)} failed: {done.stderr.strip() or done.stdout.strip()}"
        )
    return took


def measure(arguments: tuple[str, ...], *, empty_cache: bool, repeats: int) -> list[float]:
    """Return the seconds of each of several runs."""
    print("equilibrist", *arguments, file=sys.stderr)
    if not empty_cache:
        run(arguments)  # fills the cache
        return [run(arguments) for _ in range(repeats)]
    seconds = []
    for _ in range(min(repeats, 3)):
        with tempfile.TemporaryDirectory() as folder:
            seconds.append(run(arguments, cache=folder))
    return seconds


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument(
        "--repeats", type=int, default=7, help="runs; medians count (default 7; with no cache 3)"
    )
    options = parser.parse_args()
    table = Table(
        "Start of the command, interpreter included",
        ("command", "cache", "time", "slowest", "wanted"),
    )
    results: list[dict[str, Any]] = []
    for arguments_, empty, wanted in CASES:
        seconds = measure(arguments_, empty_cache=empty, repeats=options.repeats)
        command, cache = f"equilibrist {' '.join(arguments_)}", "empty" if empty else "warm"
        middle = statistics.median(seconds)
        mark = "" if middle < wanted else " (!)"
        table.rows.append(
            [command, cache, f"{duration(middle)}{mark}", duration(max(seconds)), f"< {wanted:g} s"]
        )
        results.append({"command": command, "cache": cache, "seconds": seconds, "wanted": wanted})
    table.notes = ["Time: the median."]
    publish([table], options, machine=describe(), results={"cases": results})


if __name__ == "__main__":
    main()
