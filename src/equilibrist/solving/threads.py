"""How many threads a run is worth: the one rule behind ``threads="auto"``."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..cfr.sequence_cfr import LEAST_FOR_THREADS
from ..form.cards.form import CardForm
from ..form.compiled_game import CompiledGame
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from ..mccfr.sampling import Sampling

_LEAST_BATCH = 128  # traversals, from which on two threads are faster than one, even on a small game
_LEAST_WALKS = 512  # of those that follow one move everywhere
_LEAST_SLOTS = {SequenceForm.kind: LEAST_FOR_THREADS, PublicForm.kind: 1 << 16, CardForm.kind: 1 << 16}
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def threads_that_pay(form: CompiledGame | None, sampling: Sampling) -> int:
    """Return how many threads a run is worth on this machine; ``form`` is None where the game is not compiled.

    All cores that the process may use, where threads share work that is long enough, some 4,000 histories or a tenth of
    a millisecond: samples of a batch of 128 traversals or more, 64 for each thread (four times as many where each move
    is drawn); full-width CFR on public states and hold'em with 2^16 slots or more, and on sequence forms with 500,000.
    Else one. The result of the run is the same with any number.
    """
    if not sampling.full_width:
        least = _LEAST_WALKS if sampling.definition.own == "one" else _LEAST_BATCH
        return max(1, min(cores(), 2 * sampling.batch // least))
    if form is None or form.length < _LEAST_SLOTS[form.kind]:
        return 1
    return cores()


def cores() -> int:
    """Return how many cores this process may use: those that it is bound to, and the quota of its container."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # no such file, or no limit ("max")
        quota, period = map(int, _QUOTA.read_text(encoding="ascii").split())
        return max(1, min(bound, quota // period))
    return bound
