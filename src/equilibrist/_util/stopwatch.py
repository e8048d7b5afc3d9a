"""Seconds spent, by stage."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

Seconds = dict[str, float]
"""Seconds spent, by stage: compile, jit, solve, and certify where certificates are counted apart."""


@contextmanager
def stopwatch(seconds: Seconds, stage: str) -> Iterator[None]:
    """Add the time spent inside to a stage."""
    start = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - start
