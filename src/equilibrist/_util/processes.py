"""Starting processes of Python that import nothing from the working folder: its files may be somebody else's."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .system import IS_WINDOWS

_CHANGING = threading.Lock()
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def cores() -> int:
    """Return how many cores this process may use: those that it is bound to, and the quota of its container."""
    if hasattr(os, "sched_getaffinity"):
        bound = len(os.sched_getaffinity(0))
    else:
        bound = os.cpu_count() or 1
    with suppress(OSError, ValueError):  # no such file, or no limit ("max")
        quota, period = map(int, _QUOTA.read_text(encoding="ascii").split())
        return max(1, min(bound, quota // period))
    return bound


def python_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module with this Python; ``-m`` alone looks in the working folder first."""
    return [sys.executable, "-P", "-m", module, *arguments]


def safe_environment() -> dict[str, str]:
    """Return the environment of a process of Python: an empty entry of PYTHONPATH would be the working folder."""
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = os.pathsep.join(os.path.abspath(entry) for entry in entries if entry)
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": path}


def separate_session() -> dict[str, Any]:
    """Return how ``subprocess.Popen`` starts a process that Ctrl-C at the terminal of this one does not reach."""
    if IS_WINDOWS:
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    return {"start_new_session": True}


@contextmanager
def safe_spawn() -> Iterator[None]:
    """Have this environment while :mod:`multiprocessing` starts a process, which takes no other.

    Such a process imports ``multiprocessing`` before it is sent the path of imports of this one.
    """
    with _CHANGING:
        old_environment = dict(os.environ)
        os.environ.update(safe_environment())
        try:
            yield
        finally:
            for name in ("PYTHONSAFEPATH", "PYTHONPATH"):
                os.environ.pop(name)
                if name in old_environment:
                    os.environ[name] = old_environment[name]


def drop_working_folder() -> None:
    """Take the working folder from the path of imports, where ``python -m`` has put it; not that of the package."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if not sys.flags.safe_path and sys.path[0] == os.getcwd() != package:
        del sys.path[0]
