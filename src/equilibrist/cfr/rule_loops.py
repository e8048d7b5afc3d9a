"""Expressions of a rule of one's own as loops: what is done to each number alone is done in one pass.

``np.maximum(discount * regret + gain, 0)`` is one loop over a matrix here, where NumPy makes three
of it and two matrices between them.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numba  # noqa: F401  # whole before its parts
import numpy as np
from numba import types
from numba.extending import overload

from .rule_numpy import NUMBERS, OPTIONS, is_matrix, larger, new_matrix, put_array, smaller

IN_PLACE = "_in_place"
"""What the names end with of functions that change their first argument and return it."""

_OF_NUMBERS = {
    "add": "({0} + {1})",
    "subtract": "({0} - {1})",
    "multiply": "({0} * {1})",
    "divide": "({0} / {1})",
    "maximum": "larger({0}, {1})",
    "minimum": "smaller({0}, {1})",
    "where": "({1} if {0} else {2})",
}
_OF_ARRAYS = _OF_NUMBERS | {
    "maximum": "np.maximum({0}, {1})",
    "minimum": "np.minimum({0}, {1})",
    "where": "np.where({0}, {1}, {2})",
}
_COMPARISONS = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<="}


class Expression(NamedTuple):
    """What is computed of some operands.

    Attributes
    ----------
    of_numbers : str
        The text of it where the operands are numbers v0, v1, ….
    of_arrays : str
        The text of it in NumPy, where they are arrays or numbers x0, x1, ….
    """

    of_numbers: str
    of_arrays: str


class LoopWriter(ast.NodeTransformer):
    """Puts the call of a loop in the place of each expression that is computed number by number.

    Parameters
    ----------
    module : str
        Of which functions are meant, as in ``module.add(left, right)``.
    prefix : str
        Of the names of the loops.
    scratch : ast.expr
        What loops take room from, their last argument.

    Attributes
    ----------
    loops : dict
        The functions that are called, by the names that they have in the text.
    """

    def __init__(self, module: str, prefix: str, scratch: ast.expr) -> None:
        self.loops: dict[str, Callable[..., Any]] = {}
        self._module = module
        self._prefix = prefix
        self._scratch = scratch

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = self._function_of_numbers(node)
        if function is None:
            return self.generic_visit(node)
        operands: list[ast.expr] = []
        expression = self._join(function.removesuffix(IN_PLACE), node.args, operands)
        loop = make_loop(expression, len(operands), in_place=function.endswith(IN_PLACE))
        name = f"{self._prefix}{len(self.loops)}"
        self.loops[name] = loop
        call = ast.Call(ast.Name(name, ast.Load()), [*operands, self._scratch], [])
        return ast.copy_location(call, node)

    def _function_of_numbers(self, node: ast.Call) -> str | None:
        """Return the function that is called, if it is computed number by number."""
        module, _, name = ast.unparse(node.func).rpartition(".")
        if module == self._module and name.removesuffix(IN_PLACE) in _OF_NUMBERS:
            return name
        return None

    def _read(self, node: ast.expr, operands: list[ast.expr]) -> Expression:
        """Return an expression, and add what it is computed of to ``operands``."""
        if isinstance(node, ast.Call):
            function = self._function_of_numbers(node)
            if function is not None and not function.endswith(IN_PLACE):
                return self._join(function, node.args, operands)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sign = _COMPARISONS.get(type(node.ops[0]))
            if sign is not None:
                left = self._read(node.left, operands)
                right = self._read(node.comparators[0], operands)
                return Expression(
                    f"({left.of_numbers} {sign} {right.of_numbers})",
                    f"({left.of_arrays} {sign} {right.of_arrays})",
                )
        k = self._add_operand(node, operands)
        return Expression(f"v{k}", f"x{k}")

    def _join(
        self, function: str, arguments: Sequence[ast.expr], operands: list[ast.expr]
    ) -> Expression:
        """Return a function of expressions."""
        parts = [self._read(argument, operands) for argument in arguments]
        return Expression(
            _OF_NUMBERS[function].format(*(part.of_numbers for part in parts)),
            _OF_ARRAYS[function].format(*(part.of_arrays for part in parts)),
        )

    def _add_operand(self, node: ast.expr, operands: list[ast.expr]) -> int:
        """Return the place of an operand among others; a variable has one place."""
        if isinstance(node, ast.Name):
            for k, operand in enumerate(operands):
                if isinstance(operand, ast.Name) and operand.id == node.id:
                    return k
        operands.append(self.visit(node))
        return len(operands) - 1


@lru_cache(1024)
def make_loop(expression: Expression, count: int, *, in_place: bool) -> Callable[..., Any]:
    """Return a function of operands and of scratch that computes an expression of them.

    Where they are numbers and matrices column after column, as methods are given, it is one loop;
    else it is left to NumPy, or to what Numba makes of it. ``in_place`` stores the result in the
    first operand and returns that.
    """
    parameters = ", ".join([*(f"x{k}" for k in range(count)), "scratch"])
    computed = f"    return {expression.of_arrays}"
    if in_place:
        computed = f"    x0[...] = {expression.of_arrays}\n    return x0"
    in_numpy = _define(f"def in_numpy({parameters}):\n{computed}")

    def choose(*arguments: Any) -> Callable[..., Any]:
        *kinds, _ = arguments
        matrices = [k for k, kind in enumerate(kinds) if _is_kept_matrix(kind)]
        are_known = all(k in matrices or isinstance(kind, NUMBERS) for k, kind in enumerate(kinds))
        has_result = any(is_matrix(kind) for kind in kinds)
        if in_place:
            has_result = is_matrix(kinds[0])
        if are_known and has_result:
            return _define(_write_loop(expression, count, matrices, in_place=in_place))
        return in_numpy

    offered = _define(f"def offer({parameters}):\n    return choose({parameters})", choose=choose)
    call = _define(f"def call({parameters}):\n    return in_numpy({parameters})", in_numpy=in_numpy)
    overload(call, jit_options=OPTIONS, strict=False)(offered)
    return call


def _is_kept_matrix(kind: Any) -> bool:
    """Return whether a type is that of a matrix of numbers or booleans, column after column."""
    return is_matrix(kind) or is_matrix(kind, types.boolean)


def _write_loop(
    expression: Expression, count: int, matrices: Sequence[int], *, in_place: bool
) -> str:
    """Return the text of the loop; of ``count`` operands those in ``matrices`` are no numbers.

    Matrices with one column have a number for all columns.
    """
    parameters = ", ".join([*(f"x{k}" for k in range(count)), "scratch"])
    first = matrices[0]
    lines = [f"def loop({parameters}):", f"    rows, columns = x{first}.shape"]
    lines += [f"    columns = max(columns, x{k}.shape[1])" for k in matrices[1:]]
    for k in matrices:
        lines += [
            f"    if x{k}.shape[0] != rows or x{k}.shape[1] not in (1, columns):",
            '        raise ValueError("operands could not be broadcast together")',
            f"    step{k} = 0 if x{k}.shape[1] == 1 else 1",
        ]
    lines += [f"    v{k} = x{k}" for k in range(count) if k not in matrices]
    if in_place:
        # Where a column has numbers for all columns, it may be one of those that are changed.
        is_whole = " and ".join(f"x{k}.shape[1] == columns" for k in matrices)
        lines += [
            f"    is_whole = {is_whole}",
            "    result = x0",
            "    if not is_whole:",
            "        result = new_matrix(rows, columns, scratch)",
        ]
    else:
        lines.append("    result = new_matrix(rows, columns, scratch)")
    lines.append("    for column in range(columns):")
    lines += [f"        column{k} = column * step{k}" for k in matrices]
    lines.append("        for row in range(rows):")
    lines += [f"            v{k} = x{k}[row, column{k}]" for k in matrices]
    lines.append(f"            result[row, column] = {expression.of_numbers}")
    if in_place:
        lines += [
            "    if not (is_whole or put_array(x0, result)):",
            '        raise ValueError("operands could not be broadcast together")',
            "    return x0",
        ]
    else:
        lines.append("    return result")
    return "\n".join(lines)


def _define(text: str, **names: Any) -> Callable[..., Any]:
    """Return the function that a text defines."""
    namespace = {
        "np": np,
        "larger": larger,
        "smaller": smaller,
        "new_matrix": new_matrix,
        "put_array": put_array,
        **names,
    }
    exec(text, namespace)
    name = text.removeprefix("def ").partition("(")[0]
    function: Callable[..., Any] = namespace[name]
    return function
