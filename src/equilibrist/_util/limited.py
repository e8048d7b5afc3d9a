"""A command that is run to its end, or ended where it takes more time, memory or output than it may."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

import psutil

from .confined import memory_of, process_family
from .processes import safe_environment, separate_session

MOST_WRITTEN = 1 << 24
"""Bytes that a command may print."""

_PATIENCE = 0.05  # seconds between looks at the clock and at memory


class Ended(NamedTuple):
    """How a command ended.

    Attributes
    ----------
    reason : str
        ``""`` where it ended by itself, else why it was ended: ``"late"``, ``"memory"``,
        ``"too much"`` (it printed more than :data:`MOST_WRITTEN`), or ``"asked"``.
    code : int
        Its exit code.
    output, errors : str
        What it printed.
    """

    reason: str
    code: int
    output: str
    errors: str


def run_limited(
    command: Sequence[str], *, folder: Path, seconds: float, memory: float, ending: threading.Event
) -> Ended:
    """Run a command in a folder, and return how it ended.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    folder : Path
        The working folder.
    seconds : float
        How long it may take.
    memory : float
        Bytes that it may take, with all that it starts.
    ending : threading.Event
        Ends it where it is set.
    """
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=safe_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            **separate_session(),
        )
        reason = ""
        try:
            while process.poll() is None and not reason:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_PATIENCE)
                reason = _find_excess(process.pid, deadline, memory, output, ending)
        finally:
            if process.poll() is None:
                _end_family(process)
        return Ended(reason, process.returncode, _read(output), _read(errors))


def _find_excess(
    number: int, deadline: float, memory: float, output: IO[bytes], ending: threading.Event
) -> str:
    """Return why a process must end, empty where it need not."""
    if ending.is_set():
        return "asked"
    if time.monotonic() > deadline:
        return "late"
    if memory_of(number) > memory:
        return "memory"
    if os.fstat(output.fileno()).st_size > MOST_WRITTEN:
        return "too much"
    return ""


def _end_family(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started."""
    for member in process_family(process.pid):
        with suppress(psutil.Error):
            member.kill()
    process.kill()
    process.wait()


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(MOST_WRITTEN).decode("utf-8", errors="replace")
