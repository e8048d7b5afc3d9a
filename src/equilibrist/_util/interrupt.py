"""Signals that end a process, noted now and acted upon later, where an exception in between would do harm; interrupts
that have become another error.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .system import IS_WINDOWS

_USUAL: dict[int, Any] = {
    getattr(signal, name): handler
    for name, handler in (
        ("SIGINT", signal.default_int_handler),  # Ctrl-C
        ("SIGTERM", signal.SIG_DFL),  # of ``kill``, and of whoever shuts a machine or a job down
        ("SIGHUP", signal.SIG_DFL),  # of a terminal that is closed; Windows has none
        ("SIGBREAK", signal.SIG_DFL),  # of Windows: Ctrl-Break, or a terminal that is closed
    )
    if hasattr(signal, name)
}
"""The signals that are noted, with the handlers that Python starts with."""


@contextmanager
def note_signals(on_signal: Callable[[], None] = lambda: None) -> Iterator[list[int]]:
    """Give a list that is empty until SIGINT (Ctrl-C), SIGTERM or SIGHUP arrives; the second of a kind acts as usual.

    On Windows SIGBREAK is heard in place of SIGHUP.

    Only the main thread gets signals, and calls ``on_signal`` when the first arrives: what that
    raises interrupts after all. A signal that is ignored stays so, as SIGINT is in a background job
    of a shell without job control, and SIGHUP under ``nohup``; a handler that somebody else has set
    stays in charge.
    """
    signals: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    old_handlers = {
        number: handler for number, handler in _USUAL.items() if signal.getsignal(number) is handler
    }

    def note_signal(number: int, _frame: Any) -> None:
        signals.append(number)
        signal.signal(number, old_handlers[number])
        on_signal()

    for number in old_handlers:
        signal.signal(number, note_signal)
    try:
        yield signals
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)


def interrupt_this_process() -> None:
    """Do what Ctrl-C at a terminal does to this process."""
    if IS_WINDOWS:
        signal.raise_signal(signal.SIGINT)  # os.kill would end the process at once
    else:
        os.kill(os.getpid(), signal.SIGINT)


@contextmanager
def hear_interrupts() -> Iterator[None]:
    """Raise an interrupt that came while a kernel ran, of which Numba makes a SystemError.

    A kernel hears nothing as long as it runs. When it then makes Python's objects of the arrays
    that it returns, the interrupt is raised within, and taken for a mistake of Numba.
    """
    try:
        yield
    except SystemError as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, KeyboardInterrupt):
                raise KeyboardInterrupt from error
            cause = cause.__cause__ or cause.__context__
        raise
