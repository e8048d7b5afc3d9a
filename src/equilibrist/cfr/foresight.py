"""What a run on public states is going to take, told before any of it is allocated."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import psutil

from ..errors import GameError
from ..form.public import PublicForm, PublicTree
from .algorithms import Algorithm
from .public import PublicWidth

_SAMPLE = 1 << 20  # slots of the part of a game that is tried


class Foresight(NamedTuple):
    """Size, memory and time of a run.

    Attributes
    ----------
    name : str
        The game.
    nodes, infosets : int
        How many public nodes and infosets it has.
    gigabytes : float
        What tables and solution take at the peak.
    seconds : float
        About what an iteration takes.
    """

    name: str
    nodes: int
    infosets: int
    gigabytes: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.nodes:,} public nodes, {self.infosets:,} infosets: {_rounded(self.gigabytes)} GB, "
            f"about {_rounded(self.seconds)} s an iteration"
        )

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
                "(precision='float32'), or sample it (sampling='external(tree=False)')."
            )


def foresee(form: PublicForm, *, threads: int, precision: str) -> Foresight:
    """Return what full-width CFR is going to take; an iteration is timed on a part of the game."""
    tables = 3 * form.length * np.dtype(precision).itemsize
    solution = 8 * (form.length + 2 * form.num_actions + 2 * form.num_infosets)
    part = _part(form)
    solver = PublicWidth(part, Algorithm("cfr", "any row will do"), precision=precision)
    solver.run(1)
    began = time.perf_counter()
    solver.run(2)
    each = (time.perf_counter() - began) / 2
    seconds = each * (form.length / part.length) / threads
    return Foresight(form.name, form.nodes, form.num_infosets, (tables + solution) / 1e9, seconds)


def _part(form: PublicForm) -> PublicForm:
    """Return the largest part of a game that is small enough to be tried: what lies below one of its situations."""
    public = form.public
    fits = np.where(public.slots <= _SAMPLE, public.slots, 0)
    situation = int(fits.argmax()) if fits.any() else int(np.where(public.slots > 0, public.slots, 2**62).argmin())
    moves = int(public.first_child[situation + 1])
    shorter = PublicTree(
        mover=public.mover[: situation + 1],
        first_child=public.first_child[: situation + 2],
        child=public.child[:moves],
        child_slot=public.child_slot[:moves],
        slots=public.slots[: situation + 1],
        hands=public.hands,
        width=public.width,
        ending=public.ending[: situation + 1],
        scale=public.scale[: situation + 1],
    )
    return replace(form, public=shorter)


def _rounded(number: float) -> str:
    """Return a number with two digits that count, and no more zeros than needed."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
