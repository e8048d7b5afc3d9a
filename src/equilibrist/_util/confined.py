"""A process that runs what somebody else wrote, with limits of time, memory and output; it is heard, never believed.

Messages are lines of JSON over two pipes that nothing else is printed to. What the process sends is
plain data, whose meaning is for its reader to judge: a process that ends, forges a message or says
nothing has answered nothing.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import psutil

from .confined_limits import MEMORY, MOST_PRINTED, MOST_SENT
from .processes import python_command, safe_environment, separate_session
from .system import IS_WINDOWS
from .text import escape_controls

_MARK = "EQUILIBRIST_CONFINED"  # the variable of the environment that such processes have
# Each thread of NumPy's takes addresses, which count as memory.
_FEW_THREADS = {"OPENBLAS_NUM_THREADS": "1"}
_PATIENCE = 0.1  # seconds between looks at the clock and at memory
_GRACE = 0.5  # seconds in which the process may tell where it is, when its time is up
_READ = 1 << 16  # bytes at a time
_ENDING = 2.0  # seconds that are waited for the last lines of what was printed


class ProcessStoppedError(Exception):
    """A process has ended, or was ended, before it answered.

    Attributes
    ----------
    reason : str
        ``"late"``, ``"memory"``, ``"too much"`` (a message without an end), ``"garbage"`` (no
        message of the kind that is spoken), or ``"ended"``.
    code : int or None
        Of an end of its own: its exit code, negative for a signal.
    trace : list of str
        Where it was when its time was up, as :mod:`faulthandler` tells it.
    """

    def __init__(self, reason: str, code: int | None, trace: list[str]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.trace = trace


class ConfinedProcess:
    """A process that runs a module, in a session of its own; it and all that it has started are killed at the end.

    ``show`` is called with the lines that it prints, in a thread, up to :data:`MOST_PRINTED` bytes
    of them.
    """

    def __init__(self, module: str, show: Callable[[str], None]) -> None:
        self._show = show
        self._buffer = bytearray()
        self._deadline = float("inf")
        self._reason = ""
        self._closed = threading.Event()
        self._killing = threading.Lock()
        self._killed = False
        self._mark = secrets.token_hex(16)
        self._process = subprocess.Popen(
            python_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**safe_environment(), **_FEW_THREADS, _MARK: self._mark},
            bufsize=0,
            **separate_session(),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._input = self._process.stdin
        self._output = self._process.stdout
        if not IS_WINDOWS:
            os.set_blocking(self._input.fileno(), False)
        self._printing = threading.Thread(
            target=self._pass_on, args=(self._process.stderr,), daemon=True
        )
        self._printing.start()
        threading.Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def limit_time(self, seconds: float) -> Iterator[None]:
        """Have all that happens within take no more than so many seconds."""
        self._deadline = time.monotonic() + seconds
        try:
            yield
        finally:
            self._deadline = float("inf")

    @property
    def seconds_left(self) -> float:
        """Seconds until the limit."""
        return self._deadline - time.monotonic()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message.

        Raises
        ------
        ProcessStoppedError
            The process has ended, or does not take it before the limit.
        """
        remainder = memoryview(json.dumps(message).encode() + b"\n")
        while remainder:
            self._wait_for(writing=True)
            try:
                remainder = remainder[self._input.write(remainder) or 0 :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._stop_error("ended", []) from None

    def receive(self) -> dict[str, Any]:
        """Return the next message.

        Raises
        ------
        ProcessStoppedError
            The process has ended, has sent something else, or sends nothing before the limit.
        """
        trace: list[str] = []
        while True:
            line = self._read_line()
            if not line:
                raise self._stop_error("late" if trace else "ended", trace)
            if line.startswith(b"{"):
                break
            # Of faulthandler, after which the process ends.
            trace.append(line.decode(errors="replace"))
            if len(trace) > _MOST_TRACE:
                raise self._stop_error("garbage", [])
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise self._stop_error("garbage", []) from None
        return dict(message)

    def close(self) -> None:
        """End the process and what it has started; what it has printed is passed on."""
        self._closed.set()
        self._kill()
        self._printing.join(_ENDING)
        for stream in (self._input, self._output):
            with suppress(OSError):
                stream.close()

    def _read_line(self) -> bytes:
        """Return the next line; empty at the end."""
        searched = 0
        while True:
            end = self._buffer.find(b"\n", searched)
            if end >= 0:
                line = bytes(self._buffer[: end + 1])
                del self._buffer[: end + 1]
                return line
            searched = len(self._buffer)
            if searched > MOST_SENT:
                raise self._stop_error("too much", [])
            self._wait_for(writing=False)
            with suppress(OSError):
                data = os.read(self._output.fileno(), _READ)
                if not data:
                    return b""
                self._buffer += data

    def _wait_for(self, *, writing: bool) -> None:
        """Wait until a pipe is ready; a process that lives on with the pipe keeps nobody waiting beyond the limit."""
        while not IS_WINDOWS:
            reading_from = [] if writing else [self._output]
            writing_to = [self._input] if writing else []
            if any(select.select(reading_from, writing_to, [], _PATIENCE)):
                return
            if self._reason:
                raise self._stop_error(self._reason, [])

    def _stop_error(self, reason: str, trace: list[str]) -> ProcessStoppedError:
        """Return the error that says why the process says nothing more; it is ended."""
        code = None
        if reason == "ended":
            with suppress(subprocess.TimeoutExpired):
                code = self._process.wait(_GRACE)
        reason = self._reason or reason  # first what has killed it
        self._kill()
        return ProcessStoppedError(reason, code, trace)

    def _watch(self) -> None:
        """Kill the process where it takes longer, or more memory, than it may."""
        while not self._closed.wait(_PATIENCE):
            if time.monotonic() > self._deadline + _GRACE:
                self._reason = self._reason or "late"
            elif memory_of(self._process.pid) > MEMORY:
                self._reason = self._reason or "memory"
            if self._reason:
                self._kill()

    def _kill(self) -> None:
        """Kill the process and its family: those of its session, and those that it has started in others.

        A process that has left both is known by the environment that it was started with, unless it
        has changed that.
        """
        with self._killing:
            if self._killed:  # its number may be another process's by now
                return
            self._killed = True
        family = process_family(self._process.pid)
        if not IS_WINDOWS:
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        for process in [*family, *_find_marked(self._mark)]:
            with suppress(psutil.Error):
                process.kill()
        self._process.kill()
        self._process.wait()

    def _pass_on(self, stream: IO[bytes]) -> None:
        """Show what is printed, without what would move the cursor; the rest of very much is dropped."""
        num_bytes = 0
        with suppress(OSError, ValueError), stream:
            while line := stream.readline(_READ):
                if num_bytes <= MOST_PRINTED < num_bytes + len(line):
                    self._show(
                        f"… more than {MOST_PRINTED:,} bytes were printed: the rest is left out"
                    )
                num_bytes += len(line)
                if num_bytes <= MOST_PRINTED:
                    self._show(
                        escape_controls(line.decode(errors="replace").rstrip("\r\n").expandtabs())
                    )


_MOST_TRACE = 10_000  # lines that tell where a process is: threads have a hundred each


def process_family(number: int) -> list[psutil.Process]:
    """Return a process, and those that it has started."""
    with suppress(psutil.Error):
        process = psutil.Process(number)
        return [process, *process.children(recursive=True)]
    return []


def _find_marked(mark: str) -> Iterator[psutil.Process]:
    """Yield the processes that were started with a mark in their environment."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(_MARK) == mark:
                yield process


def memory_of(number: int) -> int:
    """Return the bytes of memory of a process, and of those that it has started."""
    total = 0
    for process in process_family(number):
        with suppress(psutil.Error):
            total += process.memory_info().rss
    return total
