"""Which figures of the documentation are older than the code that they measure.

    python -m benchmarks.stale

Below a figure that a command printed, and that no test computes again, stands a comment. The site shows its command and
commit, with the day of that commit (``docs/making/hooks.py``)::

    <!-- measured: python -m benchmarks.peers; 3fa91c2; cfr form _jit -->

It names the command, the commit on which it ran, and what below src/equilibrist the figure is about. The benchmarks
write it themselves (``--markdown``, ``--page``). For each mark this prints how many lines of that code have changed
since, and ends with status 1 if any have: a question to be asked before a release. The tests only ask that marks are
whole, since nearly every change of the code makes some figure older without making it wrong.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .machine import NONE, ROOT, Table

PACKAGE = "src/equilibrist"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
MARK = re.compile(
    r"<!-- measured: (?P<command>[^;\n]+); (?P<commit>[0-9a-f]{7,40}); (?P<rooms>[\w /]+) -->"
)


class Mark(NamedTuple):
    """A figure, or some: where its mark stands, what printed it, on which commit, and the code that it measures."""

    page: str
    line: int
    command: str
    commit: str
    rooms: list[str]


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
            at["rooms"].split(),
        )
        for at in MARK.finditer(text)
    ]


def changed(mark: Mark) -> dict[str, int] | None:
    """Return how many lines of each room have changed since, of those that have; None where the commit is not known."""
    files = changed_files(mark.commit)
    if files is None:
        return None
    lines = {
        room: sum(
            count for file, count in files.items() if f"{file}/".startswith(f"{PACKAGE}/{room}/")
        )
        for room in mark.rooms
    }
    return {room: count for room, count in lines.items() if count}


@cache
def changed_files(commit: str) -> dict[str, int] | None:
    """Return how many lines of each file of the package have changed since a commit; None where it is not known.

    A file that has moved counts under its present path, with what has changed in it.
    """
    command = ["git", "-C", str(ROOT), "diff", "--find-renames=40%", "--numstat", "-z", commit]
    ran = subprocess.run([*command, "--", PACKAGE], capture_output=True, text=True, check=False)
    if ran.returncode:
        return None
    lines = {}
    fields = iter(ran.stdout.split("\0"))
    for field in fields:
        added, deleted, path = [*field.split("\t"), "", "", ""][:3]
        if added and not path:  # the old and the new path follow
            next(fields)
            path = next(fields)
        lines[path] = sum(int(count) for count in (added, deleted) if count.isdecimal())
    return lines


def table_of(found: Sequence[Mark]) -> tuple[Table, int]:
    """Return the table of marks, and how many figures are older than their code."""
    table, older = (
        Table(
            "Figures, and lines of their code that have changed since", ("mark", "command", "since")
        ),
        0,
    )
    for mark in found:
        since = changed(mark)
        older += since != {}
        told = (
            "unknown commit"
            if since is None
            else ", ".join(f"{room} {count}" for room, count in since.items())
        )
        table.rows.append([f"{mark.page}:{mark.line}", mark.command, told or NONE])
    return table, older


def main() -> None:
    table, older = table_of([mark for page in PAGES for mark in marks(page)])
    table.show()
    if older:
        sys.exit(f"{older} of {len(table.rows)} are older than their code.")


if __name__ == "__main__":
    main()
