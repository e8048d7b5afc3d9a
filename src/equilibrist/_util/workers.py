"""Workers: processes of Python that are started, asked to stop, and heard, for batches, the server and clusters.

They leave Ctrl-C to the process that has started them, which asks them to stop: a process has one
request to stop, which whatever it computes looks at.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from typing import IO, Any

from .processes import python_command, safe_environment, safe_spawn, separate_session

SPAWN = get_context("spawn")
"""How processes are started that are sent objects: a copy of this one would copy its threads."""

STOP = threading.Event()
"""Asks what is computed in this process to end as at Ctrl-C: it saves what there is, and returns."""
_LAST_LINES = 50  # of standard error


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that has started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def spawn(target: Callable[..., None], *arguments: Any) -> Any:
    """Return a new process that calls a function with arguments, all of which can be pickled; it dies with this one."""
    process = SPAWN.Process(target=target, args=arguments, daemon=True)
    with safe_spawn():
        process.start()
    return process


class LineProcess(subprocess.Popen[str]):
    """A process that runs a module, is sent lines and sends lines; Ctrl-C at this one's terminal is none for it."""

    stdin: IO[str]  # which are there, as they are asked for
    stdout: IO[str]
    stderr: IO[str]

    def __init__(self, module: str, *arguments: str) -> None:
        super().__init__(
            python_command(module, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env={**safe_environment(), "PYTHONIOENCODING": "utf-8"},
            **separate_session(),
        )
        self._errors: deque[str] = deque(maxlen=_LAST_LINES)
        self._collector = threading.Thread(target=self._collect, daemon=True)
        self._collector.start()

    def _collect(self) -> None:
        with suppress(OSError, ValueError):
            self._errors.extend(self.stderr)

    def last_errors(self) -> str:
        """Return the last lines of its standard error, once it has ended."""
        self._collector.join(timeout=1)
        return "".join(self._errors.copy())

    def send(self, line: str) -> None:
        """Send a line, unless the process has gone."""
        with suppress(OSError, ValueError):
            self.stdin.write(line + "\n")
            self.stdin.flush()

    def lines(self) -> Iterator[str]:
        """Yield the lines that it sends, until it ends."""
        with suppress(OSError, ValueError):
            yield from self.stdout

    def end_input(self) -> None:
        """Send nothing more, which asks the process to end."""
        with suppress(OSError):
            self.stdin.close()
