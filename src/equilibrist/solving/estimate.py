"""What a run is going to take, told before any of it is allocated."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import psutil

from ..cfr.algorithms import Algorithm
from ..cfr.full_width import STATE, FullWidthCFR
from ..cfr.public_cfr import PublicCFR
from ..cfr.sequence_cfr import SequenceCFR, State
from ..errors import GameError
from ..form.compiled_game import CompiledGame
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from ..mccfr.table import BYTES_PER_SLOT

SOLVERS: dict[str, Callable[..., FullWidthCFR]] = {SequenceForm.kind: SequenceCFR, PublicForm.kind: PublicCFR}
SCRATCH_PER_SLOT = {SequenceForm.kind: len(State._fields) - len(STATE), PublicForm.kind: 0}
"""Numbers a slot, in float64, that the solver of each form keeps besides its tables."""

_PART = 1 << 20  # slots of the part of a game that is timed


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
            there = f"this machine has {_rounded(free)} GB free"
            if memory is not None:
                there = f"max_memory_gb={memory:g} allows less"
            raise GameError(
                f"{self.name} is too large: {self}; {there}. Allow more (max_memory_gb=, --max-memory-gb), store it "
                "in half as much (precision='float32', --precision float32), or sample it without keeping all of it "
                "(sampling='external(tree=False)')."
            )


def estimate(
    form: CompiledGame, *, threads: int = 1, precision: str = "float64", sampled: bool = False
) -> ResourceEstimate:
    """Return what a run on a compiled game is going to take."""
    solution = 8 * (form.length + 2 * form.slots + 2 * form.num_infosets)
    if sampled:
        return ResourceEstimate(form.name, form.size, (BYTES_PER_SLOT * form.slots + solution) / 1e9)
    numbers = len(STATE) * np.dtype(precision).itemsize + 8 * SCRATCH_PER_SLOT[form.kind]
    seconds = _seconds_an_iteration(form, precision)
    return ResourceEstimate(
        form.name, form.size, (numbers * form.length + solution) / 1e9, None if seconds is None else seconds / threads
    )


def _seconds_an_iteration(form: CompiledGame, precision: str) -> float | None:
    """Return about what an iteration takes, timed on a part of the game; None where there is none."""
    part = form.part(_PART)
    if part is None:
        return None
    solver = SOLVERS[part.kind](part, Algorithm("cfr", "any row will do"), precision=precision)
    solver.run(1)
    began = time.perf_counter()
    solver.run(2)
    return (time.perf_counter() - began) / 2 * (form.length / part.length)


def _rounded(number: float) -> str:
    """Return a number with two digits that count, and no more zeros than needed."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
