"""How Equilibrist's kernels are compiled: one place for Numba's settings."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import numba
import numpy as np
from numba.extending import overload, register_jitable

from . import numba_parts
from .cache import KernelCache

Kernel = Callable[..., Any]
Class = TypeVar("Class", bound=type)

INTERPRETED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
"""Whether ``NUMBA_DISABLE_JIT=1`` is set: Python runs every kernel, a thousand times slower, step by step."""

PLAIN = not INTERPRETED and numba_parts.is_plain()
"""Whether Numba compiles kernels by itself, with its own cache and inlining, and records by value: slow, not broken."""

INLINED: Any = {"error_model": "numpy"}
"""The settings of what is copied into the kernels that call it."""

_ENTRY: dict[str, Any] = {"error_model": "numpy"}  # the settings of kernels that Python calls
if not (INTERPRETED or PLAIN):
    INLINED |= {"_nrt": False, "forceinline": True, "no_cfunc_wrapper": True}
    _ENTRY |= {"no_cfunc_wrapper": True}
    if numba_parts.merges():
        from .merge import Compiler, HelperCompiler

        INLINED |= {"pipeline_class": HelperCompiler}
        _ENTRY |= {"pipeline_class": Compiler}


def compiled(
    *, allocates: bool, inline: bool = False, nogil: bool = False, entry: bool = True
) -> Callable[[Kernel], Kernel]:
    """Return a decorator: the function is compiled by Numba at its first call, and kept on disk for the next process.

    Parameters
    ----------
    allocates : bool
        Whether the kernel makes arrays. One that makes none is compiled without Numba's reference
        counting, which costs some ten atomic instructions for each call between kernels: on Kuhn
        poker, more than a third of an iteration.
    inline : bool
        Whether the machine code is copied into every kernel that calls it: handing over a record of
        a dozen arrays costs more than ten nanoseconds, as much as a whole history of a sample.
    nogil : bool
        Whether other threads of Python run at the same time.
    entry : bool
        Whether Python calls it. What only kernels call is not given what unpacks Python's objects,
        which for records of fifty arrays takes as long to compile as a short kernel.

    Notes
    -----
    ``error_model="numpy"``: dividing by zero gives infinity as in NumPy, without a branch in every
    loop. No fastmath: sums keep their order, so that results are the same on every machine, and
    short sums are faster without it.
    """

    def decorate(function: Kernel) -> Kernel:
        if INTERPRETED:
            return _interpreted(function)
        if PLAIN:
            return _plain(function, nogil)
        options = _ENTRY | {"_nrt": allocates, "forceinline": inline, "nogil": nogil}
        if not entry:
            options["no_cpython_wrapper"] = True
        kernel: Kernel = _kept(numba.njit(**options)(function), function)
        if not entry:
            _close_to_python(kernel)
        return kernel

    return decorate


def _close_to_python(kernel: Any) -> None:
    """Refuse calls by Python: there is no machine code that unpacks its objects, and to jump there ends the process."""
    dispatcher: Any = type(kernel)
    kernel.__class__ = _closed_class(dispatcher)


@cache
def _closed_class(kind: type) -> type:
    """Return the class of dispatchers of Numba that only kernels call."""
    members = {"has_entry": False, "__call__": _refuse_call}
    return type(f"Closed{kind.__name__}", (kind,), members)


def _refuse_call(kernel: Any, *_: Any, **__: Any) -> None:
    check_entry(kernel)


def check_entry(kernel: Any) -> None:
    """Raise TypeError where a kernel is not compiled for calls by Python."""
    if not getattr(kernel, "has_entry", True):
        name = kernel.py_func.__qualname__
        raise TypeError(f"Python cannot call {name}: it is compiled with entry=False.")


def _kept(kernel: Any, function: Kernel) -> Any:
    kernel_cache = kernel._cache = KernelCache(function)
    at_once = kernel.compile

    def compile_in_turn(*signature: Any) -> Any:
        with kernel_cache.compiling(), _without_collecting():
            return at_once(*signature)

    kernel.compile = compile_in_turn
    return kernel


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Put off the search for garbage: the compiler makes so many small objects that it takes a tenth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _plain(function: Kernel, nogil: bool) -> Kernel:
    """Return a kernel that Numba keeps on disk by itself, where it can."""
    options: dict[str, Any] = {"error_model": "numpy", "nogil": nogil}
    kernel: Kernel
    try:
        kernel = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # it stands in no file, or there is no folder to keep it in
        kernel = numba.njit(**options)(function)
    return kernel


def _interpreted(function: Kernel) -> Kernel:
    """Return a function that divides as a compiled one does, without a word about infinities.

    NumPy's unsigned integers of 32 bits stay so where Numba makes 64 bits of them: what would count
    round is refused, but for hashes and random numbers, which are numbers modulo 2^64.
    """
    modular = function.__module__.startswith(__name__.rpartition(".")[0])
    return np.errstate(all="ignore", over="ignore" if modular else "raise")(function)


def compiled_here(function: Kernel, *, checked: bool = False) -> Kernel:
    """Return a kernel that is compiled in each process anew: it calls kernels that it is given, or code of a user.

    ``checked`` has it raise IndexError where an index is past the end of an array.
    """
    if INTERPRETED:
        return function
    options: dict[str, Any] = {"error_model": "numpy", "boundscheck": checked}
    kernel: Kernel = numba.njit(**options)(function)
    return kernel


def inlined(function: Kernel) -> Kernel:
    """Leave a function as it is for Python, and let kernels that call it have it copied into them."""
    copied: Kernel = register_jitable(**INLINED)(function)
    return copied


def inline_ir(function: Kernel) -> Kernel:
    """Return a function whose text becomes part of the kernels that call it, so that it is optimised once, in place.

    Whatever kernel calls another by ``compiled`` gets it optimised already and optimises it again,
    which makes long ones slower, up to twice as slow on the walk of a public tree: and only where
    they come from the disk cache, for in the process that compiles them the first version is found
    first.
    """
    if INTERPRETED:
        return function
    options: dict[str, Any] = {"inline": "always", "error_model": "numpy"}
    kernel: Kernel = numba.njit(**options if PLAIN else options | {"_nrt": False})(function)
    return kernel


@cache
def callback(function: Kernel, signature: Any) -> Any:
    """Return a function compiled at once for one signature, which kernels take as a value; kept on disk as well.

    A kernel is compiled once for all functions of the same signature, and found on disk by the next
    process, whereas a kernel that is given kernels is compiled again for each of them in every
    process. Calling one costs 5 ns or so.
    """
    if INTERPRETED:
        return _interpreted(function)
    if PLAIN:
        return numba.cfunc(signature, error_model="numpy")(function)
    import numba.experimental.function_type as _  # noqa: F401  # tells the type of callbacks; Numba imports it late
    from numba.core.ccallback import CFunc
    from numba.core.sigutils import normalize_signature

    compile_callback: Any = CFunc  # Numba has no useful types
    types: Any = normalize_signature
    kernel = compile_callback(
        function, types(signature), locals={}, options={"error_model": "numpy"}
    )
    _kept(kernel, function).compile()
    return kernel


def by_type(name: str, default: Any = None) -> Kernel:
    """Return a function that calls the method of that name that the class of its first argument has, or the default.

    Compiled code chooses it by the type of that argument, a named tuple, when it is compiled.
    """

    def call(first: Any, *rest: Any) -> Any:
        return getattr(type(first), name, default)(first, *rest)

    overload(call, jit_options=INLINED, strict=False)(
        lambda first, *rest: getattr(first.instance_class, name, default)
    )
    return call


def record(cls: Class) -> Class:
    """Let kernels take the named tuples of a class by their address; kernels read their fields and make none."""
    if not (INTERPRETED or PLAIN):
        from .record_model import register

        register(cls)
    return cls
