"""Which tables of the documentation are stale: what they measure takes another time now than on their commit.

    python -m benchmarks.stale
    python -m benchmarks.stale performance.md sampling.md

Below a table that a command printed, and that no test computes again, stands a comment. The site shows its command and
commit, with the day of that commit (``docs/making/hooks.py``)::

    <!-- measured: python -m benchmarks.peers; 3fa91c2; sequence -->

It names the command, the commit on which it ran, and the probes (``benchmarks/probes.py``) that do in a second what the
table measures. The benchmarks write it themselves (``--markdown``, ``--page``). Each probe runs on the code of that
commit and on that of now, in turns, in fresh processes: so the machine, and who else works on it, cancel out. A table
is stale where a probe takes 15 % more or less now, and the command ends with status 1: a question to be asked before a
release, when the machine has nothing else to do. It takes half an hour for all pages, most of it for compiling.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .machine import NONE, ROOT, Table

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
MARK = re.compile(
    r"<!-- measured: (?P<command>[^;\n]+); (?P<commit>[0-9a-f]{7,40}); (?P<probes>\w+(?: \w+)*) -->"
)
PROBES = Path(__file__).with_name("probes.py")
ROUNDS = 5
MOST_CHANGE = 0.15
"""By how much the time of a probe may differ before its tables are stale."""


class Mark(NamedTuple):
    """A table, or some: where its mark stands, what printed it, on which commit, and the probes that stand for it."""

    page: str
    line: int
    command: str
    commit: str
    probes: list[str]


class Change(NamedTuple):
    """What a probe takes now, in units of what it took on a commit; None where it cannot be run there."""

    ratio: float | None

    @property
    def is_stale(self) -> bool:
        return self.ratio is None or not 1 / (1 + MOST_CHANGE) < self.ratio < 1 + MOST_CHANGE

    def __str__(self) -> str:
        return "cannot be run there" if self.ratio is None else f"{self.ratio:.2f}"


def marks(page: Path) -> list[Mark]:
    """Return the marks of a page."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [
        Mark(
            name,
            text.count("\n", 0, at.start()) + 1,
            at["command"],
            at["commit"],
            at["probes"].split(),
        )
        for at in MARK.finditer(text)
    ]


@contextlib.contextmanager
def code_of(commit: str) -> Iterator[Path | None]:
    """Give the folder of the package as it was on a commit; None where the commit is not known."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        git = ["git", "-C", str(ROOT), "worktree"]
        added = subprocess.run(
            [*git, "add", "--detach", str(tree), commit], capture_output=True, check=False
        )
        if added.returncode:
            yield None
            return
        try:
            yield tree / "src"
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], capture_output=True, check=False)


def run_probe(name: str, package: Path) -> float | None:
    """Return what a probe takes with a package, in seconds of the processor; None where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(package)}
    ran = subprocess.run(
        [sys.executable, str(PROBES), name], env=environment, capture_output=True, check=False
    )
    if ran.returncode:
        return None
    taken: float = json.loads(ran.stdout.splitlines()[-1])[name]
    return taken


def measure(name: str, package: Path | None, *, rounds: int = ROUNDS) -> Change:
    """Return how a probe has changed since there was a package: the least of some rounds on each, taken in turns."""
    if package is None:
        return Change(None)
    then = []
    now = []
    for _ in range(rounds):
        taken = run_probe(name, package)
        if taken is None:
            return Change(None)
        then.append(taken)
        taken = run_probe(name, ROOT / "src")
        if taken is None:
            sys.exit(
                f"The probe {name} fails on the code of now: python benchmarks/probes.py {name}"
            )
        now.append(taken)
    return Change(min(now) / min(then))


def measure_all(found: Sequence[Mark], *, rounds: int = ROUNDS) -> dict[tuple[str, str], Change]:
    """Return the change of each probe since each commit that marks name together."""
    asked: dict[str, list[str]] = {}
    for mark in found:
        names = asked.setdefault(mark.commit, [])
        names += [name for name in mark.probes if name not in names]
    changes = {}
    for commit, names in asked.items():
        with code_of(commit) as package:
            for name in names:
                change = measure(name, package, rounds=rounds)
                print(f"  {commit} {name}: {change}", file=sys.stderr, flush=True)
                changes[commit, name] = change
    return changes


def table_of(found: Sequence[Mark], changes: dict[tuple[str, str], Change]) -> tuple[Table, int]:
    """Return the table of marks, and how many of them are stale."""
    table = Table(
        "What tables measure, in the time that it took when they were made",
        ("mark", "command", "commit", "now", ""),
    )
    num_stale = 0
    for mark in found:
        of_mark = {name: changes[mark.commit, name] for name in mark.probes}
        is_stale = any(change.is_stale for change in of_mark.values())
        num_stale += is_stale
        told = ", ".join(f"{name} {change}" for name, change in of_mark.items())
        verdict = "**stale**" if is_stale else NONE
        table.rows.append([f"{mark.page}:{mark.line}", mark.command, mark.commit, told, verdict])
    return table, num_stale


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="these pages alone: sampling.md")
    names = parser.parse_args().pages
    unknown = [name for name in names if name not in {page.name for page in PAGES}]
    if unknown:
        parser.error(f"there is no page {unknown[0]!r}")
    found = [mark for page in PAGES if not names or page.name in names for mark in marks(page)]
    table, num_stale = table_of(found, measure_all(found))
    table.show()
    if num_stale:
        sys.exit(f"{num_stale} of {len(found)} are stale.")


if __name__ == "__main__":
    main()
