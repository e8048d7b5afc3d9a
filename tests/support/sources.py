"""The package's files as syntax trees: read when a test asks for them, and once in a process."""

import ast
import gc
from collections import defaultdict
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import equilibrist as eq

ROOT = Path(eq.__file__).parent


@contextmanager
def made_to_stay():
    """Enclose what makes objects that stay: looking through them for garbage took most of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()


@cache
def syntax_trees():
    """Return the syntax tree of each file of the package, by its path below the package."""
    with made_to_stay():
        return {
            path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
            for path in sorted(ROOT.rglob("*.py"))
        }


@cache
def nodes_of_files():
    """Return all nodes of each file, by its path, in the order of ``ast.walk``."""
    trees = syntax_trees()
    with made_to_stay():
        return {path: list(ast.walk(tree)) for path, tree in trees.items()}


@cache
def _nodes_by_kind():
    by_kind = defaultdict(list)
    files = nodes_of_files()
    with made_to_stay():
        for path, nodes in files.items():
            for node in nodes:
                by_kind[type(node)].append((path, node))
    return by_kind


def nodes_of(*kinds):
    """Yield path and node of each node of these classes in the package, one class after the other."""
    for kind in kinds:
        yield from _nodes_by_kind()[kind]


def dotted_name(node):
    """Return the text of a name or an attribute, ``module.function``, in less time than ``ast.unparse`` takes."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted_name(node.value)}.{node.attr}"
    return ast.unparse(node)
