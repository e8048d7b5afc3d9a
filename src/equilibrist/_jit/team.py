"""Teams of threads: compiled calls that run at once and share work, without Python between its parts.

Work is done in *rounds* of so many *parts*: in a turn of CFR, the subtrees. A thread takes whichever part is next; who
ends the last part of a round goes on alone, with what needs all of them, and ends the round, for which the others wait.
No thread waits for one that has not taken a part: those that come late find the work done.

Each kernel that takes a :class:`Team` runs once in each thread (:meth:`TeamOfThreads.run`); results must not depend on
who takes which part.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import Any, NamedTuple

import numba  # noqa: F401  # whole before its parts
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from .compile import INTERPRETED, merged
from .records import record
from .simd import zeros

_TAKEN, _DONE, _ROUNDS = 0, 8, 16  # a line of the cache each
_HELD, _ROUND, _LAST, _ENDED = 0, 1, 2, 3
_NOTHING = -1
_SPINS = 20000  # some 200 µs: as long as one thread works alone in a turn; whoever waits longer sleeps
_NAP = ("Sleep", 1) if os.name == "nt" else ("usleep", 50)  # function of the system, ms or µs
_PAUSE = {"x86_64": ("llvm.x86.sse2.pause", ()), "AMD64": ("llvm.x86.sse2.pause", ())}.get(
    platform.machine(), ("llvm.aarch64.hint", (1,)) if platform.machine() in {"aarch64", "arm64"} else None
)


@record
class Team(NamedTuple):
    """What one thread of a team knows of the work.

    Attributes
    ----------
    parts : int
        Number of parts of a round.
    counters : int64 array
        Of all threads: the parts taken and the parts done, of all rounds, and the rounds that are over.
    own : int64 array
        Of this thread: the part that it has taken and not begun, the round that it is in, whether it ended the last
        part of that, and the last round that it ended, from 1 on.
    """

    parts: int
    counters: NDArray[np.int64]
    own: NDArray[np.int64]


class TeamOfThreads:
    """Threads that run one kernel at once, the calling thread among them.

    Parameters
    ----------
    threads : int
        How many.
    parts : int
        Number of parts of a round.
    """

    def __init__(self, threads: int, parts: int) -> None:
        self._parts, self._counters = parts, zeros(24, np.int64)
        self.members = [Team(parts, self._counters, zeros(8, np.int64)) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def run(self, call: Callable[[int], object]) -> None:
        """Call a function with the number of each thread, in that thread; return when all have returned.

        Where there are no parts, nothing is called.
        """
        if self._parts == 0:
            return
        self._counters[:] = 0
        for member in self.members:
            member.own[:] = _NOTHING, 0, 0, 0, 0, 0, 0, 0
        others = [] if self._pool is None else [self._pool.submit(call, k) for k in range(1, len(self.members))]
        try:
            call(0)
        finally:
            begun = [other for other in others if not other.cancel()]
            wait_for(begun)  # all, before any error is raised: they work with the same arrays
            for other in begun:
                other.result()

    @property
    def last(self) -> int:
        """The number of the thread that ended the last round."""
        return int(np.argmax([member.own[_ENDED] for member in self.members]))


@merged
def has_part(team):
    """Return whether there is a part of this round for the thread."""
    if team.own[_HELD] == _NOTHING:
        team.own[_HELD] = atomic_add(team.counters, _TAKEN, 1)
    return team.own[_HELD] < (team.own[_ROUND] + 1) * team.parts


@merged
def next_part(team):
    """Return the number of the next part of this round, or -1 where none is left."""
    if not has_part(team):
        return -1
    part = team.own[_HELD] - team.own[_ROUND] * team.parts
    team.own[_HELD] = _NOTHING
    return part


@merged
def end_part(team):
    """End a part; all that was written is seen by the thread that ends the last part of the round."""
    if atomic_add(team.counters, _DONE, 1) + 1 == (team.own[_ROUND] + 1) * team.parts:
        team.own[_LAST] = 1


@merged
def is_last(team):
    """Return whether this thread ended the last part of the round."""
    return team.own[_LAST] > 0


@merged
def next_round(team):
    """End the round, where this thread ended its last part; else wait until another does."""
    if team.own[_LAST] > 0:
        atomic_add(team.counters, _ROUNDS, 1)
        team.own[_LAST], team.own[_ENDED] = 0, team.own[_ROUND] + 1
    else:
        spins = 0
        while atomic_load(team.counters, _ROUNDS) <= team.own[_ROUND]:
            spins += 1
            wait(spins > _SPINS)
    team.own[_ROUND] += 1


_lock = threading.Lock()


def _add_in_python(array: Any, index: int, number: int) -> Any:
    with _lock:
        before = array[index]
        array[index] += number
    return before


def _defined(in_python: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    return lambda function: in_python if INTERPRETED else intrinsic(function)


def _address(context, builder, signature, arguments):
    """Return the address of an element of an array: the first two arguments."""
    index = context.cast(builder, arguments[1], signature.args[1], types.intp)
    data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
    return builder.gep(data, [index])


@_defined(_add_in_python)
def atomic_add(typing_context, array, index, number):
    """Add to ``array[index]``, of int64; return what was there. All threads see this in the same order."""

    def code(context, builder, signature, arguments):
        number = context.cast(builder, arguments[2], signature.args[2], types.int64)
        return builder.atomic_rmw("add", _address(context, builder, signature, arguments), number, "seq_cst")

    return types.int64(array, index, number), code


@_defined(lambda array, index: array[index])
def atomic_load(typing_context, array, index):
    """Return ``array[index]``, of int64, and let no other reading or writing of this thread come before."""

    def code(context, builder, signature, arguments):
        return builder.load_atomic(_address(context, builder, signature, arguments), "seq_cst", align=8)

    return types.int64(array, index), code


@_defined(lambda long: time.sleep(1e-5))
def wait(typing_context, long):
    """Wait a moment, or where it takes long, sleep for some 50 µs."""

    def call(builder, name, numbers):
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)] * len(numbers))
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [ir.Constant(ir.IntType(32), number) for number in numbers])

    def code(context, builder, signature, arguments):
        sleeps = context.cast(builder, arguments[0], signature.args[0], types.boolean)
        with builder.if_else(sleeps) as (then, otherwise):
            with then:
                call(builder, _NAP[0], _NAP[1:])
            with otherwise:
                if _PAUSE is not None:
                    call(builder, *_PAUSE)
        return context.get_dummy_value()

    return types.void(long), code
