"""Thread teams: compiled calls that run at once and share work, without Python between its phases.

Work is done in *phases* of so many *work items*: in a turn of CFR, the subtrees. A thread takes whichever item is next;
who finishes the last item of a phase goes on alone, with what needs all of them, and ends the phase, for which the
others wait at the barrier. No thread waits for one that has not taken an item: those that come late find the work done.

Each kernel that takes a :class:`TeamMember` runs once in each thread (:meth:`ThreadTeam.run`); results must not depend
on who takes which item. Arrays of the atomic operations are of int64 and one dimension.
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
from typing import NamedTuple

import numba  # noqa: F401  # whole before its parts
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numpy.typing import NDArray

from .compile import inline_ir, record
from .simd import defined, element_address, zeros

# a line of the cache each
_TAKEN = 0
_DONE = 8
_PHASES = 16
_HELD = 0
_PHASE = 1
_LAST = 2
_ENDED = 3
_NOTHING = -1
_SPINS = (
    20000  # some 200 µs: as long as one thread works alone in a turn; whoever waits longer sleeps
)
_NAP = ("Sleep", 1) if os.name == "nt" else ("usleep", 50)  # function of the system, ms or µs
_PAUSE = {"x86_64": ("llvm.x86.sse2.pause", ()), "AMD64": ("llvm.x86.sse2.pause", ())}.get(
    platform.machine(),
    ("llvm.aarch64.hint", (1,)) if platform.machine() in {"aarch64", "arm64"} else None,
)


@record
class TeamMember(NamedTuple):
    """The work of a team, as one of its threads sees it."""

    items: int  # number of work items of a phase
    # of all threads: the items taken and the items finished, of all phases, and the phases that are over
    counters: NDArray[np.int64]
    # of this thread: the item that it has taken and not begun, the phase that it is in, whether it finished the last
    # item of that, and the last phase that it ended, from 1 on
    state: NDArray[np.int64]


class ThreadTeam:
    """Threads that run one kernel at once, the calling thread among them; a phase has so many work ``items``."""

    def __init__(self, threads: int, items: int) -> None:
        self._items = items
        self._counters = zeros(24, np.int64)
        self.members = [
            TeamMember(items, self._counters, zeros(8, np.int64)) for _ in range(threads)
        ]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def run(self, call: Callable[[int], object]) -> None:
        """Call a function with the number of each thread, in that thread, and wait for all; not where there are no
        items.
        """
        if self._items == 0:
            return
        self._counters[:] = 0
        for member in self.members:
            member.state[:] = _NOTHING, 0, 0, 0, 0, 0, 0, 0
        if self._pool is None:
            others = []
        else:
            others = [self._pool.submit(call, k) for k in range(1, len(self.members))]
        try:
            call(0)
        finally:
            begun = [other for other in others if not other.cancel()]
            wait_for(begun)  # all, before any error is raised: they work with the same arrays
            for other in begun:
                other.result()

    @property
    def last(self) -> int:
        """The number of the thread that ended the last phase."""
        alone = len(self.members) == 1
        if alone:
            return 0
        return int(np.argmax([member.state[_ENDED] for member in self.members]))


@inline_ir
def has_item(team):
    """Return whether there is an item of this phase for the thread."""
    if team.state[_HELD] == _NOTHING:
        team.state[_HELD] = atomic_add(team.counters, _TAKEN, 1)
    return team.state[_HELD] < (team.state[_PHASE] + 1) * team.items


@inline_ir
def next_item(team):
    """Return the number of the next item of this phase, or -1 where none is left."""
    if not has_item(team):
        return -1
    item = team.state[_HELD] - team.state[_PHASE] * team.items
    team.state[_HELD] = _NOTHING
    return item


@inline_ir
def finish_item(team):
    """Finish an item; all that was written is seen by the thread that finishes the last one of the phase."""
    if atomic_add(team.counters, _DONE, 1) + 1 == (team.state[_PHASE] + 1) * team.items:
        team.state[_LAST] = 1


@inline_ir
def finished_last(team):
    """Return whether this thread finished the last item of the phase."""
    return team.state[_LAST] > 0


@inline_ir
def barrier(team):
    """End the phase, where this thread finished its last item; else wait until another does."""
    if team.state[_LAST] > 0:
        atomic_add(team.counters, _PHASES, 1)
        team.state[_ENDED] = team.state[_PHASE] + 1
        team.state[_LAST] = 0
    else:
        spins = 0
        while atomic_load(team.counters, _PHASES) <= team.state[_PHASE]:
            spins += 1
            wait(spins > _SPINS)
    team.state[_PHASE] += 1


_lock = threading.Lock()


def _add_in_python(array, index, number):
    with _lock:
        before = array[index]
        array[index] += number
    return before


@defined(_add_in_python, types.int64)
def atomic_add(context, builder, signature, arguments):
    """Add to ``array[index]``, of int64; return what was there. All threads see this in the same order."""
    number = context.cast(builder, arguments[2], signature.args[2], types.int64)
    return builder.atomic_rmw(
        "add", element_address(context, builder, signature, arguments), number, "seq_cst"
    )


@defined(lambda array, index: array[index], types.int64)
def atomic_load(context, builder, signature, arguments):
    """Return ``array[index]``, of int64, and let no other reading or writing of this thread come before."""
    return builder.load_atomic(
        element_address(context, builder, signature, arguments), "seq_cst", align=8
    )


@defined(lambda array, index, number: array.__setitem__(index, number), types.void)
def atomic_store(context, builder, signature, arguments):
    """Set ``array[index]``, of int64, which other threads may load meanwhile (:func:`atomic_load`)."""
    number = context.cast(builder, arguments[2], signature.args[2], types.int64)
    builder.store_atomic(
        number, element_address(context, builder, signature, arguments), "seq_cst", align=8
    )


@defined(lambda long: time.sleep(1e-5), types.void)
def wait(context, builder, signature, arguments):
    """Wait a moment, or where it takes ``long``, sleep for some 50 µs."""

    def call(name, numbers):
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)] * len(numbers))
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [ir.Constant(ir.IntType(32), number) for number in numbers])

    sleeps = context.cast(builder, arguments[0], signature.args[0], types.boolean)
    with builder.if_else(sleeps) as (then, otherwise):
        with then:
            call(_NAP[0], _NAP[1:])
        with otherwise:
            if _PAUSE is not None:
                call(*_PAUSE)
