"""What the benchmarks share: the machine, fresh processes, seconds of an iteration, units for people, and tables."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NONE = "–"  # a cell without a number
MEASURES = {
    "abstraction": "abstracted",
    "blueprint": "walked",
    "buckets": "abstracted",
    "cards": "cards",
    "cluster": "public cards walked",
    "compiling": "compiled",
    "flop_subsets": "cards",
    "exploit": "cards",
    "folded": "folded",
    "holdem": "cards",
    "kernels": "cards",
    "learning": "walked",
    "limits": "public cards",
    "many": "cards",
    "omaha": "omaha",
    "page": "started",
    "peers": "sequence",
    "proofs": "exact",
    "public": "public sequence",
    "quality": "sequence",
    "resolving": "cards",
    "rules": "ruled sequence",
    "sampling": "sampled",
    "sampled_peer": "sampled",
    "sampling_threads": "sampled",
    "seeing": "started",
    "serve": "started",
    "startup": "started",
    "threads": "sequence cards",
    "three_ranges": "three_ranges",
    "three_ranges_evidence": "three_ranges folded",
    "usual_ranges": "cards",
    "walk": "walked",
}
"""Of each benchmark, the probes (probes.py) that tell whether its tables are stale: ``python -m benchmarks.stale``."""
_ITERATING = 1.0  # seconds, and some batches at least
_BATCH = 0.01  # seconds


@dataclass
class Table:
    """A table of text; ``**text**`` is bold, on screen and in Markdown alike. Notes are printed below it."""

    title: str
    columns: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """Return the table as Markdown."""
        head = [
            "| " + " | ".join(self.columns) + " |",
            "|" + "---|" + "---:|" * (len(self.columns) - 1),
        ]
        body = ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join(
            [f"**{self.title}**", "", *head, *body, "", *(f"{note}\n" for note in self.notes)]
        )

    def show(self) -> None:
        """Print the table."""
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable

        console = Console()
        if not console.is_terminal:
            console.width = 200  # a file has room for whole rows

        table = RichTable(
            title=self.title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold"
        )
        for i, column in enumerate(self.columns):
            table.add_column(column, justify="right" if i else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*(re.sub(r"\*\*(.+?)\*\*", r"[bold]\1[/bold]", cell) for cell in row))
        console.print(table, *self.notes, sep="\n", soft_wrap=True)


def describe(*packages: str) -> dict[str, str]:
    """Return the machine and the versions that matter, ready to print."""
    versions = {name: _version(name) for name in ("numba", "numpy", *packages)}
    return {
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **versions,
        "date": date.today().isoformat(),
    }


def _cpu() -> str:
    with contextlib.suppress(OSError):
        found = re.search(
            r"^model name\s*: (.+)$",
            Path("/proc/cpuinfo").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        if found:
            return found[1].strip()
    return platform.processor() or "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def pin_to_one_core() -> str:
    """Keep this process on the core that it may use and that comes last; return a sentence about it."""
    if not hasattr(os, "sched_setaffinity"):
        return "This system cannot pin a process to a core; nothing here starts a second thread."
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return "The process is pinned to one core."


def forget_peak() -> None:
    """Have Linux count the peak of resident memory from here on."""
    reset = Path("/proc/self/clear_refs")
    if reset.exists():
        reset.write_text("5", encoding="utf-8")


def memory(line: str) -> int:
    """Return the resident memory in bytes, now (``VmRSS``) or at its peak (``VmHWM``)."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(
            int(text.split()[1]) * 1024
            for text in status.read_text(encoding="utf-8").splitlines()
            if text.startswith(line)
        )
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def fresh_process(module: str, job: str, **options: Any) -> dict[str, Any]:
    """Do a job of a benchmark (``--here``) in a fresh process, so that the peak of memory is its own."""
    shown = ", ".join(f"{name}={value}" for name, value in options.items() if value is not None)
    print(f"  {job} {shown}", file=sys.stderr)
    told = json.dumps({"job": job, **options, "began": time.time()})
    ran = subprocess.run(
        [sys.executable, "-m", module, "--here", told], check=True, stdout=subprocess.PIPE
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def timed(
    run: Callable[[int], object], count: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the seconds of each of so many iterations."""
    start = clock()
    run(count)
    return (clock() - start) / count


def batch_size(run: Callable[[int], object]) -> int:
    """Return how many iterations take about as long as a batch should; memory is touched and warm after it."""
    run(1)
    count = 1
    while count * timed(run, count) < _BATCH:
        count *= 2
    return count


def batches(run: Callable[[int], object], *, least: int = 3) -> list[float]:
    """Return the seconds of an iteration, batch by batch, so many at least."""
    count, seconds = batch_size(run), list[float]()
    end = time.perf_counter() + _ITERATING
    while len(seconds) < least or time.perf_counter() < end:
        seconds.append(timed(run, count))
    return seconds


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of every benchmark."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to this file")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the tables to this file"
    )
    return parser


def machine_line(machine: dict[str, str]) -> str:
    """Return the sentence about the machine that stands below tables."""
    known = (
        text if name in {"cpu", "system", "date"} else f"{name} {text}"
        for name, text in machine.items()
    )
    return f"Machine: {', '.join(known)}."


def mark() -> str:
    """Return the comment for a page that says what was measured on which commit, by the benchmark that runs."""
    name = sys.modules["__main__"].__spec__.name.split(".")[1]  # type: ignore[union-attr]
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short=7", "HEAD"], check=True, stdout=subprocess.PIPE
    )
    return f"<!-- measured: python -m benchmarks.{name}; {commit.stdout.decode().strip()}; {MEASURES[name]} -->"


def publish(
    tables: Sequence[Table],
    options: argparse.Namespace,
    *,
    machine: dict[str, str],
    results: dict[str, Any],
) -> None:
    """Print the tables and write the files that were asked for."""
    for table in tables:
        table.show()
    print(machine_line(machine))
    if options.markdown:
        options.markdown.write_text(
            "\n".join([*(table.markdown() for table in tables), machine_line(machine), mark(), ""])
        )
    if options.json:
        everything = {
            "machine": machine,
            "tables": [asdict(table) for table in tables],
            "results": results,
        }
        options.json.write_text(json.dumps(everything, indent=1) + "\n")


def duration(seconds: float | None) -> str:
    """Return a time with three digits and its unit."""
    if seconds is None:
        return NONE
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{_digits(seconds / size)} {unit}"
    raise AssertionError


def times(ratio: float | None) -> str:
    """Return a ratio with three digits."""
    return NONE if ratio is None else f"{_digits(ratio)}×"


def _digits(number: float) -> str:
    places = max(0, 2 - math.floor(math.log10(number))) if number > 0 else 0
    return f"{number:,.{min(places, 3)}f}"
