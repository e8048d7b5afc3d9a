"""Ctrl-C heard now and acted upon later, where an exception in the middle of something would do harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def heard_interrupt(hear: Callable[[], None] = lambda: None) -> Iterator[list[int]]:
    """Give a list that is empty until Ctrl-C is pressed; pressed again, it interrupts at once as usual.

    Only the main thread hears signals, and a handler that somebody else has set stays in charge.

    Parameters
    ----------
    hear : callable
        Called, in the main thread, when Ctrl-C is pressed for the first time; what it raises interrupts after all.
    """
    heard: list[int] = []
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield heard
        return

    def note(number: int, _frame: Any) -> None:
        heard.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        hear()

    signal.signal(signal.SIGINT, note)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
