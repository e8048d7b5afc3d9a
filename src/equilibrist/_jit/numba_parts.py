"""The private parts of Numba that this room leans on, each with what is lost without it.

Numba promises none of them. Each is looked for once, when the first kernel is defined; where one is
missing, what leans on it falls back to what Numba does by itself, and one warning names the part.
"""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import Any

import numba

from ..errors import EquilibristWarning

MERGING = {
    "numba.core.untyped_passes": ("InlineInlinables._do_work", "InlineInlinables._name"),
    "numba.core.inline_closurecall": (
        "InlineWorker.inline_ir",
        "InlineWorker.run_untyped_passes",
        "InlineWorker.run_untyped_passes.__code__.co_names.index('_compiler_pipeline')",
    ),
    "numba.core.ir": ("Scope.define", "VarMap()._con", "Block", "Assign"),
    "numba.core.ir_utils": ("get_definition",),
    "numba.core.postproc": (
        "PostProcessor.run",
        "PostProcessor._insert_var_dels",
        "VariableLifetime",
    ),
    "numba.core.transforms": ("canonicalize_cfg",),
    "numba.core.compiler": (
        "CompilerBase.define_pipelines",
        "DefaultPassBuilder.define_untyped_pipeline",
        "DefaultPassBuilder.define_nopython_pipeline",
    ),
    "numba.core.compiler_machinery": ("PassManager('').passes", "register_pass"),
    "numba.core.typed_passes": ("NativeLowering", "NopythonRewrites"),
    "numba.core.lowering": ("Lower.lower_inst",),
    "numba.core.targetconfig": (
        "TargetConfig.values",
        "TargetConfig()._values",
        "TargetConfig.options",
    ),
}
"""What the merge pass leans on (merge.py), by module: it buys nothing but time of compiling."""

COMPILING = {
    "numba": (
        "njit(lambda: None).compile",
        "njit(lambda: None).typeof_pyval",
        "njit(lambda: None)._cache",
    ),
    "numba.core.compiler": ("CompileResult._rebuild", "CompileResult._reduce"),
    "numba.core.codegen": ("CodeLibrary.has_dynamic_globals", "CPUCodegen.magic_tuple"),
    "numba.core.serialize": ("dumps",),
    "numba.core.ccallback": ("CFunc",),
    "numba.core.sigutils": ("normalize_signature",),
    "numba.misc.appdirs": ("AppDirs",),
    "numba.core.options": (
        "DefaultOptions._nrt",
        "DefaultOptions.forceinline",
        "DefaultOptions.no_cfunc_wrapper",
        "DefaultOptions.no_cpython_wrapper",
    ),
    "numba.core.typing.typeof": ("typeof_impl.register",),
    "numba.core.imputils": ("impl_ret_borrowed", "lower_builtin"),
    "numba.core.typing.templates": ("AbstractTemplate", "infer_global"),
    "numba.core.cgutils": ("gep_inbounds", "alloca_once", "alloca_once_value", "if_unlikely"),
    "numba.extending": (
        "models.DataModel",
        "lower_getattr_generic",
        "register_model",
        "unbox",
        "NativeValue",
    ),
}
"""What the cache, kernels without reference counts, and records lean on (cache.py, compile.py, record_model.py)."""


class PlainWarning(EquilibristWarning):
    """Numba lacks a part that is leant on: nothing is wrong, but compiling or running takes longer."""


def missing(parts: dict[str, tuple[str, ...]]) -> str | None:
    """Return the first of some parts that this version of Numba does not have, or None."""
    for module, paths in parts.items():
        for path in paths:
            try:
                eval(path, vars(import_module(module)))
            except (ImportError, AttributeError, NameError, TypeError, ValueError):
                return f"{module}.{path}"
    return None


def _falls_back(parts: dict[str, tuple[str, ...]], consequence: str) -> bool:
    """Return whether a part is missing; warn if one is."""
    part = missing(parts)
    if part is not None:
        text = (
            f"Numba {numba.__version__} has no {part}: {consequence} Equilibrist is tested with "
            "numba<0.69."
        )
        warnings.warn(text, PlainWarning, stacklevel=2)
    return part is not None


def is_plain() -> bool:
    """Return whether Numba compiles kernels by itself: by ``EQUILIBRIST_PLAIN_JIT=1``, or where a part is missing."""
    if os.environ.get("EQUILIBRIST_PLAIN_JIT", "0") not in ("", "0"):
        return True
    return _falls_back(
        COMPILING, "kernels are compiled the plain way, which is slower and gives the same results."
    )


def merges() -> bool:
    """Return whether helpers are merged into kernels by merge.py."""
    return not _falls_back(
        MERGING, "Numba merges helpers into kernels by itself, so that compiling takes longer."
    )


def skip_scipy() -> None:
    """Let Numba take SciPy's linear algebra to be there, as it is, without importing it: a tenth of a second."""
    try:
        linalg: Any = import_module("numba.np.linalg")
        ensure_blas = linalg.ensure_blas
        linalg.ensure_blas = lambda: None
        try:
            import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = ensure_blas
    except (ImportError, AttributeError):
        pass  # Numba imports it
