"""A reader's program, as who grades it sees it: a process that is asked, and whose answers are judged here.

The program runs in a process of its own, with limits (:mod:`equilibrist._util.confined`): whatever
it does there, it passes by right answers alone, and whatever goes wrong in it becomes one sentence.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ..._util.confined import ConfinedProcess, ProcessStoppedError
from ..._util.confined_limits import MEMORY, MOST_SENT
from ..._util.files import read_bytes
from ..._util.text import escape_controls, shorten
from ...errors import EquilibristError, GameError, nearest
from .messages import decode, encode

_LARGEST = 1 << 20  # bytes of a program
_STARTING = 120.0  # seconds until Python runs, which are nobody's fault
_GIGABYTES = MEMORY >> 30


class NotPassedError(EquilibristError):
    """A reader's program fails a check: what was expected, what came, and a hint."""


class _FailedError(Exception):
    """A call of the program has raised something: its kind, its text, and the line."""

    def __init__(self, failure: dict[str, Any]) -> None:
        super().__init__()
        self.failure = failure


class Program:
    """What a reader's file defines; ``seconds`` is how long a call may take, ``show`` gets the lines that it prints."""

    def __init__(self, path: Path, seconds: float, show: Callable[[str], None] = print) -> None:
        self.path = path
        self.seconds = seconds
        self.name = escape_controls(str(path))
        try:
            source = read_bytes(path, most=_LARGEST)
        except OSError as error:
            raise GameError(
                f"The file {self.name} cannot be read: {error.strerror}.", wrong_use=True
            ) from None
        self._process = ConfinedProcess("equilibrist.learn.exercises.runner", show)
        try:
            with self._process.limit_time(_STARTING):
                self._ask({"value": "__name__"}, may_not_ask=True)
            load = {"load": source.decode("latin-1"), "path": str(path)}
            self.names: dict[str, bool] = self.run("loading it", lambda: dict(self._ask(load)))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program, and what it has started."""
        self._process.close()

    def get(self, name: str) -> Any:
        """Return what has a name in the file: a function that asks the program, or a value."""
        if name not in self.names:
            functions = [key for key, can_be_called in self.names.items() if can_be_called]
            raise NotPassedError(
                f"{self.name} does not define {name}.{nearest(name, functions) if functions else ''}"
            )
        if self.names[name]:
            return partial(self._call, name)
        return self.run(f"the value of {name}", lambda: decode(self._ask({"value": name})))

    def unfold(self, name: str, *, most: int) -> dict[str, Any]:
        """Return the histories of a game that a class of the file is; see :func:`.runner.unfold`."""
        self.get(name)
        histories: dict[str, Any] = self.run(
            "visiting the histories", lambda: dict(self._ask({"unfold": name, "most": most}))
        )
        return histories

    def run(self, doing: str, action: Callable[[], Any]) -> Any:
        """Return what an action answers that asks the program, within the seconds that a call may take."""
        try:
            with self._process.limit_time(self.seconds):
                return action()
        except ProcessStoppedError as stopped:
            raise NotPassedError(self._explain_stop(doing, stopped)) from None
        except _FailedError as error:
            raise NotPassedError(self._explain_failure(doing, error.failure)) from None
        except EquilibristError:
            raise
        except (TypeError, ValueError) as error:
            reason = escape_controls(shorten(str(error))).rstrip(".")
            raise NotPassedError(
                f"{self.name}: {doing} gave an answer that cannot be used: {reason}."
            ) from None

    def _call(self, name: str, *args: Any) -> Any:
        """Return what a function of the program answers; one of the arguments may be a function, which it may call."""
        functions = [arg for arg in args if callable(arg)]
        message = {"call": name, "args": [encode(arg) for arg in args]}
        return decode(self._ask(message, *functions))

    def _ask(
        self,
        message: dict[str, Any],
        draw: Callable[[Any], int] | None = None,
        *,
        may_not_ask: bool = False,
    ) -> Any:
        """Return the answer to a message, as plain data; ``draw`` answers what the program asks meanwhile."""
        self._process.send({**message, "seconds": max(self._process.seconds_left, 1e-3)})
        while True:
            reply = self._process.receive()
            match reply:
                case {"draw": list(row)} if draw is not None:
                    self._process.send({"drawn": draw(decode(row))})
                case {"answer": answer}:
                    return answer
                case {"failed": dict()} if may_not_ask:
                    return None
                case {"failed": dict(failure)}:
                    raise _FailedError(failure)
                case _:
                    raise ValueError("a message of another kind")

    def _explain_stop(self, doing: str, stopped: ProcessStoppedError) -> str:
        match stopped.reason:
            case "late":
                line = self._line_of(stopped.trace)
                return (
                    f"{self._place_text(line)}: {doing} had not ended after {self.seconds:g} seconds. "
                    "Is there a loop that "
                    "never ends? If it only takes long, --seconds allows more."
                )
            case "memory":
                return (
                    f"{self.name}: {doing} took more than the {_GIGABYTES} GB of memory that a "
                    "program may have."
                )
            case "too much":
                return f"{self.name}: {doing} answered with more than {MOST_SENT:,} bytes."
            case "garbage":
                return f"{self.name}: {doing} answered with what is no answer."
        if stopped.code is None:
            code_text = "with an unknown code"
        else:
            code_text = f"with exit code {stopped.code}"
        if stopped.code is not None and stopped.code < 0:
            with suppress(ValueError):
                code_text = f"by {signal.Signals(-stopped.code).name}"
        return (
            f"{self.name}: the program ended {code_text} in {doing}, and returned nothing. It must not "
            "end itself."
        )

    def _explain_failure(self, doing: str, failure: dict[str, Any]) -> str:
        match failure:
            case {"large": True}:
                return f"{self.name}: {doing} answered with more than {MOST_SENT:,} bytes."
            case {
                "kind": str(kind),
                "text": str(text),
                "line": int() | None as line,
                "unwritten": bool(unwritten),
            }:
                if unwritten:
                    return f"{self._place_text(line)}: this is not written yet."
                message = escape_controls(" ".join(text.split())).rstrip(".")
                if kind == "MemoryError" and not message:
                    message = f"a program may have {_GIGABYTES} GB"
                return (
                    f"{self._place_text(line)}: {doing} failed with "
                    f"{escape_controls(kind)}{': ' if message else ''}{message}."
                )
        return f"{self.name}: {doing} answered with what is no answer."

    def _place_text(self, line: int | None) -> str:
        if line is None:
            return self.name
        return f"{self.name}, line {line}"

    def _line_of(self, trace: list[str]) -> int | None:
        """Return the line of the file where the program was, by what :mod:`faulthandler` tells, the innermost first."""
        path_text = str(self.path).encode("ascii", "backslashreplace").decode()
        for line in trace:
            text_before, _, text_after = line.partition(f'File "{path_text}", line ')
            number = text_after.split(" ")[0]
            if not text_before.strip() and number.isdecimal():
                return int(number)
        return None
