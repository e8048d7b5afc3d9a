"""What a run is going to take, told before any of it is allocated."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import psutil

from ..cfr.algorithms import Algorithm
from ..cfr.public_cfr import PublicCFR
from ..cfr.sequence_cfr import State
from ..errors import GameError
from ..form.public import PublicForm, PublicTree
from ..form.sequence import SequenceForm
from ..mccfr.table import BYTES_PER_SLOT

_SAMPLE = 1 << 20  # slots of the part of a game that is tried


class ResourceEstimate(NamedTuple):
    """Size, memory and time of a run.

    Attributes
    ----------
    name, size : str
        The game, and how large it is.
    gigabytes : float
        What tables and solution take at the peak.
    seconds : float or None
        About what an iteration takes, where that is known.
    """

    name: str
    size: str
    gigabytes: float
    seconds: float | None = None

    def __str__(self) -> str:
        told = f"{self.size}: {_rounded(self.gigabytes)} GB"
        return told if self.seconds is None else f"{told}, about {_rounded(self.seconds)} s an iteration"

    def check(self, memory: float | None) -> None:
        """Refuse a run that takes more gigabytes than the user allows, or than the machine has free.

        Raises
        ------
        GameError
            It would take more.
        """
        free = psutil.virtual_memory().available / 1e9
        if self.gigabytes > (free if memory is None else memory):
            there = f"this machine has {_rounded(free)} GB free" if memory is None else f"memory={memory:g} allows less"
            raise GameError(
                f"{self.name} is too large: {self}; {there}. Allow more (memory=, --memory), store it in half as much "
                "(precision='float32', --precision float32), or sample it without keeping all of it "
                "(sampling='external(tree=False)')."
            )


def estimate(
    form: SequenceForm | PublicForm, *, threads: int = 1, precision: str = "float64", sampled: bool = False
) -> ResourceEstimate:
    """Return what a run on a compiled game is going to take."""
    size = f"{form.num_infosets:,} infosets"
    solution = 8 * (form.length + 2 * form.slots + 2 * form.num_infosets)
    if sampled:
        return ResourceEstimate(form.name, size, (BYTES_PER_SLOT * form.slots + solution) / 1e9)
    if isinstance(form, SequenceForm):
        return ResourceEstimate(form.name, size, (8 * len(State._fields) * form.length + solution) / 1e9)
    tables = 3 * form.length * np.dtype(precision).itemsize
    size = f"{form.nodes:,} public nodes, {size}"
    seconds = _seconds_an_iteration(form, precision) / threads
    return ResourceEstimate(form.name, size, (tables + solution) / 1e9, seconds)


def _seconds_an_iteration(form: PublicForm, precision: str) -> float:
    """Return about what an iteration takes, timed on a part of the game."""
    part = _part(form)
    if part is None:
        return 0.0
    solver = PublicCFR(part, Algorithm("cfr", "any row will do"), precision=precision)
    solver.run(1)
    began = time.perf_counter()
    solver.run(2)
    return (time.perf_counter() - began) / 2 * (form.length / part.length)


def _part(form: PublicForm) -> PublicForm | None:
    """Return the largest part of a game that can be tried in no time: what lies below one of its public states."""
    public = form.public
    decisions = public.slots > 0
    if not decisions.any():
        return None
    fits = np.where(public.slots <= _SAMPLE, public.slots, 0)
    public_state = int(fits.argmax()) if fits.any() else int(decisions.argmax())  # that one has nothing below it
    moves = int(public.first_child[public_state + 1])
    shorter = PublicTree(
        mover=public.mover[: public_state + 1],
        first_child=public.first_child[: public_state + 2],
        child=public.child[:moves],
        child_slot=public.child_slot[:moves],
        slots=public.slots[: public_state + 1],
        hands=public.hands,
        width=public.width,
        terminal=public.terminal[: public_state + 1],
        scale=public.scale[: public_state + 1],
    )
    return replace(form, public=shorter)


def _rounded(number: float) -> str:
    """Return a number with two digits that count, and no more zeros than needed."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
