"""Walkers that a form lends to whoever runs a kernel over it: their scratch and threads are made once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

Walker = TypeVar("Walker")
Idle = dict[tuple[int, int], list[Walker]]
"""Walkers that nobody uses now, by process and number of threads."""


class Lender(Protocol[Walker]):
    """A form that is walked."""

    @property
    def idle_walkers(self) -> Idle[Walker]:
        """Walkers that nobody uses now."""

    def make_walker(self, threads: int) -> Walker:
        """Return a new walker."""


@contextmanager
def borrowed_walker(form: Lender[Walker], *, threads: int = 1) -> Iterator[Walker]:
    """Lend a walker that nobody else uses meanwhile; a new one where none is idle.

    After an error it is not given back: a thread may still be at work with its scratch.
    """
    idle = form.idle_walkers.setdefault((os.getpid(), threads), [])  # threads do not survive a fork
    try:
        walker = idle.pop()
    except IndexError:
        walker = form.make_walker(threads)
    yield walker
    idle.append(walker)
