"""Loops that LLVM leaves as they are written, as a pass of Numba's compiler.

LLVM copies the body of a loop whose length it does not know eight times, and asks at run time
whether as many rounds are left. Most inner loops here are over two or three actions, and never get
there: asking took a third of the time of reach and updates on hold'em, and of the time of compiling
them.
"""

from __future__ import annotations

from typing import Any

import numba  # noqa: F401  # whole before its parts
from llvmlite.ir import values
from numba.core import ir, lowering, typed_passes
from numba.core.compiler_machinery import register_pass

_Lower: Any = lowering.Lower  # Numba has no useful types
_NativeLowering: Any = typed_passes.NativeLowering
_Metadata: Any = values.MDValue


class _LoopLower(_Lower):  # type: ignore[misc]
    def lower_inst(self, statement: Any) -> None:
        super().lower_inst(statement)
        if isinstance(
            statement, ir.Jump
        ):  # LLVM looks for this where a round ends, and nowhere else
            as_written = self.module.add_metadata(["llvm.loop.unroll.runtime.disable"])
            loop = _Metadata(self.module, [], name=str(len(self.module.metadata)))
            loop.operands = loop, as_written  # what names itself first is of this loop alone
            self.builder.block.terminator.set_metadata("llvm.loop", loop)


@register_pass(mutates_CFG=True, analysis_only=False)
class LoopLowering(_NativeLowering):  # type: ignore[misc]
    """Numba's translation into LLVM's instructions, with a word about each loop."""

    _name = "loop_lowering"

    @property
    def lowering_class(self) -> Any:
        return _LoopLower
