"""What a reader of the package looks at when an issue ends: ``python -m tests.house`` prints it, and asserts nothing.

For each room: lines, nodes of the syntax tree, and three ratios that tell dense code from code that is written to be
read again. Parallel assignments are those of two or more values to as many names in one statement; the swap of two
names and the unpacking of what a call returns are none. The wishes: at most 2 % parallel assignments, 3 % lines over
100 columns, 12 conditional expressions in 1,000 lines. No test holds them, so that nobody writes for the count.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "equilibrist"
COLUMNS = 100
HEADINGS = (
    "room",
    "lines",
    "nodes",
    "parallel assignments",
    "long lines",
    "conditionals / 1,000 lines",
)


class Weight(NamedTuple):
    """Counts of a file, of a room or of the package."""

    lines: int = 0
    nodes: int = 0  # of the syntax tree
    assignments: int = 0
    parallel: int = 0  # assignments of several values to several names
    long: int = 0  # lines over COLUMNS columns
    conditionals: int = 0  # expressions `a if b else c`

    def plus(self, other: Weight) -> Weight:
        """Return the counts of both together."""
        return Weight(*(ours + theirs for ours, theirs in zip(self, other, strict=True)))


def is_parallel(node: ast.Assign) -> bool:
    """Return whether a statement assigns several values to several targets, other than the same in another order."""
    if not isinstance(node.value, ast.Tuple) or not isinstance(node.targets[0], ast.Tuple):
        return False
    targets = sorted(ast.unparse(target) for target in node.targets[0].elts)
    values = sorted(ast.unparse(value) for value in node.value.elts)
    return targets != values


def weigh(path: Path) -> Weight:
    """Return the counts of a file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    nodes = list(ast.walk(ast.parse(text)))
    return Weight(
        lines=len(lines),
        nodes=len(nodes),
        assignments=sum(
            isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) for node in nodes
        ),
        parallel=sum(isinstance(node, ast.Assign) and is_parallel(node) for node in nodes),
        long=sum(len(line) > COLUMNS for line in lines),
        conditionals=sum(isinstance(node, ast.IfExp) for node in nodes),
    )


def weigh_rooms() -> dict[str, Weight]:
    """Return the counts of each room, by its name, the heaviest first."""
    rooms: dict[str, Weight] = defaultdict(Weight)
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        rooms[room] = rooms[room].plus(weigh(path))
    return dict(sorted(rooms.items(), key=lambda item: -item[1].nodes))


def row(name: str, weight: Weight) -> str:
    """Return a line of the table."""
    parallel = weight.parallel / max(weight.assignments, 1)
    long = weight.long / max(weight.lines, 1)
    conditionals = 1000 * weight.conditionals / max(weight.lines, 1)
    return (
        f"{name:16}{weight.lines:>8,}{weight.nodes:>10,}{parallel:>22.1%}{long:>12.1%}"
        f"{conditionals:>28.1f}"
    )


def main() -> None:
    """Print the table."""
    rooms = weigh_rooms()
    heading = HEADINGS
    print(
        f"{heading[0]:16}{heading[1]:>8}{heading[2]:>10}{heading[3]:>22}{heading[4]:>12}{heading[5]:>28}"
    )
    whole = Weight()
    for name, weight in rooms.items():
        print(row(name, weight))
        whole = whole.plus(weight)
    print(row("all", whole))


if __name__ == "__main__":
    main()
