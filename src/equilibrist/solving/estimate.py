"""What a run is going to take, told before any of it is allocated."""

from __future__ import annotations

import time
from typing import NamedTuple

from .._util.archive import COPIED
from ..cfr.abstract_cfr import AbstractCFR
from ..cfr.algorithms import Algorithm
from ..cfr.solvers import CPU, FULL_WIDTH
from ..errors import GameTooLargeError
from ..form.compiled_game import CompiledGame
from ..form.limits import free_memory
from ..mccfr.table import BYTES_PER_SLOT
from ..show.numbers import format_two_digits
from ..strategy.order import MOST_IN_ORDER
from .config import SolveConfig
from .save import MOST_CARD_ROWS, MOST_ROWS

_ANY = Algorithm("cfr", "any will do")

# What saving takes, measured: for each row of the table of the strategy, and for each infoset whose
# name is kept.
_BYTES_PER_ROW = 200
_BYTES_PER_NAME = 300
_PART = 1 << 20  # slots of the part of a game that is timed


class ResourceEstimate(NamedTuple):
    """Size, memory and time of a run.

    Attributes
    ----------
    name, size : str
        The game, and how large it is.
    gigabytes : float
        What the compiled game, the tables, the solution and saving it take at the peak.
    held : float
        Gigabytes of that which are taken already, by the compiled game.
    seconds : float or None
        About what an iteration takes, where that is known.
    smaller : str
        How to take less, in words.
    """

    name: str
    size: str
    gigabytes: float
    held: float
    seconds: float | None = None
    smaller: str = CompiledGame.smaller

    def __str__(self) -> str:
        memory = f"{self.size}: {format_two_digits(self.gigabytes)} GB"
        if self.seconds is None:
            return memory
        return f"{memory}, about {format_two_digits(self.seconds)} s an iteration"

    def check(self, memory: float | None) -> None:
        """Refuse a run that takes more gigabytes than the user allows, or than the machine has free."""
        free = free_memory()
        if memory is None:
            needed = self.gigabytes - self.held
            allowed = free
        else:
            needed = self.gigabytes
            allowed = memory
        if needed > allowed:
            limit_text = f"this machine has {format_two_digits(free)} GB free"
            if memory is not None:
                limit_text = f"memory_gb={memory:g} allows less"
            raise GameTooLargeError(
                f"{self.name} is too large: {self}; {limit_text}. Allow more (Limits(memory_gb=), "
                f"--max-memory-gb), or {self.smaller}."
            )


def _result_bytes(form: CompiledGame) -> int:
    """Return the bytes of a solution and of saving it; that of a large card game shares its weights with the tables."""
    if form.keeps_weights and form.num_actions > MOST_CARD_ROWS:
        return 4 * COPIED
    if form.keeps_names:
        names = form.num_infosets
    else:
        names = min(form.num_infosets, MOST_IN_ORDER)
    saving = _BYTES_PER_ROW * min(form.slots, MOST_ROWS) + _BYTES_PER_NAME * names
    return 8 * (form.length + 2 * form.slots + 2 * form.num_infosets) + saving


def estimate_run(
    form: CompiledGame, config: SolveConfig, *, timed: bool = True
) -> ResourceEstimate:
    """Return what a run with settings resolved for the form is going to take; not ``timed``, its memory alone."""
    sampled = not config.sampling.full_width
    precision = config.precision or form.default_precision
    held = form.nbytes
    solution_and_saving = _result_bytes(form)
    tables = float(BYTES_PER_SLOT * form.slots)
    seconds = None
    if not sampled:
        locked = len(form.locked_slots) > 0
        tables = (
            FULL_WIDTH[CPU, form.kind].bytes_per_slot(config.algorithm, precision, locked=locked)
            * form.length
        )
        if config.abstraction is not None:
            tables += AbstractCFR.more_bytes_per_slot(config.abstraction) * form.length
        seconds = _seconds_an_iteration(form, precision) if timed else None
    gigabytes = (held + tables + solution_and_saving) / 1e9
    seconds_each = None if seconds is None else seconds / (config.threads or 1)
    finer = form.precisions.index(precision) + 1
    if sampled or finer == len(form.precisions):
        coarser = None
    else:
        coarser = form.precisions[finer]
    smaller = (
        f"store it in half as much (precision={coarser!r}, --precision {coarser}), or "
        f"{form.smaller}"
    )
    return ResourceEstimate(
        form.name,
        form.size,
        gigabytes,
        held / 1e9,
        seconds_each,
        smaller if coarser else form.smaller,
    )


def _seconds_an_iteration(form: CompiledGame, precision: str) -> float | None:
    """Return about what an iteration takes, timed on a part of the game; None where there is none."""
    part = form.part(_PART)
    if part is None:
        return None
    solver = FULL_WIDTH[CPU, part.kind](part, _ANY, precision=precision)
    solver.run(1)
    began = time.perf_counter()
    solver.run(2)
    return (time.perf_counter() - began) / 2 * (form.length / part.length)
