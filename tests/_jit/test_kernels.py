"""The shape of kernels, wherever they are: few enough arguments to be read at their call."""

import ast
import gc
from pathlib import Path

import pytest
from numba.core.errors import TypingError

import equilibrist as eq
from equilibrist._jit.compile import compiled
from equilibrist._jit.compile_lock import LISTENERS
from support.sources import nodes_of

DECORATORS = ("compiled", "inline_ir", "inlined")
MOST_ARGUMENTS = 8


def kernels():
    """Yield the name, with its file, and the number of arguments of each kernel of the package."""
    for path, node in nodes_of(ast.FunctionDef):
        names = {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
        if names.intersection(DECORATORS):
            yield f"{path}: {node.name}", len(node.args.args)


def test_kernels_have_at_most_eight_arguments():
    found = dict(kernels())
    assert len(found) > 80
    assert [name for name, arguments in found.items() if arguments > MOST_ARGUMENTS] == []


def test_numba_is_imported_whole_before_a_part_of_it():
    """Threads that begin with different parts at the same time see modules that are half imported."""
    for path in Path(eq.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
        parts = [
            place
            for place, line in enumerate(lines)
            if line.startswith(("from numba", "from llvmlite"))
        ]
        if parts:
            assert any(
                line.partition(" #")[0].strip() == "import numba" for line in lines[: parts[0]]
            ), path


def test_garbage_is_not_looked_for_while_a_kernel_is_compiled(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "equilibrist._jit.compile_lock.LISTENERS",
        [*LISTENERS, lambda _: seen.append(gc.isenabled())],
    )
    with pytest.raises(TypingError):  # so that it is never on disk
        compiled(allocates=False)(lambda number: number.missing)(1)
    assert seen == [False, True]
