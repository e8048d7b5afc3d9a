"""Workers: processes of Python that are started, asked to stop, and heard, for batches, the server and clusters.

They leave Ctrl-C to the process that has started them, which asks them to stop: a process has one
request to stop, which whatever it computes looks at.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any

from .processes import python_command, safe_environment, safe_spawn, separate_session

SPAWN = get_context("spawn")
"""How processes are started that are sent objects: a copy of this one would copy its threads."""

STOP = threading.Event()
"""Asks what is computed in this process to end as at Ctrl-C: it saves what there is, and returns."""
_LAST_LINES = 50  # of standard error
_NICE = 5  # with which a process that wants a core gets three times the share of a worker
_SESSION = Path("/proc/self/autogroup")


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that has started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def give_way() -> None:
    """Leave the cores to the server and the page where they want them, which answer within milliseconds.

    Linux shares cores between sessions first, whatever the priority of their processes, and a
    worker has a session of its own: the priority is set for that, too.
    """
    with suppress(OSError, AttributeError):
        os.nice(_NICE)
        if os.getsid(0) == os.getpid():
            _SESSION.write_text(str(_NICE), encoding="utf-8")


def take_output() -> IO[str]:
    """Return standard output for what this process tells; what libraries print goes to standard error from now on."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return output


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
