"""The package's files as syntax trees: read when a test asks for them, and once in a process."""

import ast
from functools import cache
from pathlib import Path

import equilibrist as eq

ROOT = Path(eq.__file__).parent


@cache
def syntax_trees():
    """Return the syntax tree of each file of the package, by its path below the package."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.rglob("*.py"))
    }
