"""An executor of processes on this machine that outlives the death of a worker, and can be interrupted."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing import parent_process
from multiprocessing.reduction import ForkingPickler
from typing import Any

from .._util.processes import safe_spawn
from .._util.system import IS_WINDOWS
from .._util.workers import SPAWN, STOP, ignore_interrupts
from ..errors import AlgorithmError

_AT_WORK = threading.Lock()


_MOST_ON_WINDOWS = 61  # processes of a pool: it waits for 63 handles at once


_TO_BE_FOUND = (
    "What runs in processes of its own has to be found there by its name: put the class or function "
    "at the top of a file that can be imported (a rule may be text, rule='rules.py:Hedge()'), not "
    "into a notebook, another function or below if __name__ == '__main__'; or use one process."
)


class UnsendableError(AlgorithmError):
    """A call holds what cannot be sent to another process, or is not found there."""


class Processes(Executor):
    """Executor of so many processes: a pool that is made anew where one of its processes was killed."""

    def __init__(self, count: int) -> None:
        self._count = count
        if IS_WINDOWS:
            self._count = min(count, _MOST_ON_WINDOWS)
        with safe_spawn():  # an event has a process that clears up after it
            self._stop = SPAWN.Event()
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        parcel = _pack(call, args, kwargs)
        with safe_spawn():
            try:
                return self._open_pool().submit(_work, parcel)
            except BrokenExecutor:
                self._pool = None  # its own futures hear of it by themselves
                return self._open_pool().submit(_work, parcel)

    def interrupt(self) -> None:
        """Ask the tasks at work to save and return."""
        self._stop.set()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _open_pool(self) -> ProcessPoolExecutor:
        """Return the pool, made where there is none."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count, mp_context=SPAWN, initializer=_begin, initargs=(self._stop,)
            )
        return self._pool


def _pack(*call: Any) -> bytes:
    """Return a function with its arguments as bytes.

    They are read by :func:`_work` alone: what a pool cannot read kills its process.
    """
    try:
        return bytes(ForkingPickler.dumps(call))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UnsendableError(
            f"A run cannot be sent to another process: {error}. {_TO_BE_FOUND}"
        ) from error


def _work(parcel: bytes) -> Any:
    """Return what a call returns, in a process of the pool."""
    with _AT_WORK:
        try:
            call, args, kwargs = pickle.loads(parcel)
        except Exception as error:  # whatever the file of the user raises
            raise UnsendableError(
                f"A run cannot be read in another process: {error}. {_TO_BE_FOUND}"
            ) from None
        return call(*args, **kwargs)


def _begin(stop: Any) -> None:
    """Prepare a process: Ctrl-C is its parent's affair, and it ends where the parent was killed."""
    ignore_interrupts()
    threading.Thread(target=_await_stop, args=(stop,), daemon=True).start()
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_stop(stop: Any) -> None:
    """Tell the task of this process to stop once the parent says so."""
    stop.wait()
    STOP.set()


def _await_parent() -> None:
    """Stop the task of this process, and end it, once the parent has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        STOP.set()
        with _AT_WORK:  # once the task at work has saved
            os._exit(1)
