"""Merging of helpers into the kernels that call them, as a pass of Numba's compiler.

It does what Numba's own pass does for ``inline="always"``, with the same result, in a tenth of the
time: Numba translates a helper anew wherever it is called, and copies it block by block, each time
with all variables of the function.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

import numba  # noqa: F401  # whole before its parts
from numba.core import compiler as _compiler
from numba.core import ir, postproc, targetconfig, transforms, untyped_passes
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir_utils import get_definition
from numba.core.typed_passes import NativeLowering, NopythonRewrites

from .loops import LoopLowering

_PACKAGE = __name__.partition(".")[0]
_PassBuilder: Any = _compiler.DefaultPassBuilder
_inlining: Any = untyped_passes.InlineInlinables  # Numba has no useful types
_PostProcessor: Any = postproc.PostProcessor
_analyse = _PostProcessor.run
_TargetConfig: Any = targetconfig.TargetConfig


class _Block(ir.Block):
    """A block that need not be copied before it becomes part of another function: it is a copy already."""

    def __deepcopy__(self, memo: Any) -> _Block:
        return self


_TRANSLATED: dict[Callable[..., Any], Any] = {}
"""The text of each helper after the passes before types are inferred, with what it calls merged into it."""


def _copied(text: Any) -> Any:
    """Return a copy of a function's text in which variables may be replaced; it shares what is never changed."""
    old = next(iter(text.blocks.values())).scope
    scope = ir.Scope(old.parent, old.loc)
    for name, variable in old.localvars._con.items():
        scope.localvars.define(name, variable)
    copied = text.copy()
    copied.blocks = {}
    for label, block in text.blocks.items():
        copied.blocks[label] = _Block(scope, block.loc)
        copied.blocks[label].body = [_copied_statement(statement) for statement in block.body]
    return copied


def _copied_statement(statement: Any) -> Any:
    copied = copy.copy(statement)
    if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
        copied.value = copy.copy(statement.value)
        copied.value._kws = dict(statement.value._kws)
    return copied


@register_pass(mutates_CFG=True, analysis_only=False)
class MergeHelpers(_inlining):  # type: ignore[misc]
    """Put the text of merged helpers where they are called."""

    _name = "merge_helpers"

    def _do_work(
        self, state: Any, work_list: Any, block: Any, place: int, call: Any, worker: Any
    ) -> bool:
        called = get_definition(state.func_ir, call.func)
        helper: Any = (
            getattr(called, "value", None) if isinstance(called, (ir.Global, ir.FreeVar)) else None
        )
        if getattr(helper, "targetoptions", {}).get("inline") != "always":
            return False
        function = helper.py_func
        worker._compiler_pipeline = _untyped
        if function not in _TRANSLATED:
            _TRANSLATED[function] = worker.run_untyped_passes(function)
        text = _copied(_TRANSLATED[function])
        *_, blocks = worker.inline_ir(
            state.func_ir, block, place, text, function.__code__.co_freevars
        )
        for _, merged in blocks:
            merged.__class__ = ir.Block
        work_list.extend(blocks)
        return True


def _untyped(state: Any) -> PassManager:
    return _with_merging(_PassBuilder.define_untyped_pipeline(state))


def _with_merging(passes: PassManager) -> PassManager:
    passes.passes = [
        (MergeHelpers if step is _inlining else step, what) for step, what in passes.passes
    ]
    passes.finalize()
    return passes


class HelperCompiler(_compiler.CompilerBase):
    """Numba's compiler with this pass in the place of its own.

    Kernels that make no arrays have no expressions of arrays, which Numba looks for in a tenth of
    the time.
    """

    lowering: Any = NativeLowering

    def define_pipelines(self) -> list[PassManager]:
        passes = _PassBuilder.define_nopython_pipeline(self.state)
        if not self.state.flags.nrt:
            passes.passes = [step for step in passes.passes if step[0] is not NopythonRewrites]
        passes.passes = [
            (self.lowering if step is NativeLowering else step, what)
            for step, what in passes.passes
        ]
        return [_with_merging(passes)]


class Compiler(HelperCompiler):
    """The same for kernels, with loops as they are written."""

    lowering = LoopLowering


def _analyse_less(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Do what Numba does after each pass, without the variables that live at the beginning of each block: only
    generators and what runs as Python ask for them, and they take a tenth of the time.
    """
    text = self.func_ir
    if text.is_generator or text.func_id.modname.partition(".")[0] != _PACKAGE:
        _analyse(self, emit_dels, extend_lifetimes)
        return
    text.blocks = transforms.canonicalize_cfg(text.blocks)
    text.variable_lifetime = postproc.VariableLifetime(text.blocks)
    text.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


_PostProcessor.run = _analyse_less


@cache
def _default_options(kind: Hashable) -> dict[str, Any]:
    """Return all options of a kind of settings of the compiler, with what they are unless they are set."""
    config: Any = kind
    return {name: option.default for name, option in config.options.items()}


def _option_values(self: Any) -> dict[str, Any]:
    """Return the values of all options, as Numba does, which reads them one by one.

    It compares settings whenever it looks for what it has compiled, thousands of times for a kernel.
    """
    kind: Any = type(self)
    values: dict[str, Any] = self._values
    return _default_options(kind) | values


_TargetConfig.values = _option_values
