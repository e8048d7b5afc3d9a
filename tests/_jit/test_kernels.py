"""The shape of kernels, wherever they are: few enough arguments to be read at their call."""

import ast
import gc
import inspect
from collections import defaultdict
from pathlib import Path

import pytest
from numba.core.errors import TypingError

import equilibrist as eq
from equilibrist._jit.compile import INTERPRETED, PLAIN, compiled
from equilibrist._jit.compile_lock import LISTENERS
from equilibrist._jit.prepared import Prepared
from equilibrist.mccfr import draw, update
from support.sources import nodes_of

DECORATORS = ("compiled", "inline_ir", "inlined")
MOST_ARGUMENTS = 8


def decorated(node, names):
    """Return whether a function has one of these decorators."""
    decorators = {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
    return not decorators.isdisjoint(names)


def kernels():
    """Yield the name, with its file, and the number of arguments of each kernel of the package."""
    for path, node in nodes_of(ast.FunctionDef):
        if decorated(node, DECORATORS):
            yield f"{path}: {node.name}", len(node.args.args)


def test_kernels_have_at_most_eight_arguments():
    found = dict(kernels())
    assert len(found) > 80
    assert [name for name, arguments in found.items() if arguments > MOST_ARGUMENTS] == []


def is_literal(argument):
    """Return whether the compiler knows an argument by its value: a number, a constant, or a tuple with one."""
    if isinstance(argument, ast.Tuple):
        return any(map(is_literal, argument.elts))
    if isinstance(argument, ast.UnaryOp):
        return is_literal(argument.operand)
    is_number = isinstance(argument, ast.Constant) and isinstance(argument.value, int)
    return is_number or (isinstance(argument, ast.Name) and argument.id.isupper())


def literals_for_kernels():
    """Yield each call of a kernel, by another one, that gives it a literal."""
    kernels_of = defaultdict(set)
    for path, node in nodes_of(ast.FunctionDef):
        if decorated(node, ["compiled"]):
            kernels_of[path].add(node.name)
    known = {path: set(names) for path, names in kernels_of.items()}
    for path, node in nodes_of(ast.ImportFrom):
        file = f"/{(node.module or '').rpartition('.')[2]}.py"
        there = set().union(*(kernels_of[other] for other in kernels_of if other.endswith(file)))
        known.setdefault(path, set()).update(there & {alias.name for alias in node.names})
    for path, node in nodes_of(ast.FunctionDef):
        if decorated(node, DECORATORS):
            for call in ast.walk(node):
                name = getattr(call.func, "id", None) if isinstance(call, ast.Call) else None
                if name in known.get(path, ()) and any(map(is_literal, call.args)):
                    yield path, name


def test_kernels_give_kernels_no_literals():
    """A kernel is compiled once more for a literal, and again what it calls: ``np.int64(1)`` is none."""
    # It takes a tenth of a second, and both calls give it the same one.
    assert {found for found in literals_for_kernels() if found[1] != "choose"} == set()


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


def kernels_run_by_python():
    """Yield the kernels of sampling that Python runs, statement by statement, where the rules are of Python."""
    modules = {"draw": draw, "update": update}
    for _, node in nodes_of(ast.Call):
        if ast.unparse(node.func) == "self._kernel":
            kernel = node.args[0]
            assert isinstance(kernel, ast.Attribute)
            yield getattr(modules[ast.unparse(kernel.value)], kernel.attr).py_func


def calls_by_python(functions):
    """Yield the name of each function that is reached from these by Python alone, and the kernels that it calls."""
    waiting = list(functions)
    reached = set(waiting)
    while waiting:
        function = waiting.pop()
        called = [function.__globals__.get(name) for name in function.__code__.co_names]
        yield function.__qualname__, [kernel for kernel in called if hasattr(kernel, "py_func")]
        copied = {callee for callee in called if inspect.isfunction(callee)}
        waiting += copied - reached
        reached |= copied


@pytest.mark.skipif(INTERPRETED or PLAIN, reason="Numba compiles an entry for everything")
def test_what_python_runs_calls_no_kernel_without_an_entry():
    """Samples of rules in Python are drawn by the kernels' own functions, which call others by their names."""
    found = dict(calls_by_python(kernels_run_by_python()))
    assert {"draw_batch", "_chance_number", "insert_infosets"} <= set(found)
    for function, kernels in found.items():
        assert [k.py_func.__name__ for k in kernels if not getattr(k, "has_entry", True)] == [], (
            function
        )


@compiled(allocates=False, entry=False)
def _add_one(x):
    return x + 1


@compiled(allocates=False)
def _add_two(x):
    return _add_one(_add_one(x))


@pytest.mark.skipif(INTERPRETED or PLAIN, reason="Numba compiles an entry for everything")
def test_what_only_kernels_call_refuses_python():
    """Without the sentence, Python would jump to machine code that is not there, and the process would end."""
    assert _add_two(1) == 3
    refused = "Python cannot call _add_one: it is compiled with entry=False"
    with pytest.raises(TypeError, match=refused):
        _add_one(1)
    with pytest.raises(TypeError, match=refused):
        Prepared(_add_one)(1)
