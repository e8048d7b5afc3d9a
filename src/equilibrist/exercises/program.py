"""A reader's program: loaded, and called with a limit of time; whatever goes wrong in it becomes one sentence."""

from __future__ import annotations

import _thread
import io
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from .._util.files import SMALL, read_bytes
from .._util.text import visible
from ..errors import EquilibristError, GameError, nearest


class NotPassedError(EquilibristError):
    """A reader's program fails a check: what was expected, what came, and a hint."""


class Program:
    """What a reader's file defines; ``seconds`` is how long a call may take."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds, self.name = path, seconds, visible(str(path))
        try:
            source = read_bytes(path, most=SMALL)
        except OSError as error:
            raise GameError(f"The file {self.name} cannot be read: {error.strerror}.", wrong_use=True) from None
        module = sys.modules["_equilibrist_exercise"] = ModuleType("_equilibrist_exercise")  # for dataclasses
        self.names = vars(module) | {"__file__": str(path)}
        sys.path.insert(0, str(path.resolve().parent))
        try:
            self.run("loading it", lambda: exec(compile(source, str(path), "exec"), self.names))
        finally:
            sys.path.pop(0)

    def get(self, name: str) -> Any:
        """Return what has a name in the file."""
        if name not in self.names:
            others = [key for key, value in self.names.items() if callable(value) and not key.startswith("_")]
            raise NotPassedError(f"{self.name} does not define {name}.{nearest(name, others) if others else ''}")
        return self.names[name]

    def run(self, doing: str, action: Callable[[], Any]) -> Any:
        """Return what an action answers that runs lines of the file."""
        stdin, sys.stdin = sys.stdin, io.StringIO()  # a program that asks for input would wait for ever
        try:
            with _limited(self.seconds):
                return action()
        except _TimeUp as up:
            raise NotPassedError(
                f"{self.name}, line {self._line(up)}: {doing} had not ended after {self.seconds:g} seconds. Is there a "
                "loop that never ends? If it only takes long, --seconds allows more."
            ) from None
        except EquilibristError:
            raise
        except (Exception, SystemExit) as error:
            place = f"{self.name}, line {error.lineno if isinstance(error, SyntaxError) else self._line(error)}"
            if isinstance(error, NotImplementedError):
                raise NotPassedError(f"{place}: this is not written yet.") from None
            message = visible(" ".join(str(getattr(error, "msg", error)).split())).rstrip(".")
            raise NotPassedError(f"{place}: {doing} failed with {type(error).__name__}: {message}.") from None
        finally:
            sys.stdin = stdin

    def _line(self, error: BaseException) -> int | None:
        """Return the last line of the file that took part."""
        frames = reversed(traceback.extract_tb(error.__traceback__))
        return next((frame.lineno for frame in frames if frame.filename == str(self.path)), None)


class _TimeUp(BaseException):
    """No Exception, which the reader's program may catch."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Interrupt what happens inside after so many seconds, in the main thread; in any other there is no limit."""
    main = threading.main_thread()
    if threading.current_thread() is not main:
        yield
        return
    over, ended = threading.Event(), threading.Event()

    def interrupt() -> None:
        while not ended.wait(seconds):  # again, where the program catches everything
            over.set()
            if hasattr(signal, "pthread_kill"):  # which wakes a program that sleeps
                signal.pthread_kill(main.ident or 0, signal.SIGINT)
            else:
                _thread.interrupt_main()

    def stop(_signal: int, _frame: Any) -> None:
        raise _TimeUp if over.is_set() else KeyboardInterrupt

    usual, timer = signal.signal(signal.SIGINT, stop), threading.Thread(target=interrupt, daemon=True)
    timer.start()
    try:
        yield
    finally:
        ended.set()
        timer.join()
        signal.signal(signal.SIGINT, usual)
