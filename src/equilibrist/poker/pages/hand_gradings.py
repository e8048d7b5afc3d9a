"""The gradings that are at work: a process for each folder of hands, one after the other."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from typing import Any, Literal

from starlette.requests import Request

from ..._util.workers import LineProcess
from ...errors import SolutionError
from ...web.respond import LOG, RequestError
from .hand_folders import HandFolder

WORKER = "equilibrist.poker.pages.hand_worker"
State = Literal["new", "waiting", "running", "done", "failed", "stopped", "interrupted"]
_ENDED = {"new", "done", "failed", "stopped"}


class Grading:
    """A grading: its request, its process once it has one, and what that told last."""

    def __init__(self, folder: HandFolder, request: dict[str, Any]) -> None:
        self.folder = folder
        self.request = request
        self.stage = ""
        self.process: LineProcess | None = None
        self.is_stopped = False


class Gradings:
    """The gradings of a served folder; one is at work at a time, as each takes the memory of its runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # of the table, and of the process of each
        self._working = threading.Lock()  # while a process is at work
        self._gradings: dict[str, Grading] = {}

    def begin(self, folder: HandFolder, request: dict[str, Any]) -> None:
        """Begin to grade a folder, once those before it are done."""
        grading = Grading(folder, request)
        with self._lock:
            if folder.id in self._gradings:
                raise RequestError("These hands are being graded already.", status=409)
            self._gradings[folder.id] = grading
        folder.write_state(state="running", message="")
        threading.Thread(target=self._carry_out, args=(grading,), daemon=True).start()

    def stop(self, folder: HandFolder) -> None:
        """Stop a grading; nothing of it is kept."""
        with self._lock:
            grading = self._gradings.get(folder.id)
            if grading is None:
                return
            grading.is_stopped = True
            if grading.process is not None:
                grading.process.end_input()

    def describe(self, folder: HandFolder) -> tuple[State, str]:
        """Return how far the grading of a folder is, and at which stage."""
        with self._lock:
            grading = self._gradings.get(folder.id)
            if grading is not None:
                state: State = "waiting" if grading.process is None else "running"
                return state, grading.stage
        last_state: Any = folder.read_state()["state"]
        return (last_state if last_state in _ENDED else "interrupted"), ""

    def _carry_out(self, grading: Grading) -> None:
        """Run the process of a grading to its end, and keep how it ended."""
        end: dict[str, Any] = {}
        with self._working, suppress(OSError):
            end = self._follow(grading)
        if grading.is_stopped:
            state, message = "stopped", ""
        elif end.get("event") == "end":
            state, message = "done", ""
        else:
            state = "failed"
            message = end.get("message") or (
                "The process that graded these hands ended unexpectedly, perhaps for want of "
                "memory."
            )
        with suppress(OSError, SolutionError):  # a full disk: the next server says the rest
            grading.folder.write_state(state=state, message=message)
        with self._lock:
            del self._gradings[grading.folder.id]

    def _follow(self, grading: Grading) -> dict[str, Any]:
        """Return the last event of the process of a grading."""
        with self._lock:
            if grading.is_stopped:
                return {}
            grading.process = process = LineProcess(WORKER)
        process.send(json.dumps(grading.request))
        last: dict[str, Any] = {}
        for line in process.lines():
            with suppress(ValueError):
                last = json.loads(line)
                grading.stage = last.get("text", grading.stage)
        process.end_input()
        process.wait()
        errors = process.last_errors()
        if errors and last.get("event") not in ("end", "error") and not grading.is_stopped:
            LOG.error("The grading of %s:\n%s", grading.folder.id, errors)
        return last


_MAKING = threading.Lock()


def find_gradings(request: Request) -> Gradings:
    """Return the gradings of the server."""
    state = request.app.state
    with _MAKING:
        if not hasattr(state, "gradings"):
            state.gradings = Gradings()
    return state.gradings  # type: ignore[no-any-return]
