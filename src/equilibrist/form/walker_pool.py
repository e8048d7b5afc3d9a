"""Walkers of a form that wait for the next kernel over it: their scratch and threads are made once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Walker = TypeVar("Walker")


class WalkerPool(Generic[Walker]):
    """Walkers by process and number of threads; ``make(threads=…)`` returns a new one."""

    def __init__(self, make: Callable[..., Walker]) -> None:
        self._make = make
        self._idle: dict[tuple[int, int], list[Walker]] = {}

    @contextmanager
    def acquire(self, *, threads: int = 1) -> Iterator[Walker]:
        """Yield a walker that nobody else uses; after an error it is not given back, for a thread may still use its
        scratch.
        """
        idle = self._idle.setdefault((os.getpid(), threads), [])  # threads do not survive a fork
        try:
            walker = idle.pop()
        except IndexError:
            walker = self._make(threads=threads)
        yield walker
        idle.append(walker)
