"""A plug-in of pytest: the tests run as if the system were Windows, as far as another system can tell.

    python -m pytest -p support.like_windows tests/solving/test_robust.py

What POSIX alone has is taken away: functions and constants of ``os`` and ``signal``, whole
modules, ``sys.abiflags``. Locks are those of ``msvcrt``. A file that this process has open can be
neither replaced nor removed, and a folder with such a file in it cannot be renamed. The package
takes its ways for Windows. It shows what would break there, and is no proof that anything works
there. What other packages do on Windows stays as it is here.
"""

# What is taken away below is imported before by those who need it.
import asyncio  # noqa: F401
import concurrent.futures.process  # noqa: F401
import errno
import multiprocessing.pool  # noqa: F401
import os
import shutil  # noqa: F401
import signal
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401
import uuid  # noqa: F401

import matplotlib  # noqa: F401
import numba  # noqa: F401
import platformdirs.unix  # noqa: F401
import psutil  # noqa: F401
import uvicorn  # noqa: F401

from support.msvcrt import imitate_msvcrt

GONE = {
    os: (  # but for getuid, which pytest asks for
        "O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown fork forkpty geteuid getgid getloadavg getpgid "
        "getsid killpg mkfifo mknod nice openpty sched_getaffinity setpgid setsid"
    ),
    # but for SIGKILL, which multiprocessing asks for
    signal: "SIGALRM SIGCONT SIGHUP SIGPIPE SIGQUIT SIGSTOP SIGUSR1 SIGUSR2 alarm setitimer",
    sys: "abiflags",
}
"""What Windows has not, by module."""

MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty")
"""The modules that Windows has not."""


def _take_away() -> None:
    for module, names in GONE.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]


def _refuse_open(path: object) -> None:
    """Raise an error where this process has a file open, or one in the folder."""
    place = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
    for number in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
        if target == place or target.startswith(place + os.sep):
            raise PermissionError(
                errno.EACCES,
                "The process cannot access the file because it is being used by another process",
                os.fsdecode(path),  # type: ignore[arg-type]
            )


def _guard_open_files() -> None:
    replace, rename, unlink = os.replace, os.rename, os.unlink

    def guarded_replace(old, new, **places):  # type: ignore[no-untyped-def]
        _refuse_open(old)
        _refuse_open(new)
        replace(old, new, **places)

    def guarded_rename(old, new, **places):  # type: ignore[no-untyped-def]
        _refuse_open(old)
        rename(old, new, **places)

    def guarded_unlink(path, **places):  # type: ignore[no-untyped-def]
        if not places:  # as shutil.rmtree has them: relative to an open folder
            _refuse_open(path)
        unlink(path, **places)

    os.replace = guarded_replace
    os.rename = guarded_rename
    os.unlink = guarded_unlink
    os.remove = guarded_unlink


sys.modules["msvcrt"] = imitate_msvcrt()
_take_away()
_guard_open_files()

from equilibrist._util import system  # noqa: E402  # which the package imports later

system.IS_WINDOWS = True
