"""Rules of one's own as machine code: the methods of a class in NumPy become functions that Numba compiles.

A method keeps its text, but for what Numba does not know:

    state["regret"]                        a variable, the array of that name
    return {"regret": …}                   a tuple of the arrays, in the order of init()
    np.maximum(a * b + c, 0)               one loop over the numbers (rule_loops.py)
    x.sum(axis=1, keepdims=True)           a loop over the columns; max, min and mean, too
    np.divide(a, b, out=…, where=…)        a loop over the numbers
    a ** b                                 the same, but of integers a number with a fraction

Plain functions that it calls are compiled with it. ``self`` is a record of the numbers and arrays
that the methods read from it.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections import namedtuple
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple, NoReturn

import numba
import numpy as np
from numpy.typing import NDArray

from .._jit.borrow import borrow, view_matrix
from .._jit.compile import INTERPRETED, compiled_here
from .._util.text import shorten
from ..errors import AlgorithmError
from . import rule_numpy
from .own_rule import OwnRule
from .rule_blocks import StateArray
from .rule_loops import IN_PLACE, LoopWriter

Function = Callable[..., Any]

_OF_ROWS = {"sum": "sum_rows", "mean": "mean_rows", "max": "max_rows", "min": "min_rows"}
_OF_ELEMENTS = {"full_like": 2, "maximum": 2, "minimum": 2, "where": 3}  # and how many arguments
_BY_ROWS = ("reshape", "ravel")  # which change memory, or a copy, as the array stands row after row
_OPERATORS = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}
_PARAMETERS = {
    "strategy": ("self", "state", "t"),
    "observe": ("self", "state", "strategy", "values", "t"),
    "weights": ("self", "state", "t"),
}
_PREFIX = "_rule_"  # of names that are put into the text of a method
_NUMPY = "_rule_numpy"  # the module of what stands for NumPy's functions
_NEW = ("abs", "copy", "exp", "log", "ones_like", "sqrt", "square", "zeros_like")
_MAKE_ARRAYS = frozenset((*_NEW, *_OF_ELEMENTS, *_OF_ROWS.values(), *_OPERATORS.values()))
_SCRATCH = "_rule_scratch"  # the last parameter of a method and of the functions that it calls
_USE_SCRATCH = frozenset((*_OF_ROWS.values(), "sum_products", "full_like", "copy"))
_REMEDY = "Leave @eq.compiled_rule out, and the rule runs in NumPy."


class CompiledRule(NamedTuple):
    """A rule as functions of the numbers of :class:`~equilibrist.cfr.rule_blocks.RuleBlocks`; kernels take it, too.

    Attributes
    ----------
    settings : tuple
        The numbers and arrays that the methods read from the object, by name.
    learn : function
        ``learn(settings, state, blocks, strategy, values, t)`` changes the arrays of ``state`` in
        place. It returns the block where something is wrong, or -1; and k where array k, counted
        from 1, is given another shape there, or -k where it holds a nan.
    play : function
        ``play(settings, state, blocks, t, strategy)`` fills ``strategy`` in place. It returns the
        block where what the rule answered has another shape, or -1.
    weigh : function
        ``weigh(settings, state, blocks, t, weights)`` fills ``weights``, one an infoset, in place,
        and returns the same; with 1 where the rule has none.
    """

    settings: Any
    learn: Function
    play: Function
    weigh: Function


def compile_rule(rule: OwnRule, kinds: dict[str, StateArray]) -> CompiledRule:
    """Return a rule as machine code, where its class is marked by :func:`~equilibrist.compiled_rule`.

    ``kinds`` are the arrays that it knows, by name.

    Raises
    ------
    AlgorithmError
        Numba does not understand a method; the message names it, the line and Numba's reason.
    """
    methods = rule.rule
    if methods is None:
        rule.refuse_missing()
    methods_class = type(methods)
    names = ["strategy", "observe"]
    if rule.has_weights:
        names.append("weights")
    functions = tuple((name, getattr(methods_class, name)) for name in names)
    dimensions = tuple((name, kind.dimensions) for name, kind in kinds.items())
    made = _make_functions(methods_class.__name__, functions, dimensions)
    settings = made.settings(**{name: _read_setting(rule, name) for name in made.read})
    compiled = CompiledRule(settings, made.learn, made.play, made.weigh)
    arrays = tuple(np.zeros(0, kind.dtype) for kind in kinds.values())
    _compile_all(rule.text, compiled, arrays)
    return compiled


def _compile_all(text: str, rule: CompiledRule, arrays: tuple[NDArray[Any], ...]) -> None:
    """Have Numba compile the functions for arrays of these types."""
    if INTERPRETED:
        return
    typeof: Function = numba.typeof  # which has no types itself
    table = np.zeros((0, 0), np.int64)
    numbers = np.zeros(0)
    state = (arrays, table, numbers)
    arguments = {
        "strategy": (rule.settings, state, table, 1, numbers),
        "observe": (rule.settings, state, table, numbers, numbers, 1),
        "weights": (rule.settings, state, table, 1, numbers),
    }
    functions = {"strategy": rule.play, "observe": rule.learn, "weights": rule.weigh}
    for method, function in functions.items():
        try:
            kinds = tuple(typeof(argument) for argument in arguments[method])
            function.compile(kinds)  # type: ignore[attr-defined]
        except Exception as error:
            # Numba raises what it happens to come across
            _refuse(text, method, *_read_reason(error), error)


def _read_setting(rule: OwnRule, name: str) -> Any:
    """Return what a method reads from a rule: a number or an array of numbers."""
    value = getattr(rule.rule, name)
    if isinstance(value, bool | int | float | np.bool_ | np.number):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "bif":
        return value
    raise AlgorithmError(
        f"The rule {rule.text}: a compiled rule reads numbers and arrays from itself; got "
        f"self.{name} = {shorten(repr(value))}. {_REMEDY}",
        field="rule",
    )


class _Functions(NamedTuple):
    """The functions of a class, the class of its settings, and which these are."""

    settings: Any
    read: tuple[str, ...]
    learn: Function
    play: Function
    weigh: Function


@lru_cache(64)
def _make_functions(
    text: str,
    functions: tuple[tuple[str, FunctionType], ...],
    dimensions: tuple[tuple[str, int], ...],
) -> _Functions:
    """Return what a class of rules is compiled to; objects with other numbers share it.

    ``functions`` are its methods by name: strategy, observe and, where there are, weights.
    ``dimensions`` are the names of the arrays of its state, and how many dimensions each has for
    one infoset.
    """
    names = tuple(name for name, _ in dimensions)
    methods = {method: _MethodText(text, method, function, names) for method, function in functions}
    read = tuple(sorted({name for method in methods.values() for name in method.settings}))
    # Numba takes no records without a field
    make_record: Any = namedtuple  # whose fields mypy wants to see
    settings = make_record("Settings", (*read, "nothing_else"), defaults=(0.0,))
    namespace = {
        **{f"answer_{name}": method.compile() for name, method in methods.items()},
        "borrow": borrow,
        "view_matrix": view_matrix,
        "clear_scratch": rule_numpy.clear_scratch,
        "put_array": rule_numpy.put_array,
        "put_column": rule_numpy.put_column,
        "has_nan": rule_numpy.has_nan,
    }
    exec(_write_view(dimensions), namespace)
    namespace["view_state"] = compiled_here(namespace["view_state"])
    exec(_write_functions(dimensions, methods["observe"].changed), namespace)
    exec(_write_weigh() if "weights" in methods else _WEIGH_ALIKE, namespace)
    return _Functions(
        settings=settings,
        read=read,
        learn=compiled_here(namespace["learn"]),
        play=compiled_here(namespace["play"]),
        weigh=compiled_here(namespace["weigh"]),
    )


def _write_view(dimensions: Sequence[tuple[str, int]]) -> str:
    """Return the text of the function that gives what is known of a block: an array (infosets, …) each."""
    lines = ["def view_state(state, b, rows):", "    arrays, layout, _ = state"]
    for k, column, count in _place_columns(dimensions):
        shape = [f"layout[b, {column + 1 + axis}]" for axis in range(count)]
        size = " * ".join(["rows", *shape])
        start = f"layout[b, {column}]"
        if count == 1:
            lines.append(f"    numbers_{k} = view_matrix(arrays[{k}], {start}, rows, {shape[0]})")
        else:
            lines.append(f"    numbers_{k} = arrays[{k}][{start} : {start} + {size}]")
        if count > 1:
            lines.append(
                f"    numbers_{k} = numbers_{k}.reshape(({', '.join(shape[::-1])}, rows)).T"
            )
    arrays = "".join(f"numbers_{k}, " for k in range(len(dimensions)))
    return "\n".join([*lines, f"    return ({arrays})"])


def _place_columns(dimensions: Sequence[tuple[str, int]]) -> list[tuple[int, int, int]]:
    """Return the place of each array, of its first column in the layout of blocks, and its dimensions."""
    places = []
    column = 0
    for k, (_, count) in enumerate(dimensions):
        places.append((k, column, count))
        column += 1 + count
    return places


_EACH_BLOCK = (
    "    settings = borrow(settings)",
    "    state = borrow(state)",
    "    scratch = state[2]",
    "    for b in range(len(blocks)):",
    "        rows = blocks[b, 0]",
    "        block_state = view_state(state, b, rows)",
    "        clear_scratch(scratch)",
)
"""How a function begins that calls a method for one block after the other."""

_WEIGH_ALIKE = """
def weigh(settings, state, blocks, t, weights):
    weights[:] = 1.0
    return -1
"""
"""The function of a rule without weights, which is compiled into the loop of iterations and not called."""


def _write_functions(dimensions: Sequence[tuple[str, int]], changed: Sequence[str]) -> str:
    """Return the text of the functions that call the methods, and put what they answer in its place."""
    names = [name for name, _ in dimensions]
    block = [
        "    strategy = borrow(strategy)",
        *_EACH_BLOCK,
        "        actions = blocks[b, 1]",
        "        start = blocks[b, 2]",
        "        played = view_matrix(strategy, start, rows, actions)",
    ]
    lines = [
        "def play(settings, state, blocks, t, strategy):",
        *block,
        f"        answer = answer_strategy(settings, block_state, t, {_SCRATCH}=scratch)",
        "        if not put_array(played, answer):",
        "            return b",
        "    return -1",
        "def learn(settings, state, blocks, strategy, values, t):",
        "    values = borrow(values)",
        *block,
        "        told = view_matrix(values, start, rows, actions)",
        "        after = answer_observe(",
        f"            settings, block_state, played, told, t, {_SCRATCH}=scratch",
        "        )",
    ]
    for place, name in enumerate(changed):
        k = names.index(name)
        lines += [
            f"        if not put_array(block_state[{k}], after[{place}]):",
            f"            return b, {k + 1}",
        ]
    for k, column, _ in _place_columns(dimensions):
        lines += [
            f"        if has_nan(state[0][{k}], state[1][b, {column}], block_state[{k}].size):",
            f"            return b, {-k - 1}",
        ]
    return "\n".join([*lines, "    return -1, 0"])


def _write_weigh() -> str:
    """Return the text of the function that asks for the weights of an iteration, one an infoset."""
    lines = [
        "def weigh(settings, state, blocks, t, weights):",
        "    weights = borrow(weights)",
        "    first = 0",
        *_EACH_BLOCK,
        f"        answer = answer_weights(settings, block_state, t, {_SCRATCH}=scratch)",
        "        if not put_column(weights[first : first + rows], answer):",
        "            return b",
        "        first += rows",
        "    return -1",
    ]
    return "\n".join(lines)


def _refuse(
    text: str, method: str, line: int | None, reason: str, error: Exception | None = None
) -> NoReturn:
    """Refuse a class that cannot be compiled."""
    place = f" at line {line}" if line else ""
    raise AlgorithmError(
        f"The rule {text}: Numba does not understand {method}(){place}: {reason}. {_REMEDY}",
        field="rule",
    ) from error


def _read_reason(error: Exception) -> tuple[int | None, str]:
    """Return the line that Numba complains of, and why."""
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = [
        int(line)
        for file, line in re.findall(r'File "(.*?)", line (\d+)', message)
        if file != "<string>"
    ]
    reasons = [
        line.strip(" .")
        for line in message.splitlines()
        if line.strip() and not line.startswith(("Failed in", "During:"))
    ]
    line = places[0] if places else None
    # Where Numba tried a function that says itself what is wrong, that is the reason.
    said = re.search(r"raised a specific error:\s*\w+: (.*)", message)
    if said:
        return line, shorten(said[1].strip(" ."))
    reason = next((line for line in reasons if not line.startswith("- ")), type(error).__name__)
    return line, shorten(reason)


class _MethodText(ast.NodeTransformer):
    """The text of a method, or of a function that one calls, as Numba understands it.

    Attributes
    ----------
    settings : set of str
        What it reads from ``self``.
    changed : tuple of str
        The arrays of the state that it gives another value, in the order in which it returns them.
    """

    def __init__(
        self, text: str, method: str, function: FunctionType, names: tuple[str, ...] | None = None
    ) -> None:
        self.text = text
        self.method = method
        self.function = function
        self.settings: set[str] = set()
        self.changed: tuple[str, ...] = ()
        self._names = names
        self._first_line = 1
        self._definition = self._read_definition()
        parameters = [argument.arg for argument in self._definition.args.args]
        if names is not None and len(parameters) != len(_PARAMETERS[method]):
            self._refuse(self._definition, f"it takes ({', '.join(_PARAMETERS[method])})")
        self._self = parameters[0] if names is not None else None
        self._state = parameters[1] if names is not None else None
        if names is not None and method == "observe":
            self.changed = self._find_changed(names)
        self._change_definition()

    def compile(self) -> Function:
        """Return the function, for Numba to compile."""
        namespace = self._make_namespace()
        writer = LoopWriter(_NUMPY, f"{_PREFIX}loop", ast.Name(_SCRATCH, ast.Load()))
        definition = writer.visit(self._definition)
        namespace |= writer.loops
        module = ast.fix_missing_locations(ast.Module([definition], []))
        exec(compile(module, self.function.__code__.co_filename, "exec"), namespace)
        return compiled_here(namespace[self._definition.name], checked=True)

    def _read_definition(self) -> ast.FunctionDef:
        try:
            lines, first_line = inspect.getsourcelines(self.function)
            module = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, TypeError, SyntaxError) as error:
            _refuse(self.text, self.method, None, "its text is in no file", error)
        definition = module.body[0]
        if not isinstance(definition, ast.FunctionDef):
            _refuse(self.text, self.method, first_line, "it is no function that def makes")
        if not _is_text_of(module, self.function):
            _refuse(self.text, self.method, first_line, "its file has changed since it was read")
        ast.increment_lineno(module, first_line - 1)
        if definition.decorator_list:
            self._refuse(definition, "it has decorators")
        return definition

    def _find_changed(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the arrays that are assigned; all of them where a dictionary is returned."""
        assigned = set()
        for node in ast.walk(self._definition):
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Dict):
                return names
            # what "+=" changes stays the array that it is
            if not isinstance(node, ast.AugAssign):
                targets = getattr(node, "targets", [getattr(node, "target", None)])
                for target in targets:
                    if target is not None:
                        assigned |= {self._read_name(part) for part in ast.walk(target)}
        return tuple(name for name in names if name in assigned)

    def _read_name(self, node: ast.AST) -> str | None:
        """Return the name of an array, where a node is one of the state that is stored to."""
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
            return None
        is_array = node.value.id == self._state and isinstance(node.ctx, ast.Store)
        if is_array and isinstance(node.slice, ast.Constant):
            return str(node.slice.value)
        return None

    def _change_definition(self) -> None:
        definition = self._definition
        for argument in ast.walk(definition.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        definition.returns = None
        definition.body = [self.visit(statement) for statement in definition.body]
        if _has_room(self.function):
            definition.args.args.append(ast.arg(_SCRATCH))
            definition.args.defaults.append(ast.Constant(None))
        else:
            definition.body.insert(0, ast.parse(f"{_SCRATCH} = None").body[0])
        if self._names is None:
            return
        unpacked = [
            ast.parse(f"{self._variable(name)} = {self._read_array(k)}").body[0]
            for k, name in enumerate(self._names)
            if self.method != "weights" or self._reads(name)
        ]
        if self.method == "observe":
            last = ast.Return(self._write_answer(), lineno=definition.body[-1].lineno, col_offset=0)
            definition.body.append(last)
        definition.body[:0] = unpacked

    def _read_array(self, k: int) -> str:
        """Return the text of an array of the state; of a copy, for a method that may not change it."""
        array = f"{self._state}[{k}]"
        if self.method == "weights":
            return f"{_NUMPY}.copy({array}, {_SCRATCH})"
        return array

    def _reads(self, name: str) -> bool:
        """Return whether the method, already changed, reads an array of the state."""
        return any(
            isinstance(node, ast.Name) and node.id == self._variable(name)
            for node in ast.walk(self._definition)
        )

    def _variable(self, name: str) -> str:
        return f"{_PREFIX}{name}"

    def _refuse(self, node: ast.AST, reason: str) -> NoReturn:
        _refuse(self.text, self.method, getattr(node, "lineno", None), reason)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == self._state:
            if not isinstance(node.slice, ast.Constant):
                self._refuse(node, "the names of arrays must stand in the text")
            if self.method == "weights" and not isinstance(node.ctx, ast.Load):
                self._refuse(node, f"it changes {node.slice.value!r}, which observe() does")
            if node.slice.value not in (self._names or ()):
                self._refuse(node, f"init() names no array {node.slice.value!r}")
            name = ast.Name(self._variable(node.slice.value), node.ctx)
            return ast.copy_location(name, node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._state is not None and node.id == self._state:
            self._refuse(node, "a compiled rule uses the state as state['name'] alone")
        if node.id == "super":
            self._refuse(node, "it calls super(): write the method out, or make it a function")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == self._self:
            if not isinstance(node.ctx, ast.Load):
                self._refuse(node, f"it changes self.{node.attr}, which no saved run keeps")
            self.settings.add(node.attr)
            return node
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        if name is None:
            return node
        return self._call(node, name, [node.left, node.right])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        if name in (None, "power") or not isinstance(node.target, ast.Name):
            return node
        target = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        value = self._call(node, f"{name}{IN_PLACE}", [target, node.value])
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if isinstance(function, ast.Name) and self._takes_scratch_there(function.id):
            node.keywords.append(ast.keyword(_SCRATCH, ast.Name(_SCRATCH, ast.Load())))
        if not isinstance(function, ast.Attribute):
            return self.generic_visit(node)
        if isinstance(function.value, ast.Name) and function.value.id == self._self:
            self._refuse(node, f"it calls self.{function.attr}(): make it a function")
        if function.attr in _BY_ROWS:
            self._refuse(node, f"it calls {function.attr}(), and arrays stand column after column")
        self.generic_visit(node)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if function.attr == "divide" and keywords.keys() == {"out", "where"}:
            arguments = [*node.args, keywords["out"], keywords["where"]]
            return self._call(node, "divide_where", arguments)
        if _OF_ELEMENTS.get(function.attr) == len(node.args) and not keywords:
            return self._call(node, function.attr, node.args)
        if function.attr in _OF_ROWS and self._is_by_rows(node, keywords):
            if node.args:
                numbers = node.args[0]
            else:
                numbers = function.value
            if function.attr == "sum" and self._is_product(numbers):
                return self._call(node, "sum_products", numbers.args)  # type: ignore[attr-defined]
            return self._call(node, _OF_ROWS[function.attr], [numbers])
        return node

    def _is_product(self, node: ast.expr) -> bool:
        """Return whether an expression, already changed, is a product."""
        return isinstance(node, ast.Call) and ast.unparse(node.func) == f"{_NUMPY}.multiply"

    def _is_by_rows(self, node: ast.Call, keywords: dict[str | None, ast.expr]) -> bool:
        """Return whether a call has axis=1 and keepdims=True, and the numbers are one argument or the object."""
        if keywords.keys() != {"axis", "keepdims"} or len(node.args) > 1:
            return False
        axis = ast.unparse(keywords["axis"])
        return axis in ("1", "-1") and ast.unparse(keywords["keepdims"]) == "True"

    def _call(self, node: ast.AST, kernel: str, arguments: list[ast.expr]) -> ast.expr:
        """Return the call of a function of :mod:`.rule_numpy`."""
        function = ast.Attribute(ast.Name(_NUMPY, ast.Load()), kernel, ast.Load())
        if kernel in _USE_SCRATCH:
            arguments = [*arguments, ast.Name(_SCRATCH, ast.Load())]
        return ast.copy_location(ast.Call(function, arguments, []), node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if self._names is None or self.method != "observe":
            return self.generic_visit(node)
        returned = node.value
        if returned is None or (isinstance(returned, ast.Constant) and returned.value is None):
            return ast.copy_location(ast.Return(self._write_answer()), node)
        if not isinstance(returned, ast.Dict):
            self._refuse(node, "observe() must return a dictionary that stands there, or None")
        arrays: dict[str, ast.expr] = {}
        for key, value in zip(returned.keys, returned.values, strict=True):
            if not isinstance(key, ast.Constant):
                self._refuse(node, "the names of arrays must stand in the text")
            arrays[str(key.value)] = self.visit(value)
        if arrays.keys() != set(self._names):
            self._refuse(node, f"init() names the arrays {', '.join(self._names)}")
        return ast.copy_location(ast.Return(self._write_answer(arrays)), node)

    def _write_answer(self, arrays: dict[str, ast.expr] | None = None) -> ast.expr:
        """Return the tuple of the arrays that have changed; none of them shares memory with another."""
        if arrays is None:
            arrays = {name: ast.Name(self._variable(name), ast.Load()) for name in self.changed}
        parts: list[ast.expr] = []
        for name in self.changed:
            array = arrays[name]
            if not self._is_new(array):
                array = self._call(array, "copy", [array])
            parts.append(array)
        if not parts:
            return ast.Constant(0)
        return ast.Tuple(parts, ast.Load())

    def returns_new(self) -> bool:
        """Return whether it returns arrays of its own, which share memory with no other."""
        returned = [
            node.value for node in ast.walk(self._definition) if isinstance(node, ast.Return)
        ]
        return all(value is not None and self._is_new(value) for value in returned)

    def _is_new(self, node: ast.expr) -> bool:
        """Return whether an expression makes an array of its own, which shares memory with no other."""
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare):
            return True
        if isinstance(node, ast.Name):
            return self._is_new_variable(node.id)
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Attribute):
            return node.func.attr in _MAKE_ARRAYS
        if isinstance(node.func, ast.Name):
            helper = self._outside().get(node.func.id)
            if isinstance(helper, FunctionType):
                return _read_helper(self.text, self.method, helper).returns_new()
        return False

    def _is_new_variable(self, name: str) -> bool:
        """Return whether a variable is given nothing but arrays of its own, and once."""
        stored = [
            node
            for node in ast.walk(self._definition)
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        ]
        values = [
            node.value
            for node in ast.walk(self._definition)
            if isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == name
        ]
        return len(stored) == len(values) == 1 and self._is_new(values[0])

    def _takes_scratch_there(self, name: str) -> bool:
        """Return whether a function that is called by a name takes scratch."""
        helper = self._outside().get(name)
        if not isinstance(helper, FunctionType) or name in self.function.__code__.co_varnames:
            return False
        return _has_room(helper)

    def _outside(self) -> dict[str, Any]:
        """Return what the function finds outside of itself."""
        variables = inspect.getclosurevars(self.function)
        return {**self.function.__globals__, **variables.nonlocals}

    def _make_namespace(self) -> dict[str, Any]:
        """Return what the function finds outside of itself; functions that it calls are compiled as well."""
        namespace = self._outside()
        read = {
            node.id for node in ast.walk(self._definition) if isinstance(node, ast.Name)
        } & namespace.keys()
        for name in read:
            helper = namespace[name]
            if isinstance(helper, FunctionType):
                namespace[name] = _compile_helper(self.text, self.method, helper)
        namespace[_NUMPY] = rule_numpy
        return namespace


def _is_text_of(module: ast.Module, function: FunctionType) -> bool:
    """Return whether a function has been made from a text: the same name, variables and numbers."""

    def describe(code: Any) -> tuple[Any, ...]:
        names = {*code.co_names, *code.co_freevars} - {"__class__"}
        constants = {
            repr(constant) for constant in code.co_consts if not hasattr(constant, "co_code")
        }
        return code.co_name, names, code.co_varnames, constants

    made = compile(module, "", "exec").co_consts
    codes = [code for code in made if hasattr(code, "co_code")]
    return any(describe(code) == describe(function.__code__) for code in codes)


def _has_room(function: FunctionType) -> bool:
    """Return whether a function takes another parameter: one that takes any number of arguments does not."""
    return not function.__code__.co_flags & inspect.CO_VARARGS


@lru_cache(256)
def _read_helper(text: str, method: str, function: FunctionType) -> _MethodText:
    """Return the text of a function that a method calls; one that calls itself is not understood."""
    return _MethodText(text, method, function)


@lru_cache(256)
def _compile_helper(text: str, method: str, function: FunctionType) -> Function:
    """Return a function that a method calls, compiled."""
    return _read_helper(text, method, function).compile()
